"""Two zstds, called without slow5lib around them: the one inside pyslow5, and this machine's."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_size_t, c_uint, c_ulonglong, c_void_p
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

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


def zstd_decompressed(data: bytes, size: int) -> bytes | None:
    """Content of a frame by pyslow5's, empty for a damaged one; None where this zstd is missing."""
    library = _inside_pyslow5()
    if library is None:
        return None
    memory = ctypes.create_string_buffer(max(1, size))
    got = library.ZSTD_decompress(memory, size, data, len(data))
    return b"" if library.ZSTD_isError(got) else memory.raw[:got]


def zstd_version_inside_pyslow5() -> str:
    """Its version; empty where it is missing."""
    return _version(_inside_pyslow5())


def zstd_version_here() -> str:
    """The version of this machine's; empty where there is none."""
    return _version(zstd_here())


@lru_cache
def zstd_here() -> Any:
    """This machine's zstd, its functions declared; None where there is none."""
    return next((library for name in _NAMES if (library := _loaded(name, _WITH_CONTEXT))), None)


@lru_cache
def _inside_pyslow5() -> Any:
    module = find_spec("pyslow5")
    # Of a library that was loaded those that it needs can be called, too.
    return _loaded(module.origin, _SIGNATURES) if module and module.origin else None


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
