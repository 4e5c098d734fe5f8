"""The engine's front door: every public name, and nothing else.

Names are loaded when they are first used, so that `python -m core --help` and the window's
first paint import only what they need.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.advice import setting_of as setting_of
    from core.advising import Line as Line
    from core.advising import lines as lines
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
    from core.result import Moment as Moment
    from core.result import Result as Result
    from core.result import Trial as Trial
    from core.scaling import Evidence as Evidence
    from core.scaling import Point as Point
    from core.scaling import fit_law as fit_law
    from core.scaling import pooled_noise as pooled_noise
    from core.scaling import recommend as recommend
    from core.summary import unit_of as unit_of
    from core.units import show_byte_rate as show_byte_rate
    from core.units import show_clock as show_clock
    from core.units import show_count as show_count
    from core.units import show_rate as show_rate
    from core.units import show_seconds as show_seconds
    from core.units import show_share as show_share
    from core.units import show_size as show_size
    from core.workload import Context as Context
    from core.workload import Job as Job
    from core.workload import Step as Step
    from core.workload import Weight as Weight
    from core.workload import Workload as Workload

_HOMES = {
    "core.advice": ("setting_of",),
    "core.advising": ("Line", "lines"),
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
    "core.result": ("Moment", "Result", "Trial"),
    "core.scaling": ("Evidence", "Point", "fit_law", "pooled_noise", "recommend"),
    "core.summary": ("unit_of",),
    "core.units": (
        "show_byte_rate",
        "show_clock",
        "show_count",
        "show_rate",
        "show_seconds",
        "show_share",
        "show_size",
    ),
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
