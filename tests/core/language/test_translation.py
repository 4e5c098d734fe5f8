"""Texts in the language of whoever shows them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import building
import pytest

from core import Completed, Crashed, describe, ending, say, sum_up, use_voice, voiced, word

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
    assert say("{count} threads", count=4) == "4 threads"
    with voiced(in_german):
        assert say("{count} threads", count=4) == "4 Fäden"
        with voiced(None):
            assert say("{count} threads", count=4) == "4 threads"
        assert word("completed") == "fertig"
    assert word("completed") == "completed"


def test_that_braces_in_values_and_words_mean_nothing() -> None:
    with voiced(in_german):
        assert say("{count} threads", count="{stage}") == "{stage} Fäden"
        assert word("{stage} and {no}") == "{stage} and {no}"


def test_that_a_thread_speaks_as_the_context_it_is_given() -> None:
    with ThreadPoolExecutor(1) as pool, voiced(in_german):
        given = copy_context()
        assert pool.submit(word, "completed").result() == "completed"
        assert pool.submit(given.run, word, "completed").result() == "fertig"


def test_that_a_voice_stays_until_another_is_used() -> None:
    def speak() -> tuple[str, str]:
        use_voice(in_german)
        spoken = word("completed")
        use_voice(None)
        return spoken, word("completed")

    assert copy_context().run(speak) == ("fertig", "completed")


def test_that_results_are_told_in_it() -> None:
    result = building.good(building.spec(), 100.0)
    with voiced(in_german):
        assert describe(Crashed(stage="measuring", signal="SIGBUS")) == (
            "SIGBUS: abgestürzt beim Messen"
        )
        assert describe(Completed()) == ending(result) == "fertig"
        assert "sequences/s" in sum_up([result], 1).text
