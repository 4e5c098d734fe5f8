"""Busy loops that come and go, as other programs do on an ordinary machine."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MOST_LOOPS = 3
BETWEEN_CHANGES = 3.0
"""Mean seconds for which the load stays as it is."""
BUSY_LOOP = """
import os
ours = os.getppid()
while os.getppid() == ours:  # also ends where we are killed
    sum(range(100_000))
"""


@contextmanager
def changing_load(drawn: random.Random, most: int = MOST_LOOPS) -> Iterator[None]:
    """None to `most` busy loops beside us, another number every few seconds; none is left."""
    over = threading.Event()

    def change() -> None:
        loops: list[subprocess.Popen[bytes]] = []
        try:
            while not over.is_set():
                wanted = drawn.randint(0, most)
                while len(loops) > wanted:
                    end(loops.pop())
                while len(loops) < wanted:
                    loops.append(subprocess.Popen([sys.executable, "-c", BUSY_LOOP]))
                over.wait(drawn.expovariate(1.0 / BETWEEN_CHANGES))
        finally:
            for loop in loops:
                end(loop)

    changer = threading.Thread(target=change, daemon=True)
    changer.start()
    try:
        yield
    finally:
        over.set()
        changer.join()


def end(loop: subprocess.Popen[bytes]) -> None:
    loop.kill()
    loop.wait()
