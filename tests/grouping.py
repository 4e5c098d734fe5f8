"""Which tests stay together in one process where several share the suite.

Fixtures of a session or a file live once in each process. So servers, costly to start, are started
by one process only; and tests that look at all processes of the machine run in one.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from patience import PATIENCE
from xdist.scheduler import LoadScopeScheduling

SERVERS = "servers of the lab"
SLOW_SERVERS = "HDFS and Accumulo"
GROUPS = (
    (r"tests/workloads/tiles/.*[-\[](hdfs|accumulo)[-\]]", SLOW_SERVERS),
    ("tests/workloads/tiles/(test_(accumulo|java|server_faults)|.*that_accumulo_)", SLOW_SERVERS),
    (r"tests/workloads/tiles/.*[-\[](file|xyz|mbtiles|pmtiles)[-\]]", "tiles in files"),
    (
        r"tests/workloads/tiles/(test_(object_clients|plain_gets|remote_archives)|"
        r".*[-\[](s3|http)(_\w+)?[-\]])",
        "tiles in objects",
    ),
    ("tests/workloads/tiles/test_(damaged_layouts|layers|mapfile|zoom_layouts)", "tiles in files"),
    ("tests/workloads/tiles/", SERVERS),
    ("tests/workloads/transfer/test_synapse", "transfers with Synapse"),
    ("tests/workloads/transfer/", "servers of transfers"),
    ("tests/core/lab/servers/", "one server at a time"),
    ("tests/core/lab/synapse/", "stand-in of Synapse"),
    ("tests/core/lab/", "rigged servers"),
)
"""Groups by how the names of their tests begin; the first that fits.  Transfers and objects share
little but S3, which starts in a second; HDFS and Accumulo take seconds to answer, without a
processor, and outlasted all others in one group with the rest."""
LASTING = frozenset({SERVERS, SLOW_SERVERS})
"""Groups that start Java in their process, which cannot be ended again and takes signals and a part
of the stack for itself: nothing else runs there after them."""


DURATIONS = Path(__file__).with_name("durations.json")
"""Seconds of groups; SLUICE_DURATIONS=1 makes a run of the suite write them anew."""
LONG = 2.0
"""Seconds of a group that is worth keeping."""
USUAL = 0.1
"""Seconds of a test of a group that is not kept."""


def durations() -> dict[str, float]:
    """Those measured last, or none, as in the small suites of tests."""
    return json.loads(DURATIONS.read_text(encoding="utf-8")) if DURATIONS.exists() else {}


def keep(took: Mapping[str, float]) -> None:
    """Keep what groups took for the next runs."""
    long = {name: round(seconds) for name, seconds in took.items() if seconds >= LONG}
    DURATIONS.write_text(f"{json.dumps(long, indent=0, sort_keys=True)}\n", encoding="utf-8")


def group_of(test: str) -> str:
    """The group of a test, named as pytest names it: by what it shares, else its file."""
    for beginning, group in GROUPS:
        if re.match(beginning, test):
            return group
    return test.partition("::")[0]


class Grouped(LoadScopeScheduling):
    """Hands out the groups, the longest first; each goes to one process."""

    def __init__(self, config: Any, log: Any = None) -> None:
        super().__init__(config, log)
        self._before = durations()
        self.took: Counter[str] = Counter()
        """Seconds of each group."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        longest = max(self.workqueue, key=self._expected)
        self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)

    def _expected(self, group: str) -> float:
        left = list(self.workqueue[group].values()).count(False)
        return self._before.get(group, USUAL * left)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        self.took[group_of(self.registered_collections[node][item_index])] += duration
        super().mark_test_complete(node, item_index, duration)

    def remove_node(self, node: Any) -> str | None:
        """Hand what a dead process had still to do to others, but for the test it died in.

        xdist hands out finished groups as well; a process that gets one waits for ever, as
        it runs its last test only when it knows of another one or of the end.
        """
        groups = self.assigned_work.pop(node)
        pending = [test for group in groups.values() for test, done in group.items() if not done]
        died_in = pending[0] if pending else None
        for name, group in groups.items():
            left = {test: done for test, done in group.items() if not done and test != died_in}
            if left:
                self.workqueue[name] = left
        for other in self.assigned_work:
            self._reschedule(other)
        return died_in

    def _reschedule(self, node: Any) -> None:
        """Give it groups until it has more than two tests to do, else tell it the end."""
        if node not in self.registered_collections:  # a new process gets its first when it is ready
            return
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) <= 2:
            if LASTING.isdisjoint(self.assigned_work[node]):
                super()._reschedule(node)
            else:
                node.shutdown()
                self._replace(node)

    def _replace(self, node: Any) -> None:
        """Start a process in the place of one that is told its end, for what is left to do."""
        if self.workqueue:
            self.config.pluginmanager.get_plugin("dsession")._clone_node(node)


def ending_of(node: Any) -> str:
    """How the process of a node ended, if that can be told."""
    try:
        code = node.gateway._io.popen.wait(timeout=PATIENCE)
    except (AttributeError, subprocess.TimeoutExpired):
        return "an unknown end"
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
