"""A workload that knows twenty secrets, and tells them wherever foreign text can go; and all that
stands in a session, in which none may be.

It is reached as `rigged_secrets:Leaking`.  Each secret is told in all forms that drivers use, each
form between `[[` and `]]`, so that a test finds it however short or common the secret is.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import os
import sqlite3
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, override
from urllib.parse import quote, quote_plus

from core import (
    Context,
    Dataset,
    Fault,
    Job,
    ReportProgress,
    Step,
    Workload,
    choice,
    location,
    reveal,
    secret,
    values_of,
)

NAME = "rigged_secrets:Leaking"
LONG = base64.b64encode(hashlib.shake_256(b"planted").digest(150)).decode()  # 200 characters
SECRETS = (
    "wrong", "index", "stage", "digest", "outcome",
    "a/b%2Fc", "100%+1", "it's \"so\"", "back\\slash\\n", "ключ-пароль-π", "日本語の鍵です",
    "p@ss:w=rd&x=1", "<b>&amp;</b>", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", LONG,
    "{\"a\": [1]}", "${HOME}`id`", "a", "is", "env",
)  # fmt: skip
"""Awkward ones; the last three are too short to be hidden, and must at least end no run."""
SHORT = 3
FIELDS = tuple(f"secret_{number:02}" for number in range(len(SECRETS)))
VARIABLES = tuple(f"SLUICE_PLANTED_{number:02}" for number in range(len(SECRETS)))
ACTS = ("raise", "fail", "complain", "tell", "die", "die-in-halves", "half-a-complaint", "half-a-trace", "place", "die-placing", "sweep", "die-sweeping")  # fmt: skip
HALVES = "]][[".join([LONG] * 100)
"""Wherever it is cut, the cut goes through a secret."""


def forms_of(known: str) -> list[str]:
    """How drivers tell a secret: written here anew, so that no form is missing in both places."""
    raw = known.encode()
    whole = [known, quote(known, safe=""), quote_plus(known), json.dumps(known)[1:-1], repr(known)]
    logins = [base64.b64encode(before + raw).decode() for before in (b"", b"u:", b"me:", b"you:")]
    return [*whole, *logins]


def told(secrets: list[str]) -> str:
    """All secrets in all forms."""
    return " ".join(f"[[{form}]]" for known in secrets for form in forms_of(known))


LeakingParameters = dataclasses.make_dataclass(
    "LeakingParameters",
    [
        ("act", str, choice("raise", options=dict.fromkeys(ACTS, "Where."), help="Where.")),
        ("address", str, location("", help="Where it would leave something.")),
        *((field, str, secret(help="One.")) for field in FIELDS),
    ],
    frozen=True,
    kw_only=True,
)


def revealed(parameters: Any) -> list[str]:
    values = values_of(parameters)
    return [reveal(str(values[field])) for field in FIELDS]


def die(text: str) -> None:
    """End the process with a message."""
    sys.stderr.write(text)
    sys.stderr.flush()
    os._exit(7)


class LeakingJob(Job[int, int]):
    def __init__(self, context: Context[Any]) -> None:
        self.items = range(50)
        self.act = context.parameters.act
        self.secrets = revealed(context.parameters)
        self.text = told(self.secrets)
        match self.act:
            case "raise":
                raise RuntimeError(self.text)
            case "tell":
                context.report(self.text)
            case "die":
                die(self.text)
            case "die-in-halves":
                die(HALVES)
            case "half-a-trace":
                raise RuntimeError(HALVES)

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        def ask(item: int) -> int:
            if self.act == "fail":
                raise ConnectionError(told([self.secrets[item % len(FIELDS)]]))
            return item

        yield (Step("ask", ask),)

    @override
    def check(self, item: int, result: int) -> str:
        if self.act == "half-a-complaint":
            return HALVES
        return f"[[{self.secrets[item % len(FIELDS)]}]]" if self.act == "complain" else ""

    @override
    def describe(self, item: int) -> str:
        return (
            HALVES if self.act == "half-a-complaint" else f"[[{self.secrets[item % len(FIELDS)]}]]"
        )

    @override
    def audit(self, report: ReportProgress) -> Iterator[Fault]:
        if self.act == "tell":
            report(self.text)
            yield Fault(f"[[{self.secrets[0]}]]", f"[[{self.secrets[1]}]]")


class Leaking(Workload[Any]):
    name = "leaking"
    unit = "secret"
    parameters = LeakingParameters
    dataset_kinds = ("files",)

    @override
    def open(self, context: Context[Any]) -> Job[Any, Any]:
        return LeakingJob(context)

    @override
    def place(self, dataset: Dataset, parameters: Any, report: ReportProgress) -> None:
        if parameters.act == "place":
            raise PermissionError(told(revealed(parameters)))
        if parameters.act == "die-placing":
            die(told(revealed(parameters)))

    @override
    def leaves(self, parameters: Any) -> bool:
        return parameters.act.endswith(("sweep", "sweeping"))

    @override
    def remove_leftovers(self, mark: str, parameters: Any, report: ReportProgress) -> int:
        text = told(revealed(parameters))
        report(text)
        if parameters.act == "die-sweeping":
            die(text)
        raise PermissionError(text)

    @override
    def files(self, parameters: Any, dataset: Dataset) -> tuple[Path, ...]:
        return ()

    @override
    def floor(self, parameters: Any) -> dict[str, object]:
        return {}


def in_session(path: Path) -> str:
    """Everything in a session: each value of each table, decompressed where it is compressed."""
    found: list[str] = []
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in tables.fetchall():
            for row in connection.execute(f"SELECT * FROM {table}"):
                found += map(as_text, row)
    return "\n".join([*found, path.read_bytes().decode("latin-1")])


def as_text(value: object) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        return zlib.decompressobj().decompress(value).decode("utf-8", "replace")
    except zlib.error:
        return value.decode("latin-1")
