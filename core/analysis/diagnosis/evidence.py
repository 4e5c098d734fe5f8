"""The sentences in which rules tell what was seen."""

from __future__ import annotations

from core.analysis.diagnosis.case import Case
from core.analysis.diagnosis.facts import Facts
from core.language.translation import marked, tr
from core.language.units import show_byte_rate, show_ratio, show_share


def wait_told(share: float) -> str:
    """How much of their time the threads wait."""
    return tr(
        "the threads wait {share} of the time for something that is not a core",
        share=show_share(share),
    )


def cores_told(facts: Facts) -> str:
    """How many threads run, and how many would."""
    running, queued = facts.running or 0.0, facts.queued or 0.0
    told = [
        tr("of 1 thread {running} run at a time", running=f"{running:.2g}")
        if facts.workers == 1
        else tr(
            "of {workers} threads {running} run at a time",
            workers=facts.workers,
            running=f"{running:.2g}",
        )
    ]
    if queued >= 0.1 * facts.workers:
        told.append(tr(" and {queued} wait for a core", queued=f"{queued:.2g}"))
    if facts.bound:
        told.append(
            tr(", bound to 1 core")
            if facts.cores == 1
            else tr(", bound to {cores} cores", cores=marked(f"{facts.cores:g}"))
        )
        if running < 0.8 * min(facts.workers, facts.cores):
            told.append(tr(", so other programs or a limit keep cores from them"))
    return "".join(told)


def others_told(facts: Facts) -> str:
    """What other programs took from the threads."""
    return tr(
        "other programs took {share} of the time on cores that its threads wanted",
        share=show_share(facts.taken),
    )


def gain_told(case: Case) -> str:
    """What the threads reach beside one; for a case whose `gain` is known."""
    assert case.gain is not None
    return tr(
        "{threads} threads reach {ratio} what one does",
        threads=case.threads,
        ratio=show_ratio(case.gain),
    )


def apart_told(case: Case) -> str:
    """What processes reach beside threads; for a case whose `apart` is known."""
    assert case.apart is not None
    return tr(
        "{processes} processes reach {ratio} what as many threads do",
        processes=case.facts.workers,
        ratio=show_ratio(case.apart),
    )


def storage_told(rate: float) -> str:
    """Bytes per second from storage."""
    return tr("{rate} come from storage", rate=show_byte_rate(rate))


def resident_told(facts: Facts) -> tuple[str, ...]:
    """How much of the data was in memory, where that is known."""
    if facts.resident is None:
        return ()
    share = show_share(facts.resident)
    return (tr("{share} of the data was in the page cache at the start", share=share),)
