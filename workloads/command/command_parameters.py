"""The parameters of running any program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core import Value, choice, flag, location, own, real, text
from workloads.command.own_values import kinds_of_own, values_written


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
