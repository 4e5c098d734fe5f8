"""Colours of the window and its plots, one set per theme.

Every text keeps a contrast of at least 7:1 with the background (WCAG 2.2, 1.4.6) and every curve
at least 3:1 (1.4.11). Curves are told apart by their markers too, never by colour alone.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Theme:
    """Colours as #rrggbb; `curves` in the order in which curves take them."""

    name: str
    background: str
    text: str
    muted: str
    """Texts of less weight: axes, units, hints."""
    grid: str
    """Lines that may be overlooked."""
    curves: tuple[str, ...]


LIGHT = Theme(
    name="light",
    background="#ffffff",
    text="#1b1f24",
    muted="#4d545c",
    grid="#e6e8eb",
    curves=("#0a5fb4", "#c2500a", "#0b8a63", "#9a3fa0", "#85700c", "#4a5663"),
)
DARK = Theme(
    name="dark",
    background="#171a1f",
    text="#eceff2",
    muted="#b0b8c1",
    grid="#2d333a",
    curves=("#5fb0ff", "#ff9a57", "#3fd6a0", "#e093e6", "#e8cf4d", "#aab5c2"),
)
HIGH_CONTRAST = Theme(
    name="high contrast",
    background="#000000",
    text="#ffffff",
    muted="#e6e6e6",
    grid="#3a3a3a",
    curves=("#52c5ff", "#ffa82e", "#12e896", "#ff94f4", "#fff24d", "#ffffff"),
)
THEMES = (LIGHT, DARK, HIGH_CONTRAST)
