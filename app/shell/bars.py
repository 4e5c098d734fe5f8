"""The bars of the window: pages, messages and menu, progress, the command line at the foot."""

from __future__ import annotations

from typing import TYPE_CHECKING, override

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from app.style.labels import ClippedLabel, as_tip, label
from app.style.layouts import NARROW, side_of, spaced
from app.style.theme import LIGHT, Theme
from core import show
from core import tr as sentence

if TYPE_CHECKING:
    from core import MachineState

_TOP, _FOOT = (44, 40), (32, 29)
"""Their heights, also in a narrow window."""


class TopBar(QFrame):
    """Always in sight; `message` says what was done, `machine` what the cores do."""

    page_chosen = Signal(str)
    """`start`, `question`, `sessions` or `studies`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "bar")
        self.message = MessageLine()
        self.menu_button = _plain("☰", self.tr("Menu"))
        self.machine = MachineLight()
        self._pages: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        row = self._row = spaced(QHBoxLayout(self), 12)
        brand = QPushButton(self.tr("Sluice"))
        brand.setProperty("part", "brand")
        brand.setToolTip(self.tr("What do you want to know?"))
        brand.clicked.connect(lambda: self.page_chosen.emit("start"))
        row.addWidget(brand)
        row.addSpacing(8)
        for name, title in (
            ("question", self.tr("Question")),
            ("sessions", self.tr("Runs")),
            ("studies", self.tr("Studies")),
        ):
            button = self._pages[name] = _plain(title, title)
            button.setCheckable(True)
            button.setFixedWidth(_width_when_bold(button))
            button.clicked.connect(lambda _, name=name: self.page_chosen.emit(name))
            self._group.addButton(button)
            row.addWidget(button)
        row.addWidget(self.message, 1)
        row.addWidget(self.machine)
        row.addWidget(self.menu_button)

    def show_page(self, name: str) -> None:
        """Mark which page is in sight."""
        self._group.setExclusive(False)
        for each, button in self._pages.items():
            button.setChecked(each == name)
        self._group.setExclusive(True)

    def fit(self, width: int) -> None:
        """Be as high, and have the margins, that a window of so many pixels has room for."""
        side = side_of(width)
        self.setFixedHeight(_TOP[width < NARROW])
        self._row.setContentsMargins(side, 0, side, 0)


def _width_when_bold(button: QPushButton) -> int:
    """So that nothing moves when it is chosen."""
    font = button.font()
    font.setWeight(QFont.Weight.DemiBold)
    return QFontMetrics(font).horizontalAdvance(button.text()) + 2 * _AIR


_AIR = 7
_COLUMNS, _COLUMN, _HIGH = 16, 4, 16
"""At most so many columns; of what width and height."""


class MachineLight(QWidget):
    """The cores as columns: Sluice fills them from the left, other programs from the right.

    The columns stand at the right of their word, so that they stay where they are.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("What the machine does"))
        self.setFixedHeight(28)
        self._state: MachineState | None = None
        self._distance = ""
        self._theme = LIGHT

    def say_distance(self, distance: str) -> None:
        """Say how far away the store is made; empty where it is not."""
        if distance != self._distance:
            self._distance = distance
            self.updateGeometry()
            self.update()

    def show_machine(self, state: MachineState) -> None:
        """Show who takes the cores, and whether that stands in the way."""
        self._state = state
        self.setToolTip(as_tip(state.text))
        self.setAccessibleDescription("\n".join(filter(None, (state.title, state.text))))
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def text(self) -> str:
        title = self._state.title if self._state is not None else ""
        return " · ".join(filter(None, (title, self._distance)))

    @override
    def sizeHint(self) -> QSize:
        word = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(word + 8 + self._columns() * (_COLUMN + 1), self.height())

    def _columns(self) -> int:
        return min(self._state.cores, _COLUMNS) if self._state is not None else 0

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._state is None:
            return
        p, roles = QPainter(self), self._theme.roles
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = self.width() - self._columns() * (_COLUMN + 1)
        p.setPen(QColor(roles["warn" if self._state.light in {"busy", "limited"} else "ink2"]))
        sides = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        p.drawText(QRectF(0, 0, left - 8, self.height()), sides, self.text())
        cores = QRectF(left, (self.height() - _HIGH) / 2, self.width() - left, _HIGH)
        paint_cores(p, cores, self._state, self._theme)
        p.end()


