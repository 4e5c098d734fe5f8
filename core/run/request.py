"""A user's request as one value, the way in which it is measured, and its command line.

The flags of the command line and the form of the app make the same `Request`.  The parameters that
vary make the question, and `way_to_measure` chooses between a run, a sweep and a search, so that no
user has to.  The command line of a request does exactly what Measure does.  Only `core.run.task`
turns a request into a task.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from core.judge import limit_terms
from core.language import (
    DatasetError,
    InvalidParameter,
    Seconds,
    SluiceError,
    marked,
    tr,
    tr_word,
)
from core.measure import program_here
from core.run.admission import COUNTED, check_nodes
from core.vocabulary import (
    BLOCKS,
    REPEATS,
    THREADS,
    TURNS,
    Axis,
    Choice,
    Flag,
    Load,
    Prices,
    Sweep,
    Turns,
    Value,
    admit,
    build,
    declared,
    draft,
    load_kinds,
    named,
    own_kinds,
    possible,
    read_values,
    registry,
    written,
    written_in,
    written_list,
    written_values,
)

if TYPE_CHECKING:
    from core.language import ReportProgress
    from core.measure import Cancel
    from core.vocabulary import Dataset, Kind, Workload


MOST_COMBINATIONS = 24
"""Up to this many combinations are all measured; more are searched, if they can be."""
_FEWEST = 4
"""Up to this many combinations are all measured, however short the time is."""
_SHORT_TRIAL = 1.0
"""Seconds of the shortest trial that a budget leads to, with its start and its end."""
_NEVER_SEARCHED = "seed"
_COUNTS = (THREADS, "processes", "nodes")
"""Parameters of which a question asks how many."""
_MOST_JUDGED = 500
"""The most combinations that are judged while a user fills in a form."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One setting, combinations (of `axes`), a search (`search`) or a published study (`study`)."""

    workload: str = ""
    study: str = ""
    search: bool = False
    values: Mapping[str, Value] = {}
    """Parameters of load and workload; missing ones are as declared or as in the study."""
    axes: tuple[Axis, ...] = ()
    terms: Mapping[str, Value] = {}
    """Limits of the advice on several settings: parameters of `core.vocabulary.limits`."""
    dataset: Path | None = None
    """None = a generated sample."""
    repeats: int = REPEATS
    """Trials of each spec; a search decides for itself."""
    order_seed: int = 1
    floor: bool = True
    """Whether to measure the bare files too."""
    turns: Turns = TURNS
    """Whether the settings of a block take turns."""
    budget: Seconds = 0.0
    """Time for more trials about open questions; 0 = `repeats` trials of each spec.  Trials of the
    usual length are shortened to fit (`core.vocabulary.plan`).  For a search: its longest time; 0 =
    until it is sure."""
    until_sure: bool = False
    """Whether each setting is measured as often as the answer takes, in place of `repeats`;
    without a budget `MOST_REPEATS` times at most."""
    full: bool = False
    """Whether the dataset that a study generates is as large as in the publication."""
    cluster: str = ""
    """Address of the cluster whose nodes measure; empty = this machine does."""
    over_commit: bool = False
    """Whether programs at once may have more threads than there are cores."""
    why: bool = False
    """Whether to also measure what limits the one setting, or the answer of a search."""

    @staticmethod
    def typed(text: str) -> Request:
        """What somebody typed: a command, also of hyperfine, an address, or a place: its dataset.

        Raises UsageError.
        """
        from core.run.first_question import question_of_text

        if Request.is_hyperfine(text):
            return Request.of_hyperfine(text)[0]
        return question_of_text(Request(), text)

    @staticmethod
    def is_address(text: str) -> bool:
        """Whether it is an address, such as `s3://bucket/reads`."""
        from core.run.first_question import is_address

        return is_address(text)

    @staticmethod
    def is_hyperfine(text: str) -> bool:
        """Whether it is a command line of hyperfine; a prompt may be before it."""
        word, *_ = [*text.removeprefix("$ ").split(maxsplit=1), ""]
        return word.rpartition("/")[2] == "hyperfine"

    @staticmethod
    def of_hyperfine(line: str) -> tuple[Request, str]:
        """What a command line of hyperfine asks, and what of it has no counterpart, in a sentence.

        Raises UsageError.
        """
        from core.run.hyperfine_line import HyperfineLine

        it = HyperfineLine(line)
        return msgspec.structs.replace(Request.first("command"), **it.fields), it.left

    @property
    def declaration(self) -> Workload[Any]:
        """The workload itself; raises UnknownName, Unavailable."""
        return registry.load_workload(self.workload)

    @property
    def ends_once_sure(self) -> bool:
        """Whether `until_sure` holds: a search or a study decides by itself."""
        return self.until_sure and not (self.search or self.study)

    @property
    def needs_search(self) -> bool:
        """Whether there are more combinations than the time allows to measure, or too many of the
        programs at once may not fit the memory, of which a search first learns what one takes.
        """
        count = prod(len(axis.values) for axis in self.axes)
        varied = {axis.name for axis in self.axes if len(axis.values) > 1}
        jobs = varied == {THREADS, "processes"} and registry.runs_programs(self.workload)
        return jobs or count > _affordable(self.budget)

    @property
    def varied(self) -> frozenset[str]:
        """Names of the parameters that are varied, so that they have no single value."""
        return frozenset(axis.name for axis in self.axes)

    @property
    def question(self) -> str:
        """What it asks: `How many threads, and which cache?`."""
        if self.study:
            return tr("Is what was published true here?")
        counts = [name for name in _COUNTS if name in self.varied]
        others = ", ".join(named(axis.name) for axis in self.axes if axis.name not in _COUNTS)
        if not counts:
            return tr("Which {others}?", others=others) if others else tr("How fast is it?")
        first = " × ".join(map(named, counts))
        if others:
            return tr("How many {counted}, which {others}?", counted=first, others=others)
        return tr("How many {counted}?", counted=first)

    @property
    def fixed(self) -> dict[str, Value]:
        """Values of the parameters that are not varied; the others' values mean nothing."""
        return {name: value for name, value in self.values.items() if name not in self.varied}

    @property
    def known_terms(self) -> tuple[Kind, ...]:
        """The terms that its command knows."""
        if self.study:
            return ()
        price = Prices.meant_for(self.workload)
        if self.search:
            return (*limit_terms(search=True), *price)
        return (*limit_terms(search=False), *price) if self.axes else price

    @property
    def kept_terms(self) -> dict[str, Value]:
        """The known terms that differ from their defaults."""
        usual = {kind.name: kind.default for kind in self.known_terms}
        return {
            name: value
            for name, value in self.terms.items()
            if name in usual and value != usual[name]
        }

    @property
    def of_workload(self) -> str:
        """The workload, or that of the study; raises UnknownName."""
        if not self.study:
            return self.workload
        from core.judge import load_study

        return load_study(self.study).workload

    @property
    def leaves_data_out(self) -> bool:
        """Whether what is at its address is read, and nothing of the dataset."""
        with suppress(SluiceError):
            own = {kind.name for kind in declared(self.declaration.parameters)}
            values = {name: value for name, value in self.fixed.items() if name in own}
            built = build(self.declaration.parameters, values)
            return bool(values.get("address") and self.declaration.unread(built))
        return False

    @property
    def distance(self) -> str:
        """`store 20 ms away`; empty where no link is asked for, or several are compared."""
        away = float(self.fixed.get("round_trip") or 0.0)
        return tr("store {time} ms away", time=marked(f"{1e3 * away:g}")) if away else ""

    @staticmethod
    def first(workload: str, *, preset: str = "") -> Request:
        """The first question about a workload, or about a preset of it, whatever its data.

        Raises what `of_preset` does.
        """
        from core.run.first_question import first_of_preset, first_question

        return first_of_preset(Request(), preset) if preset else first_question(Request(), workload)

    @staticmethod
    def of_preset(name: str) -> Request:
        """How many threads a program takes, with its usual flags, and no other values.

        Raises UnknownName, and Unavailable where it is not installed.
        """
        from core.run.first_question import question_of_preset

        return question_of_preset(Request(), name)

    @staticmethod
    def dropped(
        places: Sequence[Path | str], chosen: Request
    ) -> tuple[Request, tuple[Path | str, ...]]:
        """What to ask about places and addresses dropped together, and what is left.

        Raises DatasetError, and UsageError for an address that nothing reads.
        """
        from core.run.first_question import question_of_drop

        return question_of_drop(Request(), places, chosen)

    @property
    def can_be_tried(self) -> bool:
        """Whether `try_once` has something to show."""
        from core.vocabulary import Workload  # which brings jobs along

        return not self.study and type(self.declaration).try_once is not Workload.try_once

    def try_once(self, dataset: Dataset, cancel: Cancel, report: ReportProgress) -> str:
        """What one operation does with the fewest threads, unmeasured; raises SluiceError."""
        from core.run.one_try import try_once

        return try_once(self, dataset, cancel, report)

    def command_line(self) -> str:
        """The command that asks for the same, quoted for a shell; raises as `arguments` does."""
        return shlex.join([*program_here(), *arguments(self)])

    def as_measured(self) -> Request:
        """The request as it is carried out: one setting, all combinations, or a search."""
        return way_to_measure(self)

    def require_possible(self, dataset: Dataset) -> None:
        """Raise SluiceError, with the reason, if nothing of a request can be measured on that data.

        Reads nothing but its arguments and which servers of the lab run, and costs less than
        `task_of`, which has the last word.
        """
        if self.study:
            from core.judge import load_study

            study = load_study(self.study)
            if not study.fits(dataset.kind):
                raise DatasetError(
                    tr("this study needs other data than {kind}", kind=tr_word(dataset.kind)),
                    tr("make its sample, or choose data of its kind"),
                )
            study.require_servers()
            return
        nodes = [value for axis in self.axes if axis.name == "nodes" for value in axis.values]
        most_nodes = max(int(value) for value in nodes or [self.values.get("nodes", 1)])
        check_nodes(most_nodes, self.cluster)
        require_threads(self, dataset)
        # The load is admitted with everything.
        of_load = {kind.name for kind in declared(Load)}
        axes = tuple(axis for axis in self.axes if axis.name not in of_load)
        base = draft(self.workload, dataset, self.fixed)
        if not axes:
            admit(base)
        elif prod(len(axis.values) for axis in axes) <= _MOST_JUDGED:
            possible(Sweep(base=base, axes=axes, fixed=self.fixed))

    def values_that_fit(self, dataset: Dataset) -> Mapping[str, Value]:
        """Values to choose in place of those that the data does not allow, such as a reader.

        Empty if the data allows every value, or no other value is known to help.
        """
        try:
            self.require_possible(dataset)
        except InvalidParameter as refusal:
            fitting = {
                kind.name: kind.default_for(dataset.kind)
                for kind in declared(self.declaration.parameters)
                if kind.by_dataset and kind.name == refusal.name
            }
            values = {**self.values, **fitting}
            if values == self.values:
                return {}
            # What fits may be refused for another value.
            changed = msgspec.structs.replace(self, values=values)
            return {**fitting, **changed.values_that_fit(dataset)}
        except SluiceError:
            pass  # Measure shows the reason
        return {}

    def options_refused(self, kind: Kind, dataset: Dataset) -> Mapping[Value, str]:
        """Why options of a choice, with the other values, cannot be measured on that data."""
        if self.study or not isinstance(kind, Choice):
            return {}
        axes = tuple(axis for axis in self.axes if axis.name != kind.name)
        refused: dict[Value, str] = {}
        for option in kind.options:
            request = msgspec.structs.replace(
                self, values={**self.values, kind.name: option}, axes=axes
            )
            try:
                request.require_possible(dataset)
            except InvalidParameter as error:
                if error.name == kind.name:  # another field, such as an address, can be filled in
                    refused[option] = str(error)
            except SluiceError:  # no option changes that
                return {}
        # A reason against every option does not lie in the options.
        return refused if len(refused) < len(kind.options) else {}


