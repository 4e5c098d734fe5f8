"""Texts in the language of whoever shows them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import building
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import tr, tr_word, translated_by, use_translator
from core.language import (
    marked,
    show_clock,
    show_count,
    show_ratio,
    show_seconds,
    show_share,
    show_size,
    unmarked,
)
from core.language.units import show_spread
from core.tell.card_text import sum_up
from core.vocabulary import Completed, Crashed, describe, ending

pytestmark = pytest.mark.quick

GERMAN = {
    "{count} threads": "{count} Fäden",
    "measuring": "beim Messen",
    "crashed while {stage}: {why}": "{why}: abgestürzt {stage}",
    "completed": "fertig",
}


def in_german(text: str) -> str:
    return GERMAN.get(text, text)


def test_that_texts_are_english_unless_somebody_speaks_otherwise() -> None:
    assert tr("{count} threads", count=4) == "4 threads"
    with translated_by(in_german):
        assert tr("{count} threads", count=4) == "4 Fäden"
        with translated_by(None):
            assert tr("{count} threads", count=4) == "4 threads"
        assert tr_word("completed") == "fertig"
    assert tr_word("completed") == "completed"


def test_that_numbers_have_the_marks_of_the_language() -> None:
    with translated_by(in_german, (",", ".")):
        assert tr("{count:,} of {all:,}", count=17_406, all=1_000_000) == "17.406 of 1.000.000"
        assert tr("{share:.1f} of {path}", share=0.25, path="a.b,c") == "0,2 of a.b,c"
        assert tr("{share}", share=0.5) == "0,5"
        assert marked("0.57× on 4 cores, 0.60× on 8.") == "0,57× on 4 cores, 0,60× on 8."
        shown = show_count(1180), show_size(1536), show_seconds(0.0024), show_ratio(1.92)
        assert shown == ("1.180", "1,5 KiB", "2,40 ms", "1,92×")
        assert show_spread(1180.5, 12.25) == "1.180 ± 12"
        assert show_clock(7385.25, 0.05) == "2:03:05,25"
        with translated_by(None):
            assert show_count(1180) == "1,180"
    assert tr("{count:,}", count=17_406) == "17,406"


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_that_marks_only_change_places(value: float) -> None:
    """Swapped once more, a number is what it is in English."""
    english = [show(value) for show in (show_count, show_size, show_seconds, show_share)]
    with translated_by(None, (",", ".")):
        german = [show(value) for show in (show_count, show_size, show_seconds, show_share)]
    assert [text.translate({44: ".", 46: ","}) for text in german] == english


def test_that_a_number_is_read_as_it_is_shown() -> None:
    assert unmarked("1,180.5") == "1180.5"
    assert [unmarked(text) for text in ("0,5", "1,2", "0,500")] == ["0,5", "1,2", "0,500"]
    with translated_by(in_german, (",", ".")):
        read = [unmarked(text) for text in ("1.180,5", "1.144.093", "1.5", "2,40 ms", "0.0625")]
    assert read == ["1180.5", "1144093", "1.5", "2.40 ms", "0.0625"]


def test_that_braces_in_values_and_words_mean_nothing() -> None:
    with translated_by(in_german):
        assert tr("{count} threads", count="{stage}") == "{stage} Fäden"
        assert tr_word("{stage} and {no}") == "{stage} and {no}"


def test_that_a_thread_speaks_as_the_context_it_is_given() -> None:
    with ThreadPoolExecutor(1) as pool, translated_by(in_german):
        given = copy_context()
        assert pool.submit(tr_word, "completed").result() == "completed"
        assert pool.submit(given.run, tr_word, "completed").result() == "fertig"


def test_that_a_language_stays_until_another_is_used() -> None:
    def speak() -> tuple[str, str]:
        use_translator(in_german)
        spoken = tr_word("completed")
        use_translator(None)
        return spoken, tr_word("completed")

    assert copy_context().run(speak) == ("fertig", "completed")


def test_that_results_are_told_in_it() -> None:
    result = building.good(building.spec(), 100.0)
    with translated_by(in_german):
        assert describe(Crashed(stage="measuring", signal="SIGBUS")) == (
            "SIGBUS: abgestürzt beim Messen"
        )
        assert describe(Completed()) == ending(result) == "fertig"
        assert "sequences/s" in sum_up([result], 1).text
