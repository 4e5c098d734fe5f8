"""Texts in the language of whoever shows them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import building
import pytest

from core import (
    Completed,
    Crashed,
    describe,
    ending,
    sum_up,
    tr,
    tr_word,
    translated_by,
    use_translator,
)

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


def test_that_braces_in_values_and_words_mean_nothing() -> None:
    with translated_by(in_german):
        assert tr("{count} threads", count="{stage}") == "{stage} Fäden"
        assert tr_word("{stage} and {no}") == "{stage} and {no}"


def test_that_a_thread_speaks_as_the_context_it_is_given() -> None:
    with ThreadPoolExecutor(1) as pool, translated_by(in_german):
        given = copy_context()
        assert pool.submit(tr_word, "completed").result() == "completed"
        assert pool.submit(given.run, tr_word, "completed").result() == "fertig"


def test_that_a_voice_stays_until_another_is_used() -> None:
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
