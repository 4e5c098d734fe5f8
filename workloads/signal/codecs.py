"""Decoders of the oracle, in numpy, independent of the libraries under test.

svb-zd (BLOW5) is StreamVByte over zigzagged differences of 32 bits: two bits of each value say
how many bytes it has.  VBZ (POD5) is the same over 16 bits, with one bit each, inside zstd.
Published specifications: slow5specs 1.0 and pod5-file-format's SPECIFICATION.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from workloads.signal import zstdframe, zstdlib
from workloads.signal.damage import Undecodable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def inflate(data: bytes) -> bytes:
    """What zlib has compressed, to the last byte."""
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(data)
    except zlib.error as error:
        raise Undecodable(f"zlib: {error}") from error
    if not stream.eof:
        raise Undecodable("zlib: the stream is cut off")
    if stream.unused_data:
        raise Undecodable(f"zlib: {len(stream.unused_data):,} bytes follow its stream")
    return found


def unzstd(data: bytes) -> bytes:
    """What zstd has compressed, in one frame that tells its size and ends with the data.

    Size and, where there is one, checksum are verified; zstd's own library ignores what follows a
    frame, and a frame that leaves its size open is refused by both formats' libraries.

    Pyarrow's zstd accepts some damaged frames, because it does not check where Huffman streams end:
    among 200 damaged files it missed five that zstd 1.3 noticed.  So another zstd decodes too,
    where there is one; a frame on which they differ is damaged.
    """
    import pyarrow as pa

    size = zstdframe.content_size(data)
    try:
        found = bytes(pa.Codec("zstd").decompress(data, decompressed_size=size, asbytes=True))
    except (OSError, ValueError, MemoryError, pa.ArrowException) as error:
        raise Undecodable(f"zstd: {error}") from error
    other = zstdlib.decompressed(data, size)
    if other is not None and other != found:
        raise Undecodable("zstd: the frame is damaged, which only some versions of zstd notice")
    return found


def svb_zd(data: bytes) -> NDArray[np.int16]:
    """Samples from svb-zd."""
    import numpy as np

    if len(data) < 4:
        raise Undecodable("svb-zd without its number of samples")
    count = int.from_bytes(data[:4], "little")
    controls = -(-count // 4)
    if len(data) < 4 + controls + count:
        raise Undecodable("svb-zd ends before its last sample")
    keys = np.frombuffer(data, np.uint8, controls, 4)
    parts = (keys[:, None] >> np.array([0, 2, 4, 6], np.uint8)) & np.uint8(3)
    more = parts.ravel()[:count].astype(np.uint8)
    return _samples(_values(np.frombuffer(data, np.uint8, offset=4 + controls), more))


def vbz(data: bytes, count: int) -> NDArray[np.int16]:
    """That many samples from VBZ."""
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
