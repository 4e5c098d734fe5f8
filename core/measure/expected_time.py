"""Forecasts before the first trial: how long trials take, and their likely problems.

A trial takes as long as the same took here before, or else as its spec says.  It has three parts:
it gets ready, is measured, and ends.  Each run keeps these times for the next one (`remember`), by
the setting and its load, but not by how long it was measured: that may change from run to run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from core.language import Seconds, SluiceError, show_count, tr
from core.measure.machine.descriptors import descriptor_limit
from core.measure.machine.file_system import describe_file_system, effects
from core.measure.machine.folders import make_private, state_folder
from core.measure.machine.page_cache import not_on_disk
from core.measure.machine.shared_files import put_in_place
from core.measure.plain_reads import files_of, without_bare_files
from core.vocabulary import (
    BESIDE_THE_POINT,
    Integer,
    Load,
    RunSpec,
    Timing,
    declared,
    digest_of,
    named,
    parts_of,
    values_of,
)

if TYPE_CHECKING:
    from core.vocabulary import Plan, Value


_RUN_INS = 1.5
"""Working time of several workers per measured time, where settings take turns of 0.1 s: each turn
has a run-in of 0.05 s."""
_MOST = 2000
"""Settings whose timings are kept."""
_NOT_ASKED = BESIDE_THE_POINT | {"duration", "warm_up"}


class Experience:
    """How long trials took on this machine before."""

    def __init__(self, timings: Mapping[str, Timing]) -> None:
        self.timings = timings

    def timing(self, spec: RunSpec, *, together: bool) -> Timing:
        """The timing of the same setting, else of its work, else of its workload.

        `together`: whether it takes turns with others.
        """
        same, work, workload = _keys(spec, together=together)
        if (timing := self.timings.get(same)) is not None:
            return timing
        stretch = _RUN_INS if together and spec.load.workers > 1 else 1.0
        if (timing := self.timings.get(work)) is not None:
            return msgspec.structs.replace(timing, stretch=max(stretch, timing.stretch))
        timing = self.timings.get(workload, Timing())
        return Timing(timing.ready, stretch, timing.ending)


def _keys(spec: RunSpec, *, together: bool) -> tuple[str, str, str]:
    load = {name: value for name, value in values_of(spec.load).items() if name not in _NOT_ASKED}
    work = (spec.workload, spec.parameters, spec.dataset.fingerprint or spec.dataset.location)
    every = ((*work, load, together), (*work, together), (spec.workload, together))
    return tuple(map(digest_of, every))  # type: ignore[return-value]


def experience() -> Experience:
    """The timings that are kept; none where they cannot be read."""
    with suppress(OSError, SluiceError):
        file = _file()
        return Experience(_read(file, file.stat().st_mtime_ns))
    return Experience({})


@lru_cache(maxsize=1)
def _read(file: Path, changed: int) -> Mapping[str, Timing]:
    """`changed`: the time of the last change, for the cache."""
    with suppress(OSError, msgspec.MsgspecError):
        return _TIMINGS.decode(file.read_bytes())
    return {}


def _file() -> Path:
    return state_folder() / "timings.json"


def remember(measured: Sequence[tuple[RunSpec, Timing]], *, together: bool) -> None:
    """Keep how long trials took; where nothing can be written, nothing is kept."""
    timings = dict(experience().timings)
    for spec, timing in measured:
        for key in reversed(_keys(spec, together=together)):
            timings.pop(key, None)  # the newest last
            timings[key] = timing
    with suppress(OSError, SluiceError):
        file = _file()
        make_private(file.parent)
        with put_in_place(file, overwrite=True) as new:
            new.write_bytes(msgspec.json.encode(dict(list(timings.items())[-_MOST:])))


def are_together(specs: Sequence[RunSpec], turns: str) -> bool:
    """Whether these are expected to take turns."""
    return turns != "off" and len(specs) > 1


def timings_of(specs: Sequence[RunSpec], turns: str) -> list[Timing]:
    """How long a trial of each of these is expected to take."""
    earlier, together = experience(), are_together(specs, turns)
    return [earlier.timing(spec, together=together) for spec in specs]


def seconds_of(specs: Sequence[RunSpec], turns: str = "auto") -> Seconds:
    """Expected time of one trial of each of these."""
    timings = timings_of(specs, turns)
    return sum(parts_of(*one).whole for one in zip(specs, timings, strict=True))


def seconds_of_plan(plan: Plan) -> Seconds:
    """Expected time of all trials; with a budget all of it. Some may not be needed."""
    return plan.budget or plan.repeats * seconds_of(plan.specs, plan.turns)


_OF_EVERY_CHILD = 24
"""Descriptors of every child: those of Python, of its pipes and of its libraries."""


def foreseen(specs: Sequence[RunSpec], limit: int | None = None) -> tuple[str, ...]:
    """Sentences about a shortage for these specs: of descriptors.

    `limit`: how many a process may have; None = as many as this one.
    """
    needs = list(filter(None, map(_descriptors, specs)))
    if not needs:
        return ()
    most = max(needs, key=lambda need: sum(need.values()))
    whole = sum(most.values()) + _OF_EVERY_CHILD
    allowed = descriptor_limit() if limit is None else limit
    return () if allowed is None or whole <= allowed else (_shortage_text(most, whole, allowed),)


def of_little_data(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """A phrase about data that is too small for the most workers, if it is."""
    most = max(specs, key=lambda spec: spec.load.workers, default=None)
    if most is None or most.load.workers < 2:
        return ()
    with suppress(SluiceError, OSError):  # as for descriptors
        setting = most.known_setting
        phrase = setting.workload.too_little(setting.parameters, most.load, most.dataset)
        return (phrase,) if phrase else ()
    return ()


def of_holes(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """A phrase about cold data that is on no disk, if it is."""
    cold = {spec.dataset.location: spec for spec in specs if spec.load.page_cache == "cold"}
    for spec in cold.values():
        with suppress(SluiceError, OSError):  # as for descriptors
            if sentence := not_on_disk(files_of(spec)):
                return (sentence.removesuffix("."),)
    return ()


def of_unread_data(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """A phrase about a dataset that is named, but not read."""
    with suppress(SluiceError):  # measuring it reports the error
        for spec in without_bare_files(specs)[:1]:
            setting = spec.known_setting
            if phrase := setting.workload.unread(setting.parameters):
                return (phrase,)
    return ()


def of_file_systems(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """Phrases about the effects of the specs' file systems on the figures."""
    places = {spec.dataset.location: spec.dataset.path for spec in specs if spec.dataset.local}
    phrases = (effects(describe_file_system(path)) for path in places.values())
    return tuple(dict.fromkeys(chain.from_iterable(phrases)))


