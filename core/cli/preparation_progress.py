"""Progress of preparations (generating data, warming caches) on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.cli.terminal import console, progress_is_seen, say_on_stderr
from core.language.telling import Tell, tell_nobody


@contextmanager
def told_on_terminal(*, quiet: bool) -> Iterator[Tell]:
    """A `Tell`: a bar, rate and remaining time on a terminal, a line per stage elsewhere."""
    if quiet:
        yield tell_nobody
    elif progress_is_seen():
        with _bar() as tell:
            yield tell
    else:
        said: set[str] = set()

        def tell(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
            if doing not in said:
                said.add(doing)
                say_on_stderr(f"{doing} …")

        yield tell


@contextmanager
def _bar() -> Iterator[Tell]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        tasks: dict[str, int] = {}

        def tell(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
            if doing not in tasks:
                tasks[doing] = progress.add_task(doing, total=None, unit=unit)
            progress.update(tasks[doing], completed=done, total=total or None, unit=unit)  # type: ignore[arg-type]

        yield tell
