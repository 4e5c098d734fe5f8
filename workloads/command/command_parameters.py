"""The parameters of running any program, and the commands of a spec, read once."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise, product
from math import comb
from pathlib import Path

from core import (
    Choice,
    Integer,
    InvalidParameter,
    Kind,
    Load,
    Option,
    Text,
    UsageError,
    Value,
    choice,
    flag,
    listed,
    location,
    own,
    real,
    text,
    tr,
    values_of,
)
from workloads.command.placeholders import MOST_VALUES, values_in
from workloads.command.template import SETS_VARIABLE, Template


def kinds_of_own(values: Mapping[str, Value]) -> tuple[Kind, ...]:
    """A parameter for each own placeholder; none where the command cannot be read."""
    return _kinds(str(values["run"]), bool(values["shell"]))


_WHOLE = re.compile(r"0|-?[1-9]\d{0,15}", re.ASCII)


@lru_cache(maxsize=256)
def _kinds(run: str, shell: bool) -> tuple[Kind, ...]:
    try:
        placeholders = Template(run, shell=shell).own
    except InvalidParameter:
        return ()
    return tuple(_kind(name, allowed) for name, allowed in placeholders.items())


@lru_cache(maxsize=256)
def names_of(run: str, *, shell: bool) -> frozenset[str]:
    """All placeholders of a command; none where it cannot be read."""
    try:
        return Template(run, shell=shell).names
    except InvalidParameter:
        return frozenset()


def _kind(name: str, allowed: tuple[str, ...]) -> Kind:
    """Whole numbers without a gap, one of a few values, or any text."""
    meaning = tr("Stands in the command as {name}.", name="{" + name + "}")
    if not allowed:
        return Text(name=name, default="", help=meaning)
    numbers = [int(value) for value in allowed if _WHOLE.fullmatch(value)]
    if len(numbers) == len(allowed) > 1 and max(numbers) - min(numbers) < len(numbers):
        low, high = min(numbers), max(numbers)
        return Integer(name=name, default=numbers[0], low=low, high=high, help=meaning)
    options = {value: Option(help=meaning) for value in allowed}
    return Choice(name=name, default=allowed[0], options=options, help=meaning)


def values_written(written: str) -> Mapping[str, str]:
    """The values in `level=3 memory=256M`; raises InvalidParameter."""
    try:
        words = shlex.split(written)
    except ValueError as error:
        raise _not_values(written) from error
    values: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value or name in values:
            raise _not_values(written)
        values[name] = value
    return values


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
    reads: str = text(
        "",
        help="Patterns of names, such as *.fq.gz *.fastq: where the dataset is a folder, each run takes the next such file in it as {dataset} or {each}. Empty = {dataset} is the folder.",
    )
    same: str = choice(
        "none",
        options={
            "none": "Nothing: only the exit code judges.",
            "stdout": "What it writes to stdout.",
            "files": "The files in {out}.",
            "all": "What it writes to stdout, and the files in {out}.",
        },
        title="Same output in each run",
        help="Output that each run is compared with: what the fewest threads put out, twice before the clock. A run whose output has other content counts as wrong; how blocks are compressed, and dates and command lines in the headers of SAM, VCF and archives, are no content.",
    )
    expect: str = text(
        "",
        pattern="([0-9a-f]{64})?",
        help="SHA-256 of the only file in {out}, or of stdout where the command has no {out}; empty = not known.",
    )
    normalise: str = text(
        "",
        help="Filter for what is compared, each file by itself, such as gzip -dc | sort. What a format is known to hold beside its content, such as the command line in a BAM file, needs none.",
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


_BEFORE = ("env", "exec")
_OTHERS = ("prepare", "check", "conclude")


@dataclass(frozen=True)
class CommandTemplates:
    """The commands as templates, with the values of own placeholders."""

    run: Template
    others: Mapping[str, Template]
    """Those of `prepare`, `check` and `conclude` that there are."""
    own: Mapping[str, str]


def commands_of(parameters: CommandParameters) -> CommandTemplates:
    """What the parameters ask for; raises InvalidParameter."""
    shell = parameters.shell
    run = Template(parameters.run, shell=shell)
    for name in run.own:
        if name in taken_names():
            raise InvalidParameter(
                "run",
                tr("{name} is the name of a parameter", name="{" + name + "}"),
                tr("name the placeholder otherwise"),
            )
    own = dict(run.complete({name: str(value) for name, value in parameters.own.items()}))
    others: dict[str, Template] = {}
    for name in _OTHERS:
        if written := getattr(parameters, name).strip():
            others[name] = template = Template(written, shell=shell, parameter=name)
            chosen = {key: value for key, value in own.items() if key in template.own}
            own |= template.complete(chosen)
    _require_output(parameters, run)
    _require_references(parameters.secrets)
    return CommandTemplates(run, others, own)


def first_program(parameters: CommandParameters) -> str:
    """The program that the command begins with, behind variables that it sets; else empty."""
    try:
        words = shlex.split(parameters.run)
    except ValueError:
        return ""
    for word in words:
        if word not in _BEFORE and not SETS_VARIABLE.fullmatch(word):
            return "" if "{" in word or shutil.which(word) is None else word
    return ""


def require_program(
    template: Template, parameter: str = "run", own: Mapping[str, str] | None = None
) -> None:
    """Raise InvalidParameter unless the program is there and may be run.

    `own`: values of own placeholders, which its name may have.
    """
    program = template.program_with(own or {})
    if "{" in program or shutil.which(program) is not None:
        return
    path = Path(program)
    if "/" not in program:
        cause = tr("no program is named {program}", program=program)
        remedy = tr(
            'install it, or give its path; among several commands one with a comma needs quotes: run="cut -f1,2 x",cat x'
        )
    elif path.is_dir():
        cause, remedy = tr("{program} is a folder", program=program), tr("name a program in it")
    elif path.exists():
        cause = tr("{program} may not be executed", program=program)
        remedy = tr("run chmod +x on it, or name its interpreter before it")
    else:
        cause, remedy = tr("there is no {program}", program=program), tr("check the path")
    raise InvalidParameter(parameter, cause, remedy)


@cache
def taken_names() -> frozenset[str]:
    """Names of parameters, which no placeholder of a user's own can have."""
    return frozenset({**values_of(CommandParameters()), **values_of(Load())})


