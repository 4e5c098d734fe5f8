"""Tries a package in a bare Debian or Ubuntu, offline and as a fresh user, in the real window.

    export PYTHONPATH=.:tests/app
    .venv/bin/python tests/packaging/try_in_root.py dist/sluice-1.0.0-linux-x86_64.tar.zst
    .venv/bin/python tests/packaging/try_in_root.py dist/sluice_1.0.0_amd64.deb --suite noble

Goes through the first steps with a mouse to a verdict, opens the session by its name, repeats the
default study without the window, and makes a report and an export.  A Debian package is installed
before and purged afterwards.  Fails where one of these does not succeed, where a library is missing
that the package does not ask for, and where anything is left: files for a time, processes, or, of a
Debian package, any file at all.  Runs as root; needs debootstrap, Xvfb, xdotool and maim.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bare_root import UID, USER, BareRoot
from hands import PATIENCE, SIZE, Hands, Spot, newest_session, runs_ended, wait

ROOT = Path(__file__).resolve().parents[2]
ROOTS = ROOT / "build" / "roots"
MIRRORS = {"debian": "http://deb.debian.org/debian", "ubuntu": "http://archive.ubuntu.com/ubuntu"}
OF_UBUNTU = {"jammy", "noble", "plucky", "questing", "resolute"}
TOOLS = ("debootstrap", "unshare", "Xvfb", "xdotool", "maim", "tar", "zstd")
AREA = (300, 100)
"""How much of the window is looked at, in pixels."""
PLOTS = (640, 600)
SESSIONS = Path(".local", "share", "sluice")
STUDY = ("study", "seqrepo-fd-cache", "--repeats", "3", "--budget", "200s")

# The program itself says where its first button stands, since that depends on the system.
STEPS = f"""
import json, os
from app.shell.application import Application
from app.shell.window import MainWindow
from PySide6.QtCore import QSettings, Qt
application = Application(["sluice-app", "-style", "fusion"])
settings = QSettings("/nonexistent/settings.ini", QSettings.Format.IniFormat)
window = MainWindow(settings, application)
bench = window.furnish()
window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
window.show()
window.resize(*{SIZE})
for _ in range(20):
    application.processEvents()
