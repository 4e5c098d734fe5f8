"""Is a bottleneck that is known named rightly, or told not to be known, beside 0, 2 and 6 loops?

    PYTHONPATH=.:tests:tests/core/judge .venv/bin/python tests/benchmarks/bench_known_causes.py
        [--busy 0,2,6] [--only WORD]

Twenty causes: the rigs of `tests/core/judge/test_rigged_bottlenecks.py`, and programs.  Each is
measured with four threads, with one, and rigs with four processes, too.  A cause that is not among
the right ones is wrong, however sure it is told.  Printed are a row for each and the counts.  Exit
code 1 where any is wrong.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import rigged_bottlenecks
from changing_load import BUSY_LOOP, end
from test_rigged_bottlenecks import RIGS, SERVERS, measured

from core.judge import diagnose
from core.measure import Cancel, describe_environment
from core.run.engine import run
from core.vocabulary import (
    Cause,
    Dataset,
    Diagnosis,
    Plan,
    Result,
    TrialEnded,
    collect,
    open_dataset,
    specify,
)

_HASH = "hashlib.sha256(bytes(1 << 20))"
_THREADS = """
import hashlib, sys, threading
count, lock = int(sys.argv[1]), threading.Lock()
threads = [threading.Thread(target=work) for _ in range(count)]
for one in threads: one.start()
for one in threads: one.join()
"""
_SCRIPTS = {
    "one": f"import hashlib\nfor _ in range(150): {_HASH}",
    "all": f"def work():\n  for _ in range(200 // count): {_HASH}\n{_THREADS}",
    "locked": f"def work():\n  for _ in range(200 // count):\n    with lock: {_HASH}\n{_THREADS}",
    "end": "import hashlib, sys\nwhile block := sys.stdin.buffer.read(1 << 16):\n"
    "  for _ in range(9): hashlib.sha256(block)",
    "start": "import hashlib, sys\nfor _ in range(300):\n"
    "  for _ in range(9): hashlib.sha256(bytes(1 << 16))\n"
    "  sys.stdout.buffer.write(bytes(1 << 16))",
}
_PIPE = (Cause.PIPE, Cause.CPU)
PROGRAMS: Mapping[str, tuple[str, tuple[Cause, ...], Mapping[str, object]]] = {
    "a program that sleeps": ("sleep 0.3", (), {}),
    "a program that always uses one thread": (
        "{python} {folder}/one",
        (Cause.SERIAL, Cause.CPU),
        {},
    ),
    "a program that uses all its threads": ("{python} {folder}/all {{threads}}", (Cause.CPU,), {}),
    "a program whose threads share a lock": (
        "{python} {folder}/locked {{threads}}",
        (Cause.SERIAL,),
        {},
    ),
    "a pipe whose end is slow": (
        "head -c 20000000 {{dataset}} | {python} {folder}/end",
        _PIPE,
        {"shell": True},
    ),
    "a pipe whose start is slow": ("{python} {folder}/start | cat", _PIPE, {"shell": True}),
    "a program that reads from the disk": (
        "dd if={{dataset}} of=/dev/null bs=4096 count=20000 iflag=direct status=none",
        (Cause.DEVICE,),
        {},
    ),
}
"""By name: the line, what may be said beside "cannot be told", and further values."""


@contextmanager
def beside(loops: int) -> Iterator[None]:
    running = [subprocess.Popen([sys.executable, "-c", BUSY_LOOP]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in running:
            end(one)


def of_program(name: str, dataset: Dataset) -> list[Result]:
    line, _, values = PROGRAMS[name]
    line = line.format(python=f"{sys.executable} -S", folder=dataset.path.parent)
    load = {"duration": 1.5, "warm_up": 0.0, "deadline": 120.0, **values}
    specs = [specify("command", dataset, {"run": line, "threads": n} | load) for n in (4, 1)]
    events = run(Plan(title=name, specs=tuple(specs)), Cancel())
    trials = [event.trial for event in events if isinstance(event, TrialEnded)]
    return collect(specs, trials, describe_environment(), {})


def of_rig(name: str, dataset: Dataset) -> list[Result]:
    if name not in SERVERS:
        return measured(RIGS[name], dataset)
    with rigged_bottlenecks.serving(**SERVERS[name]) as url:
        return measured(RIGS[name], Dataset(kind="files", location=url, fingerprint="00" * 16))


def judged(results: Sequence[Result], right: Sequence[Cause]) -> tuple[str, Diagnosis]:
    told = diagnose(results[0], results)
    if told.cause is Cause.UNKNOWN:
        return "cannot be told", told
    return ("right" if told.cause in right else "WRONG"), told


def main() -> int:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--busy", default="0,2,6")
    asking.add_argument("--only", default="")
    asked = asking.parse_args()
    causes: dict[str, tuple[Callable[[str, Dataset], list[Result]], Sequence[Cause]]] = {
        **{name: (of_rig, rig.right) for name, rig in RIGS.items()},
        **{name: (of_program, right) for name, (_, right, _) in PROGRAMS.items()},
    }
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "data.bin")
        file.write_bytes(random.Random(1).randbytes(1 << 20) * 192)
        for name, code in _SCRIPTS.items():
            Path(folder, name).write_text(code)
        dataset = open_dataset(file)
        for loops in map(int, asked.busy.split(",")):
            with beside(loops):
                for name, (measure, right) in causes.items():
                    if asked.only not in name:
                        continue
                    verdict, told = judged(measure(name, dataset), right)
                    wrong += verdict == "WRONG"
                    print(f"{loops} loops | {name} | {verdict} | {told.sentence}", flush=True)
    print(f"{wrong} wrong of {len(causes)} causes")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
