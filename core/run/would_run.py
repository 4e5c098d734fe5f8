"""What a plan would run on this machine; a plan can come from anyone.

Nothing of it is loaded, imported or started here.  Its data is not looked at, because it may be
huge, or on a dead server.  For a `module:Class` only the file is located.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from core.language import SluiceError, one_line, tr, tr_word
from core.measure import cache_folder, sessions_folder
from core.run.admission import cluster_of
from core.run.session import Session
from core.run.session.plan_trust import is_trusted
from core.vocabulary import (
    Choice,
    Flag,
    Integer,
    Real,
    RunSpec,
    declared,
    named,
    registry,
    show_setting,
)

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from pathlib import Path

    from core.run.session import Run
    from core.vocabulary import Kind

_HEAD, _TAIL = 1_500, 500
"""Letters that are shown of the beginning and of the end of a longer text."""
_MOST_VALUES = 50
"""The most texts that are listed for one parameter."""
_MOST_LINES = 200


class WouldRun(msgspec.Struct, frozen=True, kw_only=True):
    """What would run, one line each, without invisible characters."""

    lines: tuple[str, ...]
    cut: bool = False
    """Whether a text is shortened, or lines are left out."""

    @staticmethod
    def of(
        specs: Sequence[RunSpec], cluster: str = "", writes: Sequence[str | os.PathLike[str]] = ()
    ) -> WouldRun:
        """Everything that measuring these specs would use; `writes`: files and folders of ours."""
        lines = [
            *_workloads(specs),
            *_once_each(tr("data"), [_place(spec.dataset.location) for spec in specs]),
            *([_line(tr("cluster"), cluster)] if cluster else []),
            *_once_each(tr("writes into"), [os.fspath(path) for path in writes]),
        ]
        over = len(lines) - _MOST_LINES
        if over > 0:
            lines[_MOST_LINES:] = [
                _Line(tr("1 more line", "{count} more lines", count=over), cut=True)
            ]
        return WouldRun(
            lines=tuple(line.text for line in lines),
            cut=any(line.cut for line in lines),
        )

    @staticmethod
    def of_run(run: Run) -> WouldRun:
        """What resuming or repeating somebody else's run would run; its own file stays as it is."""
        folders = [sessions_folder(), cache_folder()]
        return WouldRun.of(run.plan.specs, cluster_of(run.command), folders)

    @staticmethod
    def all_trusted(specs: Sequence[RunSpec], sessions: Iterable[Path]) -> bool:
        """Whether each spec is part of a trusted run in these sessions.

        Raises SessionError.
        """
        trusted: dict[str, RunSpec] = {}
        for path in sessions:
            with Session.read(path) as session:
                runs = filter(is_trusted, session.runs())
                trusted |= {spec.digest: spec for run in runs for spec in run.plan.specs}
        return all(trusted.get(spec.digest) == spec for spec in specs)


class _Line(msgspec.Struct, frozen=True):
    text: str
    cut: bool = False


def _line(title: str, text: str) -> _Line:
    over = len(text) - _HEAD - _TAIL
    if over > 0:
        left_out = tr("… 1 letter left out …", "… {count:,} letters left out …", count=over)
        excerpt = f"{one_line(text[:_HEAD])} {left_out} {one_line(text[-_TAIL:])}"
    else:
        excerpt = one_line(text)
    return _Line(f"{one_line(title)}: {excerpt}", cut=over > 0)


def _once_each(title: str, texts: Sequence[str]) -> Iterator[_Line]:
    distinct = tuple(dict.fromkeys(texts))
    for text in distinct[:_MOST_VALUES]:
        yield _line(title, text)
    if (over := len(distinct) - _MOST_VALUES) > 0:
        yield _Line(f"{one_line(title)}: {tr('{count} more', count=over)}", cut=True)


def _workloads(specs: Sequence[RunSpec]) -> Iterator[_Line]:
    for name in dict.fromkeys(spec.workload for spec in specs):
        yield _line(tr("workload"), _workload(name))
        of_name = [spec for spec in specs if spec.workload == name]
        kinds = _kinds(of_name[0])
        for parameter in dict.fromkeys(key for spec in of_name for key in spec.parameters):
            values = [spec.parameters.get(parameter, "") for spec in of_name]
            kind = kinds.get(parameter)
            # A kind that allows only declared values is left out where all are the default.
            if isinstance(kind, Integer | Real | Choice | Flag) and {*values} == {kind.default}:
                continue
            texts = [show_setting(parameter, value) for value in values if value != ""]
            yield from _once_each(named(parameter), texts)


def _kinds(spec: RunSpec) -> dict[str, Kind]:
    """The parameters of a spec; none if they are unknown, so that all values are shown."""
    with suppress(SluiceError):
        parameters = spec.known_setting.workload.parameters
        return {kind.name: kind for kind in declared(parameters)}
    return {}


def _workload(name: str) -> str:
    entry = registry.workloads().get(name)
    if entry is not None:
        return f"{name} ({tr_word(entry.title)})"
    origin = _origin(name.partition(":")[0])
    if origin:
        return tr("{name}, loaded from {path}", name=name, path=origin)
    return tr("{name}, which is not found here", name=name)


def _origin(module: str) -> str:
    """The file that a module would be loaded from; empty where none is found.

    `find_spec` of the standard library imports the packages that a module is in; this does not.
    """
    path: Sequence[str] | None = None
    spec: ModuleSpec | None = None
    name = ""
    for part in module.split("."):
        if not part.isidentifier() or (name and path is None):
            return ""
        name = f"{name}.{part}" if name else part
        spec = next(filter(None, (finder.find_spec(name, path) for finder in sys.meta_path)), None)
        if spec is None:
            return ""
        path = spec.submodule_search_locations
    return "" if spec is None else str(spec.origin or next(iter(path or ()), ""))


def _place(location: str) -> str:
    """Where data is; a session from elsewhere may name a path below the current folder."""
    remote = "://" in location or location.startswith("file:")
    return location if remote else os.path.abspath(location)  # noqa: PTH100 -- looks at no file
