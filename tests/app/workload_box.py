"""How tests ask: the list of workloads, and the whole form at once."""

from collections.abc import Iterator
from contextlib import contextmanager

from pytestqt.qtbot import QtBot

from app.setup.form_history import form_of
from app.setup.setup_panel import SetupPanel
from app.shell.workbench import Workbench
from core import Request


def choose_workload(setup: SetupPanel, name: str) -> None:
    setup.choose_work(name)


def sweep_threads(setup: SetupPanel) -> None:
    """Fill in the first question about the chosen work: how many threads."""
    setup.restore(form_of(Request.first(setup.workload), setup.state()))


def ask(qtbot: QtBot, workbench: Workbench, request: Request) -> None:
    """Fill in the form, and wait for its data."""
    setup = workbench.setup
    setup.restore(form_of(request, setup.state()))
    qtbot.waitUntil(lambda: setup.dataset.look is not None)


@contextmanager
def opened(workbench: Workbench, *names: str) -> Iterator[None]:
    """What these fields of the question open is in sight meanwhile."""
    for name in names:
        workbench.line.open(name)
    yield
    for name in names:
        workbench.line.popups[name].hide()
