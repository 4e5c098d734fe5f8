"""The kinds of parameters: how a value is checked, parsed and shown; drivers and secrets.

Each has `check`, which gives a value as declared, `parse`, which reads a user's text, and
`show`, the value as people read it; the first two raise InvalidParameter.  `Kind` is the closed
union of the kinds: a `match` over it ends in `assert_never`, so that a new kind without a control
fails type checking.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import re
import sys
from collections.abc import Mapping
from typing import Any, Literal

from core.language import (
    InvalidParameter,
    Unavailable,
    as_typed_here,
    marked,
    parse_seconds,
    parse_size,
    show_seconds,
    show_size,
    tr,
    tr_word,
    without_thousands,
)

type Value = int | float | str | bool
type Scale = Literal["linear", "log2", "log10"]
type Conditions = Mapping[str, tuple[Value, ...]]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Driver:
    """A package that a choice needs: how to detect it, and how to install it."""

    module: str
    distribution: str
    install: str

    @property
    def title(self) -> str:
        """Its name in lists of drivers."""
        return self.distribution

    @property
    def version(self) -> str:
        """The version that is installed here."""
        from core.language import version_of

        return version_of(self.distribution)

    @property
    def installed(self) -> bool:
        """Whether the module can be found, without importing it."""
        try:
            return importlib.util.find_spec(self.module) is not None
        except ModuleNotFoundError:  # a parent package is missing
            return False

    @property
    def remedy(self) -> str:
        """How it is installed; a package of Sluice takes nothing in, so there the wheel does."""
        command = as_typed_here(self.install)
        if getattr(sys, "frozen", False) and command.startswith("pip "):
            return tr("this package of Sluice comes without it")
        if getattr(sys, "frozen", False) and command != self.install:
            return tr("use the wheel: {command}", command=command)
        return tr("install: {command}", command=command)

    def require(self) -> None:
        """Raise `Unavailable` with the remedy unless the driver is installed."""
        if not self.installed:
            raise Unavailable(
                tr("unavailable: {name} is missing", name=self.distribution), self.remedy
            )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Option:
    """One value of a `Choice`: its effect, and the driver it needs."""

    help: str
    driver: Driver | None = None
    title: str = ""
    """Its name in plain words; empty = that in `PLAIN`, or the value itself."""


PLAIN: Mapping[tuple[str, str], str] = {
    ("cache", "lru"): "LRU, no lock",
    ("cache", "lru-locked"): "LRU, one lock",
    ("cache", "none"): "none",
    ("cache", "none-close"): "none, closed at once",
    ("cache", "per-thread"): "per thread",
    ("cache", "pool"): "pool",
    ("handles", "each"): "per window",
    ("handles", "locked"): "one, locked",
    ("handles", "one"): "one, no lock",
    ("handles", "own"): "per thread",
    ("reader", "blow5-c"): "BLOW5, slow5lib",
    ("reader", "blow5-pool"): "BLOW5, slow5lib in a pool",
    ("reader", "blow5-zstd"): "BLOW5, zstd of this machine",
    ("reader", "blow5-python"): "BLOW5, pyslow5",
    ("reader", "pod5-io"): "POD5, pod5",
    ("reader", "pod5-mmap"): "POD5, pod5 mapped",
    ("reader", "pod5-c-io"): "POD5, lib_pod5",
    ("reader", "pod5-c-mmap"): "POD5, lib_pod5 mapped",
    ("same", "all"): "both",
    ("same", "none"): "exit code only",
}
"""Names of values in plain words, by parameter: for chips, tables and answers alike.  Not with
their options, as results outlive their workloads."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Declared:
    default: Any
    help: str
    name: str = ""
    title: str = ""
    """Its name in plain words; empty = the name itself."""
    only_when: Conditions = dataclasses.field(default_factory=dict)
    by_dataset: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Defaults for the kinds of datasets that the workload refuses with `default`, by the kind."""

    @property
    def label(self) -> str:
        """The name as people read it: `Cache size`."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def flag(self) -> str:
        """The name as the command line spells it: `--cache-size`."""
        return "--" + self.name.replace("_", "-")

    @property
    def of_zero(self) -> str:
        """The meaning of 0, such as `no limit`: what the help says behind `0 = `; else empty."""
        return tr_word(self.help).partition("0 = ")[2].removesuffix(".")

    def default_for(self, dataset: str) -> Any:
        """The default for a kind of dataset."""
        return self.by_dataset.get(dataset, self.default)

    def applies(self, values: Mapping[str, Value]) -> bool:
        """Whether the parameter has any effect beside these other values."""
        return all(values.get(name) in allowed for name, allowed in self.only_when.items())

    def _refuse(self, cause: str, remedy: str = "") -> InvalidParameter:
        return InvalidParameter(self.name, cause, remedy)


