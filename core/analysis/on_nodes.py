"""What the nodes of trials on a cluster had in common and in what they differed, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.language.translation import tr
from core.language.units import show_seconds, show_share
from core.result.result import Trial


def on_nodes(trials: Sequence[Trial]) -> Iterator[str]:
    """One sentence each; none where nothing was measured on a cluster."""
    far = [trial for trial in trials if trial.nodes]
    if not far:
        return
    yield from _together(far)
    yield from _slowest(far)
    if any(len(_machines(trial)) < len(trial.nodes) for trial in far):
        yield tr("Several nodes were on one machine, whose cores they shared.")
    types = sorted({node.network for trial in far for node in trial.nodes if node.network})
    if types:
        yield tr(
            "Nodes read from a file system of the network ({types}), which may keep what another "
            "node has read.",
            types=", ".join(types),
        )


def _together(far: Sequence[Trial]) -> Iterator[str]:
    uncertainty = max(node.uncertainty for trial in far for node in trial.nodes)
    yield tr(
        "Measured on nodes: up to {nodes}, machines: {machines}. They started within {skew} of each "
        "other, on clocks known to ± {uncertainty}.",
        nodes=max(len(trial.nodes) for trial in far),
        machines=len(set().union(*map(_machines, far))),
        skew=show_seconds(max(map(start_skew, far))),
        uncertainty=show_seconds(uncertainty),
    )


def _slowest(far: Sequence[Trial]) -> Iterator[str]:
    """Only of trials that have a throughput: a lost node did nothing for another reason."""
    lags = [found for trial in far if trial.valid and (found := _lag(trial)) is not None]
    if lags:
        share, host = max(lags)
        yield tr(
            "The slowest node did up to {share} less than the fastest ({host}).",
            share=show_share(share),
            host=host,
        )


def _lag(trial: Trial) -> tuple[float, str] | None:
    if len(trial.nodes) < 2:
        return None
    slowest = min(trial.nodes, key=lambda node: node.operations)
    most = max(node.operations for node in trial.nodes)
    return (1 - slowest.operations / most, slowest.host) if most else None


def start_skew(trial: Trial) -> float:
    """Seconds between the starts of its first and its last node."""
    late = [node.late for node in trial.nodes if node.late is not None]
    return max(late) - min(late) if late else 0.0


def _machines(trial: Trial) -> frozenset[str]:
    return frozenset(node.machine for node in trial.nodes)
