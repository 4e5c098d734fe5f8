"""Named options as chips: one that is chosen is fixed, several are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QPushButton

from app.setup.controls.control import Control
from app.style.labels import as_tip
from app.style.layouts import FlowLayout
from core import Choice, tr_word

if TYPE_CHECKING:
    from core import Driver, Flag, Value


class QuietCombo(QComboBox):
    """A combo box that the wheel changes only while it has the focus; its list shows all rows."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setMaxVisibleItems(30)

    @override
    def showPopup(self) -> None:
        bar = self.view().verticalScrollBar().sizeHint().width()
        wanted = self.view().sizeHintForColumn(0) + bar
        self.view().setMinimumWidth(min(wanted, self.screen().availableGeometry().width()))
        super().showPopup()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ChipsControl(Control):
    """A press takes an option in or out; a double click leaves only that one."""

    kind: Choice | Flag

    def __init__(self, kind: Choice | Flag) -> None:
        super().__init__(kind)
        row = FlowLayout(6)
        self._chips: dict[Value, QPushButton] = {}
        self._missing: dict[Value, str] = {}
        self._told: dict[Value, str] = {}
        label = tr_word(kind.label)
        for value, (title, help_text, driver) in _options(kind).items():
            missing = self._missing[value] = self._why_missing(driver)
            chip = self._chips[value] = QPushButton(title)
            chip.setProperty("part", "chip")
            chip.setCheckable(True)
            chip.setEnabled(not missing)
            chip.setAccessibleName(f"{label}: {title}")
            named = str(value) if title != value else ""
            self._told[value] = told = "\n".join(filter(None, (named, help_text)))
            chip.setToolTip(as_tip(missing or told))
            chip.setAccessibleDescription(missing or told)
            chip.clicked.connect(lambda _, value=value: self._take(value))
            chip.installEventFilter(self)
            row.addWidget(chip)
        self.setLayout(row)
        self.setFocusProxy(next(iter(self._chips.values())))
        self.set_value(kind.default)

    @override
    def values(self) -> tuple[Value, ...]:
        return tuple(value for value, chip in self._chips.items() if chip.isChecked())

    @override
    def set_values(self, values: Sequence[Value]) -> None:
        chosen = set(map(self.kind.check, values))
        for value, chip in self._chips.items():
            chip.setChecked(value in chosen)
        self._judge()

    def refuse(self, reasons: Mapping[Value, str]) -> None:
        """Offer these options no more, and say why; what is chosen stays to be taken out."""
        for value, chip in self._chips.items():
            missing = self._missing[value]
            told = missing or reasons.get(value, "")
            chip.setEnabled(chip.isChecked() or not told)
            chip.setToolTip(as_tip(told or self._told[value]))
            chip.setAccessibleDescription(told or self._told[value])

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonDblClick:
            for value, chip in self._chips.items():
                if chip is watched:
                    self.set_value(value)
                    self.changed.emit()
            return True
        return super().eventFilter(watched, event)

    def _take(self, value: Value) -> None:
        if not self.values():  # one is always chosen
            self._chips[value].setChecked(True)
            return
        self._judge()
        self.changed.emit()

    def _judge(self) -> None:
        """Of what came from elsewhere, such as a session, a driver may be missing here."""
        self.problem = next(filter(None, map(self._missing.__getitem__, self.values())), "")

    def _why_missing(self, driver: Driver | None) -> str:
        if driver is None or driver.installed:
            return ""
        told = self.tr("needs {name}: {remedy}")
        return told.format(name=driver.distribution, remedy=driver.install)


def _options(kind: Choice | Flag) -> Mapping[Value, tuple[str, str, Driver | None]]:
    """By value its title, its help, and what it needs."""
    if not isinstance(kind, Choice):
        return {value: (kind.show(value), tr_word(kind.help), None) for value in (False, True)}
    return {
        value: (
            tr_word(option.title) if option.title else value,
            tr_word(option.help),
            option.driver,
        )
        for value, option in kind.options.items()
    }
