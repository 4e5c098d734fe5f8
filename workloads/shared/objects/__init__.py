"""Clients that read and write objects by name, on S3 and by plain http, and the table of them.

To import this imports no driver.  A client is opened in the process that uses it, as a compiled
one hangs after a fork, and is called from many threads at once.  One call is one attempt: a
client's own retries are off, unless the parameters name botocore's, and `Repeats` makes further
ones.  So each request is counted, whichever client makes it.
"""

from __future__ import annotations

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Event, Lock
from typing import ClassVar

from core import Driver, InvalidParameter, SluiceError, choice, tr
from workloads.shared.servers import (
    COUNTED,
    PASSING,
    Backend,
    S3Access,
    S3Repeats,
    code_of,
    count_on_wire,
    remedy_of,
    status_of,
)

type CountTally = Callable[[str, float], None]

NO_SUCH_KEY = "NoSuchKey"
ABSENT = ("", "404", NO_SUCH_KEY)
"""How clients name what is not there; an unknown bucket or key of a user's is 404, too."""
USUAL = "auto"
"""The client that is usual for a kind of server."""
_LONGEST_WAIT = 20.0  # seconds, as in botocore's own modes


@dataclass(frozen=True, kw_only=True)
class Place(S3Repeats):
    """Where objects are and how a client reaches them; names of objects are below it."""

    s3: S3Access | None = None
    """None for plain http."""
    url: str = ""
    """Of a folder behind plain http, with a slash at its end."""

    @property
    def repeating(self) -> float:
        """Seconds for which libraries may repeat a request: of 30 s obstore's own 3 minutes."""
        return 6 * self.timeout


class RequestFailed(SluiceError):
    """A failed request, in one line: with the status of the answer, or its cause without one."""

    def __init__(self, text: str, *, status: int = 0, code: str = "") -> None:
        """`code`: S3's or botocore's name for the cause, for which a remedy is known."""
        super().__init__(text)
        self.response = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
        """As botocore's errors have it."""


_PARTIAL = 206


def require_range(status: int, content_range: str, asked: tuple[int, int], received: int) -> None:
    """Raise RequestFailed unless an answer is the range that was asked for: first byte, length.

    A server may answer with the whole object, or with another range.
    """
    first, length = asked
    asked_range = f"bytes {first}-{first + length - 1}/"
    if status != _PARTIAL or not content_range.startswith(asked_range) or received != length:
        raise RequestFailed(
            tr(
                "asked for {wanted}, and the answer is {status} with {size:,} B of {range!r}",
                wanted=asked_range.rstrip("/"),
                status=status,
                size=received,
                range=content_range,
            ),
            status=status,
            code=OTHER_RANGE,
        )


OTHER_RANGE = "OtherRange"
"""The name of an answer with another range."""
UNREACHED, TOO_LATE, CUT = "EndpointConnectionError", "ReadTimeoutError", "ConnectionClosedError"
UNTRUSTED = "SSLError"
"""botocore's names for failures without an answer."""
REDIRECTED, GARBLED, SHORT = "Redirected", "BadAnswer", "ShortData"
"""The names of answers that lead elsewhere, again and again, that are none, and of cut-off data."""
_LASTING = frozenset({UNTRUSTED, REDIRECTED})
"""What no repetition helps against."""


class ObjectClient(ABC):
    """Reads and writes objects below one place."""

    failures: tuple[type[Exception], ...] = (RequestFailed,)
    """What it raises where a server or a network fails; `status_of` and `code_of` know them."""
    batches: ClassVar[bool] = False
    """Whether `get_many` has several requests on their way at once."""

    def __init__(self, tally: CountTally) -> None:
        self._tally = tally
        self._settling = Lock()
        self._successes, self._settled = itertools.count(), 0

    @abstractmethod
    def get(self, name: str) -> bytes | None:
        """The whole object; None where there is none.  Raises one of `failures`."""

    def fetch(self, name: str) -> bytes | None:
        """As `get`, but a success may count with the next `settle` only.

        To count takes a microsecond, and after a request, when all caches are cold, ten.
        """
        return self.get(name)

    def settle(self) -> None:
        """Count all that `fetch` has fetched; called for many, while as much counts as did then."""
        with self._settling:
            number = next(self._successes)
            count, self._settled = number - self._settled, number + 1
        if count:
            self._tally("requests", count)
            count_on_wire(0, count)

    def get_many(self, names: Sequence[str]) -> Sequence[bytes | Exception | None]:
        """The objects, where it `batches`; one of `failures` in the place of each that failed."""
        raise NotImplementedError

    @abstractmethod
    def get_range(self, name: str, first: int, length: int) -> bytes:
        """Exactly these bytes of an object; raises one of `failures` for any others."""

    @abstractmethod
    def size(self, name: str) -> int:
        """Bytes of an object; raises one of `failures`."""

    @abstractmethod
    def put(self, name: str, value: bytes) -> None:
        """Write an object, in place of one that may be there; raises one of `failures`."""

    def close(self) -> None:
        """Let go of connections and threads; called once, when no thread uses it any more."""

    def count(self, status: int = 0) -> None:
        """Count a request, and its answer where that is a refusal."""
        self._tally("requests", 1)
        if status and str(status) in COUNTED:
            self._tally("refusals", 1)
        count_on_wire(status)


