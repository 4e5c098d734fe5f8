"""Which settings have colours among many."""

from __future__ import annotations

import pytest

from app.plots.time.trace import MOST, MOST_MUTED, Emphasis, Trace

pytestmark = pytest.mark.window


def traces(*rates: float) -> dict[str, Trace]:
    """Settings a, b, c… that are so fast."""
    found = {}
    for letter, rate in zip("abcdefghijklmnop", rates, strict=False):
        found[letter] = Trace(f"setting {letter}")
        found[letter].count(round(1000 * rate), 1000.0)
    return found


def test_that_few_settings_have_the_colours_of_their_places() -> None:
    found = Emphasis().among(traces(1, 9, 5))
    assert found.ranks == {"a": 0, "b": 1, "c": 2}


def test_that_a_single_setting_is_not_compared() -> None:
    assert Emphasis().among(traces(7)).ranks == {}


def test_that_of_many_settings_the_fastest_have_colours_all_of_them_different() -> None:
    found = Emphasis().among(traces(*range(16)))
    assert set(found.ranks) == set("klmnop")
    assert sorted(found.ranks.values()) == list(range(MOST))


def test_that_a_setting_is_not_replaced_by_one_that_is_hardly_faster() -> None:
    emphasis = Emphasis()
    emphasis.among(traces(*[100] * MOST, 90))
    assert "g" not in emphasis.among(traces(*[100] * MOST, 104)).ranks
    assert "g" in emphasis.among(traces(*[100] * MOST, 106)).ranks


def test_that_picked_settings_alone_have_colours_however_slow_they_are() -> None:
    emphasis = Emphasis()
    emphasis.picked = ("c",)
    assert emphasis.among(traces(9, 8, 1, 7)).ranks == {"c": 2}


def test_that_decided_settings_have_no_colours_until_all_are_decided() -> None:
    emphasis = Emphasis()
    emphasis.decided = frozenset({"a", "b", "of another run"})
    found = emphasis.among(traces(9, 8, 1))
    assert found.ranks == {"c": 2}
    assert found.decided == {"a", "b"}
    emphasis.decided = frozenset("abc")
    assert list(emphasis.among(traces(9, 8, 1)).ranks) == ["a", "b", "c"]


def test_that_the_setting_under_the_mouse_has_a_colour_beside_the_others() -> None:
    emphasis = Emphasis()
    emphasis.hovered = "a"
    found = emphasis.among(traces(*range(16)))
    assert set(found.ranks) == set("almnop")
    assert sorted(found.ranks.values()) == list(range(MOST))
    emphasis.hovered = ""
    assert set(emphasis.among(traces(*range(16))).ranks) == set("klmnop")
    emphasis.picked, emphasis.hovered = ("b",), "c"
    assert emphasis.among(traces(9, 8, 1, 7)).ranks == {"b": 1, "c": 2}


def test_that_of_a_thousand_settings_some_from_all_over_are_drawn_beside_those_in_colour() -> None:
    many = {str(place): Trace(str(place)) for place in range(1000)}
    found = Emphasis().among(many)
    assert MOST_MUTED / 2 < len(found.muted) <= MOST_MUTED
    assert not set(found.muted) & set(found.ranks)
    assert max(map(int, found.muted)) > 900
    few = {str(place): Trace(str(place)) for place in range(20)}
    assert len(Emphasis().among(few).muted) == 20 - MOST
