"""The engine's front door: every public name, and nothing else.

Names are loaded when they are first used, so that `python -m core --help` and the window's
first paint import only what they need.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.dataset import Dataset as Dataset
    from core.dataset import DatasetKind as DatasetKind
    from core.dataset import Tell as Tell
    from core.dataset import regular_files as regular_files
    from core.dataset import tell_nobody as tell_nobody
    from core.errors import DatasetError as DatasetError
    from core.errors import InvalidParameter as InvalidParameter
    from core.errors import SessionError as SessionError
    from core.errors import SluiceError as SluiceError
    from core.errors import Unavailable as Unavailable
    from core.errors import UnknownName as UnknownName
    from core.errors import UsageError as UsageError
    from core.making import locked as locked
    from core.making import written_once as written_once
    from core.parameters import Driver as Driver
    from core.parameters import Option as Option
    from core.parameters import choice as choice
    from core.parameters import flag as flag
    from core.parameters import integer as integer
    from core.parameters import location as location
    from core.parameters import real as real
    from core.parameters import reveal as reveal
    from core.parameters import secret as secret
    from core.parameters import text as text
    from core.registry import Entry as Entry
    from core.registry import KindEntry as KindEntry
    from core.registry import dataset_kind as dataset_kind
    from core.workload import Context as Context
    from core.workload import Job as Job
    from core.workload import Step as Step
    from core.workload import Weight as Weight
    from core.workload import Workload as Workload

_HOMES = {
    "core.dataset": ("Dataset", "DatasetKind", "Tell", "regular_files", "tell_nobody"),
    "core.errors": (
        "DatasetError",
        "InvalidParameter",
        "SessionError",
        "SluiceError",
        "Unavailable",
        "UnknownName",
        "UsageError",
    ),
    "core.making": ("locked", "written_once"),
    "core.parameters": (
        "Driver",
        "Option",
        "choice",
        "flag",
        "integer",
        "location",
        "real",
        "reveal",
        "secret",
        "text",
    ),
    "core.registry": ("Entry", "KindEntry", "dataset_kind"),
    "core.workload": ("Context", "Job", "Step", "Weight", "Workload"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 -- pinned by tests/core/test_front_door.py


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return __all__
