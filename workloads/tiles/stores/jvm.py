"""The Java machine that a trial's process runs inside itself."""

from __future__ import annotations

import faulthandler
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core import find_java

_STARTING = threading.Lock()


def start_java(classpath: Sequence[Path], heap: int) -> Any:
    """The module `jpype` with Java running; `heap` in bytes.

    Java is started once in a process and cannot be started again: later calls add to its classpath.

    It takes SIGSEGV for itself, because it finds null pointers by it, and so does `faulthandler`,
    whose handler would take these for crashes.  So `faulthandler` is off from here on; a crash is
    told by Java itself, on the error output, and ends the process by SIGABRT.  SIGINT, SIGTERM and
    SIGHUP stay with Python (`-Xrs`).  The main thread keeps its whole stack: Java would guard it
    at 1 MiB, and whatever calls itself deeper there, Java or not, would end without a word.
    """
    import jpype

    with _STARTING:
        if jpype.isJVMStarted():
            for path in classpath:
                jpype.addClassPath(str(path))
            return jpype
        library = find_java()
        faulthandler.disable()
        jpype.startJVM(
            str(library),
            "-Xrs",
            f"-Xmx{heap}",
            "-XX:+ErrorFileToStderr",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+DisablePrimordialThreadGuardPages",
            "-Dlog4j2.level=FATAL",
            "-Djava.net.preferIPv4Stack=true",
            classpath=[str(path) for path in classpath],
            convertStrings=True,
            # True leaves SIGINT as it is; False would have JPype handle it in Java.
            interrupt=True,
        )
        return jpype
