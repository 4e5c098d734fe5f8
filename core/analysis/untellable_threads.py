"""Why measurements cannot tell how many threads are best: others wanted the cores, too.

More threads take a larger share from other programs, so that many of them win on a busy machine
whatever the work is.  What can be told there is how much CPU time each operation costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from core.analysis.estimation import ratio, typical
from core.analysis.thread_curves import ThreadCurve
from core.analysis.trust import taken_from
from core.language.translation import tr
from core.language.units import show_ratio, show_seconds, show_share
from core.result.attempts import cores_wanted
from core.result.result import Result

_COMPUTES = 0.8
"""Cores that each worker wants, from which its work computes and hardly waits."""
_BEYOND = 1.1
"""How far a gain is above what the cores can bring before that is no noise."""


def untellable_threads(
    line: ThreadCurve, threads: int, results: Sequence[Result]
) -> tuple[str, ...]:
    """The reasons why `threads` of a line are no advice; empty where they are, or are the only."""
    fewest = min(line.results)
    if len({_workers(one) for one in results}) < 2:
        return ()
    if taken := taken_from(results):
        said = tr(
            "other programs took {share} of the time on cores that trials wanted. Wait until the "
            "machine is quiet, or let --wait-quiet 5min wait.",
            share=show_share(taken),
        )
    elif gain := _gain_beyond_cores(line.results[fewest], line.results[threads]):
        said = tr(
            "{ratio} {threads} is above the usable cores, and the work computes, so it was taken "
            "from other programs. Wait until the machine is quiet, or let --wait-quiet 5min wait.",
            ratio=show_ratio(gain),
            threads=tr("1 thread", "{count} threads", count=fewest),
        )
    else:
        return ()
    costs = _cpu_time(line, (fewest, max(line.results)))
    return (said, costs) if costs else (said,)


def _gain_beyond_cores(few: Result, many: Result) -> float | None:
    """How many times the throughput of few threads many have, where no core can have brought it."""
    seen = [cores_wanted(trial, few.environment) for trial in few.finished_trials]
    wanted = [one.wanted for one in seen if one is not None]
    gain = ratio(few, many)
    if not wanted or gain is None:
        return None
    cores = median(wanted)
    trial = few.finished_trials[0]
    usable = trial.cores_of(few.environment.usable_cores)
    computes = cores >= _COMPUTES * min(_workers(few), usable)
    return gain if computes and gain * cores > _BEYOND * usable else None


def _workers(result: Result) -> int:
    return result.spec.load.threads * result.spec.load.processes


def _cpu_time(line: ThreadCurve, threads: Sequence[int]) -> str:
    """What an operation costs with few and with many threads, which others hardly change."""
    few, many = (typical(line.results[count], "cpu_each") for count in threads)
    if few is None or many is None or threads[0] == threads[1]:
        return ""
    return tr(
        "what can be told: the CPU time of an operation is {few} at {least} and {many} at {most} "
        "threads at a time.",
        few=show_seconds(few),
        many=show_seconds(many),
        least=threads[0],
        most=threads[1],
    )
