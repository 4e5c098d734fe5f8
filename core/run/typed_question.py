"""What somebody types on the start page: a path, an address, a command, or a hyperfine line."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, override

from core.language import UsageError, tr
from core.measure import expanded
from core.run.first_question import COUNTS
from core.run.presets import COMMAND
from core.vocabulary import THREADS, Axis, Value

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.ASCII)
_TAKEN = ("s3://", "synapse://")
"""Addresses that a transfer takes."""
_FOR_A_SHELL = frozenset("|&;<>$`*?")


class Typed:
    """Either a place to look at, or the values of a question of a workload."""

    def __init__(self, text: str) -> None:
        """Raises UsageError for what is neither."""
        self.place: Path | None = None
        self.workload = COMMAND
        self.values: dict[str, Value] = {}
        self.axes: tuple[Axis, ...] = ()
        place = expanded(text.strip())
        if _is_place(place, text.strip()):
            self.place = place
        elif _ADDRESS.match(text.strip()):
            self._take_address(text.strip())
        elif text.split()[:1] == ["hyperfine"]:
            self._take_hyperfine(text)
        else:
            self.values = {"run": text.strip(), **_shell(text)}
            if "{threads}" in text:
                self.axes = (Axis(THREADS, COUNTS),)

    def _take_address(self, address: str) -> None:
        if not address.startswith(_TAKEN):
            raise UsageError(
                tr("{address} cannot be measured", address=address),
                tr("type a path, an s3:// or synapse:// address, or a command"),
            )
        self.workload = "transfer"
        client = "boto3" if address.startswith("s3:") else "synapse-sync"
        self.values = {"address": address, "client": client}

    def _take_hyperfine(self, line: str) -> None:
        """As hyperfine reads it; its scans become axes of the same names."""
        flags, others = _Options.parse(line)
        commands = [word for word in others if not word.startswith("-")]
        if len(commands) != 1:
            raise UsageError(
                tr("this line has {count} commands, and one is measured", count=len(commands)),
                tr("write what differs as a placeholder, such as {example}", example="{level:1,9}"),
            )
        (run,) = commands
        for name, *values in [*map(_scanned, flags.scan), *map(_listed, flags.list)]:
            if name == THREADS:
                self.axes += (Axis(name, tuple(map(int, values))),)
                continue
            allowed: tuple[Value, ...] = tuple(values)
            written = ",".join(values)
            if _without_gap(values):
                written, allowed = f"{values[0]}..{values[-1]}", tuple(map(int, values))
            run = run.replace("{" + name + "}", "{" + f"{name}:{written}" + "}")
            self.axes += (Axis(name, allowed),)
        own = {"prepare": flags.prepare, "conclude": flags.cleanup}
        self.values = {"run": run} | {name: one for name, one in own.items() if one}
        self.values |= (
            {} if flags.shell == "none" else _shell(" ".join(map(str, self.values)) + run)
        )


def _is_place(place: Path, text: str) -> bool:
    if place.exists():
        return True
    return text.startswith(("/", "~", "./", "../")) and " " not in text and "{" not in text


def _shell(command: str) -> dict[str, Value]:
    """Commands are read by a shell where they use one."""
    return {"shell": True} if _FOR_A_SHELL & set(command) else {}


class _Options(argparse.ArgumentParser):
    """The options of hyperfine that mean something here; others are left out."""

    @staticmethod
    def parse(line: str) -> tuple[argparse.Namespace, list[str]]:
        options = _Options(add_help=False, allow_abbrev=False)
        options.add_argument("-P", "--parameter-scan", dest="scan", nargs=3, action="append")
        options.add_argument("-D", "--parameter-step-size", dest="step", default="1")
        options.add_argument("-L", "--parameter-list", dest="list", nargs=2, action="append")
        options.add_argument("-p", "--prepare", default="")
        options.add_argument("-c", "--cleanup", default="")
        options.add_argument("-S", "--shell", default="")
        options.add_argument("-N", dest="shell", action="store_const", const="none")
        for one in ("-w", "-r", "-m", "-M", "-s", "-C", "-n", "-u", "--export-json", "--export-csv",
                    "--export-markdown", "--warmup", "--runs", "--min-runs", "--max-runs",
                    "--setup", "--conclude", "--command-name", "--style", "--time-unit",
                    "--output", "--input", "--sort"):  # fmt: skip
            options.add_argument(one)
        try:
            words = shlex.split(line)[1:]
        except ValueError as error:
            raise UsageError(tr("this line cannot be read"), str(error)) from error
        options_found, others = options.parse_known_args(words)
        options_found.scan = [(*scan, options_found.step) for scan in options_found.scan or ()]
        options_found.list = options_found.list or []
        return options_found, others

    @override
    def error(self, message: str) -> NoReturn:
        raise UsageError(tr("this line cannot be read"), message)


def _scanned(scan: Sequence[str]) -> tuple[str, ...]:
    """The name and the values of `-P name low high` with their step."""
    name, low, high, step = scan
    try:
        first, last, by = float(low), float(high), float(step)
        count = int((last - first) / by + 1e-9)
    except (ValueError, ZeroDivisionError) as error:
        raise UsageError(tr("this line cannot be read"), str(error)) from error
    return name, *(f"{first + by * place:g}" for place in range(max(count, 0) + 1))


def _listed(pair: Sequence[str]) -> tuple[str, ...]:
    name, values = pair
    return name, *values.split(",")


def _without_gap(values: Sequence[str]) -> bool:
    if len(values) < 2 or not all(value.isdecimal() for value in values):
        return False
    return [*map(int, values)] == [*range(int(values[0]), int(values[0]) + len(values))]
