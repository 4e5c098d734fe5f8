"""What is changed in the product: one place at a time, as a slip of the hand would."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_FLIPPED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
_SYMMETRIC = ("min", "max", "isinstance")
"""What takes its arguments in any order, or fails wherever it is called with another."""


@dataclass(frozen=True)
class Mutant:
    """One place of one file, and what it becomes."""

    path: str
    kind: str
    lines: tuple[int, ...]
    """Those of which one is run where the place is: of its statement, and its own."""
    once: bool
    """Whether it is run when its module is imported, and so by all tests that need the module."""
    start: int
    end: int
    """Offsets in the file, in bytes."""
    before: str
    after: str

    @property
    def room(self) -> str:
        """`core/judge` of `core/judge/fit/law.py`."""
        return "/".join(self.path.split("/")[:-1][:2])

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """Every place of a file that can be changed."""
    return list(_Places(path, source).below(ast.parse(source), None, False))


class _Places:
    def __init__(self, path: str, source: bytes) -> None:
        self._path, self._source = path, source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def below(self, node: ast.AST, around: ast.stmt | None, inside: bool) -> Iterator[Mutant]:
        """Those of a node's children; `around` is their statement, `inside` a function's body."""
        for name, value in ast.iter_fields(node):
            # What is declared decides nothing at run time, nor does the form of an f-string.
            if name in ("annotation", "returns", "decorator_list") or (
                isinstance(node, ast.JoinedStr | ast.ClassDef) and name != "body"
            ):
                continue
            body = inside or (isinstance(node, ast.FunctionDef) and name == "body")
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                    continue
                if isinstance(child, ast.AST):
                    statement = child if isinstance(child, ast.stmt) else around
                    yield from self._of(child, statement, body)
                    yield from self.below(child, statement, body)

    def _of(self, node: ast.AST, around: ast.stmt | None, inside: bool) -> Iterator[Mutant]:
        if around is None or not isinstance(node, ast.expr | ast.stmt):
            return
        for kind, after in _changes(node):
            start = self._starts[node.lineno - 1] + node.col_offset
            end = self._starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            before = self._source[start:end].decode()
            lines = tuple(sorted({around.lineno, node.lineno}))
            yield Mutant(self._path, kind, lines, not inside, start, end, before, after)


def _changes(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _FLIPPED:
            for other in _FLIPPED[type(operator)]:
                changed = copy.deepcopy(node)
                changed.ops = [other()]
                yield "comparison flipped", f"({ast.unparse(changed)})"
        case ast.Constant(value=bool(value)):
            yield "constant changed", str(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield "constant changed", str(value + 1)
        case ast.Call(func=function, args=[first, second, *_]) if (
            ast.unparse(function) not in _SYMMETRIC
            and not isinstance(first, ast.Starred)
            and not isinstance(second, ast.Starred)
            and ast.dump(first) != ast.dump(second)
        ):
            changed = copy.deepcopy(node)
            changed.args[:2] = [second, first]
            yield "argument exchanged", ast.unparse(changed)
        case ast.Raise():
            yield "exception swallowed", "pass"
        case (
            ast.Expr(value=ast.Call() | ast.Await())
            | ast.AugAssign()
            | ast.Delete()
            | ast.Continue()
            | ast.Break()
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
        ):
            yield "line dropped", "pass"
