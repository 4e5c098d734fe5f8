"""The front door tells type checkers and the interpreter the same."""

import ast
from pathlib import Path

import pytest

import core


def told_to_type_checkers() -> set[str]:
    tree = ast.parse(Path(core.__file__).read_text("utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    names: set[str] = set()
    for node in block.body:
        match node:
            case ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name for alias in aliases}
            case ast.Assign(targets=[ast.Name(id=name)]):
                names.add(name)
    return {name for name in names if not name.startswith("_")}


def test_that_type_checkers_and_the_interpreter_know_the_same_names() -> None:
    assert told_to_type_checkers() == set(core.__all__)


@pytest.mark.parametrize("name", core.__all__)
def test_that_every_public_name_is_there(name: str) -> None:
    assert getattr(core, name) is not None
