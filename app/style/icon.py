"""Sluice's icon, in the sizes that desktops ask for."""

from __future__ import annotations

from PySide6.QtGui import QIcon

from core import resources_folder

_SIZES = (16, 24, 32, 48, 64, 128)
"""Pixels; each is sent to the desktop whole when the window is first shown."""


def sluice_icon() -> QIcon:
    """The icon; each size is read from its file when it is first shown."""
    icon = QIcon()
    for size in _SIZES:
        icon.addFile(str(resources_folder() / "icons" / f"sluice-{size}.png"))
    return icon
