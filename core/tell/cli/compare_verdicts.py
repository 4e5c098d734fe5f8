"""The verdicts of `compare`: judged, printed, and as an exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from core.language import NOTHING, UsageError, show_ratio
from core.tell.cli.terminal import print_json, say, say_on_stderr
from core.tell.cli.terminal_results import print_rows
from core.tell.tables.result_tables import metric_cell
from core.vocabulary import VerdictKind, metric_named

if TYPE_CHECKING:
    from core.judge import Match
    from core.vocabulary import Result, Verdict

SLOWER, UNDECIDED = 3, 4


def judge(pairing: Match, sessions: Sequence[Path], terms: Mapping[str, Any], *, json: bool) -> int:
    """Print the verdicts on these pairs; returns the exit code."""
    from core.judge import Difference, compare_answers, past_of
    from core.run import earlier_results

    verdicts = compare_answers(
        pairing.pairs,
        margin=terms["margin"],
        metric=terms["metric"],
        allowed=[Difference(one) for one in terms["allow"]],
        past_of=partial(past_of, partial(earlier_results, sessions=sessions)),
    )
    if json:
        _print_json(verdicts)
    else:
        _print_table(pairing, verdicts, terms["metric"])
    return exit_code(verdicts)


def judge_import(path: Path, results: Sequence[Result], margin: float, *, json: bool) -> int:
    """The same where another program has measured the baseline; raises UsageError."""
    verdicts = _against_import(path, results, margin)
    if json:
        _print_json(verdicts)
    else:
        for verdict in verdicts:
            say(verdict.sentence)
    return exit_code(verdicts)


def refuse_for_import(*, again: bool, metric: str, filters: bool) -> None:
    """Raise UsageError for options that mean nothing without trials of our own."""
    if again:
        raise UsageError(
            "--again cannot repeat what another program measured",
            "measure its command with `measure command`, and compare that",
        )
    if metric != "throughput":
        raise UsageError("another program's results have only a throughput", "leave --metric out")
    if filters:
        raise UsageError(
            "another program's file has no parts to choose from", "write #… behind B only"
        )


def _against_import(path: Path, results: Sequence[Result], margin: float) -> tuple[Verdict, ...]:
    """The verdicts on these results against what a file holds; raises UsageError."""
    from core.tell.exchange.imported import Imported, compare_imported, pair_up, read

    entries = read(path)
    imported = [one for one in entries if isinstance(one, Imported)]
    if len(imported) < len(entries):
        raise UsageError(f"{path} is an export of Sluice", "compare the sessions themselves")
    pairs = pair_up(imported, results)
    if not pairs:
        raise UsageError(
            f"no result was measured with a value of {path.name}",
            "measure the same values, or choose others behind #",
        )
    if lonely := len(imported) - len(pairs):
        say_on_stderr(f"{lonely} of A have no counterpart and were left out.")
    if lonely := len(results) - len({result.spec.digest for _, result in pairs}):
        say_on_stderr(f"{lonely} of B have no counterpart and were left out.")
    return compare_imported(pairs, margin)


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """0 same or faster, 3 some slower, 4 none slower but some undecided or invalid.

    What holds only beside the programs that ran is undecided.

    INVALID shares its code with UNDECIDED: to a pipeline both mean that nothing was shown.
    A 1 would look like a failure of the command itself.
    """
    kinds = {verdict.lasting for verdict in verdicts} or {VerdictKind.UNDECIDED}
    if VerdictKind.SLOWER in kinds:
        return SLOWER
    return UNDECIDED if kinds & {VerdictKind.UNDECIDED, VerdictKind.INVALID} else 0


def _print_json(verdicts: Sequence[Verdict]) -> None:
    rows = [msgspec.to_builtins(verdict) | {"sentence": verdict.sentence} for verdict in verdicts]
    print_json({"type": "compared", "verdicts": rows, "exit_code": exit_code(verdicts)})


def _print_table(pairing: Match, verdicts: Sequence[Verdict], metric: str) -> None:
    rows = []
    for (a, b), verdict in zip(pairing.pairs, verdicts, strict=True):
        interval_text = NOTHING
        if verdict.tells and verdict.low is not None and verdict.high is not None:
            interval_text = f"{show_ratio(verdict.low)} to {show_ratio(verdict.high)}"
        ratio = show_ratio(verdict.ratio) if verdict.ratio is not None else NOTHING
        baseline = (verdict.baseline, metric_cell(a, metric).text)
        candidate = (verdict.candidate, metric_cell(b, metric).text)
        rows.append((*baseline, *candidate, ratio, interval_text, verdict.kind.value))
    title = metric_named(metric).name
    levels = {verdict.confidence for verdict in verdicts if verdict.low is not None}
    interval = f"{100 * levels.pop():.4g} % interval" if len(levels) == 1 else "interval"
    titles = ("baseline", title, "candidate", title, "ratio", interval, "")
    for line in _conclusion(pairing, verdicts):
        say(line)
    print_rows(titles, rows, right=(1, 3, 4))
    for name, lonely in (("A", pairing.lonely_baselines), ("B", pairing.lonely_candidates)):
        if lonely:
            say_on_stderr(f"{len(lonely)} of {name} have no counterpart and were left out.")


def _conclusion(pairing: Match, verdicts: Sequence[Verdict]) -> list[str]:
    """One verdict in words; for several the count of each kind, and every reason once."""
    from core.judge import doubt_about_trials

    if not verdicts:
        return ["Nothing was measured of both sides."]
    if len(verdicts) == 1:
        return [verdicts[0].sentence]
    kinds = Counter(verdict.kind.value for verdict in verdicts)
    reasons = Counter(reason for verdict in verdicts for reason in verdict.reasons)
    judged = zip(pairing.pairs, verdicts, strict=True)
    doubted = [side for pair, verdict in judged if verdict.doubt for side in pair]
    return [
        f"{len(verdicts)} pairs: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}.",
        *(f"{count} of them: {reason}." for reason, count in reasons.most_common()),
        *filter(None, [doubt_about_trials(doubted)]),
    ]
