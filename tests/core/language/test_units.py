"""Quantities as texts, and lists behind commas."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language import (
    listed,
    parse_seconds,
    parse_size,
    show_clock,
    show_estimate,
    show_left,
    show_seconds,
    split_values,
)

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("seconds", "step", "text"),
    [
        (0.0, 10.0, "0:00"),
        (5.0, 5.0, "0:05"),
        (5.2, 0.1, "0:05.2"),
        (0.25, 0.05, "0:00.25"),
        (59.96, 1.0, "1:00"),
        (750.0, 30.0, "12:30"),
        (7385.0, 1.0, "2:03:05"),
        (86_400.0, 3600.0, "24:00:00"),
        (-30.0, 10.0, "-0:30"),
    ],
)
def test_that_a_clock_reads_as_on_a_wall(seconds: float, step: float, text: str) -> None:
    assert show_clock(seconds, step) == text


@pytest.mark.parametrize("parse", [parse_seconds, parse_size])
def test_that_an_endless_quantity_is_refused(parse: Callable[[str], float]) -> None:
    with pytest.raises(ValueError, match="'1e999' is more than can be meant"):
        parse("1e999")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0, "1 s"), (7.2, "8 s"), (59.9, "1:00 min"), (3700.0, "1:01:40 h")]
)
def test_that_what_is_left_is_told_in_whole_seconds(seconds: float, text: str) -> None:
    assert show_left(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (85e-9, "85.0 ns"),
        (12.4e-6, "12.4 µs"),
        (0.0024, "2.40 ms"),
        (5.0, "5.0 s"),
        (185.0, "3:05 min"),
        (7385.0, "2:03:05 h"),
        (-0.0024, "-2.40 ms"),
    ],
)
def test_that_a_time_is_told_in_the_unit_that_fits_it(seconds: float, text: str) -> None:
    assert show_seconds(seconds) == text


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("1,2", ["1", "2"]),
        ("", [""]),
        ("cut -f1,2 x", ["cut -f1", "2 x"]),
        ('"cut -f1,2 x",cat x', ["cut -f1,2 x", "cat x"]),
        ("'cut -f1,2 x',cat x", ["cut -f1,2 x", "cat x"]),
        ("awk '{print $1,$2}' x,cat x", ["awk '{print $1,$2}' x", "cat x"]),
        ('"my program" x,cat x', ['"my program" x', "cat x"]),
        ('"my program",cat', ['"my program"', "cat"]),
        ("it's,that's", ["it's", "that's"]),
        ("'open,cat", ["'open", "cat"]),
        (r'"say \"a,b\"",cat', ['say "a,b"', "cat"]),
    ],
)
def test_that_a_comma_between_quotes_does_not_end_a_value(written: str, values: list[str]) -> None:
    assert split_values(written) == values


_PLAIN = st.text(st.sampled_from("ab=,\\ "), max_size=8)
_QUOTED = st.builds("{1}{0}{1}".format, st.text("ab=, ", max_size=5), st.sampled_from("\"'"))


@given(st.lists(st.lists(_PLAIN | _QUOTED, max_size=3).map(" ".join), min_size=1, max_size=4))
def test_that_what_is_written_as_a_list_is_read_as_the_same_values(values: list[str]) -> None:
    assert split_values(",".join(map(listed, values))) == values


@given(st.integers(1, 999), st.floats(0.001, 0.999))
def test_that_a_time_is_the_same_figure_alone_and_in_a_column(whole: int, part: float) -> None:
    seconds = (whole + part) * 1e-3
    alone = show_seconds(seconds)
    assert alone in (f"{show_estimate(seconds * 1e3, None, None)} ms", "1.0 s")
