"""`measure`: what varies is measured against each other, in the way that suits it.

Its flags, most of which `study` has too, become one request and an output for its results.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.judge import Allowance, limit_terms
from core.language import InvalidParameter, Seconds, SluiceError, UsageError
from core.measure import cancelled_by_signal, expanded, without_bare_files
from core.run import (
    CLUSTER,
    CLUSTER_FLAG,
    CLUSTER_HELP,
    COUNTED,
    MOST_COMBINATIONS,
    Request,
    way_to_measure,
)
from core.tell.cli import ListedGroup
from core.tell.cli.flags import PLACE, given, options, options_for, settings_of, whole
from core.tell.cli.terminal import reported_on_terminal, say, say_on_stderr
from core.tell.cli.terminal_results import (
    print_account,
    print_advice,
    print_diagnosis,
    show_advice,
    show_diagnosis,
    show_headline,
)
from core.tell.cli.terminal_run import WAIT, Output, carry_out, dataset_for, exit_code
from core.vocabulary import (
    EFFORT,
    MOST_REPEATS,
    REPEATS,
    TURNS,
    WAYS,
    Axis,
    Effort,
    Load,
    Prices,
    Value,
    axis,
    build,
    declared,
    load_kinds,
    registry,
    values_of,
    written_in,
)

if TYPE_CHECKING:
    from core.vocabulary import Workload

_TAKEN_OVER = (
    "dataset", "repeats", "order_seed", "floor", "turns", "budget", "cluster", "why", "full"
)  # fmt: skip
"""Options that set the field of the same name in a request."""

_ABOUT = f"""What is given several values is varied. One value of each measures that setting. Up to {MOST_COMBINATIONS}
combinations are all measured, fewer where the budget is short. Of more, the best number of threads
is searched, with at most one more parameter. The first line says which it is, and how long it takes.

Trials are short, and a setting that can no longer be the answer is not measured again. It ends once
the answer is sure. --repeats and --budget say otherwise.

A search measures a few settings, then those near the best, until more trials would not change the
answer. Any number in a range of threads or processes may be the answer. Of the settings that are as
good as the best it advises the one that takes the least memory, open files and threads.

