"""Results on a terminal: tables, what to use, and what limits it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

from core.language import NOTHING, show_seconds, show_share, tr
from core.measure import is_bare, without_bare_files
from core.tell.cli.terminal import console, print_json, say, visible, width
from core.tell.tables.result_tables import has_too_few_trials, summarise
from core.tell.tables.table import Align, Table
from core.vocabulary import (
    Advised,
    Diagnosed,
    Event,
    MetricEstimate,
    Result,
    as_moments,
    describe_all,
    differing,
    item_of,
    label,
    registry,
)

if TYPE_CHECKING:
    from core.judge import Reproduction, Study
    from core.tell.card_values import Headline
    from core.tell.exchange.imported import Imported
    from core.vocabulary import Advice, AdviceLine, Diagnosis, Mood, RunSpec, Value

_MOST_COMPLAINTS = 3
_LONGEST_CELL = 500


def print_results(
    results: Sequence[Result], *, verdict: bool = False, best: Result | None = None
) -> None:
    """Print the summary of some results, against the best if it is given, and what went wrong.

    `verdict`: it follows, and says what went wrong where one result is all, and has no throughput.
    """
    from core.tell.card_text import on_servers

    table = summarise(results, reasons=False, best=best).with_units_above()
    _draw_table(_fitted(table, width()))
    measured = without_bare_files(results)
    names = differing([result.spec for result in measured])
    in_verdict = verdict and len(measured) == 1 and not measured[0].valid
    remarks = [_remarks(result, errors=not in_verdict) for result in measured]
    for sentence in on_servers(measured):
        say(sentence)
    few = Counter(len(one.finished_trials) for one in measured if has_too_few_trials(one))
    for trials, count in sorted(few.items()):
        which = f" ({count} of {len(measured)} settings)" if count < len(measured) else ""
        say(f"{MetricEstimate.missing_text(trials)}{which}")
    # What is true of all settings is said once.
    shared = (
        [one for one in remarks[0] if all(one in each for each in remarks)] if measured[1:] else []
    )
    for remark in shared:
        say(remark)
    for result in results:
        for remark in _remarks(result, errors=not in_verdict):
            if remark not in shared:
                say(f"{label(result.spec, names)}: {remark}")


def print_table(table: Table) -> None:
    """Print all columns of a table that hold anything."""
    for column in table.columns:
        if all(cell.text == NOTHING for cell in table.column(column.key)):
            table = table.without(column.key)
    _draw_table(table)


def print_rows(
    titles: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()
) -> None:
    """Print a table of plain texts; `right` holds the indices of right-aligned columns."""
    aligns: list[Align] = ["right" if index in right else "left" for index in range(len(titles))]
    _draw(list(zip(titles, aligns, strict=True)), rows)


def print_imported(results: Sequence[Imported]) -> None:
    """Print results of other programs; what has no figure has its reason instead."""
    percentiles = {"p50": "p50", "p99": "p99", "p999": "p99.9"}
    rows = []
    for one in results:
        values = one.values
        figures = [median(values), min(values), max(values)] if values else []
        numbers = [f"{value:,.0f}" if value >= 1e5 else f"{value:,.6g}" for value in figures]
        numbers = [str(len(values)), *numbers] if values else [NOTHING] * 4
        times = [
            show_seconds(one.latencies[name]) if name in one.latencies else NOTHING
            for name in percentiles
        ]
        ending = NOTHING if one.ending == "completed" else one.ending
        rows.append((one.label, one.source, *numbers, one.unit, *times, ending))
    titles = ["label", "written by", "values", "median", "least", "most", "per second"]
    titles += [*percentiles.values(), "ending"]
    # A column in which nothing is told is left out.
    used = [place for place in range(len(titles)) if {row[place] for row in rows} != {NOTHING}]
    right = [used.index(place) for place in range(2, len(titles) - 1) if place in used]
    print_rows(
        [titles[place] for place in used], [[row[place] for place in used] for row in rows], right
    )


def print_study(study: Study, results: Sequence[Result], *, answered: bool = False) -> None:
    """The study's table of published and measured figures side by side, and its judged claims.

    `answered`: its headline stands above already.
    """
    from core.judge import reproduction_of
    from core.tell.card_text import sum_up

    reproduction = reproduction_of(study, results)
    board = reproduction.board
    say()
    say(study.title)
    if not study.programs:
        say(f"Published: {study.source}; {study.machine}.")
    say()
    print_rows(board.titles, board.rows, right=range(1, len(board.titles) - 1))
    for remark in reproduction.remarks:
        say(remark)
    say()
    if not study.programs:
        _print_claims(reproduction)
    if not answered:
        measured = len(without_bare_files(results))
        show_headline(sum_up(results, measured, reproduction=reproduction), json=False)


def _print_claims(reproduction: Reproduction) -> None:
    rows = []
    for one in reproduction.judged:
        figures = (one.claim.text, one.claim.published, one.here, one.judgement.value)
        rows.append((*figures, one.size.value if one.size else "", one.reason))
    print_rows(("claim", "published", "here", "judgement", "size", ""), rows)


def _fitted(table: Table, room: int) -> Table:
    """The table without the dispensable columns that do not fit."""
    for spare in sorted((one for one in table.columns if one.spare), key=lambda one: one.spare):
        widths = (
            max(len(column.title), *(len(row[place].text) for row in table.rows), 0) + 3
            for place, column in enumerate(table.columns)
        )
        if sum(widths) <= room:
            break
        table = table.without(spare.key)
    return table


def _draw_table(table: Table) -> None:
    columns = [(column.title, column.align) for column in table.columns]
    _draw(columns, [[cell.text for cell in row] for row in table.rows])


def _draw(columns: Sequence[tuple[str, Align]], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for title, align in columns:
        table.add_column(Text(visible(title, _LONGEST_CELL)), justify=align)
    for row in rows:
        # The gate would do so too, but then no cell would be as wide as what it shows.
        table.add_row(*(Text(visible(text, _LONGEST_CELL)) for text in row))
    console(width=width()).print(table)


def _remarks(result: Result, *, errors: bool) -> list[str]:
    """What a table has no room for: the commonest errors, a page cache that was not cold, notes."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    notes: dict[str, None] = {}
    for trial in result.trials:
        for complaint in trial.complaints:
            counts[complaint.text] += complaint.count
            first.setdefault(complaint.text, complaint.first_item)
        if trial.proven_cold is False:
            notes["not proven cold"] = None
        notes |= dict.fromkeys(trial.notes)
        if item_of(trial.outcome):
            notes[describe_all(trial.outcome)] = None
    complaints = [
        f"{count:,} × {text}, first at {first[text]}"
        for text, count in counts.most_common(_MOST_COMPLAINTS if errors else 0)
    ]
    return [*complaints, *notes]


