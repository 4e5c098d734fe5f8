"""A reader that forks: the new process must not go on in the engine's own code.

It has the engine's frames on its stack and the counters in its memory.  A reader that returns in
the new process, too, would claim and count items there.  So from the fork on the code of these
frames is watched, in the new process alone, and it leaves as soon as it comes back to one of them;
the measuring loop itself has no test for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import CodeType

_NAME = "sluice"
_OWN = f"{__package__}."


def leave_after_forks(on_leaving: Callable[[], None]) -> None:
    """End every forked process that comes back; it calls `on_leaving` just before its end."""

    def leave(_code: CodeType, _offset: int) -> None:
        on_leaving()
        os._exit(0)

    os.register_at_fork(after_in_child=lambda: _watch(leave))


def _watch(leave: Callable[[CodeType, int], None]) -> None:
    monitoring = sys.monitoring
    tools = {monitoring.get_tool(number): number for number in range(6)}
    if _NAME in tools:  # it forked before
        return
    tool, instruction = tools[None], monitoring.events.INSTRUCTION
    monitoring.use_tool_id(tool, _NAME)
    monitoring.register_callback(tool, instruction, leave)
    frame = sys._getframe(1).f_back
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_OWN):
            monitoring.set_local_events(tool, frame.f_code, instruction)
        frame = frame.f_back
