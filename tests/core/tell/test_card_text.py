"""The first sentence about results, its mood, and that every face says the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import building
import msgspec
import pytest
from page import Page

from core.judge import advise_within
from core.run import Run
from core.tell.card_text import Progress, answer_of, progress_of, sum_up
from core.tell.card_values import Headline, ResultCard
from core.tell.cli.terminal_results import print_advice, print_results, show_advice, show_headline
from core.tell.report.page import render_report
from core.tell.report.report_content import Chapter, Report, card_of
from core.tell.tables.result_tables import summarise
from core.vocabulary import Cancelled, Complaint, Result, ending

SURE = (0.999, 1.0, 1.001)


def cached(cache: str, *rates: float, **rest: Any) -> Result:
    of = building.spec(parameters={"cache": cache})
    return building.result(
        of, [building.trial(of, index=at, rate=rate, **rest) for at, rate in enumerate(rates)]
    )


def sure(cache: str, rate: float, **rest: Any) -> Result:
    return cached(cache, *(rate * one for one in SURE), **rest)


def threaded(threads: int, rate: float, **rest: Any) -> Result:
    of = building.spec(threads=threads)
    return building.result(
        of,
        [building.trial(of, index=at, rate=rate * one, **rest) for at, one in enumerate(SURE)],
    )


KNEE = (threaded(1, 1000), threaded(2, 1400), threaded(3, 1950), threaded(4, 2300))


def busy(result: Result) -> Result:
    machine = building.environment(load_average=(20.0, 9.0, 5.0))
    return msgspec.structs.replace(result, environment=machine)


def all_of(*results: Result) -> Headline:
    return sum_up(results, len(results))


def test_that_the_fastest_of_settings_that_are_told_apart_is_good_news() -> None:
    found = all_of(sure("none", 100), sure("lru", 1000))
    assert (found.mood, found.text) == (
        "good",
        "cache LRU, no lock is faster than cache none: 10.0× (10.0× to 10.0×)",
    )
    assert found.doubts == ()
    assert found.detail.startswith("cache LRU, no lock: 1,000 ± 12 sequences/s")
    assert found.detail.endswith("6,600 sequences compared, all right")


def moving(result: Result, *, bytes_each: float, requests: float, link: str = "") -> Result:
    """The same, with so many bytes on the wire for each wanted, and requests for each operation."""
    trials = [
        msgspec.structs.replace(
            one,
            counters={
                "wire bytes": bytes_each * one.total(lambda worker: worker.bytes),
                "requests": requests * one.operations,
            },
            link=link,
        )
        for one in result.trials
    ]
    return msgspec.structs.replace(result, trials=tuple(trials))


def test_that_a_lead_is_told_with_its_bytes_and_requests() -> None:
    lean, dear = (
        moving(sure("none", 1000), bytes_each=1.1, requests=1),
        moving(sure("lru", 1350), bytes_each=11, requests=2),
    )
    assert all_of(lean, dear).text == (
        "cache LRU, no lock is faster than cache none: 1.35× (1.35× to 1.35×), "
        "for 10.0× the bytes, 2.00× the requests"
    )
    third = moving(sure("locked", 500), bytes_each=11, requests=2)
    assert all_of(lean, dear, third).text == (
        "Fastest of 3 is cache LRU, no lock. cache LRU, no lock: "
        "1.35× the throughput of cache none, for 10.0× the bytes, 2.00× the requests"
    )


def test_that_settings_are_put_in_order_within_each_link() -> None:
    def reached(round_trip: float, link: str, cache: str, rate: float) -> Result:
        of = building.spec(parameters={"cache": cache, "round_trip": round_trip})
        trials = [
            building.trial(of, index=at, rate=rate * one, link=link) for at, one in enumerate(SURE)
        ]
        return building.result(of, trials)

    results = [
        reached(0.0, "directly", "none", 1000),
        reached(0.0, "directly", "lru", 2000),
        reached(0.02, "through the slow link, 20 ms", "none", 100),
        reached(0.02, "through the slow link, 20 ms", "lru", 50),
    ]
    text = all_of(*results).text
    assert text.startswith("Directly · cache LRU, no lock is faster than cache none: 2.00×")
    assert ". Through the slow link, 20 ms · cache none is faster than cache LRU" in text
    # What a list of runs shows of it has an answer.
    card = ResultCard(headline=all_of(*results), reason=text)
    assert card.sentence == "Directly · cache LRU, no lock is faster than cache none"
    table = summarise(results, best=results[1])
    assert [cell.text for cell in table.column("ratio")] == ["0.500×", "1.00×", "1.00×", "0.500×"]


def test_that_wrong_data_of_another_row_is_bad_news_and_counted() -> None:
    found = all_of(sure("none", 100, wrong=10), sure("lru", 1000))
    assert found.mood == "bad"
    assert found.detail.startswith("cache none: Wrong data: 30 wrong in 600.")
    assert "30 of 6,600 sequences wrong" in found.detail
    assert "all right" not in found.detail


def test_that_wrong_data_of_another_number_of_threads_is_bad_news_about_good_advice() -> None:
    found = all_of(*KNEE, threaded(8, 9000, wrong=10))
    assert found.text.startswith("Use 4 threads: ")
    assert found.mood == "bad"
    assert found.detail.startswith("8 threads: Wrong data: 30 wrong in ")


def test_that_wrong_data_before_a_run_was_cancelled_is_bad_news() -> None:
    stopped = Cancelled(stage="measuring")
    assert all_of(cached("lru", 100.0, outcome=stopped)).mood == "open"
    assert all_of(cached("lru", 100.0, wrong=1, outcome=stopped)).mood == "bad"


@pytest.mark.parametrize(
    ("result", "said", "offered"),
    [
        (
            cached("lru", 100.0, 143.0, 844.0),
            "3 trials: too few to tell; the trials reached",
            "Repeat more",
        ),
        (cached("lru", 36.0), "Measured once", "with longer trials"),
        (busy(sure("lru", 1000.0)), "load 20.0, cores 8", "Wait until the machine is quiet"),
    ],
)
def test_that_what_is_unsure_is_no_good_news_and_says_what_to_do(
    result: Result, said: str, offered: str
) -> None:
    found = all_of(result)
    assert found.mood == "open"
    assert said in found.detail
    assert offered in found.detail


def test_that_the_fastest_by_chance_alone_is_no_good_news() -> None:
    found = all_of(
        cached("none", 700, 1000, 1300), cached("lru", 800, 1100, 1400), sure("pool", 10)
    )
    assert found.mood == "open"
    assert found.text == "Leading of 3 is cache LRU, no lock"
    assert "Not measurably different: cache none." in found.detail


def test_that_of_settings_that_are_surely_equal_any_is_good_news() -> None:
    assert all_of(sure("none", 1000), sure("lru", 1001)).mood == "good"


def test_that_sure_advice_of_a_busy_machine_is_no_good_news() -> None:
    assert all_of(*KNEE).mood == "good"
    found = all_of(*map(busy, KNEE))
    assert found.mood == "open"
    assert found.text.startswith("Use 4 threads: ")
    assert "load 20.0, cores 8" in found.detail


def test_that_nothing_is_settled_while_trials_are_to_come() -> None:
    for results in (KNEE, [sure("lru", 1000.0)], [cached("lru", 1000.0)]):
        found = answer_of(results, Progress(of=len(results), more=True)).headline
        assert found.mood == "open"
        assert "Measured once" not in found.detail


def test_that_a_setting_over_every_limit_is_not_called_the_fastest() -> None:
    found = sum_up(KNEE, 4, {"most_memory": 1})
    assert found.mood == "open"
    assert found.text == "Cannot tell: no thread count ran without failing or breaking a limit."


@pytest.mark.parametrize("near", [0.05, 0.2, 0.5])
def test_that_card_report_and_command_line_advise_the_same(
    near: float, capsys: pytest.CaptureFixture[str]
) -> None:
    terms = {"near": near}
    answer = answer_of(KNEE, Progress(of=4, terms=terms))
    show_advice(KNEE, terms, json=False)
    assert capsys.readouterr().out.splitlines()[0] == answer.headline.text
    assert answer.headline.text in page(KNEE, terms).texts


def run_of(planned: Sequence[Result], terms: dict[str, Any], how: str = "completed") -> Run:
    plan = building.plan([one.spec for one in planned], repeats=3, terms=terms)
    return building.run(plan, sum(len(one.trials) for one in planned), how)


def page(results: Sequence[Result], terms: dict[str, Any] | None = None) -> Page:
    run = run_of(results, terms or {})
    chapter = Chapter(title="x", results=tuple(results), run=run)
    return Page(render_report(Report(title="x", chapters=(chapter,))))


@pytest.mark.parametrize(
    ("results", "mood"),
    [
        (KNEE, "good"),
        (tuple(map(busy, KNEE)), "open"),
        ((*KNEE, threaded(8, 9000, wrong=10)), "bad"),
        ((sure("lru", 1000.0),), "good"),
        ((cached("lru", 1000.0),), "open"),
        ((cached("lru", 1000.0, wrong=1),), "bad"),
    ],
)
def test_that_the_report_s_card_has_the_mood_and_the_doubts_of_the_window_s(
    results: tuple[Result, ...], mood: str
) -> None:
    found, headline = page(results), all_of(*results)
    assert headline.mood == mood
    assert f"card mood-{mood}" in found.all_of("class")
    if any(result.valid for result in results):
        assert {doubt.full_text for doubt in headline.doubts} <= set(found.texts)


def test_that_the_report_counts_no_operation_twice() -> None:
    of = building.spec()
    ten = building.result(of, [building.trial(of, rate=50.0, seconds=2.0, wrong=10)])
    assert "10 of 100 sequences wrong" in page([ten]).texts


def test_that_a_sweep_that_was_cut_short_gets_no_advice_in_the_report_either() -> None:
    half = KNEE[:2]
    assert answer_of(half, Progress(of=4)).advice is None
    card = card_of(Chapter(title="x", results=half, run=run_of(KNEE, {}, "cancelled")))
    assert card.advice is None
    assert card.lead == "Cancelled, leading so far: 2 threads."


def test_that_the_command_line_says_what_speaks_against_its_advice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    advice = advise_within([*map(busy, KNEE)], {})
    assert advice is not None
    print_advice(advice)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == advice.sentence
    assert said[1:3] == ["  grade    sure", f"  but      {advice.doubts[0].full_text}"]


def test_that_the_command_line_shows_a_headline_to_people_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    headline = all_of(cached("lru", 36.0))
    show_headline(headline, json=True)
    assert capsys.readouterr().out == ""
    show_headline(headline, json=False)
    assert capsys.readouterr().out.splitlines() == [headline.text, f"  {headline.detail}"]


def test_that_a_search_recommends_none_of_what_only_explains_its_answer() -> None:
    """Probes of the choice stand beside it when its session is opened again."""
    of = building.spec(threads=1, processes=4)
    probe = building.good(of, *(9000 * one for one in SURE), first=20)
    specs = (*(one.spec for one in KNEE), of)
    plan = building.plan(specs, adaptive=True, choices=len(KNEE))
    run = msgspec.structs.replace(run_of((*KNEE, probe), {}), plan=plan)
    found = answer_of((*KNEE, probe), progress_of(run, 5, 15))
    alone = answer_of(KNEE, progress_of(run, 4, 12))
    assert found.advice is not None
    assert alone.advice is not None
    assert found.advice.values == alone.advice.values == {"threads": 4}
    assert found.headline.text == alone.headline.text


def test_that_the_text_of_an_error_is_told_once_with_how_many_there_were() -> None:
    of = building.spec(threads=2)
    complaints = (
        Complaint(wrong_data=False, text="NoHost: refused (look)", count=212, first_item="tile 7"),
        Complaint(wrong_data=False, text="NoHost: cut off (look)", count=4, first_item="tile 3"),
    )
    failed = building.result(of, [building.trial(of, errors=216, complaints=complaints)])
    found = all_of(failed)
    assert found.text == "No throughput: 216 of 2,216 sequences failed: NoHost: refused."
    assert found.detail == "Look. First at tile 7 · 4 × NoHost: cut off (look), first at tile 3"


def test_that_all_that_failed_is_counted_once_and_what_helps_is_not_cut() -> None:
    remedy = "{out} is a folder: write {out}/result where a file is meant"
    text = f"zstd ended with 1: {'can not open ' * 30}({remedy})"

    def failing(threads: int, errors: int) -> Result:
        of = building.spec(threads=threads)
        complaint = Complaint(wrong_data=False, text=text, count=errors, first_item="run 1")
        return building.result(of, [building.trial(of, errors=errors, complaints=(complaint,))])

    results = [failing(1, 5), failing(2, 5)]
    found = all_of(*results)
    assert found.text.startswith("No throughput: 10 of 4,010 sequences failed: zstd ended with 1: ")
    assert found.detail.startswith(f"{remedy}. First at run 1")
    assert ending(results[0]).startswith("5 failed: zstd ended with 1: ")
    assert ending(results[0]).endswith(f"… ({remedy})")

    of = building.spec(threads=4)
    some = all_of(*results, building.result(of, [building.trial(of)]))
    assert "2 of 3 settings failed: zstd ended with 1: " in some.text
    assert f"({remedy})" in some.text


@pytest.mark.parametrize("verdict", [True, False])
def test_that_the_terminal_tells_an_error_once_where_the_verdict_tells_it(
    capsys: pytest.CaptureFixture[str], *, verdict: bool
) -> None:
    of = building.spec(threads=2)
    complaint = Complaint(wrong_data=False, text="NoHost", count=216, first_item="tile 7")
    failed = building.result(of, [building.trial(of, errors=216, complaints=(complaint,))])
    print_results([failed], verdict=verdict)
    told = capsys.readouterr().out
    assert told.count("NoHost") == (0 if verdict else 1)
    assert "216 failed" in told
