"""How far sessions lie apart beyond the noise of their trials: one session cannot show it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.statistics.time_series import Floats, Samples, as_floats

ENOUGH_FREEDOM = 7
"""Fewest sessions, beyond the first of each kind, that determine the drift by themselves."""
TIMES_THE_SPREAD = 2.5
LEAST = 0.05


@dataclass(frozen=True, kw_only=True)
class Drift:
    """How far the levels of sessions lie apart beyond the noise of their trials.

    `deviation`: standard deviation of the log of a session's level, ≈ relative; `freedom`: the
    degrees of freedom behind it; `sessions`: those it was learnt from, 0 where it is the usual one.
    """

    deviation: float
    freedom: float
    sessions: int = 0


def usual_drift(*sides: Samples) -> Drift:
    """The drift to allow for where too few sessions show it, from the logs of each side's trials.

    It is 2.5 times the deviation of trials within a session, and at least 5 %.  What moves the
    level of a session moves its trials too: over 245 sessions of five kinds of plain reads (trials
    of 0.25 to 3 s; two shared cores, load 1 to 9) the levels of sessions had 0.8 to 2.3 times the
    deviation of their trials.  The 5 % are for what stays for a whole session, such as memory
    layout and clock rate: Mytkowicz et al., "Producing wrong data without doing anything obviously
    wrong!", ASPLOS 2009.
    """
    freedom = sum(len(side) - 1 for side in sides)
    deviation = TIMES_THE_SPREAD * math.sqrt(_within(list(map(as_floats, sides))))
    if deviation <= LEAST:
        return Drift(deviation=LEAST, freedom=math.inf)
    return Drift(deviation=deviation, freedom=float(freedom))


def _within(sides: Sequence[Floats]) -> float:
    """Variance of a trial within its session, pooled; 0 where nothing was repeated."""
    freedom = sum(side.size - 1 for side in sides)
    squares = sum(float(((side - side.mean()) ** 2).sum()) for side in sides)
    return squares / freedom if freedom else 0.0


def drift_between(kinds: Sequence[Sequence[Samples]]) -> Drift | None:
    """The drift that sessions show, by the logs of their trials; None where none was repeated.

    `kinds`: the sessions of each kind; levels are compared within a kind.  The drift's variance is
    that between sessions' means, less what the noise of their trials adds to it; for a session
    with a single trial nothing is subtracted.
    Source: components of variance, Searle, Casella & McCulloch, "Variance Components" (1992),
    ch. 3; freedom: Satterthwaite, Biometrics Bulletin 2 (1946).
    """
    repeated = [list(map(as_floats, kind)) for kind in kinds if len(kind) > 1]
    freedom = sum(len(kind) - 1 for kind in repeated)
    if not freedom:
        return None
    means = [np.array([session.mean() for session in kind]) for kind in repeated]
    between = sum(float(((kind - kind.mean()) ** 2).sum()) for kind in means) / freedom
    sessions = [session for kind in repeated for session in kind]
    noise = float(np.mean([_within([one]) / one.size for one in sessions]))
    own = max(between - noise, 0.0)
    return Drift(
        deviation=math.sqrt(own),
        freedom=max(freedom * (own / between) ** 2, 1.0) if own else float(freedom),
        sessions=len(sessions),
    )


def drift_to_allow(kinds: Sequence[Sequence[Samples]], *sides: Samples) -> Drift:
    """The drift of past sessions; where they are few, the larger of that and the usual drift."""
    usual, seen = usual_drift(*sides), drift_between(kinds)
    if seen is None:
        return usual
    if sum(len(kind) - 1 for kind in kinds if kind) >= ENOUGH_FREEDOM:
        return seen
    if seen.deviation <= usual.deviation:
        return usual
    return Drift(deviation=seen.deviation, freedom=usual.freedom, sessions=seen.sessions)
