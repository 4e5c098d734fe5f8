"""The memory of a filled file: by its own account, by the law behind that, and as resident."""

from __future__ import annotations

import os
from pathlib import Path

from workloads.sparse.drivers import version
from workloads.sparse.jobs.files import SparseFile
from workloads.sparse.sparse_parameters import SparseParameters

_PER_BLOCK = 40
_EMPTY = {False: 192, True: 232}
"""Bytes of an empty file without and with a mutex, by its own account, but for its name."""
_NAME = len("id")


class Account:
    """Compares with the memory of the process before the file exists."""

    def __init__(self, parameters: SparseParameters) -> None:
        self._empty = _EMPTY[parameters.language == "cpp" and parameters.mutex] + _NAME
        self._known = version().startswith("0.4.")
        self._before = _resident()
        self.counters: dict[str, float] = {}

    def of(self, file: SparseFile) -> str:
        """What is wrong with the file's own account, by the law of 0.4; empty when right."""
        own_size = file.own_size  # it counts block by block
        law = _PER_BLOCK * file.blocks + self._empty + file.bytes
        self.counters = {
            "blocks": file.blocks,
            "bytes held": file.bytes,
            "own account": own_size,
        }
        resident = _resident()
        if resident and self._before:
            self.counters["resident for it"] = resident - self._before
        if not self._known:
            return ""
        self.counters["off the memory law"] = own_size - law
        if own_size == law:
            return ""
        return f"takes {own_size} bytes by its own account, {law} by the law"


def _resident() -> int:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
