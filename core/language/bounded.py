"""Numbers as values from outside may hold them; msgspec refuses others where it decodes.

A session, an export and a child's message can come from anyone, and a file can hold what no trial
has.  Within these bounds sums, ratios, squares and dates can be computed without an overflow.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

MOST_CORES = 65_536
"""Cores of a machine; Linux can be built for 8,192."""
MOST_WORKERS = 16_384
"""Worker threads of a trial, in all its processes."""
MOST_PLACES = 10_000_000
"""Numbers of trials and blocks."""
FARTHEST = 253_402_214_400.0
"""Seconds since 1970 at which the year 9999 ends: what a calendar can show."""
LARGEST_NUMBER = 1e30
"""Of measured numbers that are not whole."""
LARGEST_WHOLE = 2**63 - 1
"""Of whole numbers: they have 64 bits."""

Whole = Annotated[int, msgspec.Meta(ge=-LARGEST_WHOLE - 1, le=LARGEST_WHOLE)]
"""A whole number of 64 bits."""
Natural = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_WHOLE)]
"""A whole number that is not negative."""
Cores = Annotated[int, msgspec.Meta(ge=1, le=MOST_CORES)]
Place = Annotated[int, msgspec.Meta(ge=0, le=MOST_PLACES)]
Finite = Annotated[float, msgspec.Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
WallClock = Annotated[float, msgspec.Meta(ge=0, le=FARTHEST)]
"""Seconds since 1970, UTC."""
