"""Before measuring: says that other programs want the cores, or waits until they do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from core.catalog.declarations import declared, real
from core.cli.flags import Declared
from core.cli.terminal import say_on_stderr, told_on_terminal
from core.host.other_programs import QUIET, QUIET_FOR, OtherPrograms, WatchOthers, until_quiet
from core.language.units import Seconds, show_seconds, show_share


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """The time that may be spent on waiting for other programs."""

    wait_quiet: float = real(
        0.0,
        low=0,
        high=7 * 86_400,
        unit="seconds",
        help=f"Longest wait until other programs take less than {QUIET:.0%} of the cores for "
        f"{QUIET_FOR:.0f} s. Then it measures anyway. 0 = no wait.",
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

            def say(seen: OtherPrograms, waited: Seconds) -> None:
                tell(
                    f"waiting until other programs take less than {show_share(QUIET)} of the cores",
                    round(waited),
                    round(longest),
                    f"s: now {show_share(seen.share)}{_by(seen)}",
                )

            seen = until_quiet(longest, say)
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


def _by(seen: OtherPrograms) -> str:
    return f", most of it {seen.who}" if seen.who else ""
