"""Window, terminal and report say the same of a session: numbers, names, mood and verdict.

Sessions are drawn, written through the session's own writer and read back by each face: cancelled,
failed, wrong, with two trials, with one setting, with huge intervals.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import building
import numpy as np
import pytest
from page import Page
from pytestqt.qtbot import QtBot

from app.plots.counts.answer_view import AnswerView
from app.table.table_panel import TablePanel
from app.views.answer_card import AnswerCard
from core import Prepared, ResultCard, Session, Shown
from core.tell.cli import main
from core.tell.report.page import render_report
from core.tell.report.report_content import report_of
from core.vocabulary import Cancelled, Complaint, Crashed, Outcome, RunSpec, Trial

KINDS = ("whole", "cancelled", "failed", "wrong", "two trials", "one setting", "huge")
SEEDS = range(int(os.environ.get("SLUICE_FACES", "2")))
NO_FIGURE = "–"
ALIKE = "not measurably different"
LEGEND = re.compile(r'<ul class="legend">(.*?)</ul>', re.DOTALL)
FIGURES = ("Trials", "Throughput", "p99", "Open files", "Peak memory")


def drawn(kind: str, rng: np.random.Generator) -> tuple[list[RunSpec], list[Trial], bool]:
    """The specs of a session of that kind, its trials, and whether it was cancelled."""
    caches = ("none", "lru-locked", "per-thread")[: rng.integers(1, 4)]
    counts = (1, 2, 4)[: rng.integers(2, 4)]
    specs = [
        building.spec(threads=count, parameters={"cache": cache})
        for cache in caches
        for count in counts
    ]
    specs = specs[:1] if kind == "one setting" else specs
    blocks = 2 if kind == "two trials" else int(rng.integers(3, 7))
    noise = 1.6 if kind == "huge" else float(rng.choice([0.002, 0.03]))
    levels = rng.normal(scale=float(rng.choice([0.0, 0.5])), size=len(specs))
    bad = int(rng.integers(len(specs)))
    end = int(rng.integers(len(specs) * blocks)) if kind == "cancelled" else len(specs) * blocks
    trials = []
    for index in range(min(end + 1, len(specs) * blocks)):
        at = index % len(specs)
        struck = at == bad and (index < len(specs) or rng.random() < 0.6)
        accident = accident_of(kind) if struck else {}
        if kind == "cancelled" and index == end:
            accident = {"outcome": Cancelled(stage="measuring"), "workers": ()}
        rate = 1000.0 * float(np.exp(levels[at] + rng.normal(scale=noise)))
        reading = building.reading(2.0, fds=20 + at + index // 7, rss=(64 + at) << 20)
        trials.append(
            building.trial(
                specs[at],
                index=index,
                block=index // len(specs),
                rate=rate,
                last=reading,
                **accident,
            )
        )
    return specs, trials, kind == "cancelled"


def accident_of(kind: str) -> Mapping[str, object]:
    crash: Outcome = Crashed(stage="measuring", signal="SIGSEGV")
    error = Complaint(wrong_data=False, text="OSError: no", count=3, first_item="x")
    return {
        "failed": {"outcome": crash},
        "wrong": {"wrong": 7},
        "huge": {"errors": 3, "complaints": (error,)},
    }.get(kind, {})


@dataclass(frozen=True)
class Faces:
    """One session in all faces."""

    shown: Shown
    card: AnswerCard
    window: list[dict[str, str]]
    """The rows of the window's table, by the titles of their columns."""
    terminal: str
    html: str
    page: Page
    answer: AnswerView

    @property
    def value(self) -> ResultCard:
        return self.shown.card

    @property
    def report(self) -> list[dict[str, str]]:
        """The rows of the report's table of results."""
        table = next(t for t in self.page.tables if t.caption.startswith("The typical figure"))
        titles = [title.partition(",")[0] for title in table.rows[0]]
        return [dict(zip(titles, row, strict=True)) for row in table.rows[1:]]

    @property
    def printed(self) -> list[dict[str, str]]:
        """The rows of the terminal's table."""
        lines = self.terminal.splitlines()
        rule = next(at for at, line in enumerate(lines) if "─" in line)
        titles = [title.partition(",")[0] for title in re.split(r"\s{2,}", lines[rule - 1].strip())]
        body = takewhile(bool, lines[rule + 1 :])
        rows = [re.split(r"\s{2,}", line.strip()) for line in body]
        return [dict(zip(titles, row, strict=True)) for row in rows]


