"""The messages between the lab and its keeper: each is a line of JSON over the keeper's socket."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO

import msgspec

from core.lab.lab_folder import ServerState
from core.language import Seconds

GREETING = b"\n"
"""Sent to an asker as soon as its connection is taken."""
ALREADY_KEPT = 3
"""Exit code where another keeper is at work."""

type Options = Mapping[str, int | float | str | bool]


class Start(msgspec.Struct, frozen=True, kw_only=True, tag="start"):
    """Start servers; when the asker leaves before the last answer, they are stopped again."""

    names: Sequence[str]
    options: Mapping[str, Options] = {}
    """By the name of the server."""
    secrets: Mapping[str, Mapping[str, str]] = {}
    """Instead of random ones, by the names of the server and of the secret."""
    deadline: Seconds


class Stop(msgspec.Struct, frozen=True, kw_only=True, tag="stop"):
    names: Sequence[str] = ()


class StatusRequest(msgspec.Struct, frozen=True, kw_only=True, tag="ask"):
    """Tell what runs."""


type KeeperRequest = Start | Stop | StatusRequest


class Doing(msgspec.Struct, frozen=True, kw_only=True, tag="doing"):
    """Progress of one server."""

    server: str
    doing: str


class Started(msgspec.Struct, frozen=True, kw_only=True, tag="started"):
    server: ServerState


class NotStarted(msgspec.Struct, frozen=True, kw_only=True, tag="not started"):
    """A server could not be started; nothing of it is left."""

    server: str
    cause: str
    remedy: str = ""
    exit_code: int = 1


class Stopped(msgspec.Struct, frozen=True, kw_only=True, tag="stopped"):
    server: str


class Running(msgspec.Struct, frozen=True, kw_only=True, tag="running"):
    servers: Sequence[ServerState]


class KeeperDone(msgspec.Struct, frozen=True, kw_only=True, tag="done"):
    """The last answer."""


_LOOK: Seconds = 0.2  # without an answer

type Answer = Doing | Started | NotStarted | Stopped | Running | KeeperDone

_ENCODER = msgspec.json.Encoder()
_REQUESTS: msgspec.json.Decoder[KeeperRequest] = msgspec.json.Decoder(KeeperRequest)
_ANSWERS: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)


def send(connection: socket.socket, message: KeeperRequest | Answer) -> None:
    """Send one message; raises OSError when the other side has left."""
    connection.sendall(_ENCODER.encode(message) + b"\n")


def received_request(lines: IO[bytes]) -> KeeperRequest | None:
    """The request that was sent; None for anything else."""
    try:
        return _REQUESTS.decode(lines.readline())
    except msgspec.DecodeError:
        return None


class AwaitedLines(Iterator[bytes]):
    """The lines that arrive; `waiting` is called some times a second while none does.

    No interruption loses a line.
    """

    def __init__(self, connection: socket.socket, waiting: Callable[[], None]) -> None:
        connection.settimeout(_LOOK)
        self._connection = connection
        self._waiting = waiting
        self._arrived = b""

    def __next__(self) -> bytes:
        while b"\n" not in self._arrived:
            try:
                piece = self._connection.recv(65536)
            except TimeoutError:
                self._waiting()
                continue
            if not piece:
                raise StopIteration
            self._arrived += piece
        line, _, self._arrived = self._arrived.partition(b"\n")
        return line


def received_answers(lines: Iterable[bytes]) -> Iterator[Answer]:
    """All answers up to the last one; raises ConnectionError if there is no last one."""
    for line in lines:
        answer = _ANSWERS.decode(line)
        if isinstance(answer, KeeperDone):
            return
        yield answer
    raise ConnectionError("the lab's keeper has gone")
