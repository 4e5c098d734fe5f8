"""Values in a list behind commas: a comma can stand within one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.units import listed, split_values

pytestmark = pytest.mark.quick


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
