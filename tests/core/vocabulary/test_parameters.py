"""Declared parameters: what is read, refused and shown, from the one declaration; and secrets."""

from __future__ import annotations

import dataclasses
import math
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import building
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.language import InvalidParameter, Unavailable, UnknownName, sanitise
from core.measure import reveal, secrets_of, write_lab_credentials
from core.vocabulary import (
    Choice,
    Driver,
    Flag,
    Integer,
    Kind,
    Location,
    Option,
    Real,
    Secret,
    Text,
    build,
    choice,
    declared,
    flag,
    integer,
    location,
    real,
    secret,
    text,
    values_of,
)
from core.vocabulary.declarations import drivers_of

pytestmark = pytest.mark.quick

MISSING = Driver(module="no_such_module_here", distribution="no-such", install="pip install it")


@dataclass(frozen=True, kw_only=True)
class Everything:
    count: int = integer(4, low=1, high=1000, help="How many.")
    size: int = integer(65536, low=1, high=2**40, unit="bytes", help="How large.")
    wait: float = real(1.5, low=0, high=3600, unit="seconds", help="How long.")
    share: float = real(0.5, low=0, high=1, help="How much of it.")
    cache: str = choice(
        "lru", options={"lru": "Keep.", "none": "Forget.", "far": Option(help="Ask.", driver=MISSING)},
        help="How kept.",
    )  # fmt: skip
    cache_size: int = integer(
        128, low=1, high=4096, only_when={"cache": ("lru",)}, help="How many are kept."
    )
    eager: bool = flag(False, help="Whether at once.")
    label: str = text("", pattern="[a-z]*", help="What it is called.")
    place: str = location("", help="Where it is.")
    key: str = secret(help="Who asks.")


KINDS = {kind.name: kind for kind in declared(Everything)}


def kind_of[K](name: str, kind: type[K]) -> K:
    found = KINDS[name]
    assert isinstance(found, kind)
    return found


def test_that_declared_gives_names_labels_and_flags_in_order() -> None:
    assert list(KINDS) == [field.name for field in dataclasses.fields(Everything)]
    assert KINDS["cache_size"].label == "Cache size"
    assert KINDS["cache_size"].flag == "--cache-size"


def test_that_a_bare_field_is_refused() -> None:
    @dataclass
    class Careless:
        speed: int = 3

    with pytest.raises(TypeError, match=r"Careless\.speed was not declared"):
        declared(Careless)


def test_that_the_defaults_are_valid_and_survive_a_round_trip() -> None:
    assert build(Everything, {}) == Everything()
    assert build(Everything, values_of(Everything())) == Everything()


@given(value=st.integers(1, 1000))
def test_that_a_number_is_read_as_it_is_shown(value: int) -> None:
    count = kind_of("count", Integer)
    assert count.parse(count.show(value)) == value


@given(value=st.integers(1, 2**40))
def test_that_a_size_is_read_as_it_is_shown_to_its_digits(value: int) -> None:
    size = kind_of("size", Integer)
    assert math.isclose(size.parse(size.show(value)), value, rel_tol=0.05)


@given(value=st.floats(0, 59.9))
def test_that_a_time_is_read_as_it_is_shown_to_its_digits(value: float) -> None:
    wait = kind_of("wait", Real)
    assert math.isclose(wait.parse(wait.show(value)), value, rel_tol=0.06, abs_tol=1e-9)


@given(value=st.booleans())
def test_that_a_flag_is_read_as_it_is_shown(value: bool) -> None:
    eager = kind_of("eager", Flag)
    assert eager.parse(eager.show(value)) is value


numbers_in_units = st.from_regex(r"[0-9.eE+-]{1,8} ?[a-zµ]{0,3}", fullmatch=True)


@given(
    value=st.integers() | st.floats() | st.text() | st.booleans() | st.none(),
    name=st.sampled_from(list(KINDS)),
)
def test_that_a_check_gives_a_fitting_value_or_says_which_parameter_it_refuses(
    value: object, name: str
) -> None:
    kind = KINDS[name]
    try:
        checked = kind.check(value)
    except InvalidParameter as error:
        refusal = error
    else:
        assert kind.check(checked) == checked
        assert isinstance(checked, type(kind.default))
        return
    assert str(refusal).startswith(f"{name}: ")
    assert "\n" not in str(refusal)
    assert refusal.exit_code == 2


@given(written=st.text() | numbers_in_units, name=st.sampled_from(list(KINDS)))
@example(written="1e999", name="wait")
@example(written="1e999", name="size")
@example(written="9" * 5000, name="count")
def test_that_whatever_is_typed_is_read_or_refused(written: str, name: str) -> None:
    with suppress(InvalidParameter):
        assert KINDS[name].check(KINDS[name].parse(written)) is not None


