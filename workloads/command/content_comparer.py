"""How outputs of runs are compared: by what files hold, or by what a filter leaves of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from core import Command, Ran, SluiceError, one_line, tr
from workloads.command.content import Content, content_of, program_for
from workloads.command.differences import RunOutput
from workloads.command.program_run import require_success, sha256_of, sha256_of_all
from workloads.command.shells import has_pipe, reader_of

_CONTENTS = 1000
"""Files whose content is remembered by their bytes, so that equal ones are read once."""
_NOTED = 3
"""Files of which it is said how they are compared."""


class ContentComparer:
    """Compares files of one job."""

    def __init__(
        self,
        start: Callable[[Command], Ran],
        environment: Mapping[str, str],
        folder: Path,
        normalise: str,
    ) -> None:
        """`start` runs a program; `folder`: for files of its own; `normalise`: a filter."""
        self._start, self._environment = start, environment
        self._folder, self._normalise = folder, normalise
        self._numbers = count()
        self._contents: dict[str, Content] = {}

    def digest(self, output: RunOutput) -> str:
        """Of all that counts."""
        return sha256_of_all(output.files, lambda file: self.content(file).digest)

    def of_bytes(self, file: Path) -> str:
        """The digest of a file's bytes, as the user's filter leaves them."""
        if self._normalise and not file.is_symlink():
            return self.filtered(file, self._normalise)
        return sha256_of(file)

    def content(self, file: Path) -> Content:
        digest = sha256_of(file)
        if digest not in self._contents:
            if len(self._contents) >= _CONTENTS:
                self._contents.clear()
            self._contents[digest] = self._content(file)
        return self._contents[digest]

    def _content(self, file: Path) -> Content:
        if not (line := self.line_for(file)):
            return content_of(file)
        try:
            return Content(self.filtered(file, line))
        except SluiceError as error:
            if self._normalise:
                raise
            return Content(sha256_of(file), damage=str(error))

    def line_for(self, file: Path) -> str:
        if file.is_symlink():
            return ""
        return self._normalise or program_for(file)

    def filtered(self, file: Path, line: str) -> str:
        return self._through(file, line).sha256

    @contextmanager
    def shown(self, file: Path) -> Iterator[Path]:
        if not (line := self.line_for(file)):
            yield file
            return
        target = self._folder / f"shown-{next(self._numbers)}"
        try:
            self._through(file, line, target)
            yield target
        finally:
            target.unlink(missing_ok=True)

    def _through(self, file: Path, line: str, target: Path | None = None) -> Ran:
        reader, before = reader_of(line)
        command = Command(
            arguments=(*reader, before + line),
            environment=self._environment,
            stdin=file,
            stdout=target,
            digested=target is None,
        )
        ran = self._start(command)
        require_success("normalise", ran, is_pipe=has_pipe(line))
        return ran

    def notes(self, output: RunOutput) -> Sequence[str]:
        """How files are compared whose bytes are not all that counts, in sentences."""
        notes = []
        for name, file in output.files.items():
            if ways := list(self._ways(file)):
                title = one_line(name)
                notes.append(tr("{name} is compared {ways}", name=title, ways=", ".join(ways)))
        return notes[:_NOTED]

    def _ways(self, file: Path) -> Iterator[str]:
        content = self.content(file)
        if not content.damage and (line := self.line_for(file)):
            yield tr("as {program} shows it", program=one_line(line))
        if content.form.compression:
            yield tr("decompressed")
        for what, number in content.left_out.items():
            yield tr("without {what} ({count:,})", what=what, count=number)
