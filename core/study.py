"""Published studies: their matrix, their figures, and what is claimed, judged against a run here.

A study is a TOML file in `resources/studies`.  Its cells are configurations with the figures
that were published for them; its claims are statements about cells.  Each claim names the
range of values for which it counts as reproduced, so that the judgement is made by interval
and not by eye.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from statistics import median

import msgspec

from core import registry
from core.dataset import Dataset
from core.errors import InvalidParameter, SluiceError, Unavailable, UnknownName
from core.parameters import Value, build, declared
from core.places import resources_folder
from core.plan import RunSpec
from core.planning import specify
from core.result import Result
from core.summary import ending
from core.units import (
    show_count,
    show_ratio,
    show_seconds,
    show_share,
    show_size,
    show_spread,
)


class Cell(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One configuration of the published table and its figures; an empty figure = did not complete."""

    at: dict[str, Value]
    label: str
    published: float | None = None


class Claim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One statement of the publication.

    `kind` "ratio": metric of `cell` over metric of `to`; "value": the metric itself; "breaks":
    the cell does not complete or returns wrong data; "counter": a counter of the workload over
    another (`to_counter`); "linear": the largest relative distance of the seconds per unit of
    `metric` in `cells` from a straight line over the parameter `over`.
    Reproduced when the interval lies within low…high.
    """

    text: str
    kind: str
    cell: str = ""
    cells: tuple[str, ...] = ()
    over: str = ""
    to: str = ""
    metric: str = "throughput"
    counter: str = ""
    to_counter: str = ""
    published: str
    low: float = 0.0
    high: float = math.inf


class Trace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a figure: cells in order."""

    name: str
    cells: tuple[str, ...]
    charted: tuple[float, ...] = ()
    """Seconds as the publication's chart shows them, where these are not what its data say."""


class Figure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One plot of the publication: seconds for one unit of the study, both axes logarithmic."""

    title: str
    over: str
    """The parameter along which the cells of a line differ."""
    axis: str
    lines: tuple[Trace, ...]


class Study(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published study as a preset."""

    name: str
    title: str
    family: int
    source: str
    machine: str
    workload: str
    unit: str
    about: str
    base: dict[str, Value]
    repeats: int
    baseline: str
    """Label of the cell that others are shown as ratios to."""
    cells: tuple[Cell, ...]
    claims: tuple[Claim, ...]
    metric: str = "throughput"
    """What the table shows, of `core.result.METRICS`."""
    scale: float = 1.0
    """How much of the metric is one in the table: 1048576 for bytes per second shown as MiB/s."""
    figures: tuple[Figure, ...] = ()
    """The publication's plots, where they have costs and not speeds on their axes."""
    published_unit: str = ""
    """Of the published figures, where it is another than `unit`; their ratios can be compared."""
    columns: tuple[str, ...] = ("p99", "dataset_fds")
    """What the table shows beside the throughput."""

    def specs(self, dataset: Dataset, changes: Mapping[str, object]) -> dict[str, RunSpec]:
        """The spec of every cell by label; `changes` override the base but not what makes a cell.

        Cells that cannot be run here, or not on this dataset, are left out; raises the first reason
        where none is left.
        """
        found: dict[str, RunSpec] = {}
        reasons: list[SluiceError] = []
        for cell in self.cells:
            try:
                found[cell.label] = specify(
                    self.workload, dataset, self.base | dict(changes) | cell.at
                )
            except (Unavailable, InvalidParameter) as reason:
                reasons.append(reason)
        if reasons and not found:
            raise reasons[0]
        return found

    def unavailable(self, cell: Cell) -> str:
        """Why a cell cannot be run here, and the remedy; empty where it can."""
        workload = registry.workload(self.workload)
        own = {kind.name for kind in declared(workload.parameters)}
        values = {name: value for name, value in (self.base | cell.at).items() if name in own}
        try:
            for driver in workload.drivers(build(workload.parameters, values)):
                driver.require()
        except Unavailable as missing:
            return str(missing)
        return ""

    def reason(self, cell: Cell, dataset: Dataset) -> str:
        """Why a cell cannot be run on a dataset, and the remedy; empty where it can."""
        try:
            specify(self.workload, dataset, self.base | cell.at)
        except (Unavailable, InvalidParameter) as reason:
            return str(reason)
        return ""

    def results_by_label(self, results: Sequence[Result]) -> dict[str, Result]:
        """The results of this study's cells by label, told by what makes a cell."""
        return {
            cell.label: result
            for cell in self.cells
            for result in results
            if result.spec.workload == self.workload
            and cell.at.items() <= result.spec.values.items()
        }


