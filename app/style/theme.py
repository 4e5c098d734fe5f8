"""How Sluice looks: typeface and sizes, icon, and every colour of the window and its plots.

Themes are light, dark and high contrast.

The colours stand in `resources/themes`.  Every text keeps a contrast of at least 7:1 with its
background (WCAG 2.2, 1.4.6), every curve and edge at least 3:1 (1.4.11).  Texts of disabled
controls keep it too, though WCAG exempts them: they say what can be enabled.  Regular weight says
that it is not, and dashed edges do in high contrast.  Curves differ in their markers too, never in
colour alone.

The first paint of the window waits for this module, so it imports next to nothing.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication

from app.style.focus_ring import FocusRings
from core import resources_folder

_PIXELS = {"small": 12, "plain": 13, "title": 17, "hero": 30}
"""Four sizes of type; their lines are 16, 18, 24 and 36 high."""
_PER_POINT = 1.0 if sys.platform == "darwin" else 96 / 72
"""Pixels of a point, before a desktop enlarges its texts."""
_FAMILY = "Inter"


def points(size: str) -> float:
    """A size of type in points, so that it grows with the texts of the desktop."""
    return _PIXELS[size] / _PER_POINT


def window_font() -> QFont:
    """The font of everything; the system's own where that of Sluice cannot be read."""
    folder = resources_folder() / "fonts"
    loaded = [QFontDatabase.addApplicationFont(str(file)) for file in folder.glob("*.[ot]tf")]
    font = QFont(_FAMILY) if loaded and min(loaded) >= 0 else QFont()
    font.setPointSizeF(points("plain"))
    font.setFeature(QFont.Tag("tnum"), 1)  # figures that change stay where they are
    return font


_ICONS = (16, 24, 32, 48, 64, 128)
"""Pixels; each is sent to the desktop whole when the window is first shown."""


def sluice_icon() -> QIcon:
    """The icon; each size is read from its file when it is first shown."""
    icon = QIcon()
    for size in _ICONS:
        icon.addFile(str(resources_folder() / "icons" / f"sluice-{size}.png"))
    return icon


_MIDDLE = 128  # of lightnesses up to 255
SYSTEM = "system"
"""The choice to do as the system does."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Theme:
    """Colours as #rrggbb, one for every role."""

    name: str
    grid: str
    """Faint lines."""
    roles: Mapping[str, str]

    @property
    def curves(self) -> tuple[str, ...]:
        """Those of data, in the order in which curves take them."""
        return tuple(self.roles[f"data{place}"] for place in range(1, 6))

    @property
    def background(self) -> str:
        """The background of plots and tables."""
        return self.roles["paper"]

    @property
    def text(self) -> str:
        """Texts of full weight."""
        return self.roles["ink"]

    @property
    def muted(self) -> str:
        """Texts of less weight: axes, units, hints."""
        return self.roles["ink2"]

    def palette(self) -> QPalette:
        """The palette for everything that the style sheet does not reach."""
        palette = QPalette()
        for place, role in _PALETTE.items():
            palette.setColor(place, QColor(self.roles[role]))
        part = QPalette.ColorRole
        for place in (part.WindowText, part.Text, part.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, place, QColor(self.muted))
        return palette

    def style_sheet(self) -> str:
        """The window's style sheet in these colours."""
        dark_text = QColor(self.roles["on-act"]).lightness() < _MIDDLE
        arrow = "light" if dark_text else "dark"  # that of a theme whose texts are as dark
        places = {"icons": _folder().as_posix(), "name": self.name, "on-accent": arrow}
        sizes = {size: f"{points(size):g}pt" for size in ("small", "title", "hero")}
        return _Template(_read("window.qss")).substitute(self.roles, **places, **sizes)


_PALETTE = {
    QPalette.ColorRole.Window: "paper",
    QPalette.ColorRole.WindowText: "ink",
    QPalette.ColorRole.Base: "paper",
    QPalette.ColorRole.AlternateBase: "inset",
    QPalette.ColorRole.Text: "ink",
    QPalette.ColorRole.Button: "inset",
    QPalette.ColorRole.ButtonText: "ink",
    QPalette.ColorRole.BrightText: "ink",
    QPalette.ColorRole.ToolTipBase: "ink",
    QPalette.ColorRole.ToolTipText: "paper",
    QPalette.ColorRole.PlaceholderText: "ink3",
    QPalette.ColorRole.Highlight: "act",
    QPalette.ColorRole.HighlightedText: "on-act",
    QPalette.ColorRole.Accent: "act",
    QPalette.ColorRole.Link: "act",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Midlight: "line",
    QPalette.ColorRole.Dark: "border",
    QPalette.ColorRole.Light: "paper",
}


class _Template(Template):
    idpattern = "[a-z][a-z0-9-]*"


def _folder() -> Path:
    return resources_folder() / "themes"


def _read(name: str) -> str:
    return (_folder() / name).read_text("utf-8")


THEMES = LIGHT, DARK, HIGH_CONTRAST = tuple(
    Theme(**tomllib.loads(_read(f"{name}.toml"))) for name in ("light", "dark", "contrast")
)


def wished(hints: QStyleHints) -> Theme:
    """The theme that the system asks for."""
    from PySide6.QtCore import Qt  # builds some hundred enumerations

    if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return HIGH_CONTRAST
    return DARK if hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT


class Appearance(QObject):
    """Keeps the application in the chosen theme, or in the one that the system asks for."""

    changed = Signal(object)
    """The theme."""

    def __init__(self, application: QApplication, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._application = application
        self._settings = settings
        self._rings = FocusRings(application, self)
        hints = application.styleHints()
        hints.colorSchemeChanged.connect(self.apply)
        hints.accessibility().contrastPreferenceChanged.connect(self.apply)

    @property
    def chosen(self) -> str:
        """The name of a theme, or SYSTEM."""
        return str(self._settings.value("theme", SYSTEM))

    @property
    def theme(self) -> Theme:
        """The theme that is shown now."""
        return self._named or wished(self._application.styleHints())

    @property
    def _named(self) -> Theme | None:
        return {theme.name: theme for theme in THEMES}.get(self.chosen)

    def choose(self, name: str) -> None:
        """Keep a theme, or follow the system again."""
        self._settings.setValue("theme", name)
        self.apply()

    def paint_ground(self) -> None:
        """Give the application the theme's palette; `apply` is to follow.

        The system is not asked, as that takes an eighth of the time to an empty window's first
        paint: its palette tells dark from light, and high contrast comes with `apply`.
        """
        dark = self._application.palette().window().color().lightness() < _MIDDLE
        theme = self._named or (DARK if dark else LIGHT)
        self._application.setPalette(theme.palette())

    def apply(self) -> None:
        """Bring the whole application into the theme."""
        theme = self.theme
        self._application.setPalette(theme.palette())
        self._application.setStyleSheet(theme.style_sheet())
        self.changed.emit(theme)