def require_threads(request: Request, dataset: Dataset) -> None:
    """Raise InvalidParameter if threads vary, but the workload has no place for their number."""
    varied = {axis.name for axis in request.axes if len(axis.values) > 1}
    if request.study or THREADS not in varied:
        return
    workload = request.declaration
    if varied.isdisjoint(kind.name for kind in declared(workload.parameters)):
        workload.admit_threads(draft(request.workload, dataset, request.fixed).setting.parameters)


def way_to_measure(request: Request, *, everything: bool = False) -> Request:
    """The request as it is carried out: one setting, all combinations, or a search among many.

    `everything`: all combinations, however many they are.
    """
    if request.study or request.search:
        return request
    single = {axis.name: axis.values[0] for axis in request.axes if len(axis.values) == 1}
    axes = tuple(axis for axis in request.axes if axis.name not in single)
    fixed = msgspec.structs.replace(request, values={**request.values, **single}, axes=axes)
    if everything:
        return msgspec.structs.replace(fixed, over_commit=True)
    if not fixed.needs_search or not _searchable(fixed):
        return fixed
    return msgspec.structs.replace(fixed, search=True, repeats=REPEATS, until_sure=False)


def _affordable(budget: float) -> int:
    """How many combinations can each be measured as often as an answer needs."""
    if not budget:
        return MOST_COMBINATIONS
    return max(_FEWEST, min(MOST_COMBINATIONS, int(budget / (BLOCKS * _SHORT_TRIAL))))


