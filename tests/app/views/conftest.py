"""The views of a run, without plots and with them."""

import pytest
from PySide6.QtCore import QThreadPool
from pytestqt.qtbot import QtBot

from app.views.tabs import RunViews


@pytest.fixture
def bare_views(qtbot: QtBot, pool: QThreadPool) -> RunViews:
    """As the window begins: the plots are still being loaded."""
    made = RunViews(pool)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def views(bare_views: RunViews) -> RunViews:
    bare_views.add_plots()
    return bare_views
