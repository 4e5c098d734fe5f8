"""Shapes of the FASTA data that can be generated."""

from __future__ import annotations

from dataclasses import dataclass

from core import flag, integer, real
from workloads.shared.lengths import usual_sum

_SEQUENCES = "Sequences in each file; opening a file costs as much as its index is long."
_MEDIAN = "Median length of a sequence; lengths are log-normal."
_SPREAD = "Standard deviation of the logarithm of the lengths; 0 makes all equally long."
_SEED = "Seed of all sequences and names."
_PACKED, _PLAIN = 0.36, 1.02  # bytes of a base, with BGZF and with the ends of lines
_NAMED = 60  # bytes of a sequence's name, and of its line in the index
_ALIASED = 940  # bytes of a sequence's aliases in the databases of a snapshot
_DATABASES = 60_000  # bytes of empty ones


@dataclass(frozen=True, kw_only=True)
class SeqrepoShape:
    """A SeqRepo snapshot."""

    files: int = integer(128, low=1, high=10_000, scale="log10", help="Files of sequences.")
    sequences: int = integer(2000, low=1, high=1_000_000, scale="log10", help=_SEQUENCES)
    median_length: int = integer(
        300, low=1, high=10_000_000, scale="log10", unit="bases", help=_MEDIAN
    )
    spread: float = real(0.8, low=0, high=3, help=_SPREAD)
    seed: int = integer(1, low=0, high=2**31 - 1, help=_SEED)

    @property
    def room(self) -> int:
        """About how many bytes on disk it takes."""
        sequences = self.files * self.sequences
        bases = usual_sum(sequences, self.median_length, self.spread)
        return round(_PACKED * bases + _ALIASED * sequences + _DATABASES)


@dataclass(frozen=True, kw_only=True)
class SequencesShape:
    """One FASTA file."""

    sequences: int = integer(2000, low=1, high=1_000_000, scale="log10", help=_SEQUENCES)
    median_length: int = integer(
        2000, low=1, high=10_000_000, scale="log10", unit="bases", help=_MEDIAN
    )
    spread: float = real(0.8, low=0, high=3, help=_SPREAD)
    compressed: bool = flag(True, help="Compress with BGZF, as SeqRepo and most archives do.")
    seed: int = integer(1, low=0, high=2**31 - 1, help=_SEED)

    @property
    def room(self) -> int:
        """About how many bytes on disk it takes."""
        bases = usual_sum(self.sequences, self.median_length, self.spread)
        return round((_PACKED if self.compressed else _PLAIN) * bases + _NAMED * self.sequences)


@dataclass(frozen=True, kw_only=True)
class FolderShape:
    """A folder of FASTA files."""

    files: int = integer(128, low=1, high=10_000, scale="log10", help="Files of sequences.")
    sequences: int = integer(2000, low=1, high=1_000_000, scale="log10", help=_SEQUENCES)
    median_length: int = integer(
        300, low=1, high=10_000_000, scale="log10", unit="bases", help=_MEDIAN
    )
    spread: float = real(0.8, low=0, high=3, help=_SPREAD)
    compressed: bool = flag(True, help="Compress with BGZF, as SeqRepo and most archives do.")
    seed: int = integer(1, low=0, high=2**31 - 1, help=_SEED)

    @property
    def room(self) -> int:
        """About how many bytes on disk it takes."""
        sequences = self.files * self.sequences
        bases = usual_sum(sequences, self.median_length, self.spread)
        return round((_PACKED if self.compressed else _PLAIN) * bases + _NAMED * sequences)
