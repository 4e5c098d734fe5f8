"""`compare` with a baseline that another program has measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.cli.terminal import say_on_stderr
from core.errors import UsageError

if TYPE_CHECKING:
    from core.analysis.verdict import Verdict
    from core.result.result import Result


def refuse(wishes: Mapping[str, Any], *, filters: bool) -> None:
    """Raise UsageError for options that mean nothing without trials of our own."""
    if wishes["again"]:
        raise UsageError(
            "--again cannot repeat what another program measured",
            "measure its command with `measure command`, and compare that",
        )
    if wishes["metric"] != "throughput":
        raise UsageError("another program's results have only a throughput", "leave --metric out")
    if filters:
        raise UsageError(
            "another program's file has no parts to choose from", "write #… behind B only"
        )


def against_import(path: Path, results: Sequence[Result], margin: float) -> tuple[Verdict, ...]:
    """The verdicts on these results against what a file holds; raises UsageError."""
    from core.output.exchange.imported import Imported, compare_imported, pair_up, read

    found = read(path)
    imported = [one for one in found if isinstance(one, Imported)]
    if len(imported) < len(found):
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
