"""Whatever the form says, the line below it says the same."""

import os
import random
from pathlib import Path
from typing import assert_never

import fuzzing
import pytest
from parsing import parsed
from PySide6.QtCore import QCoreApplication, QEvent
from workload_box import choose_workload

from app.shell.workbench import Workbench
from core import (
    Choice,
    Dataset,
    Flag,
    Integer,
    Kind,
    Load,
    Location,
    Real,
    Secret,
    SluiceError,
    Text,
    Value,
    workloads,
)
from core.judge import limit_terms, study_names
from core.run import Request, task_of
from core.vocabulary import Plan, declared

pytestmark = [pytest.mark.window, pytest.mark.slow]
DATASET = Dataset(kind="files", location="/data", fingerprint="00ff")
FORMS = int(os.environ.get("SLUICE_FORM_STATES", fuzzing.rounds(60)))
RARELY_RANDOM: dict[str, tuple[Value, ...]] = {
    "cluster": ("tcp://10.0.0.1:8786",) * 8 + ("local:4", "", "two words"),
    "nodes": (1, 1, 2),
    "processes": (1, 1, 2, 3, 256),
}
"""Most forms have a cluster, as nodes are refused without; nobody calls it.  Most have few
processes, as with many threads each they are refused."""
TEXTS = ("", "NM_", "two words", "-dash", "it's", "$HOME", "ä=ö,ü")


def some_value(drawn: random.Random, kind: Kind) -> Value:
    if kind.name in RARELY_RANDOM:
        return drawn.choice(RARELY_RANDOM[kind.name])
    match kind:
        case Integer():
            return drawn.choice([kind.low, kind.high, drawn.randint(kind.low, kind.high)])
        case Real():
            return drawn.choice([kind.low, kind.high, drawn.uniform(kind.low, kind.high)])
        case Choice() | Flag():
            return drawn.choice(list(kind.options) if isinstance(kind, Choice) else [False, True])
        case Secret():
            return drawn.choice(["", "env:A_KEY"])
        case Text() | Location():
            return drawn.choice(TEXTS)
        case _:
            assert_never(kind)


def shuffle(drawn: random.Random, workbench: Workbench) -> None:
    """Change the form as a user could."""
    setup = workbench.setup
    if drawn.random() < 0.1:
        setup.choose_study(drawn.choice(["", *study_names()]))
    if drawn.random() < 0.2:
        choose_workload(setup, drawn.choice([*workloads()]))
    for row in setup.form.rows():
        if drawn.random() < 0.3:
            count = drawn.choice([1, 1, 1, 2, 3]) if may_vary(row.kind) else 1
            values = {some_value(drawn, row.kind) for _ in range(count)}
            row.control.set_values(sorted(values, key=str))
            row.control.changed.emit()


def may_vary(kind: Kind) -> bool:
    return isinstance(kind, Choice | Flag | Integer | Real) and kind.name not in TERMS


def plan_or_reason(request: Request) -> Plan | str:
    try:
        return task_of(request, DATASET).plan
    except SluiceError as reason:
        return str(reason)


def choose(workbench: Workbench, workload: str) -> None:
    choose_workload(workbench.setup, workload)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("workload", ["raw", "fasta"])
def test_that_every_parameter_may_be_an_axis_and_the_line_means_the_same(
    workbench: Workbench, workload: str
) -> None:
    choose(workbench, workload)
    drawn = fuzzing.drawn(4)
    rows = {row.kind.name: row for row in workbench.setup.form.rows()}
    varied = {row.kind.name for row in rows.values() if may_vary(row.kind)}
    assert {*LOAD} <= varied
    rows["threads"].control.set_values((1, 2))
    for name in varied - {"threads"}:
        before = rows[name].control.value()
        values = {before, *(some_value(drawn, rows[name].kind) for _ in range(9))}
        rows[name].control.set_values(sorted(values, key=str)[:3])
        rows[name].control.changed.emit()
        request = workbench.setup.request()
        setup_chosen = workbench.setup.chosen()
        assert not workbench.setup.form_problem()
        # What has no effect as the form stands cannot be varied.
        assert {axis.name for axis in request.axes} - {"threads", name} == set()
        assert name in {axis.name for axis in request.axes} or rows[name].kind.only_when
        assert plan_or_reason(parsed(workbench.command.text())) == plan_or_reason(setup_chosen), (
            name
        )
        rows[name].control.set_value(before)
        rows[name].control.changed.emit()


LOAD = [kind.name for kind in declared(Load)]
TERMS = {kind.name for kind in limit_terms(search=True)}


@pytest.mark.fuzz
def test_that_random_forms_and_the_lines_below_them_mean_the_same(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    drawn = fuzzing.drawn(4)
    plans = 0
    for _ in range(FORMS):
        shuffle(drawn, workbench)
        # As the event loop does between two things that a user does.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        line = workbench.command.text()
        if workbench.setup.form_problem():
            assert not line
            continue
        ours = plan_or_reason(workbench.setup.chosen())
        assert plan_or_reason(parsed(line)) == ours, line
        plans += isinstance(ours, Plan)
    assert plans > FORMS // 10  # most draw what cannot be, such as no address
