"""The session of the window: opened, begun, named, annotated, copied, exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, QThreadPool, Signal

import core
from app.work.question import Question
from core import SessionError, write_whole

if TYPE_CHECKING:
    from core import Format, Note, Opened, Result, Session


class Recent:
    """The last few places under one key, the newest first."""

    def __init__(self, settings: QSettings, key: str, most: int) -> None:
        self._settings = settings
        self._key = key
        self._most = most

    def places(self) -> list[Path]:
        """The places, whether or not they still exist."""
        setting = self._settings.value(self._key, [])
        if isinstance(setting, str):  # Qt returns a list of one text as that text
            return [Path(setting)]
        return [Path(str(text)) for text in setting] if isinstance(setting, list) else []

    def add(self, place: Path) -> None:
        others = [str(one) for one in self.places() if one != place]
        self._settings.setValue(self._key, [str(place), *others][: self._most])


_MOST_RECENT = 10
_UNFINISHED = "unfinished"


class HeldSession(QObject):
    """Holds one session at a time; the pool's thread does everything that takes a while."""

    renamed = Signal(str)
    """The new title of the window; empty without a session."""
    opened = Signal(object)
    """A session was opened (Opened); it is not held yet."""
    damaged = Signal(object, str)
    """A session that cannot be read completely (Path), and why; it may be salvaged."""
    done = Signal(str)
    """What was done, in one sentence."""
    failed = Signal(str, str)
    """What was being done, and why it failed."""

    def __init__(self, pool: QThreadPool, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._used = Recent(settings, "sessions", _MOST_RECENT)
        self.session: Session | None = None
        self._title = ""
        self._opening, self._saving, self._writing = (Question(pool, self) for _ in range(3))
        self._opening.answered.connect(self._take_opened)
        self._saving.answered.connect(self._take_salvaged)
        written = self.tr("Written: {}")
        self._writing.answered.connect(lambda path: self.done.emit(written.format(path)))
        for question, doing in (
            (self._opening, self.tr("Opening the session")),
            (self._saving, self.tr("Salvaging the session")),
            (self._writing, self.tr("Writing")),
        ):
            question.refused.connect(partial(self.failed.emit, doing))

    @property
    def stem(self) -> str:
        """Default name of files made from the session."""
        return self.session.path.stem if self.session is not None else "results"

    @property
    def place(self) -> Path | None:
        return self.session.path if self.session is not None else None

    def recent(self) -> list[Path]:
        """Sessions that were used before, the newest first."""
        return self._used.places()

    def hold(self, session: Session, title: str | None = None) -> None:
        """Continue with this session; its title is read where it is not given."""
        if self.session is not session:
            self._close()
            self.session = session
            self._used.add(session.path)
            self._title = session.title if title is None else title
        self.renamed.emit(self.title())

    def let_go(self) -> None:
        """Close the session, so that none is held."""
        self._close()
        self.renamed.emit("")

    def _close(self) -> None:
        if self.session is not None:
            self.session.close()
        self.session, self._title = None, ""

    def title(self) -> str:
        """The session's title, or its file's name if it has no title."""
        return self._title or self.session.path.stem if self.session is not None else ""

    def run_titles(self) -> list[tuple[int, str, float]]:
        """The runs of the held session: number, what it measured, when; the oldest first."""
        return self.session.titles() if self.session is not None else []

    # An unfinished run is remembered until it ends.

    def remember(self, begun: bool) -> None:
        """Remember that a run has begun in the session, or forget it at its end."""
        if begun and self.session is not None:
            self._settings.setValue(_UNFINISHED, str(self.session.path))
        else:
            self._settings.remove(_UNFINISHED)
        self._settings.sync()

    def unfinished(self) -> Path | None:
        """The session whose run was in progress when Sluice was killed."""
        place = str(self._settings.value(_UNFINISHED, "") or "")
        try:
            return Path(place) if place and Path(place).exists() else None
        except OSError:  # no path at all, or where nothing may be looked at
            return None

    def open(self, path: Path, number: int | None = None) -> None:
        """Look at a run of a session, the last one or that of a number; the next is added to it."""
        self._opening.ask(lambda _: _opened(path, number))

    def _take_opened(self, answer: Opened | _Damage) -> None:
        if isinstance(answer, _Damage):
            self.damaged.emit(answer.path, answer.cause)
        else:
            self.opened.emit(answer)

    def salvage(self, path: Path) -> None:
        """Copy what can still be read of a damaged session into a new one, and open that."""
        from core import salvage

        self._saving.ask(lambda _: salvage(path))

    def _take_salvaged(self, salvage: Any) -> None:
        self.done.emit(salvage.sentence)
        self.open(salvage.place)

    def rename(self, title: str) -> None:
        """Give the session a title; the file keeps its name because others can have it open."""
        if self.session is None or not title.strip() or not self._may_write():
            return
        try:
            self.session.rename(title.strip())
            self._title = self.session.title
        except SessionError as error:
            self.failed.emit(self.tr("Renaming the session"), str(error))
        self.renamed.emit(self.title())

    def notes(self) -> tuple[Note, ...]:
        return self.session.notes() if self.session is not None else ()

    def note(self, text: str, run: int | None) -> None:
        if self.session is None or not text.strip() or not self._may_write():
            return
        try:
            self.session.note(text.strip(), run)
        except SessionError as error:
            self.failed.emit(self.tr("Writing the note"), str(error))
        else:
            self.done.emit(self.tr("The note is kept in the session"))

    def _may_write(self) -> bool:
        """Whether the session is the user's own; else it is said what to do."""
        if self.session is None or self.session.newer or self.session.own:
            return self.session is not None  # what a newer Sluice has written says so itself
        why = self.tr(
            "somebody else has begun it, so it stays as it is; save a copy, and open that"
        )
        self.failed.emit(self.tr("Writing into the session"), why)
        return False

    def copy_to(self, path: Path) -> None:
        if (session := self.session) is not None:
            self._write(path, lambda: session.copy_to(path, overwrite=True))

    def export(self, results: Sequence[Result], form: Format, path: Path) -> None:
        self._write(path, lambda: form.export(results, path))

    def write(self, path: Path, content: bytes) -> None:
        """Write a file that is not made from results."""
        self._write(path, lambda: write_whole(path, lambda stream: stream.write(content)))

    def _write(self, path: Path, write: Callable[[], object]) -> None:
        def written(_: object) -> Path:
            write()
            return path

        self._writing.ask(written)


@dataclass(frozen=True)
class _Damage:
    """A session that cannot be opened but may be salvaged, and why."""

    path: Path
    cause: str


def _opened(path: Path, number: int | None) -> Opened | _Damage:
    try:
        return core.Opened.at(path, number)
    except SessionError as error:
        if not error.salvageable:
            raise
        return _Damage(path, error.cause)
