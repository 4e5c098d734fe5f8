"""A command line of hyperfine, as a question about the same program.

    HyperfineLine("hyperfine -P threads 1 8 'zstd -T{threads} -k -f file'")

Options are read as hyperfine 1.15 to 1.19 reads them.  What has no counterpart here is in `left`,
and never dropped silently.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from core.language import UsageError, tr
from core.run.presets import COMMAND
from core.vocabulary import EFFORT, THREADS, Axis, Kind, Load, Value, declared, own_kinds, registry

_MOST_VALUES = 1000
_MOST_RUNS = int(EFFORT.repeats.high or 0)
_RESERVED = ("dataset", "each", "out", "n")
"""Names that mean something in a command here, beside those of parameters."""


class _Option(NamedTuple):
    short: str = ""
    values: int = 1
    usual: tuple[str, ...] = ()
    """Values with which it does what is done here anyway."""


_OPTIONS: Mapping[str, _Option] = {
    "warmup": _Option("w"),
    "min-runs": _Option("m"),
    "max-runs": _Option("M"),
    "runs": _Option("r"),
    "setup": _Option("s"),
    "reference": _Option(),
    "reference-name": _Option(),
    "prepare": _Option("p"),
    "conclude": _Option("C"),
    "cleanup": _Option("c"),
    "parameter-scan": _Option("P", 3),
    "parameter-step-size": _Option("D"),
    "parameter-list": _Option("L", 2),
    "style": _Option(),
    "sort": _Option(),
    "shell": _Option("S", usual=("default", "none", "sh", "/bin/sh")),
    "no-shell": _Option("N", 0),
    "ignore-failure": _Option("i", 0),
    "time-unit": _Option("u"),
    "export-asciidoc": _Option(),
    "export-csv": _Option(),
    "export-json": _Option(),
    "export-markdown": _Option(),
    "export-orgmode": _Option(),
    "show-output": _Option("", 0),
    "output": _Option(usual=("null",)),
    "input": _Option(usual=("null",)),
    "command-name": _Option("n"),
}
"""By long name; `-N` has none."""
_SHORT = {option.short: name for name, option in _OPTIONS.items() if option.short}
_TAKEN = frozenset(
    ("warmup", "runs", "reference", "prepare", "conclude", "parameter-scan", "parameter-step-size",
     "parameter-list", "no-shell")
)  # fmt: skip
"""Options that have a counterpart here, whatever their value."""

_FOR_A_SHELL = frozenset("|&;<>$`*?~[]()#!\\\n")
_PLAIN = re.compile(r"(?!-?\d+\.\.-?\d+$)[\w@%+=:./-]+")
"""One word in every shell, and one value in a list."""


class HyperfineLine:
    """What such a line asks: values and axes of the workload `command`, and how many trials."""

    def __init__(self, line: str) -> None:
        """Raises UsageError."""
        try:
            words = shlex.split(line.strip().removeprefix("$ ").replace("\\\n", " "))
        except ValueError as error:
            raise _wrong(tr("a quote is not closed"), tr("close every quote")) from error
        self._given, commands = _read(words[1:])
        scanned = _named([*self._lists(), *self._scans()])
        self._run = _joined([*self._given.get("reference", ()), *commands], scanned)
        self._runs = self._whole("runs", least=1)
        values = self._texts(scanned) | self._load()
        axes = tuple(_axes(scanned, values))
        usual = {kind.name: kind.default for kind in _kinds()}
        self.fields = {"values": usual | values, "axes": axes, **self._effort()}
        """What a request has of it."""

    def _effort(self) -> dict[str, Any]:
        """As many trials as runs are wanted, or as the answer takes."""
        counted = {"repeats": self._runs} if self._runs else {}
        return {**counted, "until_sure": not self._runs, "budget": 0.0}

    @property
    def left(self) -> str:
        """What of it has no counterpart here, in a sentence; empty if all has one."""
        options = [
            " ".join([f"--{name}", *map(shlex.quote, values[-1:])])
            for name, values in self._given.items()
            if name not in _TAKEN and not (values and {*values} <= {*_OPTIONS[name].usual})
        ]
        if self._runs and self._whole("warmup") > 1:
            options.append(tr("--warmup beyond 1 run"))
        if not options:
            return ""
        return tr("Left out, as nothing here does the same: {options}.", options=", ".join(options))

    def _texts(self, scanned: Mapping[str, _Scan]) -> dict[str, Value]:
        """The commands, and whether a shell reads them."""
        texts = {"run": self._run}
        for name in ("prepare", "conclude"):
            several = dict.fromkeys(self._given.get(name, ()))
            if len(several) > 1:
                raise _wrong(
                    tr("--{name} differs between the commands", name=name),
                    tr("measure them one by one, and compare the runs"),
                )
            texts |= dict.fromkeys([name] * len(several), "".join(several))
        bare = "no-shell" in self._given or self._given.get("shell", ())[-1:] == ["none"]
        shell = not bare and not _FOR_A_SHELL.isdisjoint("".join(texts.values()))
        placed = {name: _placed(text, scanned, shell=shell) for name, text in texts.items()}
        for one in scanned.values():  # where it stands first, its values are written
            if (place := "{" + one.name + "}") not in placed["run"]:
                raise _without_place(one.name)
            placed["run"] = placed["run"].replace(place, one.written, 1)
        return {**placed, "shell": shell}

    def _load(self) -> dict[str, Value]:
        """A trial is one run where their number is given."""
        warm_up = self._whole("warmup")
        if self._runs:
            single = {"operations": 1, "duration": 0.0, "warm_up": 0.0}
            return {**single, "warm_up_operations": min(warm_up, 1)}
        return {"warm_up_operations": warm_up} if warm_up else {}

    def _whole(self, name: str, least: int = 0) -> int:
        """A count of runs; 0 where none is given."""
        if name not in self._given:
            return 0
        text = self._given[name][-1]
        if not (text.isascii() and text.isdecimal() and least <= int(text[:9]) <= _MOST_RUNS):
            raise _wrong(
                tr("--{name} is {text}", name=name, text=text),
                tr("give a number from {least} to {most:,}", least=least, most=_MOST_RUNS),
            )
        return int(text)

    def _lists(self) -> Iterator[tuple[str, Sequence[str]]]:
        words = self._given.get("parameter-list", ())
        for name, written in zip(words[::2], words[1::2], strict=True):
            yield name, re.split(r"(?<!\\),", written)

    def _scans(self) -> Iterator[tuple[str, Sequence[str]]]:
        words = self._given.get("parameter-scan", ())
        (step,) = self._given.get("parameter-step-size", ("1",))[-1:]
        for name, low, high in zip(words[::3], words[1::3], words[2::3], strict=True):
            yield name, _scan_values(low, high, step)
        if not words and "parameter-step-size" in self._given:
            raise _wrong(tr("a step needs --parameter-scan"), tr("write -P threads 1 8 -D 1"))


class _Scan(NamedTuple):
    """A parameter of hyperfine: what its placeholder is called here, and its values."""

    name: str
    values: tuple[str, ...]

    @property
    def written(self) -> str:
        """Its placeholder, where it stands first."""
        if self.name == THREADS:
            return "{threads}"
        values = ",".join(self.values)
        if len(self.values) > 1 and self.values == _counted(self.values[0], len(self.values)):
            values = f"{self.values[0]}..{self.values[-1]}"
        return "{" + f"{self.name}:{values}" + "}"


def _counted(first: str, count: int) -> tuple[str, ...]:
    """So many whole numbers from one on; none where it is none."""
    if not first.isdecimal():
        return ()
    return tuple(map(str, range(int(first), int(first) + count)))


def _read(words: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The values of each option, joined where it is given again, and the commands."""
    given: dict[str, list[str]] = {}
    commands: list[str] = []
    left = list(reversed(words))
    while left:
        word = left.pop()
        if word == "--":
            commands += reversed(left)
            break
        if not word.startswith("-") or word == "-" or " " in word.partition("=")[0]:
            commands.append(word)
            continue
        name, attached = _option(word)
        count = _OPTIONS[name].values
        if not count and attached:
            if word.startswith("--"):
                raise _wrong(tr("{option} takes no value", option=f"--{name}"), tr("leave it out"))
            left.append(f"-{attached[0]}")  # as in -Ni
            attached = []
        values = [*attached, *(left.pop() for _ in range(min(count - len(attached), len(left))))]
        if len(values) < count:
            raise _wrong(
                tr("{option} takes {count:,} and has {given:,}", option=word, count=count,
                   given=len(values)),
                tr("write it as in {example}", example="hyperfine -P threads 1 8 'zstd -T{threads} F'"),
            )  # fmt: skip
        given.setdefault(name, []).extend(values)
    return given, commands


