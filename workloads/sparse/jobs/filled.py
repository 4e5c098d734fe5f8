"""The common base of jobs whose file is filled before the clock starts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from core import Job, SluiceError, Step
from workloads.sparse.jobs.account import Account
from workloads.sparse.jobs.files import filler, laid_out_wrongly, new_file
from workloads.sparse.layouts import Blocks
from workloads.sparse.sparse_parameters import SparseParameters


class FilledJob[Item, Result](Job[Item, Result]):
    """A job on a file that was filled and accounted for before the clock starts.

    Its bytes are not checked then: a need does not use them, and every read is compared.
    """

    def __init__(self, parameters: SparseParameters, blocks: Blocks) -> None:
        self._blocks = blocks
        fill = filler(parameters, blocks)
        account = Account(parameters)
        self._file: Any = new_file(parameters)
        fill(self._file)
        wrong = account.of(self._file) or laid_out_wrongly(self._file, blocks)
        if wrong:
            self._file.close()
            raise SluiceError(f"the filled file is wrong: {wrong}")
        self._counters = account.counters

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        """One step; all workers share the file."""
        yield (self._step(),)

    @abstractmethod
    def _step(self) -> Step:
        """The work of one item."""

    def counters(self) -> Mapping[str, float]:
        """The file's memory."""
        return self._counters

    def close(self) -> None:
        """Free the file."""
        self._file.close()
