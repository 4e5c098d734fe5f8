"""What every export promises, whatever its format."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, override

import building
import hostile_sessions
import pytest

from core.judge import typical
from core.language import NotWritten, Unavailable, UnknownName, UsageError
from core.run import Session
from core.tell.exchange import FORMATS, Format, format_for, format_named
from core.tell.exchange.imported import read
from core.tell.exchange.json_format import DOCUMENT_VERSION, json_schema
from core.vocabulary import Crashed, Driver, Load, Result, ending

if TYPE_CHECKING:
    from collections.abc import Buffer

# Drawing takes too long for these quick tests: test_report.py holds the page to the same promises.
DRAWN = "html"
CONFORMING = [name for name in FORMATS if name != DRAWN]
TEXT_FORMATS = [name for name in CONFORMING if name != "parquet"]
WITH_RESULTS = [name for name in CONFORMING if name != "json-schema"]


def exported(results: Sequence[Result], name: str) -> bytes:
    stream = io.BytesIO()
    format_named(name).export(results, stream)
    return stream.getvalue()


def varied() -> list[Result]:
    """Valid results with awkward numbers, and invalid ones of every kind."""
    return [
        building.good(building.spec(threads=1), 1 / 3, 0.7),
        building.good(building.spec(threads=2, duration=0.1), 1e9 / 7, 123456.789, first=2),
        building.good(building.spec(threads=4, parameters={"cache": "none", "f": -0.25}), 508.0),
        *building.invalid(),
    ]


# Reading each format back: for every result its throughputs, and its ending.


def from_json(content: bytes) -> list[tuple[list[float], str]]:
    return [
        ([rate for rate in one["metrics"]["throughput"] if rate is not None], one["ending"])
        for one in json.loads(content)["results"]
    ]


def from_rows(rows: Sequence[Mapping[str, Any]]) -> list[tuple[list[float], str]]:
    specs = dict.fromkeys(row["spec"] for row in rows)
    mine = {spec: [row for row in rows if row["spec"] == spec] for spec in specs}
    return [
        (
            [float(r["operations_per_second"]) for r in rows if r["operations_per_second"]],
            ", ".join(dict.fromkeys(row["ending"] for row in rows)),
        )
        for rows in mine.values()
    ]


def from_csv(content: bytes) -> list[tuple[list[float], str]]:
    return from_rows(list(csv.DictReader(io.StringIO(content.decode()))))


def from_parquet(content: bytes) -> list[tuple[list[float], str]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    return from_rows(pq.read_table(pa.BufferReader(content)).to_pylist())


def from_hyperfine(content: bytes) -> list[tuple[list[float], str]]:
    return [
        ([1 / time for time in one["times"]], one["ending"])
        for one in json.loads(content)["results"]
    ]


READERS: dict[str, Callable[[bytes], list[tuple[list[float], str]]]] = {
    "json": from_json,
    "csv": from_csv,
    "parquet": from_parquet,
    "hyperfine": from_hyperfine,
}


@pytest.mark.parametrize("name", READERS)
def test_that_throughputs_and_endings_come_back(name: str) -> None:
    results = varied()
    told = READERS[name](exported(results, name))
    assert len(told) == len(results)
    for (rates, ends), result in zip(told, results, strict=True):
        if result.valid or name != "hyperfine":
            assert rates == pytest.approx(result.values("throughput"), rel=1e-15)
        else:
            assert rates == []
        assert result.valid == (ends == "completed")


@pytest.mark.parametrize("name", ["json", "csv", "parquet"])
def test_that_numbers_come_back_to_the_last_digit(name: str) -> None:
    rates = [1 / 3, 0.1 + 0.2, 1e9 / 7, 5e-7]
    of = building.spec()
    trials = [
        building.trial(of, index=at, rate=rate, seconds=2 / rate) for at, rate in enumerate(rates)
    ]
    ((told, _),) = READERS[name](exported([building.result(of, trials)], name))
    assert told == [trial.throughput for trial in trials]


def samples(content: bytes) -> dict[str, list[tuple[dict[str, str], float]]]:
    """The samples of an OpenMetrics exposition, by a strict reading of its grammar."""
    lines = content.decode().split("\n")
    assert lines[-2:] == ["# EOF", ""]
    assert lines.count("# EOF") == 1
    found: dict[str, list[tuple[dict[str, str], float]]] = {}
    kinds: dict[str, str] = {}
    last = ""
    seen = set()
    for line in lines[:-2]:
        if comment := re.fullmatch(r"# (TYPE|UNIT|HELP) ([a-z_]+) (\S.*)", line):
            word, family, rest = comment.groups()
            if word == "TYPE":
                assert family not in kinds
                kinds[family] = rest
            if word == "UNIT":
                assert family.endswith(f"_{rest}")
            last = family
            continue
        sample = re.fullmatch(r'([a-z_]+)\{((?:[^"\\]|"(?:[^"\\]|\\[\\"n])*")*)\} (\S+)', line)
        assert sample, line
        name = sample[1]
        assert name == (f"{last}_info" if kinds[last] == "info" else last)
        pairs = re.findall(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"', sample[2])
        assert ",".join(f'{label}="{value}"' for label, value in pairs) == sample[2]
        labels = {label: value.replace('\\"', '"').replace("\\\\", "\\") for label, value in pairs}
        assert len(labels) == len(pairs)
        assert (name, *pairs) not in seen
        seen.add((name, *pairs))
        found.setdefault(name, []).append((labels, float(sample[3])))
    return found


def test_that_openmetrics_tells_typical_figures_and_endings() -> None:
    results = varied()
    found = samples(exported(results, "openmetrics"))
    told = {labels["result"]: value for labels, value in found["sluice_operations_per_second"]}
    figures = {str(at): typical(result) for at, result in enumerate(results)}
    assert told == {at: figure for at, figure in figures.items() if figure is not None}
    info = [labels["ending"] for labels, _ in found["sluice_result_info"]]
    assert info == [ending(result) for result in results]
    assert {labels["quantile"] for labels, _ in found["sluice_latency_seconds"]} == {
        "0.5", "0.9", "0.99", "0.999",
    }  # fmt: skip


def test_that_openmetrics_counts_what_went_wrong_in_all_trials() -> None:
    of = building.spec()
    faults = ({}, {"wrong": 3}, {"errors": 5})
    trials = [building.trial(of, index=at, **fault) for at, fault in enumerate(faults)]
    found = samples(exported([building.result(of, trials)], "openmetrics"))
    assert [value for _, value in found["sluice_wrong_operations"]] == [3.0]
    assert [value for _, value in found["sluice_failed_operations"]] == [5.0]


def test_that_one_spec_measured_twice_makes_two_series() -> None:
    result = building.good(building.spec(), 5.0)
    found = samples(exported([result, result], "openmetrics"))
    assert len(found["sluice_operations_per_second"]) == 2


def markdown_cells(content: bytes) -> list[list[str]]:
    """The cells of the only table, as a reader of GitHub's Markdown parts them."""
    lines = [line for line in content.decode().split("\n") if line.startswith("|")]
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines
    ]


