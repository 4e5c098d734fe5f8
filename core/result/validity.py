"""What decides whether a trial has a throughput: wrong data, errors and broken trials have none."""

from __future__ import annotations

from core.result.outcome import Completed, Outcome


def has_throughput(outcome: Outcome, operations: int, errors: int, wrong: int) -> bool:
    """Whether a trial completed, did something, and nothing of it failed or was wrong.

    A reader that returns wrong data may be as fast as it likes: its figure is no answer.
    """
    return isinstance(outcome, Completed) and operations > 0 and not (errors or wrong)
