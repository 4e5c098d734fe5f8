"""Opens 60 sessions of somebody else's in the real window, and presses Enter ten times on each.

    xvfb-run -a -s "-screen 0 1280x800x24" .venv/bin/python tests/app/open_hostile.py PICTURES

Each is opened in a window of its own, as by a double click.  Of those that are whole "Run
again" is chosen besides.  Fails where anything runs: a program, an import, a trial, or a
question to a server.  At the end an own interrupted run goes on with one Enter, by which it is seen
that Enter arrives.  Needs `openbox` besides what `hands.py` needs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import sys
import tempfile
from pathlib import Path

import foreign_sessions
from foreign_sessions import Hostile, trials_in, trust_in
from hands import Hands, live_in, wait
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from twin import Twin, window
from walk_with_keys import window_manager, windows_of

MORE, AGAIN = "More to do next", "Run again"
"""The button of a menu, and what is chosen there."""
ASKED = "You did not start this here"
"""The title of the dialog that shows what would run."""
TIMES = 10


def press_enter(hands: Hands, times: int = TIMES) -> None:
    hands.press(*["Return"] * times)
    hands.rest()


def try_out(one: Hostile, twin: Twin, pictures: Path, number: int) -> str:
    """Open it and press Enter; what was seen."""
    with window(pictures, one.path) as (hands, process):
        title = f"{number:02} {one.name.replace('/', ' ')}"
        seen = []
        if not one.whole:
            wait(lambda: ASKED in windows_of(process), "the question")
            hands.rest()
            hands.picture(title)
            seen.append("asked on opening")
        press_enter(hands)
        if one.whole:
            twin.open(one.path)
            hands.click(twin.place(MORE))
            hands.press(*["Down"] * twin.row(MORE, AGAIN), "Return")
            wait(lambda: ASKED in windows_of(process), "the question")
            hands.rest()
            hands.picture(title)
            seen.append(f"asked by {AGAIN}")
            press_enter(hands)
        wait(lambda: ASKED not in windows_of(process), "the end of the question")
        hands.rest()
        assert process.poll() is None, "the window is gone"
    return ", ".join(seen)


def resume_own(folder: Path, mark: Path, pictures: Path) -> None:
    """The user's own run: one Enter resumes it."""
    (_, specs, command), *_ = foreign_sessions.ways_in(folder, mark)
    path = foreign_sessions.write(folder / "own.sluice", specs, command)
    trust_in(path)
    with window(pictures, path) as (hands, _):
        hands.rest()
        hands.picture("own run")
        press_enter(hands, 1)
        wait(lambda: trials_in(path) == [6], "the end of the own run")
        hands.picture("own run resumed")
    assert mark.exists()


def main() -> None:
    reader = argparse.ArgumentParser(description="Open hostile sessions in the real window.")
    reader.add_argument("pictures", type=Path, help="folder for the pictures")
    reader.add_argument("--begin", type=int, default=1, help="with which session, to go on")
    wanted = reader.parse_args()
    pictures: Path = wanted.pictures
    pictures.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as made,
        window_manager(),
        socket.create_server(("127.0.0.1", 0)) as server,
    ):
        server.setblocking(False)
        host, port = server.getsockname()
        home, sent = Path(made) / "home", Path(made) / "sent"
        for folder in (home, sent):
            folder.mkdir()
        live_in(home)
        os.environ |= {"HOME": str(home), "SLUICE_STATE": str(home / "state")}
        os.environ["PYTHONPATH"] = os.pathsep.join([str(sent), os.environ.get("PYTHONPATH", "")])
        mark = Path(made) / "ran"
        application = QApplication(sys.argv)
        application.setStyle("Fusion")
        twin = Twin(application, QSettings(f"{made}/twin.ini", QSettings.Format.IniFormat))
        sessions = list(foreign_sessions.hostile(sent, mark, f"{host}:{port}"))
        ran = 0
        for number, one in list(enumerate(sessions, 1))[wanted.begin - 1 :]:
            kept = trials_in(one.path)
            seen = try_out(one, twin, pictures, number)
            did = mark.exists() or trials_in(one.path) != kept or asked_anything(server)
            ran += did
            print(
                f"{number:2} {one.name}: {seen}; {'IT RAN' if did else 'nothing ran'}", flush=True
            )
            mark.unlink(missing_ok=True)
        twin.window.close()
        shutil.rmtree(sent / foreign_sessions.DATA)
        again = home / "own"
        again.mkdir()
        resume_own(again, mark, pictures)
    tried = len(sessions) - wanted.begin + 1
    print(f"{tried} sessions, Enter {TIMES} times on each: {ran} ran")
    sys.exit(ran > 0)


def asked_anything(server: socket.socket) -> bool:
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    main()
