"""What is said of a store that is paused, stopped, or refuses in the middle of a trial?

    PYTHONPATH=.:tests:tests/workloads .venv/bin/python tests/benchmarks/bench_failing_stores.py
        [--stores s3,cassandra,hdfs] [--faults paused,stopped,"wrong keys",refusing] [--seconds 10]

On real servers of a lab that ends with it, one trial of each store reads and one writes, with each
fault: the server is paused for the last part of the trial but a second, or killed, a third of the
way; the secret is a wrong one from the start; or a proxy answers six in ten requests with 503, in
S3 only.  A row has what the command says last, how many errors there were, how long it all took,
and what it left on the list of leftovers.

Exits with 1 where a trial took longer than its deadline, or made more than a thousand errors.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faulty_proxy import Act, faulty

from core.judge import diagnose_all
from core.lab.keeper_messages import Started
from core.lab.lab_client import Lab, throw_away_lab
from core.lab.lab_folder import ServerState
from core.language import report_to_nobody
from core.measure import leftovers
from core.run import Session
from core.tell.card_text import sum_up
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.stores import BY_NAME

FAULTS = ("paused", "stopped", "wrong keys", "refusing")
THREADS, REFUSED, MOST_ERRORS = 4, 0.6, 1000
DEADLINE = 60.0
"""Of a trial, in seconds; to start and to end takes some more."""
_AROUND = 30.0


@dataclass(frozen=True, kw_only=True)
class Row:
    store: str
    direction: str
    fault: str
    seconds: float
    errors: int
    left: int
    sentence: str

    @property
    def passed(self) -> bool:
        return self.seconds < DEADLINE + _AROUND and self.errors < MOST_ERRORS

    def __str__(self) -> str:
        figures = f"{self.seconds:.0f} s", f"{self.errors:,}", str(self.left)
        return " | ".join((self.store, self.direction, self.fault, *figures, self.sentence))


def started(lab: Lab, store: str) -> ServerState:
    lab.prepare([store])
    (one,) = (one for one in lab.start([store], deadline=300.0) if isinstance(one, Started))
    return one.server


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "core", *words]


def measured(server: ServerState, direction: str, fault: str, asked: argparse.Namespace) -> Row:
    login = dict(BY_NAME[server.name].login or {})
    if fault == "wrong keys":
        login |= {name: "env:WRONG" for name in ("secret_key", "password") if name in login}
    values = {"store": server.name, "direction": direction, **login}
    session = asked.folder / f"{server.name} {direction} {fault}.sluice"
    with _address(server, fault) as address:
        begun = time.monotonic()
        words = [*_words({**values, "address": address}, asked), "--session", str(session)]
        _run(words, server, fault, asked.seconds)
        seconds = time.monotonic() - begun
    with Session.read(session) as opened:
        results = opened.results(opened.runs()[-1].id)
    headline, diagnosis = sum_up(results, len(results)), diagnose_all(results)
    said = (headline.text, headline.detail, diagnosis.sentence if diagnosis else "")
    return Row(
        store=server.name,
        direction=direction,
        fault=fault,
        seconds=seconds,
        errors=sum(trial.errors for result in results for trial in result.trials),
        left=len(leftovers()),
        sentence=" ".join(filter(None, said)),
    )


@contextmanager
def _address(server: ServerState, fault: str) -> Iterator[str]:
    if fault != "refusing":
        yield server.address
        return
    port = server.address.rpartition(":")[2]
    chance = random.Random(1)

    def act(number: int) -> Act:
        return "refuse" if chance.random() < REFUSED else "pass"

    with faulty(int(port), act) as puts, faulty(puts, act, method=b"GET") as both:
        yield server.address.replace(port, str(both))


def _words(values: dict[str, Any], asked: argparse.Namespace) -> list[str]:
    flags = [word for name, value in values.items() for word in (_flag(name), str(value))]
    load = {
        "threads": THREADS,
        "duration": asked.seconds,
        "deadline": DEADLINE,
        "dataset": asked.layer,
        "repeats": 1,
    }
    load_flags = [word for name, value in load.items() for word in (_flag(name), str(value))]
    return command("measure", "tiles", "--depth", "fetch", "--json", *flags, *load_flags)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _run(words: list[str], server: ServerState, fault: str, seconds: float) -> None:
    """Measure, and do it to the server a third of the way."""
    groups = list(server.processes.values())
    timer = threading.Timer(0.6 * seconds, _signal, (groups, signal.SIGCONT))
    done = False
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            moment = json.loads(line).get("moment")
            if not moment or moment["at"] < seconds / 3 or done:
                continue
            done = True
            if fault == "paused":
                _signal(groups, signal.SIGSTOP)
                timer.start()
            elif fault == "stopped":
                _signal(groups, signal.SIGKILL)
    if timer.is_alive():
        timer.join()


def _signal(groups: list[int], number: signal.Signals) -> None:
    for group in groups:
        os.killpg(group, number)


def main() -> int:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--stores", default="s3,cassandra,hdfs")
    asking.add_argument("--directions", default="read,write")
    asking.add_argument("--faults", default=",".join(FAULTS))
    asking.add_argument("--seconds", type=float, default=10.0)
    asked = asking.parse_args()
    passed = True
    with tempfile.TemporaryDirectory() as named, throw_away_lab(Path(named) / "lab") as lab:
        folder = Path(named)
        os.environ |= {
            "SLUICE_LAB": str(folder / "lab"),
            "SLUICE_STATE": str(folder / "state"),
            "WRONG": "none-of-theirs",
        }
        asked.layer, asked.folder = folder / "layer", folder
        asked.layer.mkdir()
        shape = LayerShape(columns=16, rows=16, tile_size=64)
        make_layer(shape, asked.layer, report_to_nobody)
        print("store | direction | fault | took | errors | left | what is said")
        for store in asked.stores.split(","):
            for fault in asked.faults.split(","):
                if not _applies(store, fault):
                    continue
                for direction in asked.directions.split(","):
                    row = measured(started(lab, store), direction, fault, asked)
                    print(row, flush=True)
                    passed = passed and row.passed
            lab.stop([store])
    return 0 if passed else 1


def _applies(store: str, fault: str) -> bool:
    """HDFS has no keys, and only requests of HTTP can be refused one by one."""
    return store == "s3" or (fault != "refusing" and (store, fault) != ("hdfs", "wrong keys"))


if __name__ == "__main__":
    sys.exit(main())
