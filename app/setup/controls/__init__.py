"""One control for each kind of parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from app.setup.controls.choices import ChipsControl
from app.setup.controls.control import Control, TextControl
from app.setup.controls.numbers import NumberControl
from core import Choice, Flag, Integer, Location, Real, Secret, Text

if TYPE_CHECKING:
    from core import Kind

__all__ = ["Control", "control_for"]


def control_for(kind: Kind, marks: tuple[int, ...] = ()) -> Control:
    """The control of a parameter; `marks` are values that its slider marks."""
    match kind:
        case Integer() | Real():
            return NumberControl(kind, marks)
        case Choice() | Flag():
            return ChipsControl(kind)
        case Text() | Location() | Secret():
            return TextControl(kind)
        case _:
            assert_never(kind)
