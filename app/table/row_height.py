"""The height of rows, the same in every table."""

from __future__ import annotations

from typing import TYPE_CHECKING, override

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

if TYPE_CHECKING:
    from app.table.table_model import Index

ROW_AIR = 8
"""Pixels by which a row is higher than its text."""


class RowDelegate(QStyledItemDelegate):
    """Gives rows some air."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), option.fontMetrics.height() + ROW_AIR)
