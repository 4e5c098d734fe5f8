"""Damage of all kinds: no reader is blamed that a second opinion agrees with, and nothing passes
as right that it differs from.

SLUICE_MUTATIONS is how many of each family are tried, with every reader in turn.
"""

import os
import random
from collections import Counter
from hashlib import blake2b
from pathlib import Path

import pytest
from driving import open_job
from fasta_decoding import Undecodable, aliases, digests, read_by, sequences
from fasta_mutating import compressed, plain, snapshot
from one_trial import one_trial

from core.catalog.dataset import Dataset
from core.catalog.local_datasets import find_dataset, make_dataset
from core.errors import SluiceError
from core.plan.specify import specify
from core.result.outcome import Completed, Failed
from core.result.result import Trial
from workloads.fasta.fasta_datasets import SeqrepoShape

COUNT = int(os.environ.get("SLUICE_MUTATIONS", "6"))
LOAD = {"duration": 0.0, "warm_up": 0.0, "stall": 60.0, "deadline": 120.0}
MOST = 36
NAMESPACE = "MD5"  # in which every sequence has one alias
ONCE_WRONG: dict[str, tuple[int, ...]] = {
    "plain": (8, 24, 33),
    "BGZF": (22, 28, 33, 89, 117),
    "SeqRepo": (9, 14, 88, 90, 196),
}
"""Numbers of mutations that were judged wrongly once."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small snapshot of some files with several blocks each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", str(tmp_path_factory.mktemp("cache")))
        shape = SeqrepoShape(files=3, sequences=12, median_length=9000)
        root = make_dataset("seqrepo", shape, tmp_path_factory.mktemp("made") / "whole").path
    (root / "sluice-dataset.json").unlink()
    return root


def measured(path: Path, reader: str, chosen: dict[str, object]) -> Trial | SluiceError:
    """The trial of one pass over all sequences, or why there is none."""
    try:
        dataset: Dataset = find_dataset("fasta", path)
        spec = specify("fasta", dataset, {"reader": reader} | chosen | LOAD)
    except SluiceError as refusal:
        return refusal
    return one_trial(spec)


def compact(bases: str) -> str | tuple[int, bytes]:
    """The form in which answers are kept."""
    if len(bases) <= 64:
        return bases
    return len(bases), blake2b(bases.encode(), digest_size=8).digest()


def judged(path: Path, reader: str) -> str:
    """In a word how a pass over all sequences ended; fails where that was not just."""
    decoded = second_opinion(path)
    chosen: dict[str, object] = {"slice": "whole", "accessions": len(decoded or ()) or MOST}
    if path.is_dir():
        chosen["namespace"] = NAMESPACE
    ended = measured(path, reader, chosen)
    if isinstance(ended, SluiceError):
        return "refused"
    if isinstance(ended.outcome, Failed):
        known = {"DatasetError", "DamagedDataset", "InvalidParameter"}
        assert ended.outcome.error in known, ended.outcome
        return "refused"
    if isinstance(ended.outcome, Completed) and ended.valid:
        assert decoded is not None
        items = open_job("fasta", path, reader=reader, **chosen).items
        found = {item.name: item.expected for item in items}
        assert found == {name: compact(bases) for name, bases in decoded.items()}
        return "completed"
    if decoded is not None:
        assert _reads_otherwise(path, reader, decoded), (ended.outcome, ended.complaints)
    return "blamed"


def second_opinion(path: Path) -> dict[str, str] | None:
    """The records, or None where it finds them damaged."""
    try:
        return aliases(path, NAMESPACE) if path.is_dir() else sequences(path)
    except Undecodable:
        return None


def _reads_otherwise(path: Path, reader: str, decoded: dict[str, str]) -> bool:
    """Whether a reader differs from the second opinion where it makes its own indexes."""
    files = [path] if path.is_file() else sorted(path.rglob("*.bgz"))
    read: dict[str, str] = {}
    for number, file in enumerate(files):
        found = read_by(reader, file.read_bytes(), path.parent / f"again{number}")
        if found is None:
            return True
        read |= found
    return not set(digests(decoded).values()) <= set(read.values())


@pytest.mark.slow
@pytest.mark.parametrize("family", ["plain", "BGZF", "SeqRepo"])
def test_that_a_mutation_is_judged_as_a_second_opinion_judges_it(
    family: str, whole: Path, tmp_path: Path
) -> None:
    damage = {"plain": plain, "BGZF": compressed, "SeqRepo": snapshot(whole)}[family]
    readers = ("pysam", "pyfaidx", "seqrepo") if family == "SeqRepo" else ("pysam", "pyfaidx")
    endings: Counter[str] = Counter()
    wrong: list[str] = []
    for number in dict.fromkeys((*range(COUNT), *ONCE_WRONG[family])):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = damage(folder, random.Random(f"{family} {number}"))
        try:
            endings[judged(path, readers[number % len(readers)])] += 1
        except AssertionError as error:
            wrong.append(f"{family} {number}: {error}")
    print(family, dict(endings))
    assert not wrong, "\n".join(wrong)
