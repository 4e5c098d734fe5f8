"""Random choices of tests: the same in every run, and others in `make fuzz`.

SLUICE_FUZZ says how many times as many examples are to be tried, and makes them random;
SLUICE_SEED repeats a random run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import hypothesis
from hypothesis.internal.conjecture import providers

TIMES = int(os.environ.get("SLUICE_FUZZ", "0"))
FUZZING = TIMES > 0
SEED = int(os.environ.get("SLUICE_SEED") or random.SystemRandom().getrandbits(31)) if FUZZING else 0

# How long an example takes says more of what else the machine does than of the code.
_PATIENT = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}


def seed(usual: int) -> int:
    """The seed of a test's random choices, which is `usual` unless others are searched."""
    return random.Random(f"{SEED} {usual}").getrandbits(32) if FUZZING else usual


def drawn(usual: int) -> random.Random:
    """A test's source of random choices; `usual` as in `seed`."""
    return random.Random(seed(usual))


def rounds(usual: int) -> int:
    """How often to try at random."""
    return usual * max(TIMES, 1)


def load_profile() -> None:
    """Have hypothesis draw the same examples in every run, or others with every seed."""
    hypothesis.settings.register_profile(
        "repeatable", derandomize=True, database=None, print_blob=True, **_PATIENT
    )
    hypothesis.settings.register_profile("fuzz", derandomize=False, print_blob=True, **_PATIENT)
    hypothesis.settings.load_profile("fuzz" if FUZZING else "repeatable")
    if not FUZZING:
        # It draws numbers that it reads in the modules which are loaded, and those are others for
        # every choice of tests.  No setting says otherwise.
        setattr(providers, _IS_READ, lambda path: False)


def search_more(test: Callable[..., Any]) -> None:
    """Have a test of hypothesis try more examples, also where it says how many, from our seed."""
    hypothesis.seed(SEED)(test)
    # A test that has settings takes no others by any public way.
    kept: hypothesis.settings = getattr(test, _SETTINGS)
    more = hypothesis.settings(kept, max_examples=rounds(kept.max_examples))
    setattr(test, _SETTINGS, more)


_IS_READ = "is_local_module_file"
_SETTINGS = "_hypothesis_internal_use_settings"
