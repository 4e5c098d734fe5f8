"""Values that nobody means, for every option of every command: each is read or refused."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import click
import hostile_sessions
import pytest

from core.cli import main, root
from core.cli.flags import Declared
from core.errors import SluiceError

BAD = (
    "", " ", "nan", "NaN", "inf", "-inf", "1e400", "-1e400", "1e-400", "-0", "-1", "0x10", "1_000", "²",
    "٣", "1" * 5000, "9" * 20, "1e5", "1.5", "1,5", "1s2", "½", "\x1b[2J", "\udcff", "a" * 100_000,
)  # fmt: skip


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command by its words, with what reads its options; groups apart."""
    with click.Context(group) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from commands(command, (*path, name))
            else:
                yield " ".join((*path, name)), command


def read(command: click.Command, parameter: click.Parameter, written: str) -> object:
    with click.Context(command) as context:
        return parameter.type.convert(written, parameter, context)


COMMANDS = dict(commands(root))


@pytest.mark.parametrize("name", COMMANDS)
def test_that_every_value_of_every_option_is_read_or_refused(name: str) -> None:
    command = COMMANDS[name]
    with click.Context(command) as context:
        parameters = command.get_params(context)
    for parameter in parameters:
        for written in BAD:
            try:
                found = read(command, parameter, written)
            except (click.UsageError, SluiceError):
                continue
            if isinstance(found, float):
                assert math.isfinite(found)
                assert found or math.copysign(1, found) == 1
            if isinstance(found, int):
                assert -(2**63) <= found < 2**63


def test_that_numbers_are_read_by_declarations_only() -> None:
    """What click reads by itself takes `nan`, and whole numbers of any length."""
    of_click = {
        f"{name} {parameter.name}"
        for name, command in COMMANDS.items()
        for parameter in command.get_params(click.Context(command))
        if isinstance(parameter.type, click.types.FloatParamType | click.types.IntParamType)
        and not isinstance(parameter.type, click.IntRange | Declared)
    }
    assert of_click == set()


MISTAKES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("measure", "raw", "--dataset", ""), "the path is empty"),
    (("measure", "raw", "--session", ""), "the path is empty"),
    (("measure", ":"), "there is no workload named ':'"),
    (("measure", "broken_reader:Reader"), "cannot be loaded: SyntaxError"),
    (("measure", "raising_reader:Reader"), "cannot be loaded: KeyError: 'HOME9' (raising_reader.py, line 3)"),
    (("measure", "raw", "{session}"), "(name the data with --dataset "),
    (("measure", "raw", "block-size"), "unexpected argument 'block-size' (write --block-size VALUE)"),
    (("study", "seqrepo-fd-cache", "duration=5 s"), "(write --duration '5 s')"),
    (("measure", "raw", "x" * 5000), "(see "),
    (("study", "seqrepo-fd-cache", "a", "b"), "unexpected argument 'a' (see "),
    (("measure", "raw", "seed=0..2147483647"), "seed: 0..2147483647 are 2,147,483,648 values"),
    (("measure", "raw", "operations=0..1000000000000"), "leave at most 10,000"),
    (("dataset", "show", ""), "the path is empty"),
    (("dataset", "make", "fasta", "--folder", ""), "the path is empty"),
    (("show", ""), "no session is named"),
    (("show", "last~1234567890"), "there is no session last~1234567890"),
    (("show", "last~" + "1" * 5000), "a file cannot have a name as long as"),
    (("show", "x" * 5000), "a file cannot have a name as long as"),
    (("measure", "raw", "--dataset", "{session}", "--session", "x" * 5000), "name as long as"),
    (("dataset", "show", "x" * 5000), "File name too long"),
    (("show", "{session}", "--run", "9" * 30), "--run: "),
    (("show", "{session}", "--run", "9223372036854775807"), "has no run 9223372036854775807"),
    (("compare", "{session}#run=²", "#threads=2"), "'²' is not the number of a run"),
    (("compare", "{session}#run=" + "1" * 200, "#threads=2"), "is not the number of a run"),
    (("compare", "{session}", "{session}", "--margin", "nan"), "--margin: nan is outside"),
    (("compare", "{session}", "{session}", "--margin", "0"), "--margin: 0 is outside"),
    (("export", "{session}", "-o", ""), "the path is empty"),
    (("import", ""), "the path is empty"),
    (("import", "/dev/zero"), "/dev/zero is a device (name a file)"),
    (("salvage", "{session}", "-o", ""), "the path is empty"),
    (("lab", "start", "s3", "--deadline", "1e300"), "--deadline: "),
    (("lab", "start", "s3", "--deadline", "0"), "--deadline: 0 s is outside"),
)  # fmt: skip


@pytest.mark.parametrize(("words", "message"), MISTAKES, ids=range(len(MISTAKES)))
def test_that_a_value_nobody_means_is_one_line_that_says_so(
    words: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path))
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "broken_reader.py").write_text("def\n")
    (tmp_path / "raising_reader.py").write_text("import os\n\nos.environ['HOME9']\n")
    session = tmp_path / "some.sluice"
    hostile_sessions.sound(session)
    assert main([word.format(session=session) for word in words]) == 2
    told = capsys.readouterr()
    (line,) = told.err.splitlines()
    assert re.match("sluice: ", line)
    assert message in line


def test_that_a_shell_can_complete_a_line_with_a_word_too_many() -> None:
    command = COMMANDS["measure raw"]
    assert command.make_context("raw", ["word", "--thr"], resilient_parsing=True) is not None
