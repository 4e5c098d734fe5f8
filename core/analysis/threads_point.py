"""What was measured with one number of threads."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.estimation import mean_log


@dataclass(frozen=True, kw_only=True)
class Point:
    """What was measured with this many threads.

    `throughputs`: one per trial, in any one unit. `peak_memory` in bytes, `open_files`, `p99` in
    seconds: the worst trial's, None where unknown. `refused`: share of the requests that the server
    refused. `failed`: errors, wrong data, a crash or a time
    out; `reason` says which, and the throughputs then count for nothing.
    """

    threads: int
    throughputs: tuple[float, ...]
    peak_memory: int | None = None
    open_files: int | None = None
    p99: float | None = None
    refused: float = 0.0
    failed: bool = False
    reason: str = ""

    @property
    def level(self) -> float:
        """Mean of the natural logs of its throughputs. ValueError: no trials, or one is ≤ 0."""
        if not self.throughputs or min(self.throughputs) <= 0.0:
            raise ValueError(f"{self.threads} threads: throughputs must be given and positive")
        return mean_log(self.throughputs)