def test_that_markdown_tells_throughputs_and_endings() -> None:
    titles, _, *rows = markdown_cells(exported(varied(), "markdown"))
    at = titles.index("Throughput")
    assert [row[at] for row in rows[2:]] == ["508 sequences/s"] + ["–"] * 5
    assert rows[3][titles.index("Ending")] == "wrong data in 12: 3 of 5 bases differ, 9,000 failed"
    assert rows[4][titles.index("Ending")] == "crashed while measuring: SIGSEGV (1 of 2)"


@pytest.mark.parametrize("name", WITH_RESULTS)
def test_that_an_invalid_result_is_named_and_has_no_throughput(name: str) -> None:
    of = building.spec()
    crash = Crashed(stage="measuring", signal="SIGBUS")
    bad = building.result(of, [building.trial(of, rate=987_654_321.0, seconds=3.0, outcome=crash)])
    content = exported([bad], name)
    if name == "parquet":
        assert from_parquet(content) == [([], "crashed while measuring: SIGBUS")]
    else:
        assert b"crashed while measuring: SIGBUS" in content
        if name in READERS:
            assert READERS[name](content)[0][0] == []
        assert b"987654321" not in content.replace(b",", b"")
        assert b"987,654,321" not in content


# Hostile texts.

SECRET = "s3cr3t/Value+of=key"


