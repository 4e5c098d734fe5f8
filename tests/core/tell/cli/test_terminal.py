"""The gate of all that commands print, and what stands below a table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import building
import pytest

from core.judge import load_study
from core.tell.cli import terminal
from core.tell.cli.terminal_results import print_results, print_study

COMMANDS = Path(terminal.__file__).parent
PRINTING = {
    "click.echo",
    "click.secho",
    "click.style",
    "click.echo_via_pager",
    "print",
    "rich.console.Console",
    "rich.print",
    "sys.stdout",
    "sys.stderr",
}


def names_in(tree: ast.AST) -> Iterator[str]:
    """The dotted names that a module uses or imports."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                yield f"{owner}.{name}"
            case ast.Call(func=ast.Name(id=name)):
                yield name
            case ast.ImportFrom(module=module, names=names):
                yield from (f"{module}.{one.name}" for one in names)
            case _:
                pass


@pytest.mark.quick
@pytest.mark.parametrize("path", sorted(COMMANDS.glob("*.py")), ids=lambda path: path.stem)
def test_that_only_the_gate_writes_to_a_terminal(path: Path) -> None:
    used = PRINTING & set(names_in(ast.parse(path.read_text("utf-8"))))
    if path.name == "terminal.py":
        assert used
    else:
        assert not used


def test_that_a_line_stays_one_line_and_shows_what_it_hides(
    capsys: pytest.CaptureFixture[str],
) -> None:
    terminal.say("a\x1b[2Jb\nc\u202ed")
    terminal.say_on_stderr("a\x9b31mb\r\nc")
    told = capsys.readouterr()
    assert told.out == "a\\x1b[2Jb\\nc\\u202ed\n"
    assert told.err == "a\\x9b31mb\\r\\nc\n"


def test_that_json_means_the_same_and_holds_no_invisible_letter(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    text = "a\x1b[2J\x9b\u202e\U000e0041"
    terminal.print_json({"text": text})
    told = capsysbinary.readouterr().out
    assert told.isascii()
    import msgspec

    assert msgspec.json.decode(told) == {"text": text}


def test_that_a_table_takes_no_markup_and_draws_what_it_hides(
    capsys: pytest.CaptureFixture[str],
) -> None:
    terminal.console(width=60).print("[bold]a[/] :smile: \x1b[2J")
    assert capsys.readouterr().out == "[bold]a[/] :smile: \\x1b[2J\n"


@pytest.mark.parametrize("workload", ["raw", "fasta"])
def test_that_a_remark_says_which_of_several_results_it_is_about(
    workload: str, capsys: pytest.CaptureFixture[str]
) -> None:
    results = [
        building.result(
            spec, [building.trial(spec, notes=(f"a remark {spec.load.threads}", "of all"))]
        )
        for spec in (building.spec(workload, threads=threads) for threads in (1, 2))
    ]
    print_results(results)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "a remark" in line or "of all" in line] == [
        "of all",
        "1 thread: a remark 1",
        "2 threads: a remark 2",
    ]


def test_that_bare_files_beside_a_finished_study_leave_nothing_to_be_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    measured = building.study_of_costs()
    bare = building.good(building.spec("raw", parameters={}), 100.0, 101.0)
    print_study(load_study("svfs-threads"), [*measured, bare])
    assert "so far" not in capsys.readouterr().out
    print_study(load_study("svfs-threads"), measured)
    assert "so far" not in capsys.readouterr().out
