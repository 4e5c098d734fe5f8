"""What is typed on the start page becomes the question that it means."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import Request
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