def _option(word: str) -> tuple[str, list[str]]:
    """Its long name, and what is attached to it as its value."""
    if word.startswith("--"):
        name, equals, value = word[2:].partition("=")
        attached = [value] if equals and name else []
    else:
        name, value = _SHORT.get(word[1], ""), word[2:]
        attached = [value.removeprefix("=") if name and _OPTIONS[name].values else value]
        attached = attached if value else []
    if name not in _OPTIONS or word.startswith("--no-shell"):
        raise _wrong(
            tr("it has no option {option}", option=word),
            tr("see {command}", command="hyperfine --help"),
        )
    return name, attached


def _scan_values(low: str, high: str, step: str) -> Sequence[str]:
    """From the least to the most, as decimals where one of the three is."""
    if not all(map(_NUMBER.fullmatch, (low, high, step))):
        raise _wrong(
            tr("{text} are no numbers", text=f"{low} {high} {step}"),
            tr("write it as in {example}", example="-P threads 1 8"),
        )
    first, last, by = (Decimal(text) for text in (low, high, step))
    count = (last - first) // by + 1 if by > 0 and first <= last else Decimal(0)
    if not 1 <= count <= _MOST_VALUES:
        raise _wrong(
            tr("from {low} to {high} by {step} are {count:,} values", low=low, high=high, step=step,
               count=int(count)),
            tr("give at most {most:,}, the least first", most=_MOST_VALUES),
        )  # fmt: skip
    return [f"{first + by * number:f}" for number in range(int(count))]


