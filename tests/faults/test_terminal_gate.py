"""No command lets a text from outside steer the terminal that it prints on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import building
import click
import msgspec
import pytest
from terminals import on_a_terminal, steering

from core.measure import Leftover
from core.measure.trial.leftovers import LeftoverEntry
from core.run import Session
from core.tell.cli import root
from core.tell.exchange import FORMATS, format_named

HOSTILE = "\x1b]0;pwned\x07\x1b[2J\x9b31m\u202e\x08"
"""Sets the title, clears the screen, colours, turns the text around, goes a letter back."""
RUN = ("--dataset", "{data}", "--act", "raise-escapes", "--at", "open", "--no-floor",
       "--duration", "50ms", "--warm-up", "0")  # fmt: skip
TEXTS = [name for name in FORMATS if name not in ("parquet", "json-schema")]
INVOCATIONS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "measure": (
        ("rigged:Rigged", *RUN, "--repeats", "1"),
        ("rigged:Rigged", "threads=1,2", *RUN, "--repeats", "1"),
        ("rigged:Rigged", "threads=1,2,3,4,5", *RUN, "--budget", "1min"),
        (HOSTILE,),
    ),
    "study": ((HOSTILE,),),
    "studies": ((HOSTILE,),),
    "dataset": (("show", "{data}/{hostile}"), ("show", "{data}/no{hostile}")),
    "lab": (("stop", HOSTILE),),
    "list": ((HOSTILE,),),
    "compare": (
        ("{session}#cache={hostile}", "{session}"),
        ("{session}#cell={hostile}", "{session}"),
    ),
    "show": (
        ("{session}",),
        ("{session}", "--why"),
        ("{session}", "--json"),
        ("no{hostile}",),
        ("{session}", "--nodes"),
    ),
    "watch": (("{session}",), ("{session}", "--json"), ("no{hostile}",), ("a b{hostile}:last",)),
    "export": tuple(("{session}", "--format", name) for name in TEXTS),
    "report": (("{session}", "-o", "-"), ("{session}", "-o", "no{hostile}/x.html")),
    "resume": (("{session}",), ("no{hostile}",)),
    "workflow": (("no{hostile}",), ("no{hostile}", "--json")),
    "salvage": (("{session}", "-o", "saved{hostile}.sluice"), ("no{hostile}",)),
    "import": (("{json}",), ("{hyperfine}",)),
    "leftovers": ((), ("--json",), ("--forget", HOSTILE)),
    "doctor": ((HOSTILE,),),
    "selfcheck": ((HOSTILE,),),
}
"""Of every command, what brings hostile text to where it prints."""


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What stands for the words in braces: a hostile session, hostile data, hostile exports."""
    for name in ("CACHE", "SESSIONS", "STATE", "LAB"):
        monkeypatch.setenv(f"SLUICE_{name}", str(tmp_path / name.lower()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm-256color")
    data = tmp_path / "data"
    data.mkdir()
    (data / HOSTILE).write_bytes(bytes(1000))
    session = tmp_path / "hostile.sluice"
    write(session)
    with Session.read(session) as read:
        format_named("json").export(read.results(), tmp_path / "own.json")
    hyperfine = {"results": [{"command": HOSTILE, "times": [1.0, 2.0]}]}
    (tmp_path / "hyperfine.json").write_bytes(msgspec.json.encode(hyperfine))
    return {
        "hostile": HOSTILE,
        "data": str(data),
        "session": str(session),
        "json": str(tmp_path / "own.json"),
        "hyperfine": str(tmp_path / "hyperfine.json"),
    }


def write(path: Path) -> None:
    result = building.hostile(HOSTILE)
    with Session.create(path, title=HOSTILE) as session:
        plan = building.plan([result.spec], repeats=3, title=HOSTILE)  # one is left to resume
        machine = building.environment(cpu_model=HOSTILE, os=HOSTILE)
        places = {result.spec.dataset.location: building.file_system()}
        run = session.begin_run(plan, machine, places, ("run", HOSTILE))
        for trial in result.trials:
            session.append(run, trial)
        session.note(HOSTILE, run)


@pytest.mark.parametrize(
    "words",
    [(name, *words) for name, several in INVOCATIONS.items() for words in several],
    ids=lambda words: " ".join(words).encode("unicode_escape").decode().replace("\\x1b", "ESC"),
)
def test_that_no_command_hands_a_terminal_what_steers_it(
    words: tuple[str, ...], names: dict[str, str]
) -> None:
    if words[0] == "leftovers":
        leftover = Leftover(
            mark="mark", workload=HOSTILE, parameters={}, address=HOSTILE, started=1.0
        )
        LeftoverEntry(leftover).close()
    _, said = on_a_terminal(*(word.format(**names) for word in words))
    assert steering(said) == set()
    assert "pwned" in said


def test_that_every_command_is_held_to_it() -> None:
    assert set(INVOCATIONS) == set(root.list_commands(click.Context(root)))