def _searchable(request: Request) -> bool:
    """Whether a search knows its axes: threads, and at most one more."""
    names = {axis.name for axis in request.axes}
    return THREADS in names and len(names) < 3 and _NEVER_SEARCHED not in names


def arguments(request: Request) -> list[str]:
    """The arguments of the command line that ask for the same; raises UnknownName, Unavailable.

    Values that are as declared, or as in the study, are left out.
    """
    kinds, usual, repeats, budget = _usual(request)
    if request.study:
        command = ["study", request.study]
    else:
        command = ["measure", request.workload, *_axes(request, kinds)]
    if request.dataset is not None:
        command += _option("--dataset", str(request.dataset))
    for name, value in _with_own_written(request).items():
        if value != usual.get(name, value):  # another version may have known more
            command += _setting(kinds[name], value)
    terms = request.kept_terms
    command += [
        word
        for kind in request.known_terms
        if kind.name in terms
        for word in _setting(kind, terms[kind.name])
    ]
    command += _how(request, repeats, budget)
    needs_all = request.over_commit or way_to_measure(request).search != request.search
    return [*command, "--all"] if needs_all else command


def _how(request: Request, repeats: int, budget: Seconds) -> list[str]:
    """The flags that say how to measure; `repeats` and `budget` are the defaults of the command."""
    flags: list[str] = []
    counted = not (request.search or request.ends_once_sure)
    if counted and not (request.study and request.repeats == repeats):
        flags += ["--repeats", str(request.repeats)]
    if request.order_seed != 1:
        flags += _option("--order-seed", str(request.order_seed))
    if request.turns != TURNS:
        flags += _option("--turns", request.turns)
    if request.budget != budget:
        flags += _option("--budget", f"{request.budget:g}")
    if request.cluster:
        flags += _option("--cluster", request.cluster)
    if request.full and request.study:
        flags.append("--full")
    if request.why and (request.search or not (request.axes or request.study)):
        flags.append("--why")
    return [*flags, "--no-floor"] if _leaves_floor_out(request) else flags


