"""Results that ask for an answer of their own each, and threads that share a reader."""

from __future__ import annotations

from collections.abc import Mapping

import building
import msgspec
import pytest
import rigged_store

from core.desk import next_steps
from core.judge import advise_within, diagnose, diagnose_all, doubts_about, shared_reader
from core.judge.questions import open_settings
from core.tell.card_text import Progress, answer_of, headline_of
from core.tell.cli.terminal_results import show_advice
from core.vocabulary import Advice, Cause, Confidence, Result
from core.vocabulary.registry import load_workload
from core.vocabulary.spec import show_setting

pytestmark = pytest.mark.quick

CALM = (1.0, 1.004, 0.997, 1.001, 0.998)
WILD = (1.0, 1.6, 0.7, 1.2, 0.8)
FEW = {1: 100.0, 2: 101.0, 4: 100.5}
MANY = {1: 10.0, 2: 19.0, 4: 36.0}
CLOSE = {1: 10.0, 2: 10.4, 4: 10.8}


@pytest.fixture(autouse=True)
def measured_here() -> None:
    """What only reads results imports no workload that they name, so it must be there."""
    load_workload(rigged_store.NAME)


def of_store(
    store: str,
    rates: Mapping[int, float],
    wobble: tuple[float, ...] = CALM,
    workload: str = rigged_store.NAME,
    **load: int,
) -> list[Result]:
    found = []
    for place, (threads, rate) in enumerate(rates.items()):
        spec = building.spec(workload, parameters={"store": store}, threads=threads, **load)
        own = wobble[place:] + wobble[:place]  # what settings have in common is no noise
        found.append(building.good(spec, *(rate * one for one in own)))
    return found


def advised(results: list[Result]) -> Advice:
    advice = advise_within(results, {})
    assert advice is not None
    return advice


def test_that_each_store_has_the_setting_that_is_best_for_it() -> None:
    advice = advised([*of_store("data", FEW), *of_store("server", MANY)])
    assert [line.values for line in advice.lines] == [{"store": "data"}, {"store": "server"}]
    assert [line.advice.values for line in advice.lines] == [{"threads": 1}, {"threads": 4}]
    assert advice.confident
    assert advice.sentence == (
        "store data · 1 thread is enough; more threads are not measurably faster. "
        "store server · Use 4 threads: 3.60× 1 thread; more than 4 were not tried."
    )


def test_that_a_store_that_cannot_be_told_leaves_the_whole_unsure_and_says_why_once() -> None:
    advice = advised([*of_store("data", FEW), *of_store("server", CLOSE, WILD)])
    told, open_ = (line.advice for line in advice.lines)
    assert (told.confident, open_.confident, advice.confident) == (True, False, False)
    headline = headline_of(advice)
    assert headline.mood == "open"
    assert "store server · Leading so far: " in headline.text
    assert open_.reasons[0] in headline.text
    assert open_.reasons[0] not in headline.detail
    assert "Store data: " in headline.detail


def test_that_a_store_that_is_slower_than_another_stays_open_until_it_can_be_told() -> None:
    slow = of_store("server", CLOSE, WILD)
    results = [*of_store("data", FEW), *slow]
    assert open_settings(results, {}) & {one.spec.digest for one in slow}
    named = [*of_store("data", FEW, workload="fasta"), *of_store("server", CLOSE, WILD, "fasta")]
    assert not open_settings(named, {}) & {one.spec.digest for one in named[len(FEW) :]}


def test_that_one_store_or_a_workload_without_stores_has_one_answer() -> None:
    assert advised(of_store("server", MANY)).lines == ()
    both = [*of_store("data", FEW, workload="fasta"), *of_store("server", MANY, workload="fasta")]
    assert advised(both).lines == ()
    gone = [*of_store("data", FEW, workload="no:W"), *of_store("server", MANY, workload="no:W")]
    assert advised(gone).lines == ()


def on_cores(cores: int, rates: Mapping[int, float]) -> list[Result]:
    return of_store("data", rates, cores=cores)


def test_that_cores_are_no_choice_and_each_number_of_them_has_its_setting() -> None:
    advice = advised([*on_cores(1, FEW), *on_cores(4, MANY)])
    assert [line.values for line in advice.lines] == [{"cores": 1}, {"cores": 4}]
    assert [line.advice.values for line in advice.lines] == [{"threads": 1}, {"threads": 4}]
    assert advice.sentence.startswith("cores 1 · 1 thread is enough; ")


def test_that_bare_files_are_answered_by_cores_only_where_they_are_the_question() -> None:
    def bare(cores: int, rates: Mapping[int, float]) -> list[Result]:
        return [
            building.good(building.spec("raw", threads=n, cores=cores), *(rate * w for w in CALM))
            for n, rate in rates.items()
        ]

    both = [*bare(1, FEW), *bare(4, MANY)]
    assert [line.values for line in advised(both).lines] == [{"cores": 1}, {"cores": 4}]
    with_floors = [*on_cores(1, FEW), *both, *on_cores(4, MANY)]
    assert [line.advice.values for line in advised(with_floors).lines] == [
        {"threads": 1},
        {"threads": 4},
    ]


def test_that_only_a_store_whose_cores_vary_is_answered_by_cores() -> None:
    of_data = [*on_cores(1, FEW), *on_cores(4, MANY)]
    advice = advised([*of_data, *of_store("server", MANY)])
    assert [line.values for line in advice.lines] == [
        {"store": "data", "cores": 1},
        {"store": "data", "cores": 4},
        {"store": "server"},
    ]


def test_that_the_answers_are_in_the_stream_of_events_and_are_read_from_it() -> None:
    advice = advised([*of_store("data", FEW), *of_store("server", MANY)])
    written = msgspec.json.encode(advice)
    assert msgspec.json.decode(written, type=Advice).sentence == advice.sentence


