"""Programs of the user's own, run one by one, seen from outside and ended with all they start.

A program has a session of its own, so it has no terminal, and what it sends to its process group
does not reach the trial.  What it leaves behind is found again: on Linux orphans come back to the
process that runs it.  A guard ends everything where that process dies itself.
"""

from core.host.commands.command_run import Command, Peaks, Ran
from core.host.commands.process_tree import programs_memory
from core.host.commands.runner import Commands

__all__ = ["Command", "Commands", "Peaks", "Ran", "programs_memory"]