_COLOURS: Mapping[Mood, str] = {"good": "green", "open": "yellow", "bad": "red"}


def write_json(event: Event) -> None:
    print_json(event, enc_hook=as_moments)


def show_advice(results: Sequence[Result], terms: Mapping[str, Value], *, json: bool) -> None:
    """Print the card of a sweep, and one line on what limits it, or on each of its answers.

    The card says what to use if threads were varied, otherwise which setting was fastest.
    """
    from core.judge import advise_within
    from core.tell.card_text import sum_up
    from core.tell.checked import checked_in

    advice = advise_within(results, terms)
    if advice is None:
        show_headline(sum_up(results, len(without_bare_files(results)), terms), json=json)
    elif json:
        write_json(Advised(advice=advice))
    else:
        print_advice(advice, checked_in(results).text)
    if not json:
        print_account(results, advice, terms)
    if advice is not None and advice.lines:
        _show_diagnoses(results, advice.lines, json=json)
    else:
        show_diagnosis(results, advice.spec if advice else None, json=json)


def _show_diagnoses(results: Sequence[Result], lines: Sequence[AdviceLine], *, json: bool) -> None:
    """What limits the setting that is advised for each store, or whatever has an answer each."""
    from core.vocabulary import setting_of

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
    from core.judge import diagnose_all

    diagnosis = diagnose_all(results, chosen)
    if diagnosis is not None and json:
        write_json(Diagnosed(diagnosis=diagnosis))
    elif diagnosis is not None:
        print_diagnosis(diagnosis, whole=whole, of=of)


def print_diagnosis(diagnosis: Diagnosis, *, whole: bool = False, of: str = "") -> None:
    """Print one line; with `whole` also the evidence and what to do."""
    about = diagnosis.of if whole else of
    say(f"{about}: {diagnosis.sentence}" if about else diagnosis.sentence, bold=True)
    if not whole:
        return
    for text in diagnosis.evidence:
        say(f"  {text}")
    if diagnosis.advice:
        say(f"  so: {diagnosis.advice}")


def print_advice(advice: Advice, compared: str = "") -> None:
    """Print the sentence, and below it the reasons, the prices and the refused settings.

    `compared`: how much was, and with what.
    """
    from core.tell.card_text import doubts_text, headline_of
    from core.vocabulary import setting_of

    _print_lead(advice.sentence, headline_of(advice).mood)
    graded = advice.values and not advice.lines
    rows = [("grade", headline_of(advice).how_sure)] if graded else []
    rows += [("checked", compared)] if compared else []
    rows += [("but", doubts_text([doubt], advice.sentence)) for doubt in advice.doubts]
    rows += [("why", reason) for reason in advice.further_reasons]
    rows += [("figures", one.text) for one in advice.at_once]
    if advice.beside:
        rows.append(("next", "--wait-quiet 5min waits until other programs leave the cores alone"))
    if not advice.lines:  # or else they are about one of them only
        rows += [("against", rival.text) for rival in advice.rivals]
        rows.append(("shape", _shape(advice)))
        rows += [("price", step.sentence) for step in advice.steps]
    rows += [("refused", f"{setting_of(values)}: {why}") for values, why in advice.refused]
    if advice.trials_text:
        rows.append(("trials", advice.trials_text))
    previous = ""
    for name, text in rows:
        say(f"  {name if name != previous else '':<8} {text}")
        previous = name


def print_account(
    results: Sequence[Result], advice: Advice | None, terms: Mapping[str, Value]
) -> None:
    """Print which cores the runs of a program took, and what a thousand of them cost."""
    if not any(registry.runs_programs(one.spec.workload) for one in results):
        return
    from core.desk import chosen_result
    from core.judge import CoreAccount

    best = chosen_result(without_bare_files(results), advice)
    account = CoreAccount.of(best) if best is not None else None
    if account is None:
        return
    say(f"  cores    {account.text}")
    say(f"  each     {account.each_text}")
    say(f"  1,000    {account.cost_text(terms.get('price', ''))}")


def _shape(advice: Advice) -> str:
    shape = advice.shape
    if advice.law is not None:
        law = advice.law
        shape += f"; contention {show_share(law.contention.value)}"
        if law.contention.low is not None and law.contention.high is not None:
            shape += f" ({show_share(law.contention.low)} to {show_share(law.contention.high)})"
        if law.peak is not None:
            peak = tr("1 thread", "{count:,} threads", count=max(1, round(law.peak)))
            shape += f", the scalability law peaks at {peak}"
    return shape