button = bench.start.sample
place = button.mapTo(window, button.rect().center())
print(json.dumps([place.x(), place.y()]), flush=True)
os._exit(0)
"""


class Trial:
    """A package in a bare system, from its installation to its removal."""

    def __init__(self, bare: BareRoot, package: Path, pictures: Path) -> None:
        self.bare = bare
        self.package = package
        self.pictures = pictures
        self.is_deb = package.suffix == ".deb"
        self.bin = "/usr/bin" if self.is_deb else f"/home/{USER}/sluice"
        self._before: dict[str, str] = {}

    def install(self) -> None:
        if self.is_deb:
            self._install_deb()
        else:
            self._unpack()

    def _install_deb(self) -> None:
        """What it depends on comes first, so that what it leaves itself can be seen."""
        shutil.copy(self.package, self.bare.folder / "root" / "package.deb")
        asked = ["dpkg-deb", "--field", self.package]
        wanted = [
            subprocess.run([*asked, field], capture_output=True, text=True, check=True).stdout
            for field in ("Depends", "Recommends")
        ]
        self.bare.as_root("apt-get", "update")
        self.bare.as_root("apt-get", "satisfy", "-y", "--no-install-recommends", ", ".join(wanted))
        self._before = self.bare.files()
        self.bare.as_root("dpkg", "-i", "/root/package.deb")
        known = self.bare.folder / "usr/share/mime/application/vnd.sluice.session.xml"
        assert known.exists(), "the desktop does not know sessions"
        opened_by = (self.bare.folder / "usr/share/applications/mimeinfo.cache").read_text("utf-8")
        assert "application/vnd.sluice.session=sluice.desktop;" in opened_by

    def _unpack(self) -> None:
        """It brings what it may bring, and says what the system has to have."""
        unpacked = self.bare.home / "sluice"
        unpacked.mkdir()
        taking = ["tar", "--zstd", "-xf", self.package, "-C", unpacked, "--strip-components=1"]
        subprocess.run(taking, check=True)
        subprocess.run(["chown", "-R", f"{UID}:{UID}", unpacked], check=True)
        done = self.bare.run(f"{self.bin}/sluice-app", display=os.environ["DISPLAY"])
        assert done.returncode == 1, done
        print(f"       {done.stderr.strip()}")
        (line,) = done.stderr.splitlines()
        named = re.search(r"apt install (.+)$", line)
        assert named, line
        self.bare.as_root("apt-get", "update")
        self.bare.as_root("apt-get", "install", "-y", "--no-install-recommends", *named[1].split())

    def said(self, *words: str, display: str = "") -> str:
        """What `sluice` prints; it must succeed."""
        done = self.bare.run(f"{self.bin}/sluice", *words, display=display)
        assert done.returncode == 0, f"sluice {' '.join(words)}: {done.returncode}\n{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def commands(self) -> None:
        print(f"       {self.said('--version').strip()}")
        self.said("list")

    def first_steps(self) -> None:
        told = self.said("-c", STEPS, display=os.environ["DISPLAY"])
        x, y = json.loads(told)
        folder = self.bare.home / SESSIONS
        with self.window("1 first page", (x, y)) as hands:
            hands.click((x, y))
            wait(lambda: list(folder.glob("sessions/*.sluice")), "the session")
            time.sleep(8)
            hands.picture("4 running")
            wait(lambda: runs_ended(folder) == 1, "the answer")
            hands.rest()
            hands.picture("5 verdict")
        session = newest_session(folder)
        assert session is not None
        with session:
            (run,) = session.runs()
            assert run.how == "completed"
            assert {spec.load.threads for spec in run.plan.specs} == {1, 2, 4, 8}

    def open_session(self) -> None:
        (session,) = (self.bare.home / SESSIONS / "sessions").glob("*.sluice")
        place = f"/{session.relative_to(self.bare.folder)}"
        for number, program in ((6, "sluice-app"), (7, "sluice")):
            with self.window(f"{number} opened by {program}", PLOTS, program, place):
                pass

    @contextlib.contextmanager
    def window(
        self, picture: str, shows: Spot, program: str = "sluice-app", *arguments: str
    ) -> Iterator[Hands]:
        """The window of a program, once something is drawn around a place, until it is closed."""
        errors = self.pictures / f"{picture}.txt"
        with (
            errors.open("w") as stderr,
            subprocess.Popen(
                self.bare.command(f"{self.bin}/{program}", *arguments),
                env=self.bare.environment(os.environ["DISPLAY"]),
                stderr=stderr,
            ) as process,
        ):
            try:
                hands = Hands(process.pid, self.pictures)
                wait(lambda: hands.sees(shows, AREA), picture)
                hands.rest()
                hands.picture(picture)
                yield hands
                hands.focus()
                hands.press("ctrl+w")
                code = process.wait(PATIENCE)
            finally:
                process.kill()
        said = errors.read_text("utf-8").strip()
        print(f"       {program} {' '.join(arguments)} ended with {code} {said}".rstrip())
        assert code == 0
        assert not said

    def study(self) -> None:
        print(self.said(*STUDY))

    def report(self) -> None:
        self.said("report", "last", "-o", "report.html")
        assert "<svg" in (self.bare.home / "report.html").read_text("utf-8")
        self.said("export", "last", "-o", "results.csv")
        assert len((self.bare.home / "results.csv").read_text("utf-8").splitlines()) > 1

    def nothing_left(self) -> None:
        wait(lambda: not self.bare.processes(), f"the end of {self.bare.processes()}")
        left = self.bare.temporary_files()
        assert not left, left

    def remove(self) -> None:
        if not self.is_deb:
            return
        name = self.package.name.partition("_")[0]
        self.bare.as_root("apt-get", "purge", "-y", name)
        after = self.bare.files()
        changed = {
            place: (self._before.get(place), after.get(place))
            for place in sorted(self._before.keys() | after.keys())
            if self._before.get(place) != after.get(place)
        }
        assert not changed, changed

    def steps(self, study: bool) -> None:
        """All of it, each with the time that it took."""
        wanted = [self.install, self.commands, self.first_steps, self.open_session]
        wanted += [self.study] if study else []
        wanted += [self.report, self.nothing_left, self.remove]
        for step in wanted:
            begun = time.monotonic()
            step()
            print(f"{time.monotonic() - begun:6.1f} s  {step.__name__.replace('_', ' ')}")


@contextlib.contextmanager
def x_server() -> Iterator[str]:
    """An X server of its own; its display as DISPLAY."""
    out, into = os.pipe()
    command = ["Xvfb", "-displayfd", str(into), "-screen", "0", "1280x800x24", "-ac"]
    with subprocess.Popen(
        [*command, "-nolisten", "tcp"], pass_fds=[into], stderr=subprocess.DEVNULL
    ) as server:
        os.close(into)
        try:
            with open(out) as told:  # noqa: PTH123 -- a descriptor, not a path
                os.environ["DISPLAY"] = f":{told.readline().strip()}"
            yield os.environ["DISPLAY"]
        finally:
            server.terminate()


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package", type=Path, help="a .tar.zst or .deb of `make package`")
    parser.add_argument("--suite", default="bookworm", help="of Debian or Ubuntu")
    parser.add_argument("--mirror", help="where its packages are; by default the project's own")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the window")
    parser.add_argument("--no-study", action="store_true", help="leave out the study: 200 s less")
    parser.add_argument("--keep", action="store_true", help="keep the system that it was tried in")
    wanted = parser.parse_args()
    if not wanted.package.is_file():
        parser.error(f"{wanted.package} is not there; `make package` makes packages into dist/")
    if wanted.package.suffix not in (".deb", ".zst"):
        parser.error(f"{wanted.package.name} is neither a .deb nor a .tar.zst")
    if os.geteuid() != 0:
        parser.error("run this as root: it makes a system in a folder and runs programs in it")
    if lacking := [tool for tool in TOOLS if shutil.which(tool) is None]:
        parser.error(f"{', '.join(lacking)} not found: apt install {' '.join(lacking)}")
    return wanted


def main() -> None:
    wanted = asked()
    suite: str = wanted.suite
    pristine = BareRoot(ROOTS / suite)
    if not pristine.folder.exists():
        print(f"making a bare {suite} in {pristine.folder}")
        family = "ubuntu" if suite in OF_UBUNTU else "debian"
        pristine.make(suite, wanted.mirror or MIRRORS[family])
    pictures = wanted.pictures or ROOTS / f"pictures-{suite}-{wanted.package.suffix[1:]}"
    pictures.mkdir(parents=True, exist_ok=True)
    bare = pristine.copied_to(ROOTS / f"{suite}-tried")
    try:
        with x_server():
            bare.share_display()
            Trial(bare, wanted.package, pictures).steps(study=not wanted.no_study)
    finally:
        if not wanted.keep:
            shutil.rmtree(bare.folder)
    print(f"all of it works in {suite}; pictures of the window are in {pictures}")


if __name__ == "__main__":
    try:
        main()
    except (AssertionError, ProcessLookupError, TimeoutError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
