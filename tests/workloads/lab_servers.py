"""Real servers for tests of workloads, of a lab of the session's own."""

from patience import PATIENCE

from core.lab.lab import Lab
from core.lab.place import ServerState
from core.lab.requests import Started


def served(lab: Lab, name: str) -> ServerState:
    """That server, which truly serves."""
    lab.prepare([name])
    answers = list(lab.start([name], deadline=PATIENCE))
    (found,) = (one.server for one in answers if isinstance(one, Started))
    return found
