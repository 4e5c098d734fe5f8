"""A file on S3 or a web server, by the client that is chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from core import DatasetError, InvalidParameter, tr
from workloads.shared.objects import (
    ClientEntry,
    CountTally,
    ObjectClient,
    client_for,
    not_given,
)
from workloads.shared.served import Served

if TYPE_CHECKING:
    from workloads.sparse.sparse_remote import RemoteParameters


class ObjectAt(NamedTuple):
    """An open client, and the name of the file for it."""

    objects: ObjectClient
    name: str


def client_at(client: str, address: str) -> ClientEntry:
    """The row of the client; raises InvalidParameter for an address that is none, or not its."""
    scheme = urlsplit(address).scheme
    if scheme not in ("s3", "http", "https"):
        raise InvalidParameter(
            "address",
            tr("{address!r} is no file on a server", address=address),
            tr("give https://host/folder/file or s3://bucket/folder/file"),
        )
    return client_for(client, "s3" if scheme == "s3" else "http")


def opened_object(
    parameters: RemoteParameters, threads: int, size: int, tally: CountTally
) -> ObjectAt:
    """The file, seen to have that size; raises SluiceError."""
    scheme = urlsplit(parameters.address).scheme
    place, name = Served.at(scheme, parameters.address, parameters)
    entry = client_at(parameters.client, parameters.address)
    objects = entry.open(replace(place, connections=threads), tally)
    try:
        there = objects.size(name)
    except objects.failures as error:
        objects.close()
        raise not_given(parameters.address, error) from error
    if there != size:
        objects.close()
        raise DatasetError(
            tr(
                "{address} has {there:,} B, and the local file {here:,} B",
                address=parameters.address,
                there=there,
                here=size,
            ),
            tr("give the address of the same file, so that what is read can be compared"),
        )
    return ObjectAt(objects, name)
