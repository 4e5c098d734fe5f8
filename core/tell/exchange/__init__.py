"""Results in other programs' formats: a table of formats, each written by a file of its own.

    format_for(path).export(session.results(), path)
    format_named("json").export(session.results(), sys.stdout.buffer)

Every format keeps these promises: a trial that failed, crashed, or returned wrong data has no
throughput, and its ending is named; a result has one only if all its trials do; text from outside
is never interpreted; secrets that the specs refer to do not appear.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.language import UnknownName, UsageError, safe, tr, translated_by
from core.measure import put_in_place, secrets_of, unwritten
from core.vocabulary import Driver

if TYPE_CHECKING:
    from core.vocabulary import Result


@dataclass(frozen=True)
class Format:
    """One format; `home` is `MODULE:FUNCTION` beside this, which writes results to a stream."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    home: str
    driver: Driver | None = None

    def write(self, results: Sequence[Result], stream: BinaryIO) -> None:
        """Write the results; raises Unavailable where a driver is missing."""
        if self.driver is not None:
            self.driver.require()
        module, _, function = self.home.partition(":")
        getattr(importlib.import_module(module, __name__), function)(results, stream)

    def export(
        self, results: Sequence[Result], target: Path | BinaryIO, *, overwrite: bool = True
    ) -> None:
        """Write results to a stream, or atomically to a file; the same in every language.

        Raises UsageError and NotWritten as `write_whole` does, Unavailable without its driver.
        """
        secrets = secrets_of(result.spec for result in results)
        public = [safe(result, secrets) for result in results]
        with translated_by(None):
            if isinstance(target, Path):
                write_whole(target, lambda stream: self.write(public, stream), overwrite=overwrite)
            else:
                self.write(public, target)

    @staticmethod
    def all() -> tuple[Format, ...]:
        return tuple(FORMATS.values())


_PYARROW = Driver(module="pyarrow", distribution="pyarrow", install="pip install pyarrow")

_EVERY = (
    Format("json", "JSON: everything, to be imported again", (".json",), ".json_format:write_json"),
    Format("json-schema", "JSON Schema of the JSON export", (".schema.json",),
           ".json_format:write_schema"),
    Format("csv", "CSV: one row for each trial", (".csv",), ".trial_tables:write_csv"),
    Format("markdown", "Markdown: one row for each result", (".md", ".markdown"),
           ".trial_tables:write_markdown"),
    Format("html", "HTML: the report, one page with plots", (".html", ".htm"),
           "..report.page:write_results"),
    Format("parquet", "Parquet: one row for each trial", (".parquet",),
           ".trial_tables:write_parquet", _PYARROW),
    Format("openmetrics", "OpenMetrics: typical figures, for Prometheus and its kin",
           (".om", ".prom", ".openmetrics"), ".openmetrics:write_openmetrics"),
    Format("hyperfine", "JSON as hyperfine writes it: seconds per operation",
           (".hyperfine.json",), ".hyperfine:write_hyperfine"),
)  # fmt: skip
FORMATS: Mapping[str, Format] = {row.name: row for row in _EVERY}


def format_named(name: str) -> Format:
    """A format by its name; raises UnknownName."""
    if name not in FORMATS:
        raise UnknownName("format", name, tuple(FORMATS))
    return FORMATS[name]


def format_for(path: Path) -> Format:
    """The format that a file name asks for; raises UsageError."""
    fitting = [
        (len(suffix), row)
        for row in FORMATS.values()
        for suffix in row.suffixes
        if path.name.lower().endswith(suffix)
    ]
    if not fitting:
        endings = ", ".join(suffix for row in FORMATS.values() for suffix in row.suffixes)
        raise UsageError(
            tr("{name} does not tell its format", name=path.name),
            tr("use one of {endings}", endings=endings),
        )
    return max(fitting, key=lambda fit: fit[0])[1]


def write_whole(
    target: Path, write: Callable[[BinaryIO], object], *, overwrite: bool = True
) -> None:
    """A file that is written atomically; raises UsageError where it cannot be written there.

    Raises NotWritten where the disk is full or fails.
    """
    try:
        with put_in_place(target, overwrite=overwrite) as new, new.open("wb") as stream:
            write(stream)
    except FileExistsError as error:
        raise UsageError(
            tr("{path} exists already", path=target), tr("choose another name")
        ) from error
    except FileNotFoundError as error:
        raise UsageError(
            tr("the folder of {path} does not exist", path=target), tr("create it first")
        ) from error
    except OSError as error:
        raise unwritten(target, error) from error