ENOUGH_TO_BREAK = 5
"""Trials without a fault after which half of them failing can be ruled out (0.5⁵ = 3 %)."""


class Judgement(StrEnum):
    """What a run here says of a claim."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    CANNOT_TELL = "cannot tell"


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A claim with what was seen here."""

    claim: Claim
    judgement: Judgement
    here: str
    reason: str = ""


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """One publication: what it asks, and the studies that its tables make."""

    number: int
    question: str
    studies: tuple[str, ...]


FAMILIES = (
    Family(
        number=1,
        question="SeqRepo: do cached FASTA handles, locks and threads pay for random fetches?",
        studies=("seqrepo-fd-cache",),
    ),
    Family(
        number=2,
        question="Nanopore signal: BLOW5 or POD5, and how many threads?",
        studies=("slow5-pod5-sequential", "slow5-pod5-random"),
    ),
    Family(
        number=3,
        question="GeoTrellis tiles: how many threads for each store and number of cores?",
        studies=("geotrellis-readers",),
    ),
    Family(
        number=4,
        question="Synapse file trees: which client, and how many threads?",
        studies=("synapse-download", "synapse-upload"),
    ),
    Family(
        number=5,
        question="Sparse virtual files: what do block size, gaps and threads cost in memory?",
        studies=("svfs-read", "svfs-need", "svfs-write", "svfs-threads"),
    ),
)
"""The publications that Sluice is to reproduce, whether their workloads are there yet or not."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table of studies."""

    name: str
    family: int
    title: str
    claims: int
    missing: str = ""
    """Why it cannot be run yet; empty where it can."""


def listing() -> tuple[Listed, ...]:
    """Every study of every family, then those that belong to none of them."""
    there = names()
    known = [(family, name) for family in FAMILIES for name in family.studies]
    rows = [
        _listed(name)
        if name in there
        else Listed(
            name=name,
            family=family.number,
            title=family.question,
            claims=0,
            missing="its workload is not part of this version",
        )
        for family, name in known
    ]
    named = {name for _, name in known}
    return (*rows, *(_listed(name) for name in there if name not in named))


def _listed(name: str) -> Listed:
    found = load(name)
    entry = registry.workloads().get(found.workload)
    if entry is None:
        missing = f"there is no workload {found.workload}"
    elif absent := [driver.distribution for driver in entry.drivers if not driver.installed]:
        missing = f"{', '.join(absent)} is missing"
    else:
        reasons = [found.unavailable(cell) for cell in found.cells]
        missing = reasons[0] if all(reasons) else ""
    return Listed(
        name=name,
        family=found.family,
        title=found.title,
        claims=len(found.claims),
        missing=missing,
    )


def folder() -> Path:
    """Where the studies are kept."""
    return resources_folder() / "studies"


def names() -> tuple[str, ...]:
    """All studies that can be run."""
    return tuple(sorted(path.stem for path in folder().glob("*.toml")))


def load(name: str) -> Study:
    """The study of that name; raises UnknownName."""
    return _loaded(name)


@lru_cache  # the window asks for it with every change of its form
def _loaded(name: str) -> Study:
    if name not in names():
        raise UnknownName("study", name, names())
    return msgspec.convert(tomllib.loads((folder() / f"{name}.toml").read_text("utf-8")), Study)