REFUSED: tuple[tuple[str, object, str], ...] = (
    ("count", 0, "0 is outside 1…1000"),
    ("count", 1001, "1001 is outside"),
    ("count", 2.5, "2.5 is not a whole number"),
    ("count", True, "True is not a whole number"),
    ("count", "four", "'four' is not a whole number"),
    ("count", "-4", "-4 is outside"),
    ("count", "1,2,4", "'1,2,4' is not a whole number"),
    ("count", "1,5", "'1,5' is not a whole number"),
    ("size", "1,2,4", "'1,2,4' is not a size such as 64KiB"),
    ("count", "4,12,", "'4,12,' is not a whole number"),
    ("size", "64,128", "'64,128' is not a size such as 64KiB"),
    ("size", "1,5 MiB", "(write 1.5MiB)"),
    ("size", "1,128", "(write 1128)"),
    ("wait", "2,5 s", "(write 2.5s)"),
    ("wait", "1,234", "(write 1.234 or 1234)"),
    ("share", "0,5", "'0,5' is not a number (write 0.5)"),
    ("size", "lots", "'lots' is not a size such as 64KiB"),
    ("size", "2TiB", "2.0 TiB is outside 1 B…1.0 TiB"),
    ("wait", "soon", "'soon' is not a time such as 5s"),
    ("wait", -1.0, "outside"),
    ("wait", math.nan, "outside"),
    ("wait", math.inf, "outside"),
    ("wait", "2h", "2:00:00 h is outside"),
    ("share", "half", "'half' is not a number"),
    ("share", "nan", "outside"),
    ("share", False, "is not a number"),
    ("cache", "lur", "'lur' is not one of lru, none, far"),
    ("eager", "perhaps", "neither yes nor no"),
    ("eager", 1, "neither yes nor no"),
    ("label", "Loud", "does not have the form"),
    ("label", "two\nlines", "line breaks"),
    ("place", 7, "is not text"),
)


@pytest.mark.parametrize(("name", "value", "message"), REFUSED)
def test_that_a_refusal_says_what_is_wrong(name: str, value: object, message: str) -> None:
    with pytest.raises(InvalidParameter) as raised:
        build(Everything, {name: value})
    assert str(raised.value).startswith(f"{name}: ")
    assert message in str(raised.value)


READ: tuple[tuple[str, object, object], ...] = (
    ("count", "1,000", 1000),
    ("size", "10,000", 10_000),
    ("count", 3.0, 3),
    ("size", "64k", 65536),
    ("size", "64KB", 64000),
    ("size", "1.5 MiB", 1572864),
    ("wait", "250ms", 0.25),
    ("wait", "2min", 120.0),
    ("wait", 3, 3.0),
    ("share", "1e-3", 0.001),
    ("eager", "ON", True),
    ("eager", "0", False),
    ("place", "s3://bucket/key@v1", "s3://bucket/key@v1"),
    ("key", "env:TOKEN", "env:TOKEN"),
    ("key", "keyring:synapse/me@lab", "keyring:synapse/me@lab"),
)


@pytest.mark.parametrize(("name", "value", "read"), READ)
def test_that_values_are_read_as_people_write_them(name: str, value: object, read: object) -> None:
    built = getattr(build(Everything, {name: value}), name)
    assert built == read
    assert type(built) is type(read)


def test_that_an_unknown_parameter_has_the_closest_name_as_remedy() -> None:
    with pytest.raises(UnknownName, match=r"named 'cache_sise' \(did you mean cache_size\?\)"):
        build(Everything, {"cache_sise": 4})


@given(size=st.integers(1, 4096))
def test_that_what_has_no_effect_is_put_back_to_its_default(size: int) -> None:
    assert build(Everything, {"cache": "none", "cache_size": size}) == build(
        Everything, {"cache": "none"}
    )
    assert build(Everything, {"cache": "lru", "cache_size": size}).cache_size == size


def test_that_what_has_no_effect_is_still_checked() -> None:
    with pytest.raises(InvalidParameter):
        build(Everything, {"cache": "none", "cache_size": 0})


printable = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=4)


@given(hidden=printable)
@example(hidden="env:")
@example(hidden="keyring:no-user")
@example(hidden="env:NOT A NAME")
def test_that_a_secret_given_literally_is_refused_and_never_repeated(hidden: str) -> None:
    key = kind_of("key", Secret)
    for refuse in (key.check, key.parse, lambda value: build(Everything, {"key": value})):
        try:
            assert refuse(hidden)
        except InvalidParameter as error:
            told = f"{error} {error!r} {error.args} {error.cause} {error.reason}"
            harmless = "key: this is not a reference to a secret (give env:NAME, keyring:SERVICE/USER or lab:SERVER/NAME, never the secret itself)"
            assert hidden not in told.replace(harmless, "") or hidden in harmless