def _leaves_floor_out(request: Request) -> bool:
    """Whether plain reads could be measured beside it, and are not."""
    from core.vocabulary import Workload  # which brings jobs along

    if request.floor or request.study:
        return not request.floor
    return type(request.declaration).floor is not Workload.floor


def _usual(request: Request) -> tuple[dict[str, Kind], dict[str, Value], int, Seconds]:
    """The parameters, their default values, and the default number of repeats and budget."""
    if request.study:
        from core.judge import load_study

        study = load_study(request.study)
        kinds = {kind.name: kind for kind in declared(Load)}
        usual = {name: kind.default for name, kind in kinds.items()} | study.base
        return kinds, usual, study.repeats, study.budget
    workload = request.declaration
    own = own_kinds(workload.parameters, request.values)
    load = load_kinds(workload.usual_load())
    kinds = {kind.name: kind for kind in (*own, *declared(workload.parameters), *load)}
    return kinds, {name: kind.default for name, kind in kinds.items()}, REPEATS, 0.0


def _with_own_written(request: Request) -> dict[str, Value]:
    """The fixed values; those of a command's own parameters are written into their text."""
    if request.study:
        return request.fixed
    parameters = request.declaration.parameters
    text = written_in(parameters)
    names = {kind.name for kind in (*declared(parameters), *declared(Load))}
    values = {name: value for name, value in request.fixed.items() if name in names}
    usual = {kind.name: kind.default for kind in own_kinds(parameters, request.values)}
    if words := [
        f"{name}={shlex.quote(str(value))}"
        for name, value in request.fixed.items()
        if name not in names and value not in ("", usual.get(name))
    ]:
        values[text] = " ".join(filter(None, [str(values.get(text, "")), *words]))
    return values


def _setting(kind: Kind, value: Value) -> list[str]:
    if isinstance(kind, Flag):
        return [kind.flag if value else kind.flag.replace("--", "--no-", 1)]
    return _option(kind.flag, written(kind, value))


def _option(flag: str, text: str) -> list[str]:
    # A value that begins with a dash would look like the next option.
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def _axes(request: Request, kinds: Mapping[str, Kind]) -> list[str]:
    """The axes as arguments; in a search `..` counts up, and is written only if it reads so."""
    counted = COUNTED if request.search else ()
    texts = {one.name: written_values(kinds[one.name], one.values, counted) for one in request.axes}
    plain = tuple(Axis(name, read_values(kinds[name], text)) for name, text in texts.items())
    if request.search and not msgspec.structs.replace(request, axes=plain).needs_search:
        texts = {one.name: written_list(kinds[one.name], one.values) for one in request.axes}
    return [f"{kinds[name].flag.removeprefix('--')}={text}" for name, text in texts.items()]
