"""How a step is run so that the workflow's own files stay as they are, and whether they did."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from core.language import UsageError, tr
from core.measure import cache_folder, make_private
from core.workflow import sandbox_main
from core.workflow.groups import Group, has_inputs
from core.workflow.recorded import Step

_COPIED = 64 << 20
"""Bytes of inputs up to which a step has copies, which it may change; more are links, which it may
remove."""
_MARK = "\ue000sluice-folder\ue000"
"""Stands in commands for the folder in which they run."""
_REDIRECTED = re.compile(r"(?:\d|&)?>>?\|?\s*(?![&(])([^\s;|&<>()]+)")
_OF_NEXTFLOW = re.compile(r"\.command\..*|\.exitcode|\.nextflow.*")
_MOST_IN_FOLDER = 20_000
"""Entries of one folder of which a tree is made before each run."""

type States = Mapping[str, tuple[int, ...]]


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """What `sandbox_main` needs of a step; paths are relative to the folder."""

    folder: str
    commands: dict[str, str]
    """By the number of threads."""
    mark: str
    made: tuple[str, ...]
    """What the step makes itself, so that it is missing before."""
    parents: tuple[str, ...]
    """Folders that the manager makes before it."""
    copied: tuple[str, ...]
    outputs: tuple[str, ...]
    """What is compared between settings."""
    sets_variables: bool

    def written(self) -> Path:
        """The file that has it, named after what it says, so that it is found again."""
        content = msgspec.json.encode(self)
        folder = cache_folder() / "workflow"
        make_private(folder)
        path = folder / f"{hashlib.sha256(content).hexdigest()[:16]}.json"
        path.write_bytes(content)
        return path

    @staticmethod
    def commands_around(path: Path) -> Mapping[str, str]:
        """`run`, `prepare` and `conclude` of a measurement."""
        sandbox = [sys.executable, "-I", "-S", str(Path(sandbox_main.__file__))]
        return {
            "prepare": shlex.join([*sandbox, "stage", str(path)]) + " {out}",
            "run": shlex.join([*sandbox, "run", str(path)]) + " {out} {threads}",
            "conclude": "rm -rf -- {out}.tree",
        }


def recipe_of(group: Group, counts: Sequence[int], manager: str) -> Recipe:
    """How a typical run of a step is run again; raises UsageError where it cannot be, and why."""
    step = group.typical
    _require_possible(step)
    folder = step.folder.resolve()
    outputs = [_inside(path, step.folder, folder) for path in step.outputs]
    commands = {str(count): _command(step, count, folder) for count in counts}
    redirected = _redirected(step.command, folder)
    made = {*outputs, *redirected, *_left_by_nextflow(folder, manager)}
    return Recipe(
        folder=str(folder),
        commands=commands,
        mark=_MARK,
        made=tuple(sorted(made)),
        parents=tuple(sorted({str(Path(path).parent) for path in (*outputs, *redirected)})),
        copied=tuple(_copied(step, folder, made)),
        outputs=tuple(outputs),
        sets_variables=manager == "snakemake",
    )


def _require_possible(step: Step) -> None:
    if not step.command.strip():
        raise UsageError(tr("it runs no command that a shell could run again"))
    if not step.template:
        raise UsageError(tr("its command has no number of threads that could be changed"))
    if not step.folder.is_dir():
        raise UsageError(tr("the folder that it ran in is gone"))
    if not has_inputs(step):
        raise UsageError(tr("its input is not there any more"))
    if sandbox_main.version() < 1:
        raise UsageError(
            tr("this kernel cannot keep it from writing elsewhere (Landlock, Linux 5.13)")
        )
    if sum(1 for _ in os.scandir(step.folder)) > _MOST_IN_FOLDER:
        raise UsageError(tr("its folder has too many files for a copy of it"))


def _inside(path: Path, folder: Path, real: Path) -> str:
    """A path relative to the folder, whichever links lead there; raises UsageError if outside."""
    whole = os.path.normpath(folder / path)
    for start in (str(folder), str(real)):
        if whole.startswith(f"{start}/"):
            return whole.removeprefix(f"{start}/")
    raise UsageError(tr("it writes outside of its folder: {path}", path=path))


def _command(step: Step, threads: int, folder: Path) -> str:
    """With that number, and with a mark where its folder is written out."""
    command = step.template.replace("{threads}", str(threads))
    for start in {str(folder), str(step.folder)}:
        command = re.sub(rf"{re.escape(start)}(?=/|[\s'\";:,)]|$)", _MARK, command)
    return command


def _redirected(command: str, folder: Path) -> Iterator[str]:
    """Files into which a shell writes, such as logs: in a run of its own they are missing."""
    for target in _REDIRECTED.findall(command):
        path = os.path.normpath(folder / target.strip("'\""))
        if path.startswith(f"{folder}/"):
            yield path.removeprefix(f"{folder}/")


def _left_by_nextflow(folder: Path, manager: str) -> Iterator[str]:
    if manager == "nextflow":
        yield from filter(_OF_NEXTFLOW.fullmatch, os.listdir(folder))


def _copied(step: Step, folder: Path, made: Iterable[str]) -> Iterator[str]:
    """Inputs within the folder, if they are small together."""
    inside = []
    for path in step.inputs:
        whole = os.path.normpath(step.folder / path)
        name = next(
            (
                whole.removeprefix(f"{start}/")
                for start in (str(step.folder), str(folder))
                if whole.startswith(f"{start}/")
            ),
            "",
        )
        if name and name not in made and not (folder / name).is_symlink():
            inside.append(name)
    if sum(_size(folder / name) for name in inside) <= _COPIED:
        yield from sorted(set(inside))


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
    return path.stat().st_size


def states_of(steps: Iterable[Step]) -> States:
    """Size, time, number and rights of every input and output that is there."""
    states: dict[str, tuple[int, ...]] = {}
    for step in steps:
        for path in (*step.inputs, *step.outputs):
            whole = str(step.folder / path)
            if whole not in states and os.path.exists(whole):  # noqa: PTH110 -- for many files
                about = os.stat(whole)
                mode = about.st_mode
                states[whole] = (about.st_size, about.st_mtime_ns, about.st_ino, mode)
    return states


def changed_between(before: States, after: States) -> tuple[str, ...]:
    return tuple(path for path, state in before.items() if after.get(path) != state)
