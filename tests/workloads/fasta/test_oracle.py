"""Before a reader is blamed, what it is blamed with is worked out anew."""

from collections.abc import Callable
from pathlib import Path

import pytest
from driving import open_job

from core.language import DatasetError
from workloads.fasta.fasta_files import FastaForm, source
from workloads.fasta.fetch_oracle import Answers, Fetch, StoredDraw, answer, complaint
from workloads.fasta.sampling import PlannedFetch


def _fetches(bases: str) -> list[Fetch]:
    return [Fetch("", "a", 0, 4, bases), Fetch("", "b", 0, 2, "TT")]


def _answers(place: Path, *given: list[Fetch] | DatasetError) -> tuple[Answers, list[bool]]:
    """Answers that are worked out as given, and whether each time anew."""
    asked: list[bool] = []

    def compute(anew: bool) -> StoredDraw:
        asked.append(anew)
        now = given[len(asked) - 1]
        if isinstance(now, DatasetError):
            raise now
        return StoredDraw(now, [])

    return Answers(place, compute), asked


def test_that_a_kept_answer_that_is_out_of_date_blames_nobody(tmp_path: Path) -> None:
    answers, asked = _answers(tmp_path / "kept", _fetches("ACGT"), _fetches("CCCC"))
    first, second = answers.fetches
    assert answers.complaint(second, "TT") == ""
    assert asked == [False]
    assert answers.complaint(first, "CCCC") == ""
    assert answers.complaint(first, "ACGT") == ""
    assert answers.complaint(first, "ACG") == "short: 3 of 4 bases"
    assert answers.complaint(second, "GG") == "wrong bases"
    assert asked == [False, True]


def test_that_answers_that_were_worked_out_anew_are_kept(tmp_path: Path) -> None:
    answers, _ = _answers(tmp_path / "kept", _fetches("ACGT"), _fetches("CCCC"))
    answers.complaint(answers.fetches[0], "CCCC")
    again, asked = _answers(tmp_path / "kept")
    assert again.fetches == _fetches("CCCC")
    assert asked == []


def test_that_data_that_was_damaged_meanwhile_is_the_complaint(tmp_path: Path) -> None:
    damage = DatasetError("x.fa is damaged", "fetch it again")
    answers, asked = _answers(tmp_path / "kept", _fetches("ACGT"), damage)
    for _ in range(3):
        assert answers.complaint(answers.fetches[0], "CCCC") == "x.fa is damaged (fetch it again)"
    assert asked == [False, True]


def test_that_a_fetch_that_is_no_longer_there_is_not_blamed_on_the_reader(tmp_path: Path) -> None:
    answers, _ = _answers(tmp_path / "kept", _fetches("ACGT"), _fetches("ACGT")[1:])
    assert answers.complaint(answers.fetches[0], "CCCC") == "the data was changed"


@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_data_that_changes_during_a_trial_blames_nobody(tmp_path: Path, reader: str) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(b">a\n" + b"A" * 20_000 + b"\n")
    job = open_job("fasta", path, reader=reader, slice="whole", accessions=1)
    with path.open("r+b") as opened:
        opened.seek(10_000)
        opened.write(b"C")
    (item,) = job.items
    with job.worker(0) as (fetch,):
        bases = fetch.perform(item)
    assert bases.count("C") == 1
    assert job.check(item, bases) == ""
    assert job.check(item, bases.replace("C", "G")) == "wrong bases"
    job.close()


def _lose(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _ruin(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\nAAAA", b"\nAA A"))


@pytest.mark.parametrize("harm", [_lose, _ruin])
def test_that_data_that_is_damaged_during_a_trial_is_told(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(b">a\n" + b"AAAAAAAAA\n" * 50)
    job = open_job("fasta", path, slice="whole", accessions=1)
    harm(path)
    (item,) = job.items
    assert job.check(item, "A" * 400) not in ("", "wrong bases")
    job.close()


def test_that_a_place_that_is_drawn_often_is_worked_out_once(tmp_path: Path) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(b">a\n" + b"ACGT" * 25 + b"\n>b\nGG\n")
    place = source(path, FastaForm.PLAIN, tmp_path / "cache")
    records = place.records()
    whole, part = (
        PlannedFetch("", "a", start, stop, "", "a", 100) for start, stop in ((0, 100), (4, 6))
    )
    other = PlannedFetch("", "b", 0, 2, "", "b", 2)
    told: list[tuple[int, int]] = []
    fetches = answer(
        [whole, other, part] * 5000,
        {"": place},
        lambda *_: records,
        lambda _, done=0, total=0, unit="": told.append((done, total)),
    )
    assert len(fetches) == 15_000
    assert told == [(0, 104), (0, 104), (100, 104), (102, 104)]
    for item, bases in zip(fetches, ("ACGT" * 25, "GG", "AC"), strict=False):
        assert complaint(item.expected, bases) == ""
