"""Sessions that no run has written: with valid seals, by somebody who knows how they are made.

make(path, UNSOUND["processes 0"])
for name, change in mutations(seed=1, count=40): make(path, change)
"""

from __future__ import annotations

import copy
import functools
import json
import random
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import building
import msgspec

from core.run import Session
from core.run.session import rows
from core.vocabulary import MOST_COUNTED, Histogram, Moment, Series, to_bytes

ESCAPES = "\x1b]0;pwned\x07\x1b[2J\x9b31m\u202e<script>alert(1)</script>"
MEBIBYTE = 1 << 20

type Row = list[Any]
type Change = Callable[[sqlite3.Connection], None]

_SPECS = tuple(
    building.spec(workload="raw", parameters={"block_size": 4096}, threads=threads)
    for threads in (1, 2)
)


def sound(path: Path) -> None:
    """A small session as a run writes it, with all kinds of rows."""
    path.write_bytes(_written())


@functools.cache
def _written() -> bytes:
    """The same for all, as each of its transactions waits for the disk."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sound.sluice"
        plan = building.plan(_SPECS, repeats=2)
        place = _SPECS[0].dataset.location
        with Session.create(path, title="sound") as session:
            run = session.begin_run(
                plan, building.environment(), {place: building.file_system()}, ("sluice", "measure")
            )
            for slot in plan.slots():
                session.append(run, building.trial(slot.spec, index=slot.index, block=slot.block))
            session.end_run(run, "completed")
            session.note("a note", run)
        return path.read_bytes()


def make(path: Path, change: Change) -> Path:
    """A sound session after a change; its seals and tallies are right."""
    path.unlink(missing_ok=True)
    sound(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        change(connection)
        _tally(connection)
    return path


def _tally(connection: sqlite3.Connection) -> None:
    for table in rows.TALLIED:
        (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        rows.replace(connection, "tallies", rows.sealed(table, count))


def columns(table: str, **changes: Any) -> Change:
    """Other values in columns of every row of a table; a callable gets the old one."""

    def change(connection: sqlite3.Connection) -> None:
        found = connection.execute(f"SELECT * FROM {table}")
        names = [one[0] for one in found.description]
        for row in found.fetchall():
            kept = dict(zip(names, row, strict=True))
            for name, value in changes.items():
                kept[name] = value(kept[name]) if callable(value) else value
            kept.pop("seal")
            rows.replace(connection, table, rows.sealed(*kept.values()))

    return change


def body(table: str, edit: Callable[[Any], Any], column: str = "body") -> Change:
    """Another JSON in every row of a table; `edit` changes what was decoded, or gives another."""

    def edited(text: str) -> str:
        told = json.loads(text)
        found = edit(told)
        return json.dumps(told if found is None else found)

    return columns(table, **{column: edited})


def trials(edit: Callable[[Any], Any]) -> Change:
    """Another JSON in every trial; its moments stay."""

    def edited(packed: bytes) -> bytes:
        stream = zlib.decompressobj()
        told = json.loads(stream.decompress(packed))
        found = edit(told)
        whole = found if isinstance(found, bytes) else json.dumps(told).encode()
        return zlib.compress(whole, 9) + stream.unused_data

    return columns("trials", body=edited)


def moments(packed: Callable[[bytes], bytes]) -> Change:
    """Other moments in every trial, packed; the callable gets those that are there."""

    def edited(before: bytes) -> bytes:
        stream = zlib.decompressobj()
        told = stream.decompress(before)
        return zlib.compress(told) + packed(stream.unused_data)

    return columns("trials", body=edited)


def workers(**changes: Any) -> Change:
    """Other numbers of every worker."""

    def edit(trial: Any) -> None:
        for worker in trial["workers"]:
            worker.update(changes)

    return trials(edit)


def updated(**changes: Any) -> Callable[[Any], None]:
    """Sets members of what was decoded."""
    return lambda told: told.update(changes)


def _of_load(**changes: Any) -> Change:
    return body("specs", lambda told: told["load"].update(changes))


def _unpacked_series(edit: Callable[[list[Any]], None]) -> Change:
    """Other parts of a packed series: count, newest, most, pieces."""

    def packed(before: bytes) -> bytes:
        parts = msgspec.msgpack.decode(before)
        edit(parts)
        return msgspec.msgpack.encode(parts)

    return moments(packed)


def _series(times: list[float]) -> Change:
    series = Series(
        Moment(
            at=at, operations=(1,), cpu=(1,), bytes=1, errors=0, wrong=0, p50=1, p99=1,
            reading=None,
        )
        for at in times
    )  # fmt: skip
    return moments(lambda _: series.packed)


def _bomb() -> bytes:
    """64 MiB of zeros, packed into 64 KiB."""
    return zlib.compress(bytes(64 * MEBIBYTE), 9)


def _base64(data: bytes) -> str:
    return json.loads(msgspec.json.encode(data))


def _many_workers(trial: Any) -> None:
    trial["workers"] = trial["workers"][:1] * 100_000


def _bombs(trial: Any, name: str) -> None:
    trial[name] = _base64(_bomb())


def _of_spaces(trial: Any) -> bytes:
    return json.dumps(trial).encode() + b" " * (64 * MEBIBYTE)


UNSOUND: Mapping[str, Change] = {
    "processes 0": _of_load(processes=0),
    "a million threads": _of_load(threads=10**6),
    "16 million workers": _of_load(threads=1024, processes=256),
    "a duration of 10^300 s": _of_load(duration=1e300),
    "a parameter of 400 digits": body("specs", lambda told: told["parameters"].update(x=10**400)),
    "a parameter that is endless": body(
        "specs", lambda told: told["parameters"].update(block_size=1e308)
    ),
    "a billion repeats": body("runs", updated(repeats=10**9), "plan"),
    "repeats below 0": body("runs", updated(repeats=-1), "plan"),
    "a budget of 10^300 s": body("runs", updated(budget=1e300), "plan"),
    "begun before 1970": columns("runs", started=-5.0),
    "begun at the end of time": columns("runs", started=1e308),
    "begun at infinity": columns("runs", started=float("inf")),
    "begun at a word": columns("runs", started="abc"),
    "ended at a word": columns("endings", ended=b"abc"),
    "ended in another way": columns("endings", how=ESCAPES),
    "a note of bytes": columns("notes", text=b"\xff\x00"),
    "a note at the end of time": columns("notes", written=1e300),
    "created never": columns("meta", value=ESCAPES),
    "no core": body("environments", updated(logical_cores=0, affinity_cores=0)),
    "a trillion cores": body("environments", updated(affinity_cores=10**12)),
    "a load average of null": body("environments", updated(load_average=[None, None, None])),
    "a disk of 400 digits": body("file_systems", updated(total_bytes=10**400)),
    "operations below 0": workers(operations=-1, window_operations=-1),
    "more than can be counted": workers(operations=2**63 - 1),
    "10^300 operations": workers(operations=10**300, window_operations=10**300),
    "a throughput of 10^308": workers(window_operations=1e308),
    "workers that ended before they started": workers(started=10**15, ended=5),
    "workers without times of steps": workers(phases=[]),
    "a hundred thousand workers": trials(_many_workers),
    "another index": trials(updated(index=77)),
    "an index of 10^15": columns("trials", position=10**15),
    "a trial at the end of time": trials(updated(started=1e300)),
    "counters of 10^308": trials(updated(counters={"hits": 1e308})),
    "a verification of 10^308 s": trials(updated(verification=1e308)),
    "a name of a megabyte": trials(updated(unit="x" * MEBIBYTE)),
    "a histogram of 64 MiB": trials(lambda trial: _bombs(trial, "histogram")),
    "latencies over time of 64 MiB": trials(lambda trial: _bombs(trial, "latency_map")),
    "a histogram of rubbish": trials(updated(histogram=_base64(b"rubbish"))),
    "a bucket that cannot be counted": trials(
        updated(histogram=_base64(to_bytes(Histogram([5], [MOST_COUNTED + 1]))))
    ),
    "a trial of spaces": trials(_of_spaces),
    "a hundred thousand complaints": trials(
        lambda trial: trial.update(
            complaints=[{"wrong_data": True, "text": "", "count": 1, "first_item": ""}] * 100_000
        )
    ),
    "JSON within JSON": trials(lambda _: b"[" * 100_000),
    "too many moments": _unpacked_series(lambda parts: parts.__setitem__(0, 10**12)),
}
"""Each is refused where it is read."""

UNSOUND_WITHIN: Mapping[str, Change] = {
    "moments that go back": _series([0.0, 2.0, 1.0]),
    "moments at no time": _series([0.0, float("nan"), 2.0]),
    "moments of 64 MiB": _unpacked_series(
        lambda parts: parts.__setitem__(3, [_bomb()] * len(parts[3]))
    ),
    "more moments than there are": _unpacked_series(lambda parts: parts.__setitem__(0, 4)),
    "moments of rubbish": _unpacked_series(
        lambda parts: parts.__setitem__(3, [b"rubbish"] * len(parts[3]))
    ),
    "turns of 64 MiB": trials(lambda trial: _bombs(trial, "slices")),
    "turns of rubbish": trials(updated(slices=_base64(b"rubbish"))),
}
"""Each is refused where what is within a trial is asked for."""

ODD: Mapping[str, Change] = {
    "a title that steers": columns(
        "meta", value=lambda text: text if text[:1].isdigit() else ESCAPES
    ),
    "a plan that steers": body("runs", updated(title=ESCAPES, study=ESCAPES), "plan"),
    "a command that steers": body("runs", lambda _: [ESCAPES, "\n"], "command"),
    "notes that steer": columns("notes", text=f"{ESCAPES}\nrun 7: not true"),
    "a note of a megabyte": columns("notes", text="x" * MEBIBYTE),
    "units that steer": trials(updated(unit=ESCAPES, steps=[ESCAPES])),
    "an outcome that steers": trials(
        updated(outcome={"type": "failed", "stage": ESCAPES, "error": ESCAPES, "message": ESCAPES})
    ),
    "an outcome of a megabyte": trials(
        updated(outcome={"type": "failed", "stage": "x", "error": "x", "message": "y" * MEBIBYTE})
    ),
    "parameters that steer": body(
        "specs", lambda told: told["parameters"].update({ESCAPES: ESCAPES})
    ),
    "a dataset that steers": body("specs", lambda told: told["dataset"].update(location=ESCAPES)),
    "a dataset on no server": body(
        "specs", lambda told: told["dataset"].update(location="file:%%%\x00")
    ),
    "a workload of another module": body("specs", updated(workload="os:abort")),
    "a workload that steers": body("specs", updated(workload=ESCAPES)),
    "a machine that steers": body("environments", updated(cpu_model=ESCAPES, os=ESCAPES)),
    "a published study": body("runs", updated(study="seqrepo-fd-cache"), "plan"),
    "limits that nobody knows": body("runs", updated(terms={"x": 1, "near": "y"}), "plan"),
    "ended before it began": columns("endings", ended=5.0),
    "no trial": lambda connection: connection.execute("DELETE FROM trials") and None,
    "no operation": workers(
        operations=0, items=0, window_operations=0, window=0, started=0, ended=0, timed=0
    ),
    "no time": workers(started=5, ended=5, window=0),
    "quadrillions": workers(operations=2**59, window_operations=2**59, bytes=2**59, items=2**59),
    "no noise": trials(updated(noise={"seconds": 0.0, "cores": 0, "own": -1e30, "steal": 1e30})),
    "turns without time": trials(updated(slices="")),
}
"""Each is read, and shown without harm."""


_VALUES: tuple[Any, ...] = (
    0, -1, 1, 2**63, -(2**63), 10**40, 1e308, -1e308, 1e-320, None, True, "", "x", ESCAPES, "x" * 10_000,
    [], {}, [None], [0] * 1000, {"a": 1}, "2020-01-01", "\ud800", "NaN",
)  # fmt: skip


def mutations(seed: int, count: int) -> Iterator[tuple[str, Change]]:
    """Random changes somewhere in the JSON of some rows, or in a column, each with a name."""
    for number in range(count):
        drawn = random.Random(f"{seed} {number}")
        kind = drawn.choice(("specs", "environments", "file_systems", "plan", "trials", "column"))
        yield f"{kind} {seed}/{number}", _mutation(kind, drawn)


def _mutation(kind: str, drawn: random.Random) -> Change:
    times = drawn.choice((1, 1, 2, 5))
    chosen = [(drawn.random(), drawn.choice(_VALUES)) for _ in range(times)]

    def edit(told: Any) -> None:
        for share, value in chosen:
            _replace(told, share, value)

    match kind:
        case "trials":
            return trials(edit)
        case "plan":
            return body("runs", edit, "plan")
        case "column":
            return _column(drawn)
        case _:
            return body(kind, edit)


def _column(drawn: random.Random) -> Change:
    table = drawn.choice(("runs", "run_specs", "trials", "endings", "notes", "meta"))
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(rows_schema())
        names = [row[1] for row in fresh.execute(f"PRAGMA table_info({table})")]
    name = drawn.choice([one for one in names if one not in ("seal", "key")])
    value = drawn.choice([one for one in _VALUES if isinstance(one, str | float) or _fits(one)])

    def change(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA foreign_keys = OFF")
        columns(table, **{name: storable(value)})(connection)

    return _tolerant(change)


def storable(value: Any) -> Any:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _fits(value: Any) -> bool:
    return value is None or (isinstance(value, int) and -(2**63) <= value < 2**63)


def _tolerant(change: Change) -> Change:
    """The change, as far as SQLite takes it."""

    def tried(connection: sqlite3.Connection) -> None:
        try:
            change(connection)
        except sqlite3.Error:
            columns("notes", text=ESCAPES)(connection)

    return tried


def rows_schema() -> str:
    from core.run.session.schema import TABLES

    return TABLES


def _replace(told: Any, share: float, value: Any) -> None:
    """Put a value in place of one of those within, chosen by a share of their number."""
    places = list(_places(told))
    if places:
        owner, key = places[int(share * len(places))]
        owner[key] = copy.deepcopy(value)  # or what is put into itself has no end


def _places(told: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(told, dict):
        for key, part in told.items():
            yield told, key
            yield from _places(part)
    elif isinstance(told, list):
        for at, part in enumerate(told):
            yield told, at
            yield from _places(part)
