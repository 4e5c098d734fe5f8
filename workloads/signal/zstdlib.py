"""The zstd that comes with pyslow5, beside that of pyarrow; without slow5lib's code around it."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_size_t, c_uint, c_void_p
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "ZSTD_decompress": (c_size_t, (c_void_p, c_size_t, c_char_p, c_size_t)),
    "ZSTD_isError": (c_uint, (c_size_t,)),
}


def decompressed(data: bytes, size: int) -> bytes | None:
    """Content of a frame, empty for a damaged one; None where this zstd is missing."""
    library = _library()
    if library is None:
        return None
    memory = ctypes.create_string_buffer(max(1, size))
    got = library.ZSTD_decompress(memory, size, data, len(data))
    return b"" if library.ZSTD_isError(got) else memory.raw[:got]


@lru_cache
def _library() -> Any:
    found = find_spec("pyslow5")
    try:
        # Of a library that was loaded those that it needs can be called, too.
        loaded = ctypes.CDLL(found.origin if found and found.origin else "")
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError):
        return None
    return loaded
