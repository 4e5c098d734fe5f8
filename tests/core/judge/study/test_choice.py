"""A study that asks to choose answers that; what cannot be told is not "0 reproduced"."""

from __future__ import annotations

from collections.abc import Mapping

import building
import msgspec
import pytest

from core.judge import advise, load_study, reproduction_of
from core.tell.card_text import sum_up
from core.tell.report.report_content import Chapter, card_of
from core.vocabulary import Result

pytestmark = pytest.mark.quick

STUDY = load_study("slow5-pod5-random", 2.0)
STEADY = (0.999, 1.0, 1.001, 1.0, 0.9995)


def measured(rates: Mapping[str, tuple[float, ...]]) -> list[Result]:
    """Results of these cells, with a trial of each rate."""
    found = []
    for label, values in rates.items():
        (cell,) = (cell for cell in STUDY.cells if cell.label == label)
        own = {"access": STUDY.base["access"], **cell.at}
        load = {name: int(own.pop(name)) for name in ("threads", "processes") if name in own}
        found.append(building.good(building.spec("signal", parameters=own, **load), *values))
    return found


def steadily(rate: float) -> tuple[float, ...]:
    return tuple(rate * one for one in STEADY)


def test_that_its_headline_answers_its_question_for_both_ways_to_read_and_with_sizes() -> None:
    results = measured(
        {
            "BLOW5 C, 2 threads": steadily(300.0),
            "BLOW5 CXX, 2 threads": steadily(200.0),
            "BLOW5, raw records only": steadily(900.0),
            "POD5 io, 2 threads": steadily(200.0),
            "POD5 mmap, 2 threads": steadily(150.0),
            "BLOW5 C, 2 threads, in order": steadily(500.0),
            "POD5 mmap, 2 threads, in order": steadily(1000.0),
        }
    )
    found = reproduction_of(STUDY, results)
    headline = sum_up(results, len(results), reproduction=found)
    assert headline.text == (
        "At random: BLOW5 C, 2 threads is faster than POD5 io, 2 threads: 1.50× (1.50× to 1.50×); "
        "in order: POD5 mmap, 2 threads is faster than BLOW5 C, 2 threads: 2.00× (2.00× to 2.00×); "
        "files: BLOW5 400 KiB, POD5 400 KiB."
    )
    card = card_of(Chapter(title=STUDY.title, results=tuple(results), study=STUDY))
    assert card.lead == headline.text


def test_that_each_cell_is_recognised_by_the_way_it_reads() -> None:
    labels = ("POD5 io, 2 threads", "POD5 io, 2 threads, in order")
    results = measured({label: steadily(100.0) for label in labels})
    assert STUDY.results_by_label(results) == dict(zip(labels, results, strict=True))
    assert STUDY.results_by_label(results[1:]) == {labels[1]: results[1]}


def test_that_with_one_side_alone_its_claims_are_told() -> None:
    results = measured({f"BLOW5 C, {n}": steadily(100.0) for n in ("1 thread", "2 threads")})
    headline = sum_up(results, len(results), reproduction=reproduction_of(STUDY, results))
    assert headline.text == "0 of 4 published claims are reproduced here."


def test_that_claims_that_cannot_be_told_are_not_called_unreproduced() -> None:
    results = measured({"BLOW5 C, 1 thread": (100.0,), "BLOW5 C, 2 threads": (200.0,)})
    headline = sum_up(results, len(results), reproduction=reproduction_of(STUDY, results))
    assert headline.text == "None of the 4 published claims can be told yet."


def test_that_what_leaves_out_a_part_of_the_work_is_never_the_answer() -> None:
    def one(depth: str, threads: int, rate: float) -> Result:
        of = building.spec(
            "signal", parameters={"reader": "blow5-pool", "depth": depth}, threads=threads
        )
        return building.good(of, *steadily(rate))

    results = [one("decode", 1, 100.0), one("fetch", 1, 900.0)]
    assert "fetch" not in sum_up(results, 2).text
    threads = [*results, one("decode", 2, 190.0), one("fetch", 2, 950.0)]
    advice = advise(threads)
    assert advice is not None
    assert advice.values == {"threads": 2, "depth": "decode"}
    assert {why for _, why in advice.refused} == {"leaves out a part of the work (depth fetch)"}
    only = advise([msgspec.structs.replace(one) for one in threads if "fetch" in str(one.spec)])
    assert only is not None
    assert only.values["threads"] in (1, 2)
