"""The page: chapters with their plots and tables, through the template.

Every text passes `_shown` on its way into the template, and the template escapes it: that is
the one place where text from outside becomes part of a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from core.places import resources_folder
from core.report import grids, plots
from core.report.caveats import caveats
from core.report.content import Card, Chapter, Report
from core.report.drawing import LINES
from core.report.figures import Measured, latencies, measured, over_time, relative, typical_trial
from core.report.grids import Grid, moment
from core.report.naming import (
    Line,
    curve_axis,
    lines,
    names_by_digest,
    names_of,
    position,
    shown,
)
from core.report.surroundings import Facts, Place, command_line, places, shared_settings, when
from core.report.wording import Fact, card_of, facts
from core.result import Result
from core.study import judge, scoreboard
from core.summary import throughput, unit_of
from core.texts import one_line
from core.units import show_rate
from core.version import sluice_version

MOST_BARS = 40
MOST_OVER_TIME = 40
_LONGEST = 1_000


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A drawing with its title, the names of its lines, and the table of its numbers."""

    title: str
    svg: Markup
    legend: tuple[str, ...] = ()
    remark: str = ""
    grid: Grid | None = None


@dataclass(frozen=True, kw_only=True)
class Strip:
    """One trial over time: small plots side by side."""

    title: str
    plots: tuple[tuple[str, Markup], ...]
    grid: Grid


@dataclass(frozen=True, kw_only=True)
class Section:
    """A chapter as the template takes it."""

    key: str
    title: str
    when: str
    card: Card
    facts: tuple[Fact, ...]
    scoreboard: Grid | None
    claims: Grid | None
    about: tuple[str, ...]
    plots: tuple[Plot, ...]
    results: Grid | None
    caveats: tuple[str, ...]
    complaints: Grid | None
    strips: tuple[Strip, ...]
    strips_left_out: int
    trials: Grid | None
    settings: Facts
    places: tuple[Place, ...]
    command: str
    notes: tuple[str, ...]


def render(report: Report) -> str:
    """The page as HTML; the same for the same report."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resources_folder() / "report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["whole"] = lambda text: Markup("{}").format(one_line(text))
    return environment.get_template("report.html").render(
        report=report,
        created=moment(report.created) if report.created is not None else "",
        notes=_paragraphs(report.notes),
        sections=[
            _section(chapter, f"c{number}") for number, chapter in enumerate(report.chapters, 1)
        ],
        version=sluice_version(),
        marks=MARKS,
        lines=LINES,
    )


def _shown(value: Any) -> Any:
    """A text as it may stand on the page: visible, on one line, and not endless."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    text = one_line(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"


def _paragraphs(notes: Iterable[str]) -> tuple[str, ...]:
    return tuple(line for note in notes for line in note.splitlines() if line.strip())


def _section(chapter: Chapter, key: str) -> Section:
    results, run = shown(chapter.results), chapter.run
    names = names_by_digest(chapter.results, chapter.cells) | names_by_digest(
        results, chapter.cells
    )
    strips = tuple(_strips(results[:MOST_OVER_TIME], names, key))
    return Section(
        key=key,
        title=chapter.title,
        when=when(run) if run else "",
        card=card_of(chapter, names),
        facts=facts(results) if results else (),
        scoreboard=_scoreboard(chapter),
        claims=_claims(chapter),
        about=_about(chapter),
        plots=tuple(_plots(chapter, results, names, key)),
        results=grids.results_grid(chapter.results, results) if results else None,
        caveats=caveats(chapter, names),
        complaints=grids.complaints_grid(chapter.results, names),
        strips=strips,
        strips_left_out=max(len(results) - MOST_OVER_TIME, 0),
        trials=grids.trials_grid(chapter.results, names) if results else None,
        settings=shared_settings(chapter.results),
        places=places(chapter.results),
        command=command_line(run.command) if run else "",
        notes=_paragraphs(chapter.notes),
    )


def _scoreboard(chapter: Chapter) -> Grid | None:
    if chapter.study is None:
        return None
    return grids.board_grid(
        scoreboard(chapter.study, chapter.cells),
        "Published figures and those measured here, each also as a ratio to "
        f"“{chapter.study.baseline}” on its own side.",
        [chapter.cells.get(cell.label) for cell in chapter.study.cells],
    )


