"""Judges each claim of a study by the interval of the results here."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from core.judge.estimation import (
    comparable,
    log_ratio,
    metric_estimate,
    of_common_blocks,
    relative,
)
from core.judge.study.preset import Claim, Study
from core.language import (
    NOTHING,
    marked,
    show_count,
    show_left,
    show_ratio,
    show_seconds,
    show_share,
    tr,
    tr_word,
)
from core.measure import seconds_of
from core.vocabulary import (
    CONFIDENCE,
    DECLARE_BELOW,
    STOP_BELOW,
    MetricEstimate,
    Result,
    ending,
    metric_named,
)

if TYPE_CHECKING:
    from core.judge.statistics.intervals import Estimate

SIZE_WITHIN = 1.25
"""A ratio is of the published size up to so many times more or less."""
ENOUGH_TO_BREAK = 5
"""Trials without a fault that rule out a failure rate of one half (0.5⁵ = 3 %)."""


class Strictness(msgspec.Struct, frozen=True, kw_only=True):
    """How sure a judgement has to be."""

    direction_below: float = DECLARE_BELOW
    """Of p, two-sided: that of every pair."""
    confidence: float = CONFIDENCE
    """Of the interval by which sizes and values are judged."""


USUAL = Strictness()
STRICTER = Strictness(direction_below=STOP_BELOW, confidence=0.99)
"""For a run that stops once its claims are decided.  It looks after every block, so that stopping
takes more than the judgement afterwards; `make validate` simulates it."""


class Judgement(StrEnum):
    """What a run here says about a claim."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    CANNOT_TELL = "cannot tell"


class Size(StrEnum):
    """How a ratio here stands to the published one."""

    AS_PUBLISHED = "as published"
    LESS = "less"
    MORE = "more"
    CANNOT_TELL = "cannot tell"


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    claim: Claim
    judgement: Judgement
    here: str
    reason: str = ""
    size: Size | None = None
    """Of a claim with a direction, where the publication has a figure."""

    @property
    def row(self) -> tuple[str, ...]:
        """The judgement, the claim, what was published, what is here and why, and the size."""
        measured = () if self.here == NOTHING else (self.here,)
        return (
            f"{_SIGNS[self.judgement]} {tr_word(self.judgement.value)}",
            tr_word(self.claim.text),
            self.claim.published_here,
            " – ".join(filter(None, (*measured, self.reason))) or NOTHING,
            tr_word(self.size.value) if self.size else "",
        )


_SIGNS = {Judgement.REPRODUCED: "✓", Judgement.NOT_REPRODUCED: "✗", Judgement.CANNOT_TELL: "?"}


def tally(judged: Sequence[Judged]) -> str:
    """How many claims are reproduced, in one sentence or two; empty where the study makes none."""
    if not judged:
        return ""
    counts = Counter(one.judgement for one in judged)
    yes, no = counts[Judgement.REPRODUCED], counts[Judgement.NOT_REPRODUCED]
    counted = (
        f"Of {counts.total()} published claims {yes} {'is' if yes == 1 else 'are'} reproduced here, "
        f"{no} {'is' if no == 1 else 'are'} not, and {counts[Judgement.CANNOT_TELL]} cannot be told."
    )
    return " ".join(filter(None, (counted, sizes(judged))))


def sizes(judged: Sequence[Judged]) -> str:
    """How the ratios here stand to the published ones; empty where none of those is known."""
    counts = Counter(one.size for one in judged if one.size is not None)
    if not counts:
        return ""
    parts = {
        Size.AS_PUBLISHED: tr("{count} as published", count=counts[Size.AS_PUBLISHED]),
        Size.LESS: tr("{count} smaller", count=counts[Size.LESS]),
        Size.MORE: tr("{count} larger", count=counts[Size.MORE]),
        Size.CANNOT_TELL: tr("{count} cannot be told", count=counts[Size.CANNOT_TELL]),
    }
    sizes = ", ".join(text for size, text in parts.items() if counts[size])
    return tr("Effects compared in size: {sizes}.", sizes=sizes)


def judge(
    study: Study, results: Mapping[str, Result], levels: Strictness = USUAL
) -> tuple[Judged, ...]:
    """Every claim of the study against the results by cell label.

    A claim holds when the 95 % interval of the measured value lies within its range.  For a range
    around 1, such as "no real difference", that is equivalence by two one-sided tests at 2.5 % each
    (Schuirmann, J. Pharmacokin. 15, 1987, whose 5 % is the 90 % interval).  The level is stricter
    because a study has ten claims, and at 5 % one of them would soon hold by chance.  An interval
    that crosses an edge of the range shows nothing, however near 1 its middle is.  Claims on counts
    and shares hold where they hold in every trial.
    """
    return tuple(
        _judge_line(claim, [results.get(label) for label in claim.cells])
        if claim.kind == "linear"
        else _judge(study, claim, results, levels)
        for claim in study.claims
    )


