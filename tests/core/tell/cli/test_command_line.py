"""The command line as its users meet it: help, values that nobody means, usage errors, pipes."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import hostile_sessions
import pytest

from core import Context, Job, Workload, secret
from core.language import SluiceError
from core.tell.cli import main, root

ROOT = Path(__file__).parents[4]


@dataclass(frozen=True, kw_only=True)
class KeyedParameters:
    token: str = secret(help="Who asks.")


class Keyed(Workload[KeyedParameters]):
    """A workload that needs a secret; it is never run here."""

    name = "keyed"
    parameters = KeyedParameters
    dataset_kinds = ("files",)

    def open(self, context: Context[KeyedParameters]) -> Job[Any, Any]:
        raise AssertionError("no test runs it")


def commands(
    group: click.Group, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command by its words, groups too."""
    with click.Context(group) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            yield (*path, name), command
            if isinstance(command, click.Group):
                yield from commands(command, (*path, name))


COMMANDS = dict(commands(root))
BAD = (
    "", " ", "nan", "NaN", "inf", "-inf", "1e400", "-1e400", "1e-400", "-0", "-1", "0x10", "1_000", "²",
    "٣", "1" * 5000, "9" * 20, "1e5", "1.5", "1,5", "1s2", "½", "\x1b[2J", "\udcff", "a" * 100_000,
)  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_that_every_command_has_help_with_an_example(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--help"]) == 0
    told = capsys.readouterr()
    assert not told.err
    assert "Example" in told.out
    assert f"python -m core {words[0]}" in told.out.replace("COMMAND", words[0])


@pytest.mark.parametrize("words", [words for words in COMMANDS if len(words) == 1])
def test_that_the_table_of_commands_says_what_the_commands_say(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--help"]) == 0
    assert words[0] in capsys.readouterr().out


def read(command: click.Command, parameter: click.Parameter, written: str) -> object:
    with click.Context(command) as context:
        return parameter.type.convert(written, parameter, context)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_that_every_value_of_every_option_is_read_or_refused(words: tuple[str, ...]) -> None:
    command = COMMANDS[words]
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
        f"{' '.join(words)} {parameter.name}"
        for words, command in COMMANDS.items()
        for parameter in command.get_params(click.Context(command))
        if isinstance(parameter.type, click.types.FloatParamType | click.types.IntParamType)
    }
    assert of_click == set()


RAW = ("measure", "raw", "--dataset", "{data}")
MANY = (*RAW, "threads=1..64", "block-size=4KiB,64KiB,128KiB,1MiB")
SECRET = "hunter2-hunter2"
MISTAKES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("meassure",), "there is no command named 'meassure' (did you mean measure?)"),
    (("measure", "rav"), "there is no workload named 'rav' (did you mean raw?)"),
    (("measure", "no_such_module:Class"), "there is no workload named 'no_such_module:Class'"),
    (("measure", "core.vocabulary.load:Load"), "there is no workload named 'core.vocabulary.load:Load'"),
    ((*RAW, "--thread"), "--thread"),
    ((*RAW, "--speed", "3"), "No such option"),
    ((*RAW, "--threads", "0"), "--threads: 0 is outside 1…1024"),
    ((*RAW, "--threads", "-4"), "--threads: -4 is outside"),
    ((*RAW, "--threads", "four"), "--threads: 'four' is not a whole number"),
    ((*RAW, "--threads", "2000"), "outside"),
    ((*RAW, "--threads", "1,2,4"), "'1,2,4' is not a whole number (write threads=1,2,4)"),
    ((*RAW, "--block-size", "64KiB,1MiB"), "(write block-size=64KiB,1MiB)"),
    ((*RAW, "--page-cache", "warm,cold"), "(write page-cache=warm,cold)"),
    ((*RAW, "--duration", "0,5"), "--duration: '0,5' is not a time such as 5s (write 0.5)"),
    ((*RAW, "--duration", "soon"), "--duration: 'soon' is not a time such as 5s"),
    ((*RAW, "--duration", "-1s"), "--duration: '-1s' is not a time"),
    ((*RAW, "--duration", "1e999"), "--duration"),
    ((*RAW, "--block-size", "lots"), "--block-size"),
    ((*RAW, "--page-cache", "hot"), "--page-cache: 'hot' is not one of as-is, warm, cold"),
    ((*RAW, "--repeats", "0"), "--repeats: 0 is outside 1…1000"),
    ((*RAW, "--repeats"), "--repeats"),
    ((*RAW, "extra"), "extra"),
    (("measure", "raw", "--dataset", "{missing}"), "does not exist"),
    (("measure", "raw", "--dataset", "{empty}"), "{empty}"),
    (("measure", "fasta", "--dataset", "{data}"), "{data}"),
    ((*RAW, "--session", "{data}"), "{data}"),
    ((*RAW, "--session", "{missing}/a.sluice"), "{missing}/a.sluice"),
    ((*RAW, "threads"), "unexpected argument 'threads' (write --threads VALUE)"),
    ((*RAW, "threads="), "'threads=' is not an axis"),
    ((*RAW, "thread=1,2"), "there is no parameter named 'thread' (did you mean threads?)"),
    ((*RAW, "threads=1,x"), "threads: 'x' is not a whole number"),
    ((*RAW, "threads=0,1"), "threads: 0 is outside"),
    ((*RAW, "threads=8..1"), "goes down"),
    ((*RAW, "threads=1", "threads=2"), "an axis is given twice"),
    ((*RAW, "threads=1,2", "--threads", "4"),
     "--threads and the axis threads=… contradict each other (leave one of them out)"),
    ((*RAW, "page-cache=warm,cold", "--page-cache", "warm"), "--page-cache and the axis"),
    ((*RAW, "seed=1,2", "--seed", "3"), "--seed and the axis"),
    ((*MANY, "--threads", "4"), "--threads and the axis"),
    ((*MANY, "--repeats", "3"),
     "a search measures each setting as often as it has to (leave --repeats out, or measure all "
     "combinations with --all)"),
    ((*MANY, "--all", "--near", "0.1"), "--near means nothing here: nothing is searched, all 28"),
    ((*RAW, "threads=1,2", "--most-trials", "9"), "nothing is searched, all 2 combinations"),
    ((*RAW, "threads=1,2", "--why"), "--why means nothing here: it explains one setting"),
    ((*RAW, "--near", "0.1"), "--near means nothing here: one setting is measured"),
    ((*RAW, "threads=4", "--most-memory", "1GiB"), "--most-memory means nothing here: one setting"),
    ((*RAW, "page-cache=hot"), "page_cache: 'hot' is not one of"),
    (("study", "no-such-study"), "no-such-study"),
    (("dataset", "make", "no-such-kind"), "no-such-kind"),
    (("dataset", "show", "{missing}"), "does not exist"),
    (("show", "{missing}.sluice"), "{missing}.sluice"),
    (("show", "{data}"), "{data}"),
    (("export", "{missing}.sluice", "--format", "csv"), "{missing}"),
    (("export", "{missing}.sluice"), "no format is given"),
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
    (("measure", "test_command_line:Keyed", "--dataset", "{data}", "--token", SECRET),
     "--token: this is not a reference to a secret"),
)  # fmt: skip


