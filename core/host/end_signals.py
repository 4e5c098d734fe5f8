"""The signals by which a user, a terminal or a system asks a program to end."""

from __future__ import annotations

import signal


def end_signals() -> tuple[signal.Signals, ...]:
    """Ctrl+C, SIGTERM and SIGHUP; under `nohup` a terminal that is closed ends nothing."""
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return (signal.SIGINT, signal.SIGTERM)
    return (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def code_after(number: int) -> int:
    """The exit code of a program that such a signal ended, as shells give it."""
    return 128 + number
