"""Draws the pictures in resources/pictures, photographs of the window for the documents, or icons.

    make pictures
    make pictures ARGS="--dataset snapshot/ --study study.sluice"
    make icons

What is seen is measured for it: a sweep, and the default study unless a session with one is
named.  Takes about five minutes, in which nothing else should run.  The icons are
resources/icons/sluice-*.png, drawn from sluice.svg in the sizes that desktops ask for.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "pictures"
ICONS = ROOT / "resources" / "icons"
ICON_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
PHOTOGRAPH = ROOT / "tests" / "app" / "photograph.py"
SIZE = "1280x800"
STUDY = ("study", "seqrepo-fd-cache", "--repeats", "3", "--budget", "200s")


class Shot(NamedTuple):
    """One photograph of those that tests/app/photograph.py takes."""

    state: str
    theme: str = "light"

    @property
    def file(self) -> str:
        """Its name in the photographer's folder."""
        return f"{self.state}-{self.theme}-{SIZE}@1.png"


PICTURES: Mapping[str, Shot] = {
    "window-first-steps.png": Shot("1-empty"),
    "window-high-contrast.png": Shot("3-running", "contrast"),
    "window-sweep.png": Shot("4-sweep", "dark"),
    "window.png": Shot("5-answer"),
    "window-inside.png": Shot("6-inside"),
    "window-compare.png": Shot("7-compare"),
    "window-study.png": Shot("8-study"),
}
"""Every picture that a document shows, and how it is made."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Photograph the window for the documents.")
    parser.add_argument("--icons", action="store_true", help="draw only the icons")
    parser.add_argument("--dataset", type=Path, help="measured on; a sample if none is named")
    parser.add_argument("--study", type=Path, help="session with a study to show")
    options = parser.parse_args()
    if options.icons:
        draw_icons()
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study = options.study or measured_study(folder / "study.sluice", options.dataset)
        themes = sorted({shot.theme for shot in PICTURES.values()})
        command = [sys.executable, str(PHOTOGRAPH), str(folder), "--study", str(study)]
        command += ["--themes", ",".join(themes), "--sizes", SIZE, "--scales", "1"]
        command += ["--dataset", str(options.dataset)] if options.dataset else []
        # Found on PATH, Sluice shows its command without the folder of this machine.
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        surroundings = os.environ | {"PYTHONPATH": str(ROOT), "PATH": path}
        subprocess.run(command, check=True, env=surroundings)
        for picture, shot in PICTURES.items():
            shutil.copy(folder / shot.file, FOLDER / picture)
            print(FOLDER / picture)


def measured_study(session: Path, dataset: Path | None) -> Path:
    """The session, with the default study of a dataset, or of a sample, measured into it."""
    command = [sys.executable, "-m", "core", *STUDY, "--session", str(session)]
    command += ["--dataset", str(dataset)] if dataset else []
    subprocess.run(command, check=True, cwd=ROOT)
    return session


def draw_icons() -> None:
    from PySide6.QtGui import QGuiApplication

    QGuiApplication([])
    for size in ICON_SIZES:
        icon(size).save(str(ICONS / f"sluice-{size}.png"))


def icon(size: int) -> QImage:
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(ICONS / "sluice.svg")).render(painter)
    painter.end()
    return image


if __name__ == "__main__":
    main()
