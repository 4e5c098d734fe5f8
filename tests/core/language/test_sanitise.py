"""What becomes of text from outside."""

from __future__ import annotations

import building
import msgspec
import pytest

from core.language import sanitise
from core.language.sanitise import safe, storable
from core.language.translation import one_line
from core.plan.spec import secrets_of

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é ± 漢字 😀", "plain é ± 漢字 😀"),
        ("a\x1b[31m", r"a\x1b[31m"),
        ("a\u202eb", r"a\u202eb"),
        ("two\nlines\r\tmore", r"two\nlines\r\tmore"),
        ("half\udcff", r"half\udcff"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("not there: \ufffd", "not there: \ufffd"),
    ],
)
def test_that_invisible_characters_are_spelled_out(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_that_surrogates_become_storable() -> None:
    assert storable("a\udcff\ud800b") == r"a\udcff\ud800b"


def test_that_a_struct_without_trouble_is_handed_back_as_it_is() -> None:
    trial = building.trial(building.spec())
    assert safe(trial, {}) is trial


def test_that_secrets_are_replaced_everywhere_the_longest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sanitise, "_REMEMBERED", {})  # what other tests have used
    monkeypatch.setenv("SLUICE_A", "abcdef")
    monkeypatch.setenv("SLUICE_B", "abcdefgh")
    monkeypatch.setenv("SLUICE_SHORT", "a")
    of = building.spec(
        parameters={"a": "env:SLUICE_A", "b": "env:SLUICE_B", "c": "env:SLUICE_SHORT", "d": "env:X"}
    )
    secrets = secrets_of([of])
    assert secrets == {
        "abcdef": "env:SLUICE_A",
        "abcdefgh": "env:SLUICE_B",
        "a": "env:SLUICE_SHORT",
        "": "env:X",  # not set: too short to be replaced
    }
    trial = building.trial(of, notes=("abcdefgh and abcdef",), counters={"abcdef": 1.0})
    clean = safe(trial, secrets)
    assert clean.notes == ("<env:SLUICE_B> and <env:SLUICE_A>",)
    assert clean.counters == {"<env:SLUICE_A>": 1.0}
    assert msgspec.structs.replace(clean, notes=(), counters={}) == msgspec.structs.replace(
        trial, notes=(), counters={}
    )
