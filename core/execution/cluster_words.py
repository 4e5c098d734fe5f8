"""How a cluster is asked for: by a flag, by the environment, or by a run that is resumed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from core.catalog.parameters import text

CLUSTER = "SLUICE_CLUSTER"
"""Name of the environment variable in place of the flag."""
CLUSTER_FLAG = "--cluster"
CLUSTER_HELP = (
    "Dask cluster whose nodes measure: tcp://HOST:PORT or tls://HOST:PORT of its scheduler, or "
    "local:N for up to N workers on this machine; empty = without one."
)


@dataclass(frozen=True, kw_only=True)
class Where:
    """Where trials are carried out, as a form asks for it."""

    cluster: str = text("", help=CLUSTER_HELP)


def cluster_of(command: Sequence[str]) -> str:
    """The cluster that a run's command names, or else the environment; empty = none."""
    words = list(command)
    for place, word in enumerate(words):
        if word == CLUSTER_FLAG:
            return words[place + 1] if place + 1 < len(words) else ""
        if word.startswith(f"{CLUSTER_FLAG}="):
            return word.partition("=")[2]
    return os.environ.get(CLUSTER, "")