Settings take turns of about 0.1 s, so that what disturbs the machine disturbs all alike. Ctrl+C keeps
what was measured."""

_EXAMPLES = """NAME=VALUES is threads=1,2,4,8 or threads=1..8 (doubling where the parameter is logarithmic).
Examples:
  python -m core measure {name}
  python -m core measure {name} --dataset DATA --threads 4 --page-cache cold --repeats 5
  python -m core measure {name} threads=1..8 --dataset DATA --wait-quiet 5min
  python -m core measure {name} threads=1..64 processes=1..16 --dataset DATA --budget 2min
  python -m core measure {name} threads=1..8 --most-memory 2GiB --json > events.jsonl"""


class MeasuringCommand(click.Command):
    """Turns its flags into a request and measures it; its help has a section per kind of flag."""

    def __init__(
        self,
        sections: Mapping[str, Sequence[click.Parameter]],
        read: Callable[[dict[str, Any]], Request],
        measure: Callable[[Request, Output], int],
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
        extra = super().parse_args(ctx, args)
        words = [word for word in (ctx.params.get("axes") or ()) if "=" not in word] + extra
        if words and not ctx.resilient_parsing:
            raise UsageError(f"unexpected argument {words[0]!r}", self._remedy(words[0], ctx))
        return extra

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
        output = Output(**{one.name: values.pop(one.name) for one in fields(Output)})
        trying = values.pop("once", False)
        request = self.read(values)
        return _try_once(request, output) if trying else self._measure(request, output)

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


_REPEATS_UNTIL_SURE = (
    f"{EFFORT.repeats.help}  [default: as many as the answer takes, at most {MOST_REPEATS}]"
)


def run_options(
    repeats: int = REPEATS, budget: Seconds = float(EFFORT.budget.default), repeats_help: str = ""
) -> list[click.Parameter]:
    """How to measure, and where results go; `repeats`, `budget`: where a user gives none."""
    effort = settings_of(replace(EFFORT.repeats, default=repeats))
    return [
        click.Option(
            ["--dataset"],
            type=PLACE,
            help="File or folder to measure on.  [default: a generated sample]",
        ),
        click.Option(
            [EFFORT.repeats.flag], **effort | ({"help": repeats_help} if repeats_help else {})
        ),
        *options_for([replace(EFFORT.budget, default=budget)]),
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
        *output_options(),
    ]


def output_options() -> list[click.Parameter]:
    """Where results go."""
    return [
        click.Option(
            ["--session"],
            type=PLACE,
            help="Session file to write, or to add to; one that somebody else has begun stays as it is.  "
            "[default: a new one in your sessions folder]",
        ),
        click.Option(
            ["--json"], is_flag=True, help="Print each event as a line of JSON instead of a table."
        ),
        click.Option(
            ["--yes"],
            is_flag=True,
            help="Agree to what a server of your own will be asked, however many requests these are.",
        ),
        click.Option(
            ["--export-json"],
            type=PLACE,
            help="File to write too: the results as hyperfine's --export-json has them.",
        ),
        click.Option([WAIT.flag], default=WAIT.default, **settings_of(WAIT)),
        click.Option(
            ["--strict"],
            is_flag=True,
            help="Exit with 1 if any setting has wrong data or errors, or cannot be measured. Without it, one valid setting is enough for 0.",
        ),
    ]


def _command(name: str) -> click.Command:
    if Request.is_hyperfine(name):
        from core.tell.cli.hyperfine_command import HyperfineCommand

        return HyperfineCommand(name, measured, output_options())
    workload = Request(workload=name).declaration
    return MeasuringCommand(
        {
            "Axes": [click.Argument(["axes"], nargs=-1, metavar="[NAME=VALUES]...")],
            "Workload": [*_program_options(workload), *options(workload.parameters, are_axes=True)],
            "Load": options_for(load_kinds(workload.usual_load()), are_axes=True),
            "Run": [
                *run_options(repeats_help=_REPEATS_UNTIL_SURE),
                click.Option(
                    ["--all", "everything"],
                    is_flag=True,
                    help="Measure all combinations, however many, and search nothing.",
                ),
            ],
            "Advice": [
                *options(Allowance),
                *options(Effort),
                *options_for(Prices.meant_for(name)),
                click.Option(
                    ["--why"],
                    is_flag=True,
                    help="Also measure one thread, and processes instead of threads, and say what limits the speed.",
                ),
            ],
        },
        lambda values: requested(name, values),
        measured,
        name=name,
        help=f"{registry.purpose_of(name)}\n\n{_ABOUT}",
        epilog=f"\b\n{_EXAMPLES.format(name=name)}",
    )


def _program_options(workload: Workload[Any]) -> list[click.Parameter]:
    """For any program: one that somebody has tried, and to try it oneself."""
    if "run" not in workload.important:
        return []
    return [
        click.Option(
            ["--preset"],
            metavar="NAME",
            help="A program with its usual flags, such as samtools-sort; `python -m core list` names all. Other flags count more, and without an axis it measures 1, 2, 4 and 8 threads.",
        ),
        click.Option(
            ["--try", "once"],
            is_flag=True,
            help="Run it once with the first value of each axis, measure nothing, and show its output, its exit code and the files in {out}.",
        ),
    ]


def _with_workload(words: list[str]) -> list[str]:
    """The words, where data or an address stands first, with its workload in that place."""
    if "://" not in words[0] and not expanded(words[0]).exists():
        return words
    from core.tell.cli.place_question import question_of_place

    return question_of_place(words)


measure = ListedGroup(
    lambda: {entry.name: entry.purpose for entry in registry.workloads().values()},
    _command,
    "Workloads",
    _with_workload,
    name="measure",
    help="Measure one setting, or settings against each other.",
    epilog="\b\nExamples:\n  python -m core measure fasta threads=1..16 cache=none,lru-locked --budget 60s"
    "\n  python -m core measure genome.fa"
    "\n  python -m core measure hyperfine -P threads 1 8 'zstd -T{threads} -k -f FILE'",
)


def measured(request: Request, output: Output) -> int:
    """Measure, and say what it shows; the exit code."""
    if request.search:
        return _measure_search(request, output)
    done = carry_out(request, output)
    done.leave_if_interrupted()
    if request.axes:
        show_advice(done.results, request.terms, json=output.json)
        return exit_code(done.results, need_all=output.strict)
    from core.tell.card_text import sum_up

    spec = done.task.plan.specs[0]
    own = [one for one in done.results if one.spec.digest not in done.task.beside]
    show_headline(sum_up(own, len(without_bare_files(own))), json=output.json)
    if not output.json:
        print_account(own, None, request.terms)
    show_diagnosis(done.results, spec, whole=request.why, json=output.json)
    return exit_code(done.results, need_all=True)


def _try_once(request: Request, output: Output) -> int:
    with cancelled_by_signal() as stop:
        try:
            dataset = dataset_for(request, quiet=output.json)
            with reported_on_terminal(quiet=output.json) as report:
                shown = request.try_once(dataset, stop.cancel, report)
        except SluiceError:
            if not stop.by:
                raise
            say_on_stderr("interrupted; nothing was measured")
            return stop.code
    for line in shown.splitlines():
        say(line)
    return 0


def _measure_search(request: Request, output: Output) -> int:
    done = carry_out(request, output)
    advice, diagnosis = done.run.advice, done.run.diagnosis
    if advice is not None and not output.json:
        print_advice(advice)
        print_account(done.results, advice, request.terms)
    if diagnosis is not None and not output.json:
        print_diagnosis(diagnosis, whole=request.why)
    done.leave_if_interrupted()
    if advice is None or not advice.values:
        return exit_code(done.results, need_all=True) or 1
    return exit_code(done.results, need_all=True) if output.strict else 0


def requested(name: str, values: Mapping[str, Any]) -> Request:
    """What the parsed flags ask for, and how it is measured; raises UsageError."""
    everything = bool(values.get("everything"))
    workload = Request(workload=name).declaration
    chosen = given(values, workload.parameters) | given(values, Load)
    usual: Sequence[str] = ()
    if values.get("preset"):
        preset = Request.of_preset(values["preset"])
        chosen = {**preset.values, **chosen}
        usual = [
            f"{one.name}={','.join(map(str, one.values))}"
            for one in preset.axes
            if one.name not in chosen
        ]

    def varying(*, search: bool) -> Request:
        """In a search a range of threads counts up, and own placeholders are one axis."""
        every, written = COUNTED if search else (), values.get("axes") or usual
        axes = tuple(
            axis(one, workload, every, chosen)
            for one in workload.axes(written, search=search, values=chosen)
        )
        axes, fixed = _with_own_values(workload, axes, chosen)
        _refuse_both(workload, axes, fixed)
        return Request(
            workload=name,
            values=fixed,
            axes=axes,
            terms=given(values, Effort) | given(values, Allowance) | given(values, Prices),
            until_sure=values.get("repeats") is None,
            **taken_over(values),
        )

    plain = varying(search=False)
    request = way_to_measure(plain, everything=everything)
    if not everything and plain.needs_search:
        searched = way_to_measure(varying(search=True))
        request = searched if searched.search else request
    _refuse_senseless(request, repeats=values.get("repeats") is not None)
    return request


def _with_own_values(
    workload: Workload[Any], axes: tuple[Axis, ...], chosen: Mapping[str, Value]
) -> tuple[tuple[Axis, ...], dict[str, Value]]:
    """The axes and the other values; an axis of the text of own values takes in a given text."""
    name = written_in(workload.parameters)
    if not (chosen.get(name) and any(one.name == name for one in axes)):
        return axes, {**chosen}
    joined = (
        Axis(name, tuple(f"{value} {chosen[name]}" for value in one.values))
        if one.name == name
        else one
        for one in axes
    )
    return tuple(joined), {other: value for other, value in chosen.items() if other != name}


def _refuse_both(
    workload: Workload[Any], axes: tuple[Axis, ...], chosen: Mapping[str, Value]
) -> None:
    """Raise UsageError for an axis that is given twice, or that a flag sets: one has no effect."""
    names = [one.name for one in axes]
    if len({*names}) < len(names):
        raise UsageError("an axis is given twice", "join its values: threads=1,2,4")
    own = _own_values(workload, chosen)
    for name in names:
        if name in chosen or name in own:
            flag = f"--{name.replace('_', '-')}" if name in chosen else f"the value of {name}"
            raise UsageError(
                f"{flag} and the axis {name.replace('_', '-')}=… contradict each other",
                "leave one of them out",
            )


def _own_values(workload: Workload[Any], chosen: Mapping[str, Value]) -> Mapping[str, Value]:
    """The values of own parameters that are written in one text; none if it is not readable."""
    name = written_in(workload.parameters)
    if not chosen.get(name):
        return {}
    declared_ones = {kind.name for kind in declared(workload.parameters)}
    values: Mapping[str, Value] = {}
    with suppress(InvalidParameter):  # that is said where the request is specified
        values = values_of(build(workload.parameters, {name: chosen[name]}))
    return {name: value for name, value in values.items() if name not in declared_ones}


def _refuse_senseless(request: Request, *, repeats: bool) -> None:
    """Raise UsageError for an option that means nothing in the way this is measured."""
    if request.search:
        if repeats:
            raise UsageError(
                "--repeats means nothing here: a search measures each setting as often as it has to",
                "leave --repeats out, or measure all combinations with --all",
            )
        return
    terms = {kind.name for kind in request.known_terms}
    for kind in limit_terms(search=True):
        if kind.name not in request.terms or kind.name in terms:
            continue
        if request.axes:
            count = prod(len(one.values) for one in request.axes)
            raise UsageError(
                f"{kind.flag} means nothing here: nothing is searched, all {count} combinations are"
                " measured",
                f"leave {kind.flag} out, or give more values",
            )
        raise UsageError(
            f"{kind.flag} means nothing here: one setting is measured, and there is no choice",
            f"leave {kind.flag} out, or vary something: threads=1..8",
        )
    if request.why and request.axes:
        raise UsageError(
            "--why means nothing here: it explains one setting, and several are measured",
            "leave --why out; `show last --why` explains the answer",
        )
