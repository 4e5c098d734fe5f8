"""Reads data of each kind, a session and an import, while reads of one of their files fail.

Arguments: the library that is preloaded, and a folder to work in.  Prints a line of JSON for each
failure that a person would hear of: what was done, the file, the number of the read that failed,
and what is told.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import hostile_sessions
from driving import open_job, performed, small

from core.language import SluiceError
from core.measure import Inspection, make_dataset
from core.run import Session
from core.tell.exchange.imported import read
from core.vocabulary import registry

AT = (1, 2, 3, 5, 9, 30)
MOST_FILES = 4
MOST_ITEMS = 3

type Doing = tuple[str, Path, Callable[[], object]]
"""What is done, a file that it reads, and how it is done."""


def doings(folder: Path) -> Iterator[Doing]:
    """All that a user does with files."""
    for kind in registry.dataset_kinds():
        shape = registry.dataset_kind(kind).shape
        if shape is None:
            continue
        try:
            path = make_dataset(kind, small(shape), folder / kind).path
        except SluiceError as error:
            print(f"left out: {kind}: {error}", file=sys.stderr)
            continue
        names = registry.workloads()
        readers = [n for n in names if kind in registry.load_workload(n).dataset_kinds]
        for file in registry.dataset_kind(kind).files(path)[:MOST_FILES]:
            yield f"look at {kind}", file, partial(Inspection.of, path)
            for name in ("raw", *readers):
                yield f"look at {kind} for {name}", file, partial(Inspection.of, path, name)
                yield f"run {name} on {kind}", file, partial(open_and_run, name, path)
    session = folder / "some.sluice"
    hostile_sessions.sound(session)
    yield "read a session", session, partial(read_session, session)
    export = folder / "export.json"
    export.write_text('{"results": []}', "utf-8")
    yield "import", export, partial(read, export)


def open_and_run(name: str, path: Path) -> None:
    """Open a job and perform some items; what fails in one is told with what the item is called."""
    job = open_job(name, path)
    try:
        with job.worker(0) as steps:
            for item in list(job.items)[:MOST_ITEMS]:
                try:
                    performed(steps, item)
                except Exception as error:
                    error.add_note(job.describe(item))
                    raise
    finally:
        job.close()


def read_session(path: Path) -> None:
    """All that a view of a session reads."""
    with Session.read(path) as session:
        for run in session.runs():
            session.results(run.id)


def told(error: BaseException) -> str:
    """The words of an error, and of the item that it is about."""
    return " ".join((str(error), *getattr(error, "__notes__", ())))


def main(library: str, folder: Path) -> None:
    """Let reads fail, later and later, until all succeed."""
    shim = ctypes.CDLL(library)
    for number, (doing, file, do) in enumerate(doings(folder)):
        for at in AT:
            # What is kept from before would not be read again.
            os.environ["SLUICE_CACHE"] = str(folder / "caches" / f"{number}-{at}")
            shim.let_reads_fail(os.fsencode(file.resolve()), at)
            said = ""
            try:
                do()
            except Exception as error:  # noqa: BLE001 -- whatever it is, a person hears of it
                said = told(error)
            failed = shim.have_failed()
            shim.let_reads_fail(b"", 0)
            if not failed:
                break
            if said:
                line = {"doing": doing, "file": str(file), "at": at, "said": said}
                print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
