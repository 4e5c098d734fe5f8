"""Quantities: the only functions that parse or print them.

Times are seconds as `float`, clock differences nanoseconds as `int`, sizes bytes as `int`.
Sizes are printed with binary prefixes (1 KiB = 1024 B) and rates with decimal ones
(1 MB/s = 10⁶ B/s), as disks and networks state them.  Printed numbers have the marks of the
language (`core.language.translation`); parsed ones are written as in English.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Literal

from core.language.translation import dated, marked, tr, tr_word

NOTHING = "–"
"""Stands for an unknown figure."""

type Seconds = float
type Bytes = int
type Unit = Literal[
    "",
    "count",
    "seconds",
    "bytes",
    "share",
    "cores",
    "rate",
    "byte_rate",
    "time_rate",
    "ratio",
    "date",
]
"""What a figure counts: a plain number, a whole one, or one of a quantity; rates are per second.
`date`: seconds since 1970."""

_SIZES = {"": 1, "b": 1} | {
    f"{letter}{suffix}": base**power
    for power, letter in enumerate("kmgtp", start=1)
    for suffix, base in (("", 1024), ("ib", 1024), ("b", 1000))
}
_TIMES = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_TIMES |= {"m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_BELOW_A_SECOND = ((999.5e-9, 1e9, "ns"), (999.5e-6, 1e6, "µs"), (0.9995, 1e3, "ms"))
_NUMBER = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)\s*([a-zA-Zµ]*)\s*")


def parse_size(text: str) -> Bytes:
    """Bytes from `64KiB`, `64k` (both 65,536), `64KB` (64,000) or `65536`; raises ValueError."""
    return round(_parse(text, _SIZES, "a size such as 64KiB"))


def parse_seconds(text: str) -> Seconds:
    """Seconds from `5`, `5s`, `250ms`, `2min`, `1h`; raises ValueError."""
    return _parse(text, _TIMES, "a time such as 5s or 2min")


def _parse(text: str, factors: dict[str, float] | dict[str, int], form: str) -> float:
    match = _NUMBER.fullmatch(text)
    factor = factors.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise ValueError(f"{text!r} is not {form}")
    value = float(match[1]) * factor
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is more than can be meant")
    return value


def show_size(size: float) -> str:
    """`512 B`, `4.0 KiB`, `1.1 GiB`."""
    if abs(size) < 1024:
        return f"{size:.0f} B"
    for prefix in "KMGTPE":
        size /= 1024
        if abs(size) < 1023.95 or prefix == "E":
            number = f"{size:.1f}" if abs(size) < 99.95 else f"{size:.0f}"
            return f"{marked(number)} {prefix}iB"
    raise AssertionError("unreachable: E is the last prefix")


def show_seconds(seconds: Seconds) -> str:
    """`0 s`, `85.0 ns`, `12.4 µs`, `2.40 ms`, `5.0 s`, `3:05 min`, `2:03:05 h`."""
    if not math.isfinite(seconds):
        return f"{seconds} s"
    if seconds < 0:
        return f"-{show_seconds(-seconds)}"
    if seconds == 0:  # any unit would do
        return "0 s"
    if seconds < 59.95:
        for limit, factor, unit in _BELOW_A_SECOND:
            if seconds < limit:
                return f"{_three_digits(seconds * factor)} {unit}"
        return f"{marked(format(seconds, '.1f'))} s"
    whole = round(seconds)
    minutes, remainder = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{remainder:02} h" if hours else f"{minutes}:{remainder:02} min"


def scale_of_time(seconds: Seconds) -> tuple[float, str]:
    """The factor and the unit that give a time one to three digits before its point.

    From 1 s on it stays seconds, since minutes would be less exact.
    """
    for limit, factor, unit in _BELOW_A_SECOND:
        if seconds < limit:
            return factor, unit
    return 1.0, "s"


def show_at_most(seconds: float) -> str:
    """A limit in everyday form, never rounded down: `25 s`, `3:20 min`, `2 h`."""
    text = show_seconds(float(math.ceil(seconds)))
    return text.replace(".0 s", " s").replace(":00 min", " min").replace(":00:00 h", " h")


def show_about(seconds: float) -> str:
    """A time in everyday form: `25 s`, `2 min`, `1.5 h`."""
    if seconds < 57.5:
        return show_seconds(5.0 * max(1, round(seconds / 5.0))).replace(".0 s", " s")
    if seconds < 3570:
        return tr("{count} min", count=max(1, round(seconds / 60.0)))
    return tr("{count} h", count=marked(f"{seconds / 3600.0:.1f}".removesuffix(".0")))


def show_left(seconds: Seconds) -> str:
    """Remaining time in whole seconds, at least 1 s: `8 s`, `3:05 min`."""
    whole = max(1, math.ceil(seconds))
    return f"{whole} s" if whole < 60 else show_seconds(whole)


def show_clock(seconds: Seconds, step: Seconds = 1.0) -> str:
    """Time on an axis whose ticks are a step apart: `0:05`, `0:05.2`, `12:30`, `2:03:05`."""
    if seconds < 0:
        return f"-{show_clock(-seconds, step)}"
    decimals = min(3, max(0, -math.floor(math.log10(step) + 1e-9)))
    minutes, remainder = divmod(round(seconds, decimals), 60)
    hours, minutes = divmod(int(minutes), 60)
    width = decimals + 3 if decimals else 2
    within = marked(f"{remainder:0{width}.{decimals}f}")
    return f"{hours}:{minutes:02}:{within}" if hours else f"{minutes}:{within}"


def show_count(count: float) -> str:
    """`9`, `508`, `1,180`, `1,144,093`; three digits below 100."""
    if count == int(count) or abs(count) >= 99.95:
        return marked(f"{count:,.0f}")
    return _three_digits(count)


def show_rate(per_second: float, unit: str = "") -> str:
    """`1,180/s`, or with a unit in the singular `1,180 sequences/s`."""
    rate = _four_digits(per_second)
    return tr("{rate} {units}/s", rate=rate, units=tr_word(f"{unit}s")) if unit else f"{rate}/s"


def show_spread(value: float, half_width: float) -> str:
    """`508 ± 9`, `1,180 ± 12`, `0.42 ± 0.03`: both rounded to the half width's first digits."""
    # Trials that agree to a millionth, such as those of a simulation, have the rounding of floats.
    if half_width <= 1e-6 * abs(value) or not math.isfinite(half_width):
        return _four_digits(value)
    places = max(0, -math.floor(math.log10(half_width)))
    return marked(f"{value:,.{places}f} ± {half_width:,.{places}f}")