_NUMBER = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,9})?")


def _named(parameters: Iterable[tuple[str, Sequence[str]]]) -> dict[str, _Scan]:
    """By hyperfine's name; a name that means something else here, or is none, is changed."""
    scans: dict[str, _Scan] = {}
    taken = {*_RESERVED, *(kind.name for kind in _kinds())}
    for name, values in parameters:
        if wrong := [value for value in values if not _PLAIN.fullmatch(value)]:
            raise _wrong(
                tr("{name} has the value {value!r}, which would not stay one word", name=name,
                   value=wrong[0]),
                tr("give values of letters and digits, such as {example}", example="-L level 1,9"),
            )  # fmt: skip
        if name in scans:
            raise _wrong(tr("{name} is given twice", name=name), tr("join its values"))
        own = re.sub(r"[^a-z0-9_]", "_", name.lower()) or "_"
        own = own if own[0].isalpha() else f"p{own}"
        if name == THREADS and all(value.isdecimal() and int(value) for value in values):
            own = THREADS
        else:
            while own in taken:
                own += "_"
        taken.add(own)
        scans[name] = _Scan(own, tuple(dict.fromkeys(values)))
    return scans


def _kinds() -> Iterator[Kind]:
    yield from declared(registry.load_workload(COMMAND).parameters)
    yield from declared(Load)


def _joined(commands: Sequence[str], scanned: dict[str, _Scan]) -> str:
    """One command; of several that differ in one word, that word becomes a placeholder."""
    if len(commands) < 2:
        if not "".join(commands).strip():
            raise _wrong(tr("it has no command"), tr("write it in quotes behind the options"))
        return commands[0]
    parts = [re.split(r"(\s+)", command.strip()) for command in commands]
    places = (
        {at for one in parts for at, word in enumerate(one) if word != parts[0][at : at + 1][0]}
        if len({*map(len, parts)}) == 1
        else set()
    )
    words = [one[at] for at in places for one in parts]
    if len(places) != 1 or not all(map(_PLAIN.fullmatch, words)):
        raise _wrong(
            tr("its {count:,} commands differ in more than one word", count=len(commands)),
            tr("measure them one by one, then: {command}", command="compare last~1 last"),
        )
    (at,) = places
    name = "word" if at else "program"
    while name in scanned or name in {one.name for one in scanned.values()}:
        name += "_"
    scanned[name] = _Scan(name, tuple(dict.fromkeys(words)))
    return "".join([*parts[0][:at], "{" + name + "}", *parts[0][at + 1 :]])


def _placed(text: str, scanned: Mapping[str, _Scan], *, shell: bool) -> str:
    """The text with our placeholders; other braces are doubled, and so stay text.

    Raises UsageError where a parameter stands where no placeholder can.
    """

    def put(match: re.Match[str]) -> str:
        one = scanned.get(match[1])
        return "{" + match[0] + "}" if one is None else "{" + one.name + "}"

    def of_word(word: str) -> str:
        return re.sub(r"(?<!\$)\{([^{}]*)\}", put, word)

    for name in scanned:
        if re.search(rf"[{{$]\{{{re.escape(name)}\}}|\{{{re.escape(name)}\}}\}}", text):
            raise _without_place(name)
    placed = of_word(text)
    if shell or "{{" not in placed:
        return placed
    try:  # Braces of two words are none, so each is by itself.
        return shlex.join(map(of_word, shlex.split(text)))
    except ValueError as error:
        raise _wrong(tr("a quote is not closed"), tr("close every quote")) from error


def _without_place(name: str) -> UsageError:
    return _wrong(
        tr("there is no {name} in the command", name="{" + name + "}"),
        tr("write it where the value belongs"),
    )


def _axes(scanned: Mapping[str, _Scan], values: Mapping[str, Value]) -> Iterator[Axis]:
    own = {k.name: k for k in own_kinds(registry.load_workload(COMMAND).parameters, values)}
    for one in scanned.values():
        kind = own.get(one.name)
        read = int if one.name == THREADS else kind.parse if kind else str
        yield Axis(one.name, tuple(read(value) for value in one.values))


def _wrong(why: str, remedy: str) -> UsageError:
    return UsageError(tr("this hyperfine line cannot be read: {why}", why=why), remedy)
