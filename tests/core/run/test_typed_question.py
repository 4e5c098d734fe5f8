"""What is typed on the start page becomes the question that it means."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import Axis, Request
from core.language import UsageError

pytestmark = pytest.mark.quick


def test_that_a_place_is_data_also_where_nothing_is_there_yet(tmp_path: Path) -> None:
    file = tmp_path / "two words {threads}.fa"
    file.touch()
    assert Request.typed(f" {file} ").dataset == file
    assert Request.typed("/nowhere/at-all.fa").dataset == Path("/nowhere/at-all.fa")
    assert Request.typed("~/at-all.fa").dataset == Path.home() / "at-all.fa"


def test_that_a_command_is_read_by_a_shell_where_it_uses_one() -> None:
    plain = Request.typed("zstd -T{threads} -k reads.fq")
    assert plain.workload == "command"
    assert plain.values["run"] == "zstd -T{threads} -k reads.fq"
    assert plain.values["shell"] is False
    assert [axis.name for axis in plain.axes] == ["threads"]
    assert Request.typed("zstd -T{threads} -c reads.fq > x").values["shell"] is True


def test_that_an_address_is_transferred_or_refused() -> None:
    asked = Request.typed("s3://bucket/prefix")
    assert (asked.workload, asked.values["address"]) == ("transfer", "s3://bucket/prefix")
    with pytest.raises(UsageError, match=r"cannot be measured \(type a path, an s3://"):
        Request.typed("https://example.org/reads.fq")


@pytest.mark.parametrize(
    ("line", "run", "axes"),
    [
        (
            "hyperfine -w 3 -P threads 1 4 'zstd -T{threads} x'",
            "zstd -T{threads} x",
            (Axis("threads", (1, 2, 3, 4)),),
        ),
        (
            "hyperfine --parameter-list level 1,5,9 'gzip -{level} -k x'",
            "gzip -{level:1,5,9} -k x",
            (Axis("level", ("1", "5", "9")),),
        ),
        (
            "hyperfine -P level 2 6 -D 2 --runs 10 'gzip -{level} -k x'",
            "gzip -{level:2,4,6} -k x",
            (Axis("level", ("2", "4", "6")),),
        ),
        (
            "hyperfine -P level 1 3 'gzip -{level} -k x'",
            "gzip -{level:1..3} -k x",
            (Axis("level", (1, 2, 3)),),
        ),
    ],
)
def test_that_a_hyperfine_line_asks_with_its_scans(
    line: str, run: str, axes: tuple[Axis, ...]
) -> None:
    asked = Request.typed(line)
    assert asked.values["run"] == run
    assert asked.axes == axes


def test_that_preparing_is_kept_and_options_that_mean_nothing_are_left_out() -> None:
    line = "hyperfine --prepare 'sync; true' -N --export-json out.json 'cat x'"
    values = Request.typed(line).values
    assert (values["run"], values["prepare"], values["shell"]) == ("cat x", "sync; true", False)


@pytest.mark.parametrize("line", ["hyperfine a b", "hyperfine", "hyperfine 'a", "hyperfine -P x a"])
def test_that_a_line_that_cannot_be_asked_says_why(line: str) -> None:
    with pytest.raises(UsageError) as refused:
        Request.typed(line)
    assert refused.value.remedy