_WITH_COMMA = re.compile(r"(?<![\w.,])(?<![eE][+-])(\d+(?:,\d+)+)\s*([a-zA-Zµ]*)(?!\w|,\S)")
_SMALLEST_BLOCK = 512
"""Bytes.  A list holds only 0 and sizes from here on, so `1,5 MiB` is one number, not two."""
_ZERO_FIRST = re.compile(r",0\d")
"""The comma of such a text is within a number, because no value of a list begins as `05` does."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Number(_Declared):
    low: float
    high: float
    scale: Scale = "linear"
    unit: str = ""

    def __post_init__(self) -> None:
        if self.scale != "linear" and self.low <= 0:
            raise ValueError("a logarithmic scale begins above 0")

    def show(self, value: Value) -> str:
        raise NotImplementedError

    def parse(self, written: str) -> int | float:
        raise NotImplementedError

    def about_comma(self, written: str) -> str:
        """How to write a text that may be one number with a comma; empty for any other text."""
        match = _WITH_COMMA.fullmatch(written.strip())
        if match is None:
            return ""
        number, unit = match.groups()
        ways = {without_thousands(number)} - {number}
        if number.count(",") == 1 and self._may_have_decimals(number, unit):
            ways.add(number.replace(",", "."))
        allowed = [f"{way}{unit}" for way in sorted(ways) if self._allows(f"{way}{unit}")]
        if len(allowed) > 1:
            return tr("write {number} or {other}", number=allowed[0], other=allowed[1])
        return tr("write {number}", number=allowed[0]) if allowed else ""

    def _may_have_decimals(self, number: str, unit: str) -> bool:
        if self.unit == "bytes":
            return bool(unit) and int(number.partition(",")[0]) < _SMALLEST_BLOCK
        return isinstance(self, Real)

    def _allows(self, written: str) -> bool:
        try:
            self.parse(written)
        except InvalidParameter:
            return False
        return True

    def require_list(self, written: str) -> None:
        """Raise InvalidParameter where a comma of a list may be within a number, as in `0,5`."""
        for match in _WITH_COMMA.finditer(written):
            number, unit = match.groups()
            decimals = number.count(",") == 1 and self._may_have_decimals(number, unit)
            if not decimals and not _ZERO_FIRST.search(number):
                continue
            cause = tr("a comma separates values, and {value} looks like one", value=match[0])
            remedy = self.about_comma(match[0])
            spaced = tr("put a space behind each comma that separates two")
            either = tr("{remedy}, or {other}", remedy=remedy, other=spaced)
            raise self._refuse(cause, either if remedy else spaced)

    def _within[N: (int, float)](self, value: N) -> N:
        if not self.low <= value <= self.high:
            raise self._refuse(
                tr(
                    "{value} is outside {low}…{high}",
                    value=self.show(value),
                    low=self.show(self.low),
                    high=self.show(self.high),
                )
            )
        return value


@dataclasses.dataclass(frozen=True, kw_only=True)
class Integer(_Number):
    """A whole number in low…high; `unit` is "bytes" or a noun for display."""

    default: int
    low: int
    high: int

    def check(self, value: object) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._refuse(tr("{value!r} is not a whole number", value=value))
        return self._within(value)

    def parse(self, written: str) -> int:
        size = self.unit == "bytes"
        # `1,128` may be two numbers, but no list holds `024` or `000`.
        number = without_thousands(written) if ",0" in written else written
        try:
            return self.check(parse_size(number) if size else int(number))
        except ValueError:
            whole = tr("{value!r} is not a whole number", value=written)
            sized = tr("{value!r} is not a size such as 64KiB", value=written)
            raise self._refuse(sized if size else whole, self.about_comma(written)) from None

    def show(self, value: Value) -> str:
        return show_size(int(value)) if self.unit == "bytes" else f"{int(value)}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Real(_Number):
    """A number in low…high; `unit` is "seconds" or a noun for display."""

    default: float

    def check(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._refuse(tr("{value!r} is not a number", value=value))
        return float(self._within(value)) + 0.0  # -0.0 is 0.0: what means the same is equal

    def parse(self, written: str) -> float:
        time = self.unit == "seconds"
        try:
            return self.check(parse_seconds(written) if time else float(written))
        except ValueError:
            number = tr("{value!r} is not a number", value=written)
            timed = tr("{value!r} is not a time such as 5s", value=written)
            raise self._refuse(timed if time else number, self.about_comma(written)) from None

    def show(self, value: Value) -> str:
        return show_seconds(float(value)) if self.unit == "seconds" else marked(f"{float(value):g}")


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Words(_Declared):
    def check(self, value: object) -> str:
        raise NotImplementedError

    def parse(self, written: str) -> str:
        return self.check(written)

    def show(self, value: Value) -> str:
        return str(value)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Choice(_Words):
    """One of a few named values, each with its explanation."""

    default: str
    options: Mapping[str, Option]

    def plain(self, value: str) -> str:
        """The name of a value in plain words, in English."""
        return self.options[value].title or PLAIN.get((self.name, value), value)

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.options:
            raise self._refuse(
                tr(
                    "{value!r} is not one of {options}",
                    value=value,
                    options=", ".join(self.options),
                )
            )
        return value


@dataclasses.dataclass(frozen=True, kw_only=True)
class Flag(_Declared):
    """Yes or no."""

    default: bool

    def check(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise self._refuse(tr("{value!r} is neither yes nor no", value=value))
        return value

    def parse(self, written: str) -> bool:
        match written.strip().lower():
            case "yes" | "true" | "on" | "1":
                return True
            case "no" | "false" | "off" | "0":
                return False
        raise self._refuse(tr("{value!r} is neither yes nor no", value=written))

    def show(self, value: Value) -> str:
        return "yes" if value else "no"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Text(_Words):
    """A line of text; `pattern`, if given, must match all of it."""

    default: str
    pattern: str = ""

    def check(self, value: object) -> str:
        if not isinstance(value, str):
            raise self._refuse(tr("{value!r} is not text", value=value))
        if any(ord(letter) < 32 or ord(letter) == 127 for letter in value):
            raise self._refuse(tr("control characters and line breaks are not allowed"))
        if any(0xD800 <= ord(letter) <= 0xDFFF for letter in value):
            raise self._refuse(tr("it is not valid Unicode, so it could not be recorded"))
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise self._refuse(
                tr("{value!r} does not have the form {pattern}", value=value, pattern=self.pattern)
            )
        return value


@dataclasses.dataclass(frozen=True, kw_only=True)
class Location(Text):
    """A path or URL.  Credentials inside a URL are refused: they belong in a `Secret`."""

    def check(self, value: object) -> str:
        """The value as declared; raises InvalidParameter, never repeating credentials."""
        place = super().check(value)
        if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*://[^/]*@", place):
            raise self._refuse(
                tr("credentials do not belong in a location"), tr("give them as env:NAME")
            )
        return place


@dataclasses.dataclass(frozen=True, kw_only=True)
class Secret(_Words):
    """Where a secret is kept: `env:NAME`, `keyring:SERVICE/USER` or `lab:SERVER/NAME`.

    Specs, sessions and exports hold this reference.  `reveal` is called in the trial's child.
    """

    default: str = ""

    def check(self, value: object) -> str:
        """The reference; raises InvalidParameter without repeating the value."""
        references = r"(env:[A-Za-z_][A-Za-z0-9_]*|keyring:[^/\s]+/\S+|lab:[\w-]+/[\w-]+|)"
        if not isinstance(value, str) or not re.fullmatch(references, value):
            raise self._refuse(
                tr("this is not a reference to a secret"),
                tr(
                    "give env:NAME, keyring:SERVICE/USER or lab:SERVER/NAME, never the secret itself"
                ),
            )
        return value


type Kind = Integer | Real | Choice | Flag | Text | Location | Secret
