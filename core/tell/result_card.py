"""Makes the card of a run's results.

Its figures are of one setting, the one advised or the fastest; its badges are about all that was
measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec

from core.desk import chosen_result
from core.judge import (
    CoreAccount,
    Reproduction,
    disturbances,
    floor_shares,
    names_among,
    open_files_allowed,
    told_estimate,
    typical,
)
from core.language import (
    SluiceError,
    capitalised,
    one_line,
    show,
    show_count,
    show_estimate,
    show_ratio,
    show_share,
    tr,
    tr_word,
)
from core.measure import RAW, is_bare, without_bare_files
from core.run import Request, Run
from core.tell.card_text import Answer, on_servers
from core.tell.card_values import (
    Badge,
    CardFigure,
    Checked,
    Headline,
    ResultCard,
    Snippet,
    level_text,
)
from core.tell.checked import checked_in
from core.tell.setting_facts import AMPLIFICATION, REQUESTS_EACH
from core.vocabulary import (
    Advice,
    Grade,
    MetricEstimate,
    Prices,
    Result,
    RunSpec,
    Value,
    label,
    leading,
    metrics_in,
    registry,
    setting_of,
)


def result_card(
    run: Run, results: Sequence[Result], answer: Answer, reproduction: Reproduction | None = None
) -> ResultCard:
    """The card of a run's results; `reproduction`: of the published study that they repeat."""
    settings = without_bare_files(results)
    beside = " ".join(disturbances(results))
    compared = checked_in(results, run.plan.specs)
    badges = tuple(_badges(settings, answer, beside, compared))
    notes = _notes(results)
    card = ResultCard(
        headline=answer.headline,
        reason=answer.headline.text,
        detail=_joined(answer.headline.detail, *notes),
        badges=badges,
        compared=compared if badges else None,
        about=_about(run),
        beside=beside,
        idle=answer.advice.idle if answer.advice is not None else None,
    )
    if reproduction is not None and reproduction.judged:
        return _of_study(reproduction, card)
    best = chosen_result(settings, answer.advice)
    of_programs = reproduction is not None and bool(reproduction.answers)
    if best is None or of_programs:  # no figure stands for the answer
        return card
    number, unit, interval = _number(best)
    several = len(without_bare_files(run.plan.specs)) > 1
    return msgspec.structs.replace(
        card,
        number=number,
        unit=unit,
        interval=interval,
        setting=_setting(best, settings, answer.advice),
        reason=answer.headline.text if several or run.how == "cancelled" else "",
        detail=_joined(_detail(answer.headline, beside, alone=len(settings) == 1), *notes),
        wire=tuple(_on_wire(best, results)),
        figures=(
            *_figures(best, run.plan.terms),
            *_account(best, str(run.plan.terms.get("price", ""))),
        ),
        # What was cancelled is no answer to be used.
        copies=()
        if run.how == "cancelled"
        else in_code(best.spec, typical(best, "peak_rss") or 0.0),
    )


def _of_study(reproduction: Reproduction, card: ResultCard) -> ResultCard:
    """The card with the answer of a study."""
    judgements = [claim.judgement.value for claim in reproduction.judged]
    reproduced = judgements.count("reproduced")
    number = unit = ""
    choice = next(iter(reproduction.choices.values()), None)
    if choice is not None and choice.differs:
        side, other = reproduction.study.sides
        side_is_faster = choice.candidate.startswith(reproduction.study.sides[side])
        number = show_ratio(choice.ratio or 0.0)
        unit = f"{side} / {other}" if side_is_faster else f"{other} / {side}"
    elif reproduction.answer and set(judgements) != {"cannot tell"}:  # or the headline says it
        number = tr("{told} of {total}", told=reproduced, total=len(judgements))
        unit = tr("claims reproduced")
    setting = tr_word(reproduction.study.title)
    return msgspec.structs.replace(card, number=number, unit=unit, setting=setting)


def _detail(headline: Headline, beside: str, *, alone: bool) -> str:
    """The headline's detail without what a badge says; of one result the figures say the rest."""
    doubts = [doubt for doubt in headline.doubts if doubt.text != beside]
    if alone:  # what to do about it is on the buttons
        return " ".join(doubt.text for doubt in doubts)
    return " ".join(filter(None, (*(doubt.full_text for doubt in doubts), headline.further)))


def _notes(results: Sequence[Result]) -> tuple[str, ...]:
    """What trials noted, such as files that were left out, and how servers were reached."""
    trials = (trial for result in results for trial in result.trials)
    return (*dict.fromkeys(note for trial in trials for note in trial.notes), *on_servers(results))


