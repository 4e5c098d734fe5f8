"""Blocks in turns with trials that take no time: all are alive before the first one ends.

Once the run is cancelled, all that are alive end as cancelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import building

from core.measure import Cancel
from core.run.blocks import RunBlock
from core.vocabulary import Cancelled, Event, RoundBegun, Slot, TrialEnded, TrialStarted

type RunTrial = Callable[[Slot, str, Cancel], Iterator[Event]]


def in_turns(run_trial: RunTrial) -> RunBlock:
    """Carries out blocks in turns: each trial is what `run_trial` makes of it."""

    def run_block(slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int) -> Iterator[Event]:
        for slot in slots:
            yield TrialStarted(index=slot.index, block=slot.block, of=of, spec=slot.spec)
        yield RoundBegun(number=0, left=1, trials=tuple(slot.index for slot in slots))
        for slot in slots:
            if cancel.requested:
                ended = Cancelled(stage="measuring")
                trial = building.trial(slot.spec, index=slot.index, block=slot.block, outcome=ended)
                yield TrialEnded(trial=trial)
            else:
                yield from run_trial(slot, run_id, cancel)

    return run_block
