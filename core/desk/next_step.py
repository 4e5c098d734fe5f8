"""What a step is that is offered before or after a run.

It stands by itself, so that a window can offer one before anything that results need is loaded.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from core.language import tr
from core.run import Request


class Act(StrEnum):
    """What a step does: measures its request, fills it into the form, or shows something.

    AGAIN measures the two results that are compared, in turn (`core.desk.comparisons`).
    WAIT measures as soon as other programs leave the cores alone.  SAMPLE makes data for the form,
    and DATA lets the user choose other data.
    """

    MEASURE = "measure"
    AGAIN = "again"
    FILL = "fill"
    EXPLAIN = "explain"
    COMPARE = "compare"
    REPORT = "report"
    WAIT = "wait"
    SAMPLE = "sample"
    DATA = "data"


class NextStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step, as a menu says it, and why it is offered."""

    act: Act
    text: str
    why: str
    brief: str = ""
    """The same for a button with little room; empty where there is no shorter one."""
    request: Request | None = None
    """What to measure, or to fill in."""
    name: str = ""
    """Which step it is, the same in every language."""

    @staticmethod
    def choosing_data(why: str) -> NextStep:
        """To choose data; `why`: nothing can be measured without it."""
        return NextStep(act=Act.DATA, text=tr("Choose data…"), why=why, name="data")
