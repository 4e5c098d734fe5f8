"""Whatever is dropped, wherever it falls, is a question for the work that reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from workload_box import choose_workload

from app.shell.workbench import Workbench
from core import Axis, Request

pytestmark = pytest.mark.window

CACHES = Axis("cache", ("lru-locked", "none", "per-thread"))
BLOW5 = "blow5-real/exp/one_fast5/exp_1_default.blow5"
POD5 = "pod5-real/raw/p2s/pod5/z/z1.pod5"


def dragged(places: Sequence[Path]) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(place)) for place in places])
    return data


def enter(target: QWidget, data: QMimeData) -> QDragEnterEvent:
    copies, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDragEnterEvent(QPointF(5, 5), copies, data, left, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(target, event)
    return event


def drop(qtbot: QtBot, workbench: Workbench, *places: Path) -> None:
    """Drag onto the window and let go, and wait for what becomes of it."""
    data = dragged(places)
    assert enter(workbench, data).isAccepted()
    target = workbench.drops.target
    assert target.isVisible()
    assert target.size() == workbench.size()
    copies, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(5, 5), copies, data, left, Qt.KeyboardModifier.NoModifier)
    with qtbot.waitSignal(workbench.drops.left):
        QApplication.sendEvent(workbench, event)
    assert target.isHidden()
    qtbot.waitUntil(lambda: not workbench.setup.dataset.looking)


def asked(workbench: Workbench) -> tuple[str, object, str]:
    request = workbench.setup.request()
    return request.workload, request.values.get("reader"), workbench.setup.dataset.place()


@pytest.mark.parametrize("before", ["command", "fasta", "transfer"])
@pytest.mark.real_data(BLOW5, POD5, "fasta-real/ce.fa")
def test_that_a_drop_picks_work_reader_and_settings_whatever_was_chosen(
    qtbot: QtBot, workbench: Workbench, real_data: Path, before: str
) -> None:
    choose_workload(workbench.setup, before)
    was = workbench.setup.state()
    for place, workload, reader, others in (
        (real_data / BLOW5, "signal", "blow5-pool", ()),
        (real_data / POD5, "signal", "pod5-c-io", ()),
        (real_data / "fasta-real/ce.fa", "fasta", "pysam", (CACHES,)),
    ):
        workbench.history.stack.clear()
        workbench.history.restore(was)
        drop(qtbot, workbench, place)
        assert asked(workbench) == (workload, reader, str(place.resolve()))
        assert workbench.setup.request().axes == (Axis("threads", (1, 2, 4, 8)), *others)
        assert workbench.setup.problem() == ""
        workbench.history.stack.undo()
        assert workbench.setup.state() == was
        assert workbench.setup.dataset.place() == ""


def fasta_and_bed(folder: Path) -> tuple[Path, Path]:
    genome, regions = folder / "genes.fa", folder / "exons.bed"
    genome.write_text(">one\nACGTACGT\n")
    regions.write_text("one\t1\t5\n")
    return genome, regions


def test_that_a_bed_becomes_the_regions_of_the_fasta_beside_it(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    genome, regions = fasta_and_bed(tmp_path)
    was = workbench.setup.state()
    drop(qtbot, workbench, regions, genome)
    assert asked(workbench)[::2] == ("fasta", str(genome))
    assert workbench.setup.request().values["regions"] == str(regions)
    workbench.history.stack.undo()
    assert workbench.setup.state() == was
    drop(qtbot, workbench, genome)
    assert workbench.setup.request().values["regions"] == ""
    workbench.setup.form.row("threads").control.set_values((3,))
    drop(qtbot, workbench, regions)
    assert asked(workbench)[::2] == ("fasta", str(genome))
    assert workbench.setup.request().values["regions"] == str(regions)
    assert workbench.setup.request().axes == (CACHES,)


def test_that_what_is_dropped_through_a_link_opens_no_further_window(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    genome, _ = fasta_and_bed(folder)
    left: list[list[Path]] = []
    workbench.drops.left.connect(left.append)
    drop(qtbot, workbench, link / genome.name)
    assert asked(workbench)[::2] == ("fasta", str(genome))
    assert left == [[]]


def test_that_a_file_of_no_known_kind_stays_with_a_program_that_was_chosen(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    drop(qtbot, workbench, data)
    assert workbench.setup.workload == "raw"
    choose_workload(workbench.setup, "command")
    drop(qtbot, workbench, data / "0.bin")
    assert asked(workbench)[::2] == ("command", str(data / "0.bin"))


@pytest.mark.real_data("blow5-real/err/no_eof.blow5")
def test_that_a_refused_drop_changes_nothing_and_its_message_leaves_with_the_next(
    qtbot: QtBot, workbench: Workbench, real_data: Path, data: Path
) -> None:
    was = workbench.setup.state()
    damaged = real_data / "blow5-real/err/no_eof.blow5"
    for place, why in ((data / "missing", "does not exist"), (damaged, "cut off")):
        drop(qtbot, workbench, place)
        assert why in workbench.top.message.text()
        assert workbench.setup.state() == was
    drop(qtbot, workbench, data)
    assert "cut off" not in workbench.top.message.text()
    assert "undo brings the question before back" in workbench.top.message.text()
    workbench.history.stack.undo()
    assert not workbench.top.message.text()


def test_that_the_window_says_what_it_would_ask_before_it_is_let_go(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    genome, _ = fasta_and_bed(tmp_path)
    was = workbench.setup.state()
    target = workbench.drops.target
    enter(workbench, dragged([genome]))
    qtbot.waitUntil(lambda: "Random FASTA fetches" in target.accessibleDescription())
    promised = target.accessibleName()
    assert promised == "How many threads, which cache?"
    QApplication.sendEvent(workbench, QDragLeaveEvent())
    assert target.isHidden()
    assert workbench.setup.state() == was
    drop(qtbot, workbench, genome)
    assert workbench.setup.request().question == promised


@pytest.mark.real_data(BLOW5, POD5)
def test_that_a_folder_with_two_formats_is_asked_which_of_them(
    real_data: Path, tmp_path: Path
) -> None:
    for place in (BLOW5, POD5):
        (tmp_path / Path(place).name).hardlink_to(real_data / place)
    request, unused = Request.dropped([tmp_path], Request())
    readers = Axis("reader", ("blow5-pool", "pod5-c-io"))
    assert (request.axes, unused) == ((Axis("threads", (1, 2, 4, 8)), readers), ())


@pytest.mark.parametrize("as_text", [False, True])
def test_that_a_link_from_a_browser_asks_the_work_that_reads_such_addresses(
    qtbot: QtBot, workbench: Workbench, *, as_text: bool
) -> None:
    was, address = workbench.setup.state(), "https://host/image.tif"
    data = QMimeData()
    data.setText(address) if as_text else data.setUrls([QUrl(address)])
    assert enter(workbench, data).isAccepted()
    qtbot.waitUntil(lambda: "Windows of a raster" in workbench.drops.target.accessibleDescription())
    how = (data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    event = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, *how)
    with qtbot.waitSignal(workbench.drops.left):
        QApplication.sendEvent(workbench, event)
    values = workbench.setup.request().values
    assert (workbench.setup.workload, values["store"]) == ("raster", "http")
    assert values["address"] == address
    # What is there is read, so that a sample stands in for data.
    qtbot.waitUntil(lambda: workbench.setup.dataset.look is not None)
    assert workbench.setup.problem() == ""
    workbench.history.stack.undo()
    assert workbench.setup.state() == was


def test_that_a_link_that_nothing_reads_is_refused_with_the_addresses_that_are_read(
    qtbot: QtBot, workbench: Workbench
) -> None:
    was = workbench.setup.state()
    with qtbot.waitSignal(workbench.drops.left):
        workbench.drops.open(["gopher://example.org/reads.fq"])
    assert "s3://*" in workbench.top.message.text()
    assert workbench.setup.state() == was


def test_that_no_field_takes_a_drop_for_itself(workbench: Workbench, data: Path) -> None:
    enter(workbench, dragged([data]))
    fields = workbench.findChildren(QLineEdit)
    assert fields
    assert [field.accessibleName() for field in fields if field.acceptDrops()] == []


def test_that_a_file_that_no_work_adopts_asks_the_preset_which_reads_it_and_lists_all_of_them(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    for name, about in (("a-sort", ""), ("b-sort", "usual = true"), ("c-index", "")):
        run = "sort --parallel={threads} {dataset}" + (" {index}" if "index" in name else "")
        text = f'about = "x"\nrun = "{run}"\nreads = ["*.lines"]\n{about}\n'
        (folder / f"{name}.toml").write_text(text)
    file = tmp_path / "Many.LINES"
    file.write_text("b\na\n")
    was = workbench.setup.state()
    drop(qtbot, workbench, file)
    assert asked(workbench) == ("command", None, str(file))
    assert workbench.setup.request().values["run"] == "sort --parallel={threads} {dataset}"
    assert workbench.setup.problem() == ""
    workbench.setup.list_work()
    rows = workbench.setup.work.rows
    first = [item.text(0) for at in range(4) if (item := rows.topLevelItem(at)) is not None]
    assert first == ["Programs for Many.LINES", "b-sort", "a-sort", "c-index"]
    workbench.history.stack.undo()
    assert workbench.setup.state() == was
