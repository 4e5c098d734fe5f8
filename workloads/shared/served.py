"""What is read from files here or from a server: as it is there, or as a copy that is put there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, Self, override
from urllib.parse import urlsplit

from core import (
    Context,
    Dataset,
    InvalidParameter,
    Job,
    Load,
    Option,
    ReportProgress,
    Workload,
    choice,
    dataset_kind,
    file_state,
    location,
    same_as,
    tr,
)
from workloads.shared.datasets import DAMAGE
from workloads.shared.link import LINK, NO_LINK, Link, linked, require_linkable
from workloads.shared.objects import OBSTORE, ObjectClient, Place, client_for, not_given
from workloads.shared.servers import (
    CONNECTIONS,
    THREAD_RATE,
    LinkParameters,
    S3Access,
    S3Parameters,
    S3Settings,
    placing,
    s3_address,
)
from workloads.shared.threads import mapped

_S3, _REMOTE = {"store": ("s3",)}, {"store": ("s3", "http")}
_THREADS = 8
"""That put copies there, each by a connection."""


class Served(NamedTuple):
    """A file or a folder on a server."""

    place: Place
    """Its bucket, or the folder on a web server that it stands in."""
    name: str
    """Its key, or its name in that folder."""

    @classmethod
    def at(cls, store: str, address: str, login: S3Settings, copy: str = "") -> Self:
        """What an address names, or the copy in the folder that it names.

        `store`: `s3` or `http`.  Raises InvalidParameter.
        """
        inside = f"/{copy}" if copy else ""
        how: Any = {"connections": _THREADS, "timeout": login.timeout}
        if store == "s3":
            where = s3_address(address)
            key = f"{where.prefix.rstrip('/')}{inside}".lstrip("/")
            return cls(Place(s3=S3Access.by(login, where), **how), key)
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
            raise InvalidParameter(
                "address",
                tr("{address!r} is no address of a web server", address=address),
                tr("give https://host/folder/file, without credentials"),
            )
        folder, _, name = f"{address.rstrip('/')}{inside}".rpartition("/")
        return cls(Place(url=f"{folder}/", **how), name)

    @property
    def url(self) -> str:
        s3 = self.place.s3
        return f"{self.place.url if s3 is None else f's3://{s3.address.bucket}/'}{self.name}"

    def __str__(self) -> str:
        """As messages name it: without a query, which may let somebody in."""
        return self.url.partition("?")[0]

    def client(self) -> ObjectClient:
        """What reads it for those who judge, which is not measured; raises SluiceError."""
        server = "http" if self.place.s3 is None else "s3"
        return client_for("obstore", server).open(self.place, lambda name, by: None)

    def obstore(self, folder: str = "") -> Any:
        """Its place, or a folder in it, as obstore reaches it by itself; raises SluiceError."""
        from workloads.shared.objects.obstore_client import repeating_store

        return repeating_store(self.place, folder)

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What libraries raise that reach it through obstore, or decode what it answers."""
        from workloads.shared.objects.obstore_client import FAILED

        return (*DAMAGE, *FAILED)

    def content(self) -> bytes:
        """All of it; raises SluiceError."""
        with closing(self.client()) as client:
            try:
                return client.get(self.name) or b""
            except client.failures as error:
                raise not_given(str(self), error) from error

    def put(self, root: Path, files: Sequence[Path], report: ReportProgress) -> None:
        """Copy a folder's files there, or one, unless they are as they were; raises SluiceError."""
        state, mark = file_state(*files).encode(), f"{self.name}.sluice"

        with placing("copy", str(self)), closing(self.client()) as client:

            def send(file: Path) -> None:
                name = self.name if file == root else f"{self.name}/{file.relative_to(root)}"
                client.put(name, file.read_bytes())

            try:
                if client.get(mark) == state:
                    return
                for done, _ in enumerate(mapped(_THREADS, "placing", send, files)):
                    report("copying the data to its server", done, len(files), "file")
                client.put(mark, state)  # last: what was cut off is done again
            except client.failures as error:
                raise not_given(str(self), error) from error


