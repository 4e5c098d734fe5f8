"""What decides whether a trial has a throughput: wrong data, errors and broken trials have none."""

from __future__ import annotations

from core.result.outcome import Completed, Outcome


def has_throughput(
    outcome: Outcome, operations: int, errors: int, wrong: int, *, shortened: bool = False
) -> bool:
    """Whether a trial completed and did something, and nothing in it failed or was wrong.

    However fast a reader is, its figure means nothing if it returns wrong data.  `shortened`: it
    was cut off, but after enough to count.
    """
    done = shortened or isinstance(outcome, Completed)
    return done and operations > 0 and not (errors or wrong)
