"""Makes invisible characters in text from outside visible.

Such text can hold control characters, and bidirectional overrides that make one name look like
another.  This module imports no other, because it reports faults in all of them.
"""

from __future__ import annotations

import re

INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
"""Characters that show nothing, move what follows, or steer a terminal."""


def one_line(text: str) -> str:
    r"""The text with every invisible character as an escape: `a\x1b[31m`, `\u202e`, `\n`."""
    return INVISIBLE.sub(lambda found: _spelled(found[0]), text)


def several_lines(text: str) -> str:
    """The text with every invisible character as an escape, but for the ends of its lines."""
    return "\n".join(map(one_line, text.split("\n")))


def escaped_json(encoded: bytes) -> bytes:
    """The same JSON, with every invisible character as an escape; they occur only in strings."""
    return INVISIBLE.sub(lambda found: _json_escape(found[0]), encoded.decode()).encode()


def _json_escape(letter: str) -> str:
    units = letter.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _spelled(letter: str) -> str:
    return letter.encode("unicode_escape", "backslashreplace").decode()
