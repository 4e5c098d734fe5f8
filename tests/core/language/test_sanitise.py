"""What becomes of text from outside; no secret survives in it, whatever it looks like."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import building
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.language import (
    beginning,
    ending,
    longest_form,
    one_line,
    printed_lines,
    remember,
    remembered,
    safe,
    sanitise,
    storable,
)
from core.language.sanitise import SHORTEST, forms
from core.measure import secrets_of
from core.run import Session
from core.vocabulary import Complaint, Failed, Trial

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


@pytest.mark.parametrize(
    ("printed", "lines"),
    [
        ("one\r\ntwo\n\n  three\n", ["one", "two", "  three"]),
        ("\x1b[31;1mERROR\x1b[0m: no index\x1b[?25h", ["ERROR: no index"]),
        ("\x1b]0;title\x07\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\ \x1b(Bend", ["link end"]),
        ("\r\x1b[2K 10 %\r\x1b[2K 20 %\r\x1b[2K 30 %\nfailed\n", ["failed"]),
        ("\r10 %|#   |\r20 %|##  |", ["20 %|##  |"]),
        ("\rreading 10 %\rcannot read: no space\n", ["cannot read: no space"]),
        ("\\\b|\b/\bfailed\x85still", ["failed\x85still"]),
        ("\x1b[2K\r\n\x1b[0m\n", []),
    ],
)
def test_that_what_was_printed_for_a_terminal_is_what_it_showed_last(
    printed: str, lines: list[str]
) -> None:
    assert printed_lines(printed) == lines


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


WORDS = ("wrong", "stage", "fail", "index", "digest", "outcome", "failed", "operation", "block",
         "measuring", "env:KEY", "env:", "<env:KEY>", "text", "count")  # fmt: skip
AWKWARD = (*WORDS, "a/b%c&d", "it's \"so\"", "ключ-пароль", "x" * 200, "tab\there", "p@ss:w=rd+1",
           "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")  # fmt: skip


def trial_that_says(text: str) -> Trial:
    """A failed trial with this text wherever foreign text can be."""
    return building.trial(
        building.spec(),
        outcome=Failed(stage="measuring", error="ValueError", message=text, trace=text),
        complaints=(Complaint(wrong_data=True, text=text, count=1, first_item=text),),
        notes=(text,),
    )


@given(st.sampled_from(AWKWARD) | st.text(st.characters(codec="utf-8"), min_size=SHORTEST))
@example("None")
@example("<env:KEY>")
def test_that_no_form_of_a_secret_is_left_in_free_text(secret: str) -> None:
    raw = secret.encode()
    texts = (
        secret,
        f"key={quote(secret, safe='')}&{quote_plus(secret)} at {quote(secret)}",
        f"{secret!r} {json.dumps(secret)} {raw!r} {html.escape(secret)}",
        f"Authorization: Bearer {base64.b64encode(raw).decode()}",
    )
    clean = safe(trial_that_says(" | ".join(texts)), {secret: "env:KEY"})
    said = str(clean.notes) + str(clean.complaints)
    left = said.replace("<env:KEY>", "")
    if secret not in "<env:KEY> | key= at Authorization: Bearer" and len(secret) > 8:
        assert not any(form in left for form in forms(secret) if len(form) > 8)
    assert msgspec.json.decode(msgspec.json.encode(clean), type=Trial) == clean


WRITTEN: dict[str, Callable[[str], str]] = {
    "itself": str,
    "in a repr": lambda secret: repr(secret)[1:-1],
    "in JSON": lambda secret: json.dumps(secret)[1:-1],
    "in HTML": html.escape,
    "in HTML outside of tags": lambda secret: html.escape(secret, quote=False),
    "in a URL": quote,
    "as a part of a URL": lambda secret: quote(secret, safe=""),
    "in a URL in small letters": lambda secret: quote(secret, safe="").lower(),
    "in a form": quote_plus,
    "in a repr of bytes": lambda secret: repr(secret.encode())[2:-1],
    "in hexadecimal": lambda secret: secret.encode().hex(),
}


@pytest.mark.parametrize("written", WRITTEN)
def test_that_a_secret_is_found_however_it_is_written(written: str) -> None:
    secret = "a/b%c&d <'ключ\"> e"
    told = WRITTEN[written](secret)
    assert safe((f"[{told}]",), {secret: "env:KEY"}) == ("[<env:KEY>]",)


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("behind", ["", ":", "::", "@host"])
def test_that_a_secret_is_found_in_the_base64_of_a_longer_text(before: str, behind: str) -> None:
    secret = "wJalrXUtnFEMI/K7MDENG"
    told = base64.b64encode(f"{before}{secret}{behind}".encode()).decode()
    (clean,) = safe((told,), {secret: "env:KEY"})
    assert "<env:KEY>" in clean
    assert len(clean) < len(told) / 2 + len("<env:KEY>")


@pytest.mark.parametrize("secret", AWKWARD)
def test_that_a_trial_with_an_awkward_secret_is_stored_and_read_again(
    secret: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_KEY", secret)
    spec = building.spec(parameters={"key": "env:SLUICE_KEY"})
    plan = building.plan([spec])
    session = Session.create(tmp_path / "one.sluice")
    run = session.begin_run(plan, building.environment(), {}, ("sluice", "measure"))
    said = msgspec.structs.replace(
        trial_that_says(f"denied: {secret}!"), spec_digest=spec.digest, counters={secret: 1.0}
    )
    session.append(run, said)
    (result,) = Session.open(tmp_path / "one.sluice").results(run)
    (trial,) = result.trials
    assert trial.outcome == msgspec.structs.replace(
        said.outcome, message="denied: <env:SLUICE_KEY>!", trace="denied: <env:SLUICE_KEY>!"
    )
    assert trial.unit == said.unit
    assert result.spec == spec


@pytest.mark.parametrize("cut", [beginning, ending])
def test_that_a_cut_leaves_no_part_of_a_secret(cut: Callable[..., str]) -> None:
    secret = "wJalrXUtnFEMI/K7MDENG"
    text = f"12 {secret} 345 {base64.b64encode(secret.encode()).decode()} 678"
    for most in range(len(text) + 2):
        left = cut(text, most, {secret: "env:KEY"}).replace("<env:KEY>", "~")
        assert len(left) <= most
        assert re.fullmatch("[0-9 ~]*", left)
    assert left == "12 ~ 345 ~ 678"
    assert len(cut("12345", 3, {})) == 3


def test_that_the_longest_form_of_a_secret_is_known() -> None:
    assert longest_form({}) == longest_form({"abc": "env:KEY"}) == 0
    assert longest_form({"ключ": "env:KEY"}) == max(len(form.encode()) for form in forms("ключ"))


@pytest.mark.parametrize("secret", ["wrong", "100%+1", "a-secret"])
@pytest.mark.parametrize("user", ["", "u:", "me:", "you:"])
def test_that_a_short_secret_is_found_in_the_base64_of_a_login(secret: str, user: str) -> None:
    told = base64.b64encode(f"{user}{secret}".encode()).decode()
    (clean,) = safe((told,), {secret: "env:KEY"})
    assert "<env:KEY>" in clean


def test_that_names_are_not_searched() -> None:
    trial = building.trial(building.spec(), versions={"pysam": "0.24"})
    assert safe(trial, {"operation": "env:A", "pysam": "env:B"}) is trial


def test_that_a_reference_is_not_mistaken_for_another_secret() -> None:
    assert safe(("secret-one",), {"secret-one": "env:TOKEN", "TOKEN": "env:B"}) == ("<env:TOKEN>",)


def test_that_too_short_secrets_mangle_nothing() -> None:
    assert safe(("a is b",), {"a": "env:A", "": "env:B", "is": "env:C"}) == ("a is b",)


def test_that_what_a_process_used_is_known_to_all_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanitise, "_REMEMBERED", {})
    remember("from-a-keyring", "keyring:lab/me")
    assert remembered()["from-a-keyring"] == "keyring:lab/me"
    assert secrets_of([])["from-a-keyring"] == "keyring:lab/me"