class Repeats:
    """Repeats what fails in passing, after a random wait that doubles with every attempt."""

    def __init__(self, attempts: int, base: float, tally: CountTally) -> None:
        """`base`: the longest wait before the first repetition, in seconds."""
        self.attempts, self._base, self._tally = attempts, base, tally
        self._never = Event()

    def perform[Answer](
        self,
        request: Callable[[], Answer],
        failures: tuple[type[Exception], ...],
        attempts: int = 0,
    ) -> Answer:
        """The answer to a request; raises the last of its failures."""
        for attempt in range(1, attempts or self.attempts):
            try:
                return request()
            except failures as error:
                lasting = code_of(error) in _LASTING
                if lasting or status_of(error) not in (0, *PASSING):  # without an answer it is 0
                    raise
            self._tally("retries", 1)
            # "Full jitter": a random time up to the base, which doubles with every attempt.
            wait = random.uniform(0, min(self._base * 2 ** (attempt - 1), _LONGEST_WAIT))
            self._never.wait(wait)
            self._tally("backoff seconds", wait)
        return request()


@dataclass(frozen=True, kw_only=True)
class ClientEntry(Backend):
    """A client; `Class(place, tally)` opens it."""

    speaks: tuple[str, ...]
    """Of `s3` and `http`."""
    rate: int
    """Requests a second that one process makes at most."""

    def open(self, place: Place, tally: CountTally) -> ObjectClient:
        """The client; raises Unavailable without its driver, and SluiceError."""
        opened: ObjectClient = self.opened(place, tally)
        return opened


SET_UP = 'make .venv EXTRAS="s3"'
BOTO3 = Driver(module="boto3", distribution="boto3", install=SET_UP)
S3FS = Driver(module="s3fs", distribution="s3fs", install=SET_UP)
OBSTORE = Driver(module="obstore", distribution="obstore", install=SET_UP)

CLIENTS: tuple[ClientEntry, ...] = (
    ClientEntry(
        name="boto3",
        title="boto3, whose threads take turns at the interpreter; S3 only.",
        load="workloads.shared.objects.boto3_client:Boto3Objects",
        drivers=(BOTO3,),
        speaks=("s3",),
        rate=1000,
    ),
    ClientEntry(
        name="s3fs",
        title="s3fs of fsspec, on aiobotocore: one event loop for all threads, and two requests for each whole object; S3 only.",
        load="workloads.shared.objects.s3fs_client:S3fsObjects",
        drivers=(S3FS,),
        speaks=("s3",),
        rate=2000,
    ),
    ClientEntry(
        name="obstore",
        title="obstore, compiled from Rust; S3 and plain http.",
        load="workloads.shared.objects.obstore_client:ObstoreObjects",
        drivers=(OBSTORE,),
        speaks=("s3", "http"),
        rate=8000,
    ),
    ClientEntry(
        name="http",
        title="Python's own http.client, a connection for each thread; plain http only.",
        load="workloads.shared.objects.http_client:HttpObjects",
        speaks=("http",),
        rate=8000,
    ),
)


@dataclass(frozen=True, kw_only=True)
class ClientParameters:
    """The choice of a client; workloads declare theirs by `same_as`."""

    client: str = choice(
        USUAL,
        options={USUAL: "boto3 for S3, http for a web server."}
        | {entry.name: entry.option for entry in CLIENTS},
        help="What makes the requests, as many at once as the load has threads.",
    )


BY_NAME: Mapping[str, ClientEntry] = {entry.name: entry for entry in CLIENTS}
_USUAL = {"s3": "boto3", "http": "http"}


def client_for(name: str, server: str) -> ClientEntry:
    """The row of a client, or of the usual one; raises InvalidParameter where it cannot speak."""
    entry = BY_NAME[_USUAL[server] if name == USUAL else name]
    if server not in entry.speaks:
        fitting = (one.name for one in CLIENTS if server in one.speaks)
        raise InvalidParameter(
            "client",
            tr("{client} does not read from {server}", client=name, server=server),
            tr("set client to one of: {names}", names=", ".join(fitting)),
        )
    return entry


def not_given(where: str, error: Exception) -> SluiceError:
    """A failure where nothing can go on without the answer, and what to do."""
    return SluiceError(
        tr("{where} does not answer as it should: {why}", where=where, why=error), remedy_of(error)
    )
