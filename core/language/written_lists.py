"""Lists as people type them: values behind commas, in which quotes keep a comma.

A command line has commas of its own: `run="cut -f1,2 {dataset}",cat {dataset}` are two programs.
"""

from __future__ import annotations

import re

_QUOTED = r"""(?<![\w\\])(?:"(?:[^"\\]|\\.)*"|'[^']*')"""
"""A quote behind a letter is an apostrophe; one that is never closed is a letter like any other."""
_QUOTED_OR_COMMA = re.compile(rf"{_QUOTED}|(?P<comma>,)", re.DOTALL)
_ALL_QUOTED = re.compile(_QUOTED, re.DOTALL)


def parted(written: str, before: str = "") -> list[str]:
    """The texts between commas that no quotes hold.

    `before`: only a comma before this pattern separates.
    """
    found: list[str] = []
    begin = 0
    for match in _QUOTED_OR_COMMA.finditer(written):
        if match["comma"] and re.compile(before).match(written, match.end()):
            found.append(written[begin : match.start()])
            begin = match.end()
    return [*found, written[begin:]]


def split_values(written: str) -> list[str]:
    """The values of a list, `unquoted`."""
    return list(map(unquoted, parted(written)))


def unquoted(written: str) -> str:
    """The value of such a text: without quotes around all of it, if they are there for a comma.

    Other quotes are the value's own, as in `"my program"`.
    """
    if "," not in written or not _ALL_QUOTED.fullmatch(written):
        return written
    inside = written[1:-1]
    return re.sub(r"\\(.)", r"\1", inside, flags=re.DOTALL) if written[0] == '"' else inside


def listed(value: str) -> str:
    """The value as it stands in a list; `split_values` returns exactly the same value."""
    if split_values(value) == [value]:
        return value
    return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
