"""Shape of the trees of files that can be generated."""

from __future__ import annotations

from dataclasses import dataclass

from core import integer


@dataclass(frozen=True, kw_only=True)
class TreeShape:
    """One tree: folders within folders, each with as many files of one size.

    Those of the published study: 25 files = as declared; 775 files = depth 3, size 13312; ten files
    of 100 MiB or of 10,000 MiB = folders 1, files 10, size 104857600 or 10485760000.
    """

    depth: int = integer(
        1, low=1, high=8, help="Levels of folders; 3 with 5 folders are the 155 of 775 files."
    )
    folders: int = integer(
        5,
        low=1,
        high=1000,
        scale="log2",
        help="Folders at the top, and in each folder above the last level.",
    )
    files: int = integer(5, low=1, high=100_000, scale="log2", help="Files in each folder.")
    size: int = integer(
        40_960,
        low=0,
        high=1 << 40,
        unit="bytes",
        help="Bytes of each file; the published trees have 40960, 13312, 100 MiB and 10000 MiB.",
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of what the files hold.")

    @property
    def all_folders(self) -> int:
        """Folders on all levels."""
        return sum(self.folders**level for level in range(1, self.depth + 1))

    @property
    def all_files(self) -> int:
        """Files in all folders."""
        return self.all_folders * self.files

    @property
    def bytes(self) -> int:
        """Of all files."""
        return self.all_files * self.size
