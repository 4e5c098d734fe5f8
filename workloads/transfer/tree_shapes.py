"""Shape of the trees of files that can be generated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core import choice, integer

_LISTED = 600  # bytes on disk of a file's line in the list, and of its last block that is not full
_ONE = {"trees": ("one",)}


@dataclass(frozen=True, kw_only=True)
class TreeShape:
    """One tree: folders within folders, each with as many files of one size; or several of them.

    Those of the published study: 25 files = as declared; 775 files = depth 3, size 13312; ten files
    of 100 MiB or of 10,000 MiB = folders 1, files 10, size 104857600 or 10485760000.
    """

    trees: str = choice(
        "one",
        options={
            "one": "One tree, as the other values say.",
            "scaled": "The published trees, each in a folder of its own, with ten files of 10 MiB.",
            "large": "The published trees with ten files of 100 MiB.",
            "full": "The published trees with ten files of 100 MiB, and ten of 10,000 MiB.",
        },
        help="Which trees.",
    )
    depth: int = integer(
        1,
        low=1,
        high=8,
        only_when=_ONE,
        help="Levels of folders; 3 with 5 folders are the 155 of 775 files.",
    )
    folders: int = integer(
        5,
        low=1,
        high=1000,
        scale="log2",
        only_when=_ONE,
        help="Folders at the top, and in each folder above the last level.",
    )
    files: int = integer(
        5, low=1, high=100_000, scale="log2", only_when=_ONE, help="Files in each folder."
    )
    size: int = integer(
        40_960,
        low=0,
        high=1 << 40,
        unit="bytes",
        only_when=_ONE,
        help="Bytes of each file; the published trees have 40960, 13312, 100 MiB and 10000 MiB.",
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of what the files hold.")

    @property
    def parts(self) -> Mapping[str, TreeShape]:
        """The trees, by the folder that each is in; empty = the root."""
        if self.trees == "one":
            return {"": self}
        return {
            name: TreeShape(depth=depth, folders=folders, files=files, size=size, seed=self.seed)
            for name, (depth, folders, files, size) in _PUBLISHED[self.trees].items()
        }

    @property
    def all_folders(self) -> int:
        """Folders on all levels."""
        if self.trees != "one":
            return sum(1 + part.all_folders for part in self.parts.values())
        return sum(self.folders**level for level in range(1, self.depth + 1))

    @property
    def all_files(self) -> int:
        """Files in all folders."""
        if self.trees != "one":
            return sum(part.all_files for part in self.parts.values())
        return self.all_folders * self.files

    @property
    def bytes(self) -> int:
        """Of all files."""
        return sum(part.all_files * part.size for part in self.parts.values())

    @property
    def room(self) -> int:
        """About how many bytes on disk it takes, with the list of its files."""
        return self.bytes + _LISTED * self.all_files


_SMALL = {"25-files": (1, 5, 5, 40_960), "775-files": (3, 5, 5, 13_312)}
_LARGE = {**_SMALL, "10-files": (1, 1, 10, 100 << 20)}
_PUBLISHED: Mapping[str, Mapping[str, tuple[int, int, int, int]]] = {
    "scaled": {**_SMALL, "10-files": (1, 1, 10, 10 << 20)},
    "large": _LARGE,
    "full": {**_LARGE, "10-huge-files": (1, 1, 10, 10_000 << 20)},
}
"""Depth, folders, files and size of each published tree, by its folder."""