def _claims(chapter: Chapter) -> Grid | None:
    if chapter.study is None or not chapter.study.claims:
        return None
    return grids.claims_grid(judge(chapter.study, chapter.cells))


def _about(chapter: Chapter) -> tuple[str, ...]:
    study = chapter.study
    return (study.about, f"Published: {study.source}; {study.machine}.") if study else ()


def _plots(
    chapter: Chapter, results: Sequence[Result], names: Mapping[str, str], key: str
) -> Iterator[Plot]:
    if not results:
        return
    axis = curve_axis(results)
    if axis is None:
        yield _bars(results, names, key)
    elif (base := _baseline(chapter)) is not None:
        yield _ratio_curves(chapter, results, axis, base, key)
    else:
        yield _curves(lines(results, axis), axis, key)
    if (latency := _latency(results, names, key)) is not None:
        yield latency


def _bars(results: Sequence[Result], names: Mapping[str, str], key: str) -> Plot:
    kept = results[:MOST_BARS]
    told = [names[result.spec.digest] for result in kept]
    points = [measured(result) for result in kept]
    rest = len(results) - len(kept)
    return Plot(
        title=f"Throughput, {_unit(results)}/s",
        svg=plots.throughput_bars(
            [
                one_line(_numbered(name, point, _unit(results)))
                for name, point in zip(told, points, strict=True)
            ],
            points,
            f"{key}b",
            f"Bars: throughput of {len(kept)} results. The numbers are in the table below.",
        ),
        remark="The thin line is the 95 % interval of the typical throughput."
        + (f" The first {len(kept)} of {len(results):,} results." if rest else ""),
        grid=grids.throughput_grid(told, kept, points),
    )


def _numbered(name: str, point: Measured, unit: str) -> str:
    return name if point.value is None else f"{name} · {show_rate(point.value)}"


def _unit(results: Sequence[Result]) -> str:
    return " or ".join(dict.fromkeys(map(unit_of, results)))


def _curves(found: Sequence[Line], axis: str, key: str) -> Plot:
    ordered = [result for line in found for result in line.results]
    curves = [
        plots.Curve(
            at=tuple(position(result, axis) for result in line.results),
            points=tuple(map(measured, line.results)),
        )
        for line in found
    ]
    return Plot(
        title=f"Throughput by {axis}, {_unit(ordered)}/s",
        svg=plots.throughput_curves(
            curves,
            axis,
            f"{key}s",
            f"Curves: throughput by {axis}, {_spoken(found, curves)}",
            ratios=False,
        ),
        legend=tuple(line.name for line in found),
        remark=_reading(curves),
        grid=grids.throughput_grid(
            names_of(ordered), ordered, [point for curve in curves for point in curve.points]
        ),
    )


def _spoken(found: Sequence[Line], curves: Sequence[plots.Curve]) -> str:
    """What the curves show, for those who cannot see them."""
    told = []
    for line, curve in zip(found, curves, strict=True):
        reached = [(p.value, at) for p, at in zip(curve.points, curve.at, strict=True) if p.value]
        best = max(reached, default=None)
        told.append(
            f"{one_line(line.name)[:80]}: " + (f"most at {best[1]}" if best else "no throughput")
        )
    return "; ".join(told[:LINES]) + ". The numbers are in the table below."


def _reading(curves: Sequence[plots.Curve]) -> str:
    """How the plot is to be read."""
    points = [point for curve in curves for point in curve.points]
    told = []
    if any(point.low is not None for point in points):
        told.append("Upright lines are 95 % intervals of the typical throughput.")
    if any(point.value is None for point in points):
        told.append("× stands where a result has no throughput, because something went wrong.")
    if any(value for curve in curves for value in curve.published):
        told.append("Hollow and dashed: as published.")
    if len(curves) > LINES:
        told.append(f"Colours and marks repeat after {LINES} lines.")
    return " ".join(told)


def _baseline(chapter: Chapter) -> float | None:
    """What the study's ratios are to, as measured here."""
    if chapter.study is None:
        return None
    base = chapter.cells.get(chapter.study.baseline)
    return (throughput(base) or None) if base else None


