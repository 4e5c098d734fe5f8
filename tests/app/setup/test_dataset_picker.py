"""The data that is chosen, and the reader that the form chooses for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import skipped_where_unavailable
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from workload_box import choose_workload

from app.setup.form_history import FormHistory
from app.setup.setup_panel import SetupPanel
from core import workloads
from core.measure import make_dataset
from workloads.signal.make_signal import SignalShape

pytestmark = pytest.mark.window

BLOW5, POD5 = "reads.zlib.blow5", "reads.pod5"


@pytest.fixture(scope="module")
def reads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the same reads in both formats."""
    folder = tmp_path_factory.mktemp("reads") / "signal"
    with skipped_where_unavailable():
        return make_dataset("signal", SignalShape(reads=5, median_length=50), folder).path


@pytest.fixture
def panel(panel: SetupPanel) -> SetupPanel:
    choose_workload(panel, "signal")
    return panel


def open_data(qtbot: QtBot, panel: SetupPanel, place: Path) -> None:
    panel.dataset.choose(place)
    qtbot.waitUntil(lambda: panel.dataset.look is not None)


def choose_reader(panel: SetupPanel, reader: str) -> None:
    row = panel.form.row("reader")
    row.control.set_value(reader)
    row.control.changed.emit()


def reader(panel: SetupPanel) -> object:
    return panel.request().values["reader"]


def test_that_the_reader_follows_the_format_of_the_data(
    qtbot: QtBot, panel: SetupPanel, reads: Path
) -> None:
    for file, expected in ((BLOW5, "blow5-pool"), (POD5, "pod5-c-io"), (BLOW5, "blow5-pool")):
        open_data(qtbot, panel, reads / file)
        assert reader(panel) == expected
        assert not panel.problem()


def test_that_readers_that_do_not_fit_the_data_are_not_offered_and_say_why(
    qtbot: QtBot, panel: SetupPanel, reads: Path
) -> None:
    def chip(reader: str) -> QPushButton:
        chips = panel.findChildren(QPushButton)
        (found,) = [one for one in chips if one.accessibleName() == f"Reader: {reader}"]
        return found

    assert chip("POD5, pod5").isEnabled()
    open_data(qtbot, panel, reads / BLOW5)
    assert not chip("POD5, pod5").isEnabled()
    assert "does not read blow5" in chip("POD5, pod5").toolTip()
    open_data(qtbot, panel, reads)  # both formats
    assert chip("POD5, pod5").isEnabled()
    assert chip("BLOW5, slow5lib in a pool").isEnabled()


def test_that_a_reader_that_reads_the_data_stays(
    qtbot: QtBot, panel: SetupPanel, reads: Path
) -> None:
    choose_reader(panel, "pod5-mmap")
    open_data(qtbot, panel, reads / POD5)
    assert reader(panel) == "pod5-mmap"
    open_data(qtbot, panel, reads)
    assert reader(panel) == "pod5-mmap"


def test_that_a_reader_chosen_for_the_wrong_format_afterwards_is_refused(
    qtbot: QtBot, panel: SetupPanel, reads: Path
) -> None:
    open_data(qtbot, panel, reads / POD5)
    choose_reader(panel, "blow5-c")
    assert reader(panel) == "blow5-c"
    assert "blow5-c does not read pod5" in panel.problem()


def test_that_another_workload_begins_with_what_reads_the_data(
    qtbot: QtBot, panel: SetupPanel, reads: Path
) -> None:
    choose_workload(panel, "raw")
    open_data(qtbot, panel, reads / POD5)
    choose_workload(panel, "signal")
    qtbot.waitUntil(lambda: panel.dataset.look is not None)
    assert reader(panel) == "pod5-c-io"


