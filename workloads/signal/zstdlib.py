"""Two zstds without slow5lib's code around them: the one inside pyslow5, and this machine's.

`content_size` parses a frame just enough to find its end and size (RFC 8878).
"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_size_t, c_uint, c_ulonglong, c_void_p
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from workloads.signal.reads import Undecodable

type _Signatures = dict[str, tuple[Any, tuple[Any, ...]]]

_SIGNATURES: _Signatures = {
    "ZSTD_versionString": (c_char_p, ()),
    "ZSTD_decompress": (c_size_t, (c_void_p, c_size_t, c_void_p, c_size_t)),
    "ZSTD_isError": (c_uint, (c_size_t,)),
}
_WITH_CONTEXT: _Signatures = {
    **_SIGNATURES,
    "ZSTD_createDCtx": (c_void_p, ()),
    "ZSTD_freeDCtx": (c_size_t, (c_void_p,)),
    "ZSTD_decompressDCtx": (c_size_t, (c_void_p, c_void_p, c_size_t, c_void_p, c_size_t)),
    "ZSTD_getFrameContentSize": (c_ulonglong, (c_void_p, c_size_t)),
}
_NAMES = ("libzstd.so.1", "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib")


def decompressed(data: bytes, size: int) -> bytes | None:
    """Content of a frame by pyslow5's, empty for a damaged one; None where this zstd is missing."""
    library = _inside_pyslow5()
    if library is None:
        return None
    memory = ctypes.create_string_buffer(max(1, size))
    got = library.ZSTD_decompress(memory, size, data, len(data))
    return b"" if library.ZSTD_isError(got) else memory.raw[:got]


def version_inside_pyslow5() -> str:
    """Its version; empty where it is missing."""
    return _version(_inside_pyslow5())


def version_here() -> str:
    """The version of this machine's; empty where there is none."""
    return _version(here())


@lru_cache
def here() -> Any:
    """This machine's zstd, its functions declared; None where there is none."""
    return next((found for name in _NAMES if (found := _loaded(name, _WITH_CONTEXT))), None)


@lru_cache
def _inside_pyslow5() -> Any:
    found = find_spec("pyslow5")
    # Of a library that was loaded those that it needs can be called, too.
    return _loaded(found.origin, _SIGNATURES) if found and found.origin else None


def _loaded(name: str, signatures: _Signatures) -> Any:
    try:
        library = ctypes.CDLL(name)
        for function, (result, arguments) in signatures.items():
            declared = getattr(library, function)
            declared.restype, declared.argtypes = result, arguments
    except (OSError, AttributeError):
        return None
    return library


def _version(library: Any) -> str:
    return library.ZSTD_versionString().decode() if library else ""


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