@given(user=printable, password=printable)
def test_that_credentials_in_a_location_are_refused_and_never_repeated(
    user: str, password: str
) -> None:
    place = kind_of("place", Location)
    hidden = f"{user}:{password}".replace("/", "-")
    with pytest.raises(InvalidParameter) as raised:
        place.check(f"https://{hidden}@host/path")
    assert hidden not in str(raised.value)


@pytest.mark.parametrize(
    "place", ["https://u:p@host/", "s3://key:secret@bucket", "HTTP://me@host", "a+b://x@y"]
)
def test_that_every_scheme_s_credentials_are_seen(place: str) -> None:
    with pytest.raises(InvalidParameter, match="credentials"):
        kind_of("place", Location).check(place)


def test_that_a_secret_is_revealed_from_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_TOKEN", "s3cr3t")
    assert reveal("env:LAB_TOKEN") == "s3cr3t"
    monkeypatch.delenv("LAB_TOKEN")
    with pytest.raises(Unavailable, match="there is no secret at env:LAB_TOKEN"):
        reveal("env:LAB_TOKEN")


LETTERS, LINES = "letters outside ASCII, or of control (look", "a line break in it (remove it"


@pytest.mark.parametrize(
    ("secret", "why"),
    [
        ("tokén-of-mine", LETTERS),
        ("token\x7f", LETTERS),
        ("ключ", LETTERS),
        ("token\nof mine", LINES),
        ("t0ken\n", LINES),
        ("t0ken\r\n", LINES),
    ],
)
def test_that_a_secret_that_no_server_takes_is_one_sentence_without_a_letter_of_it(
    secret: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_TOKEN", secret)
    with pytest.raises(Unavailable) as refused:
        reveal("env:LAB_TOKEN", in_header=True)
    told = str(refused.value)
    assert told.startswith(f"the secret at env:LAB_TOKEN has {why}")
    assert told.isascii()
    assert secret not in told


def test_that_a_choice_s_missing_driver_is_told_with_its_remedy() -> None:
    assert drivers_of(Everything()) == ()
    (needed,) = drivers_of(build(Everything, {"cache": "far"}))
    assert not needed.installed
    with pytest.raises(Unavailable, match=r"no-such is missing \(install: pip install it\)"):
        needed.require()
    assert not Driver(module="no_such_module_here.inner", distribution="x", install="y").installed
    assert Driver(module="json.decoder", distribution="json", install="-").installed


@pytest.mark.parametrize("name", list(KINDS))
def test_that_every_default_is_shown_as_text(name: str) -> None:
    kind: Kind = KINDS[name]
    shown: Any = kind.show(kind.default)
    assert isinstance(shown, str)
    assert isinstance(kind, Choice | Text | Secret) or kind.parse(shown) == kind.default


def test_that_a_logarithmic_scale_begins_above_zero() -> None:
    with pytest.raises(ValueError, match="begins above 0"):
        integer(0, low=0, high=64, scale="log2", help="Any.")
    with pytest.raises(ValueError, match="begins above 0"):
        real(0.0, low=0.0, high=64.0, scale="log2", help="Any.")


LAB_KEY = Secret(name="key", help="A key.")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path))
    monkeypatch.setattr(sanitise, "_REMEMBERED", {})  # so that later tests do not know of these
    return tmp_path


def test_that_a_reference_names_a_server_and_a_secret() -> None:
    assert LAB_KEY.parse("lab:s3/secret-key") == "lab:s3/secret-key"
    for wrong in ("lab:s3", "lab:/secret-key", "lab:s3/", "lab:s3/a b", "lab:../x/y"):
        with pytest.raises(InvalidParameter):
            LAB_KEY.parse(wrong)


def test_that_what_is_in_the_credentials_is_revealed(folder: Path) -> None:
    write_lab_credentials(folder, {"s3": {"secret-key": "sööö/%"}})
    assert reveal("lab:s3/secret-key") == "sööö/%"
    with pytest.raises(Unavailable, match="lab:s3/other"):
        reveal("lab:s3/other")


def test_that_credentials_that_cannot_be_read_are_none(folder: Path) -> None:
    (folder / "credentials.json").write_bytes(b"{ half")
    with pytest.raises(Unavailable, match="python -m core lab start s3"):
        reveal("lab:s3/secret-key")


def test_that_secrets_of_the_lab_are_masked_in_what_a_run_writes(folder: Path) -> None:
    write_lab_credentials(folder, {"s3": {"secret-key": "sööö/%"}})
    of = msgspec.structs.replace(
        building.spec(), parameters={"key": "lab:s3/secret-key", "other": "lab:s3/gone"}
    )
    assert secrets_of([of])["sööö/%"] == "lab:s3/secret-key"
