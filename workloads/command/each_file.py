"""The files of a folder or a list, of which each run takes the next."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from core import Dataset, InvalidParameter, dataset_kind, tr
from workloads.command.command_parameters import CommandParameters, names_of
from workloads.shared.text_lists import lines_of, refused_line

_LONGEST_LIST = 64 << 20
"""Bytes of a list; what is larger is data."""
_LONGEST_SHOWN = 500
"""Letters of a line that is shown."""


@dataclass(frozen=True)
class EachFile:
    """The files of which each run takes the next; none where each takes the whole dataset."""

    files: Sequence[Path] = ()
    in_folder: int = 0
    """How many there are with those that no pattern matches."""
    is_dataset: bool = False
    """Whether `{dataset}` is such a file."""

    @staticmethod
    def of(parameters: CommandParameters, dataset: Dataset) -> EachFile:
        """The files of a folder, or those that a text file names, one in a line.

        Paths in a list begin where the list is.  Raises InvalidParameter where there are none.
        """
        names = names_of(parameters.run, shell=parameters.shell)
        has_each = "each" in names
        if has_each and not dataset.path.is_dir():
            files = _listed(dataset.path)
            if not files:
                raise _without_files(dataset.path)
            return EachFile(files, len(files))
        patterns = parameters.reads.split()
        if not (has_each or (patterns and "dataset" in names and dataset.path.is_dir())):
            return EachFile()
        every = dataset_kind(dataset.kind).files(dataset.path)
        if not every:
            raise _without_files(dataset.path)
        files = [one for one in every if not patterns or any(map(_matches(one), patterns))]
        if not files:
            raise InvalidParameter(
                "reads",
                tr("no file in {path} is {patterns}", path=dataset.path, patterns=patterns[0])
                if len(patterns) == 1
                else tr(
                    "no file in {path} is any of {patterns}",
                    path=dataset.path,
                    patterns=", ".join(patterns),
                ),
                tr("give other patterns with --reads, or another folder"),
            )
        return EachFile(files, len(every), is_dataset=not has_each)

    @property
    def note(self) -> str:
        """What is left out, in a sentence; empty where nothing is."""
        left = self.in_folder - len(self.files)
        return (
            tr(
                "1 of {all} files matches no pattern, so it is left out.",
                "{count} of {all} files match no pattern, so they are left out.",
                count=left,
                all=self.in_folder,
            )
            if left
            else ""
        )


def _matches(file: Path) -> Callable[[str], bool]:
    return lambda pattern: fnmatchcase(file.name, pattern)


def _without_files(path: Path) -> InvalidParameter:
    return InvalidParameter("run", tr("{path} has no files", path=path), _each_remedy())


def _listed(file: Path) -> list[Path]:
    remedy = _each_remedy()
    paths = []
    for number, line in lines_of(file, "run", remedy, most=_LONGEST_LIST):
        path = file.parent / line
        if not os.path.exists(path):  # noqa: PTH110 -- raises nothing for a line of data
            why = tr("there is no {other}", other=str(path)[:_LONGEST_SHOWN])
            raise refused_line(file, number, why, "run", _slip_in(file.parent, line) or remedy)
        paths.append(path)
    return paths


def _slip_in(folder: Path, line: str) -> str:
    """How to mend a line that is a path but for how it is written; empty for any other."""
    text = line.strip()
    if text.startswith("#"):
        return tr("leave it out: a list has paths only")
    if text.startswith("~"):
        return tr("write the whole path in place of ~")
    if os.path.exists(folder / text.strip("\"'")):  # noqa: PTH110 -- likewise
        return tr("write it without quotes and spaces around it")
    if re.search(r"[\t,;]", text):
        return tr("leave only the path in each line")
    if re.search(r"[*?[]", text):
        return tr("write each path in a line of its own, such as with: ls {pattern}", pattern=text)
    return ""


def _each_remedy() -> str:
    return tr(
        "give a folder, or a text file with a path in each line, as the dataset of {each}",
        each="{each}",
    )
