"""The publications that Sluice reproduces, and their studies."""

from __future__ import annotations

import msgspec

from core.catalog import registry
from core.study.preset import load_study, study_names


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """One publication: its question, and the studies made from its tables."""

    number: int
    question: str
    studies: tuple[str, ...]


FAMILIES = (
    Family(
        number=1,
        question="SeqRepo: do cached FASTA handles, locks and threads pay for random fetches?",
        studies=("seqrepo-fd-cache",),
    ),
    Family(
        number=2,
        question="Nanopore signal: BLOW5 or POD5, and how many threads?",
        studies=("slow5-pod5-sequential", "slow5-pod5-random"),
    ),
    Family(
        number=3,
        question="GeoTrellis tiles: how many threads for each store and number of cores?",
        studies=("geotrellis-readers", "geotrellis-writers"),
    ),
    Family(
        number=4,
        question="Synapse file trees: which client, and how many threads?",
        studies=("synapse-download", "synapse-upload", "synapse-upload-default"),
    ),
    Family(
        number=5,
        question="Sparse virtual files: what do block size, gaps and threads cost in memory?",
        studies=("svfs-read", "svfs-need", "svfs-write", "svfs-threads"),
    ),
)
"""The publications that Sluice aims to reproduce, with or without a workload so far."""


class StudyRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table of studies."""

    name: str
    family: int
    title: str
    claims: int
    missing: str = ""
    """Why it cannot be run yet; empty where it can."""


def listing() -> tuple[StudyRow, ...]:
    """Every study of every family, then those that belong to none of them."""
    there = study_names()
    known = [(family, name) for family in FAMILIES for name in family.studies]
    rows = [
        _listed(name)
        if name in there
        else StudyRow(
            name=name,
            family=family.number,
            title=family.question,
            claims=0,
            missing="its workload is not part of this version",
        )
        for family, name in known
    ]
    named = {name for _, name in known}
    return (*rows, *(_listed(name) for name in there if name not in named))


def _listed(name: str) -> StudyRow:
    found = load_study(name)
    entry = registry.workloads().get(found.workload)
    if entry is None:
        missing = f"there is no workload {found.workload}"
    elif absent := [driver.distribution for driver in entry.drivers if not driver.installed]:
        missing = f"{', '.join(absent)} is missing"
    else:
        reasons = [found.unavailable(cell) for cell in found.cells]
        missing = reasons[0] if all(reasons) else ""
    return StudyRow(
        name=name,
        family=found.family,
        title=found.title,
        claims=len(found.claims),
        missing=missing,
    )
