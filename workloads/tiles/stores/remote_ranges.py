"""Ranges of one object behind S3 or plain http, through the client that is chosen."""

from __future__ import annotations

from functools import partial

from workloads.shared.objects import Place, Repeats, client_for, not_given
from workloads.tiles.stores.http_store import http_place
from workloads.tiles.stores.layout import file_name, server_of
from workloads.tiles.stores.pmtiles_archive import Source
from workloads.tiles.stores.s3_store import s3_place
from workloads.tiles.stores.store import Opening


def place_of(opening: Opening) -> tuple[Place, str]:
    """How the server is reached, and what stands before the name of the layer."""
    if server_of(opening.address) == "s3":
        place = s3_place(opening)
        assert place.s3 is not None
        return place, place.s3.address.prefix
    return http_place(opening), ""


def open_remote(opening: Opening, suffix: str) -> Source:
    """An archive that is only read; raises Unavailable, SluiceError."""
    parameters = opening.parameters
    place, prefix = place_of(opening)
    file = file_name(opening.layer, suffix)
    name = f"{prefix}{file}"
    objects = client_for(parameters.client, server_of(opening.address)).open(place, opening.tally)
    own = parameters.retry_mode == "exponential"
    attempts = parameters.attempts if own else 1
    repeats = Repeats(attempts, parameters.backoff_base, opening.tally)

    def read(start: int, length: int) -> bytes:
        return repeats.perform(partial(objects.get_range, name, start, length), objects.failures)

    where = f"{opening.address.partition('?')[0].rstrip('/')}/{file}"
    try:
        size = repeats.perform(partial(objects.size, name), objects.failures)
    except objects.failures as error:
        objects.close()
        raise not_given(where, error) from error
    return Source(where, size, read, objects.close, objects.failures)
