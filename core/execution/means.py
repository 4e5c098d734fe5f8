"""How trials are carried out: by processes here, or by agents on the nodes of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.execution.engine import RunBlock, RunTrial
from core.execution.events import Event, Explained
from core.execution.turns import in_one_piece
from core.language.translation import tr
from core.plan.schedule import Plan, Slot
from core.trial.cancel import Cancel
from core.trial.parent import run_trial as run_real_trial

if TYPE_CHECKING:
    from core.cluster.connection import Connection

_WHOLE = "turns are shorter than words need between nodes"


@dataclass(frozen=True, kw_only=True)
class Means:
    """The functions that run a trial and a block, for the engine and for a search."""

    run_trial: RunTrial = run_real_trial
    run_block: RunBlock | None = None
    """None = as the plan wants it."""


def with_means(
    cluster: str, plan: Plan, carry_out: Callable[[Means], Iterator[Event]]
) -> Iterator[Event]:
    """The events of what is carried out so; raises SluiceError where a cluster does not answer."""
    if not cluster:
        yield from carry_out(Means())
        return
    from core.cluster.connection import Connection

    yield _told(plan, tr("connecting to the cluster {address}", address=cluster))
    with Connection(cluster) as connection:
        yield _told(plan, tr("measuring on the cluster {address}", address=cluster))
        yield from carry_out(_far(connection, plan))


def _told(plan: Plan, text: str) -> Explained:
    return Explained(text=text, trials=0, expected=plan.most_trials, seconds=0.0)


def _far(connection: Connection, plan: Plan) -> Means:
    from core.cluster.far_trial import FarTrial

    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        return FarTrial(connection, slot, run_id, cancel).run()

    def run_block(slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int) -> Iterator[Event]:
        wanted = plan.turns != "off" and len(slots) > 1
        return in_one_piece(
            run_trial, slots, run_id, cancel, of=of, reason=_WHOLE if wanted else ""
        )

    return Means(run_trial=run_trial, run_block=run_block)
