"""From matplotlib's figures to SVG that is part of a page.

matplotlib draws in colours that stand for the page's own (`INK`, `line_colour`); here they become
CSS variables, so that the page decides on light, dark and print.  Parts that only a separate file
needs (metadata, a global style sheet, names that repeat in the next figure) are removed, and
coordinates are rounded to a tenth of a pixel.

matplotlib sees only our own numbers and words.  Where a name from outside belongs into a figure, a
name (`placeholder`) is drawn, and the name is put there afterwards as text.
"""

from __future__ import annotations

import io
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree

from markupsafe import Markup

from core.language.errors import NotWritten

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES = 8
"""Colours and marks there are; a ninth line looks like the first."""

MARKS = "osD^vPXh"
"""One mark for each colour, for eyes and printers that cannot distinguish colours."""

PATHS = (
    "M6 2a4 4 0 1 0 .01 0z",
    "M2.5 2.5h7v7h-7z",
    "M6 1l4.5 5L6 11 1.5 6z",
    "M6 2l4.5 8h-9z",
    "M1.5 2h9L6 10z",
    "M4.2 1.8h3.6v2.4h2.4v3.6H7.8v2.4H4.2V7.8H1.8V4.2h2.4z",
    "M3 1.5l3 3 3-3L10.500 3l-3 3 3 3L9 10.500l-3-3-3 3L1.500 9l3-3-3-3z",
    "M6 1.200l4.200 2.400v4.800L6 10.800 1.800 8.400V3.600z",
)
"""The same for a legend, as paths in a box of 12."""

# None of them black, which matplotlib leaves out where it is SVG's own default.
INK = {"text": "#00aa01", "muted": "#00aa02", "rule": "#00aa03", "paper": "#00aa04"}
BAD = "#00aa05"
"""The stand-in for the colour of failures."""

_NUMBER = re.compile(r"-?\d+\.\d+")
_FONT = re.compile(r"font: (\d+(?:\.\d+)?)px [^;\"]*")
_NAMED = re.compile(r"url\(#([^)]*)\)")
_LINK = "{http://www.w3.org/1999/xlink}href"

SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "sluice",
    "font.size": 12.0,
    "font.family": ["DejaVu Sans"],  # comes with matplotlib; the page shows its own
    "axes.edgecolor": INK["rule"],
    "axes.labelcolor": INK["muted"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.unicode_minus": False,
    "grid.color": INK["rule"],
    "grid.linewidth": 0.8,
    "xtick.color": INK["muted"],
    "ytick.color": INK["muted"],
    "xtick.major.size": 0.0,
    "xtick.minor.size": 0.0,
    "ytick.major.size": 0.0,
    "ytick.minor.size": 0.0,
    "xtick.major.pad": 6.0,
    "ytick.major.pad": 5.0,
    "text.color": INK["text"],
    "text.parse_math": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 6.0,
    "path.simplify": True,
    "figure.dpi": 72.0,
}


AXES = "stroke:var(--rule);stroke-width:0.8;stroke-linecap:square"
"""The style of an axis and of a grid on the page."""


def line_variable(index: int) -> str:
    """The page's colour of a line."""
    return f"var(--line-{index % LINES})"


def line_colour(index: int) -> str:
    """The stand-in for the colour of a line."""
    return f"#00ab0{index % LINES}"


def mark(index: int) -> str:
    return MARKS[index % LINES]


def placeholder(index: int) -> str:
    """The placeholder for the name that `finished` gets at this index."""
    return f"@{index}@"


@contextmanager
def settings() -> Iterator[None]:
    """Matplotlib's settings within the block; it has one set for all threads."""
    import matplotlib

    with matplotlib.rc_context(SETTINGS):  # type: ignore[arg-type, unused-ignore]
        yield


