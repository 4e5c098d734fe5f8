"""`python -m core`: the engine from the command line."""

from __future__ import annotations

import sys

from core.measure import fill_closed_streams


def main() -> None:
    """Entry point of `python -m core` and of the `sluice` command."""
    fill_closed_streams()
    from core.tell.cli import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