def harmless(text: str) -> bool:
    """Whether every character shows itself and leaves its neighbours alone."""
    return all(
        unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Cn")
        for letter in text
    )


@pytest.mark.parametrize("name", TEXT_FORMATS)
def test_that_a_hostile_text_stays_text(name: str) -> None:
    for text in building.HOSTILE:
        content = exported([building.hostile(text), building.good(building.spec(), 1.0)], name)
        whole = content.decode()
        assert harmless(whole.replace("\n", "")), ascii(text)
        assert INERT[name](whole), ascii(text)


def json_is_inert(whole: str) -> bool:
    return bool(json.loads(whole)) and whole.count("\n") == 1


def csv_is_inert(whole: str) -> bool:
    rows = list(csv.reader(io.StringIO(whole)))
    assert len(rows) == whole.count("\n") == 4
    assert len({len(row) for row in rows}) == 1
    return all(
        not re.match(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20|%]", cell) or math.isfinite(float(cell))
        for row in rows
        for cell in row
    )


def markdown_is_inert(whole: str) -> bool:
    cells = markdown_cells(whole.encode())
    assert len(cells) == 4
    assert len({len(row) for row in cells}) == 1
    assert "<" not in whole
    assert ">" not in whole
    bare = re.sub(r"\\[\\`*_\[\]|~$#!{}]", "", whole)
    return not re.search(r"[`*_\[\]~$#!{}]", bare)


def openmetrics_is_inert(whole: str) -> bool:
    return bool(samples(whole.encode()))


INERT: dict[str, Callable[[str], bool]] = {
    "json": json_is_inert,
    "json-schema": lambda whole: bool(json.loads(whole)),
    "csv": csv_is_inert,
    "markdown": markdown_is_inert,
    "openmetrics": openmetrics_is_inert,
    "hyperfine": lambda whole: len(json.loads(whole)["results"]) == 2,
}


def test_that_parquet_takes_a_hostile_text_as_it_is() -> None:
    for text in building.HOSTILE:
        assert len(from_parquet(exported([building.hostile(text)], "parquet"))) == 1, ascii(text)


@pytest.mark.parametrize("name", CONFORMING)
def test_that_a_hostile_parameter_name_is_as_harmless(name: str) -> None:
    parameters: dict[str, Any] = {"=cmd()|\x1b<b>": 1, "=cmd()|\x1b>b>": 2, "trial": 3, "": 4}
    of = building.spec(parameters=parameters)
    other = building.spec(parameters=dict.fromkeys(parameters, "x"))
    whole = exported([building.good(of, 5.0), building.good(other, 5.0)], name)
    if name != "parquet":
        assert harmless(whole.decode().replace("\n", ""))
    if name == "openmetrics":
        assert samples(whole)
    if name == "csv":
        titles = next(csv.reader(io.StringIO(whole.decode())))
        assert len(set(titles)) == len(titles)
        assert not any(title.startswith("=") for title in titles)


