"""An answer is copied in the terms of the user's own program."""

from __future__ import annotations

from pathlib import Path

import building
import pytest
from parsing import parsed

from core import Load, build
from core.catalog.dataset import Dataset
from core.catalog.registry import load_workload
from core.output.in_code import in_code
from core.plan.specify import specify


def told(workload: str, kind: str, **values: object) -> dict[str, str]:
    dataset = Dataset(kind=kind, location="/data/reads one", fingerprint="00ff")
    loaded = load_workload(workload)
    threads = values.pop("threads", 1)
    load = build(Load, {"threads": threads})
    return dict(loaded.in_code(build(loaded.parameters, values), load, dataset))


def test_that_a_program_is_its_own_command_with_the_values_filled_in() -> None:
    found = told(
        "command", "files", run=r"samtools sort -@ {threads} -l {level:1..9} {dataset}",
        level="6", threads=2,
    )  # fmt: skip
    assert found == {"Shell": "samtools sort -@ 2 -l 6 '/data/reads one'"}


@pytest.mark.parametrize(
    ("workload", "kind", "values", "expected"),
    [
        ("fasta", "seqrepo", {"cache_size": 128}, "fd_cache_size=128"),
        ("fasta", "seqrepo", {"cache": "none"}, "fd_cache_size=0"),
        ("fasta", "fasta", {}, "pysam.FastaFile("),
        ("signal", "pod5", {"reader": "pod5-io"}, "pod5.Reader("),
        ("signal", "blow5", {"reader": "blow5-pool"}, "slow5_rec_depth_parse"),
        ("transfer", "file-tree", {}, "rclone --transfers 8"),
    ],
)
def test_that_a_setting_is_written_as_its_library_or_client_takes_it(
    workload: str, kind: str, values: dict[str, object], expected: str
) -> None:
    found = "\n".join(told(workload, kind, threads=8, **values).values())
    assert expected in found
    assert "8" in found


def test_that_workflows_json_and_the_command_line_have_it_too(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(bytes(8192))
    from core.catalog.registry import open_dataset

    spec = specify("raw", open_dataset(tmp_path / "data"), {"threads": 2, "processes": 2})
    found = {one.where: one.text for one in in_code(spec)}
    assert found["Snakemake"] == "threads: 4"
    assert found["Nextflow"] == "cpus 4"
    assert '"threads":2' in found["JSON"]
    assert parsed(found["Sluice"]).values["threads"] == 2


def test_that_a_setting_of_an_unknown_workload_has_what_needs_no_knowledge() -> None:
    spec = building.spec(threads=3, parameters={"another": 1})
    assert {one.where for one in in_code(spec)} >= {"Snakemake", "Nextflow", "JSON"}
