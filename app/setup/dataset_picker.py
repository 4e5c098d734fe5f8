"""Which data: a file, a folder, a recent one, one dropped onto the window, or a sample."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QThreadPool, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.setup.question_field import FieldText
from app.style import dialogs
from app.style.labels import ClippedLabel, as_tip, keep_room, restyle
from app.style.layouts import spaced
from app.style.menus import Menu
from app.work.held_session import Recent
from app.work.question import Pace, Question
from core import Inspection, Request, SampleData, SluiceError, UsageError, expanded, show

_MOST_RECENT = 8


class DatasetPicker(QWidget):
    """Shows what was recognised at a place; another thread looks at it."""

    changed = Signal()
    said = Signal()
    """`text` is another."""
    asked = Signal(object)
    """What an address asks that was typed in place of a path (Request)."""

    def __init__(self, pool: QThreadPool, settings: QSettings) -> None:
        super().__init__()
        self._used = Recent(settings, "datasets", _MOST_RECENT)
        self._workload = self._study = ""
        self.look: Inspection | None = None
        self.unfit: Mapping[str, str] = {}
        """By name of a workload, why it does not read the data."""
        self._sampled: Path | None = None
        self.sample_size = ""
        """What a sample takes on disk, as text; empty where there is none."""
        self.problem = self._wish()
        self._pace = Pace()
        self._looking = Question(pool, self)
        self._making = Question(pool, self)
        self._fitting = Question(pool, self)
        self._place = QLineEdit()
        self._place.setAcceptDrops(False)  # the window takes them: here they would become URLs
        self._place.setPlaceholderText(self.tr("File, folder or address: type, choose or drop it"))
        self._place.setAccessibleName(self.tr("Dataset"))
        self.setFocusProxy(self._place)
        self._choose = QPushButton(self.tr("Choose…"))
        self._choose.setToolTip(self.tr("A file, a folder, or data that was used before"))
        menu = Menu(self._choose)
        menu.aboutToShow.connect(partial(self._fill, menu))
        self._choose.setMenu(menu)
        self._sample = QPushButton(self.tr("Sample data"))
        self._sample.setToolTip(
            self.tr("Generate data that this workload can read, in Sluice's cache")
        )
        self._summary = ClippedLabel("small", 3)  # so that nothing below it moves
        self._summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._summary.setText(self.tr("Nothing chosen yet."))
        self._summary.setAccessibleName(self.tr("What is known of the dataset"))
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Progress of making the sample"))
        self._progress.setProperty("part", "thin")
        keep_room(self._progress)
        self._progress.hide()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self._choose, 1)
        row.addWidget(self._sample, 1)
        column = spaced(QVBoxLayout(self), 8)
        column.addWidget(self._place)
        column.addLayout(row)
        column.addWidget(self._progress)
        column.addWidget(self._summary)

    def _connect(self) -> None:
        self._place.returnPressed.connect(self._take_typed)
        self._place.editingFinished.connect(self._leave_field)
        self._place.textChanged.connect(lambda text: self._place.setToolTip(as_tip(text)))
        self._sample.clicked.connect(self.make_sample)
        self._looking.answered.connect(self._take_look)
        self._looking.refused.connect(self._take_refusal)
        looking = self.tr("Looking… {}")  # thousands of files take a while
        self._looking.progressed.connect(lambda doing, *_: self._say(looking.format(doing)))
        self._fitting.answered.connect(self._take_unfit)
        self._making.answered.connect(self._take_sample)
        self._making.refused.connect(self._end_making)
        self._making.progressed.connect(self._show_making)

    def set_workload(self, workload: str, study: str = "") -> None:
        """Set the workload and look again: it can read the same place as something else.

        `study`: the one whose sample is made; empty where the question is the user's own.
        """
        other = workload != self._workload
        if other:
            self._stop_making()  # that of other work
        self._workload, self._study = workload, study
        if not self.making:
            self._name_sample(workload)
        if other and self._place.text():
            self.choose(Path(self._place.text()))

    @property
    def looking(self) -> bool:
        """Whether it is not yet known what is at the place."""
        return self._looking.asking

    @property
    def making(self) -> bool:
        """Whether a sample is being made."""
        return self._making.asking

    def place(self) -> str:
        """The place that the user has chosen or is typing."""
        return self._place.text().strip()

    def choose(self, path: Path) -> None:
        """Take a place and look at it."""
        self._stop_making()
        workload = self._workload
        self._place.setText(str(path))
        self._fitting.drop()
        self.unfit = {}
        self.look, self.problem = None, self.tr("the dataset is being looked at")
        self._say(self.tr("Looking…"))
        restyle(self._place, "wrong", False)
        self._looking.ask(lambda report: Inspection.of(path, workload, report))
        self.changed.emit()

    def clear(self) -> None:
        """Take no place."""
        self._looking.drop()
        self._fitting.drop()
        self._place.clear()
        self.unfit = {}
        self.look, self.problem = None, self._wish()
        self._say(self.tr("Nothing chosen yet."))
        restyle(self._place, "wrong", False)
        self.changed.emit()

    def make_sample(self) -> None:
        """Generate a sample for the workload, or find an existing one; a second call stops it."""
        if self.making:
            self._stop_making()
            return
        workload, study = self._workload, self._study
        self._pace.begin()
        self._sample.setText(self.tr("Stop"))
        self._progress.setRange(0, 0)
        self._progress.show()
        self._say(self.tr("Making a sample…"))
        self._making.ask(lambda report: SampleData(workload, study).make(report).path)
        self._lack(self.tr("a sample is being made"))

    def _stop_making(self) -> None:
        if self.making:
            self._making.drop()
            self._end_making(self.tr("Stopped."))

    def _take_typed(self) -> None:
        self._place.setModified(False)
        text = self._place.text().strip()
        if not text:
            self.clear()
        elif Request.is_address(text):
            self._take_address(text)
        elif self.look is None or Path(text) != self.look.dataset.path:
            self.choose(expanded(text))

    def _take_address(self, address: str) -> None:
        try:
            asked = Request.typed(address)
        except UsageError as refused:
            self._take_refusal(str(refused))
            return
        self._place.setText(str(self.look.dataset.path) if self.look is not None else "")
        self.asked.emit(asked)

    def _leave_field(self) -> None:
        """Look at what was typed, unless the window closes, which takes the focus away too."""
        if self._place.isModified() and not self.window().isHidden():
            self._take_typed()

    def _take_look(self, look: Inspection) -> None:
        self.look, self.problem = look, ""
        self._say(look.sentence())
        facts = ", ".join(f"{name} {value}" for name, value in look.facts.items())
        self._summary.setToolTip(as_tip(f"{look.dataset.location}\n{facts}"))
        self._fitting.ask(lambda _: Inspection.unfit(look.dataset.path))
        if look.dataset.path != self._sampled:  # which the button finds again
            self._used.add(look.dataset.path)
        self.changed.emit()

    def _take_unfit(self, unfit: Mapping[str, str]) -> None:
        self.unfit = unfit

    def _take_refusal(self, reason: str) -> None:
        # The field names the folder; what helps stands at the end, and is not to be cut.
        folder = str(Path(self.place()).parent)
        reason = reason.replace(f"{folder}/", "") if len(folder) > 1 else reason
        self.look, self.problem = None, reason
        self._say(reason, "problem")
        restyle(self._place, "wrong", True)
        self.changed.emit()

    def _take_sample(self, path: Path) -> None:
        self._end_making("")
        self._sampled = path
        self.choose(path)

    def _end_making(self, text: str) -> None:
        self._progress.hide()
        self._name_sample(self._workload)
        self._say(text)
        self._lack(self._wish())

    def _lack(self, problem: str) -> None:
        """Say why nothing can be measured, where no place is named."""
        if self.look is None and not self.place():
            self.problem = problem
            self.changed.emit()

    def _name_sample(self, workload: str) -> None:
        """Say on the button what the sample takes on disk."""
        room = 0
        with suppress(SluiceError):  # there is no sample
            room = SampleData(workload, self._study).room()
        self.sample_size = show(room, "bytes") if room else ""
        text = self.tr("Sample data · {}").format(self.sample_size)
        self._sample.setText(text if room else self.tr("Sample data"))
        if self.look is None and not self._place.text():
            self.problem = self._wish()

    def _wish(self) -> str:
        """What the user is to do while no place is named, with a sample's size on disk."""
        if self.sample_size:
            return self.tr("choose a dataset, or make a sample ({})").format(self.sample_size)
        return self.tr("choose a dataset, or make a sample")

    def _show_making(self, doing: str, done: int, total: int) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)
        self._say(self._pace.sentence(doing, done, total))

    def _say(self, text: str, part: str = "small") -> None:
        self._summary.setText(text)
        restyle(self._summary, "part", part)
        self.said.emit()

    def text(self) -> FieldText:
        """The name of the data, and what is known of it or goes on with it."""
        wrong = self._summary.property("part") == "problem"
        if name := Path(self.place()).name:
            return FieldText(name, self._summary.text().removeprefix(f"{name} "), wrong)
        busy = self._summary.text() if self.making else ""
        return FieldText(busy or self.tr("drop, type or choose"), empty=True)

    def recent(self) -> list[Path]:
        """The places that were used before, the newest first."""
        return self._used.places()

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        dialogs.offer_data(menu, self, self.choose)
        menu.addSeparator()
        for place in self.recent():
            menu.addAction(str(place).replace("&", "&&"), partial(self.choose, place))
        if not self.recent():
            menu.addAction(self.tr("No dataset was used before")).setEnabled(False)