@pytest.mark.parametrize(("words", "message"), MISTAKES, ids=range(len(MISTAKES)))
def test_that_a_mistake_is_one_line_and_exit_code_2(
    words: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path / "sessions"))
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    names = {"data": "data", "empty": "empty", "missing": "missing", "session": "some.sluice"}
    places = {name: str(tmp_path / file) for name, file in names.items()}
    hostile_sessions.sound(tmp_path / "some.sluice")
    (tmp_path / "broken_reader.py").write_text("def\n")
    (tmp_path / "raising_reader.py").write_text("import os\n\nos.environ['HOME9']\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "some.bin").write_bytes(b"\0\1\2" * 1000)
    (tmp_path / "empty").mkdir()
    assert main([word.format(**places) for word in words]) == 2
    told = capsys.readouterr()
    assert not told.out
    (line,) = told.err.splitlines()
    assert line.startswith("sluice: ")
    assert message.format(**places) in line
    assert SECRET not in line
    assert not (tmp_path / "sessions").exists()  # it was refused before anything was made


def shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", script],
        cwd=ROOT,
        env=os.environ | {"SLUICE_SESSIONS": str(folder), "SLUICE_CACHE": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", ["list", "--help", "measure raw --help", "studies"])
def test_that_a_closed_pipe_is_no_error(command: str, tmp_path: Path) -> None:
    told = shell(f"{sys.executable} -m core {command} | true", tmp_path)
    assert not told.stderr


def test_that_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Commands:" in capsys.readouterr().out


def test_that_a_shell_can_complete_a_line_with_a_word_too_many() -> None:
    command = COMMANDS["measure", "raw"]
    assert command.make_context("raw", ["word", "--thr"], resilient_parsing=True) is not None
