"""The parameters of running any program."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from core import (
    Choice,
    Integer,
    InvalidParameter,
    Kind,
    Option,
    Text,
    Value,
    choice,
    flag,
    location,
    own,
    real,
    text,
    tr,
)
from workloads.command.template import Template


def kinds_of_own(values: Mapping[str, Value]) -> tuple[Kind, ...]:
    """A parameter for each own placeholder; none where the command cannot be read."""
    return _kinds(str(values["run"]), bool(values["shell"]))


@lru_cache(maxsize=256)
def _kinds(run: str, shell: bool) -> tuple[Kind, ...]:
    try:
        placeholders = Template(run, shell=shell).own
    except InvalidParameter:
        return ()
    return tuple(_kind(name, allowed) for name, allowed in placeholders.items())


def _kind(name: str, allowed: tuple[str, ...]) -> Kind:
    """Whole numbers without a gap, one of a few values, or any text."""
    told = tr("Stands in the command as {name}.", name="{" + name + "}")
    if not allowed:
        return Text(name=name, default="", help=told)
    numbers = sorted(int(value) for value in allowed if value.lstrip("-").isdecimal())
    low, high = (numbers[0], numbers[-1]) if numbers else (0, 0)
    if len(allowed) > 1 and set(allowed) == {str(one) for one in range(low, high + 1)}:
        return Integer(name=name, default=int(allowed[0]), low=low, high=high, help=told)
    options = {value: Option(help=told) for value in allowed}
    return Choice(name=name, default=allowed[0], options=options, help=told)


def values_written(written: str) -> Mapping[str, str]:
    """The values in `level=3 memory=256M`; raises InvalidParameter."""
    try:
        words = shlex.split(written)
    except ValueError as error:
        raise _not_values(written) from error
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value or name in found:
            raise _not_values(written)
        found[name] = value
    return found


def _not_values(written: str) -> InvalidParameter:
    return InvalidParameter(
        "values",
        tr("{written!r} gives no values", written=written),
        tr("write each name once, as in level=3 memory=256M"),
    )


@dataclass(frozen=True, kw_only=True)
class CommandParameters:
    """What is run, what its output is held against, and what is done around it."""

    run: str = text(
        "cp -R {dataset} {out}/copy",
        help="The command, with {threads}, {dataset}, {each} (the next file of that folder or list), {out} (a fresh folder for each run), {n} (its number), {seed} and own placeholders such as {level:1..9}, also computed, such as {32/threads}M. It is split once, so no value needs quotes; without {threads} the threads are how many run at once.",
    )
    values: str = text(
        "",
        help="Values of own placeholders, such as level=3 memory={32/threads}M; as an axis, level=1..9.",
    )
    shell: bool = flag(
        False,
        help="Have a shell read the commands: /bin/sh, or bash for a pipe, where each of its programs counts. Values stay single words.",
    )
    same: str = choice(
        "none",
        options={
            "none": "Nothing: only the exit code judges.",
            "stdout": "What it writes to stdout.",
            "files": "The files in {out}.",
            "all": "What it writes to stdout, and the files in {out}.",
        },
        help="Output that must be the same as with the fewest threads. Sluice makes that output twice before the clock.",
    )
    expect: str = text(
        "",
        pattern="([0-9a-f]{64})?",
        help="SHA-256 of the only file in {out}, or of stdout where the command has no {out}; empty = not known.",
    )
    normalise: str = text(
        "",
        help="Filter for each file in {out} before it is compared, such as gzip -dc | sort. It leaves out dates and command lines.",
    )
    check: str = text(
        "", help="Command whose exit code judges a run, with the same placeholders; 0 is right."
    )
    prepare: str = text("", help="Command before each run, outside the clock.")
    conclude: str = text("", help="Command after each run, outside the clock.")
    folder: str = location(
        "", help="Folder on the disk that {out} is made in; empty = one in the cache."
    )
    timeout: float = real(
        0.0, low=0, high=7 * 86_400, unit="seconds", help="Longest time of a run; 0 = any."
    )
    idle: float = real(
        0.0,
        low=0,
        high=86_400,
        unit="seconds",
        help="A run that neither computes, reads nor writes for this long is ended as stalled. 0 = never.",
    )
    version_by: str = text(
        "--version",
        help="Argument with which the program prints its version; Sluice asks once. Empty = it does not ask.",
    )
    secrets: str = text(
        "",
        help="Secrets in the program's environment, such as env:TOKEN. Sluice leaves them out of everything that the program prints.",
    )
    own: Mapping[str, Value] = own(kinds=kinds_of_own, written="values", read=values_written)
    """The values of own placeholders, which are parameters of their own."""
