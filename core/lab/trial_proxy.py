"""A proxy of one trial's own: a process beside the client, which counts and ends with it.

Its work is none of the trial's: it carries the stamp of a guard, so that its CPU time counts as
that of the servers.  It is in the process group of who starts it, and its input is a pipe from
there: however that one dies, the proxy ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from core.language import SluiceError, tr
from core.measure import GUARD, import_path


class TrialProxy:
    """Stands in front of a server from its making to `close`."""

    def __init__(self, host: str, port: int, limits: Mapping[str, float]) -> None:
        """`limits`: those of the lab's proxy, such as `latency`; raises SluiceError."""
        settings = json.dumps({"host_of": host, "port_of": port, **limits})
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "core.lab.proxy_server", settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **GUARD, "PYTHONPATH": import_path()},
        )
        with suppress(OSError, AttributeError):
            # The trial may be bound to some cores, and what stands for a network is none of it.
            os.sched_setaffinity(self._process.pid, os.sched_getaffinity(os.getppid()))
        self.port: int = self._line()["port"]
        """Of 127.0.0.1, where it listens."""

    def counted(self) -> Mapping[str, float]:
        """All that it has counted, and its own `CPU seconds`; raises SluiceError if it has died."""
        assert self._process.stdin is not None
        with suppress(OSError):  # its answer is missed then
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()
        return self._line()

    def _line(self) -> Mapping[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SluiceError(tr("the proxy in front of the server has ended"))
        counts: Mapping[str, Any] = json.loads(line)
        return counts

    def close(self) -> None:
        """End it, with the connections that are still open."""
        with suppress(OSError), self._process:  # which closes the pipes and waits
            self._process.kill()
