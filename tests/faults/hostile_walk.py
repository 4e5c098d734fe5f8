"""Walks all commands over hostile sessions in a process of its own, which says what it cost.

Arguments: a folder, and how many sessions; 0 for a few.  Prints one line of JSON for each session.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import hostile_sessions
from hostile_sessions import ODD, UNSOUND, UNSOUND_WITHIN, Change, mutations
from peaks import peak, reset_peak
from terminals import on_a_terminal, steering

from core.tell.exchange import FORMATS

_CODES = (0, 1, 2, 3, 4)
_SEED = 17
_LIVE = "<script>alert(1)</script>"


def sessions(few: bool) -> Iterator[tuple[str, Change]]:
    """Those that were thought of, and then random ones; `few`: some of both."""
    crafted = list((UNSOUND | UNSOUND_WITHIN | ODD).items())
    yield from crafted[2::6] if few else crafted
    yield from mutations(_SEED, 6 if few else 1_000_000)


def commands(session: str, folder: Path) -> Iterator[tuple[str, ...]]:
    yield ("show", session)
    yield ("show", session, "--why")
    yield ("show", session, "--json")
    yield ("compare", session, session)
    yield ("compare", f"{session}#threads=1", "#threads=2")
    for name in FORMATS:
        yield ("export", session, "--format", name, "-o", str(folder / name), "--force")
        if name != "parquet":
            yield ("export", session, "--format", name)
    yield ("import", str(folder / "json"))
    yield ("report", session, "-o", str(folder / "report.html"), "--force")
    yield ("resume", session)  # of nobody here: it asks, and nobody answers
    yield ("salvage", session, "-o", str(folder / "saved.sluice"))


def walk(name: str, change: Change, folder: Path) -> dict[str, object]:
    """What went wrong with one session, the longest command's CPU seconds, the peak in bytes."""
    session = str(hostile_sessions.make(folder / "hostile.sluice", change))
    wrong: list[str] = []
    longest = 0.0
    reset_peak()
    for words in commands(session, folder):
        begun = time.process_time()  # others may be using the machine
        told = " ".join(words)
        try:
            code, said = on_a_terminal(*words)
        except Exception as error:  # noqa: BLE001 -- what is looked for
            wrong.append(f"{told}: {type(error).__name__}: {error}"[:500])
            continue
        finally:
            longest = max(longest, time.process_time() - begun)
        if code not in _CODES:
            wrong.append(f"{told}: exit code {code}")
        if steering(said):
            wrong.append(f"{told}: {steering(said)!r} on the terminal")
    wrong += [f"{page.name}: a live tag" for page in _pages(folder) if _LIVE in page.read_text()]
    for left in folder.iterdir():
        left.unlink()
    return {"name": name, "wrong": wrong, "seconds": longest, "peak": peak()}


def _pages(folder: Path) -> list[Path]:
    return [page for page in (folder / "html", folder / "report.html") if page.exists()]


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    os.environ |= {f"SLUICE_{one}": str(folder / one) for one in ("CACHE", "SESSIONS", "STATE")}
    for number, (name, change) in enumerate(sessions(few=not count)):
        if count and number >= count:
            return
        place = folder / str(number)
        place.mkdir()
        print(json.dumps(walk(name, change, place)), flush=True)


if __name__ == "__main__":
    main()
