"""Presets: programs with the flags that people give them, tried, under a name.

A TOML file each in `resources/programs`, and a user's own in the folder `programs` beside the
sessions; of the same name, the user's own counts.
"""

from __future__ import annotations

import shlex
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from core.language import Unavailable, UnknownName, UsageError, one_line, tr
from core.measure import resources_folder, sessions_folder
from core.vocabulary import Value

COMMAND = "command"
"""The workload of any program."""
_FOLDER = "programs"
_REST = ("about", "reads", "whole", "package")
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
    def installed(self) -> bool:
        return shutil.which(self.program) is not None

    @property
    def missing(self) -> Unavailable:
        """Why it cannot be measured where its program is not installed."""
        return Unavailable(
            tr("{program} is not installed", program=self.program),
            tr("install {package}", package=self.package or self.program),
        )


def _files() -> Mapping[str, Path]:
    """By name; in alphabetical order."""
    folders = (resources_folder() / _FOLDER, sessions_folder().parent / _FOLDER)
    return {file.stem: file for folder in folders for file in sorted(folder.glob("*.toml"))}
