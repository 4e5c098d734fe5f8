"""What is said where one file of a folder cannot be read, is misnamed, or cannot be converted."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog import registry
from core.catalog.dataset import Dataset
from core.catalog.local_datasets import Inspection, convert_dataset
from core.cli import main
from core.errors import DamagedDataset, DatasetError, SluiceError
from workloads.signal.signal_parameters import BLUE_CRAB_DRIVER


@pytest.fixture
def folder(made: Callable[[str], Dataset], tmp_path: Path) -> Path:
    """Two whole files of POD5, and one that was cut off."""
    folder = tmp_path / "run"
    folder.mkdir()
    whole = made("signal").path / "reads.pod5"
    for name in ("a", "b"):
        shutil.copy(whole, folder / f"{name}.pod5")
    (folder / "cut.pod5").write_bytes(whole.read_bytes()[:-200])
    return folder


def test_that_an_unfinished_pod5_names_what_recovers_it(folder: Path) -> None:
    with pytest.raises(DamagedDataset, match=r"not finished.*`pod5 recover \S+cut.pod5` saves"):
        registry.dataset_kind("pod5").open(folder / "cut.pod5")


def test_that_one_bad_file_of_a_folder_is_listed_and_the_rest_is_counted(folder: Path) -> None:
    kind = registry.dataset_kind("pod5")
    facts = kind.facts(folder)
    assert (facts["files"], facts["pod5 reads"]) == (2, 40)
    assert "cut.pod5 lacks its end signature" in str(facts["left out 1"])
    assert [file.name for file in kind.files(folder)] == ["a.pod5", "b.pod5"]


def test_that_the_rest_of_a_folder_is_measured_and_the_bad_file_said(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "x.sluice"
    command = ["measure", "signal", "--dataset", str(folder), "--session", str(place)]
    command += ["--duration", "0", "--operations", "4", "--warm-up", "0", "--repeats", "1"]
    assert main([*command, "--budget", "0", "--no-floor", "--batch-size", "10"]) == 0
    told = capsys.readouterr().out
    assert "left out: " in told
    assert "cut.pod5 lacks its end signature" in told


def test_that_a_folder_without_a_whole_file_is_refused(folder: Path) -> None:
    for name in "ab":
        (folder / f"{name}.pod5").unlink()
    with pytest.raises(DatasetError, match="pod5 recover"):
        registry.open_dataset(folder, ("pod5",))


def test_that_blow5_with_the_name_of_slow5_is_said_to_be_blow5(
    made: Callable[[str], Dataset], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(made("signal").path / "reads.zstd.blow5", tmp_path / "reads.slow5")
    assert main(["dataset", "show", str(tmp_path / "reads.slow5"), "--json"]) == 0
    assert "reads.slow5 is BLOW5: rename it" in json.loads(capsys.readouterr().out)["misnamed 1"]


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("file", "to", "told"),
    [
        (
            "pod5-real/raw/p2s/unsupported/multigroup.pod5",
            "blow5",
            r"has reads of several runs \(split it: pod5 view \S+multigroup.pod5 --include",
        ),
        ("pod5-real/raw/p2s/unusual_pod5/pore_set.pod5", "blow5", "does not know its type of pore"),
        ("blow5-real/exp/one_fast5/exp_1_default.blow5", "pod5", "lack auxiliary fields"),
        ("blow5-real/examples/example2.slow5", "pod5", "its read ids are no UUIDs"),
    ],
)
def test_that_what_blue_crab_refuses_is_told_with_what_to_do(
    real_data: Path, tmp_path: Path, file: str, to: str, told: str
) -> None:
    if not BLUE_CRAB_DRIVER.installed:
        pytest.skip("blue-crab is not installed")
    with pytest.raises(SluiceError, match=told) as refused:
        convert_dataset(real_data / file, to, tmp_path / "new")
    assert refused.value.remedy


def test_that_the_line_about_a_dataset_tells_reads_samples_codec_and_groups(
    made: Callable[[str], Dataset],
) -> None:
    folder = made("signal").path
    for name, codec in (("reads.pod5", "vbz"), ("reads.zstd.blow5", "zstd/svb-zd")):
        told = Inspection.of(folder / name).sentence()
        assert re.search(rf" · 20 reads · [\d,]+ samples · {codec} · 1 read group · ", told)
