"""The commands that measure: they turn flags into one request and an output for its results."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.analysis.advice import THREADS
from core.analysis.limit_check import Allowance
from core.catalog import registry
from core.catalog.declarations import build, declared, values_of, written_in
from core.catalog.load import Load, load_kinds
from core.catalog.parameters import Value
from core.cli.flags import PLACE, Declared, given, options, options_for, whole
from core.cli.quiet_wait import wait_option
from core.errors import InvalidParameter, UsageError
from core.execution.admission import CLUSTER, CLUSTER_FLAG, CLUSTER_HELP
from core.execution.request import Request
from core.language.units import Seconds
from core.plan.limits import EFFORT, REPEATS, Effort
from core.plan.schedule import TURNS, WAYS

if TYPE_CHECKING:
    from core.catalog.workload import Workload
    from core.plan.sweep import Axis

type Sections = dict[str, list[click.Parameter]]

_TAKEN_OVER = (
    "dataset",
    "repeats",
    "order_seed",
    "floor",
    "turns",
    "budget",
    "cluster",
    "why",
    "full",
)
"""Options that set the field of the same name in a request."""


@dataclass(frozen=True, kw_only=True)
class Output:
    """Where results go: into which session, and to the terminal as a table or as JSON."""

    session: Path | None = None
    """None = a new one in the user's folder."""
    json: bool = False
    strict: bool = False
    """Whether every setting must be valid, also where the others answer the question."""
    wait_quiet: Seconds = 0.0
    """How long to wait for other programs, before it measures anyway."""
    everything: bool = False
    """Whether `measure` measures all combinations, however many they are."""


_OUTPUT = tuple(field.name for field in fields(Output))

type Measure = Callable[[Request, Output], int]


class MeasuringCommand(click.Command):
    """Turns its flags into a request and measures it; its help has a section per kind of flag."""

    def __init__(
        self,
        sections: Sections,
        read: Callable[[dict[str, Any]], Request],
        measure: Measure,
        **settings: Any,
    ) -> None:
        super().__init__(
            params=[param for params in sections.values() for param in params],
            callback=self._carry_out,
            context_settings={"allow_extra_args": True},
            **settings,
        )
        self._sections = sections
        self._measure = measure
        self.read = read
        """What the parsed flags ask for; raises UsageError."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it; what belongs to no flag is refused with the flag that takes it."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise UsageError(f"{rest[0]!r} belongs to no flag", self._remedy(rest[0], ctx))
        return rest

    def _remedy(self, word: str, ctx: click.Context) -> str:
        flags = [flag for param in self.params for flag in param.opts]
        name, sign, value = word.partition("=")
        flag = f"--{name.replace('_', '-')}"
        if sign and flag in flags:
            return f"write {flag} {shlex.quote(value)}"
        with suppress(OSError):  # no file has so long a name
            if "--dataset" in flags and Path(word).exists():
                return f"name the data with --dataset {shlex.quote(word)}"
        return f"see {ctx.command_path} --help"

    def _carry_out(self, /, **values: Any) -> int:
        output = Output(**{name: values.pop(name) for name in _OUTPUT if name in values})
        return self._measure(self.read(values), output)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One section per kind of option."""
        for title, params in self._sections.items():
            rows = [row for param in params if (row := param.get_help_record(ctx)) is not None]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


@dataclass(frozen=True, kw_only=True)
class Manner:
    """The differences between `run`, `sweep` and `tune`."""

    measure: Measure
    options: Callable[[], Sections]
    """The options besides those of the workload and of the load."""
    examples: str
    """`{name}` stands for the workload."""
    axes: Callable[[], list[click.Parameter]] = list
    about: str = ""
    tune: bool = False


class WorkloadGroup(click.Group):
    """One subcommand per workload, with flags made from the workload's declaration."""

    def __init__(self, manner: Manner, **settings: Any) -> None:
        super().__init__(**settings)
        self._manner = manner

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all workloads."""
        return list(registry.workloads())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of workloads, without importing them."""
        with formatter.section("Workloads"):
            formatter.write_dl(
                [(entry.name, entry.purpose) for entry in registry.workloads().values()]
            )

    def get_command(self, ctx: click.Context, name: str) -> MeasuringCommand:
        """The measuring command of a workload; raises UnknownName, Unavailable."""
        workload, manner = registry.load_workload(name), self._manner
        entry = registry.workloads().get(name)
        purpose = entry.purpose if entry else name
        return MeasuringCommand(
            {
                "Axes": manner.axes(),
                "Workload": [*options(workload.parameters)],
                "Load": _load_options(workload.usual_load(), tune=manner.tune),
                **manner.options(),
            },
            lambda values: requested(name, values, tune=manner.tune),
            manner.measure,
            name=name,
            help=f"{purpose}\n\n{manner.about}" if manner.about else purpose,
            epilog=f"\b\n{manner.examples.format(name=name)}",
        )


def requested(name: str, values: Mapping[str, Any], *, tune: bool = False) -> Request:
    """What the parsed flags of `run`, `sweep` or `tune` ask for; raises UsageError."""
    workload = registry.load_workload(name)
    chosen = given(values, workload.parameters) | given(values, Load)
    asked = workload.axes(values.get("axes", ()), search=tune)
    axes = _axes(workload, asked, chosen, tune=tune) if asked else ()
    if len({one.name for one in axes}) < len(axes):
        raise UsageError("an axis is given twice", "join its values: threads=1,2,4")
    request = Request(
        workload=name,
        tune=tune,
        values=chosen,
        axes=axes,
        terms=given(values, Effort) | given(values, Allowance),
        **taken_over(values),
    )
    _refuse_both(request)
    return request


