"""Progress of preparations (generating data, warming caches) on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from core.catalog.dataset import Tell, tell_nobody


@contextmanager
def told_on_terminal(*, quiet: bool) -> Iterator[Tell]:
    """A `Tell`: a bar, rate and remaining time on a terminal, a line per stage elsewhere."""
    if quiet:
        yield tell_nobody
    elif sys.stderr.isatty():
        with _bar() as tell:
            yield tell
    else:
        said: set[str] = set()

        def tell(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
            if doing not in said:
                said.add(doing)
                print(f"{doing} …", file=sys.stderr, flush=True)

        yield tell


@contextmanager
def _bar() -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        tasks: dict[str, int] = {}

        def tell(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
            if doing not in tasks:
                tasks[doing] = progress.add_task(doing, total=None, unit=unit)
            progress.update(tasks[doing], completed=done, total=total or None)  # type: ignore[arg-type]

        yield tell
