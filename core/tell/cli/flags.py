"""Flags made from declarations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from core.language import LARGEST_WHOLE, InvalidParameter, UsageError
from core.vocabulary import (
    Choice,
    Flag,
    Integer,
    Kind,
    Location,
    Real,
    Secret,
    Text,
    Value,
    declared,
    read_values,
)

STANDARD_OUTPUT = Path("-")


class Place(click.Path):
    """A path; an empty one is refused, where pathlib takes it for the current folder.

    It is what a shell makes of a variable that is not set.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(path_type=Path, **settings)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        if not os.fspath(value):
            self.fail("the path is empty.", param, ctx)
        return super().convert(value, param, ctx)


PLACE = Place()

json_option = click.option("--json", is_flag=True, help="Print as JSON.")


class Declared(click.ParamType[Value]):
    """A value read by its declaration, so that the command line refuses what the window refuses."""

    def __init__(self, kind: Kind, *, is_axis: bool = False) -> None:
        """`is_axis`: it may be given several values, as an argument NAME=VALUES."""
        self.kind = kind
        self._is_axis = is_axis
        self.name = _placeholder(kind)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Value:
        """The checked value; a wrong one is a usage error naming the flag."""
        if not isinstance(value, str):
            return self.kind.check(value)
        try:
            return self.kind.parse(value)
        except InvalidParameter as error:
            remedy = error.remedy or self._as_axis(value)
            raise InvalidParameter(self.kind.flag, error.reason, remedy) from None

    def _as_axis(self, value: str) -> str:
        """How several values are given, where these are several that the kind allows."""
        try:
            several = self._is_axis and len(read_values(self.kind, value)) > 1
        except UsageError:
            return ""
        return f"write {self.kind.name.replace('_', '-')}={value}" if several else ""


def whole(name: str, low: int = -LARGEST_WHOLE) -> Declared:
    """The type of an option for a whole number, such as a seed: any that a session can hold."""
    return Declared(Integer(name=name, default=low, low=low, high=LARGEST_WHOLE, help=""))


def options(declaring: type, *, are_axes: bool = False) -> list[click.Option]:
    """One option per declared parameter; its value is None if the user leaves it out."""
    return options_for(declared(declaring), are_axes=are_axes)


def options_for(kinds: Iterable[Kind], *, are_axes: bool = False) -> list[click.Option]:
    """One option per parameter, as `options`."""
    made = []
    for kind in kinds:
        settings = settings_of(kind, is_axis=are_axes)
        if isinstance(kind, Flag):
            names = [f"{kind.flag}/--no-{kind.flag[2:]}"]
            made.append(click.Option(names, default=None, help=settings["help"]))
        else:
            made.append(click.Option([kind.flag], default=None, **settings))
    return made


def given(values: Mapping[str, Any], declaring: type) -> dict[str, Value]:
    """Those of the parsed options that the user gave for this declaration."""
    names = {kind.name for kind in declared(declaring)}
    return {name: value for name, value in values.items() if name in names and value is not None}


def settings_of(kind: Kind, *, is_axis: bool = False) -> dict[str, Any]:
    """The settings of an option with a value of that kind, but for its default."""
    others = (f"{kind.show(value)} for {dataset}" for dataset, value in kind.by_dataset.items())
    defaults = (kind.show(kind.default) or "none", *others)
    return {
        "type": Declared(kind, is_axis=is_axis),
        "metavar": _placeholder(kind),
        "help": f"{kind.help}  [default: {'; '.join(defaults)}]",
    }


_PLACEHOLDERS: Mapping[type[Kind], str] = {
    Integer: "N",
    Real: "X",
    Flag: "YES|NO",
    Location: "PLACE",
    Text: "TEXT",
    Secret: "env:NAME",
}


def _placeholder(kind: Kind) -> str:
    match kind:
        case Choice():
            return "|".join(kind.options)
        case Integer(unit="bytes"):
            return "SIZE"
        case Real(unit="seconds"):
            return "TIME"
    return _PLACEHOLDERS[type(kind)]
