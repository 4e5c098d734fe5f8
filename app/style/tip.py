"""The gate of tooltips: what stands in them is text, whatever it looks like.

Labels can be told that they hold plain text; a tooltip takes for rich text what resembles it, so
that a name from a file could bring links and pictures along.
"""

from __future__ import annotations

from html import escape

from PySide6 import QtGui


def as_tip(text: str) -> str:
    """The text as a tooltip shows it: unchanged, unless Qt would read tags in it."""
    if not QtGui.Qt.mightBeRichText(text):
        return text
    return f'<span style="white-space: pre-wrap">{escape(text)}</span>'
