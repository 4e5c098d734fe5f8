"""The events of a run that somebody else measures, read from its session as they come.

A session is the only thing that outlives the terminal, the connection and the machine that watches,
so whoever looks at a run from elsewhere needs no server of ours.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from core.errors import RunAbandoned, SessionError
from core.execution.events import Event, RunEnded, RunPlanned
from core.execution.recording import being_measured
from core.host.program import command_text
from core.language.translation import tr
from core.language.units import Seconds
from core.session import Run, Session
from core.trial.trial_events import TrialEnded, TrialStarted

type Wait = Callable[[Seconds], object]


def last_run(path: Path) -> Run:
    """The run of a session that is measured, or was last; raises SessionError."""
    with Session.read(path) as session:
        runs = session.runs()
    if not runs:
        raise SessionError(
            tr("{name} holds no run yet", name=path.name), tr("try again in a moment")
        )
    return runs[-1]


def watched(path: Path, number: int, every: Seconds, wait: Wait = time.sleep) -> Iterator[Event]:
    """The events of a run until it ends, beginning with the trials that it has by now.

    Looks at the session every so many seconds.  Raises SessionError where the session cannot be
    read, and RunAbandoned once nobody measures a run that has not ended.
    """
    seen: set[tuple[int, float]] = set()
    planned = False
    while True:
        with Session.read(path) as session:
            # Asked in this order: a run that ends in between is found ended, and not abandoned.
            alive = being_measured(session, number)
            run = session.run(number)
            trials = session.trials(number)
        specs = {spec.digest: spec for spec in run.plan.specs}
        of = max(len(run.plan.slots()) if not run.plan.adaptive else 0, len(trials))
        if not planned:
            planned = True
            yield RunPlanned(plan=run.plan, trials=of, seconds=0.0)
        for trial in trials:
            # A trial that is measured again keeps its index.
            if (key := (trial.index, trial.started)) not in seen:
                seen.add(key)
                spec = specs[trial.spec_digest]
                yield TrialStarted(index=trial.index, block=trial.block, of=of, spec=spec)
                yield TrialEnded(trial=trial)
        if run.how is not None:
            yield RunEnded(trials=len(trials), of=of, cancelled=run.how == "cancelled")
            return
        if not alive:
            raise RunAbandoned(
                tr("run {number} has not ended, and nobody measures it", number=number),
                tr(
                    "it was killed; to go on with it: {command}",
                    command=command_text("resume", shlex.quote(str(path))),
                ),
            )
        wait(every)
