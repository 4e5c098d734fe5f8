"""Plots as SVG that is part of a page: axes with their numbers, curves, marks and texts.

Colours are the page's own, as CSS variables, so that the page decides on light, dark and print.
Places are in pixels, rounded to a tenth.  A page has hundreds of plots, so what looks alike is one
path.  No element has a name, so none can meet that of another plot.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np
from markupsafe import Markup

from core.judge import Floats

LINES = 5
"""Colours and marks there are; a sixth line looks like the first."""

PATHS = (
    "M6 2a4 4 0 1 0 .01 0z",
    "M2.5 2.5h7v7h-7z",
    "M6 2l4.5 8h-9z",
    "M6 1l4.5 5L6 11 1.5 6z",
    "M3 1.5l3 3 3-3L10.500 3l-3 3 3 3L9 10.500l-3-3-3 3L1.500 9l3-3-3-3z",
)
"""A mark for each colour, in a box of 12, for eyes and printers that cannot distinguish colours."""

_AXIS = "stroke:var(--rule);stroke-width:0.8;stroke-linecap:square"
_FREE = 0.05
"""Share of what curves cover that stays free above them and, among decades, below them."""
_STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Between the numbers of an axis, times a power of ten."""
_LETTER = 7.4
"""Pixels of a digit in the wider of usual fonts."""
_BESIDE, _HALF, _BELOW, _NAME = 5.0, 4.6, 15.1, 35.0
"""Pixels: from an axis to its numbers, half a digit, and from the lower axis to its numbers and its
name."""


def line_variable(index: int) -> str:
    """The page's colour of a line."""
    return f"var(--line-{index % LINES})"


@dataclass(frozen=True, kw_only=True)
class Axis:
    """The values at both ends, and numbers at `ticks`, of which some lie beyond the ends."""

    ends: tuple[float, float]
    ticks: Sequence[float]
    texts: Sequence[str]
    logarithmic: bool = False
    reach: tuple[float, float] = (0.0, 1.0)
    """The pixels of both ends."""

    def pixels(self, values: Floats) -> Floats:
        """Where values are, at most at an end; NaN where they are unknown."""
        ends, finite = np.array(self.ends), np.where(np.isfinite(values), values, np.nan)
        if self.logarithmic:
            ends, finite = np.log(ends), np.log(np.maximum(finite, self.ends[0]))
        share = np.clip((finite - ends[0]) / (ends[1] - ends[0]), 0.0, 1.0)
        pixels: Floats = self.reach[0] + share * (self.reach[1] - self.reach[0])
        return pixels

    def pixel(self, value: float) -> float:
        return float(self.pixels(np.array([value]))[0])

    def holds(self, value: float) -> bool:
        """Whether a value lies between the ends."""
        (low, high), slack = self.ends, 1e-9 * abs(self.ends[1])
        return low - slack <= value <= high + slack

    def numbers(self) -> Iterator[tuple[float, str]]:
        """The numbers between the ends: where they are, and what they say."""
        for tick, text in zip(self.ticks, self.texts, strict=True):
            if self.holds(tick):
                yield self.pixel(tick), text


def round_numbers(end: float, most: int) -> list[float]:
    """Multiples of a round number from 0 to `end`, with at most so many steps."""
    power = 10.0 ** math.floor(math.log10(end / most))
    step = next(power * one for one in (*_STEPS, 20.0) if end <= most * power * one * (1 + 1e-9))
    return multiples(step, end)


def multiples(step: float, end: float) -> list[float]:
    return [step * count for count in range(int(end / step * (1 + 1e-9)) + 1)]


