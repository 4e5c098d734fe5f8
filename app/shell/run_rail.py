"""The runs of the session as a rail at the left: each a row, with its answer on hover."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from app.style.labels import as_tip

_WIDTH, _ROW = 52, 40
_RUN = Qt.ItemDataRole.UserRole


class RunRail(QListWidget):
    """The newest run first; a click shows it again, and hides no other."""

    run_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAccessibleName(self.tr("Runs of the session"))
        self.setFixedWidth(_WIDTH)
        self.setSpacing(2)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemActivated.connect(self._choose)
        self.itemClicked.connect(self._choose)

    def show_runs(self, runs: Sequence[tuple[int, str]], now: int | None) -> None:
        """Show these runs, numbers with what each is about; `now`: the one in sight."""
        self.clear()
        for number, about in reversed(runs):
            item = QListWidgetItem(str(number))
            item.setData(_RUN, number)
            item.setToolTip(as_tip(about))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, about)
            item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
            item.setSizeHint(QSize(_ROW, _ROW))
            self.addItem(item)
            if number == now:
                self.setCurrentItem(item)

    def _choose(self, item: QListWidgetItem) -> None:
        self.run_wanted.emit(item.data(_RUN))
