"""Offers the lab's servers to programs that need one to measure on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.language import SluiceError, report_to_nobody, said, tr
from core.measure import READY, is_kept

if TYPE_CHECKING:  # imported when a server is first asked for: a window is there before that
    from core.lab.lab_client import Lab
    from core.lab.lab_folder import ServerState
    from core.language import ReportProgress
    from core.vocabulary import ServerUse, Value


def _own_lab() -> Lab:
    from core.lab.lab_client import Lab

    return Lab()


class LocalServers:
    """Servers of this machine's lab: offered, started, used and stopped.

    They are kept by the lab's keeper, so that they run on when the program that asked for them
    ends, as after `lab start`, until somebody stops them.
    """

    @dataclass(frozen=True, kw_only=True)
    class Offer:
        """A server that can be had on this machine."""

        title: str
        serves: bool
        """Whether it runs already."""
        fetches: int
        """Bytes that are fetched once before it can start."""

    def __init__(self, lab: Callable[[], Lab] = _own_lab) -> None:
        self._lab = lab

    def offer(self, server: str, report: ReportProgress = report_to_nobody) -> Offer:
        """Whether that server runs, and how much it would fetch; raises SluiceError.

        Asks programs for their versions, which takes up to some seconds.
        """
        from core.lab.kits import bytes_to_fetch
        from core.lab.servers import recipe_of

        report(tr("looking for a server"))  # which may cancel by raising
        recipe = recipe_of(server)
        try:
            serves = recipe.name in self._addresses()
            fetches = 0 if serves else bytes_to_fetch(recipe)
        except OSError as error:
            raise SluiceError(said(error)) from None
        return LocalServers.Offer(title=recipe.title, serves=serves, fetches=fetches)

    def serve(self, use: ServerUse, report: ReportProgress = report_to_nobody) -> dict[str, Value]:
        """The workload's parameters for the server, which is started unless it runs.

        Raises SluiceError with cause and remedy.  `report` is called some times a second; any error
        that it raises ends the start, and nothing is left of it.
        """
        try:
            started = self._started(use.server, report)
            addresses = self._addresses()
        except OSError as error:
            raise SluiceError(said(error)) from None
        return use.found({**addresses, use.server: started.address})

    def known(self) -> list[str]:
        """The names of the servers that run, as the lab wrote down last; answers at once."""
        lab_folder = self._lab().place
        state = lab_folder.state() if is_kept(lab_folder.folder) else None
        return [one.name for one in state.servers if one.state != "ended"] if state else []

    def stop(self) -> list[str]:
        """Stop all servers and remove their data; returns the names of those that ran."""
        try:
            return self._lab().stop()
        except OSError as error:
            raise SluiceError(said(error)) from None

    def _addresses(self) -> dict[str, str]:
        return {one.name: one.address for one in self._lab().servers() if one.state == READY}

    def _started(self, server: str, report: ReportProgress) -> ServerState:
        from core.lab.keeper_messages import Started
        from core.lab.lab_client import failures
        from core.lab.servers import recipe_of

        lab, recipe = self._lab(), recipe_of(server)
        lab.prepare([server], report)
        starting = tr("starting {title}", title=recipe.title)
        report(starting)
        # To the last answer: the lab stops what it has begun for a client that leaves earlier.
        answers = list(lab.start([server], waiting=lambda: report(starting)))
        for failure in failures(answers):
            raise SluiceError(failure.cause, failure.remedy)
        (started,) = (one.server for one in answers if isinstance(one, Started))
        return started
