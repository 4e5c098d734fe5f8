"""`study` and `studies`: published studies, repeated."""

from __future__ import annotations

import sys
from typing import Any

import click

from core.cli.flags import Declared, given
from core.cli.running import MeasuringCommand, common, dataset_for, execute, wishes_from
from core.parameters import declared
from core.plan import Load, Plan

_ADJUSTABLE = ("duration", "warm_up", "page_cache", "seed", "operations")


class StudyGroup(click.Group):
    """One subcommand per study."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all studies."""
        from core.study import names

        return list(names())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The studies with their titles."""
        from core.study import load, names

        with formatter.section("Studies"):
            formatter.write_dl([(name, load(name).title) for name in names()])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of one study; raises UnknownName."""
        from core.study import load

        found = load(name)
        adjustable = [
            click.Option(
                [kind.flag],
                type=Declared(kind),
                default=None,
                help=f"{kind.help}  [default: the study's]",
            )
            for kind in declared(Load)
            if kind.name in _ADJUSTABLE
        ]
        return MeasuringCommand(
            {"Load": [*adjustable], "Run": common(found.repeats)},
            name=name,
            callback=_study,
            help=f"{found.title}.\n\n{found.about}\n\nSource: {found.source}.",
            epilog=f"\b\nExamples:\n  python -m core study {name}\n  python -m core study {name} --dataset DATA",
        )


study = StudyGroup(
    name="study",
    help="Repeat a published study on your machine and hold its claims against what is seen here.",
    epilog="\b\nExample:\n  python -m core study seqrepo-fd-cache --dataset /data/seqrepo/2024-12-20",
)


@click.pass_context
def _study(ctx: click.Context, /, **values: Any) -> int:
    from core.cli.tables import print_study
    from core.planning import floors
    from core.study import load

    wishes = wishes_from(values)
    found = load(ctx.info_name or "")
    dataset = dataset_for(found.workload, wishes)
    specs = found.specs(dataset, given(values, Load))
    extra = floors(list(specs.values())) if wishes.floor else ()
    plan = Plan(
        title=found.title,
        specs=(*specs.values(), *extra),
        repeats=wishes.repeats,
        seed=wishes.order_seed,
        study=found.name,
    )
    results = execute(plan, wishes)
    by_label = found.results_by_label(results)
    if not wishes.json:
        print_study(found, by_label)
    return 0 if any(result.valid for result in by_label.values()) else 1


@click.command(
    "studies",
    help="List the published studies that can be repeated here.",
    epilog="\b\nExample:\n  python -m core studies --json",
)
@click.option("--json", is_flag=True, help="Print as JSON.")
def studies(json: bool) -> None:
    """Print the table of studies."""
    from core.cli.tables import print_rows
    from core.study import load, names

    found = [load(name) for name in names()]
    if json:
        import msgspec

        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
        return
    print_rows(
        ("study", "what it asks", "claims"),
        [(one.name, one.title, str(len(one.claims))) for one in found],
    )
