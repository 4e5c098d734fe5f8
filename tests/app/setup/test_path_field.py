"""The field of a path shows its name first, until somebody edits it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.setup.path_field import PathField

pytestmark = pytest.mark.window
PATH = Path("/home/somebody/projects/of the institute/genomes/seqrepo-2021-01-29")


@pytest.fixture
def field(qtbot: QtBot) -> PathField:
    made = PathField()
    qtbot.addWidget(made)
    made.resize(300, 30)
    with qtbot.waitActive(made):
        made.show()
    made.clearFocus()
    made.show_path(PATH)
    return made


def seen(field: PathField) -> QImage:
    return field.grab().toImage()


def test_that_the_name_is_whole_and_its_folder_has_the_ellipsis(field: PathField) -> None:
    name, folder = field.shown(field.fontMetrics().horizontalAdvance(PATH.name) + 110)
    assert name == "seqrepo-2021-01-29"
    assert folder.startswith("/")
    assert "…" in folder
    assert field.shown(2000) == (PATH.name, str(PATH.parent))
    narrow, nothing = field.shown(60)
    assert "…" in narrow
    assert nothing in ("", "…")
    assert field.toolTip() == field.accessibleDescription() == str(PATH)


def test_that_who_edits_sees_the_path(qtbot: QtBot, field: PathField) -> None:
    named = seen(field)
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    assert field.hasFocus()
    qtbot.keyClick(field, Qt.Key.Key_End)
    edited = seen(field)
    assert edited != named
    qtbot.keyClicks(field, "/part")
    assert field.text() == f"{PATH}/part"
    field.clearFocus()
    field.show_path(PATH)
    assert seen(field) == named


def test_that_a_page_that_comes_up_shows_the_name_in_the_field_it_focuses(
    field: PathField,
) -> None:
    field.setFocus()
    assert field.hasFocus()
    assert not field._edited
    field.clearFocus()
    field.setFocus(Qt.FocusReason.TabFocusReason)
    assert field._edited