def fitting(spec: RunSpec, limit: int | None = None) -> dict[str, Value]:
    """The largest value of the greediest parameter with which the descriptors are enough.

    Empty where they are enough, where that is not known, or where no single lower value helps.
    """
    allowed = descriptor_limit() if limit is None else limit
    need = _descriptors(spec)
    if allowed is None or sum(need.values()) + _OF_EVERY_CHILD <= allowed:
        return {}
    own = declared(spec.known_setting.workload.parameters)
    kinds = {kind.name: kind for kind in (*own, *declared(Load))}
    for name, _ in sorted(need.items(), key=lambda pair: -pair[1]):
        kind = kinds.get(name)
        if isinstance(kind, Integer) and (value := _largest(spec, kind, allowed)) is not None:
            return {name: value}
    return {}


def _largest(spec: RunSpec, kind: Integer, allowed: int) -> int | None:
    """The largest value below the spec's own with which it needs no more than allowed."""
    parameters = spec.known_setting.workload.parameters

    def fits(value: int) -> bool:
        need = _descriptors(spec.varied(parameters, {kind.name: value}))
        return sum(need.values()) + _OF_EVERY_CHILD <= allowed

    low, high = kind.low, int(spec.values[kind.name])
    if low >= high or not fits(low):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _descriptors(spec: RunSpec) -> Mapping[str, int]:
    """Descriptors of one process, by the parameter that causes them; empty where unknown."""
    with suppress(SluiceError, OSError):  # its trial reports the error
        setting = spec.known_setting
        if not setting.has_own("descriptors"):
            return {}
        files = len(files_of(spec))
        return setting.workload.descriptors(setting.parameters, spec.load, spec.dataset, files)
    return {}


def _shortage_text(need: Mapping[str, int], whole: int, allowed: int) -> str:
    return tr(
        "up to about {whole} files will be open in a process, where {allowed} may be: "
        "lower {what}, or raise `ulimit -n`",
        whole=show_count(whole),
        allowed=show_count(allowed),
        what=", ".join(_causes(need)),
    )


def _causes(need: Mapping[str, int]) -> Iterator[str]:
    """The parameters that ask for descriptors, the greediest first."""
    for name, count in sorted(need.items(), key=lambda pair: -pair[1]):
        if count:
            yield tr(
                "{parameter} (1 file)",
                "{parameter} ({count:,} files)",
                count=count,
                parameter=named(name),
            )


_TIMINGS = msgspec.json.Decoder(dict[str, Timing])
"""Made once, at import: two threads that have msgspec learn a type at once may crash."""
