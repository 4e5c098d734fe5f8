"""Presets: programs with the flags that people give them, tried, under a name.

A TOML file each in `resources/programs`, and a user's own in the folder `programs` beside the
sessions; of the same name, the user's own counts.
"""

from __future__ import annotations

import shlex
import shutil
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatch
from functools import partial
from itertools import pairwise
from pathlib import Path

import msgspec

from core.language import Unavailable, UnknownName, UsageError, one_line, tr
from core.measure import resources_folder, sessions_folder
from core.vocabulary import Value

COMMAND = "command"
"""The workload of any program."""
_FOLDER = "programs"
_REST = ("about", "reads", "whole", "package", "usual")
"""Fields that are no parameters."""


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program with its usual flags: values for the parameters of the workload `command`."""

    about: str
    """What it does, in a sentence."""
    run: str
    same: str = "none"
    normalise: str = ""
    prepare: str = ""
    shell: bool = False
    reads: tuple[str, ...] = ()
    """Patterns of the names of files that it reads: `*.bam`."""
    whole: bool = False
    """Whether it reads a folder as a whole; else each run takes the next such file in it."""
    package: str = ""
    """What is to be installed to have the program."""
    usual: bool = False
    """Whether most people run it first on what it reads."""

    @staticmethod
    def names() -> tuple[str, ...]:
        return tuple(sorted({*_files()}))

    @staticmethod
    def named(name: str) -> Preset:
        """Raises UnknownName, and UsageError for a file of the user's own that is none."""
        if (file := _files().get(name)) is None:
            raise UnknownName("preset", name, Preset.names())
        try:
            preset = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Preset)
            if not shlex.split(preset.run):
                raise ValueError(tr("its command is empty"))
        except (OSError, ValueError, msgspec.ValidationError) as error:
            raise UsageError(
                tr("{path} is no preset: {why}", path=file, why=one_line(str(error))),
                tr("write it as those in {folder}", folder=resources_folder() / _FOLDER),
            ) from error
        return preset

    @staticmethod
    def offered(place: Path | None = None) -> tuple[PresetOffer, ...]:
        """All of them: those that read a file of that name first, then those that are installed."""
        return tuple(sorted(map(partial(_offer, place), Preset.names()), key=_rank))

    @property
    def values(self) -> dict[str, Value]:
        """By parameter, without what is as usual."""
        fields = msgspec.structs.fields(self)
        values = {
            one.name: value
            for one in fields
            if one.name not in _REST and (value := getattr(self, one.name)) != one.default
        }
        return values if self.whole else {**values, "reads": " ".join(self.reads)}

    @property
    def program(self) -> str:
        return shlex.split(self.run)[0]

    @property
    def programs(self) -> tuple[str, ...]:
        """All of a pipe."""
        words = shlex.shlex(self.run, posix=True, punctuation_chars="|" if self.shell else "")
        words.whitespace_split = True
        return (self.program, *(after for word, after in pairwise(words) if word == "|"))

    @property
    def installed(self) -> bool:
        return all(map(shutil.which, self.programs))

    @property
    def missing(self) -> Unavailable:
        """Why it cannot be measured where a program of it is not installed."""
        absent = next(one for one in self.programs if not shutil.which(one))
        return Unavailable(
            tr("{program} is not installed", program=absent),
            tr("install {package}", package=self.package or absent),
        )


class PresetOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A preset in a list, also one that cannot be chosen."""

    name: str
    about: str = ""
    run: str = ""
    reads: tuple[str, ...] = ()
    usual: bool = False
    suits: bool = False
    """Whether it reads files named as the data is, and not just any."""
    unavailable: str = ""
    """Why it cannot be chosen: what to install, or what is wrong with its file."""


def _offer(place: Path | None, name: str) -> PresetOffer:
    try:
        preset = Preset.named(name)
    except UsageError as error:  # a file of the user's own
        return PresetOffer(name=name, unavailable=str(error))
    file = place.name.lower() if place is not None else ""
    return PresetOffer(
        name=name,
        about=preset.about,
        run=preset.run,
        reads=preset.reads,
        usual=preset.usual,
        suits=any(one != "*" and fnmatch(file, one) for one in preset.reads),
        unavailable="" if preset.installed else preset.missing.remedy,
    )


def _rank(one: PresetOffer) -> tuple[bool, bool, bool, str]:
    return not one.suits, bool(one.unavailable), not (one.suits and one.usual), one.name


def _files() -> Mapping[str, Path]:
    """By name; in alphabetical order."""
    folders = (resources_folder() / _FOLDER, sessions_folder().parent / _FOLDER)
    return {file.stem: file for folder in folders for file in sorted(folder.glob("*.toml"))}