def show_estimate(value: float, low: float | None, high: float | None) -> str:
    """`508 ± 9` with an interval, `143 (18.2 to 1,120)` where that is wide and so lopsided.

    The value alone where there is no interval.
    """
    if low is None or high is None:
        return show_spread(value, 0.0)
    half_width = (high - low) / 2
    if half_width <= _WIDE * value:
        return show_spread(value, half_width)
    middle, least, most = (show_count(_round_to_digits(one, 3)) for one in (value, low, high))
    return tr("{value} ({low} to {high})", value=middle, low=least, high=most)


_WIDE = 0.25
"""Half width over value from which both ends are shown: 0.25 is -22 % and +28 %."""


def show_byte_rate(per_second: float) -> str:
    """`512 B/s`, `4.60 MB/s`, `2.30 GB/s`, in powers of 1000."""
    for limit, factor, unit in ((999.5, 1, "B"), (999.5e3, 1e3, "kB"), (999.5e6, 1e6, "MB")):
        if per_second < limit:
            return f"{_three_digits(per_second / factor)} {unit}/s"
    return f"{_three_digits(per_second / 1e9)} GB/s"


def show_ratio(ratio: float) -> str:
    """`10.6×`, `0.98×`, `< 0.001×`."""
    if 0 < ratio < 0.0005:
        return f"< {_three_digits(0.001)}×"
    return f"{_three_digits(ratio)}×"


def show_share(share: float) -> str:
    """`61 %`, `0.42 %`."""
    return f"{_three_digits(100 * share) if share < 0.0995 else format(100 * share, '.0f')} %"


_SHOWN: Mapping[Unit, Callable[[float], str]] = {
    "": show_count,
    "count": lambda count: show_count(round(count)),
    "seconds": show_seconds,
    "bytes": show_size,
    "share": show_share,
    "ratio": show_ratio,
    "cores": lambda cores: marked(f"{cores:.2f}"),
    "rate": show_rate,
    "byte_rate": show_byte_rate,
    "date": dated,
    "time_rate": lambda seconds: f"{show_seconds(seconds)}/s",
}


def show(value: float, unit: Unit) -> str:
    """A figure in its unit: `64.0 KiB`, `2.40 ms`, `61 %`."""
    return _SHOWN[unit](value)


def parse(text: str, unit: Unit) -> float:
    """A figure as a person writes it: `64KiB`, `5ms`, `61%`; raises ValueError."""
    match unit:
        case "seconds":
            return parse_seconds(text)
        case "bytes":
            return parse_size(text)
        case "share":
            return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        case _:
            return float(text)


def _three_digits(value: float) -> str:
    if value == 0 or not math.isfinite(value):
        return f"{value:.0f}"
    decimals = max(0, 2 - math.floor(math.log10(abs(value)) + 1e-9))
    return marked(f"{value:,.{min(decimals, 3)}f}")


def _four_digits(value: float) -> str:
    """Of fewer than four before its point three are shown, and rounded once."""
    return show_count(_round_to_digits(value, 4) if abs(value) >= 1000.0 else value)


def _round_to_digits(value: float, digits: int) -> float:
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


_QUOTED = r"""(?<![\w\\])(?:"(?:[^"\\]|\\.)*"|'[^']*')"""
"""A quote behind a letter is an apostrophe; one that is never closed is a letter like any other."""
_QUOTED_OR_COMMA = re.compile(rf"{_QUOTED}|(?P<comma>,)", re.DOTALL)
_ALL_QUOTED = re.compile(_QUOTED, re.DOTALL)


def parted(written: str, before: str = "") -> list[str]:
    """The texts between commas that no quotes hold.

    `before`: only a comma before this pattern separates.
    """
    parts: list[str] = []
    begin = 0
    for match in _QUOTED_OR_COMMA.finditer(written):
        if match["comma"] and re.compile(before).match(written, match.end()):
            parts.append(written[begin : match.start()])
            begin = match.end()
    return [*parts, written[begin:]]


def split_values(written: str) -> list[str]:
    """The values of a list, `unquoted`."""
    return list(map(unquoted, parted(written)))


def unquoted(written: str) -> str:
    """The value of such a text: without quotes around all of it, if they are there for a comma.

    Other quotes are the value's own, as in `"my program"`.
    """
    if "," not in written or not _ALL_QUOTED.fullmatch(written):
        return written
    inside = written[1:-1]
    return re.sub(r"\\(.)", r"\1", inside, flags=re.DOTALL) if written[0] == '"' else inside


def listed(value: str) -> str:
    """The value as it stands in a list; `split_values` returns exactly the same value."""
    if split_values(value) == [value]:
        return value
    return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
