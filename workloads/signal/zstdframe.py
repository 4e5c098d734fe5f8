"""Parses frames of zstd just enough to find their end and the size of their content (RFC 8878)."""

from __future__ import annotations

from workloads.signal.damage import Undecodable

_MAGIC = b"\x28\xb5\x2f\xfd"
_SIZES = (0, 2, 4, 8)  # bytes of the content's size, by the descriptor's first two bits
_DICTIONARIES = (0, 1, 2, 4)  # bytes of a dictionary's number, by its last two
_SINGLE, _RESERVED, _CHECKSUM = 0x20, 0x08, 0x04
_BLOCK = 1 << 17  # most bytes that one block holds
_RAW, _REPEATED, _COMPRESSED = 0, 1, 2


def content_size(data: bytes) -> int:
    """Size of the content, where these bytes are exactly one frame; else raises Undecodable."""
    try:
        size, at, checksum = _header(data)
        blocks, at = _blocks(data, at)
    except IndexError:
        raise Undecodable("zstd: the frame is cut off") from None
    end = at + 4 * checksum
    if end > len(data):
        raise Undecodable("zstd: the frame is cut off")
    if end < len(data):
        raise Undecodable(f"zstd: {len(data) - end:,} bytes follow its frame")
    if size > blocks * _BLOCK:
        raise Undecodable("zstd: the frame says that it holds more than its blocks can")
    return size


def _header(data: bytes) -> tuple[int, int, bool]:
    """Size of the content, where the first block begins, whether a checksum ends the frame."""
    if data[:4] != _MAGIC:
        raise Undecodable("zstd: this is no frame")
    descriptor = data[4]
    single = bool(descriptor & _SINGLE)
    width = _SIZES[descriptor >> 6] or int(single)
    if descriptor & _RESERVED:
        raise Undecodable("zstd: the frame's header is damaged")
    if not width:
        raise Undecodable("zstd: the frame does not tell its size")
    dictionary = _DICTIONARIES[descriptor & 3]
    at = 5 + (not single)
    if any(data[at : at + dictionary]):
        raise Undecodable("zstd: the frame needs a dictionary")
    at += dictionary
    size = int.from_bytes(data[at : at + width], "little") + (256 if width == 2 else 0)
    return size, at + width, bool(descriptor & _CHECKSUM)


def _blocks(data: bytes, at: int) -> tuple[int, int]:
    """How many blocks there are, and where the last ends."""
    count, last = 0, False
    while not last:
        data[at + 2]  # raises IndexError where the header is cut off
        header = int.from_bytes(data[at : at + 3], "little")
        last, kind, size = bool(header & 1), header >> 1 & 3, header >> 3
        if kind not in (_RAW, _REPEATED, _COMPRESSED):
            raise Undecodable("zstd: a block is of no known kind")
        at += 3 + (1 if kind == _REPEATED else size)
        count += 1
    return count, at
