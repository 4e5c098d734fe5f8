"""What results were compared with, how many of them, and what went wrong, for every face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.judge import collision_in
from core.language import capitalised, show_count, show_share, tr, tr_word
from core.measure import without_bare_files
from core.tell.card_values import Checked
from core.vocabulary import (
    Complaint,
    Result,
    RunSpec,
    Trial,
    ending,
    item_of,
    main_complaint,
)


def checked_in(results: Sequence[Result], specs: Sequence[RunSpec] = ()) -> Checked:
    """Of all trials that count or went wrong; `specs`: all that are planned, where that is known.

    The bare files are read beside others, and are no part of an answer then.
    """
    measured = without_bare_files(results) or results
    trials = [
        trial
        for result in measured
        for trial in result.trials
        if result.counts(trial) or trial.wrong or trial.errors
    ]
    failed = sum(trial.errors for trial in trials)
    counts = {
        "done": sum(trial.operations for trial in trials) + failed,
        "compared": sum(trial.checked for trial in trials),
        "wrong": sum(trial.wrong for trial in trials),
        "failed": failed,
    }
    named = {"units": _units(measured), "done": show_count(counts["done"])}
    if wrong := counts["wrong"]:
        text = tr("{wrong} of {done} {units} wrong", wrong=show_count(wrong), **named)
        explanation = tr("Operations returned other data than the dataset holds.")
    elif failed:
        text = tr("{failed} of {done} {units} failed", failed=show_count(failed), **named)
        explanation = tr("Operations ended with an error, and returned nothing.")
    else:
        return _of_right(measured, trials, specs, counts)
    return Checked(text=text, brief=text, trust="contradicted", help=explanation, **counts)


def _of_right(
    results: Sequence[Result],
    trials: Sequence[Trial],
    specs: Sequence[RunSpec],
    counts: dict[str, int],
) -> Checked:
    """Where nothing went wrong."""
    done, compared = counts["done"], counts["compared"]
    if not done or not compared:
        text = tr("nothing compared")
        explanation = tr("No result was compared.")
        return Checked(text=text, brief=text, trust="plain", help=explanation, **counts)
    planned = specs or [result.spec for result in results]
    others = (result.spec.compared_with(planned) for result in results)
    other = next((one for one in others if one != ""), "")
    if text := other or "":
        explanation = tr("Nobody knows here what is right, so no result is called verified.")
        return Checked(text=text, brief=text, trust="plain", help=explanation, **counts)
    explanation = tr(
        "Every result is compared with the data without the reader under test. Results too "
        "large to be held are dropped, and a part of them is read again and compared."
    )
    units = _units(results)
    # What was performed again is a sample, however large.
    sampled = any(trial.total(lambda worker: worker.compared) for trial in trials)
    if whole := compared >= done and not sampled:
        text = tr("{count} {units} compared, all right", count=show_count(done), units=units)
        brief = tr("{count} right", count=show_count(done))
    else:
        share = show_share(min(compared / done, 1.0))
        brief = tr("{share} compared", share=share)
        text = tr("{share} of {units} compared, all right", share=share, units=units)
    return Checked(
        text=text,
        brief=brief,
        trust="holds" if whole and other is not None else "plain",
        help=explanation,
        **counts,
    )


def faults_in(settings: Sequence[Result]) -> str:
    """How many settings went wrong, in a phrase short enough for the answer; empty = none."""
    wrong = [one for one in settings if any(trial.wrong for trial in one.trials)]
    failed = [one for one in settings if one not in wrong and any(t.errors for t in one.trials)]
    parts = []
    if wrong:
        count = {"count": len(wrong), "of": len(settings)}
        parts.append(
            tr("1 of {of} returned wrong data", "{count} of {of} returned wrong data", **count)
        )
    if failed:
        text = tr(
            "1 of {of} settings failed",
            "{count} of {of} settings failed",
            count=len(failed),
            of=len(settings),
        )
        complaint = main_complaint(failed[0].trials, wrong_data=False)
        why = collision_in(failed[0]) or (complaint.brief if complaint else "")
        parts.append(f"{text}: {why}" if why else text)
    return ", ".join(parts)


def why_invalid(result: Result, settings: Sequence[Result]) -> str:
    """Why a result has no throughput, as a phrase; what failed is counted in all `settings`."""
    if collision := collision_in(result):
        return collision
    checked = checked_in([result])
    if checked.wrong or not checked.failed:
        return checked.text if checked.wrong else ending(result)
    failed, complaint = checked_in(settings).text, main_complaint(result.trials, wrong_data=False)
    return f"{failed}: {complaint.cause}" if complaint else failed


def remedy_of(result: Result) -> str:
    """What helps against that which failed most often, as a sentence; empty if nobody knows."""
    complaint = main_complaint(result.trials, wrong_data=False)
    return f"{capitalised(complaint.remedy)}." if complaint and complaint.remedy else ""


def complaints_of(result: Result, why: str) -> str:
    """What went wrong, with counts and first cases; the text of what `why` says is not repeated."""
    counts, first = Counter[str](), dict[str, Complaint]()
    for complaint in (one for trial in result.trials for one in trial.complaints):
        counts[complaint.text] += complaint.count
        first.setdefault(complaint.text, complaint)
    texts = []
    for text, count in counts.most_common():
        item = first[text].first_item
        if first[text].cause in why or first[text].brief in why:
            texts.append(tr("first at {item}", item=item))
        else:
            texts.append(
                tr("{count:,} × {text}, first at {item}", count=count, text=text, item=item)
            )
    items = dict.fromkeys(
        tr("at {item}", item=item) for trial in result.trials if (item := item_of(trial.outcome))
    )
    last_words = dict.fromkeys(
        words for trial in result.trials if (words := getattr(trial.outcome, "last_words", ""))
    )
    return " · ".join([*texts, *items, *last_words][:3])


def _units(results: Sequence[Result]) -> str:
    units = {
        result.unit
        for result in results
        if any(trial.operations or trial.errors for trial in result.trials)
    }
    return tr_word(f"{units.pop() if len(units) == 1 else 'operation'}s")
