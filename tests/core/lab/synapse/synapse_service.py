"""The stand-in of Synapse, as tests see it from outside."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import pytest
from patience import PATIENCE
from serving import Running


@dataclass(frozen=True)
class Service:
    """The stand-in, as tests see it from outside."""

    running: Running

    @property
    def base(self) -> str:
        """The beginning of its endpoints."""
        return self.running.server.address.replace("synapse://", "http://")

    @property
    def storage(self) -> str:
        """The beginning of presigned URLs."""
        return f"http://127.0.0.1:{self.running.site.ports['storage']}"

    @property
    def token(self) -> str:
        return self.running.server.secrets["token"]

    def ask(self, base: str, path: str, body: Any = None) -> Any:
        """The JSON of an answer; raises urllib.error.HTTPError."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(base + path, data, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def stats(self) -> dict[str, Any]:
        """What both processes have counted, added up."""
        one, other = (self.ask(base, "/lab/stats") for base in (self.base, self.storage))
        return {key: _sum(one[key], other[key]) for key in one}

    def order(self, *orders: Mapping[str, object]) -> None:
        """Have these faults befall the next requests, and no others."""
        for base in (self.base, self.storage):
            mine = [one for one in orders if (one["route"] in STORAGE) == (base == self.storage)]
            self.ask(base, "/lab/faults", mine)


STORAGE = ("PUT /part", "GET /file")
"""The routes of the storage."""


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        return {key: one.get(key, 0) + other.get(key, 0) for key in {*one, *other}}
    return one + other


def need_packages(*names: str) -> None:
    """Skip where one is missing, unless this is CI's."""
    missing = [name for name in names if find_spec(name) is None]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"{' and '.join(missing)} missing")
