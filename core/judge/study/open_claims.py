"""Which claims of a study more trials may tell, and about how many of them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import msgspec

from core.judge.estimation import comparable, log_ratio, ratio
from core.judge.statistics.intervals import Estimate
from core.judge.study.judge_claims import (
    ENOUGH_TO_BREAK,
    STRICTER,
    Judged,
    Judgement,
    Size,
    judge,
    sizes_as_published,
    trials_to_tell,
)
from core.judge.study.preset import Claim, Study
from core.vocabulary import FEWEST_TO_STOP, REPEATS, Result

_WIDENING = ("counter", "linear")
"""Kinds of claims that hold in every trial or not at all: what a few leave open, more do too."""

_NOISE = 0.05
"""Standard deviation of the log of a ratio from block to block, before any is measured."""
_WEIGHT = 4.0
"""Degrees of freedom that the usual noise counts for."""
_MANY = 1000


class OpenClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim that is not told yet by the `STRICTER` levels."""

    cells: frozenset[str]
    """Their labels."""
    more: int | None
    """Trials of each cell that may tell it; None where it is too close to its limit."""
    size_only: bool
    """Whether only the size of its effect is open."""


def open_claims(
    study: Study,
    results: Mapping[str, Result],
    planned: Collection[str] = (),
    least: int = REPEATS,
) -> tuple[OpenClaim, ...]:
    """The claims that more trials may tell, in the order of the study.

    `planned`: labels of cells that can be measured, though they may have no trial yet.  No claim is
    told by fewer than `least` trials.  Claims on cells that are missing, or whose trials failed,
    are not open: more trials would not help.
    """
    there = results.keys() | set(planned)
    judged = ((one, _cells_of(one.claim)) for one in judge(study, results, STRICTER))
    return tuple(
        claim
        for one, labels in judged
        if labels <= there and (claim := _open(study, one, labels, results, least)) is not None
    )


def _cells_of(claim: Claim) -> frozenset[str]:
    return frozenset(filter(None, (claim.cell, *claim.cells, claim.to)))


def _open(
    study: Study, one: Judged, labels: frozenset[str], results: Mapping[str, Result], least: int
) -> OpenClaim | None:
    cells = [results[label] for label in labels if label in results]
    if any(cell.finished_trials and not cell.valid for cell in cells):
        return None
    all_there = len(cells) == len(labels)
    enough = all_there and min(len(cell.finished_trials) for cell in cells) >= least
    size_only = enough and one.judgement is not Judgement.CANNOT_TELL
    if size_only and one.size is not Size.CANNOT_TELL:
        return None
    if enough and one.claim.kind in _WIDENING:
        return None
    together = _blocks_together(cells) if all_there else 0
    more = _more(study, one, results, together, least)
    return OpenClaim(cells=labels, more=more, size_only=size_only)


def _blocks_together(cells: Sequence[Result]) -> int:
    """The number of blocks in which all of these cells ran."""
    return len(
        set.intersection(*({trial.block for trial in cell.finished_trials} for cell in cells))
    )


def _more(
    study: Study, one: Judged, results: Mapping[str, Result], trials: int, least: int
) -> int | None:
    """`trials`: of each cell, in blocks with the others."""
    claim, is_told = one.claim, one.judgement is not Judgement.CANNOT_TELL
    if claim.kind == "breaks":
        return ENOUGH_TO_BREAK - trials
    if trials < least:
        so_far = results if trials else {}
        ratio_is_open = claim.kind == "ratio" and not is_told
        trials_in_all = _foreseen(study, claim, so_far) if ratio_is_open else least
        return max(trials_in_all, least) - trials
    if claim.kind != "ratio":
        return trials
    base, cell = results[claim.to], results[claim.cell]
    if not comparable(base, cell, claim.metric):
        return None
    question = _of_size(study, claim) if is_told else claim
    estimate = _without_luck(log_ratio(base, cell, claim.metric), trials)
    count = trials_to_tell(question, estimate, trials, STRICTER)
    return None if count is None else max(count - trials, 1)


def _foreseen(study: Study, claim: Claim, results: Mapping[str, Result]) -> int:
    """Trials that tell a ratio which is as the first here, or else as published, with the usual
    noise: a few trials show no noise of their own.
    """
    base, cell = results.get(claim.to), results.get(claim.cell)
    here = ratio(base, cell, claim.metric) if base is not None and cell is not None else None
    expected = here or study.published_ratio(claim)
    if expected is None and claim.direction:
        return FEWEST_TO_STOP
    estimate = Estimate(mean=math.log(expected or 1.0), error=_NOISE / math.sqrt(2.0), freedom=1.0)
    return trials_to_tell(claim, estimate, 2, STRICTER) or _MANY


def _without_luck(estimate: Estimate, trials: int) -> Estimate:
    """Its noise drawn towards the usual one: a few trials that agree by chance promise too much."""
    usual = _NOISE**2 / trials
    variance = estimate.freedom * estimate.error**2 + _WEIGHT * usual
    return replace(estimate, error=math.sqrt(variance / (estimate.freedom + _WEIGHT)))


def _of_size(study: Study, claim: Claim) -> Claim:
    low, high = sizes_as_published(claim, study.published_ratio(claim))
    return msgspec.structs.replace(claim, direction="", low=low, high=high)
