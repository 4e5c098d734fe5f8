"""Whatever the form says, the line below it says the same."""

import os
import random
from pathlib import Path
from typing import assert_never

import pytest
from parsing import parsed
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QComboBox, QPushButton

from app.form import ParameterForm
from app.workbench import Workbench
from core import (
    Choice,
    Dataset,
    Flag,
    Integer,
    Kind,
    Location,
    Plan,
    Real,
    Secret,
    SluiceError,
    Text,
    Value,
    plan_of,
)
from core.commanding import Request

pytestmark = [pytest.mark.window, pytest.mark.slow]
DATASET = Dataset(kind="files", location="/data", fingerprint="00ff")
FORMS = int(os.environ.get("SLUICE_FORM_STATES", "60"))
TEXTS = ("", "NM_", "two words", "-dash", "it's", "$HOME", "ä=ö,ü")


def some_value(drawn: random.Random, kind: Kind) -> Value:
    match kind:
        case Integer():
            return drawn.choice([kind.low, kind.high, drawn.randint(kind.low, kind.high)])
        case Real():
            return drawn.choice([kind.low, kind.high, drawn.uniform(kind.low, kind.high)])
        case Choice():
            return drawn.choice(list(kind.options))
        case Flag():
            return drawn.random() < 0.5
        case Secret():
            return drawn.choice(["", "env:A_KEY"])
        case Text() | Location():
            return drawn.choice(TEXTS)
        case _:
            assert_never(kind)


def shuffle(drawn: random.Random, workbench: Workbench) -> None:
    """Change the form as a user could."""
    setup = workbench.setup
    if drawn.random() < 0.3:
        drawn.choice([b for b in setup.findChildren(QPushButton) if b.text() in MODES]).click()
    if drawn.random() < 0.2:
        boxes = setup.findChildren(QComboBox)
        (workload,) = [box for box in boxes if box.accessibleName() == "Workload"]
        workload.setCurrentIndex(drawn.randrange(workload.count()))
    for form in setup.findChildren(ParameterForm):
        for row in form.rows():
            if drawn.random() < 0.3:
                row.control.set_value(some_value(drawn, row.control.kind))
                row.control.changed.emit()
            if drawn.random() < 0.2:
                row.vary.toggle()


MODES = ("Run", "Sweep", "Tune", "Study")


def plan_or_reason(request: Request) -> Plan | str:
    try:
        return plan_of(request, DATASET)[0]
    except SluiceError as reason:
        return str(reason)


def test_that_random_forms_and_the_lines_below_them_mean_the_same(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    drawn = random.Random(4)
    plans = 0
    for _ in range(FORMS):
        shuffle(drawn, workbench)
        # As the event loop does between two things that a user does.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        line = workbench.command.text()
        if workbench.setup.form_problem():
            assert not line
            continue
        ours = plan_or_reason(workbench.setup.request())
        assert plan_or_reason(parsed(line)) == ours, line
        plans += isinstance(ours, Plan)
    assert plans > FORMS // 2
