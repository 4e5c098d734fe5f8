"""Sessions that somebody else has made, each with a way in for a program.

for name, specs, command in ways_in(tmp_path, mark): write(path, specs, command)
for name, path, whole in hostile(tmp_path, mark): open(path)
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

import building
import hostile_sessions
from hostile_sessions import Change

from core.run import Session
from core.run.session.plan_trust import trust
from core.vocabulary import AnyFiles, Dataset, RunSpec, Value

MODULE = "sent_along"
"""Imported only if something runs; it marks that it was."""

DATA = "sent data"

SERVER = "192.0.2.1:8786"  # of nobody, RFC 5737

type Way = tuple[str, Sequence[RunSpec], Sequence[str]]


def ways_in(folder: Path, mark: Path, server: str = SERVER) -> Iterator[Way]:
    """A name, specs and the command; `mark`: what appears if any of it runs.

    `server` is asked by those that ask one.  `folder` has the module, which can be found where
    `folder` is on Python's path.
    """
    touch = f"/usr/bin/touch {mark}"
    (folder / f"{MODULE}.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    (folder / DATA).mkdir()
    (folder / DATA / "one.bin").write_bytes(bytes(1000))
    data = AnyFiles().open(folder / DATA)
    for name, parameters in _of_command(folder, touch).items():
        yield name, _specs("command", parameters, data), ("sluice",)
    harmless: dict[str, Value] = {"run": "true"}
    yield "module", _specs(f"{MODULE}:Reader", {"pace": 1}, data), ("sluice",)
    path = ("sluice", "--path", str(folder), "measure", f"{MODULE}:Reader")
    yield "--path", _specs(f"{MODULE}:Reader", {}, data), path
    yield "module in a package", _specs(f"{MODULE}.inner:Reader", {}, data), ("sluice",)
    cluster = ("sluice", "measure", "command", "--cluster", f"tcp://{server}")
    yield "cluster", _specs("command", harmless, data), cluster
    yield (
        "cluster=",
        _specs("raw", {"block_size": 4096}, data),
        (f"{cluster[3]}=tcp://{server}",),
    )
    stores: dict[str, Value] = {"address": f"s3://bucket/x?endpoint=http://{server}"}
    yield "server", _specs("tiles", {"store": "s3", **stores}, data), ()
    yield "jars", _specs("tiles", {"store": "accumulo", "jars": str(folder / "sent.jar")}, data), ()
    keys: dict[str, Value] = {"access_key": "env:HOME", "secret_key": "keyring:sluice/token"}
    yield (
        "secrets for a server",
        _specs("transfer", {"client": "boto3", **stores, **keys}, data),
        (),
    )
    token: dict[str, Value] = {"address": f"synapse://{server}/syn1", "token": "env:HOME"}
    yield "token for a server", _specs("transfer", {"client": "synapse-sync", **token}, data), ()
    yield "dataset elsewhere", _specs("command", {"run": f"{touch} {{dataset}}"}, Path("/etc")), ()
    yield "dataset that is gone", _specs("command", {"run": touch}, folder / "no"), ()
    yield "dataset of the whole disk", _specs("command", {"run": touch}, Path("/")), ()
    yield "dataset on a server", _specs("command", {"run": touch}, f"s3://{server}/x"), ()
    yield "dataset of no name", _specs("command", {"run": touch}, "file://[\0"), ()
    yield "study", _specs("command", {"run": touch}, data), ("sluice", "study", "commands-here")


TRUSTED_BUT_FOR = {
    "a byte of the plan": ("runs", "plan", '"title":"sent"', '"title":"sens"'),
    "a byte of the command": ("runs", "command", '"sluice"', '"sluics"'),
    "a byte of a program": ("specs", "body", '"run":"/usr/bin/touch', '"run":"/usr/bin/tough'),
    "a byte of the data": ("specs", "body", "sent data", "sent date"),
}


class Hostile(NamedTuple):
    """A session of somebody else's."""

    name: str
    path: Path
    whole: bool
    """Whether nothing of it remains to be measured."""


def hostile(folder: Path, mark: Path, server: str = SERVER) -> Iterator[Hostile]:
    """Each way in, unfinished and whole; plans that were trusted here or elsewhere among them."""
    ways = list(ways_in(folder, mark, server))
    data = AnyFiles().open(folder / DATA)
    # Each of a plan of its own: what is trusted once is trusted in every session.
    here, there = (
        (_specs("command", {"run": f"/usr/bin/touch {mark}", "prepare": word}, data), ("sluice",))
        for word in ("true", "false")
    )
    numbers = count()
    for whole in (False, True):
        for name, *asked in ways:
            yield Hostile(
                name, write(folder / f"{next(numbers)}.sluice", *asked, whole=whole), whole
            )
        for name, change in TRUSTED_BUT_FOR.items():
            path = write(folder / f"{next(numbers)}.sluice", *here, whole=whole)
            trust_in(path)
            yield Hostile(name, changed(path, one_byte(*change)), whole)
        path = write(folder / f"{next(numbers)}.sluice", *there, whole=whole)
        with _home(folder / "home of the sender"):
            trust_in(path)
        yield Hostile("a copy from another home", path, whole)


def trust_in(path: Path) -> None:
    """The user of this home has begun all that is in a session."""
    with Session.read(path) as session:
        for run in session.runs():
            trust(run)


@contextmanager
def _home(place: Path) -> Iterator[None]:
    before = os.environ["SLUICE_STATE"]
    os.environ["SLUICE_STATE"] = str(place)
    yield
    os.environ["SLUICE_STATE"] = before


def trials_in(path: Path) -> list[int]:
    """How many trials each run of a session has."""
    with Session.read(path) as session:
        return [run.trials for run in session.runs()]


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
    workload: str,
    parameters: dict[str, Value],
    place: Path | str | Dataset,
    settings: int = 2,
) -> tuple[RunSpec, ...]:
    data = (
        place
        if isinstance(place, Dataset)
        else Dataset(kind="files", location=str(place), fingerprint="00ff" * 8)
    )
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
    plan = building.plan(specs, repeats=3, title="sent")
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
