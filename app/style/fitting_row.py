"""A row of widgets in which nothing is ever cut: what has no room is left out whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import override

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.style.label_widget import label
from app.style.shared_row import SharedRow
from app.style.tip import as_tip


@dataclass(frozen=True, kw_only=True)
class Part:
    """A widget of the row, and what it says."""

    widget: QWidget
    told: str
    weight: int = 0
    """Those of the least weight are left out first, and of several the last."""
    be_brief: Callable[[bool], None] | None = None
    """Has the widget say less, or all again, where it can."""


class FittingRow(SharedRow):
    """Shows what there is room for at the right; a last `+2` says how many are left out.

    What these say is in the tooltip of that.
    """

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._parts: tuple[Part, ...] = ()
        self._widths: list[int] = []
        self._brief_widths: list[int] = []
        self._rest = label(part="muted")
        self._rest.hide()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(spacing)
        self._row.addStretch(1)
        self._row.addWidget(self._rest)

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Show these, and no others."""
        for part in self._parts:
            part.widget.setParent(None)  # now: it must neither be seen nor be found any more
            part.widget.deleteLater()
        self._parts = tuple(parts)
        for place, part in enumerate(self._parts, start=1):
            self._row.insertWidget(place, part.widget)
        self._measure()
        self.setVisible(bool(parts))

    def _measure(self) -> None:
        """Find out how wide the parts are; not while the layout asks, as it would ask again."""
        self._brief_widths = self._widths_of(brief=True)
        self._widths = self._widths_of(brief=False)
        self.updateGeometry()
        self._share()

    def _widths_of(self, *, brief: bool) -> list[int]:
        self._shorten(brief)
        return [part.widget.sizeHint().width() for part in self._parts]

    def _shorten(self, brief: bool) -> None:
        for part in self._parts:
            if part.be_brief is not None:
                part.be_brief(brief)

    def _needed(self, widths: Sequence[int]) -> int:
        return sum(widths) + self._row.spacing() * len(widths)

    @override
    def _share(self) -> None:
        """Leave out what has no room: first words of those that can be brief, then the least."""
        brief = self._needed(self._widths) > self.width()
        widths = self._brief_widths if brief else self._widths
        kept = list(range(len(self._parts)))
        while kept and self._needed([widths[at] for at in kept]) > self._room(len(kept)):
            least = min(self._parts[at].weight for at in kept)
            kept.remove([at for at in kept if self._parts[at].weight == least][-1])
        self._shorten(brief)
        for at, part in enumerate(self._parts):
            part.widget.setVisible(at in kept)
        left_out = [part.told for at, part in enumerate(self._parts) if at not in kept]
        self._rest.setText(f"+{len(left_out)}")
        self._rest.setToolTip(as_tip("\n".join(left_out)))
        self._rest.setAccessibleName(", ".join(left_out))
        self._rest.setVisible(bool(left_out))

    def _room(self, count: int) -> int:
        """Pixels for so many parts, which are all or have the number of the others behind them."""
        if count == len(self._parts):
            return self.width()
        rest = self._rest.fontMetrics().horizontalAdvance("+9")
        return self.width() - rest - self._row.spacing()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._measure()  # now the style says how wide texts are

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.StyleChange, QEvent.Type.FontChange}:
            self._measure()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._needed(self._widths), super().sizeHint().height())