def paint_cores(p: QPainter, area: QRectF, state: MachineState, theme: Theme) -> None:
    """The cores as columns side by side, at most 16; those not granted are outlines."""
    count = min(state.cores, _COLUMNS)
    each, wide = state.cores / count, area.width() / count

    def fill(column: int, cores: float, role: str) -> None:
        full = min(max(cores / each - column, 0.0), 1.0)
        x = column if role == "ink" else count - 1 - column
        high = full * area.height()
        place = QRectF(area.left() + x * wide, area.bottom() - high, wide - 1, high)
        p.fillRect(place, QColor(theme.roles[role]))

    edge = QColor(theme.roles["edge"])
    outlined = theme.roles["rim"] != "transparent"
    for column in range(count):
        whole = QRectF(area.left() + column * wide, area.top(), wide - 1, area.height())
        granted = column * each < state.granted
        style = Qt.PenStyle.SolidLine if granted else Qt.PenStyle.DotLine
        p.setPen(QPen(edge, 0.8, style) if outlined or not granted else Qt.PenStyle.NoPen)
        p.setBrush(edge if granted and not outlined else Qt.BrushStyle.NoBrush)
        p.drawRoundedRect(whole, 1, 1)
    for column in range(count):
        fill(column, state.own, "ink")
        fill(column, state.others, "amber")


class MessageLine(QWidget):
    """What was said last, and errors and wrong data of what runs."""

    def __init__(self) -> None:
        super().__init__()
        self._message = ClippedLabel("small", lines=2)
        self._message.setAccessibleName(self.tr("Message"))
        self._errors, self._wrong = label(), label()
        for part in (self._errors, self._wrong):
            part.setProperty("loud", "true")
        self._errors.setAccessibleName(self.tr("Failed operations"))
        self._wrong.setAccessibleName(self.tr("Operations with wrong data"))
        row = spaced(QHBoxLayout(self), 16, 8, 0, 8, 0)
        row.addWidget(self._message, 1)
        for part in (self._errors, self._wrong):
            # Not over the whole height: a loud one has a background.
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        self.count(0, 0)

    def say(self, text: str) -> None:
        self._message.setText(text)
        self._message.setAccessibleDescription(text)

    def count(self, errors: int, wrong: int) -> None:
        """Show failed operations and wrong data so far, until the verdict tells them."""
        self._errors.setText(sentence("1 failed", "{count:,} failed", count=errors))
        self._wrong.setText(self.tr("{} wrong").format(show(wrong, "")))
        for part, count in ((self._errors, errors), (self._wrong, wrong)):
            part.setVisible(count > 0)

    def text(self) -> str:
        return self._message.text()


_STEPS = 200
"""Of the bar; with each of them it paints, and with it whatever waits to be painted."""


class RunBar(QProgressBar):
    """How much of a run is done; nothing once it is over."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "thin")
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setAccessibleName(self.tr("Progress of the run"))

    def show_share(self, share: float) -> None:
        self.setValue(round(_STEPS * share))


class CommandLine(QFrame):
    """The command line that does the same as Measure, to be copied; it is always visible."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "foot")
        self._line = QLineEdit()
        self._line.setReadOnly(True)
        self._line.setProperty("part", "line")
        self._line.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._line.setAccessibleName(self.tr("Command line that does the same"))
        self._copy = _plain(self.tr("Copy"), self.tr("Copy the command line"))
        self._copy.setToolTip(self.tr("Copy the command line (Ctrl+Shift+C)"))
        self._copy.clicked.connect(self.copy)
        row = self._row = spaced(QHBoxLayout(self), 12)
        row.addWidget(self._line, 1)
        row.addWidget(self._copy)

    def fit(self, width: int) -> None:
        """Be as high as a window of so many pixels has room for."""
        side = side_of(width)
        self.setFixedHeight(_FOOT[width < NARROW])
        self._row.setContentsMargins(side, 0, side, 0)

    def show_command(self, command: str, problem: str) -> None:
        """Show a command; if there is none, the reason."""
        self._line.setText(command)
        self._line.setPlaceholderText(problem)
        self._line.setCursorPosition(0)
        self._line.setToolTip(as_tip(command))
        self._copy.setEnabled(bool(command))

    def text(self) -> str:
        """The command; empty if there is none."""
        return self._line.text()

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())


def _plain(text: str, name: str) -> QPushButton:
    button = QPushButton(text)
    button.setProperty("part", "plain")
    button.setAccessibleName(name)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button
