"""A published study as a TOML file in `resources/studies`: cells, claims and figures.

Its cells are configurations with their published figures; its claims are statements about cells.
Each claim names the range of values for which it counts as reproduced.  `FAMILIES` are the
publications that Sluice aims to reproduce; `listing` says which of their studies can be run here.
"""

from __future__ import annotations

import math
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec

from core.judge.study.cells import (
    Ladder,
    StudyCell,
    cells_on,
    one_way,
    server_values,
    with_thread_counts,
)
from core.language import InvalidParameter, Seconds, Unavailable, UnknownName, marked, tr, tr_word
from core.measure import (
    allowed_cores,
    lab_servers,
    require_cores,
    resources_folder,
    usable_cores,
)
from core.vocabulary import REPEATS, Value, build, declared, registry, specify

if TYPE_CHECKING:
    from core.language import SluiceError
    from core.vocabulary import Dataset, Result, RunSpec, ServerUse, Workload


class Claim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One statement of the publication.

    `kind` "ratio": metric of `cell` over metric of `to`; "value": the metric itself; "breaks":
    the cell does not complete or returns wrong data; "counter": a counter of the workload over
    another (`to_counter`); "linear": the largest relative distance of the seconds per unit of
    `metric` in `cells` from a straight line over the parameter `over`.
    Reproduced when the interval lies within low…high.  A ratio whose words name a `direction`
    ("faster") is reproduced when it is surely on that side of 1; low…high, where they are given,
    then are the range of ratios of about the published size.
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
    direction: Literal["", "more", "less"] = ""
    low: float = 0.0
    high: float = math.inf

    @property
    def published_here(self) -> str:
        """What was published, in the language and with its marks."""
        return marked(tr_word(self.published))


class PublishedTrace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a figure: cells in order."""

    name: str
    cells: tuple[str, ...]
    charted: tuple[float, ...] = ()
    """Seconds as the publication's chart shows them, where these differ from its data."""


