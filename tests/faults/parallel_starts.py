"""Starts a command many times at the same moment, and says how each start ended.

Arguments: how many, and the command.  Prints a line of exit codes.  The starts are forks of a
process that has imported all of it, so that they do not wait for each other before they need a
session.
"""

from __future__ import annotations

import os
import sys

import core.measure.trial.live_trial
import core.run.recording
import core.run.session
import core.tell.cli.terminal_run
from core.tell.cli import main

LOADED = (
    core.tell.cli.terminal_run,
    core.run.recording,
    core.run.session,
    core.measure.trial.live_trial,
)


def at_once(count: int, words: list[str]) -> list[int]:
    """The exit codes of so many starts."""
    waits, lets_go = os.pipe()
    started = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            os.close(lets_go)
            os.read(waits, 1)  # until nobody can write into it any more
            os._exit(main(words))
        started.append(child)
    os.close(lets_go)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in started]


if __name__ == "__main__":
    print(*at_once(int(sys.argv[1]), sys.argv[2:]))
