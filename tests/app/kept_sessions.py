"""Sessions as earlier windows left them."""

from __future__ import annotations

from pathlib import Path

import building

from core import Session, sessions_folder


def kept(name: str, title: str = "", *, rate: float = 100.0, how: str = "completed") -> Path:
    """A session of one finished run."""
    spec = building.spec(workload="raw", parameters={"block": 4096})
    folder = sessions_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with Session.create(folder / f"{name}.sluice", title) as session:
        plan = building.plan((spec,), repeats=2)
        run = session.begin_run(plan, building.environment(), {}, ("sluice",))
        for index in range(2):
            session.append(run, building.trial(spec, index=index, rate=rate + index))
        if how:
            session.end_run(run, how)  # type: ignore[arg-type]
        return session.path
