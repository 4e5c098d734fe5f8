"""The plots of a run on the screen."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot
from showing import exposed

from app.plots.time.run_plots import RunPlots


@pytest.fixture
def plots(qtbot: QtBot) -> Iterator[RunPlots]:
    """Without anything in them; the timer is to rest once they are hidden."""
    widget = exposed(qtbot, RunPlots(), 1000, 700)
    widget.redraw()
    yield widget
    widget.hide()
    assert not widget.busy
