"""What every plot offers: its summary, its data, and itself as a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtWidgets import QWidget

from core import Value


class Data(Protocol):
    """The data of a plot, row by row."""

    @property
    def titles(self) -> Sequence[str]:
        """Titles of the columns, as they are shown."""

    @property
    def plain_titles(self) -> Sequence[str]:
        """Titles of the columns of plain values, with their units."""

    def __len__(self) -> int: ...

    def row(self, place: int) -> Sequence[str]:
        """The texts of one row."""

    def plain_row(self, place: int) -> Sequence[Value | None]:
        """The values of one row; None where nothing is known."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One plot."""

    title: str
    widget: QWidget
    summary: Callable[[], str]
    data: Callable[[], Data]