def _ratio_curves(
    chapter: Chapter, results: Sequence[Result], axis: str, base: float, key: str
) -> Plot:
    study = chapter.study
    assert study is not None
    figures = {cell.label: cell.published for cell in study.cells}
    labels = {result.spec.digest: label for label, result in chapter.cells.items()}
    told_base = figures[study.baseline]

    def published(result: Result) -> float | None:
        figure = figures.get(labels.get(result.spec.digest, ""))
        return figure / told_base if figure and told_base else None

    found = lines(results, axis)
    curves = [
        plots.Curve(
            at=tuple(position(result, axis) for result in line.results),
            points=tuple(relative(measured(result), base) for result in line.results),
            published=tuple(map(published, line.results)),
        )
        for line in found
    ]
    ordered = [result for line in found for result in line.results]
    return Plot(
        title=f"Throughput by {axis}, as a ratio to “{study.baseline}”",
        svg=plots.throughput_curves(
            curves,
            axis,
            f"{key}s",
            f"Curves: throughput by {axis} as ratios, {_spoken(found, curves)}",
            ratios=True,
        ),
        legend=tuple(line.name for line in found),
        remark=_reading(curves),
        grid=grids.ratio_grid(
            [labels.get(r.spec.digest, n) for r, n in zip(ordered, names_of(ordered), strict=True)],
            [point for curve in curves for point in curve.points],
            [value for curve in curves for value in curve.published],
            study.baseline,
        ),
    )


def _latency(results: Sequence[Result], names: Mapping[str, str], key: str) -> Plot | None:
    found = [(result, one) for result in results if (one := latencies(result))]
    if not found:
        return None
    # More lines than colours are no picture any more: those with the most throughput.
    ranked = sorted(found, key=lambda pair: -(throughput(pair[0]) or 0.0))[:LINES]
    drawn = [pair for pair in found if pair in ranked]
    told = [names[result.spec.digest] for result, _ in found]
    few = f" The {LINES} fastest of {len(found):,} results." if len(drawn) < len(found) else ""
    return Plot(
        title="Latency of one operation",
        svg=plots.latency_curves(
            [one for _, one in drawn],
            f"{key}l",
            f"Curves: latency percentiles of {len(drawn)} results. The numbers are in the table below.",
        ),
        legend=tuple(names[result.spec.digest] for result, _ in drawn),
        remark=f"Hollow and dotted: fewer than ten operations lie above, so chance decides.{few}",
        grid=grids.latency_grid(told, [one for _, one in found]),
    )


def _strips(results: Sequence[Result], names: Mapping[str, str], key: str) -> Iterator[Strip]:
    for number, result in enumerate(results, 1):
        trial = typical_trial(result)
        if trial is None:
            continue
        series = over_time(trial)
        captions = {
            "throughput": f"Throughput, {unit_of(result)}/s",
            "memory": "Memory: anonymous below, file-backed above"
            if series.anonymous
            else "Memory, resident",
            "files": "Open files, all and of the dataset" if series.dataset_files else "Open files",
        }
        labels = {
            name: f"{one_line(text)[:80]}, over time. The numbers are in the table below."
            for name, text in captions.items()
        }
        drawn = plots.over_time(series, f"{key}o{number}", labels)
        yield Strip(
            title=f"{names[result.spec.digest]} (trial {trial.index + 1})",
            plots=tuple((captions[name], svg) for name, svg in drawn.items()),
            grid=grids.over_time_grid(series),
        )


MARKS: Sequence[str] = (
    "M6 2a4 4 0 1 0 .01 0z",
    "M2.5 2.5h7v7h-7z",
    "M6 1l4.5 5L6 11 1.5 6z",
    "M6 2l4.5 8h-9z",
    "M1.5 2h9L6 10z",
    "M4.2 1.8h3.6v2.4h2.4v3.6H7.8v2.4H4.2V7.8H1.8V4.2h2.4z",
    "M3 1.5l3 3 3-3L10.500 3l-3 3 3 3L9 10.500l-3-3-3 3L1.500 9l3-3-3-3z",
    "M6 1.200l4.200 2.400v4.800L6 10.800 1.800 8.400V3.600z",
)
"""The marks of `core.report.drawing.MARKS` for a legend, as paths in a box of 12."""