def joined_axes(axes: Mapping[str, str]) -> str:
    """The values of the axis `values` that axes of own placeholders stand for, all combinations.

    `axes`: what was written behind each name, such as `1..9` or `256M,1G`; behind a sum of names,
    such as `a+b`, what they are together.  Raises UsageError and InvalidParameter.
    """
    return ",".join(
        listed(" ".join(f"{name}={shlex.quote(value)}" for one in chosen for name, value in one))
        for chosen in product(*(_choices(name.split("+"), axes[name]) for name in axes))
    )


def written_axes(own: Mapping[str, str], *, search: bool) -> Sequence[str]:
    """The axes of own placeholders, with their ranges and splits written out."""
    together = own if search and len(own) > 1 else {name: own[name] for name in own if "+" in name}
    return [
        *([f"values={joined_axes(together)}"] if together else []),
        *(
            f"{name}={','.join(map(listed, values_in(own[name], name)))}"
            for name in own
            if name not in together
        ),
    ]


type _Chosen = Sequence[tuple[str, str]]
"""Names, each with its value."""


def _choices(names: Sequence[str], written: str) -> list[_Chosen]:
    values = values_in(written, "+".join(names))
    if len(names) == 1:
        return [((names[0], value),) for value in values]
    if taken := sorted(taken_names().intersection(names)):
        raise UsageError(
            tr("{name} is the name of a parameter", name=taken[0]),
            tr("a sum is of placeholders of your own: write {example}", example="-t {a}, a+b=4"),
        )
    return [split for value in values for split in _splits(names, value)]


def _splits(names: Sequence[str], total: str) -> Iterator[_Chosen]:
    """Every way to share out a number, of which each name has one at least."""
    most = int(total) if _WHOLE.fullmatch(total) else 0
    if most < len(names) or comb(most - 1, len(names) - 1) > MOST_VALUES:
        raise UsageError(
            tr("{total} cannot be shared out between {names}", total=total, names=", ".join(names)),
            tr(
                "give a whole number, at least 1 for each, of which there are at most {most:,} splits: {example}",
                most=MOST_VALUES,
                example="+".join(names) + "=8",
            ),
        )
    for cuts in combinations(range(1, most), len(names) - 1):
        bounds = (0, *cuts, most)
        yield [
            (name, str(end - begin))
            for name, (begin, end) in zip(names, pairwise(bounds), strict=True)
        ]


def _require_output(parameters: CommandParameters, run: Template) -> None:
    """Files can only be compared where there are some, and with one digest where all are alike."""
    if "each" in run.names and parameters.expect:
        raise InvalidParameter(
            "expect",
            tr("with {each} each run has another file, and so other output", each="{each}"),
            tr("compare the runs of each file: --same, or judge each by a command: --check"),
        )
    reads_stdout = parameters.same == "stdout" or bool(parameters.expect)
    for name, is_needed in (
        ("same", parameters.same in {"files", "all"}),
        ("normalise", bool(parameters.normalise.strip()) and not reads_stdout),
    ):
        if is_needed and "out" not in run.names:
            raise InvalidParameter(
                name,
                tr("the command writes no files into {out}", out="{out}"),
                tr("write {out} where its output goes", out="{out}"),
            )


def _require_references(secrets: str) -> None:
    """Never repeats what was given: it may be a secret."""
    if not all(re.fullmatch(r"env:[A-Za-z_][A-Za-z0-9_]*", one) for one in secrets.split()):
        raise InvalidParameter(
            "secrets",
            tr("this is not a list of references to secrets"),
            tr("give env:NAME for each variable, never the secret itself"),
        )
