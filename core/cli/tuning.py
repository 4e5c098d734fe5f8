"""`tune`: the best setting in far fewer trials than a full sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from core import registry
from core.cli.advising import limit_options, limits_from, print_advice, print_diagnosis, why_option
from core.cli.flags import options
from core.cli.running import MeasuringCommand, base_spec, common, execute, wishes_from
from core.errors import UsageError
from core.plan import Axis, Load, Plan, RunSpec

if TYPE_CHECKING:
    from core.advice import Advice
    from core.cancel import Cancel
    from core.diagnosis import Diagnosis
    from core.events import Event
    from core.parameters import Value
    from core.search import Terms
    from core.tuning import Search

_EACH = ("threads", "processes")
"""Of these every number in a range may be the best."""
_LEAST_BUDGET = 24


class TuneGroup(click.Group):
    """One subcommand per workload, its flags made from the workload's declaration."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all workloads."""
        return list(registry.workloads())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of workloads, without importing them."""
        with formatter.section("Workloads"):
            formatter.write_dl(
                [(entry.name, entry.purpose) for entry in registry.workloads().values()]
            )

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of a workload; raises UnknownName, Unavailable."""
        workload = registry.workload(name)
        run = [option for option in common(1) if option.name not in ("repeats", "order_seed")]
        axes = click.Argument(["axes"], nargs=-1, metavar="[threads=LOW..HIGH] [NAME=VALUES]")
        entry = registry.workloads().get(name)
        return MeasuringCommand(
            {
                "": [axes],
                "Workload": [*options(workload.parameters)],
                "Load": [*options(Load)],
                "Search": _search_options(),
                "Advice": [*limit_options(), why_option()],
                "Run": run,
            },
            name=name,
            callback=_tune,
            help=f"{entry.purpose if entry else name}\n\n{_ABOUT}",
            epilog=_examples(name),
        )


_ABOUT = """Searches the number of threads (every number of a range may be the answer; by default 1 to
four times the cores) and, if you like, the values of one more parameter. It measures a coarse
ladder, then where something better could hide, then confirms; it stops when more trials would not
change the answer. Ctrl+C keeps what was measured and gives the best answer so far."""


def _examples(name: str) -> str:
    return f"""\b
Examples:
  python -m core tune {name} --dataset DATA
  python -m core tune {name} threads=1..32 processes=1,2,4 --dataset DATA
  python -m core tune {name} threads=1..16 --duration 1s --most-memory 2GiB --most-p99 50ms"""


def _search_options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--budget"],
            type=click.IntRange(1, 10_000),
            help="Most trials.  [default: half of the full sweep's]",
        ),
        click.Option(
            ["--near"],
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=0.05,
            show_default=True,
            help="The fewest threads within this share of the best are preferred.",
        ),
        click.Option(
            ["--search-seed"],
            type=int,
            default=1,
            show_default=True,
            help="Seed of the order of the trials.",
        ),
    ]


tune = TuneGroup(
    name="tune",
    help="Find the best setting of a workload in far fewer trials than a full sweep.",
    epilog="\b\nExample:\n  python -m core tune fasta threads=1..16 cache=none,lru-locked",
)


@click.pass_context
def _tune(ctx: click.Context, /, axes: tuple[str, ...], **values: Any) -> int:
    from core.environment import describe_environment
    from core.events import Advised, Diagnosed
    from core.search import Terms
    from core.tuning import tune as search_for

    limits, why = limits_from(values), values.pop("why")
    budget, near, seed = (values.pop(name) for name in ("budget", "near", "search_seed"))
    wishes = wishes_from(values | {"repeats": 1, "order_seed": seed})
    threads, second = _axes(ctx.info_name or "", axes)
    terms = Terms(
        limits=limits, near=near, budget=budget or _half_a_sweep(threads, second), seed=seed
    )
    search = _search(base_spec(ctx, values, wishes), threads, second, terms)
    search = replace(search, beside=_beside(search, floor=wishes.floor, why=why))
    advice: list[Advice] = []
    diagnoses: list[Diagnosis] = []

    def engine(plan: Plan, cancel: Cancel) -> Iterator[Event]:
        for event in search_for(search, describe_environment(), cancel):
            if isinstance(event, Advised):
                advice.append(event.advice)
            elif isinstance(event, Diagnosed):
                diagnoses.append(event.diagnosis)
            yield event

    try:
        execute(search.plan, wishes, engine)
    finally:  # execute leaves by sys.exit when it was interrupted
        if advice and not wishes.json:
            print_advice(advice[0])
            for found in diagnoses:
                print_diagnosis(found, whole=why)
    return 0 if advice and advice[0].values else 1


def _axes(name: str, written: Sequence[str]) -> tuple[Axis, Axis | None]:
    """Threads, and the one other axis; raises UsageError."""
    from core.planning import axis

    workload = registry.workload(name)
    given = {one.name: one for one in (axis(text, workload, every=_EACH) for text in written)}
    threads = given.pop("threads", None) or axis(f"threads=1..{_most_threads()}", workload, _EACH)
    if len(given) > 1:
        raise UsageError(
            f"a search goes over threads and one more parameter, not over {', '.join(given)}",
            "set the others with their flags, or use sweep",
        )
    return threads, next(iter(given.values()), None)


def _most_threads() -> int:
    from core.environment import describe_environment

    return max(8, round(4 * describe_environment().usable_cores))


def _half_a_sweep(threads: Axis, second: Axis | None) -> int:
    from core.tuning import SWEEP_REPEATS

    settings = len(threads.values) * (len(second.values) if second else 1)
    return max(_LEAST_BUDGET, SWEEP_REPEATS * settings // 2)


def _search(base: RunSpec, threads: Axis, second: Axis | None, terms: Terms) -> Search:
    from core.tuning import Search

    workload = registry.workload(base.workload)
    search = Search(
        title=f"tune {base.workload}",
        base=base,
        parameters=workload.parameters,
        threads=threads,
        second=second,
        terms=terms,
    )
    return _possible(search)


def _beside(search: Search, *, floor: bool, why: bool) -> dict[str, tuple[RunSpec, ...]]:
    """What is measured with the chosen setting to explain it, whichever that will be."""
    from core.diagnosis import probe
    from core.planning import floors

    return {
        spec.digest: (*(floors([spec]) if floor else ()), *(probe(spec) if why else ()))
        for spec in search.settings.values()
    }


def _possible(search: Search) -> Search:
    """Without the values of the second axis that cannot be combined with the rest; tells of them.

    Raises InvalidParameter or Unavailable where nothing is left.
    """
    from core.errors import InvalidParameter, Unavailable
    from core.planning import admit

    kept: list[Value] = []
    reasons: dict[str, InvalidParameter | Unavailable] = {}
    for value in search.second.values if search.second else ():
        alone = replace(search, second=Axis(search.varied[1], (value,)))
        try:
            for spec in alone.settings.values():
                admit(spec)
        except (InvalidParameter, Unavailable) as reason:
            reasons[str(reason)] = reason
        else:
            kept.append(value)
    if search.second is None:
        for spec in search.settings.values():
            admit(spec)
        return search
    if not kept:
        raise next(iter(reasons.values()))
    for text in reasons:
        click.echo(f"left out: {text}", err=True)
    return replace(search, second=Axis(search.second.name, tuple(kept)))
