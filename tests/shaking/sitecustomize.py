"""Python loads this before all else where the folder is on its path, as it is in `make shake`."""

import pauses

if pauses.SEED:
    pauses.begin()
