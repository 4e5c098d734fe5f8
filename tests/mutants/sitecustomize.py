"""Python loads this before all else where the folder is on its path, as it is in `make mutants`."""

import reach

if reach.FOLDER and reach.ROOT:
    reach.begin()
