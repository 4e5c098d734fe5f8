"""Sessions with an unfinished run that somebody else has made, each with a way in for a program.

for name, specs, command in ways_in(tmp_path): write(path, specs, command)
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import building
import hostile_sessions
from hostile_sessions import Change

from core.catalog.dataset import Dataset
from core.catalog.parameters import Value
from core.plan.spec import RunSpec
from core.session import Session

MODULE = "sent_along"
"""Imported only if something runs; it marks that it was."""

type Way = tuple[str, Sequence[RunSpec], Sequence[str]]


def ways_in(folder: Path, mark: Path) -> Iterator[Way]:
    """A name, specs and the command; `mark`: what appears if any of it runs.

    `folder` has the module, which can be found where `folder` is on Python's path.
    """
    touch = f"/usr/bin/touch {mark}"
    (folder / f"{MODULE}.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    data = folder / "sent data"
    data.mkdir()
    (data / "one.bin").write_bytes(bytes(1000))
    for name, parameters in _of_command(folder, touch).items():
        yield name, _specs("command", parameters, data), ("sluice",)
    harmless: dict[str, Value] = {"run": "true"}
    yield "module", _specs(f"{MODULE}:Reader", {"pace": 1}, data), ("sluice",)
    path = ("sluice", "--path", str(folder), "run", f"{MODULE}:Reader")
    yield "--path", _specs(f"{MODULE}:Reader", {}, data), path
    yield "module in a package", _specs(f"{MODULE}.inner:Reader", {}, data), ("sluice",)
    cluster = ("sluice", "run", "command", "--cluster", "tcp://192.0.2.1:8786")
    yield "cluster", _specs("command", harmless, data), cluster
    yield (
        "cluster=",
        _specs("raw", {"block_size": 4096}, data),
        (cluster[3] + "=tcp://192.0.2.1:1",),
    )
    yield "dataset elsewhere", _specs("command", {"run": f"{touch} {{dataset}}"}, Path("/etc")), ()
    yield "dataset that is gone", _specs("command", {"run": touch}, folder / "no"), ()
    yield "dataset on a server", _specs("command", {"run": touch}, "s3://192.0.2.1/x"), ()
    yield "dataset of no name", _specs("command", {"run": touch}, "file://[\0"), ()
    yield "study", _specs("command", {"run": touch}, data), ("sluice", "study", "commands-here")


def _of_command(folder: Path, touch: str) -> dict[str, dict[str, Value]]:
    return {
        "program": {"run": touch},
        "shell": {"run": f"true; {touch}", "shell": True},
        "prepare": {"run": "true", "prepare": touch},
        "check": {"run": "true", "check": touch},
        "conclude": {"run": "true", "conclude": touch},
        "normalise": {"run": "true {out}", "normalise": touch, "same": "files"},
        "version": {"run": touch, "version_by": str(folder / "version")},
        "output folder": {"run": f"{touch} {{out}}", "folder": str(folder)},
        "secret": {"run": touch, "secrets": "env:AWS_SECRET_ACCESS_KEY"},
        "own value": {"run": "env {what}", "what": touch},
        "steering": {"run": f"true \x1b]0;x\x07\u202e{touch}", "prepare": "\r\n" * 400},
        "100,000 letters": {"run": f"true {'x' * 100_000} ; {touch}", "prepare": "y" * 5_000},
    }


def _specs(
    workload: str, parameters: dict[str, Value], place: Path | str, settings: int = 2
) -> tuple[RunSpec, ...]:
    data = Dataset(kind="files", location=str(place), fingerprint="00ff" * 8)
    return tuple(
        building.spec(
            workload,
            parameters=parameters,
            data=data,
            threads=threads + 1,
            duration=0.05,
            warm_up=0.0,
        )
        for threads in range(settings)
    )


def write(
    path: Path, specs: Sequence[RunSpec], command: Sequence[str], *, whole: bool = False
) -> Path:
    """A session whose run has its first block, of three; all of them if it is `whole`."""
    plan = building.plan(specs, repeats=3)
    with Session.create(path, title="sent") as session:
        run = session.begin_run(plan, building.environment(), {}, command)
        for slot in plan.slots():
            if whole or slot.block == 0:
                rate = 1000.0 + 10 * slot.index
                session.append(
                    run, building.trial(slot.spec, index=slot.index, block=slot.block, rate=rate)
                )
    return path


def changed(path: Path, change: Change) -> Path:
    """The same file after a change to its rows, with right seals."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        change(connection)
    return path


def one_byte(table: str, column: str, old: str, new: str) -> Change:
    """Another byte in a column of every row of a table."""
    assert sum(a != b for a, b in zip(old, new, strict=True)) == 1

    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return hostile_sessions.columns(table, **{column: edit})
