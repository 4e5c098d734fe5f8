"""The card at the end of a sweep or a search: what to use, what it costs, what limits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from core.cli.terminal import say
from core.language.translation import tr

if TYPE_CHECKING:
    from core.analysis.advice import Advice, AdviceLine
    from core.analysis.diagnosis import Diagnosis
    from core.analysis.verdict import Mood
    from core.catalog.parameters import Value
    from core.output.card_values import Headline
    from core.plan.spec import RunSpec
    from core.result.result import Result

_COLOURS: Mapping[Mood, str] = {"good": "green", "open": "yellow", "bad": "red"}


def show_advice(results: Sequence[Result], terms: Mapping[str, Value], *, json: bool) -> None:
    """Print the card of a sweep, and one line on what limits it, or on each of its answers.

    The card says what to use if threads were varied, otherwise which setting was fastest.
    """
    from core.analysis.advisor import advise_within
    from core.output.card_text import sum_up
    from core.plan.floor import without_bare_files

    advice = advise_within(results, terms)
    if advice is None:
        show_headline(sum_up(results, len(without_bare_files(results)), terms), json=json)
    elif json:
        from core.cli.progress_output import write_json
        from core.execution.events import Advised

        write_json(Advised(advice=advice))
    else:
        print_advice(advice)
    if advice is not None and advice.lines:
        _show_diagnoses(results, advice.lines, json=json)
    else:
        show_diagnosis(results, advice.spec if advice else None, json=json)


def _show_diagnoses(results: Sequence[Result], lines: Sequence[AdviceLine], *, json: bool) -> None:
    """What limits the setting that is advised for each store, or whatever has an answer each."""
    from core.analysis.advice import setting_of
    from core.plan.floor import is_bare

    for line in lines:
        if (spec := line.advice.spec) is not None:
            of_line = line.values.items()
            beside = [one for one in results if of_line <= one.spec.values.items() or is_bare(one)]
            show_diagnosis(beside, spec, of=setting_of(line.values), json=json)


def show_headline(headline: Headline, *, json: bool) -> None:
    """Print a headline in the colour of its mood, and its detail below it.

    JSON does not need it: the other lines hold everything that the headline is made from.
    """
    if json:
        return
    _print_lead(headline.text, headline.mood)
    if headline.detail:
        say(f"  {headline.detail}")


def _print_lead(text: str, mood: Mood) -> None:
    say(text, bold=True, colour=_COLOURS[mood])


def show_diagnosis(
    results: Sequence[Result],
    chosen: RunSpec | None,
    *,
    whole: bool = False,
    of: str = "",
    json: bool,
) -> None:
    """Print what limits the chosen setting, or the fastest if none is chosen.

    `of`: which of several answers it belongs to.
    """
    from core.analysis.diagnosis import diagnose_all

    found = diagnose_all(results, chosen)
    if found is not None and json:
        from core.cli.progress_output import write_json
        from core.execution.events import Diagnosed

        write_json(Diagnosed(diagnosis=found))
    elif found is not None:
        print_diagnosis(found, whole=whole, of=of)


def print_diagnosis(found: Diagnosis, *, whole: bool = False, of: str = "") -> None:
    """Print one line; with `whole` also the evidence and what to do."""
    about = found.of if whole else of
    say(f"{about}: {found.sentence}" if about else found.sentence, bold=True)
    if not whole:
        return
    for text in found.evidence:
        say(f"  {text}")
    if found.advice:
        say(f"  so: {found.advice}")


def why_option() -> click.Parameter:
    """The option for the probes that distinguish a lock from a device."""
    return click.Option(
        ["--why"],
        is_flag=True,
        help="Also measure one thread, and processes instead of threads, and say what limits the speed.",
    )


def print_advice(advice: Advice) -> None:
    """Print the sentence, and below it the reasons, the prices and the refused settings."""
    from core.analysis.advice import setting_of
    from core.output.card_text import headline_of

    _print_lead(advice.sentence, headline_of(advice).mood)
    graded = advice.values and not advice.lines and not advice.untellable
    rows = [("grade", advice.grade.text)] if graded else []
    rows += [("but", doubt.full_text) for doubt in advice.doubts]
    rows += [("why", reason) for reason in advice.further_reasons]
    if advice.untellable:
        rows.append(("next", "--wait-quiet 5min waits until other programs leave the cores alone"))
    if not advice.lines:  # or else they are about one of them only
        rows += [("against", rival.text) for rival in advice.rivals]
        rows.append(("shape", _shape(advice)))
        rows += [("price", step.sentence) for step in advice.steps]
    rows += [("refused", f"{setting_of(values)}: {why}") for values, why in advice.refused]
    if advice.trials_text:
        rows.append(("trials", advice.trials_text))
    said = ""
    for name, text in rows:
        say(f"  {name if name != said else '':<8} {text}")
        said = name


def _shape(advice: Advice) -> str:
    from core.language.units import show_share

    told = advice.shape
    if advice.law is not None:
        law = advice.law
        told += f"; contention {show_share(law.contention.value)}"
        if law.contention.low is not None and law.contention.high is not None:
            told += f" ({show_share(law.contention.low)} to {show_share(law.contention.high)})"
        if law.peak is not None:
            peak = tr("1 thread", "{count:,} threads", count=max(1, round(law.peak)))
            told += f", the scalability law peaks at {peak}"
    return told
