"""The gate of all that commands print."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli import terminal

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
