"""The parameters of random fetches."""

from __future__ import annotations

from dataclasses import dataclass

from core import Driver, Option, choice, integer, location, text

PYSAM = Driver(module="pysam", distribution="pysam", install="pip install pysam")
PYFAIDX = Driver(module="pyfaidx", distribution="pyfaidx", install="pip install pyfaidx")
BIOPYTHON = Driver(module="Bio", distribution="biopython", install="pip install biopython")
SEQREPO = Driver(
    module="biocommons.seqrepo",
    distribution="biocommons.seqrepo",
    install="pip install biocommons.seqrepo",
)
KEPT = ("lru", "lru-locked", "per-thread", "pool")
"""Ways that keep files open between fetches."""


@dataclass(frozen=True, kw_only=True)
class FastaParameters:
    """Which library fetches, which parts of sequences, and how it keeps files open."""

    reader: str = choice(
        "pysam",
        options={
            "pysam": Option(help="htslib through pysam.", driver=PYSAM),
            "pyfaidx": Option(
                help="pyfaidx, in Python; BGZF files through Biopython.", driver=PYFAIDX
            ),
            "seqrepo": Option(
                help="SeqRepo itself: snapshots only, with caches lru-locked, none or per-thread.",
                driver=SEQREPO,
            ),
        },
        help="Library that reads the sequences.",
    )
    cache: str = choice(
        "lru-locked",
        options={
            "lru": "Threads share the last files opened, without a lock: readers that are not thread-safe fail.",
            "lru-locked": "Threads share the last files opened, each with a lock held while it is read.",
            "none": "Open for every fetch; closing is left to garbage collection.",
            "none-close": "Open for every fetch and close at once.",
            "per-thread": "Every thread keeps the last files that it opened.",
            "pool": "A thread takes a file out of a common pool and puts it back; idle ones are kept.",
        },
        help="How open files are kept between fetches.",
    )
    cache_size: int = integer(
        128,
        low=1,
        high=4096,
        scale="log2",
        unit="files",
        only_when={"cache": KEPT},
        help="Most files kept open; with caches of their own, by each thread.",
    )
    slice: str = choice(
        "auto",
        options={
            "auto": "What suits the data: of a snapshot the first bases, as in the published study; of sequences with 100,000 bases or more on average, such as a genome, a random region; of shorter ones the whole.",
            "first": "The first bases, as in the published study.",
            "whole": "The whole sequence.",
            "random": "A region at a random place.",
        },
        only_when={"regions": ("",)},
        help="Which part of a sequence is fetched.",
    )
    length: int = integer(
        0,
        low=0,
        high=1_000_000_000,
        unit="bases",
        only_when={"slice": ("auto", "first", "random"), "regions": ("",)},
        help="Bases to fetch; a shorter sequence gives fewer. 0 = the first 5, or 1,000 at random.",
    )
    accessions: int = integer(
        10_000,
        low=1,
        high=1_000_000,
        scale="log10",
        only_when={"regions": ("",)},
        help="Accessions drawn at random. If there are fewer, some come again.",
    )
    namespace: str = text(
        "",
        only_when={"regions": ("",)},
        help="Namespace of the accessions in a snapshot, such as NCBI; empty = any.",
    )
    prefix: str = text(
        "",
        only_when={"regions": ("",)},
        help="Start of the accessions' names, such as NM_; empty = in a snapshot NM_ where there "
        "are any and otherwise all that are not digests, in files all.",
    )
    regions: str = location(
        "",
        help="File with regions of your own, fetched in its order: BED, lines such as chr1:101-200, "
        "or names of sequences; empty = drawn at random.",
    )