_COLUMNS: Mapping[str, tuple[str, Callable[[float], str]]] = {
    "p99": ("p99", show_seconds),
    "dataset_fds": ("open files", lambda files: show_count(round(files))),
    "elapsed": ("elapsed", show_seconds),
    "process_cpu": ("CPU", show_seconds),
    "cores_used": ("CPU %", show_share),
    "first_step_share": ("first step", show_share),
    "peak_rss": ("peak RAM", show_size),
    "anonymous": ("its own", show_size),
    "file_backed": ("mapped", show_size),
}
"""Columns a study may have: the metric, its title, how it is shown."""
_OF_ANY = {"dataset_fds"}
"""What is shown of results without a throughput too."""


def _shown(result: Result | None, metric: str) -> str:
    if result is None or not (result.valid or metric in _OF_ANY):
        return "–"
    value = result.median(metric)
    return _COLUMNS[metric][1](value) if value is not None else "–"


def _unmeasured(study: Study, cell: Cell, results: Mapping[str, Result]) -> str:
    dataset = next((result.spec.dataset for result in results.values()), None)
    return study.unavailable(cell) or (dataset and study.reason(cell, dataset)) or "not measured"


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The study's table: what was published and what was seen here, side by side, as texts."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def scoreboard(study: Study, results: Mapping[str, Result]) -> Board:
    """One row per cell, both sides also as ratios to the study's baseline cell.

    A cell that did not complete, or returned wrong data, has no figure but its ending.
    """
    base = next(cell for cell in study.cells if cell.label == study.baseline)
    rows = []
    for cell in study.cells:
        result = results.get(cell.label)
        here = _figure(study, result)
        rows.append(
            (
                cell.label,
                _figure_text(cell.published) if cell.published else "–",
                _ratio(cell.published, base.published),
                _spread(study, result),
                _ratio(here, _figure(study, results.get(base.label))),
                *(_shown(result, metric) for metric in study.columns),
                ending(result) if result else _unmeasured(study, cell, results),
            )
        )
    unit = study.unit
    return Board(
        titles=(
            "cell",
            f"published {study.published_unit or unit}",
            "×",
            f"here {unit}",
            "×",
            *(_COLUMNS[metric][0] for metric in study.columns),
            "ending",
        ),
        rows=tuple(rows),
    )


def _spread(study: Study, result: Result | None) -> str:
    if result is None or not result.valid:
        return "–"
    values = [value / study.scale for value in result.values(study.metric)]
    return show_spread(median(values), (max(values) - min(values)) / 2)


def _figure(study: Study, result: Result | None) -> float | None:
    if result is None or not result.valid:
        return None
    found = result.median(study.metric)
    return None if found is None else found / study.scale


def _figure_text(value: float) -> str:
    return show_count(value) if value >= 100 else f"{value:.3g}"


def _ratio(value: float | None, to: float | None) -> str:
    return show_ratio(value / to) if value and to else "–"


def judge(study: Study, results: Mapping[str, Result]) -> tuple[Judged, ...]:
    """Every claim of the study against the results by cell label.

    A claim holds when the 95 % interval of what was seen lies within its range.  For a range around
    1, such as "no real difference", that is equivalence by two one-sided tests at 2.5 % each
    (Schuirmann, J. Pharmacokin. 15, 1987, whose 5 % is the 90 % interval).  The stricter level
    because a study has ten claims: one that holds by chance in ten would be expected soon.  An
    interval that reaches over an edge of the range shows nothing, however near 1 its middle is.
    """
    return tuple(
        _judge_line(claim, [results.get(label) for label in claim.cells])
        if claim.kind == "linear"
        else _judge(study, claim, results)
        for claim in study.claims
    )


def _judge(study: Study, claim: Claim, results: Mapping[str, Result]) -> Judged:
    cell, other = results.get(claim.cell), results.get(claim.to)
    if cell is None or (claim.to and other is None):
        return _untold(claim, "not measured")
    if claim.kind == "breaks":
        return _judge_break(claim, cell)
    for needed in (cell, other):
        if needed is not None and not needed.valid:
            return _untold(claim, f"a cell is not valid: {ending(needed)}")
    match claim.kind:
        case "ratio" if other is not None:
            return _judge_ratio(claim, cell.values(claim.metric), other.values(claim.metric))
        case "value":
            return _judge_values(claim, cell.values(claim.metric), _speller(study, claim.metric))
        case "counter":
            return _judge_values(claim, counter_ratios(cell, claim.counter, claim.to_counter))
    raise ValueError(f"the study has a claim of an unknown kind: {claim.kind}")