def _judge(study: Study, claim: Claim, results: Mapping[str, Result], levels: Strictness) -> Judged:
    cell, other = results.get(claim.cell), results.get(claim.to)
    if cell is None or (claim.to and other is None):
        return _untold(claim, tr_word("not measured"))
    if claim.kind == "breaks":
        return _judge_break(claim, cell)
    for side in (cell, other):
        if side is not None and not side.valid:
            return _untold(claim, tr("a cell is not valid: {why}", why=ending(side)))
    match claim.kind:
        case "ratio" if other is not None:
            return _judge_ratio(study, claim, (other, cell), levels)
        case "value":
            return _judge_value(study, claim, cell, levels)
        case "counter":
            return _judge_values(claim, counter_ratios(cell, claim.counter, claim.to_counter))
    raise ValueError(f"the study has a claim of an unknown kind: {claim.kind}")


def counter_ratios(result: Result, counter: str, to_counter: str) -> list[float]:
    """One counter over another (over 1 where none is named) for every trial that has both."""
    return [
        trial.counters[counter] / (trial.counters[to_counter] if to_counter else 1.0)
        for trial in result.finished_trials
        if counter in trial.counters and (not to_counter or trial.counters.get(to_counter))
    ]


def _judge_break(claim: Claim, cell: Result) -> Judged:
    broken = sum(not trial.valid for trial in cell.finished_trials)
    if not broken and len(cell.finished_trials) < ENOUGH_TO_BREAK:
        why = tr("it needs {count} trials that all went well to deny it", count=ENOUGH_TO_BREAK)
        return _untold(claim, why)
    judgement = Judgement.REPRODUCED if broken else Judgement.NOT_REPRODUCED
    return Judged(
        claim=claim,
        judgement=judgement,
        here=tr("trials: {count} of {of}", count=broken, of=len(cell.finished_trials)),
        reason=ending(cell),
    )


def _judge_line(claim: Claim, cells: Sequence[Result | None]) -> Judged:
    """Judge how far from a straight line each repetition is at its worst point."""
    valid_cells = [cell for cell in cells if cell is not None and cell.valid]
    if len(valid_cells) < len(cells) or len(valid_cells) < 3:
        return _untold(claim, tr("needs at least three cells, all of them valid"))
    over = [float(cell.spec.values[claim.over]) for cell in valid_cells]
    repetitions = zip(*(cell.values(claim.metric) for cell in valid_cells), strict=False)
    return _judge_values(
        claim, [_off_line(over, [1 / value for value in values]) for values in repetitions]
    )


def _off_line(over: Sequence[float], seconds: Sequence[float]) -> float:
    """The largest relative distance from the line that fits best relative to the values."""
    import numpy as np

    weights = 1 / np.array(seconds)
    columns = np.column_stack((np.ones(len(over)), over)) * weights[:, None]
    fitted, *_ = np.linalg.lstsq(columns, np.ones(len(over)))
    return float(np.abs(columns @ fitted - 1).max())


def _judge_ratio(
    study: Study, claim: Claim, sides: tuple[Result, Result], levels: Strictness
) -> Judged:
    base, cell = sides
    if not comparable(base, cell, claim.metric):
        return _untold(claim, tr("needs at least three trials of each"))
    # That of the level which decides, so that what is shown never says otherwise.
    confidence = 1.0 - levels.direction_below if claim.direction else levels.confidence
    measured = relative(base, cell, claim.metric, confidence)
    judged = _judge_interval(claim, measured, show_ratio)
    if measured.low is None or measured.high is None:
        return judged
    from core.vocabulary import MARGIN

    if claim.direction:
        judgement, reason = _direction(claim, (measured.low, measured.high), margin=MARGIN)
        own = relative(base, cell, claim.metric, levels.confidence)
        bounds = own.low or 0.0, own.high or math.inf
        size = _size(claim, study.published_ratio(claim), bounds)
        judged = msgspec.structs.replace(judged, judgement=judgement, reason=reason, size=size)
    if judged.judgement is not Judgement.CANNOT_TELL:
        return judged
    estimate = log_ratio(base, cell, claim.metric)
    reasons = (judged.reason, _what_it_takes(claim, estimate, sides))
    return msgspec.structs.replace(judged, reason="; ".join(filter(None, reasons)))


def _what_it_takes(claim: Claim, estimate: Estimate, sides: tuple[Result, Result]) -> str:
    """How many trials would tell, and in what time, if the ratio and its noise stay as they are."""
    trials = min(len(side.finished_trials) for side in of_common_blocks(*sides))
    count = trials_to_tell(claim, estimate, trials, USUAL)
    if count is None:
        return tr("too close to the limit to tell")
    more = (count - trials) * seconds_of([side.spec for side in sides])
    return tr(
        "about {count} trials of each would tell, in {time} more", count=count, time=show_left(more)
    )