def of_tree(below: str, part: int, rates: Mapping[int, float]) -> list[Result]:
    """Transfers of one tree, each thread of which holds a part in memory."""
    found = []
    for place, (threads, rate) in enumerate(rates.items()):
        values = {"client": "boto3", "below": below, "part_size": part}
        spec = building.spec("transfer", parameters=values, threads=threads)
        last = building.reading(2.0, rss=(64 << 20) + threads * part, fds=20 + threads)
        trials = [
            building.trial(spec, index=at, rate=rate * one, last=last)
            for at, one in enumerate(CALM[place % 5 :] + CALM[: place % 5])
        ]
        found.append(building.result(spec, trials))
    return found


TREES = [
    *of_tree("775-files", 8 << 20, {6: 1e4, 25: 3e4, 50: 4.5e4}),
    *of_tree("775-files", 64 << 20, {6: 1e4, 25: 3e4, 50: 4.5e4}),
    *of_tree("10-files", 8 << 20, {6: 1000.0, 25: 1500.0, 50: 1500.0}),
    *of_tree("10-files", 64 << 20, {6: 3000.0, 25: 3000.0, 50: 3000.0}),
]


@pytest.mark.parametrize(
    ("terms", "small", "large"),
    [
        ({}, {"part_size": 8 << 20, "threads": 50}, {"part_size": 64 << 20, "threads": 6}),
        (
            {"most_memory": 300 << 20},
            {"part_size": 8 << 20, "threads": 25},
            {"part_size": 8 << 20, "threads": 25},
        ),
        (
            {"most_files": 50},
            {"part_size": 8 << 20, "threads": 25},
            {"part_size": 64 << 20, "threads": 6},
        ),
    ],
    ids=["any", "little memory", "few files"],
)
def test_that_each_shape_of_tree_has_threads_and_a_part_size_within_the_limits(
    terms: dict[str, int], small: dict[str, int], large: dict[str, int]
) -> None:
    advice = advise_within(TREES, terms)
    assert advice is not None
    assert [line.values for line in advice.lines] == [{"below": "775-files"}, {"below": "10-files"}]
    assert [line.advice.values for line in advice.lines] == [small, large]


def test_that_the_reason_is_told_for_each_answer(capsys: pytest.CaptureFixture[str]) -> None:
    show_advice(TREES, {}, json=False)
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("below ")]
    assert [line.partition(":")[0] for line in told[-2:]] == ["below 775-files", "below 10-files"]


def read(cache: str, threads: int, wrong: int = 0, workload: str = "fasta") -> Result:
    sizes = {"cache_size": 128} if cache != "none" else {}
    of = building.spec(workload, parameters={"cache": cache, **sizes}, threads=threads)
    trials = [building.trial(of, index=at, rate=1000.0 + at, wrong=wrong) for at in range(3)]
    return building.result(of, trials)


UNLOCKED = read("lru", 8, wrong=3)


@pytest.mark.parametrize("right", ["lru-locked", "per-thread", "none"])
def test_that_what_was_right_with_as_many_threads_is_advised(right: str) -> None:
    name = show_setting("cache", right)
    results = [UNLOCKED, read("lru", 1), read(right, 8), read("pool", 1)]
    (doubt,) = doubts_about(results, ())
    assert doubt.remedy.endswith(
        "With cache LRU, no lock, threads share a reader without a lock. "
        f"Use cache {name}: it was right with as many threads."
    )
    found = diagnose(UNLOCKED, results)
    assert (found.cause, found.confidence) == (Cause.SHARED, Confidence.SURE)
    assert found.sentence == "With cache LRU, no lock, threads share a reader without a lock."
    assert found.advice == f"use cache {name}: it was right with as many threads"


def test_that_without_such_a_result_the_same_with_a_lock_is_offered() -> None:
    results = [UNLOCKED, read("lru-locked", 8, wrong=1), read("lru-locked", 4)]
    assert (found := diagnose_all([UNLOCKED])) is not None
    assert (found.cause, found.confidence) == (Cause.SHARED, Confidence.LIKELY)
    assert found.advice == "try cache LRU, one lock"
    run = building.run(building.plan([UNLOCKED.spec], repeats=3), 3)
    answer = answer_of([UNLOCKED], Progress(of=1))
    steps = next_steps(run, [UNLOCKED], answer.advice).steps
    (offered,) = [step for step in steps if step.name == "lock"]
    assert offered.request is not None
    assert offered.request.values["cache"] == "lru-locked"
    assert offered.request.values["threads"] == 8
    assert (shared := shared_reader(UNLOCKED, results)) is not None
    assert shared.right is None


def test_that_where_nothing_is_declared_one_thread_tells_that_the_threads_disturb_each_other() -> (
    None
):
    many, one = read("pool", 8, wrong=3), read("pool", 1)
    assert shared_reader(many, [many]) is None
    found = diagnose(many, [many, one])
    assert (found.cause, found.confidence) == (Cause.SHARED, Confidence.LIKELY)
    assert found.evidence[0].startswith("The same was right with 1 thread")


def test_that_a_program_with_other_output_is_not_said_to_have_threads_that_disturb() -> None:
    many, one = read("pool", 8, 3, "command"), read("pool", 1, 0, "command")
    assert shared_reader(many, [many, one]) is None


def test_that_one_thread_and_right_data_share_nothing() -> None:
    alone = read("lru", 1, wrong=3)
    assert shared_reader(alone, [alone, read("lru-locked", 1)]) is None
    assert shared_reader(read("lru", 8), [UNLOCKED]) is None
    assert shared_reader(read("lru", 8, wrong=1, workload="gone"), []) is None