def _joined(*texts: str) -> str:
    return " · ".join(filter(None, texts))


def _number(best: Result) -> tuple[str, str, str]:
    """The number that its users think in, its unit, and its interval in words."""
    first = leading([best])[0]
    estimate = told_estimate(best, first.key)
    factor, unit = first.scale(estimate.value or 0.0, best.unit)
    scaled = estimate.scaled(factor)
    value, low, high = scaled.value or 0.0, scaled.low, scaled.high
    if low is None or high is None or value <= 0.0:
        missing = MetricEstimate.missing_text(len(best.finished_trials))
        return show_estimate(value, None, None), unit, missing
    number, narrow, _ = show_estimate(value, low, high).partition(" ± ")
    if narrow:
        share = show_share((high - low) / 2 / value)
        return number, unit, f"± {share} {level_text()}"
    middle, least, most = (show_count(float(f"{one:.3g}")) for one in (value, low, high))
    ends = tr("{low} to {high}", low=least, high=most)
    return middle, unit, f"{ends} {level_text()}"


def _setting(best: Result, settings: Sequence[Result], advice: Advice | None) -> str:
    if advice is not None and advice.values and not advice.lines:
        return setting_of(advice.values)
    return label(best.spec, names_among(settings))


def _figures(best: Result, terms: Mapping[str, Value]) -> Iterator[CardFigure]:
    price = terms.get("gigabyte_price") or terms.get("request_price") or ""
    _, currency = Prices.amount(price)
    for metric in (*leading([best])[1:], *metrics_in("card")):
        if (value := typical(best, metric.key)) is None:
            continue
        text = metric.text(value)
        # Against the limit, if it was measured on this machine, whose limit is known.
        if metric.key == "fds" and (allowed := open_files_allowed(best)) is not None:
            text = tr("{count} of {limit}", count=text, limit=show_count(allowed))
        if metric.key == "money_per_terabyte":
            text = f"{text} {currency}".rstrip()
        yield CardFigure(title=tr_word(metric.title), text=text, help=tr_word(metric.help))


_MORE = 1.05
"""Times as much as what was wanted, from which on it is worth a sentence."""


def _on_wire(best: Result, beside: Sequence[Result]) -> Iterator[str]:
    """How near it comes to the leanest client, and how much more than it wanted it moved."""
    bare = [one for one in beside if is_bare(one) and one.spec.workload != RAW]
    share = floor_shares([best, *bare]).get(id(best))
    if share is not None and share.value is not None:
        yield tr("{share} of the leanest client", share=share.text)
    moved, asked = (typical(best, key) for key in (AMPLIFICATION, REQUESTS_EACH))
    if moved is not None and moved >= _MORE:
        yield tr("It moves {times} the bytes wanted", times=show_ratio(moved))
    if asked is not None and asked >= _MORE:
        requests, unit = show_count(asked), tr_word(best.unit)
        yield tr("It makes {requests} requests for each {unit}", requests=requests, unit=unit)


def _account(best: Result, price: str) -> Iterator[CardFigure]:
    """Which cores the runs of a program took, and what a thousand of them cost."""
    if (account := CoreAccount.of(best)) is None:
        return
    used, granted = f"{account.used:.2g}", f"{account.granted:g}"
    yield CardFigure(
        title=tr("Cores"),
        text=tr("{count} of {limit}", count=used, limit=granted),
        help=f"{capitalised(account.text)}.",
    )
    yield CardFigure(
        title=tr("1,000 runs"),
        text=account.cost_text(price),
        help=tr("Each keeps the cores that it asks for, or more where it uses more."),
    )


def _badges(
    settings: Sequence[Result], answer: Answer, beside: str, compared: Checked
) -> Iterator[Badge]:
    if not any(result.trials for result in settings):
        return
    advice = answer.advice
    if advice is not None and advice.idle is not None:
        name = tr("threads cannot be told")
        yield Badge(trust="plain", name=name, help=advice.idle.text, bars=0)
    elif advice is not None and advice.beside:
        yield from _of_claims(advice, answer.headline)
    elif answer.headline.grade is not None:
        yield _graded(answer.headline.grade)
    yield Badge(trust=compared.trust, name=compared.text, help=compared.help)
    doubts = (trial.doubt for result in settings for trial in result.finished_trials)
    if doubt := next(filter(None, doubts), ""):
        yield Badge(trust="open", name=tr("figures doubtful"), help=doubt)
    yield from _cold(settings)
    explanation = beside or tr("No other program took much of the time that the trials wanted.")
    name = tr("machine busy") if beside else tr("machine quiet")
    yield Badge(trust="open" if beside else "holds", name=name, help=explanation)


