"""Standard streams that whoever started this process has closed, as `<&-` and `>&-` do."""

from __future__ import annotations

import os
from contextlib import suppress

_STANDARD = range(3)


def fill_closed_streams() -> None:
    """Open nothing in place of each standard stream that is closed.

    The next file, pipe or session would else get its number; children would read it as their input,
    and what a library prints would be written into it.
    """
    with suppress(OSError):  # no descriptor is left, and so none is closed
        while (opened := os.open(os.devnull, os.O_RDWR)) in _STANDARD:
            os.set_inheritable(opened, True)
        os.close(opened)
