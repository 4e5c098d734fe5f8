"""The verdict as a picture of its own, which says where its results come from."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from app.views.answer_card import AnswerCard
from core import ResultCard

_WIDTH = 720
_SCALE = 2
"""Pixels per point: a picture is pasted where it may be enlarged."""


def picture_of(card: ResultCard) -> QImage:
    """The verdict in the window's theme, without its buttons."""
    shown = AnswerCard()
    shown.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    shown.show_card(card)
    shown.show_alone()
    shown.setFixedWidth(_WIDTH)
    shown.show()  # lays it out in the style; it is seen nowhere
    image = QImage(shown.size() * _SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SCALE)
    image.fill(shown.palette().window().color())
    shown.render(image)
    shown.hide()
    shown.deleteLater()
    return image
