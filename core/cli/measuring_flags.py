"""The flags of `measure` and `study`: they become one request and an output for its results."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from core.catalog.parameters import Real
from core.cli.flags import PLACE, Declared, whole
from core.errors import UsageError
from core.execution.admission import CLUSTER, CLUSTER_FLAG, CLUSTER_HELP
from core.execution.request import Request
from core.host.other_programs import QUIET, QUIET_FOR
from core.language.units import Seconds
from core.plan.limits import EFFORT, REPEATS
from core.plan.schedule import TURNS, WAYS

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


WAIT = Real(
    name="wait_quiet",
    default=0.0,
    low=0,
    high=7 * 86_400,
    unit="seconds",
    help=f"Longest wait until other programs take less than {QUIET:.0%} of the cores for "
    f"{QUIET_FOR:.0f} s. Then it measures anyway. 0 = no wait.",
)
WAIT_SETTINGS: Mapping[str, Any] = {
    "type": Declared(WAIT),
    "metavar": "TIME",
    "default": WAIT.default,
    "help": f"{WAIT.help}  [default: {WAIT.show(WAIT.default)}]",
}

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
        """As click does it; a word too many is refused with the flag that takes it."""
        rest = super().parse_args(ctx, args)
        words = [word for word in (ctx.params.get("axes") or ()) if "=" not in word] + rest
        if words and not ctx.resilient_parsing:
            raise UsageError(f"unexpected argument {words[0]!r}", self._remedy(words[0], ctx))
        return rest

    def _remedy(self, word: str, ctx: click.Context) -> str:
        flags = [flag for param in self.params for flag in param.opts]
        name, sign, value = word.partition("=")
        flag = f"--{name.replace('_', '-')}"
        if sign and flag in flags:
            return f"write {flag} {shlex.quote(value)}"
        if flag in flags:
            return f"write {flag} VALUE"
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


def taken_over(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the parsed options that are given and are fields of a request."""
    return {name: values[name] for name in _TAKEN_OVER if values.get(name) is not None}


def strict_option() -> click.Parameter:
    """The option for pipelines, of commands that several settings answer together."""
    return click.Option(
        ["--strict"],
        is_flag=True,
        help="Exit with 1 if any setting has wrong data or errors, or cannot be measured. Without it, one valid setting is enough for 0.",
    )


def run_options(
    repeats: int = REPEATS, budget: Seconds = float(EFFORT.budget.default)
) -> list[click.Parameter]:
    """Where, how often and in which order to measure, and where results go.

    `repeats`, `budget`: what is meant where a user gives none.
    """
    return [
        click.Option(
            ["--dataset"],
            type=PLACE,
            help="File or folder to measure on.  [default: a generated sample]",
        ),
        click.Option(
            ["--repeats"],
            type=click.IntRange(1, EFFORT.repeats.high),
            metavar="N",
            help=f"{EFFORT.repeats.help}  [default: {repeats}]",
        ),
        click.Option(
            ["--budget"],
            type=Declared(EFFORT.budget),
            metavar="TIME",
            help=f"{EFFORT.budget.help}  [default: {EFFORT.budget.show(budget)}]",
        ),
        click.Option(
            ["--turns"],
            type=click.Choice(WAYS),
            default=TURNS,
            show_default=True,
            help="auto: settings take turns of about 0.1 s where they can. off: one whole trial runs after the other.",
        ),
        click.Option(
            ["--order-seed"],
            type=whole("order_seed"),
            metavar="N",
            default=1,
            show_default=True,
            help="Seed for the order of trials.",
        ),
        click.Option(["--floor/--no-floor"], default=True, help=EFFORT.floor.help),
        click.Option(
            [CLUSTER_FLAG],
            metavar="ADDRESS",
            default="",
            envvar=CLUSTER,
            show_envvar=True,
            help=CLUSTER_HELP,
        ),
        click.Option(
            ["--session"],
            type=PLACE,
            help="Session file to write, or to add to.  [default: a new one in your sessions folder]",
        ),
        click.Option(
            ["--json"], is_flag=True, help="Print each event as a line of JSON instead of a table."
        ),
        click.Option([WAIT.flag], **WAIT_SETTINGS),
    ]
