"""Lists are read as spreadsheets, browsers and tools of the field write them."""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import pytest

from core.language import InvalidParameter
from workloads.shared.text_lists import ListedLine, lines_of

pytestmark = pytest.mark.quick
TEXT = "one\r\n\ntwo words\u2028still\x85\x0btwo\rthree"
LINES = ("one", "two words\u2028still\x85\x0btwo", "three")


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        gzip.compress(TEXT.encode()),
        gzip.compress(codecs.BOM_UTF8 + TEXT.encode()),
        gzip.compress(TEXT.encode()[:7]) + gzip.compress(TEXT.encode()[7:]),
    ],
    ids=["plain", "BOM", "UTF-16", "UTF-16BE", "gzip", "gzip with BOM", "two members of gzip"],
)
def test_that_a_list_is_read_whoever_wrote_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "list"
    path.write_bytes(content)
    lines = lines_of(path, "regions")
    assert tuple(line.text for line in lines) == LINES
    assert [line.number for line in lines] == [1, 3, 4]


def test_that_bytes_of_a_name_that_are_no_utf_8_stay(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"caf\xe9\n")
    assert lines_of(path, "run") == (ListedLine(1, "caf\udce9"),)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("one\n".encode("utf-16-le"), "it is no text in UTF-8"),
        (b"PK\x03\x04\0\0", "it is no text in UTF-8"),
        (gzip.compress(b"one\n" * 20)[:-9], "is cut off or damaged"),
        (b"\x1f\x8bnothing", "is cut off or damaged"),
        (b"x" * 101, "it is too long"),
        (gzip.compress(b"x" * 101), "it is too long"),
    ],
    ids=["UTF-16 without a mark", "zip", "cut off", "no gzip", "too long", "too long unpacked"],
)
def test_that_what_is_no_list_is_one_sentence(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(content)
    with pytest.raises(InvalidParameter, match=f"^regions: {path} .*{told} \\(give another\\)$"):
        lines_of(path, "regions", "give another", most=100)
