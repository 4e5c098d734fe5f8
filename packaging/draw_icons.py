"""Draws resources/icons/sluice-*.png from sluice.svg, in the sizes that desktops ask for.

QT_QPA_PLATFORM=offscreen python packaging/draw_icons.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).resolve().parent.parent / "resources" / "icons"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def drawn(size: int) -> QImage:
    """The icon, so many pixels wide."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(ICONS / "sluice.svg")).render(painter)
    painter.end()
    return image


def main() -> None:
    """Draw all sizes."""
    QGuiApplication(sys.argv)
    for size in SIZES:
        drawn(size).save(str(ICONS / f"sluice-{size}.png"))


if __name__ == "__main__":
    main()
