"""Which tests stay together in one process where several share the suite.

Fixtures of a session or a file live once in each process. So servers, costly to start, are started
by one process only; and tests that look at all processes of the machine run in one.
"""

from __future__ import annotations

import signal
import subprocess
from typing import Any

from patience import PATIENCE
from xdist.scheduler import LoadScopeScheduling

SERVERS = "servers of the lab"
ONE_SERVER = "one server at a time"
FOLDERS = {
    "tests/workloads/tiles/": SERVERS,
    "tests/workloads/transfer/": "servers of transfers",
    "tests/core/lab/servers/": ONE_SERVER,
    "tests/core/lab/synapse/": "stand-in of Synapse",
    "tests/core/lab/": "rigged servers",
}
"""Groups by the beginning of the name of their tests; the first that fits.  Transfers share little
but S3, which starts in a second: in one group with the tiles they made it outlast all others."""
LASTING = frozenset({SERVERS, ONE_SERVER})
"""Groups that start Java in their process, which cannot be ended again and takes signals and a part
of the stack for itself: nothing else runs there after them."""


def group_of(test: str) -> str:
    """The group of a test, named as pytest names it: by what it shares, else its file."""
    for folder, group in FOLDERS.items():
        if test.startswith(folder):
            return group
    return test.partition("::")[0]


class Grouped(LoadScopeScheduling):
    """Hands out the groups, the largest first; each goes to one process."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

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
