"""Slow files: a local one that is made slow, and one on a server."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path
from threading import Event
from typing import override

from workloads.shared.objects import ObjectClient


class Delay:
    def __init__(self, latency: float, bandwidth: int) -> None:
        self._latency, self._bandwidth = latency, bandwidth
        self._never = Event()

    def of(self, length: int) -> None:
        """Wait as long as a request for `length` bytes takes."""
        seconds = self._latency + (length / self._bandwidth if self._bandwidth else 0.0)
        if seconds:
            self._never.wait(seconds)


class RangeSource(ABC):
    """Hands out ranges of one file; each worker has its own."""

    @abstractmethod
    def fetch(self, position: int, length: int) -> bytes:
        """The bytes of a range that lies within the file; raises SluiceError, OSError."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""


class SlowFile(RangeSource):
    def __init__(self, path: Path, delay: Delay) -> None:
        self._descriptor = os.open(path, os.O_RDONLY)
        self._delay = delay

    @override
    def fetch(self, position: int, length: int) -> bytes:
        self._delay.of(length)
        return os.pread(self._descriptor, length, position)

    @override
    def close(self) -> None:
        os.close(self._descriptor)


class ObjectFile(RangeSource):
    """An object on a server, by a client that all workers share and that others close."""

    def __init__(self, objects: ObjectClient, name: str) -> None:
        self._objects, self._name = objects, name

    @override
    def fetch(self, position: int, length: int) -> bytes:
        return self._objects.get_range(self._name, position, length)

    @override
    def close(self) -> None:
        """Nothing here: the client goes on."""