@dataclass(frozen=True, kw_only=True)
class ServedParameters:
    """Where the data is; workloads add how they read it."""

    store: str = choice(
        "file",
        options={
            "file": "Files of this machine.",
            "s3": Option(help="A bucket of S3.", driver=OBSTORE),
            "http": Option(help="A web server.", driver=OBSTORE),
        },
        help="Where the data is read from.",
    )
    address: str = location(
        "",
        only_when=_REMOTE,
        help="What is read as it is, such as https://host/file.ending or s3://bucket/key.ending?endpoint=URL, or the folder or prefix for a copy of the dataset.",
    )
    access_key: str = same_as(S3Parameters, "access_key", only_when=_S3)
    secret_key: str = same_as(S3Parameters, "secret_key", only_when=_S3)
    region: str = same_as(S3Parameters, "region", only_when=_S3)
    path_style: bool = same_as(S3Parameters, "path_style", only_when=_S3)
    timeout: float = same_as(S3Parameters, "timeout", only_when=_REMOTE)
    round_trip: float = same_as(LinkParameters, "round_trip", only_when=_REMOTE)
    link_bandwidth: int = same_as(LinkParameters, "link_bandwidth", only_when=_REMOTE)
    request_rate: float = same_as(LinkParameters, "request_rate", only_when=_REMOTE)

    @property
    def remote(self) -> bool:
        """Whether a server has what is read."""
        return self.store != "file"

    @property
    def ending(self) -> str:
        """That of what the address names, such as `.tif`; empty where nothing is on a server."""
        return PurePosixPath(urlsplit(self.address).path.lower()).suffix if self.remote else ""

    @property
    def kind_there(self) -> str:
        """The kind of data that the address itself names; empty for a place of copies."""
        return ""

    @property
    def as_it_is(self) -> bool:
        """Whether what the address names is read, whatever the dataset is."""
        return bool(self.kind_there)

    def refuse(self, kind: str) -> None:
        """Raise InvalidParameter for what does not fit the rest, or data of that kind."""

    def served(self, dataset: Dataset, name: str = "") -> Served | None:
        """What is read, if a server has it; `name`: that of a dataset's copy in the folder there.

        Raises InvalidParameter for no address, and for one that is none.
        """
        if not self.remote:
            return None
        if not self.address:
            raise InvalidParameter(
                "address",
                tr("the store {store} needs an address", store=self.store),
                tr("give its location, without credentials"),
            )
        copy = "" if self.as_it_is else f"{dataset.fingerprint[:20]}-{name}"
        return Served.at(self.store, self.address, self, copy)


class ServedJob[Item, Result](Job[Item, Result]):
    """Reads arrays of numpy's, over a link or from files."""

    length = attrgetter("nbytes")
    link: Link = NO_LINK
    resources: ExitStack
    """What is closed with it."""

    @property
    def notes(self) -> Sequence[str]:  # type: ignore[override]  # after it is open
        return [*self.remarks(), *self.link.notes]

    def remarks(self) -> Sequence[str]:
        """Those on its figures, beside the link's."""
        return ()

    @override
    def counts_so_far(self) -> Mapping[str, float]:
        """What went over the wire, as far as the link counts it; nothing of files."""
        counts = self.link.counted()
        return {name: counts[name] for name in counts if name != CONNECTIONS}

    @override
    def counters(self) -> Mapping[str, float]:
        return self.link.connections()

    @override
    def close(self) -> None:
        self.resources.close()


class ServedWorkload[P: ServedParameters](Workload[P]):
    """A workload whose data can be on a server."""

    lines = ("store", *LINK)

    @override
    def admit(self, parameters: P, dataset: Dataset) -> None:
        parameters.refuse(dataset.kind)
        if parameters.served(dataset):
            require_linkable(parameters.address, parameters)

    @override
    def unread(self, parameters: P) -> str:
        return tr("what the address names is read") if parameters.as_it_is else ""

    def local_files(self, parameters: P, dataset: Dataset) -> Sequence[Path]:
        """What is read here, or copied to a server."""
        return dataset_kind(dataset.kind).files(dataset.path)

    @override
    def files(self, parameters: P, dataset: Dataset) -> Sequence[Path]:
        return () if parameters.remote else self.local_files(parameters, dataset)

    @override
    def requests(self, parameters: P, load: Load, dataset: Dataset) -> Mapping[str, int]:
        """What the threads can make at most; of a copy one for each file."""
        if not parameters.remote:
            return {}
        files = 0 if parameters.as_it_is else len(self.local_files(parameters, dataset)) + 2
        ends = [load.workers * THREAD_RATE * (load.duration + load.warm_up)] * bool(load.duration)
        ends += [load.operations] * bool(load.operations)
        return {"placing": files, "measuring": round(min(ends, default=0))}

    @override
    def irrelevant(self, parameters: P) -> frozenset[str]:
        """The page cache, where a server reads."""
        return frozenset(("page_cache",) if parameters.remote else ())

    @override
    def open(self, context: Context[P]) -> Job[Any, Any]:
        parameters = context.parameters
        for driver in self.drivers(parameters):
            driver.require()
        self.admit(parameters, context.dataset)
        with ExitStack() as resources:
            here, link = parameters, NO_LINK
            if parameters.remote:
                way = linked(parameters.address, parameters, context.load.processes)
                link = resources.enter_context(way)
                here = replace(parameters, address=link.address)
            job = self.opened(context, here, resources)
            job.link, job.resources = link, resources.pop_all()
        return job

    @abstractmethod
    def opened(self, context: Context[P], here: P, resources: ExitStack) -> ServedJob[Any, Any]:
        """The job; `here`: the parameters with the address that clients connect to.

        What is entered into `resources` ends with the job.
        """
