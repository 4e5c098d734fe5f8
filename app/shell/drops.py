"""What is dropped onto the window: wherever it falls, it is a question, which undo takes back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QObject, QPointF, Qt, QUrl, Signal
from PySide6.QtGui import QDropEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout, QWidget

from app.style.labels import label, restyle
from app.style.layouts import spaced
from app.work.question import Question
from core import Request, one_line, tr_word, workloads

if TYPE_CHECKING:
    type Place = Path | str
    """A file or a folder, or an address."""
    type _Asked = tuple[Request, tuple[Place, ...]]
    """The question about what was dropped, and the places that are no part of it."""

    from app.setup.form_history import FormHistory
    from app.shell.window_parts import WindowParts

_WAVE = (0, 2, 1, 3, 1, 16, 18, 17, 18, 2, 1, 3, 2, 1, 2, 15, 17, 16, 18, 3, 1, 2)
_STEP = 12
"""Pixels from a point of it to the next."""


def places_of(event: QDropEvent) -> list[Place]:
    """The files, folders and addresses that are dragged; a text can be an address, too."""
    data, whole = event.mimeData(), QUrl.ComponentFormattingOption.FullyEncoded
    places: list[Place] = [
        Path(url.toLocalFile()) if url.isLocalFile() else url.toString(whole) for url in data.urls()
    ]
    places = places or [data.text().strip()]
    return [one for one in places if isinstance(one, Path) or Request.is_address(one)]


class Drops(QObject):
    """Finds out what would be asked while something hovers, and asks it once it is let go."""

    left = Signal(object)
    """Places that are no part of the question (list of Place)."""

    def __init__(self, parts: WindowParts, history: FormHistory) -> None:
        super().__init__(parts)
        self._parts, self._history = parts, history
        self.target = DropTarget(parts)
        self._places: list[Place] = []
        """What is looked at."""
        self._answer: _Asked | str | None = None
        """What would be asked about it, or why nothing can be; None until that is known."""
        self._released = False
        self._looking = Question(parts.pool, self)
        self._looking.answered.connect(self._take)
        self._looking.refused.connect(self._take)
        self._said, self._step = "", 0
        """How the last drop is taken back, and the step of undo that does it."""
        # The last signal of a stack that is destroyed says that nothing can be redone.
        history.stack.canRedoChanged.connect(lambda undone: self._forget(undone=undone))

    def hover(self, places: Sequence[Place]) -> None:
        """Show what would be asked about places, and take them wherever they fall."""
        for edit in self._parts.findChildren(QLineEdit):  # it would take a path as text
            edit.setAcceptDrops(False)
        self.target.show_over(_named(places))
        if is_session(places[0]):
            self.target.say(self.tr("Let go to open the session"), _named(places))
        else:
            self._look(places)

    def open(self, places: Sequence[Place]) -> None:
        """Ask about places."""
        self._parts.say("")  # what was said of an earlier drop
        if self._places != [*places]:
            self._look(places)
        self._released = True
        self._settle()

    def _look(self, places: Sequence[Place]) -> None:
        self._places, self._released, self._answer = [*places], False, None
        chosen = self._parts.setup.request()
        self._looking.ask(lambda _: Request.dropped(places, chosen))

    def _take(self, answer: _Asked | str) -> None:
        self._answer = answer
        if isinstance(answer, str):
            said = f"{answer[:1].upper()}{answer[1:]}."
            self.target.say(self.tr("Nothing here reads this"), said, kind="refused")
        else:
            asked = answer[0]
            work = asked.values.get("run") or tr_word(workloads()[asked.workload].title)
            about = self.tr("{name}: {work}. Let go to ask.")
            about = about.format(name=_named(self._places), work=one_line(str(work)))
            self.target.say(answer[0].question, about, kind="question")
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
        self._history.ask(answer[0])
        said = self.tr("{}: undo brings the question before back")
        if answer[0].workload == "command":
            said = self.tr("{}: Work lists more programs for it; undo brings the question back")
        self._said = said.format(_named(places))
        self._step = self._history.stack.index()
        self._parts.say(self._said)
        self.left.emit([*answer[1]])

    def _forget(self, *, undone: bool) -> None:
        """Say no more how a drop is taken back, once it is."""
        if not undone or self._history.stack.index() >= self._step:
            return
        if self._parts.top.message.text() == self._said:
            self._parts.say("")


def is_session(place: Place) -> bool:
    return isinstance(place, Path) and place.suffix == ".sluice"


def _named(places: Sequence[Place]) -> str:
    return one_line(", ".join(one.name if isinstance(one, Path) else one for one in places))


class DropTarget(QWidget):
    """The whole window while something is dragged over it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        # The window below stays what takes the drop.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        sheet = self._sheet = QFrame()
        sheet.setProperty("part", "drop")
        self._sentence, self._about = (
            label(part="large", wraps=True),
            label(part="reason", wraps=True),
        )
        self._foot = label(part="muted")
        spaced(QVBoxLayout(self), 0, 12, 12, 12, 12).addWidget(sheet)
        column = spaced(QVBoxLayout(sheet), 8, 24, 24, 24, 24)
        column.addStretch(1)
        self._wave = _Wave()
        column.addWidget(self._wave, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(24)
        for text in (self._sentence, self._about, self._foot):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(text)
        column.insertStretch(column.count() - 1, 1)
        self.hide()

    def show_over(self, about: str) -> None:
        """Cover the window."""
        self.say(self.tr("Let go to ask"), about)
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()

    def say(self, sentence: str, about: str, *, kind: str = "") -> None:
        """`kind`: `question` in place of the one before, or `refused` where nothing reads it."""
        self._wave.setHidden(kind == "refused")
        restyle(self._sheet, "kind", kind)
        self._sentence.setText(sentence)
        self._about.setText(about)
        kept = self.tr("The question before is kept: one undo brings it back.")
        self._foot.setText(kept if kind == "question" else "")
        self.setAccessibleName(sentence)
        self.setAccessibleDescription(about)


class _Wave(QWidget):
    """A signal."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(_STEP * (len(_WAVE) - 1) + 4, 2 * max(_WAVE) + 4)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.palette().highlight().color(), 2))
            bottom = self.height() - 2
            painter.drawPolyline(
                [QPointF(2 + _STEP * at, bottom - 2 * high) for at, high in enumerate(_WAVE)]
            )
