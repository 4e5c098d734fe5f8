"""A real Dask cluster for a test, and trials on its nodes.

Scheduler and workers are each a process with its own folders.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psutil
from patience import PATIENCE, until
from running import Rig

from core.measure import Cancel, ClusterTrial, Connection
from core.vocabulary import (
    Dataset,
    MomentTaken,
    PhaseChanged,
    RunSpec,
    Slot,
    Trial,
    TrialEnded,
    TrialEvent,
)

_ROOT = Path(__file__).parents[4]


class DaskProcesses:
    """Its processes by name: `scheduler`, `worker 0`, …; a context, at whose end all are gone."""

    def __init__(self, folder: Path, *security: str) -> None:
        """`security`: flags that scheduler and workers have besides."""
        self._folder = folder
        self._security = security
        self.address = ""
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        shown = self._folder / "scheduler.json"
        self._start("scheduler", "dask_scheduler", "--port=0", f"--scheduler-file={shown}")

        def is_there() -> bool:
            with suppress(OSError, ValueError):  # not there, or half written
                self.address = json.loads(shown.read_text("utf-8"))["address"]
            return bool(self.address)

        until(is_there)
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes.values()):
            family = _family(process.pid)
            for one in family:
                with suppress(psutil.NoSuchProcess):
                    one.kill()
            process.wait(PATIENCE)
            psutil.wait_procs(family, PATIENCE)

    def worker(self, *flags: str, before: Sequence[str] = ()) -> str:
        """Start one more worker, which finds modules `before` elsewhere; returns its name."""
        name = f"worker {len(self.processes) - 1}"
        usual = ("--nthreads=1", "--no-dashboard", "--memory-limit=0", f"--name={name}")
        self._start(
            name,
            "dask_worker",
            self.address,
            *usual,
            *(flags or ("--no-nanny",)),
            before=before,
        )
        return name

    def _start(self, name: str, command: str, *flags: str, before: Sequence[str] = ()) -> None:
        folder = self._folder / name.replace(" ", "-")
        folder.mkdir(parents=True)
        with (folder / "output.txt").open("wb") as output:
            self.processes[name] = subprocess.Popen(
                [
                    *(sys.executable, "-m", f"distributed.cli.{command}"),
                    *("--host=127.0.0.1", *self._security, *flags),
                ],
                cwd=folder,
                env=_bare(before) | {"HOME": str(folder)},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def children_of(self, name: str) -> list[psutil.Process]:
        """What a worker has started."""
        return psutil.Process(self.processes[name].pid).children(recursive=True)

    def address_of(self, name: str) -> str:
        """Where a worker that has come once listens, or has listened."""
        output = (self._folder / name.replace(" ", "-") / "output.txt").read_text()
        (found,) = re.findall(r"Start worker at: +(\S+)", output)
        return found

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send it a signal; not to what it has started."""
        self.processes[name].send_signal(number)


def _bare(before: Sequence[str]) -> dict[str, str]:
    """Nothing that says where the user's own folders are."""
    kept = ("PATH", "LANG", "TMPDIR")
    bare = {name: os.environ[name] for name in kept if name in os.environ}
    places = (*before, str(_ROOT), str(_ROOT / "tests" / "faults"))
    return bare | {"PYTHONPATH": os.pathsep.join(places)}


def _family(pid: int) -> list[psutil.Process]:
    try:
        parent = psutil.Process(pid)
        return [*parent.children(recursive=True), parent]
    except psutil.NoSuchProcess:
        return []


type Heed = Callable[[TrialEvent], None]


@dataclass
class Far:
    """Makes specs of the rigged workload, and runs them on a cluster."""

    connection: Connection
    data: Dataset

    def spec(self, **wishes: Any) -> RunSpec:
        return Rig(self.data).spec(**wishes)

    def run(
        self, spec: RunSpec, heed: Heed = lambda _: None, cancel: Cancel | None = None
    ) -> Trial:
        """The trial; `heed` gets every event before."""
        return self.run_with_nodes(spec, heed, cancel)[1]

    def run_with_nodes(
        self, spec: RunSpec, heed: Heed = lambda _: None, cancel: Cancel | None = None
    ) -> tuple[ClusterTrial, Trial]:
        """Also how it came about."""
        far = ClusterTrial(self.connection, Slot(0, 0, spec), "a-run", cancel or Cancel())
        trials = []
        for event in far.run():
            heed(event)
            if isinstance(event, TrialEnded):
                trials.append(event.trial)
        (trial,) = trials
        return far, trial


def once(stage: str, act: Callable[[], object]) -> Heed:
    """Does something when a trial is in that stage; when it measures, once that was seen."""
    done: list[bool] = []

    def heed(event: TrialEvent) -> None:
        measured = stage == "measuring" and isinstance(event, MomentTaken)
        told = isinstance(event, PhaseChanged) and event.phase == stage != "measuring"
        if (measured or told) and not done:
            done.append(True)
            act()

    return heed
