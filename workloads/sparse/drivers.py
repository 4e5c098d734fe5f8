"""svfsc: the extension module, and its C++ sources with a compiler for rows without Python.

svfsc comes as a source distribution only.  Set-up builds it and keeps its C++ sources beside
the environment, because the module that it installs has neither headers nor mutexes.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import override

from core import Driver, Unavailable
from workloads.shared import native

_SET_UP = 'make .venv EXTRAS="sparse", which needs a C++ compiler (apt-get install g++)'
_SOURCES = ("svf.h", "svf.cpp", "svfs.h", "svfs.cpp")


def sources() -> Path | None:
    """The folder of svfsc's C++ sources: `SLUICE_SVFSC_SOURCES`, else where set-up put them."""
    named = os.environ.get("SLUICE_SVFSC_SOURCES", "")
    for folder in ([Path(named)] if named else []) + [Path(sys.prefix, "share/svfsc/src/cpp")]:
        if all((folder / name).is_file() for name in _SOURCES):
            return folder
    return None


def version() -> str:
    """The version of the installed svfsc, from the name of its metadata folder; empty without one.

    Reading the metadata would take longer than some trials.
    """
    spec = importlib.util.find_spec("svfsc")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    name = next((one.name for one in folder.glob("svfsc-*.dist-info")), "")
    return name.removeprefix("svfsc-").removesuffix(".dist-info")


def compiler() -> str | None:
    """The C++ compiler: what `CXX` names, else the first that is found."""
    return native.compiler("CXX", "c++", "g++", "clang++")


@dataclass(frozen=True, kw_only=True)
class NativeDriver(Driver):
    """Sources and a compiler, where another driver is a module."""

    @property
    @override
    def title(self) -> str:
        return f"{self.distribution} from C++"

    @property
    @override
    def installed(self) -> bool:
        return sources() is not None and compiler() is not None

    @override
    def require(self) -> None:
        """Raise `Unavailable` with the remedy unless the harness can be compiled."""
        if sources() is None:
            raise Unavailable(
                f"unavailable: the C++ sources of {self.distribution} are missing", self.remedy
            )
        if compiler() is None:
            raise Unavailable(
                "unavailable: a C++ compiler is missing", "install: apt-get install g++"
            )


PYTHON = Driver(module="svfsc", distribution="svfsc", install=_SET_UP)
NATIVE = NativeDriver(module="svfsc", distribution="svfsc", install=_SET_UP)
