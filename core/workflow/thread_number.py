"""Which number in the command of a step is its number of threads."""

from __future__ import annotations

import re

PLACEHOLDER = "{threads}"
_NUMBER = re.compile(r"([0-9]+)")


def template_of(command: str, other: str, threads: tuple[int, int]) -> str | None:
    """The command with `{threads}`, by what it is with two numbers; None if more than it changes.

    Without the placeholder if nothing changes.
    """
    parts, others = _NUMBER.split(command), _NUMBER.split(other)
    numbers = tuple(str(number) for number in threads)
    if parts[::2] != others[::2]:
        return None
    changed = [at for at, part in enumerate(parts) if part != others[at]]
    if PLACEHOLDER in command or any((parts[at], others[at]) != numbers for at in changed):
        return None
    return "".join(PLACEHOLDER if at in changed else part for at, part in enumerate(parts))


def threads_of(command: str, template: str) -> int | None:
    """The number that the template has in that command; None if it is not of this template."""
    before, *rest = (re.escape(part) for part in template.split(PLACEHOLDER))
    if not rest:
        return None
    pattern = before + "(?P<threads>[0-9]+)" + "(?P=threads)".join(rest)
    match = re.fullmatch(pattern, command, re.DOTALL)
    return int(match["threads"]) if match else None


_FLAG = re.compile(
    r"(?<!\S)(?:-[@tpTjPw]|--?(?:threads?|cpus?|cores|parallel|jobs|n?threads|num[_-]threads|"
    r"workers?|runThreadN|processes))[ =]*(?P<number>[0-9]+)(?![\w.])"
)
"""Usual flags for threads, each with its number."""


def threads_at_flags(command: str) -> int | None:
    """The number at the usual flags, if they all have the same one."""
    numbers = {int(match["number"]) for match in _FLAG.finditer(command)}
    return numbers.pop() if len(numbers) == 1 else None


def guessed_template(command: str, threads: int) -> str | None:
    """The command with `{threads}` where usual flags have that number.

    Without the placeholder if the number is nowhere; None if it stands elsewhere as a word, too.
    """
    flags = [match for match in _FLAG.finditer(command) if int(match["number"]) == threads]
    words = {match.start() for match in re.finditer(rf"(?<![\w.]){threads}(?![\w.])", command)}
    if PLACEHOLDER in command or words - {match.start("number") for match in flags}:
        return None
    template, end = "", 0
    for match in flags:
        template += command[end : match.start("number")] + PLACEHOLDER
        end = match.end("number")
    return template + command[end:]