@pytest.mark.parametrize("name", CONFORMING)
def test_that_no_secret_appears(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_TEST_KEY", SECRET)
    of = building.spec("tiles", parameters={"key": "env:SLUICE_TEST_KEY"})
    words = f"403 for {SECRET} at https://x/?k={SECRET}"
    crash = Crashed(stage="measuring", signal="SIGSEGV", last_words=words, item=words)
    told = building.trial(
        of, notes=(words,), complaints=(building.complaint(words),), counters={words: 1.0}
    )
    result = building.result(of, [told, building.trial(of, index=1, outcome=crash)])
    content = exported([result, building.good(building.spec(), 1.0)], name)
    if name == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        content = repr(pq.read_table(pa.BufferReader(content)).to_pylist()).encode()
    plain = content.replace(b"\\", b"")
    assert b"s3cr3t" not in plain
    assert (b"env:SLUICE" in plain) == (name != "json-schema")


# Ends and edges.


@pytest.mark.parametrize("name", CONFORMING)
def test_that_no_results_are_fine(name: str) -> None:
    content = exported([], name)
    if name in READERS:
        assert READERS[name](content) == []
    if name == "openmetrics":
        assert samples(content) == {}
    nothing_measured = building.result(building.spec(), [])
    assert exported([nothing_measured], name)


@pytest.mark.parametrize("name", CONFORMING)
def test_that_the_same_results_give_the_same_bytes(name: str) -> None:
    assert exported(varied(), name) == exported(varied(), name)


@pytest.mark.parametrize("name", CONFORMING)
def test_that_a_file_is_written_whole(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"of mine{FORMATS[name].suffixes[0]}"
    path.write_text("before")
    format_for(path).export(varied(), path)
    assert path.read_bytes() == exported(varied(), name)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    with pytest.raises(UsageError, match="exists already"):
        format_for(path).export([], path, overwrite=False)
    assert path.read_bytes() == exported(varied(), name)


class _FullDisk(Format):
    def write(self, results: Sequence[Result], stream: Any) -> None:
        stream.write(b"half")
        stream.flush()
        raise OSError(28, "No space left on device")


def test_that_a_failed_export_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("before")
    full = _FullDisk(name="full", title="", suffixes=(), home="")
    with pytest.raises(NotWritten, match=r"x.csv cannot be written: No space left on device$"):
        full.export(varied(), path)
    assert path.read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["x.csv"]


@pytest.mark.parametrize("name", CONFORMING)
def test_that_an_unwritable_target_gives_one_clear_error(name: str, tmp_path: Path) -> None:
    suffix = FORMATS[name].suffixes[0]
    (tmp_path / f"folder{suffix}").mkdir()
    (tmp_path / "file").touch()
    for target, words in (
        (tmp_path / "nowhere" / f"x{suffix}", "the folder of .* does not exist"),
        (tmp_path / f"folder{suffix}", "cannot be written: Is a directory"),
        (tmp_path / "file" / f"x{suffix}", "cannot be written: Not a directory"),
        (tmp_path / ("x" * 300 + suffix), "cannot be written: File name too long"),
    ):
        with pytest.raises(UsageError, match=words) as raised:
            format_for(target).export(varied(), target)
        assert "\n" not in str(raised.value)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", f"folder{suffix}"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_that_a_link_still_leads_to_what_was_written(tmp_path: Path) -> None:
    real = tmp_path / "real.csv"
    real.touch()
    link = tmp_path / "link.csv"
    link.symlink_to(real)
    format_for(link).export([], link)
    assert link.is_symlink()
    assert real.read_bytes() == exported([], "csv")


def test_that_a_name_tells_the_format_by_its_longest_ending() -> None:
    assert format_for(Path("a.json")).name == "json"
    assert format_for(Path("a.Hyperfine.JSON")).name == "hyperfine"
    assert format_for(Path("a.schema.json")).name == "json-schema"
    with pytest.raises(UsageError, match=r"x\.xls does not tell its format \(use one of \.json"):
        format_for(Path("x.xls"))
    with pytest.raises(UnknownName, match="did you mean parquet"):
        format_named("parket")


def test_that_every_format_has_a_row_of_its_own() -> None:
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert all(row.title and row.suffixes for row in FORMATS.values())


def test_that_a_missing_driver_says_how_to_get_it(tmp_path: Path) -> None:
    driver = Driver(module="no_such_module", distribution="pyarrow", install="pip install it")
    absent = dataclasses.replace(FORMATS["parquet"], driver=driver)
    with pytest.raises(Unavailable, match=r"pyarrow is missing \(install: pip install it\)"):
        absent.export(varied(), tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


# One format each.


def test_that_the_json_export_comes_back_whole(tmp_path: Path) -> None:
    results = [*varied(), building.hostile("\u202e<b>\x00")]
    format_named("json").export(results, tmp_path / "x.json")
    assert read(tmp_path / "x.json") == tuple(results)


def test_that_the_json_export_tells_its_version() -> None:
    told = json.loads(exported([], "json"))
    assert (told["format"], told["version"]) == ("sluice-results", DOCUMENT_VERSION)


def test_that_the_schema_describes_the_export() -> None:  # noqa: C901 -- as many kinds of schema
    """Every member that is written is declared, all the way down."""
    schema = json_schema()
    checked: set[str] = set()

    def check(value: Any, kind: dict[str, Any]) -> None:  # noqa: C901 -- as many kinds of schema
        if "$ref" in kind:
            checked.add(kind["$ref"])
            check(value, schema["$defs"][kind["$ref"].removeprefix("#/$defs/")])
        elif "anyOf" in kind:
            tagged = kind.get("discriminator", {}).get("mapping")
            if tagged:
                check(value, {"$ref": tagged[value["type"]]})
            elif value is not None:
                (only,) = (o for o in kind["anyOf"] if o.get("type") != "null")
                check(value, only)
        elif isinstance(value, dict) and "properties" in kind:
            assert set(kind["required"]) <= set(value) <= set(kind["properties"])
            for name, part in value.items():
                check(part, kind["properties"][name])
        elif isinstance(value, list) and isinstance(kind.get("items"), dict):
            for part in value:
                check(part, kind["items"])

    check(json.loads(exported(varied(), "json")), schema)
    assert {"#/$defs/Trial", "#/$defs/Reading", "#/$defs/Crashed", "#/$defs/Load"} <= checked


def test_that_csv_columns_are_stable_and_hold_all_parameters() -> None:
    def titles(results: Sequence[Result]) -> list[str]:
        return next(csv.reader(io.StringIO(exported(results, "csv").decode())))

    none, some = titles([]), titles(varied())
    assert some[: len(none)] == none
    assert some[len(none) :] == ["cache", "cache_size", "f"]
    assert set(Load.__dataclass_fields__) <= set(none)
    assert len(set(some)) == len(some)


def test_that_a_parameter_named_like_a_column_gets_another_name() -> None:
    of = building.spec(parameters={"errors": 7})
    row = next(csv.DictReader(io.StringIO(exported([building.good(of, 5.0)], "csv").decode())))
    assert (row["errors"], row["parameter.errors"]) == ("0", "7")


def test_that_parquet_keeps_types() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(exported(varied(), "parquet")))
    assert table.schema.field("threads").type == pa.int64()
    assert table.schema.field("duration").type == pa.float64()
    assert table.schema.field("valid").type == pa.bool_()
    assert table.schema.field("f").type == pa.float64()
    assert table.num_rows == sum(len(result.trials) for result in varied())


def test_that_hyperfine_gets_the_time_of_an_operation() -> None:
    of = building.spec()
    (one,) = json.loads(exported([building.good(of, 4.0, 5.0, 8.0)], "hyperfine"))["results"]
    assert one["times"] == [0.25, 0.2, 0.125]
    assert (one["median"], one["min"], one["max"]) == (0.2, 0.125, 0.25)
    assert one["user"] == pytest.approx(3 * one["system"])
    assert one["exit_codes"] == [0, 0, 0]
    assert one["parameters"] == {}


def test_that_hyperfine_gets_no_time_where_nothing_was_done(tmp_path: Path) -> None:
    path = hostile_sessions.make(tmp_path / "x.sluice", hostile_sessions.ODD["no time"])
    with Session.read(path) as session:
        results = session.results()
    for one in json.loads(exported(results, "hyperfine"))["results"]:
        assert (one["times"], one["mean"], one["exit_codes"]) == ([], None, [])


def test_that_json_is_written_in_pieces_however_much_there_is() -> None:
    of = building.spec(threads=16)
    many = [building.trial(of, index=index) for index in range(100)]
    sizes: list[int] = []

    class Noted(io.BytesIO):
        @override
        def write(self, data: Buffer, /) -> int:
            sizes.append(len(bytes(data)))
            return super().write(data)

    stream = Noted()
    format_named("json").export([building.result(of, many)], stream)
    assert len(json.loads(stream.getvalue())["results"][0]["trials"]) == len(many)
    assert max(sizes) < len(stream.getvalue()) / len(many)
