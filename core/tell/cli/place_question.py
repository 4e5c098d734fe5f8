"""`measure PLACE`: a file, a folder or an address in place of a workload."""

from __future__ import annotations

import shlex

import msgspec

from core.measure import expanded, program_here
from core.run import Request, arguments
from core.tell.cli.terminal import say_on_stderr
from core.vocabulary import registry


def question_of_place(words: list[str]) -> list[str]:
    """The first question about the first word, as words of a command; those behind it count more.

    The words as they are where the first one is a workload all the same.  Raises DatasetError, and
    UsageError for an address that nothing reads.
    """
    name, *more = words
    if name in registry.workloads() or Request.is_hyperfine(name):
        return words
    place = name if Request.is_address(name) else expanded(name)
    question, _ = Request.dropped([place], Request())
    names = {word.partition("=")[0].removeprefix("--").replace("-", "_") for word in more}
    values = {name: value for name, value in question.values.items() if name not in names}
    axes = tuple(axis for axis in question.axes if axis.name not in names)
    question = msgspec.structs.replace(question, values=values, axes=axes, until_sure=True)
    command = [*arguments(question), *more]
    say_on_stderr(shlex.join([*program_here(), *command]))
    return command[1:]
