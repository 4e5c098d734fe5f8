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
    noise = 0.8 if kind == "huge" else float(rng.choice([0.002, 0.03]))
    levels = rng.normal(scale=float(rng.choice([0.0, 0.5])), size=len(specs))
    bad = int(rng.integers(len(specs)))
    end = int(rng.integers(len(specs) * blocks)) if kind == "cancelled" else len(specs) * blocks
    trials = []
    for index in range(min(end + 1, len(specs) * blocks)):
        at = index % len(specs)
        accident = accident_of(kind) if at == bad and rng.random() < 0.6 else {}
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
    page: Page

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
        titles = re.split(r"\s{2,}", lines[rule - 1].strip())
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
        page = Page(render_report(report_of(session)))
    card.show_card(shown.card)
    panel.show_results(shown)
    return kind, Faces(shown, card, rows_of(panel), terminal, page)


def rows_of(panel: TablePanel) -> list[dict[str, str]]:
    table = panel.view.model().rows.table
    titles = [column.title for column in table.columns]
    return [dict(zip(titles, (c.text for c in row), strict=True)) for row in table.rows]


def named(rows: list[dict[str, str]]) -> dict[tuple[str, str], dict[str, str]]:
    return {(row.get("Cache", ""), row.get("Threads", "")): row for row in rows}


def flat(text: str) -> str:
    return " ".join(text.split())


def test_that_no_face_differs_from_another(faces: tuple[str, Faces]) -> None:
    kind, of = faces
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


def test_that_moods_names_and_counts_are_the_same(faces: tuple[str, Faces]) -> None:
    _, of = faces
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
    assert {curve.name for curve in shown.scaling.curves} <= {curve_of(name) for name in names}
    counted = sum(int(row["Trials"].replace(",", "")) for row in of.window)
    assert re.search(rf"\b{counted:,} (trials?|of [\d,]+),", of.terminal)
    if of.value.number:
        told = [row["Throughput"] for row in of.window if row["Throughput"] != NO_FIGURE]
        assert any(text.startswith(of.value.number) for text in told)
        assert any(setting in of.value.setting for setting in names)


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