def sheet(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure of so many pixels with one pair of axes; within `settings`."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72))
    return figure, figure.add_subplot()


def fit(figure: Figure, axes: Axes) -> None:
    """Leave room around the axes for the numbers and words beside them.

    The room is estimated from their letters: matplotlib's own way draws everything twice, and with
    another font.
    """
    from matplotlib.ticker import NullFormatter

    axes.yaxis.set_minor_formatter(NullFormatter())
    show = axes.yaxis.get_major_formatter()
    letters = max((len(show(value)) for value in axes.get_yticks()), default=0)
    width, height = 72 * figure.get_size_inches()
    left, right, top, bottom = margins(letters, named=bool(axes.get_xlabel()))
    axes.set_position(
        (
            left / width,
            bottom / height,
            (width - left - right) / width,
            (height - top - bottom) / height,
        )
    )


class Margins(NamedTuple):
    """Pixels around axes."""

    left: float
    right: float
    top: float
    bottom: float


_LETTER = 7.4
"""Pixels of a digit in the wider of usual fonts."""


def margins(letters: int, *, named: bool = False) -> Margins:
    """The room for numbers of so many letters; `named`: words say what the lower axis is."""
    return Margins(8.0 + _LETTER * letters, 20.0, 8.0, 44.0 if named else 26.0)


def finished(figure: Figure, key: str, label: str, names: Sequence[str] = ()) -> Markup:
    """The figure as an `<svg>` element; `key` is unique on the page."""
    written = io.StringIO()
    with _reading_fonts():
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
    root = ElementTree.fromstring(written.getvalue())
    _undress(root)
    _rename(root, key)
    places = {placeholder(index): name for index, name in enumerate(names)}
    for element in root.iter():
        _dress(element, places)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    return as_svg(root, (width, height), label)


def as_svg(root: ElementTree.Element, size: tuple[float, float], label: str) -> Markup:
    """An `<svg>` element of a page, of that width and height; `label` is for who cannot see it."""
    width, height = (f"{each:g}" for each in size)
    root.attrib = {
        "viewBox": f"0 0 {width} {height}",
        "width": width,
        "height": height,
        "role": "img",
        "aria-label": label,
    }
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # escaped by ElementTree


@contextmanager
def _reading_fonts() -> Iterator[None]:
    """Raise NotWritten where a font's file cannot be read within the block.

    FreeType reads it through a callback of matplotlib's, whose errors Python only prints; what
    cannot be read is then left out with a warning, or a RuntimeError.
    """
    failed: list[OSError] = []
    before = sys.unraisablehook

    def take(raised: sys.UnraisableHookArgs) -> None:
        if isinstance(raised.exc_value, OSError):
            failed.append(raised.exc_value)
        else:
            before(raised)

    sys.unraisablehook = take
    try:
        with warnings.catch_warnings():
            # The page shows texts in fonts of its own, which have more glyphs.
            warnings.filterwarnings("ignore", r"Glyph \d+", UserWarning)
            yield
    except RuntimeError:
        if not failed:
            raise
    finally:
        sys.unraisablehook = before
    if failed:
        raise NotWritten(f"a font for the plots cannot be read: {failed[0].strerror}")


def _undress(root: ElementTree.Element) -> None:
    """Remove what belongs to a file, not to a figure."""
    for parent in list(root.iter()):
        for child in list(parent):
            name, inner = _local(child.tag), {_local(part.tag) for part in child}
            if name in ("metadata", "style") or (name == "defs" and not inner - {"style"}):
                parent.remove(child)


def _rename(root: ElementTree.Element, key: str) -> None:
    """Rename the names in use so that they are unique to this figure."""
    used = {element.attrib[_LINK][1:] for element in root.iter() if _LINK in element.attrib}
    for element in root.iter():
        for value in element.attrib.values():
            used.update(_NAMED.findall(value))
    names: Mapping[str, str] = {
        name: f"{key}-{place}" for place, name in enumerate(sorted(used), start=1)
    }
    for element in root.iter():
        name = element.attrib.pop("id", "")
        if name in names:
            element.attrib["id"] = names[name]
        if _LINK in element.attrib:
            element.attrib["href"] = f"#{names[element.attrib.pop(_LINK)[1:]]}"
        for attribute, value in element.attrib.items():
            element.attrib[attribute] = _NAMED.sub(lambda found: f"url(#{names[found[1]]})", value)


def _dress(element: ElementTree.Element, places: Mapping[str, str]) -> None:
    element.tag = _local(element.tag)
    element.tail = None
    text = (element.text or "").strip()
    element.text = places.get(text, text) or None
    for attribute, value in list(element.attrib.items()):
        if attribute == "transform" and value.startswith("rotate(-0 "):
            del element.attrib[attribute]
        elif attribute == "style":
            element.attrib[attribute] = _style(value)
        elif attribute not in ("id", "href"):
            element.attrib[attribute] = " ".join(_NUMBER.sub(_rounded, value).split())


def _style(value: str) -> str:
    told = _FONT.sub(r"font-size: \1px", value)
    for name, colour in INK.items():
        told = told.replace(colour, f"var(--{name})")
    told = told.replace(BAD, "var(--bad)")
    told = re.sub(r"#00ab0([0-7])\b", lambda found: f"var(--line-{int(found[1])})", told)
    return _NUMBER.sub(_rounded, told).replace(": ", ":").replace("; ", ";")


def _rounded(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 1):g}"


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]
