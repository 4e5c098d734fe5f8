"""The card with the first steps says what is done, and what a sample takes."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.shell.first_steps import FirstSteps


def test_that_the_size_of_a_sample_is_that_of_the_workload_chosen_now(qtbot: QtBot) -> None:
    card = FirstSteps()
    qtbot.addWidget(card)

    def told() -> str:
        return " ".join(shown.text() for shown in card.findChildren(QLabel))

    card.refresh(dataset=False, axes=False, ready=False, size="266 MiB")
    assert "about 266 MiB" in told()
    card.refresh(dataset=False, axes=False, ready=False, size="")
    assert "266 MiB" not in told()
    assert "your files are not touched" in told()
