"""`study` and `studies`: published studies, repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from core.language import command_text, tr
from core.run import STUDY_ADJUSTABLE, Request
from core.tell.cli import ListedGroup
from core.tell.cli.flags import given, json_option, settings_of
from core.tell.cli.measure_command import MeasuringCommand, run_options, taken_over
from core.tell.cli.terminal import print_json, reported_on_terminal, say_on_stderr
from core.tell.cli.terminal_results import print_rows, print_study
from core.tell.cli.terminal_run import Output, carry_out, exit_code
from core.vocabulary import Load, declared

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.judge import Study
    from core.language import ReportProgress
    from core.vocabulary import ServerUse

    type Serve = Callable[[ServerUse, ReportProgress], object]


def _titles() -> dict[str, str]:
    from core.judge import load_study, study_names

    return {name: load_study(name).title for name in study_names()}


def _command(name: str) -> MeasuringCommand:
    """The command of one study; raises UnknownName."""
    from core.judge import load_study

    published = load_study(name)
    adjustable = [
        click.Option(
            [kind.flag], **settings_of(kind) | {"help": f"{kind.help}  [default: the study's]"}
        )
        for kind in declared(Load)
        if kind.name in STUDY_ADJUSTABLE
    ]
    source = "" if published.programs else f"\n\nSource: {published.source}."
    larger = click.Option(
        ["--full"],
        is_flag=True,
        help="Generate data as large as in the publication. `dataset make` says how large.",
    )
    run = run_options(published.repeats, published.budget) + [larger] * bool(published.full)
    return MeasuringCommand(
        {"Load": adjustable, "Run": run},
        lambda values: Request(
            study=name,
            values=given(values, Load),
            **{"repeats": published.repeats, "budget": published.budget} | taken_over(values),
        ),
        _study,
        name=name,
        help=f"{published.title}.\n\n{published.about}" + source,
        epilog=f"\b\nExamples:\n  python -m core study {name}\n  python -m core study {name} --dataset DATA",
    )


study = ListedGroup(
    _titles,
    _command,
    "Studies",
    name="study",
    help="Repeat a published study on your machine and check its claims.",
    epilog="\b\nExample:\n  python -m core study seqrepo-fd-cache --dataset /data/seqrepo/2024-12-20",
)


def _study(request: Request, output: Output) -> int:
    from core.judge import load_study
    from core.lab.server_offer import LocalServers

    published = load_study(request.study)
    start_servers(published, LocalServers().serve, quiet=output.json)
    done = carry_out(request, output)
    if not output.json and done.results:
        print_study(published, done.results)
    done.leave_if_interrupted()
    measured = tuple(published.results_by_label(done.results).values())
    return exit_code(measured, need_all=output.strict)


def start_servers(published: Study, serve: Serve, *, quiet: bool) -> None:
    """Start the lab's servers without which nothing of it can be measured; raises SluiceError."""
    with reported_on_terminal(quiet=quiet) as report:
        for use in published.lacking_servers():
            serve(use, report)
            say_on_stderr(
                tr(
                    "{server} runs until it is stopped: {command}",
                    server=use.server,
                    command=command_text("lab", "stop", use.server),
                )
            )


@click.command(
    "studies",
    help="List the published studies, and which of them can be repeated here.",
    epilog="\b\nExample:\n  python -m core studies --json",
)
@json_option
def studies(json: bool) -> None:
    from core.judge import FAMILIES, listing

    listed = listing()
    if json:
        print_json({"families": FAMILIES, "studies": listed})
        return
    rows = []
    for one in listed:
        missing = one.missing and f"not {'yet' if one.claims == 0 else 'here'}: {one.missing}"
        claims = str(one.claims) if one.claims else "–"
        rows.append((str(one.family or "–"), one.name, one.title, claims, missing))
    print_rows(("family", "study", "what it asks", "claims", ""), rows)
