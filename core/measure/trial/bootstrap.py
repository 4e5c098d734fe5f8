"""The start of a child process: ties its life to the engine's, then runs
`core.measure.trial.child_main`.  A fork server starts so, too, and its children go on from here.

Until then it imports next to nothing, so that the time in which an engine could die
unnoticed is as short as Python's own start.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys

from core.measure.machine.end_signals import tie
from core.measure.machine.out_of_memory import be_killed_first


def main(arguments: list[str]) -> None:
    """Tie, check if that came too late, and run; the first argument is `--life=DESCRIPTOR`."""
    life = int(arguments[0].removeprefix("--life="))
    os.set_inheritable(life, False)
    # In the background of a user's terminal: who reads it gets an error, and is not stopped.
    for number in (signal.SIGTTIN, signal.SIGTTOU):
        signal.signal(number, signal.SIG_IGN)
    tie(os.getpgrp(), life)
    if select.select([life], [], [], 0)[0]:  # closed before the tie existed: no signal will come
        os.killpg(0, signal.SIGKILL)

    be_killed_first()
    gc.disable()  # the modules stay, and looking for garbage among them takes time
    from core.measure.trial.child_main import main as live

    if arguments[1].startswith("--requests="):
        from core.measure.trial.fork_server_main import next_child

        main(next_child(int(arguments[1].partition("=")[2]), life))
    gc.enable()
    live(arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
