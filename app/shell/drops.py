"""What is dropped onto the window: wherever it falls, it is a question, which undo takes back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDropEvent,
    QFont,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from app.setup.form_history import form_of
from app.style.theme import LIGHT, points
from app.work.question import Question
from core import Request, one_line, tr_word, workloads

if TYPE_CHECKING:
    type _Asked = tuple[Request, tuple[Path, ...]]
    """The question about what was dropped, and the places that are no part of it."""

    from app.setup.form_history import FormHistory
    from app.shell.window_parts import WindowParts
    from app.style.theme import Theme

_MARGIN, _RADIUS, _EDGE = 12, 16, 2
_TINT = 0.06
"""How much of the blue there is in the ground."""
_WAVE = (0, 2, 1, 3, 1, 16, 18, 17, 18, 2, 1, 3, 2, 1, 2, 15, 17, 16, 18, 3, 1, 2)
"""A signal, 12 pixels a point."""


def places_of(event: QDropEvent) -> list[Path]:
    """The files and folders that are dragged."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


class Drops(QObject):
    """Finds out what would be asked while something hovers, and asks it once it is let go."""

    left = Signal(object)
    """Places that are no part of the question (list of Path)."""

    def __init__(self, parts: WindowParts, history: FormHistory) -> None:
        super().__init__(parts)
        self._parts, self._history = parts, history
        self.target = DropTarget(parts)
        self._places: list[Path] = []
        """What is looked at."""
        self._answer: _Asked | str | None = None
        """What would be asked about it, or why nothing can be; None until that is known."""
        self._released = False
        self._looking = Question(parts.pool, self)
        self._looking.answered.connect(self._take)
        self._looking.refused.connect(self._take)

    def hover(self, places: Sequence[Path]) -> None:
        """Show what would be asked about places, and take them wherever they fall."""
        for edit in self._parts.findChildren(QLineEdit):  # it would take a path as text
            edit.setAcceptDrops(False)
        self.target.show_over(_named(places))
        if is_session(places[0]):
            self.target.say(self.tr("Let go to open the session"), _named(places))
        else:
            self._look(places)

    def open(self, places: Sequence[Path]) -> None:
        """Ask about places."""
        self._parts.say("")  # what was said of an earlier drop
        if self._places != [*places]:
            self._look(places)
        self._released = True
        self._settle()

    def _look(self, places: Sequence[Path]) -> None:
        self._places, self._released, self._answer = [*places], False, None
        chosen = self._parts.setup.request()
        self._looking.ask(lambda _: Request.dropped(places, chosen))

    def _take(self, answer: _Asked | str) -> None:
        self._answer = answer
        if isinstance(answer, str):
            self.target.say(self.tr("Nothing here reads this"), answer)
        else:
            entry, about = (
                workloads()[answer[0].workload],
                self.tr("{name}: {work}. Let go to ask."),
            )
            names = {"name": _named(self._places), "work": tr_word(entry.title)}
            self.target.say(tr_word(entry.purpose), about.format(**names), undone=True)
        self._settle()

    def _settle(self) -> None:
        """Ask, once it is let go and known what."""
        answer, places = self._answer, self._places
        if not self._released or answer is None:
            return
        self._places, self._answer = [], None
        if isinstance(answer, str):
            self._parts.say(answer)
            self.left.emit(places[1:])
            return
        self._history.fill(form_of(answer[0], self._parts.setup.state()))
        self._parts.say(self.tr("{}: undo brings the question before back").format(_named(places)))
        self.left.emit([*answer[1]])


def is_session(place: Path) -> bool:
    return place.suffix == ".sluice"


def _named(places: Sequence[Path]) -> str:
    return one_line(", ".join(place.name for place in places))


class DropTarget(QWidget):
    """The whole window while something is dragged over it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        # The window below stays what takes the drop.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme = LIGHT
        self._sentence = self._about = self._foot = ""
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def show_over(self, about: str) -> None:
        """Cover the window."""
        self.say(self.tr("Let go to ask"), about)
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()

    def say(self, sentence: str, about: str, *, undone: bool = False) -> None:
        """`undone`: it is a question in place of the one before."""
        self._sentence, self._about = sentence, about
        kept = self.tr("The question before is kept: one undo brings it back.")
        self._foot = kept if undone else ""
        self.setAccessibleName(sentence)
        self.setAccessibleDescription(about)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colour = {name: QColor(one) for name, one in self._theme.roles.items()}
        ground = QColor(colour["act"])
        ground.setAlphaF(_TINT)
        area = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), colour["paper"])
            painter.setPen(QPen(colour["act"], _EDGE))
            painter.setBrush(ground)
            painter.drawRoundedRect(area, _RADIUS, _RADIUS)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(_wave(QPointF(area.center().x(), area.center().y() - 48)))
            inner = area.adjusted(24, 0, -24, -24)
            top = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            wraps = Qt.TextFlag.TextWordWrap
            flags = top.value | wraps.value
            inner.setTop(area.center().y() + 8)
            painter.setPen(colour["ink"])
            painter.setFont(self._font("hero", QFont.Weight.DemiBold))
            drawn = painter.drawText(inner, flags, self._sentence)
            inner.setTop(drawn.bottom() + 8)
            painter.setPen(colour["ink2"])
            painter.setFont(self._font("title"))
            painter.drawText(inner, flags, self._about)
            painter.setFont(self._font("plain"))
            bottom = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
            painter.drawText(inner, bottom.value, self._foot)

    def _font(self, size: str, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(points(size))
        font.setWeight(weight)
        return font


def _wave(middle: QPointF) -> QPainterPath:
    path = QPainterPath()
    for number, height in enumerate(_WAVE):
        point = middle + QPointF(12.0 * (number - len(_WAVE) / 2), -2.0 * height)
        if number:
            path.lineTo(point)
        else:
            path.moveTo(point)
    return path