@pytest.fixture(params=[(kind, seed) for kind in KINDS for seed in SEEDS], ids=str)
def faces(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    qtbot: QtBot,
    settings: object,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[str, Faces]:
    kind, seed = request.param
    specs, trials, cancelled = drawn(kind, np.random.default_rng([seed, KINDS.index(kind)]))
    path = tmp_path / "drawn.sluice"
    with Session.create(path) as session:
        repeats = -(-len(trials) // len(specs))
        plan = building.plan(specs, repeats=max(repeats, 3) if cancelled else repeats)
        run = session.begin_run(plan, building.environment(), {}, ["sluice"])
        for trial in trials:
            session.append(run, trial)
        session.end_run(run, "cancelled" if cancelled else "completed")
    monkeypatch.setenv("COLUMNS", "400")
    assert main(["show", str(path)]) == 0
    terminal = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    card, panel = AnswerCard(), TablePanel(settings)
    qtbot.addWidget(card)
    qtbot.addWidget(panel)
    with Session.read(path) as session:
        prepared = Prepared(session=session, run=session.run(run))
        shown = Shown.of(prepared, session.trials(run), None, over=True)
        html = render_report(report_of(session))
    answer = AnswerView()
    qtbot.addWidget(answer)
    answer.show_plan(prepared.planned)
    answer.show_answer(shown.scaling, shown.standings, "sequence")
    card.show_card(shown.card)
    panel.show_results(shown)
    return kind, Faces(shown, card, rows_of(panel), terminal, html, Page(html), answer)


def rows_of(panel: TablePanel) -> list[dict[str, str]]:
    table = panel.view.model().rows.table
    titles = [column.title for column in table.columns]
    return [dict(zip(titles, (c.text for c in row), strict=True)) for row in table.rows]


def named(rows: list[dict[str, str]]) -> dict[tuple[str, str], dict[str, str]]:
    return {(row.get("Cache", ""), row.get("Threads", "")): row for row in rows}


def flat(text: str) -> str:
    return " ".join(text.split())


def answers_and_figures_are_the_same(kind: str, of: Faces) -> None:
    headline = of.value.headline
    lead = headline.text.removesuffix(".")
    assert lead in flat(of.terminal)
    assert any(lead in flat(text) for text in of.page.texts)
    assert of.card.text() == headline.text
    compared = of.value.compared
    assert compared is not None
    assert compared.text in flat(of.terminal)
    assert any(compared.text in text for text in of.page.texts)
    window, printed, report = map(named, (of.window, of.printed, of.report))
    assert window.keys() == printed.keys() == report.keys()
    for name, row in window.items():
        for title in FIGURES:
            texts = {
                without_unit(one.get(title, NO_FIGURE))
                for one in (row, printed[name], report[name])
            }
            assert len(texts) == 1, f"{kind}: {title} of {name}: {texts}"
    assert nobody_is_crowned_alone(kind, of) == ""


def moods_names_and_counts_are_the_same(_: str, of: Faces) -> None:
    headline, shown = of.value.headline, of.shown
    classes = {attributes.get("class", "") for _, attributes in of.page.elements}
    assert {one for one in classes if one.startswith("card mood-")} == {
        f"card mood-{headline.mood}"
    }
    assert (of.card._words._tone == "bad") is (headline.mood == "bad")
    names = {one.name for one in shown.standings}
    (trials,) = (t for t in of.page.tables if t.caption.startswith("Trials in the order"))
    at = trials.rows[0].index("Result")
    assert {row[at] for row in trials.rows[1:]} == names
    curves = {curve.name for curve in shown.scaling.curves if curve.points}
    assert curves <= {curve_of(name) for name in names}
    counted = sum(int(row["Trials"].replace(",", "")) for row in of.window)
    assert re.search(rf"\b{counted:,} (trials?|of [\d,]+),", of.terminal)
    if of.value.number:
        told = [row["Throughput"] for row in of.window if row["Throughput"] != NO_FIGURE]
        assert any(text.startswith(of.value.number) for text in told)
        assert any(setting in of.value.setting for setting in names)


def results_against_the_best_are_the_same(kind: str, of: Faces) -> None:
    by_name = {one.name: one for one in of.shown.standings}
    assert len(of.window) == len(by_name)
    window, printed = named(of.window), named(of.printed)
    for row, one in zip(of.window, by_name.values(), strict=True):
        assert row["Result"].removeprefix("✓ ").removeprefix("✕ ") == one.text
        if one.verdict is not None and one.verdict.ratio is not None:
            assert row["Against best"] == one.verdict.figures
    for name, row in window.items():
        ratio = printed[name].get("Against the best", NO_FIGURE)
        if "×" in row["Against best"]:
            assert row["Against best"].split()[0] == ratio, f"{kind}: {name}"
        elif row["Against best"] in ("best", "leading"):
            assert ratio in ("1.00×", NO_FIGURE)


def words_agree_with_bands_and_with_each_other(_: str, of: Faces) -> None:
    best = next((one.estimate for one in of.shown.standings if one.place == "best"), None)
    ends = best is not None and best.low is not None
    for one in of.shown.standings:
        if one.text == ALIKE:
            assert ends
            assert one.estimate.high >= best.low
            assert one.estimate.low <= best.high
            assert one.place == "same"
        told = one.verdict is not None and one.verdict.tells
        assert told or ALIKE not in one.text
    by_curve = {one.name: one for one in of.shown.standings}
    for text in (of.value.text, of.value.why, flat(of.terminal), flat(" ".join(of.page.texts))):
        for names in re.findall(r"Not measurably different: ([^.]+)\.", text):
            for name in re.split(r"; | and |, (?=\d)", names):
                assert name not in by_curve or by_curve[name].text == ALIKE, f"{name} in {text}"


def no_face_tells_an_interval_that_says_nothing(_: str, of: Faces) -> None:
    cells = " ".join(text for row in of.window for text in row.values())
    card = f"{of.card.text()} {of.card._words.toolTip()} {of.value.text}"
    for text in (cells, card, flat(of.terminal), flat(" ".join(of.page.texts))):
        for low, high in re.findall(r"([\d.,]+)× to ([\d.,]+)×", text):
            least, most = number(low), number(high)
            assert most <= 10.1 * least or not least <= 1.0 <= most, f"{low} to {high}"
        for low, high in re.findall(r"([\d.,]+) to ([\d.,]+)\)? (?:sequences|\(99)", text):
            assert number(high) <= 10.1 * number(low), f"{low} to {high}"
    if any(one.estimate.told != one.estimate for one in of.shown.standings):
        assert "too few to tell" in cells or all(
            one.verdict is None or one.verdict.tells for one in of.shown.standings
        )


def curves_have_the_same_names_and_colours(kind: str, of: Faces) -> None:
    figure = of.shown.scaling
    drawn = [curve.name for curve in figure.drawn]
    legend = re.findall(r"<span>(.*?)</span>", "".join(LEGEND.findall(of.html)[:1]), re.DOTALL)
    if kind == "one setting":
        assert not figure.curves
        assert of.answer.bars.figure.bars == tuple(one.bar for one in of.shown.standings)
        return
    assert len(drawn) < 2 or legend == drawn
    (plot,) = of.answer.figures()
    data = plot.data()
    rows = [data.row(at) for at in range(len(data))]
    by_name = {curve.name: curve for curve in figure.curves}
    assert {row[0] for row in rows} == set(by_name)
    throughput = {one.setting: one.figure for one in of.shown.standings if one.figure}
    for name, at, value, *_ in rows:
        point = by_name[name].at(float(at))
        if point is not None and not point.failed:
            assert value == throughput[point.setting]
    settings = {setting for curve in figure.drawn for _, setting in curve.cells}
    assert figure.colours.keys() == settings
    for rank, curve in enumerate(figure.drawn):
        assert {figure.colours[setting] for _, setting in curve.cells} <= {rank}


def session_is_of_its_kind(kind: str, of: Faces) -> None:
    """Or else nothing is seen of that case."""
    standings = of.shown.standings
    places = {one.place for one in standings}
    trials = [trial for _, trial in of.shown.trials]
    assert {
        "whole": places <= {"best", "same", "behind", "ahead", "unknown"},
        "cancelled": isinstance(trials[-1].outcome, Cancelled),
        "failed": "failed" in places,
        "wrong": any(trial.wrong for trial in trials),
        "two trials": all(one.estimate.low is None for one in standings),
        "one setting": len(standings) == 1,
        "huge": any(one.estimate.told != one.estimate for one in standings),
    }[kind]


def test_that_no_face_differs_from_another(faces: tuple[str, Faces]) -> None:
    for same in (
        session_is_of_its_kind,
        answers_and_figures_are_the_same,
        moods_names_and_counts_are_the_same,
        results_against_the_best_are_the_same,
        words_agree_with_bands_and_with_each_other,
        no_face_tells_an_interval_that_says_nothing,
        curves_have_the_same_names_and_colours,
    ):
        same(*faces)


def number(text: str) -> float:
    return float(text.replace(",", "").rstrip("."))


def curve_of(name: str) -> str:
    """What a curve over threads is called: the setting without their number."""
    return name.partition(" with ")[2]


def without_unit(text: str) -> str:
    return text.removesuffix(" sequences/s")


def nobody_is_crowned_alone(kind: str, of: Faces) -> str:
    """What crowns a setting of a run that was cancelled, or one alone; empty where nothing does."""
    valid = sum(result.valid for result in of.shown.in_table)
    crowned = [row for row in of.window if "use this" in "".join(row.values())]
    best = [one for one in of.shown.standings if one.against == "best"]
    if kind != "cancelled" and valid > 1:
        return ""
    if kind == "cancelled" and not of.value.headline.text.startswith("Cancelled"):
        return of.value.headline.text
    if of.value.headline.text.startswith("Use "):
        return of.value.headline.text
    return f"{crowned} {best}" if crowned or best else ""