def counter_ratios(result: Result, counter: str, to_counter: str) -> list[float]:
    """One counter over another (over 1 where none is named) for every trial that has both."""
    return [
        trial.counters[counter] / (trial.counters[to_counter] if to_counter else 1.0)
        for trial in result.measured
        if counter in trial.counters and (not to_counter or trial.counters.get(to_counter))
    ]


def _judge_break(claim: Claim, cell: Result) -> Judged:
    broken = sum(not trial.valid for trial in cell.measured)
    if not broken and len(cell.measured) < ENOUGH_TO_BREAK:
        return _untold(claim, f"it needs {ENOUGH_TO_BREAK} trials that all went well to deny it")
    judgement = Judgement.REPRODUCED if broken else Judgement.NOT_REPRODUCED
    return Judged(
        claim=claim,
        judgement=judgement,
        here=f"{broken} of {len(cell.measured)} trials",
        reason=ending(cell),
    )


def _judge_line(claim: Claim, cells: Sequence[Result | None]) -> Judged:
    """How far from a straight line each repetition is at its worst point."""
    found = [cell for cell in cells if cell is not None and cell.valid]
    if len(found) < len(cells) or len(found) < 3:
        return _untold(claim, "needs at least three cells, all of them valid")
    over = [float(cell.spec.values[claim.over]) for cell in found]
    repetitions = zip(*(cell.values(claim.metric) for cell in found), strict=False)
    return _judge_values(
        claim, [_off_line(over, [1 / value for value in values]) for values in repetitions]
    )


def _off_line(over: Sequence[float], seconds: Sequence[float]) -> float:
    """The largest relative distance from the line that fits best relative to the values."""
    import numpy as np

    weights = 1 / np.array(seconds)
    columns = np.column_stack((np.ones(len(over)), over)) * weights[:, None]
    fitted, *_ = np.linalg.lstsq(columns, np.ones(len(over)))
    return float(np.abs(columns @ fitted - 1).max())


def _judge_ratio(claim: Claim, ours: Sequence[float], theirs: Sequence[float]) -> Judged:
    from core.statistics import ratio_interval

    if min(len(ours), len(theirs)) < 2:
        return _untold(claim, "needs at least two trials of each")
    found = ratio_interval([[value] for value in theirs], [[value] for value in ours])
    here = f"{show_ratio(found.value)} ({show_ratio(found.low)} to {show_ratio(found.high)})"
    return Judged(claim=claim, judgement=_within(claim, found.low, found.high), here=here)


def _speller(study: Study, metric: str) -> Callable[[float], str]:
    """How values of a metric are told: latencies as times, what the table shows as the table does."""
    if metric in ("p50", "p99", "p999"):
        return show_seconds
    if metric == study.metric:
        return lambda value: f"{_figure_text(value / study.scale)} {study.unit}"
    return "{:.4g}".format


def _judge_values(
    claim: Claim, values: Sequence[float], show: Callable[[float], str] = "{:.4g}".format
) -> Judged:
    if not values:
        return _untold(claim, "not recorded")
    if len(values) < 2:
        return _untold(claim, "needs at least two trials")
    low, high = min(values), max(values)
    return Judged(
        claim=claim,
        judgement=_within(claim, low, high),
        here=f"{show(low)} to {show(high)}" if low < high else f"{low:.12g}",
    )


def _within(claim: Claim, low: float, high: float) -> Judgement:
    if claim.low <= low and high <= claim.high:
        return Judgement.REPRODUCED
    if high < claim.low or low > claim.high:
        return Judgement.NOT_REPRODUCED
    return Judgement.CANNOT_TELL


def _untold(claim: Claim, reason: str) -> Judged:
    return Judged(claim=claim, judgement=Judgement.CANNOT_TELL, here="–", reason=reason)
