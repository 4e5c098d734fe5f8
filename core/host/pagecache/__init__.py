"""The page cache: how much of a dataset it holds, and how to fill or empty it.

None of this needs root, and none of it raises for a file that is missing, unreadable or not a
regular file: the `problems` of the answer say what could not be done.
"""

from core.host.pagecache.cache_residency import (
    PROVEN_COLD,
    Problem,
    Residency,
    is_proven_cold,
    residency,
)
from core.host.pagecache.warm_and_evict import Evicted, Warmed, evict, never_evicted, warm

__all__ = [
    "PROVEN_COLD",
    "Evicted",
    "Problem",
    "Residency",
    "Warmed",
    "evict",
    "is_proven_cold",
    "never_evicted",
    "residency",
    "warm",
]
