"""Writes the texts that are not in the window's code as calls that lupdate understands.

    python packaging/core_texts.py core_texts.py

Literals given to `tr`, `tr_word`, `report` and the like are read from the source code, without
running it; declared texts come from the registries and the studies.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, get_args

from core import EFFORT, Choice, Kind, Load, load_study, study_names, workloads
from core.judge.live_figures import CORES
from core.judge.point import limit_terms
from core.judge.study.judge_claims import Judgement, Size
from core.measure.trial.child_group import ON_PAGES
from core.measure.trial.child_handle import STAGES
from core.run.session.failures import EXPLAINED
from core.vocabulary.declarations import declared
from core.vocabulary.metric import Metric
from core.vocabulary.metrics import METRICS, counter_metric, metric_named
from core.vocabulary.outcome import State
from core.vocabulary.parameters import PLAIN
from core.vocabulary.registry import dataset_kinds
from core.vocabulary.spec import AT_ZERO
from core.vocabulary.verdict import MEANING, Cause

ROOT = Path(__file__).parent.parent
CONTEXT = "core"
TRANSLATED = {"tr", "sentence", "tr_word", "report", "PhaseProgress"}
"""What takes a text that somebody will see as its first argument, `tr` that for several as its
second (`sentence` in the app, where Qt's tool collects each `tr`), `report` a unit as its
fourth."""
TERMINAL = {"cli", "selfcheck"}
"""What is only ever seen in a terminal, which speaks English."""


def main() -> None:
    texts = sorted({*literals(), *declarations(), *studies()} - {""})
    lines = [f"translate({json.dumps(CONTEXT)}, {json.dumps(text)})" for text in texts]
    head = "from PySide6.QtCore import QCoreApplication\ntranslate = QCoreApplication.translate"
    Path(sys.argv[1]).write_text("\n".join([head, *lines, ""]), "utf-8")


def literals() -> Iterator[str]:
    """Texts that stand in the code of what makes texts for people."""
    for folder in ("core", "workloads", "app"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if file.parent.name in TERMINAL:
                continue
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                match node:
                    case ast.Call(func=func, args=[ast.Constant(value=str(text)), *more]) if (
                        called(func) in TRANSLATED
                    ):
                        yield text
                        others = more[:1] if called(func) in ("tr", "sentence") else more[2:]
                        yield from (each.value for each in others if isinstance(each, ast.Constant))
                    case ast.Call(func=func, keywords=keywords) if called(func) == "Column":
                        yield from titles(keywords)
                    case _:
                        pass


def called(func: ast.expr) -> str:
    """The function's name; a widget's own `self.tr` is collected by Qt's tool."""
    attribute = getattr(func, "attr", "")
    return "" if attribute == "tr" else attribute or getattr(func, "id", "")


def titles(keywords: list[ast.keyword]) -> Iterator[str]:
    for each in keywords:
        match each:
            case ast.keyword(arg="title", value=ast.Constant(value=str(text))):
                yield text


def declarations() -> Iterator[str]:
    """Workloads, their parameters, kinds of data, and the engine's own words."""
    metrics = list(METRICS.values())
    kinds: list[Kind] = [*declared(Load), *limit_terms(search=True)]
    for entry in workloads().values():
        yield from (entry.title, entry.purpose, *chain.from_iterable(entry.unreadable.values()))
        metrics += (metric_named(key, entry.name) for key in entry.leading)
        metrics += (counter_metric(one.name, entry.name) for one in entry.counters)
        workload = loaded(entry.load)
        yield f"{workload.unit}s"
        kinds += declared(workload.parameters)
    for kind in kinds:
        yield from of_parameter(kind)
    yield from (each.title for each in dataset_kinds().values())
    yield from (
        *STAGES,
        *ON_PAGES.values(),
        *get_args(State.__value__),
        *(each.value for each in Judgement),
        *(each.value for each in Size),
        *(each.value for each in Cause),
        *MEANING.values(),
    )
    for metric in metrics:
        yield from of_metric(metric)
    for texts in EXPLAINED.values():
        yield from texts
    yield from CORES
    yield from AT_ZERO.values()
    yield from PLAIN.values()
    yield from (kind.help for kind in EFFORT)
    yield from ("Workload", "workload", "operations", "time")


def of_metric(metric: Metric) -> Iterator[str]:
    if metric.faces != ("exports",) or metric.has_scale:
        yield metric.title
    if metric.of_valid or "card" in metric.faces or (metric.live and metric.live.tile):
        yield metric.help
    if metric.better:
        yield metric.name
    if metric.limit:
        yield metric.limit.name
    if metric.live:
        yield from (metric.live.plot, metric.live.curve, metric.live.tile)


def loaded(location: str) -> Any:
    """A workload whether or not its drivers are installed."""
    module, _, name = location.partition(":")
    return getattr(__import__(module, fromlist=[name]), name)


def of_parameter(kind: Kind) -> Iterator[str]:
    yield from (kind.label, kind.name.replace("_", " "), kind.help)
    if (unit := getattr(kind, "unit", "")) not in {"bytes", "seconds"}:
        yield unit
    if isinstance(kind, Choice):
        yield from (text for one in kind.options.values() for text in (one.help, one.title) if text)


def studies() -> Iterator[str]:
    """What is said of publications; names of cells and curves are theirs."""
    for name in study_names():
        study = load_study(name)
        yield from (study.title, study.about, study.machine)
        yield from study.asked
        yield from (METRICS[key].name for key in study.columns if key in METRICS)
        for claim in study.claims:
            yield claim.text
            if re.search("[a-z]{2}", claim.published):  # more than figures
                yield claim.published
        for figure in study.figures:
            yield from (figure.title, figure.axis)


if __name__ == "__main__":
    main()
