"""Servers that stand still or die while a run measures them: results, in their words.

Every store's run is one of three trials: its server is paused in the first, and killed in the
second.  The runs of all stores go on side by side, and end the servers of the session.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from driving import need_drivers
from patience import PATIENCE
from store_conformance import Site

from core.lab.lab_client import Lab
from core.language import report_to_nobody
from core.measure import Cancel, leftovers
from core.run import Session, begin_recording, recorded
from core.run.engine import run
from core.tell.cli import main
from core.vocabulary import (
    Completed,
    Failed,
    MomentTaken,
    Plan,
    RunSpec,
    Slot,
    Trial,
    TrialEnded,
    describe,
    open_dataset,
    specify,
)
from core.vocabulary.histogram import bounds
from workloads.tiles.make_layer import LayerShape, make_layer

STORES = ("s3", "hdfs", "cassandra", "accumulo")
PAUSE = 10.0
LOAD = {"warm_up": 0, "deadline": 5 * PATIENCE, "stall": 2 * PATIENCE}
LIMITS: Mapping[str, Mapping[str, Any]] = {
    "s3": {"attempts": 5},
    "hdfs": {"timeout": 2 * PAUSE},
    "cassandra": {"timeout": 2 * PAUSE},
    "accumulo": {"timeout": 2 * PAUSE},
}
GIVING_UP: Mapping[str, Mapping[str, Any]] = {"accumulo": {"timeout": 12.0}}
"""Where a server is gone for good; a busy one takes seconds to answer the first time."""
WORDS = {
    "s3": "could not connect to",
    "hdfs": "Connection refused|All DataNodes failed",
    "cassandra": "Unable to complete the operation against any hosts",
    "accumulo": "Failed to connect to zookeeper|ScanTimedOut|no answer within",
}
"""Of what was asked when there was no server any more."""
ADVICE = "check the endpoint|look whether the server"

pytestmark = [pytest.mark.ends_servers, pytest.mark.slow]
each_store = pytest.mark.parametrize(
    "store", [pytest.param(name, marks=pytest.mark.lab(name)) for name in STORES]
)


class Hand:
    """What happens to a server, as far as the trial that measures it has come."""

    def __init__(self, lab: Lab, store: str) -> None:
        self._groups = [
            group
            for server in lab.servers()
            if server.name == store
            for group in server.processes.values()
        ]
        assert self._groups
        self.paused_at: float | None = None
        self.done_before_pause = 0
        self.killed = False

    def signal(self, number: signal.Signals) -> None:
        for group in self._groups:
            os.killpg(group, number)

    def let_go(self) -> None:
        """Let it go on, if it is still there."""
        if not self.killed:
            self.signal(signal.SIGCONT)

    def look(self, event: MomentTaken) -> None:
        """Stop it in the first trial for a while, and kill it in the second."""
        moment = event.moment
        done = sum(moment.operations)
        if not done:
            return
        if event.index == 0 and self.paused_at is None:
            self.paused_at, self.done_before_pause = moment.at, done
            self.signal(signal.SIGSTOP)
        elif event.index == 0 and self.paused_at and moment.at - self.paused_at >= PAUSE:
            self.signal(signal.SIGCONT)
        elif event.index == 1 and not self.killed:
            self.killed = True
            self.signal(signal.SIGKILL)


@dataclass(frozen=True)
class Disturbed:
    """What came of one run."""

    session: Path
    trials: tuple[Trial, ...]
    done_before_pause: int

    @property
    def paused(self) -> Trial:
        return self.trials[0]

    @property
    def killed(self) -> Trial:
        return self.trials[1]

    @property
    def afterwards(self) -> Trial:
        return self.trials[2]


@pytest.fixture(scope="module")
def disturbed(
    request: pytest.FixtureRequest, servers: Lab, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[str, Disturbed]]:
    """The runs of those stores that were asked for."""
    asked = {
        item.callspec.params["store"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.path == request.path
    }
    sites: dict[str, Site] = {}
    for store in sorted(asked):
        need_drivers("tiles", store=store, address="somewhere")
        sites[store] = request.getfixturevalue(f"{store}_site")
    folder = tmp_path_factory.mktemp("faults")
    with _own_folders(folder), ThreadPoolExecutor(len(STORES)) as pool:
        layer = folder / "layer"
        layer.mkdir()
        shape = LayerShape(columns=6, rows=4, tile_size=16, holes=0.25, level=1)
        make_layer(shape, layer, report_to_nobody)
        children = set(psutil.Process().children())
        runs = {
            store: pool.submit(_disturb, servers, site, layer, folder / f"{store}.sluice")
            for store, site in sites.items()
        }
        found = {store: one.result() for store, one in runs.items()}
        assert set(psutil.Process().children()) == children
        assert leftovers() == ()
        yield found


@contextmanager
def _own_folders(folder: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", str(folder / "cache"))
        patch.setenv("SLUICE_STATE", str(folder / "state"))
        yield


def _disturb(lab: Lab, site: Site, layer: Path, place: Path) -> Disturbed:
    """Measure a store while its server is paused, killed and gone."""
    hand = Hand(lab, site.store)

    def spec(limits: Mapping[str, Any], **load: Any) -> RunSpec:
        # Threads of Accumulo's client wait for ZooKeeper one after the other.
        threads = 1 if site.store == "accumulo" else 2
        asked = {"store": site.store, "address": site.address, **site.parameters}
        asked |= limits
        return specify(
            "tiles",
            open_dataset(layer, ("tile-layer",)),
            {"threads": threads} | LOAD | load | asked,
        )

    longer = spec(LIMITS[site.store], duration=PAUSE + 2)
    shorter = spec(LIMITS[site.store] | GIVING_UP.get(site.store, {}), duration=1)
    plan = Plan(title="faults", specs=(longer, shorter), repeats=2)
    slots = (Slot(0, 0, longer), Slot(1, 0, shorter), Slot(2, 1, shorter))
    cancel = Cancel()
    trials: list[Trial] = []
    try:
        with Session.create(place) as session:
            number = begin_recording(plan, session, ())
            for event in recorded(run(plan, cancel, slots=slots), session, number):
                if isinstance(event, MomentTaken):
                    hand.look(event)
                elif isinstance(event, TrialEnded):
                    trials.append(event.trial)
    finally:
        hand.let_go()
        cancel.close()
    return Disturbed(place, tuple(trials), hand.done_before_pause)


def longest(trial: Trial) -> float:
    """Seconds of the longest operation."""
    latencies = trial.latencies
    assert latencies is not None
    return bounds(max(latencies.histogram.buckets))[1] / 1e9


@each_store
def test_that_a_run_goes_on_after_its_server_stood_still(
    disturbed: Mapping[str, Disturbed], store: str
) -> None:
    run = disturbed[store]
    assert run.paused.outcome == Completed()
    assert run.paused.operations > run.done_before_pause
    assert run.paused.wrong == 0
    assert not run.paused.unverified


@each_store
def test_that_a_server_that_stood_still_is_seen_in_latencies_or_errors(
    disturbed: Mapping[str, Disturbed], store: str
) -> None:
    trial = disturbed[store].paused
    assert longest(trial) > PAUSE / 2 or trial.errors


@each_store
def test_that_a_server_that_dies_is_told_in_the_store_s_words_with_what_to_do(
    disturbed: Mapping[str, Disturbed], store: str
) -> None:
    trial = disturbed[store].killed
    assert trial.outcome == Completed()
    assert trial.errors
    told = [one.text for one in trial.complaints if re.search(WORDS[store], one.text)]
    assert told, trial.complaints
    assert all(re.search(ADVICE, text) for text in told), told


@each_store
def test_that_what_was_read_before_a_server_died_is_kept_and_right(
    disturbed: Mapping[str, Disturbed], store: str
) -> None:
    trial = disturbed[store].killed
    assert trial.operations
    assert (trial.wrong, trial.unverified) == (0, 0)
    assert trial.histogram
    assert any(sum(moment.operations) for moment in trial.moments)
    assert trial.throughput is None


@each_store
def test_that_trials_after_the_death_of_a_server_say_that_it_is_gone(
    disturbed: Mapping[str, Disturbed], store: str
) -> None:
    outcome = disturbed[store].afterwards.outcome
    assert isinstance(outcome, Failed)
    assert outcome.trace == ""
    assert re.search("start the server|check the endpoint", describe(outcome))


@each_store
def test_that_a_session_keeps_all_trials_of_a_run_whose_server_died(
    disturbed: Mapping[str, Disturbed], store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = disturbed[store]
    with Session.read(found.session) as session:
        (number,) = (one.id for one in session.runs())
        kept = session.trials(number)
    assert [(one.outcome, one.operations, one.errors) for one in kept] == [
        (one.outcome, one.operations, one.errors) for one in found.trials
    ]
    assert main(["show", str(found.session)]) == 0
    told = capsys.readouterr()
    assert re.search(WORDS[store], told.out + told.err)
    assert "Traceback" not in told.out + told.err
