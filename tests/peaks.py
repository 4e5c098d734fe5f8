"""The most memory that this process has had resident since somebody asked to forget it (Linux)."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path

CAN_FORGET = Path("/proc/self/clear_refs").exists()


def reset_peak() -> None:
    """Forget the peak so far, and give back what is no longer used."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    """Bytes."""
    return _of_status("VmHWM")


def resident() -> int:
    """Bytes that are resident now."""
    return _of_status("VmRSS")


def _of_status(name: str) -> int:
    status = Path("/proc/self/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith(f"{name}:")]
    return int(line.split()[1]) * 1024