def _graded(grade: Grade) -> Badge:
    explanations = {
        Grade.LEADING: tr("It is the best so far, and something else may be it."),
        Grade.WITHIN: tr("No other that was measured is faster by more than that."),
        Grade.SURE: tr("The trials tell it from all others, or as good as them."),
    }
    return Badge(
        trust="holds" if grade is Grade.SURE else "open",
        name=grade.text,
        help=explanations[grade],
        bars=grade.bars,
    )


def _of_claims(advice: Advice, headline: Headline) -> Iterator[Badge]:
    """For now, and for the quiet machine."""
    if advice.now.confidence is not None:
        graded = _graded(advice.now.confidence)
        yield msgspec.structs.replace(graded, trust="open", name=headline.how_sure)
    quiet = advice.quiet
    if not quiet.told:
        yield Badge(trust="open", name=tr("not told for quiet"), help=quiet.reason, bars=0)
    elif quiet.kept:
        name = tr("measured in {share} of the turns, quiet ones", share=show_share(quiet.kept))
        why = tr("Turns beside other programs are left out.")
        yield Badge(trust="holds", name=name, help=why, bars=_COMPUTED)
    else:
        name = tr("computed for quiet, ± {error}", error=show_share(2.0 * quiet.error))
        why = tr("From how long its threads ran, and how long they waited for a core.")
        sure = quiet.confidence.bars if quiet.confidence is not None else 0
        yield Badge(trust="open", name=name, help=why, bars=min(sure, _COMPUTED))


_COMPUTED = 2
"""Bars at most of what was computed, not measured."""


def _cold(settings: Sequence[Result]) -> Iterator[Badge]:
    """Only of runs that asked for a cold page cache: of others there is nothing to prove."""
    proofs = [
        trial.proven_cold
        for result in settings
        for trial in result.finished_trials
        if trial.proven_cold is not None
    ]
    if not proofs:
        return
    if all(proofs):
        explanation = tr(
            "Before each trial the files were evicted, and looked for in the page cache."
        )
        yield Badge(trust="holds", name=tr("cold, proven"), help=explanation)
        return
    explanation = tr("Parts of the data may have come from the page cache.")
    yield Badge(trust="open", name=tr("cold, not proven"), help=explanation)


def _about(run: Run) -> str:
    """`snapshot (SeqRepo snapshot) · 2026-11-23 04:10 UTC · Ryzen 9, 8 cores`.

    Where that is cut, the machine is missed least.
    """
    when = show(run.started, "date")
    return one_line(" · ".join((_dataset(run), when, run.environment.machine_text)))


def _dataset(run: Run) -> str:
    """The name of the data without the folders it is in, which are nobody else's business."""
    dataset = run.plan.specs[0].dataset
    name = Path(dataset.location).name or dataset.location
    kind = registry.dataset_kinds().get(dataset.kind)  # this Sluice may not know it
    return f"{name} ({tr_word(kind.title)})" if kind is not None else name


_MARGIN = 1.25
"""Of the peak memory that was measured: what a run may take elsewhere, with other data."""


def in_code(spec: RunSpec, memory: float = 0.0) -> tuple[Snippet, ...]:
    """The setting as its workload writes it, then for workflows, as JSON and as a command.

    `memory`: the peak that was measured, in bytes; 0 = not known.  With a margin it is the limit of
    what is copied.
    """
    return tuple(_snippets(spec, memory))


def _snippets(spec: RunSpec, memory: float) -> Iterator[Snippet]:
    line, cores = "", spec.load.workers
    code = {"Snakemake": f"threads: {cores}", "Nextflow": f"cpus {cores}"}
    with suppress(SluiceError):  # of another version, or unknown here
        setting = spec.known_setting
        load = replace(spec.load, memory_limit=round(_MARGIN * memory)) if memory else spec.load
        own = setting.workload.in_code(setting.parameters, load, spec.dataset)
        code = {**own, **{where: text for where, text in code.items() if where not in own}}
        place = spec.dataset.path if spec.dataset.local else None
        line = Request(workload=spec.workload, values=spec.values, dataset=place).command_line()
    for where, text in code.items():
        yield Snippet(where=where, text=text)
    yield Snippet(where="JSON", text=msgspec.json.encode(spec.values).decode())
    if line:
        yield Snippet(where="Sluice", text=line)
