"""A row of widgets that may be narrower than they are together."""

from __future__ import annotations

from typing import TYPE_CHECKING, override

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent


class SharedRow(QWidget):
    """Shares its width out among its parts whenever it has another one."""

    def _share(self) -> None:
        """Leave out, or shorten, what has no room."""
        raise NotImplementedError

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._share()  # now the style says how wide parts are

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())