def test_that_the_data_and_its_reader_are_undone_together(
    qtbot: QtBot, panel: SetupPanel, reads: Path
) -> None:
    choose_reader(panel, "blow5-c")
    open_data(qtbot, panel, reads / BLOW5)
    history = FormHistory(panel)
    open_data(qtbot, panel, reads / POD5)
    assert reader(panel) == "pod5-c-io"
    assert history.stack.count() == 1
    history.stack.undo()
    qtbot.waitUntil(lambda: panel.dataset.look is not None)
    assert (reader(panel), panel.dataset.place()) == ("blow5-c", str(reads / BLOW5))
    history.stack.redo()
    qtbot.waitUntil(lambda: panel.dataset.look is not None)
    assert (reader(panel), panel.dataset.place()) == ("pod5-c-io", str(reads / POD5))
    assert not panel.problem()


def test_that_undo_brings_back_just_what_was_there(
    qtbot: QtBot, panel: SetupPanel, reads: Path
) -> None:
    open_data(qtbot, panel, reads / POD5)
    history = FormHistory(panel)
    choose_reader(panel, "blow5-c")
    open_data(qtbot, panel, reads / BLOW5)
    history.stack.undo()
    qtbot.waitUntil(lambda: panel.dataset.look is not None)
    assert (reader(panel), panel.dataset.place()) == ("blow5-c", str(reads / POD5))
    assert "blow5-c does not read pod5" in panel.problem()
    history.stack.redo()
    qtbot.waitUntil(lambda: panel.dataset.look is not None)
    assert (reader(panel), panel.dataset.place()) == ("blow5-c", str(reads / BLOW5))
    open_data(qtbot, panel, reads / POD5)
    assert reader(panel) == "pod5-c-io"


def test_that_work_which_does_not_read_the_data_says_so_until_the_data_is_taken_away(
    qtbot: QtBot, panel: SetupPanel, tmp_path: Path
) -> None:
    (tmp_path / "one.fa").write_text(">one\nACGT\n")
    panel.choose_work("fasta")
    open_data(qtbot, panel, tmp_path / "one.fa")
    qtbot.waitUntil(lambda: bool(panel.dataset.unfit))
    panel.list_work()
    titles = {entry.title for entry in workloads().values()}
    rows = [panel.work.rows.topLevelItem(at) for at in range(panel.work.rows.topLevelItemCount())]
    work = {row.text(0): row for row in rows if row.text(0) in titles}
    assert work["Nanopore signals"].text(1) == "reads no FASTA file"
    able = [title for title, row in work.items() if row.flags() & Qt.ItemFlag.ItemIsEnabled]
    assert len(able) == 5
    assert "Raw reads" in able
    panel.dataset.clear()
    assert not panel.dataset.unfit


def test_that_a_sample_of_other_work_is_no_data_once_it_is_made(
    qtbot: QtBot, panel: SetupPanel
) -> None:
    panel.choose_work("raw")
    panel.dataset.make_sample()
    assert panel.problem() == "a sample is being made"
    panel.choose_work("tiles")
    assert not panel.dataset.making
    assert panel.problem().startswith("choose a dataset, or make a sample")
    panel.dataset.make_sample()
    qtbot.waitUntil(lambda: panel.dataset.look is not None)
    assert panel.problem() == ""


def test_that_data_that_is_chosen_stays_while_a_sample_is_made(
    qtbot: QtBot, panel: SetupPanel, tmp_path: Path
) -> None:
    (tmp_path / "one.fa").write_text(">one\nACGT\n", "utf-8")
    panel.choose_work("raw")
    panel.dataset.make_sample()
    open_data(qtbot, panel, tmp_path / "one.fa")
    assert not panel.dataset.making
    assert panel.dataset.place() == str(tmp_path / "one.fa")


def test_that_an_address_in_place_of_data_is_a_question_of_its_own(
    qtbot: QtBot, panel: SetupPanel
) -> None:
    field = panel.dataset.focusProxy()
    with qtbot.waitSignal(panel.asked) as asked:
        qtbot.keyClicks(field, "s3://bucket/tree")
        qtbot.keyClick(field, Qt.Key.Key_Return)
    request, _ = asked.args
    assert (request.workload, request.values["address"]) == ("transfer", "s3://bucket/tree")
    assert panel.dataset.place() == ""
    qtbot.keyClicks(field, "gopher://host/tree")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.dataset.problem.startswith("no work here reads gopher://host/tree")
