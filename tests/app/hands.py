"""A real mouse, a keyboard and a camera for the window of another process.

Needs xdotool and maim.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
from PySide6.QtGui import QImage

from core import Session

PATIENCE = 1200  # seconds, on a machine with much else to do
SIZE = (1280, 800)
BUSY = 0.2
"""Seconds of a core in each second."""
type Spot = tuple[int, int]
"""A place in the window, in pixels from its upper left corner."""


class Hands:
    """They act on the window of one process, which they move to the corner of the screen."""

    def __init__(self, pid: int, pictures: Path) -> None:
        self._process = psutil.Process(pid)
        self._pictures = pictures
        self.window = wait(self._window, "the window")
        xdotool("windowsize", "--sync", self.window, *map(str, SIZE))
        xdotool("windowmove", self.window, "0", "0")
        self.focus()
        self.rest()

    def rest(self) -> None:
        """Wait until everything is in the window; it is filled after it is shown."""
        wait(self._at_rest, "everything in the window")

    def _at_rest(self) -> bool:
        """Filling it takes all of a core, as does what its children make."""
        begun = self._seconds()
        time.sleep(1)
        return self._seconds() - begun < BUSY

    def _seconds(self) -> float:
        """Processor time of the program, of its children, and of those that have ended."""
        spent = sum(self._process.cpu_times()[:4])
        with suppress(psutil.NoSuchProcess):
            spent += sum(sum(one.cpu_times()[:2]) for one in self._process.children(recursive=True))
        return spent

    def _window(self) -> str:
        if self._process.status() == psutil.STATUS_ZOMBIE:
            raise ProcessLookupError("the program ended before it had a window")
        told = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self._process.pid), "--name", "."],
            capture_output=True,
            text=True,
            check=False,
        )
        return told.stdout.split()[-1] if told.stdout else ""

    def focus(self) -> None:
        xdotool("windowfocus", self.window)

    def click(self, at: Spot) -> None:
        xdotool("mousemove", "--window", self.window, *map(str, at))
        xdotool("click", "1")

    def drag(self, start: Spot, end: Spot) -> None:
        xdotool("mousemove", "--window", self.window, *map(str, start))
        xdotool("mousedown", "1")
        for step in range(1, 6):
            x = start[0] + (end[0] - start[0]) * step // 5
            xdotool("mousemove", "--window", self.window, str(x), str(end[1]))
        xdotool("mouseup", "1")

    def press(self, *keys: str) -> None:
        xdotool("key", *keys)

    def write(self, text: str) -> None:
        xdotool("type", "--delay", "5", text)

    def sees(self, at: Spot, size: tuple[int, int]) -> Spot | None:
        """The middle of what is drawn around a place; None where all is of one colour."""
        width, height = size
        left, top = at[0] - width // 2, at[1] - height // 2
        area = f"{width}x{height}+{left}+{top}"
        taken = subprocess.run(["maim", "-u", "-g", area], capture_output=True, check=True)
        seen = QImage.fromData(taken.stdout)
        plain = seen.pixel(0, 0)
        drawn = [
            (x, y)
            for x in range(seen.width())
            for y in range(seen.height())
            if seen.pixel(x, y) != plain
        ]
        if not drawn:
            return None
        xs, ys = zip(*drawn, strict=True)
        return left + (min(xs) + max(xs)) // 2, top + (min(ys) + max(ys)) // 2

    def picture(self, name: str) -> None:
        time.sleep(0.3)
        target = self._pictures / f"{name}.png"
        subprocess.run(["maim", str(target)], check=True)


def xdotool(*words: str) -> None:
    subprocess.run(["xdotool", *words], check=True, stdout=subprocess.DEVNULL)


def live_in(folder: Path) -> None:
    """Keep what the windows of this process and of its children write in that folder."""
    os.environ |= {
        "SLUICE_SESSIONS": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "QT_QPA_PLATFORM": "xcb",
        "LC_ALL": "C.UTF-8",  # the names by which controls are found
    }
    os.environ.setdefault("SLUICE_CACHE", str(folder / "cache"))


def wait[Found](look: Callable[[], Found], what: str) -> Found:
    """The first true answer; the world outside this process can only be polled."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.1)
    raise TimeoutError(what)


def newest_session(folder: Path) -> Session | None:
    found = sorted(folder.glob("sessions/*.sluice"), key=lambda path: path.stat().st_mtime)
    return Session.read(found[-1]) if found else None


def runs_ended(folder: Path) -> int:
    session = newest_session(folder)
    if session is None:
        return 0
    with session:
        return sum(run.how is not None for run in session.runs())
