"""Where a server is needed and none is known: a server of this computer, at a press."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QThreadPool, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.style.labels import label, restyle
from app.style.layouts import spaced
from app.work.question import Pace, Question
from core import show

if TYPE_CHECKING:
    from core import LocalServers, ServerUse, Value


class ServerStarter(QWidget):
    """Offers to start a server or to use the one that runs; the pool's threads do the work.

    A server runs on when the window closes, as after `lab start`: another window or a terminal may
    use it, and its data took time to write.  The line below the address and the Run menu say that
    it runs, and the menu stops it.  Only a start that is still going on ends with its window.
    """

    located = Signal(object)
    """The parameters that say where the server is, by name."""
    stopped = Signal(object)
    """The names of the servers that were stopped."""
    failed = Signal(str)
    """Why they could not be stopped."""

    def __init__(self, pool: QThreadPool, servers: LocalServers, parent: QWidget) -> None:
        super().__init__(parent)
        self._servers = servers
        self._uses: Sequence[ServerUse] = ()
        self._values: Mapping[str, Value] = {}
        self._lacking: ServerUse | None = None
        self._begun: ServerUse | None = None
        self._offer: LocalServers.Offer | None = None
        self._problem = ""
        self._titles: dict[Value, str] = {}
        self._pace = Pace()
        self._looking, self._starting, self._stopping = (Question(pool, self) for _ in range(3))
        self._status = label(part="muted", wraps=True)
        self._status.setAccessibleName(self.tr("What is known of a server"))
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Progress of starting the server"))
        self._button = QPushButton()
        column = spaced(QVBoxLayout(self), 4, 0, 2, 0, 2)
        for part in (self._status, self._progress, self._button):
            column.addWidget(part)
        self._button.clicked.connect(self._press)
        self._looking.answered.connect(self._take_offer)
        self._looking.refused.connect(self._take_problem)
        self._starting.progressed.connect(self._show_progress)
        self._starting.answered.connect(self._take_server)
        self._starting.refused.connect(self._take_failure)
        self._stopping.answered.connect(self._take_stopped)
        self._stopping.refused.connect(self.failed)
        self._show()

    @property
    def parameter(self) -> str:
        """The parameter below which this belongs; empty while there is nothing to say."""
        use = self._lacking or self._used()
        return use.parameter if use is not None else ""

    def follow(self, uses: Sequence[ServerUse], values: Mapping[str, Value]) -> None:
        """Take what the workload may use, and the form's values as they are now."""
        self._uses, self._values = uses, values
        lacking = next((use for use in uses if use.unknown_to(values)), None)
        if lacking != self._lacking:
            self._lacking = lacking
            self._look()
        self._show()

    def recorded(self) -> list[str]:
        """The names of the servers that run on this computer, as far as was written down."""
        return self._servers.known()

    def stop(self) -> None:
        """Stop all servers on this computer, whoever has started them."""
        self._stopping.ask(lambda _: self._servers.stop())

    def _look(self) -> None:
        """Ask what starting the lacking server takes, and forget what another one would take."""
        self._offer, self._problem = None, ""
        self._looking.drop()
        if (use := self._lacking) is not None:
            self._looking.ask(lambda report: self._servers.offer(use.server, report))

    def _press(self) -> None:
        if self._starting.asking:
            self._starting.drop()
            self._look()
        elif self._offer is None:
            self._look()
        elif (use := self._lacking) is not None:
            self._begun, self._problem = use, ""
            self._pace.begin()
            self._progress.setRange(0, 0)
            self._status.setText(self.tr("Starting…"))
            self._starting.ask(lambda report: self._servers.serve(use, report))
        self._show()

    def _take_offer(self, offer: LocalServers.Offer) -> None:
        self._offer = offer
        self._show()

    def _take_problem(self, reason: str) -> None:
        self._problem = reason
        self._show()

    def _take_failure(self, reason: str) -> None:
        if self._begun == self._lacking:
            self._take_problem(reason)
        else:
            self._look()
            self._show()

    def _take_server(self, values: dict[str, Value]) -> None:
        begun, self._begun = self._begun, None
        assert begun is not None
        if self._offer is not None:
            self._titles[values[begun.parameter]] = self._offer.title
        if begun == self._lacking:
            self.located.emit(values)
        else:  # meanwhile the form lacks something else
            self._look()
        self._show()

    def _take_stopped(self, names: list[str]) -> None:
        used = self._used()
        self._titles.clear()
        # A new one will be elsewhere.
        self.located.emit({used.parameter: ""} if used is not None else {})
        self._look()
        self._show()
        self.stopped.emit(names)

    def _show_progress(self, doing: str, done: int, total: int) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)
        self._status.setText(self._pace.sentence(doing, done, total))

    def _used(self) -> ServerUse | None:
        """The server of this computer that the form names."""
        uses = (use for use in self._uses if use.needed_by(self._values))
        return next((u for u in uses if self._values.get(u.parameter) in self._titles), None)

    def _show(self) -> None:
        starting = self._starting.asking
        self._progress.setVisible(starting)
        self._button.setVisible(self._lacking is not None)
        self._button.setEnabled(starting or not self._looking.asking)
        self._button.setText(self._action())
        if not starting:
            self._status.setText(self._problem or self._sentence())
        restyle(self._status, "part", "problem" if self._problem and not starting else "muted")
        self.setVisible(bool(self.parameter))

    def _action(self) -> str:
        if self._starting.asking:
            return self.tr("Stop starting the server")
        if self._offer is not None and self._offer.serves:
            return self.tr("Use the one that runs here")
        return self.tr("Start one on this computer")

    def _sentence(self) -> str:
        if (used := self._used()) is not None and self._lacking is None:
            sentence = self.tr("{title} runs on this computer until it is stopped (Run menu).")
            return sentence.format(title=self._titles[self._values[used.parameter]])
        if (offer := self._offer) is None:
            return self.tr("No server is known.")
        if offer.serves:
            return self.tr("{title} runs on this computer.").format(title=offer.title)
        if not offer.fetches:
            return self.tr("No server is known. {title} is ready to start here.").format(
                title=offer.title
            )
        return self.tr("No server is known. Starting {title} here fetches {size} once.").format(
            title=offer.title, size=show(offer.fetches, "bytes")
        )
