"""Light, dark and high contrast: the colours of `resources/themes`, as the system wishes."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from string import Template

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette, QStyleHints

from core import resources_folder

THEMES = ("light", "dark", "contrast")


class Colours(msgspec.Struct, frozen=True):
    """A name and a colour for every role, as `#rrggbb`."""

    name: str
    roles: Mapping[str, str]

    def colour(self, role: str) -> QColor:
        """The colour of a role."""
        return QColor(self.roles[role])

    def palette(self) -> QPalette:
        """For everything that the style sheet does not reach."""
        role = QPalette.ColorRole
        palette = QPalette()
        for place, name in (
            (role.Window, "window"),
            (role.WindowText, "text"),
            (role.Base, "panel"),
            (role.AlternateBase, "window"),
            (role.Text, "text"),
            (role.Button, "panel"),
            (role.ButtonText, "text"),
            (role.BrightText, "text"),
            (role.ToolTipBase, "panel"),
            (role.ToolTipText, "text"),
            (role.PlaceholderText, "muted"),
            (role.Highlight, "accent"),
            (role.HighlightedText, "accent-text"),
            (role.Accent, "accent"),
            (role.Link, "accent"),
            (role.Mid, "border"),
            (role.Dark, "border"),
            (role.Light, "panel"),
        ):
            palette.setColor(place, self.colour(name))
        for place in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, place, self.colour("muted"))
        return palette

    def style_sheet(self) -> str:
        """The window's style sheet in these colours."""
        tick = _folder() / f"tick-{self.name}.svg"
        return _ColourTemplate(_read("window.qss")).substitute(self.roles, tick=tick.as_posix())


class _ColourTemplate(Template):
    idpattern = "[a-z-]+"


def load(name: str) -> Colours:
    """One of `THEMES`."""
    return msgspec.convert(tomllib.loads(_read(f"{name}.toml")), Colours)


def wished(hints: QStyleHints) -> str:
    """The theme that the system asks for."""
    if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return "contrast"
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"


def _read(name: str) -> str:
    return (_folder() / name).read_text("utf-8")


def _folder() -> Path:
    return resources_folder() / "themes"
