"""Unpacks what is compressed in a session, up to a limit: a few bytes can unpack to gigabytes."""

from __future__ import annotations

import zlib


class TooMuchError(zlib.error):
    """More is packed than the limit allows."""


def inflated(packed: bytes, most: int) -> bytes:
    """The unpacked bytes; raises zlib.error, which `TooMuchError` is too."""
    return inflated_with_rest(packed, most)[0]


def inflated_with_rest(packed: bytes, most: int) -> tuple[bytes, bytes]:
    """The unpacked bytes, and what follows the packed ones; raises zlib.error."""
    stream = zlib.decompressobj()
    found = stream.decompress(packed, most + 1)
    if len(found) > most:
        raise TooMuchError(f"more than {most:,} bytes are packed in it")
    if not stream.eof:
        raise zlib.error("it is cut short")
    return found, stream.unused_data
