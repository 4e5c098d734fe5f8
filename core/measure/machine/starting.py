"""Whether Sluice can start here, and a window beside another; imports little, as it comes first."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from core.language import SluiceError, Unavailable, tr
from core.measure.machine.end_signals import fill_closed_streams
from core.measure.machine.folders import cache_folder, sessions_folder, state_folder
from core.measure.machine.thread_starts import started_threads

_PROC = Path("/proc/self")


def refusal_to_start() -> SluiceError | None:
    """What keeps a window from working here, if anything does; closed streams are filled."""
    fill_closed_streams()
    try:
        for folder in (cache_folder, sessions_folder, state_folder):
            folder()
        require_proc()
        require_threads()
    except SluiceError as error:
        return error
    return None


def has_room_for_another() -> bool:
    """Whether there is memory for one more process like this one."""
    from core.measure.machine.descriptors import MachineRoom, resident

    return MachineRoom().another([resident([os.getpid()])], 1, 1)


def require_proc() -> None:
    """Raise Unavailable where Linux has no /proc, by which processes are watched."""
    if sys.platform == "linux" and not _PROC.exists():
        raise Unavailable(
            tr("/proc is missing, by which processes are watched"),
            tr("mount it: {command}", command="mount -t proc proc /proc"),
        )


def require_threads() -> None:
    """Raise Unavailable where no thread can be started; where there are few, libraries get none.

    OpenBLAS starts one for each core as it is loaded, and sends its own process Ctrl+C where it
    cannot.
    """
    started, error = started_threads()
    if error is not None:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        if not started:
            from core.measure.machine.shortages import of_threads

            raise Unavailable(of_threads(error)) from error
