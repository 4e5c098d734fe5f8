"""Imports that take long.  The pool's thread does them, so that the window stays alive.

Each function needs about a second.  After it, the same import on the window's thread takes no time.
"""

from __future__ import annotations

import gc
import importlib
from functools import cache

import core

_SELDOM = (10_000, 20, 20)
"""Objects until the youngest are looked through; how often that, until older ones; and all."""


def bring_plots() -> None:
    """Import what draws: numpy and pyqtgraph."""
    for name in (
        "app.plots.time.run_plots",
        "app.plots.counts.answer_view",
        "app.views.studies_page",
        "app.views.sessions_page",
    ):
        importlib.import_module(name)


def bring_judgement() -> None:
    """Import what runs and sessions need, and what judges results, and searches: scipy."""
    importlib.import_module("scipy.optimize")  # a law is fitted with it
    for name in ("Compared", "RunsBeside"):
        getattr(core, name)  # the front door imports a name on first use
    for study in core.study_names():
        core.load_study(study)  # which keeps it
    set_aside()


@cache
def set_aside() -> None:
    """Keep the garbage collector off what is imported by now, which stays.

    To look through it takes 60 ms with Python's lock held, again and again while a large session
    comes.  Once in a process: windows that are made later end.  A look through all that has come
    since takes as long again, so it is rare: hardly anything here refers to itself.
    """
    gc.freeze()
    gc.set_threshold(*_SELDOM)
