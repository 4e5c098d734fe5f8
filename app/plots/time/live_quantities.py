"""The five plots of a run: what they show, in which units, on which axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.plots.base.quantity import Quantity
from app.plots.base.scales import binary_step, decades, decimal_step, from_zero
from app.plots.time.moment_rates import WORKERS
from core import show_byte_rate, show_count, show_rate, show_seconds, show_share, show_size


def _seconds(logarithm: float) -> float:
    return float(10**logarithm)


def _latency(logarithm: float) -> str:
    return show_seconds(_seconds(logarithm))


def _files(count: float) -> str:
    return show_count(round(count))


def _memory_step(least: float) -> float:
    return binary_step(max(least, 4096.0))


def _share_step(least: float) -> float:
    return 0.25 if 0.2 < least <= 0.25 else decimal_step(least)


THROUGHPUT = Quantity(
    called="Throughput",
    columns=("operations", "bytes/s"),
    show=show_rate,
    shows=(show_rate, show_byte_rate),
    units=("1/s", "B/s"),
    fit=from_zero(decimal_step, 1.0),
    tick=lambda value, _step: show_rate(value),
    drawn=(0,),
    told=(1,),
)
LATENCY = Quantity(
    called="Latency",
    columns=("p50", "p99"),
    show=_latency,
    unit="s",
    plain=_seconds,
    fit=decades,
    tick=lambda value, _step: _latency(value),
    drawn=(0, 1),
)
OPEN_FILES = Quantity(
    called="Open files",
    columns=("all", "dataset"),
    show=_files,
    fit=from_zero(lambda least: max(decimal_step(least), 1.0), 4.0),
    tick=lambda value, _step: _files(value),
    drawn=(0, 1),
)
MEMORY = Quantity(
    called="Memory",
    columns=("anonymous", "file-backed"),
    show=show_size,
    unit="B",
    fit=from_zero(_memory_step, 4096.0),
    tick=lambda value, _step: show_size(value),
    drawn=(0, 1),
)
CPU = Quantity(
    called="CPU per worker",
    columns=(
        "busiest",
        "median",
        "idlest",
        *(f"#{place + 1}" for place in range(WORKERS)),
    ),
    show=show_share,
    unit="cores",
    fit=from_zero(_share_step, 0.05),
    tick=lambda value, _step: show_share(value),
    drawn=(3,),
    compared=1,
)
QUANTITIES = (THROUGHPUT, LATENCY, OPEN_FILES, MEMORY, CPU)
COLUMNS = sum(len(quantity.columns) for quantity in QUANTITIES)
"""As many as `measures` gives, in its order."""


_CURVES = 6
"""Curves that colours and markers tell apart."""


def counted_live(names: Sequence[str]) -> Quantity:
    """The plot of what a workload counts itself, such as retries; its columns follow `COLUMNS`."""
    return Quantity(
        called="Counted live",
        columns=tuple(names),
        show=show_rate,
        shows=tuple(map(_show_tally, names)),
        units=tuple("s/s" if name.endswith("seconds") else "1/s" for name in names),
        fit=from_zero(decimal_step, 1.0),
        tick=lambda value, _step: show_rate(value),
        drawn=tuple(range(min(len(names), _CURVES))),
        told=tuple(range(_CURVES, len(names))),
    )


def _show_tally(name: str) -> Callable[[float], str]:
    """`12.5/s`; of a name that is a time `250 ms/s`."""
    if name.endswith("seconds"):
        return lambda value: f"{show_seconds(value)}/s"
    return show_rate


def cpu_columns(workers: int) -> tuple[int, ...]:
    """Columns of `CPU` to draw: each worker while they are few, else the busiest to the idlest."""
    return tuple(range(3, 3 + max(workers, 1))) if workers <= WORKERS else (0, 1, 2)