class PublishedFigure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One plot of the publication: seconds for one unit of the study, both axes logarithmic."""

    title: str
    over: str
    """The parameter along which the cells of a line differ."""
    axis: str
    lines: tuple[PublishedTrace, ...]


class CellsHere(NamedTuple):
    """The part of a study that can be measured here."""

    specs: dict[str, RunSpec]
    """By the label of the cell."""
    left_out: tuple[str, ...]
    """A sentence for each reason, with its cells."""


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
    baseline: str
    """Label of the baseline cell of all ratios."""
    cells: tuple[StudyCell, ...]
    claims: tuple[Claim, ...]
    sides: dict[str, tuple[str, ...]] = {}
    """The sides of a choice, where the study asks for one: how the labels of their cells begin."""
    asked: dict[str, str] = {}
    """Where it depends on how the data is read: each way in words, and how the labels of its
    cells end; empty = in none of the other ways."""
    threads_of: dict[str, str] = {}
    """What has a number of threads to use of its own, such as a store, and how the labels of its
    cells begin."""
    repeats: int = REPEATS
    ladders: tuple[Ladder, ...] = ()
    """Cells added for a larger machine; `cells` includes them."""
    metric: str = "throughput"
    """The metric that the table shows, one of `core.vocabulary.metrics.METRICS`."""
    scale: float = 1.0
    """The metric's value that the table shows as 1: 1048576 for bytes per second in MiB/s."""
    figures: tuple[PublishedFigure, ...] = ()
    """The publication's plots, where their axes show costs instead of speeds."""
    published_unit: str = ""
    """Unit of the published figures, where it is not `unit`; only ratios are comparable then."""
    columns: tuple[str, ...] = ("p99", "dataset_fds")
    """Columns that the table shows beside the throughput."""
    sample: dict[str, Value] = {}
    """Shape of the dataset that is generated where none is named; empty = the workload's sample."""
    full: dict[str, Value] = {}
    """The same, as large as in the publication, for `--full`; empty = there is no larger one."""
    data: str = ""
    """Kind of that dataset; empty = the first that its workload reads."""
    budget: Annotated[Seconds, msgspec.Meta(ge=0)] = 0.0
    """Time that it has unless the user says otherwise; 0 = no more than its repeats."""
    elsewhere: dict[str, str] = {}
    """Programs that it names but does not measure, and why."""

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs that it asks about, each once; none where it repeats a publication."""
        named = [*(cell.program for cell in self.cells if cell.program), *self.elsewhere]
        return tuple(dict.fromkeys(named))

    @property
    def cells_by_subject(self) -> dict[str, tuple[str, ...]]:
        """The labels of the cells among whose threads one is to be advised: of each program, or
        of what it names in their place.
        """
        by_name = {
            name: tuple(cell.label for cell in self.cells if cell.label.startswith(start))
            for name, start in self.threads_of.items()
        }
        for program in self.programs:
            by_name[program] = tuple(cell.label for cell in self.cells if cell.program == program)
        return by_name

    @property
    def declaration(self) -> Workload[Any]:
        """The workload itself; raises UnknownName, Unavailable."""
        return registry.load_workload(self.workload)

    def fits(self, kind: str) -> bool:
        """Whether it can be repeated on data of that kind."""
        if self.data:
            return kind == self.data
        kinds = self.declaration.dataset_kinds
        return not kinds or kind in kinds

    def specs(self, dataset: Dataset, changes: Mapping[str, object]) -> dict[str, RunSpec]:
        """The spec of every cell by label; `changes` override the base, not a cell's own values.

        Raises the first reason where no cell can be run here.
        """
        return self.cells_here(dataset, changes).specs

    def cells_here(self, dataset: Dataset, changes: Mapping[str, object]) -> CellsHere:
        """The same, and what is left out because it cannot be run here, or not on this dataset."""
        specs: dict[str, RunSpec] = {}
        reasons: dict[str, list[str]] = {}
        first: SluiceError | None = None
        addresses = self._addresses()
        for cell in self.cells:
            try:
                specs[cell.label] = self._specify(cell, dataset, changes, addresses)
            except (Unavailable, InvalidParameter) as reason:
                first = first or reason
                reasons.setdefault(str(reason), []).append(cell.label)
        if first is not None and not specs:
            raise first
        return CellsHere(specs, tuple(map(_left_out_text, reasons, reasons.values())))

    def _specify(
        self,
        cell: StudyCell,
        dataset: Dataset,
        changes: Mapping[str, object],
        addresses: Mapping[str, str],
    ) -> RunSpec:
        if cell.program and shutil.which(cell.program) is None:
            raise Unavailable(
                tr("{program} is not installed", program=cell.program), tr("install it")
            )
        where = self._server_values(cell, addresses)
        spec = specify(self.workload, dataset, self.base | dict(changes) | cell.at | where)
        require_cores(spec.load.cores, allowed_cores())
        return spec

    def _server_values(self, cell: StudyCell, addresses: Mapping[str, str]) -> dict[str, Value]:
        """The values of a cell that say where its servers are; raises Unavailable."""
        uses = registry.servers_of(self.workload)
        return server_values(self.base | cell.at, uses, addresses)

    def needed_servers(self) -> tuple[ServerUse, ...]:
        """The servers of the lab that all of its cells need."""
        values = [self.base | cell.at for cell in self.cells]
        uses = registry.servers_of(self.workload)
        return tuple(use for use in uses if all(map(use.unknown_to, values)))

    def lacking_servers(self) -> tuple[ServerUse, ...]:
        """Those of them that do not serve."""
        return tuple(use for use in self.needed_servers() if use.server not in lab_servers())

    def require_servers(self) -> None:
        """Raise Unavailable where one of them does not serve."""
        server_values(self.base | self.cells[0].at, self.needed_servers(), self._addresses())

    def values_with_servers(self) -> dict[str, Value]:
        """What its first cell is measured with, where the servers that it needs serve."""
        values, addresses = self.base | self.cells[0].at, self._addresses()
        serving = [use for use in self.needed_servers() if use.server in addresses]
        return values | server_values(values, serving, addresses)

    def _addresses(self) -> Mapping[str, str]:
        """Those of the lab's servers by which all of its cells go the same way.

        What may stand in front of one of them is left out, unless the others are as far away.
        """
        uses = registry.servers_of(self.workload)
        used = [
            use for use in uses if any(use.unknown_to(self.base | cell.at) for cell in self.cells)
        ]
        return one_way(used, lab_servers())

    def published_ratio(self, claim: Claim) -> float | None:
        """The ratio that the publication's figures make of the claim's cells."""
        figures = {cell.label: cell.published for cell in self.cells}
        cell, other = figures.get(claim.cell), figures.get(claim.to)
        return cell / other if cell and other and claim.metric == self.metric else None

    def unavailable(self, cell: StudyCell) -> str:
        """Why a cell cannot be run here, and the remedy; empty where it can."""
        workload = self.declaration
        own = {kind.name for kind in declared(workload.parameters)}
        values = {name: value for name, value in (self.base | cell.at).items() if name in own}
        try:
            for driver in workload.drivers(build(workload.parameters, values)):
                driver.require()
            self._server_values(cell, self._addresses())
        except Unavailable as missing:
            return str(missing)
        return ""

    def reason(self, cell: StudyCell, dataset: Dataset) -> str:
        """Why a cell cannot be run on a dataset, and the remedy; empty where it can."""
        try:
            self._specify(cell, dataset, {}, self._addresses())
        except (Unavailable, InvalidParameter) as reason:
            return str(reason)
        return ""

    def results_by_label(self, results: Sequence[Result]) -> dict[str, Result]:
        """The results of this study's cells by label, recognised by the cells' own values.

        A cell that leaves out what others set, of the workload's own, has the base's value.
        """
        varied = {name for cell in self.cells for name in cell.at}
        usual = {name: value for name, value in self.base.items() if name in varied}
        return {
            cell.label: result
            for cell in self.cells
            for result in results
            if result.spec.workload == self.workload
            and cell.at.items() <= result.spec.values.items()
            and all(
                result.spec.parameters.get(name, value) == value
                for name, value in usual.items()
                if name not in cell.at
            )
        }


def folder() -> Path:
    return resources_folder() / "studies"


def study_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder().glob("*.toml")))


def _left_out_text(reason: str, labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return tr("{cell}: {reason}", cell=labels[0], reason=reason)
    return tr(
        "{count} settings, {first} to {last}: {reason}",
        count=len(labels),
        first=labels[0],
        last=labels[-1],
        reason=reason,
    )


def load_study(name: str, cores: float | None = None) -> Study:
    """The study of that name on a machine with so many usable cores, or on this one.

    Raises UnknownName.
    """
    return _loaded(name, usable_cores() if cores is None else cores)


def study_of(name: str, cores: float) -> Study | None:
    """The study that a run with so many usable cores repeats; None for none, or an unknown one."""
    return load_study(name, cores) if name in study_names() else None


@lru_cache  # the window calls it with every change of its form
def _loaded(name: str, cores: float) -> Study:
    if name not in study_names():
        raise UnknownName("study", name, study_names())
    text = (folder() / f"{name}.toml").read_text("utf-8")
    with _ONE_BY_ONE:
        study = msgspec.convert(tomllib.loads(text), Study)
    cells = cells_on(study.cells, study.ladders, cores)
    return msgspec.structs.replace(
        study, cells=cells, claims=with_thread_counts(study.claims, cores)
    )


_ONE_BY_ONE = Lock()
"""Two threads that have msgspec look at the same struct for the first time crash the process."""


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """One publication: its question, and the studies made from its tables."""

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
        studies=("geotrellis-readers", "geotrellis-writers"),
    ),
    Family(
        number=4,
        question="Synapse file trees: which client, and how many threads?",
        studies=("synapse-download", "synapse-upload", "synapse-upload-default"),
    ),
    Family(
        number=5,
        question="Sparse virtual files: what do block size, gaps and threads cost in memory?",
        studies=("svfs-read", "svfs-need", "svfs-write", "svfs-threads"),
    ),
    Family(
        number=6,
        question="Zarr in S3: how many requests at once?",
        studies=("zarr-concurrency",),
    ),
    Family(
        number=7,
        question="s3fs: how much to fetch ahead of a read?",
        studies=("s3fs-block-size",),
    ),
    Family(
        number=8,
        question="Cloud-optimised GeoTIFF: how many requests for a raster?",
        studies=("cog-requests",),
    ),
)
"""The publications that Sluice aims to reproduce, with or without a workload so far."""


class StudyRow(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    family: int
    title: str
    claims: int
    missing: str = ""
    """Why it cannot be run yet; empty where it can."""


def listing() -> tuple[StudyRow, ...]:
    """Every study of every family, then those that belong to none of them."""
    there = study_names()
    planned = [(family, name) for family in FAMILIES for name in family.studies]
    rows = [
        _listed(name)
        if name in there
        else StudyRow(
            name=name,
            family=family.number,
            title=family.question,
            claims=0,
            missing="its workload is not part of this version",
        )
        for family, name in planned
    ]
    named = {name for _, name in planned}
    return (*rows, *(_listed(name) for name in there if name not in named))


def _listed(name: str) -> StudyRow:
    study = load_study(name)
    entry = registry.workloads().get(study.workload)
    if entry is None:
        missing = f"there is no workload {study.workload}"
    elif absent := [driver.distribution for driver in entry.drivers if not driver.installed]:
        missing = f"{', '.join(absent)} is missing"
    else:
        reasons = [study.unavailable(cell) for cell in study.cells]
        missing = reasons[0] if all(reasons) else ""
    return StudyRow(
        name=name, family=study.family, title=study.title, claims=len(study.claims), missing=missing
    )
