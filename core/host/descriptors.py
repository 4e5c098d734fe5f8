"""Whether this process has run out of descriptors, which libraries say in words of their own.

SQLite is "unable to open database file", htslib "could not load index", boto3 "could not connect to
the endpoint": so the process's own descriptors are held against its limit.
"""

from __future__ import annotations

import errno
import os
import resource  # at the top: without descriptors nothing can be imported
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from core.language.translation import tr

_SPARE = 8
"""An operation that failed may have given back so many before anybody looks."""
_NONE_LEFT = (errno.EMFILE, errno.ENFILE)


class Descriptors(NamedTuple):
    """How many a process has open, and how many it may have."""

    used: int
    limit: int

    @property
    def used_up(self) -> bool:
        """Whether hardly one is left."""
        return self.used + _SPARE >= self.limit


def descriptors() -> Descriptors | None:
    """Those of this process now; None without a limit, or where they cannot be counted."""
    limit = descriptor_limit()
    if limit is None:
        return None
    with suppress(OSError):
        if used := os.stat("/proc/self/fd").st_size:  # since Linux 6.2, without opening anything
            return Descriptors(used, limit)
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            return Descriptors(len(os.listdir(folder)) - 1, limit)  # without that of the listing
        except OSError as error:
            if error.errno in _NONE_LEFT:
                return Descriptors(limit, limit)
    return None


def descriptor_limit() -> int | None:
    """How many descriptors a process may have, children too; None without a limit."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def shortage(error: BaseException, look: Callable[[], Descriptors | None] = descriptors) -> str:
    """Why an error came, and what to do, if it came for want of descriptors; or else empty.

    To be called as soon as the error is there: what it unwinds gives descriptors back.
    """
    said = any(isinstance(one, OSError) and one.errno in _NONE_LEFT for one in _causes(error))
    seen = look()
    if seen is None or not (said or seen.used_up):
        return tr("too many open files: {advice}", advice=_advice()) if said else ""
    return tr(
        "too many open files, {used} of at most {limit}: {advice}",
        used=min(seen.used, seen.limit),  # inherited ones may have numbers beyond the limit
        limit=seen.limit,
        advice=_advice(),
    )


def _advice() -> str:
    return tr("keep fewer open (fewer threads, a smaller cache) or raise `ulimit -n`")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
