"""Before measuring: says that other programs want the cores, or waits until they do not."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from core.catalog.declarations import declared, real
from core.cli.flags import Declared
from core.cli.terminal import say_on_stderr, told_on_terminal
from core.host.machine_noise import OtherPrograms, WatchOthers
from core.language.reporting import Tell
from core.language.units import Seconds, show_seconds, show_share

_QUIET = 0.1
"""Share of the cores: half of what is worth a remark, so that it is not busy again at once."""
_FOR = 3.0
"""Seconds for which it has to stay below."""
_EACH = 0.5

type Look = Callable[[], OtherPrograms | None]


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """The time that may be spent on waiting for other programs."""

    wait_quiet: float = real(
        0.0,
        low=0,
        high=7 * 86_400,
        unit="seconds",
        help=f"Longest wait until other programs take less than {_QUIET:.0%} of the cores for "
        f"{_FOR:.0f} s. Then it measures anyway. 0 = no wait.",
    )


(_WAIT,) = declared(Waiting)


_SETTINGS: Mapping[str, Any] = {
    "type": Declared(_WAIT),
    "metavar": "TIME",
    "default": float(_WAIT.default),
    "help": f"{_WAIT.help}  [default: {_WAIT.show(_WAIT.default)}]",
}
wait_for_quiet = click.option(_WAIT.flag, **_SETTINGS)


def wait_option() -> click.Parameter:
    """The option to wait until the machine is quiet."""
    return click.Option([_WAIT.flag], **_SETTINGS)


def heed_others(watched: WatchOthers, longest: Seconds) -> None:
    """Say what others take, or wait for at most so long until they take next to nothing.

    Ctrl+C ends the wait as it ends the command: nothing is measured yet.
    """
    if longest:
        with told_on_terminal(quiet=False) as tell:
            seen = until_quiet(longest, _look, tell)
        if seen is not None:
            say_on_stderr(
                f"Other programs still take {show_share(seen.share)} of the cores after"
                f" {show_seconds(longest)}{_by(seen)}: measuring anyway."
            )
        return
    seen = watched.seen()
    if seen is not None and seen.busy:
        who = f" Most take: {seen.who}." if seen.who else ""
        say_on_stderr(f"{seen.sentence}{who} {_WAIT.flag} 5min waits.")


def until_quiet(
    longest: Seconds, look: Look, tell: Tell, clock: Callable[[], Seconds] = time.monotonic
) -> OtherPrograms | None:
    """Look until it was quiet for long enough; returns what was seen last if that took too long.

    A machine that does not tell what others take is not waited for.
    """
    began = quiet_since = clock()
    while (seen := look()) is not None:
        now = clock()
        tell(
            f"waiting until other programs take less than {show_share(_QUIET)} of the cores",
            round(now - began),
            round(longest),
            f"s: now {show_share(seen.share)}{_by(seen)}",
        )
        if seen.share >= _QUIET:
            quiet_since = now
        elif now - quiet_since >= _FOR:
            return None
        if now - began >= longest:
            return seen
    return None


def _look() -> OtherPrograms | None:
    return WatchOthers().seen(_EACH)


def _by(seen: OtherPrograms) -> str:
    return f", most of it {seen.who}" if seen.who else ""
