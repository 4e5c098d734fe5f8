"""Real servers for tests of workloads, of a lab of the session's own."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import PATIENCE
from quick_servers import quick_name

from core.lab.keeper_messages import Started
from core.lab.lab_client import Lab, throw_away_lab
from core.lab.lab_folder import ServerState

CACHE = os.environ.get("SLUICE_CACHE", "")
"""That of the suite: a test has one of its own, in which nothing was fetched or built."""


def served(lab: Lab, name: str) -> ServerState:
    """That server, which truly serves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", CACHE)
        lab.prepare([name])
        answers = list(lab.start([quick_name(name)], deadline=PATIENCE))
    (found,) = (one.server for one in answers if isinstance(one, Started))
    return found


@contextmanager
def behind_proxy(folder: Path, address: str, **options: float) -> Iterator[str]:
    """The address of a server behind the lab's proxy, which has a lab of its own in the folder."""
    (there,) = re.findall(r"127\.0\.0\.1:\d+", address)
    with throw_away_lab(folder) as lab:
        lab.prepare(["proxy"])
        answers = lab.start(
            ["proxy"], options={"proxy": {"of": there, **options}}, deadline=PATIENCE
        )
        (proxy,) = (one.server for one in answers if isinstance(one, Started))
        yield address.replace(there, proxy.address)
