"""Parameters, declared once.

A workload, a load or the shape of a generated dataset is a frozen dataclass whose fields are made
by `integer`, `real`, `choice`, `flag`, `text`, `location` or `secret`.  This one declaration gives
the command line's flags, the window's controls, the session's columns and the report's tables.

    @dataclass(frozen=True, kw_only=True)
    class FetchParameters:
        cache: str = choice("lru", options={"lru": "Keep the last files open."}, help="…")
        cache_size: int = integer(128, low=1, high=4096, scale="log2",
                                  only_when={"cache": ("lru",)}, help="Most files kept open.")

`declared` gives the parameters of such a class, `build` an instance of it from values.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypedDict, Unpack, cast

from core.language import UnknownName
from core.vocabulary.parameters import (
    Choice,
    Conditions,
    Driver,
    Flag,
    Integer,
    Kind,
    Location,
    Option,
    Real,
    Scale,
    Secret,
    Text,
    Value,
)

_METADATA_KEY = "parameter"
_OWN_KEY = "own"


class _Sometimes(TypedDict, total=False):
    only_when: Conditions


class _Number(_Sometimes, total=False):
    scale: Scale
    unit: str


class _Chosen(_Sometimes, total=False):
    title: str
    by_dataset: Mapping[str, str]


def integer(default: int, *, low: int, high: int, help: str, **more: Unpack[_Number]) -> Any:
    """A dataclass field that holds a whole number."""
    return _field(Integer(default=default, low=low, high=high, help=help, **more))


def real(default: float, *, low: float, high: float, help: str, **more: Unpack[_Number]) -> Any:
    """A dataclass field that holds a number."""
    return _field(Real(default=default, low=low, high=high, help=help, **more))


def choice(
    default: str, *, options: Mapping[str, str | Option], help: str, **more: Unpack[_Chosen]
) -> Any:
    """A dataclass field that holds one of a few named values.

    `by_dataset`: the default for each kind of dataset that the workload refuses with `default`.
    """
    explained = {value: Option(help=o) if isinstance(o, str) else o for value, o in options.items()}
    return _field(Choice(default=default, options=explained, help=help, **more))


def flag(default: bool, *, help: str, **more: Unpack[_Sometimes]) -> Any:
    """A dataclass field that holds yes or no."""
    return _field(Flag(default=default, help=help, **more))


def text(default: str, *, help: str, pattern: str = "", **more: Unpack[_Sometimes]) -> Any:
    """A dataclass field that holds a line of text."""
    return _field(Text(default=default, pattern=pattern, help=help, **more))


def location(default: str, *, help: str, **more: Unpack[_Sometimes]) -> Any:
    """A dataclass field that holds a path or a URL."""
    return _field(Location(default=default, help=help, **more))


def secret(*, help: str, **more: Unpack[_Sometimes]) -> Any:
    """A dataclass field that holds a reference to a secret."""
    return _field(Secret(help=help, **more))


def _field(kind: Kind) -> Any:
    return dataclasses.field(default=kind.default, metadata={_METADATA_KEY: kind})


def same_as(cls: type, name: str, **changes: Any) -> Any:
    """A dataclass field that is declared as that of another class, but for these changes."""
    return _field(dataclasses.replace(_declaration(cls).kinds[name], **changes))


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Own:
    """The source of the own parameters of a declaring dataclass."""

    field: str
    kinds: Callable[[Mapping[str, Value]], tuple[Kind, ...]]
    written: str
    read: Callable[[str], Mapping[str, str]]


def own(
    *,
    kinds: Callable[[Mapping[str, Value]], tuple[Kind, ...]],
    written: str,
    read: Callable[[str], Mapping[str, str]],
) -> Any:
    """A dataclass field for the values, by name, of parameters that other parameters bring along.

    A command, for example, brings its placeholders.  `kinds`: the own parameters for some values of
    the declared ones; it never raises.  `written`: the declared text in which a user can give their
    values, too; `read`: the values in it, or InvalidParameter.
    """
    source = _Own(field="", kinds=kinds, written=written, read=read)
    return dataclasses.field(default_factory=dict, metadata={_OWN_KEY: source})


def own_kinds(cls: type, values: Mapping[str, Value]) -> tuple[Kind, ...]:
    """The parameters that these values of a declaring dataclass bring with them; mostly none."""
    declaration = _declaration(cls)
    return _kinds_of_own(declaration, declaration.defaults | dict(values))


def _kinds_of_own(declaration: _Declaration, values: Mapping[str, Value]) -> tuple[Kind, ...]:
    kinds = declaration.own.kinds(values) if declaration.own else ()
    return tuple(kind for kind in kinds if kind.name not in declaration.kinds)


def written_in(cls: type) -> str:
    """The parameter in whose text the values of own ones can be given; empty if it has none."""
    declaration = _declaration(cls)
    return declaration.own.written if declaration.own else ""


def has_own(cls: type) -> bool:
    """Whether a declaring dataclass takes values of parameters that it does not declare."""
    return _declaration(cls).own is not None


def declared(cls: type) -> tuple[Kind, ...]:
    """The parameters of a declaring dataclass, in order; raises TypeError for a bare field."""
    return _declaration(cls).every


def defaults_for(cls: type, dataset: str) -> dict[str, Value]:
    """The defaults of a declaring dataclass for a kind of dataset, by name."""
    return {kind.name: kind.default_for(dataset) for kind in declared(cls)}


class _Declaration(NamedTuple):
    """A declaring dataclass as `build` needs it; cached, as a sweep builds thousands."""

    every: tuple[Kind, ...]
    kinds: dict[str, Kind]
    defaults: dict[str, Value]
    conditional: tuple[Kind, ...]
    own: _Own | None


@lru_cache
def _declaration(cls: type) -> _Declaration:
    every: list[Kind] = []
    own_ones: _Own | None = None
    for field in dataclasses.fields(cls):
        if _OWN_KEY in field.metadata:
            own_ones = dataclasses.replace(field.metadata[_OWN_KEY], field=field.name)
            continue
        if _METADATA_KEY not in field.metadata:
            raise TypeError(f"{cls.__name__}.{field.name} was not declared as a parameter")
        every.append(dataclasses.replace(field.metadata[_METADATA_KEY], name=field.name))
    return _Declaration(
        every=tuple(every),
        kinds={kind.name: kind for kind in every},
        defaults={kind.name: kind.default for kind in every},
        conditional=tuple(kind for kind in every if kind.only_when),
        own=own_ones,
    )


def build[P](cls: type[P], values: Mapping[str, object]) -> P:
    """An instance of a declaring dataclass; text is parsed, the rest checked.

    A parameter that has no effect beside the others gets its default, so that requests with the
    same meaning are equal.  Raises InvalidParameter and UnknownName.
    """
    declaration = _declaration(cast("type", cls))  # mypy takes no type[P] for hashable
    checked = declaration.defaults.copy()
    others: dict[str, object] = {}
    for name, value in values.items():
        if name in declaration.kinds:
            kind = declaration.kinds[name]
            checked[name] = kind.parse(value) if isinstance(value, str) else kind.check(value)
        elif declaration.own is not None:
            others[name] = value
        else:
            raise UnknownName("parameter", name, tuple(declaration.kinds))
    for kind in declaration.conditional:
        if not kind.applies(checked):
            checked[kind.name] = kind.default
    if declaration.own is None:
        return cls(**checked)
    own_values = _take_own(declaration, declaration.own, checked, others)
    return cls(**checked | {declaration.own.written: "", declaration.own.field: own_values})


def _take_own(
    declaration: _Declaration, of: _Own, checked: Mapping[str, Value], others: Mapping[str, object]
) -> dict[str, Value]:
    """The values of own parameters: as written, else from `others`, else their defaults.

    Written values are newer: the others may be those of a spec before it is varied.
    """
    kinds = {kind.name: kind for kind in _kinds_of_own(declaration, checked)}
    usual = {name: kind.default for name, kind in kinds.items() if kind.default != ""}
    values = {**others, **of.read(str(checked[of.written]))}
    return usual | {name: _typed(kinds.get(name), value) for name, value in values.items()}


def _typed(kind: Kind | None, value: object) -> Value:
    """A value in the type of its kind, so that it is the same however it was written.

    The workload decides whether it is allowed, since it knows the meaning.
    """
    if isinstance(kind, Integer):
        text = str(value)
        return int(text) if re.fullmatch(r"-?[1-9]\d{0,14}|0", text) else text
    return str(value)


def values_of(instance: Any) -> dict[str, Value]:
    """The values of a declaring dataclass's instance by name, in its order, its own ones last."""
    declaration = _declaration(cast("type", type(instance)))
    values: dict[str, Value] = {name: getattr(instance, name) for name in declaration.kinds}
    return values | getattr(instance, declaration.own.field) if declaration.own else values


def drivers_of(instance: Any) -> tuple[Driver, ...]:
    """The drivers that the chosen options need."""
    drivers = [
        kind.options[getattr(instance, kind.name)].driver
        for kind in declared(type(instance))
        if isinstance(kind, Choice)
    ]
    return tuple(driver for driver in drivers if driver is not None)
