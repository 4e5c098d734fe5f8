"""What takes long to import.  It is brought on the pool's thread, so that the window stays alive.

Each function needs a second or so; when it is back, importing the same on the window's thread takes
no time.
"""

from __future__ import annotations

import importlib

import core


def bring_plots() -> None:
    """What draws: numpy and pyqtgraph."""
    for name in (
        "app.plots.time.run_plots",
        "app.plots.counts.scaling_view",
        "app.views.study_view",
    ):
        importlib.import_module(name)


def bring_judgement() -> None:
    """What judges results, and searches: scipy."""
    importlib.import_module("app.work.scaling_fit")
    for name in ("compare", "answer_of"):
        getattr(core, name)  # the front door imports what is asked for
