"""The session of the window: opened, begun, named, annotated, copied, exported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, QThreadPool, Signal

from app.work.preparation import opened
from app.work.question import Question
from app.work.recent import Recent
from core import Format, Note, Result, Session, SessionError, export, translated_by, write_whole

_MOST_RECENT = 10
_UNFINISHED = "unfinished"


class SessionActions(QObject):
    """Holds one session at a time; everything that takes a while is done on the pool's thread."""

    renamed = Signal(str)
    """What the window is to be called; empty without a session."""
    opened = Signal(object)
    """A session was opened (Opened); it is not held yet."""
    done = Signal(str)
    """What was done, in one sentence."""
    failed = Signal(str, str)
    """What was being done, and why it could not be."""

    def __init__(self, pool: QThreadPool, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._used = Recent(settings, "sessions", _MOST_RECENT)
        self.session: Session | None = None
        self._opening = Question(pool, self)
        self._writing = Question(pool, self)
        self._opening.answered.connect(self.opened)
        self._opening.refused.connect(
            lambda why: self.failed.emit(self.tr("Opening the session"), why)
        )
        self._writing.answered.connect(
            lambda where: self.done.emit(self.tr("Written: {}").format(where))
        )
        self._writing.refused.connect(lambda why: self.failed.emit(self.tr("Writing"), why))

    @property
    def stem(self) -> str:
        """What files made of the session are called by default."""
        return self.session.path.stem if self.session is not None else "results"

    def recent(self) -> list[Path]:
        """Sessions that were used before, the newest first."""
        return self._used.places()

    def hold(self, session: Session) -> None:
        """Go on with this session."""
        if self.session is not session:
            self.let_go()
            self.session = session
            self._used.add(session.path)
        self.renamed.emit(self.title())

    def let_go(self) -> None:
        """Hold no session any more."""
        if self.session is not None:
            self.session.close()
        self.session = None
        self.renamed.emit("")

    def title(self) -> str:
        """What the session is called: by its owner, else by its file."""
        return self.session.title or self.session.path.stem if self.session is not None else ""

    # A run that does not come to its end is remembered until it does.

    def remember(self, begun: bool) -> None:
        """A run has begun in the session, or has ended."""
        if begun and self.session is not None:
            self._settings.setValue(_UNFINISHED, str(self.session.path))
        else:
            self._settings.remove(_UNFINISHED)
        self._settings.sync()

    def unfinished(self) -> Path | None:
        """The session in which a run was going on when Sluice was killed."""
        kept = str(self._settings.value(_UNFINISHED, "") or "")
        return Path(kept) if kept and Path(kept).exists() else None

    def open(self, path: Path) -> None:
        """Look at a session's last run; what is measured next is added to it."""
        self._opening.ask(lambda _: opened(path))

    def rename(self, title: str) -> None:
        """Give the session a title; the file keeps its name, as others may have it open."""
        if self.session is not None and title.strip():
            self._try(self.tr("Renaming the session"), title.strip())

    def _try(self, doing: str, title: str) -> None:
        assert self.session is not None
        try:
            self.session.rename(title)
        except SessionError as error:
            self.failed.emit(doing, str(error))
        self.renamed.emit(self.title())

    def notes(self) -> tuple[Note, ...]:
        """What was written down, the oldest first."""
        return self.session.notes() if self.session is not None else ()

    def note(self, text: str, run: int | None) -> None:
        """Write something down, about a run or about all."""
        if self.session is None or not text.strip():
            return
        try:
            self.session.note(text.strip(), run)
        except SessionError as error:
            self.failed.emit(self.tr("Writing the note"), str(error))
        else:
            self.done.emit(self.tr("The note is kept in the session"))

    def copy_to(self, path: Path) -> None:
        """Save a whole copy of the session."""
        if self.session is not None:
            session = self.session
            self._writing.ask(lambda _: _copied(session, path))

    def export(self, results: Sequence[Result], form: Format, path: Path) -> None:
        """Write results in an export's format."""
        self._writing.ask(lambda _: _exported(results, path, form))

    def write(self, path: Path, content: bytes) -> None:
        """Write a file that is not made of results."""
        self._writing.ask(lambda _: _written(path, content))

    def drop(self) -> None:
        """The window closes: no answer is awaited any more."""
        self._opening.drop()
        self._writing.drop()


def _copied(session: Session, path: Path) -> Path:
    session.copy_to(path, overwrite=True)
    return path


def _written(path: Path, content: bytes) -> Path:
    write_whole(path, lambda stream: stream.write(content))
    return path


def _exported(results: Sequence[Result], path: Path, form: Format) -> Path:
    with translated_by(None):  # files are the same in every language
        export(results, path, form)
    return path
