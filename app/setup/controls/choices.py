"""Named options as chips: one that is chosen is fixed, several are compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QPushButton

from app.setup.controls.control import Control
from app.style.labels import as_tip, restyle
from app.style.layouts import FlowLayout
from core import Choice, Option, tr_word

if TYPE_CHECKING:
    from core import Flag, Value

_TICK, _AIR = 22, 12


class ChipsControl(Control):
    """A press takes an option in or out; a double click leaves only that one."""

    kind: Choice | Flag

    def __init__(self, kind: Choice | Flag) -> None:
        super().__init__(kind)
        row = FlowLayout(6)
        self._chips: dict[Value, QPushButton] = {}
        self._missing: dict[Value, str] = {}
        self._helps: dict[Value, str] = {}
        label, needs = tr_word(kind.label), self.tr("needs {name} ({remedy})")
        for value, option in _options(kind).items():
            driver = option.driver
            self._missing[value] = (
                ""
                if driver is None or driver.installed
                else needs.format(name=driver.distribution, remedy=driver.remedy)
            )
            named = str(value) if option.title != value else ""
            self._helps[value] = "\n".join(filter(None, (named, option.help)))
            chip = self._chips[value] = QPushButton(option.title)
            chip.setProperty("part", "chip")
            chip.setCheckable(True)
            chip.setFixedWidth(_width_when_chosen(chip))
            chip.setAccessibleName(f"{label}: {option.title}")
            chip.clicked.connect(lambda _, value=value: self._take(value))
            chip.installEventFilter(self)
            row.addWidget(chip)
        self.setLayout(row)
        self.setFocusProxy(next(iter(self._chips.values())))
        self.refuse({})
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

    def warn_of(self, unsafe: Collection[Value]) -> None:
        """Mark options whose answers may be wrong."""
        for value, chip in self._chips.items():
            restyle(chip, "unsafe", value in unsafe)

    def refuse(self, reasons: Mapping[Value, str]) -> None:
        """Disable these options and say why; a chosen one stays enabled, to be taken out."""
        for value, chip in self._chips.items():
            refusal = self._missing[value] or reasons.get(value, "")
            chip.setEnabled(chip.isChecked() or not refusal)
            chip.setToolTip(as_tip(refusal or self._helps[value]))
            chip.setAccessibleDescription(refusal or self._helps[value])

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
        """A value from elsewhere, such as a session, may need a driver that is missing here."""
        self.problem = next(filter(None, map(self._missing.__getitem__, self.values())), "")


def _width_when_chosen(chip: QPushButton) -> int:
    """With a tick and in bold, so that nothing moves when it is chosen."""
    font = chip.font()
    font.setWeight(QFont.Weight.DemiBold)
    return QFontMetrics(font).horizontalAdvance(chip.text()) + _TICK + 2 * _AIR


def _options(kind: Choice | Flag) -> Mapping[Value, Option]:
    """By value, with the title and the help that a chip has."""
    if not isinstance(kind, Choice):
        help_text = tr_word(kind.help)
        return {value: Option(help=help_text, title=kind.show(value)) for value in (False, True)}
    return {
        value: replace(option, title=tr_word(kind.plain(value)), help=tr_word(option.help))
        for value, option in kind.options.items()
    }