def _axes(
    workload: Workload[Any], asked: Sequence[str], chosen: Mapping[str, Value], *, tune: bool
) -> tuple[Axis, ...]:
    from core.execution.admission import COUNTED
    from core.plan.sweep import axis

    every = COUNTED if tune else ()
    return tuple(axis(written, workload, every, chosen) for written in asked)


def _refuse_both(request: Request) -> None:
    """Raise UsageError if a flag sets what is varied: one of the two would be ignored."""
    axes = {axis.name for axis in request.axes}
    for name in axes & set(_own_values(request)):
        raise UsageError(
            f"the value of {name} and the axis {name}=… contradict each other",
            "leave one of them out",
        )
    for name, value in request.values.items():
        written = name.replace("_", "-")
        if name in axes:
            raise UsageError(
                f"--{written} and the axis {written}=… contradict each other",
                "leave one of them out",
            )
        if name in request.varied:
            raise UsageError(
                f"--{written} sets what tune searches",
                f"write {written}={value} to keep to it, or {written}=1..{value} to search up to it",
            )


def _own_values(request: Request) -> Mapping[str, Value]:
    """The values of own parameters that are written in one text; none if it is not readable."""
    parameters = registry.load_workload(request.workload).parameters
    name = written_in(parameters)
    if not request.values.get(name):
        return {}
    declared_ones = {kind.name for kind in declared(parameters)}
    found: Mapping[str, Value] = {}
    with suppress(InvalidParameter):  # that is said where the request is specified
        found = values_of(build(parameters, {name: request.values[name]}))
    return {name: value for name, value in found.items() if name not in declared_ones}


def _load_options(usual: Mapping[str, Value], *, tune: bool) -> list[click.Parameter]:
    """The options of the load; a search hides the one that it refuses."""
    found = options_for(load_kinds(usual))
    for option in found:
        option.hidden = tune and option.name == THREADS
    return [*found]


def taken_over(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the parsed options that are fields of a request."""
    return {name: values[name] for name in _TAKEN_OVER if name in values}


def dataset_option() -> click.Parameter:
    """The option for the data to measure on."""
    return click.Option(
        ["--dataset"],
        type=PLACE,
        help="File or folder to measure on.  [default: a generated sample]",
    )


def block_options(repeats: int = REPEATS) -> list[click.Parameter]:
    """How often to measure, and in which order; a search does not have these options."""
    return [
        click.Option(
            ["--repeats"],
            type=click.IntRange(1, EFFORT.repeats.high),
            metavar="N",
            default=repeats,
            show_default=True,
            help=EFFORT.repeats.help,
        ),
        click.Option(
            ["--order-seed"],
            type=whole("order_seed"),
            metavar="N",
            default=1,
            show_default=True,
            help="Seed of the order of the trials.",
        ),
    ]


def strict_option() -> click.Parameter:
    """The option for pipelines, of commands that several settings answer together."""
    return click.Option(
        ["--strict"],
        is_flag=True,
        help="Exit with 1 if any setting has wrong data or errors, or cannot be measured. Otherwise the other settings are enough for 0.",
    )


def turns_option() -> click.Parameter:
    """The option for turns, for the commands that measure blocks of settings."""
    return click.Option(
        ["--turns"],
        type=click.Choice(WAYS),
        default=TURNS,
        show_default=True,
        help="auto: settings take turns of about 0.1 s where they can. off: one whole trial runs after the other.",
    )


def cluster_option() -> click.Parameter:
    """The option for measuring on the nodes of a cluster."""
    return click.Option(
        [CLUSTER_FLAG],
        metavar="ADDRESS",
        default="",
        envvar=CLUSTER,
        show_envvar=True,
        help=CLUSTER_HELP,
    )


def budget_option(
    help: str = EFFORT.budget.help, default: Seconds = float(EFFORT.budget.default)
) -> click.Parameter:
    """The option for the time in which questions are to be answered."""
    return click.Option(
        [EFFORT.budget.flag],
        type=Declared(EFFORT.budget),
        metavar="TIME",
        default=default,
        help=f"{help}  [default: {EFFORT.budget.show(default)}]",
    )


def output_options() -> list[click.Parameter]:
    """Where results go, whether they include those of the bare files, and when it begins."""
    return [
        click.Option(
            ["--session"],
            type=PLACE,
            help="Session file to write, or to add to.  [default: a new one in your sessions folder]",
        ),
        click.Option(["--floor/--no-floor"], default=True, help=EFFORT.floor.help),
        click.Option(
            ["--json"], is_flag=True, help="Print each event as a line of JSON, and no table."
        ),
        wait_option(),
    ]


def run_options(
    repeats: int = REPEATS, budget: Seconds = float(EFFORT.budget.default)
) -> list[click.Parameter]:
    """The options of every command that measures blocks of settings."""
    return [
        dataset_option(),
        *block_options(repeats),
        *output_options(),
        turns_option(),
        cluster_option(),
        budget_option(default=budget),
    ]
