"""What the form shows and gives follows from what means something."""

from __future__ import annotations

import pytest
import rigged_store
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.setup.form import ParameterForm
from core import Load
from core.catalog.declarations import declared
from core.catalog.registry import load_workload
from core.plan.specify import irrelevant_with

pytestmark = pytest.mark.window


def test_that_what_means_nothing_is_hidden_and_has_no_value_until_it_means_something(
    qtbot: QtBot,
) -> None:
    load_workload(rigged_store.NAME)  # nothing is imported for what is only looked at
    form = ParameterForm(declared(Load), {"page_cache": "cold"}, {})
    qtbot.addWidget(form)
    (row,) = [row for row in form.rows() if row.kind.name == "page_cache"]
    form.hide_irrelevant(irrelevant_with(rigged_store.NAME, {"store": "server"}))
    assert row.isHidden()
    assert "page_cache" not in form.values()
    assert "threads" in form.values()
    form.hide_irrelevant(irrelevant_with(rigged_store.NAME, {"store": "data"}))
    assert not row.isHidden()
    assert form.values()["page_cache"] == "cold"


def test_that_what_means_nothing_is_not_varied(qtbot: QtBot) -> None:
    form = ParameterForm(declared(Load), {}, {})
    qtbot.addWidget(form)
    form.restore({"page_cache": ["warm", "cold"]})
    assert [axis.name for axis in form.axes()] == ["page_cache"]
    form.hide_irrelevant(frozenset({"page_cache"}))
    assert form.axes() == ()


@pytest.mark.parametrize("place", ["/data/regions of mine.bed", ""])
def test_that_a_file_dropped_onto_a_place_becomes_its_path(qtbot: QtBot, place: str) -> None:
    kinds = [kind for kind in declared(load_workload("fasta").parameters) if kind.name == "regions"]
    form = ParameterForm(kinds, {}, {})
    qtbot.addWidget(form)
    (edit,) = form.findChildren(QLineEdit)
    dropped = QMimeData()
    dropped.setText("some text")
    if place:
        dropped.setUrls([QUrl.fromLocalFile(place)])
    how = (dropped, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    with qtbot.waitSignal(form.changed):
        edit.event(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, *how))
    assert form.values() == {"regions": place or "some text"}