def trials_to_tell(claim: Claim, estimate: Estimate, trials: int, levels: Strictness) -> int | None:
    """Trials of each side that tell a ratio, if it and its noise stay as they are; None: too many.

    `estimate` rests on so many `trials`.
    """
    from core.judge.statistics.ratios import trials_needed
    from core.vocabulary import MARGIN

    def needed(distance: float, confidence: float) -> float:
        return trials_needed(estimate, trials, distance, confidence) or math.inf

    if claim.direction:
        mean = estimate.mean if claim.direction == "more" else -estimate.mean
        count = needed(mean, 1.0 - levels.direction_below)
        if (short_of_margin := math.log1p(MARGIN) - mean) > 0.0:
            count = min(count, needed(short_of_margin, 1.0 - levels.direction_below))
    else:
        limits = (math.log(one) for one in (claim.low, claim.high) if 0.0 < one < math.inf)
        distances = (abs(estimate.mean - limit) for limit in limits)
        count = needed(min(distances), levels.confidence)
    return None if count == math.inf else int(count)


def _direction(
    claim: Claim, bounds: tuple[float, float], *, margin: float
) -> tuple[Judgement, str]:
    """Whether a ratio is on the claimed side of 1, and why not."""
    low, high = bounds
    if claim.direction == "less":  # the same question of the inverse
        low, high = 1.0 / high, 1.0 / low if low else math.inf
    if low > 1.0:
        return Judgement.REPRODUCED, ""
    if high < 1.0:
        return Judgement.NOT_REPRODUCED, tr("it is the other way round")
    if high < 1.0 + margin:
        return Judgement.NOT_REPRODUCED, tr("less than {least} apart", least=show_share(margin))
    return Judgement.CANNOT_TELL, ""


def sizes_as_published(claim: Claim, published: float | None) -> tuple[float, float]:
    """The range of ratios of about the published size; from 0 to infinity where that is unknown."""
    if published is not None and not (claim.low or claim.high < math.inf):
        return published / SIZE_WITHIN, published * SIZE_WITHIN
    return claim.low, claim.high


def _size(claim: Claim, published: float | None, bounds: tuple[float, float]) -> Size | None:
    (low, high), (least, most) = bounds, sizes_as_published(claim, published)
    if not least and most == math.inf:
        return None
    if least <= low and high <= most:
        return Size.AS_PUBLISHED
    if high < (published or least):
        return Size.LESS
    if low > (published or most):
        return Size.MORE
    return Size.CANNOT_TELL


def _judge_value(study: Study, claim: Claim, cell: Result, levels: Strictness) -> Judged:
    show = _speller(study, claim.metric)
    metric = metric_named(claim.metric)
    if not metric.of_valid and metric.quantile is None:  # then every trial has to be as claimed
        return _judge_values(claim, cell.values(claim.metric), show)
    estimate = metric_estimate(cell, claim.metric, levels.confidence)
    if estimate.value is None:
        return _untold(claim, tr("not recorded"))
    if estimate.low is None:
        return _untold(claim, tr("needs at least three trials of each"))
    return _judge_interval(claim, estimate, show)


def _judge_interval(claim: Claim, estimate: MetricEstimate, show: Callable[[float], str]) -> Judged:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return _untold(claim, tr("not recorded"))
    value, low, high = map(show, (estimate.value, estimate.low, estimate.high))
    here = tr("{value} ({low} to {high})", value=value, low=low, high=high)
    return Judged(claim=claim, judgement=_within(claim, estimate.low, estimate.high), here=here)


def _speller(study: Study, metric: str) -> Callable[[float], str]:
    """How values of a metric are written: latencies as times, table columns as in the table."""
    if metric_named(metric).quantile is not None:
        return show_seconds
    if metric == study.metric:
        return lambda value: f"{show_figure(value / study.scale)} {study.unit}"
    return _four_digits


def show_figure(value: float) -> str:
    """A figure of a study's table."""
    return show_count(value) if value >= 100 else marked(f"{value:.3g}")


def _four_digits(value: float) -> str:
    return marked(f"{value:.4g}")


def _judge_values(
    claim: Claim, values: Sequence[float], show: Callable[[float], str] = _four_digits
) -> Judged:
    if not values:
        return _untold(claim, tr("not recorded"))
    if len(values) < 2:
        return _untold(claim, tr("needs at least two trials"))
    low, high = min(values), max(values)
    here = show(low) if low % 1 else f"{low:.12g}"
    if low < high:
        here = tr("{low} to {high}", low=show(low), high=show(high))
    return Judged(claim=claim, judgement=_within(claim, low, high), here=here)


def _within(claim: Claim, low: float, high: float) -> Judgement:
    if claim.low <= low and high <= claim.high:
        return Judgement.REPRODUCED
    if high < claim.low or low > claim.high:
        return Judgement.NOT_REPRODUCED
    return Judgement.CANNOT_TELL


def _untold(claim: Claim, reason: str) -> Judged:
    return Judged(claim=claim, judgement=Judgement.CANNOT_TELL, here="–", reason=reason)