def between_decades(values: Floats, most: int) -> tuple[tuple[float, float], list[float]]:
    """The ends of a logarithmic axis with room for these values, and where its numbers are.

    They are at 1, 2, 5, 10, … or, over more than two decades, at powers of ten: at most so many.
    """
    low, high = (float(values.min()), float(values.max())) if values.size else (1.0, 10.0)
    if values.size:
        if low == high:
            low, high = low / 10.0, high * 10.0
        free = (high / low) ** _FREE
        low, high = low / free, high * free
    if high / low < 4:
        low, high = low / 2, high * 2
    first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
    if high / low < 100:
        return (low, high), [
            n * 10.0**power for power in range(first - 1, last + 1) for n in (1, 2, 5)
        ]
    powers = range(first, last + 1, -(-(last - first + 1) // most))
    return (low, high), [10.0**power for power in powers]


@dataclass(frozen=True)
class Drawing:
    """An `<svg>` element of that width and height."""

    size: tuple[float, float]
    root: Element

    @staticmethod
    def empty(width: float, height: float) -> Drawing:
        return Drawing((width, height), Element("svg"))

    def finished(self, label: str) -> Markup:
        """The element as text; `label` is for who cannot see it."""
        width, height = (f"{each:g}" for each in self.size)
        self.root.attrib |= {"viewBox": f"0 0 {width} {height}", "width": width}
        self.root.attrib |= {"height": height, "role": "img", "aria-label": label}
        return Markup(tostring(self.root, encoding="unicode"))  # escaped by ElementTree

    def axes(self, across: Axis, upright: Axis, name: str = "") -> tuple[Axis, Axis]:
        """Draw both axes with their numbers, and return them with their pixels.

        The room beside them is estimated from the letters.  `name`: what the lower axis is.
        """
        letters = max((len(text) for _, text in upright.numbers()), default=0)
        start, right = 8.0 + _LETTER * letters, self.size[0] - 20.0
        low = self.size[1] - (44.0 if name else 26.0)
        across = replace(across, reach=(start, right))
        upright = replace(upright, reach=(low, 8.0))
        for y, text in upright.numbers():
            self.line(_AXIS, f"M{start:g} {tenth(y)}H{right:g}")
            self.text((start - _BESIDE, y + _HALF), text, "muted", "end")
        self.line(_AXIS, f"M{start:g} {low:g}H{right:g}")
        for x, text in across.numbers():
            self.text((x, low + _BELOW), text, "muted", "middle")
        if name:
            self.text(((start + right) / 2, low + _NAME), name, "muted", "middle")
        return across, upright

    def line(self, style: str, path: str) -> None:
        if path:
            SubElement(self.root, "path", {"d": path, "style": f"fill:none;{style}"})

    def area(self, style: str, path: str) -> None:
        SubElement(self.root, "path", {"d": path, "style": style})

    def text(self, where: tuple[float, float], text: str, colour: str, anchor: str) -> None:
        x, y = map(tenth, where)
        style = f"font-size:12px;text-anchor:{anchor};fill:var(--{colour})"
        SubElement(self.root, "text", {"x": x, "y": y, "style": style}).text = text

    def dots(self, where: Iterable[tuple[float, float]], style: str) -> None:
        """Round dots as wide as the style's strokes."""
        path = "".join(f"M{tenth(x)} {tenth(y)}h.01" for x, y in where)
        self.line(f"{style};stroke-linecap:round", path)

    def mark(self, where: tuple[float, float], index: int, *, hollow: bool = False) -> None:
        """The mark of a line, centred."""
        x, y = (tenth(each - 4.5) for each in where)
        colour = line_variable(index)
        style = (
            f"fill:var(--paper);stroke:{colour};stroke-width:1.7" if hollow else f"fill:{colour}"
        )
        place = {"transform": f"translate({x} {y}) scale(.75)", "d": PATHS[index % LINES]}
        SubElement(self.root, "path", place | {"style": style})


def path_through(xs: Floats, ys: Floats, *, steps: bool = False) -> str:
    """A curve through the points, broken where one is unknown; a flat part has its ends only."""
    parts: list[str] = []
    drawing = False
    points = zip(map(tenth, xs), map(tenth, ys), strict=True)
    for y, flat in itertools.groupby(points, key=operator.itemgetter(1)):
        (first, _), *_, (last, _) = [*flat] * 2
        if y == _UNKNOWN:
            parts += [f"H{first}"] if drawing and steps else []
            drawing = False
            continue
        if not drawing:
            parts.append(f"M{first} {y}")
        else:
            parts.append(f"H{first}V{y}" if steps else f"L{first} {y}")
        if last != first:
            parts.append(f"H{last}")
        drawing = True
    return "".join(parts)


def tenth(pixel: float) -> str:
    return f"{round(float(pixel), 1):g}"


_UNKNOWN = tenth(math.nan)
