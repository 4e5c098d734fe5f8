"""Decoders of the oracle, in numpy, independent of the libraries under test.

svb-zd (BLOW5) is StreamVByte over zigzagged differences of 32 bits: two bits of each value say
how many bytes it has.  VBZ (POD5) is the same over 16 bits, with one bit each, inside zstd.  ex-zd
(BLOW5) keeps zigzagged differences in a byte each; those that need more stand apart, with their
places.
Published specifications: slow5specs 1.0 and pod5-file-format's SPECIFICATION; ex-zd, which has
none, as src/slow5_press.c of slow5lib 1.4 lays it out.

A frame of zstd is parsed just enough to find its end and size (RFC 8878).
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from workloads.signal.reads import Undecodable, Unknown
from workloads.signal.zstd_libraries import zstd_decompressed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_EX_ZD = struct.Struct("<BQBHI")
"""Version, number of samples, bits they are shifted by, first difference, number of exceptions."""
_MOST_SHIFTED = 5


def inflate(data: bytes) -> bytes:
    """What zlib has compressed, to the last byte."""
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(data)
    except zlib.error as error:
        raise Undecodable(f"zlib: {error}") from error
    if not stream.eof:
        raise Undecodable("zlib: the stream is cut off")
    if stream.unused_data:
        raise Undecodable(f"zlib: {len(stream.unused_data):,} bytes follow its stream")
    return content


def unzstd(data: bytes) -> bytes:
    """What zstd has compressed, in one frame that tells its size and ends with the data.

    Size and, where there is one, checksum are verified; zstd's own library ignores what follows a
    frame, and a frame that leaves its size open is refused by both formats' libraries.

    Pyarrow's zstd accepts some damaged frames, because it does not check where Huffman streams end:
    among 200 damaged files it missed five that zstd 1.3 noticed.  So another zstd decodes too,
    where there is one; a frame on which they differ is damaged.
    """
    import pyarrow as pa

    size = zstd_content_size(data)
    try:
        content = bytes(pa.Codec("zstd").decompress(data, decompressed_size=size, asbytes=True))
    except (OSError, ValueError, MemoryError, pa.ArrowException) as error:
        raise Undecodable(f"zstd: {error}") from error
    other = zstd_decompressed(data, size)
    if other is not None and other != content:
        raise Undecodable("zstd: the frame is damaged, which only some versions of zstd notice")
    return content


def svb_zd(data: bytes) -> NDArray[np.int16]:
    if len(data) < 4:
        raise Undecodable("svb-zd without its number of samples")
    return _samples(_stream_vbyte(data[4:], int.from_bytes(data[:4], "little"), "svb-zd"))


def ex_zd(data: bytes) -> NDArray[np.int16]:
    import numpy as np

    if data[:1] > b"\0":
        raise Unknown(f"ex-zd of version {data[0]}")
    if len(data) < _EX_ZD.size:
        raise Undecodable("ex-zd ends before its samples")
    _, count, shift, first, odd = _EX_ZD.unpack_from(data)
    if count == 0 or shift > _MOST_SHIFTED or odd >= count:
        raise Undecodable("ex-zd with numbers that cannot be")
    places, values, start = _apart(data, odd)
    if len(data) - start != count - 1 - odd:
        raise Undecodable("ex-zd has more or fewer bytes than samples")
    zigzag = np.empty(count, np.uint32)
    zigzag[0] = first
    behind = zigzag[1:]
    if odd and int(places[-1]) >= len(behind):
        raise Undecodable("ex-zd has an exception beyond its last sample")
    in_a_byte = np.ones(len(behind), bool)
    in_a_byte[places] = False
    behind[places] = values
    behind[in_a_byte] = np.frombuffer(data, np.uint8, offset=start)
    return _samples(zigzag) << np.int16(shift)


def _apart(data: bytes, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Places and values of what does not fit into a byte, and where the bytes begin."""
    import numpy as np

    at = _EX_ZD.size
    parts: list[NDArray[np.int64]] = []
    for _ in range(2 if count else 0):
        if count == 1:  # bare
            size = 4
            whole = np.frombuffer(data[at : at + size].ljust(size, b"\0"), "<u4").astype(np.uint32)
        else:
            size = int.from_bytes(data[at : at + 4], "little")
            at += 4
            whole = _stream_vbyte(data[at : at + size], count, "ex-zd")
        at += size
        parts.append(whole.astype(np.int64))
    if at > len(data):
        raise Undecodable("ex-zd ends within its exceptions")
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64), at
    steps, values = parts
    return np.cumsum(steps + 1) - 1, values + 256, at


def _stream_vbyte(data: bytes, count: int, what: str) -> NDArray[np.uint32]:
    """That many values of 32 bits."""
    import numpy as np

    controls = -(-count // 4)
    if len(data) < controls + count:
        raise Undecodable(f"{what} ends before its last sample")
    keys = np.frombuffer(data, np.uint8, controls)
    parts = (keys[:, None] >> np.array([0, 2, 4, 6], np.uint8)) & np.uint8(3)
    more = parts.ravel()[:count].astype(np.uint8)
    return _values(np.frombuffer(data, np.uint8, offset=controls), more)


def vbz(data: bytes, count: int) -> NDArray[np.int16]:
    import numpy as np

    raw = unzstd(data)
    controls = -(-count // 8)
    if len(raw) < controls + count:
        raise Undecodable("VBZ ends before its last sample")
    more = np.unpackbits(np.frombuffer(raw, np.uint8, controls), count=count, bitorder="little")
    return _samples(_values(np.frombuffer(raw, np.uint8, offset=controls), more))


def _values(payload: NDArray[np.uint8], more: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Little-endian values of 1 + `more` bytes each, which must make up the whole payload."""
    import numpy as np

    ends = np.cumsum(more.astype(np.int64) + 1)
    if (int(ends[-1]) if len(ends) else 0) != len(payload):
        raise Undecodable("the samples take more or fewer bytes than there are")
    starts = ends - 1 - more
    values: NDArray[np.uint32] = payload[starts].astype(np.uint32)
    for byte in range(1, int(more.max(initial=0)) + 1):
        longer = np.flatnonzero(more >= byte)
        values[longer] |= payload[starts[longer] + byte].astype(np.uint32) << np.uint32(8 * byte)
    return values


def _samples(values: NDArray[np.uint32]) -> NDArray[np.int16]:
    """Undo zigzag (0, -1, 1, -2 … as 0, 1, 2, 3 …) and differences."""
    import numpy as np

    wide = values.astype(np.int64)
    return np.cumsum((wide >> 1) ^ -(wide & 1)).astype(np.int16)


_MAGIC = b"\x28\xb5\x2f\xfd"
_SIZES = (0, 2, 4, 8)  # bytes of the content's size, by the descriptor's first two bits
_DICTIONARIES = (0, 1, 2, 4)  # bytes of a dictionary's number, by its last two
_SINGLE, _RESERVED, _CHECKSUM = 0x20, 0x08, 0x04
_BLOCK = 1 << 17  # most bytes that one block holds
_RAW, _REPEATED, _COMPRESSED = 0, 1, 2


def zstd_content_size(data: bytes) -> int:
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
