"""What is known before Start: how long it takes, what disturbs it, and what would help."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from core import Act, Axis, Inspection, MachineState, Preflight, Request
from core.language import show_at_most
from core.measure import describe_file_system
from core.vocabulary import Dataset, FileSystem


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    """Of which nobody knows how long trials take: those of other tests are remembered, too."""
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    folder = tmp_path / "data"
    folder.mkdir()
    for number in range(100):
        (folder / f"{number}.fa").write_bytes(b">a\nACGT\n")
    return Inspection.of(folder, "fasta").dataset


@pytest.fixture
def reads(tmp_path: Path) -> Path:
    path = tmp_path / "reads.slow5"
    path.write_text(
        "#slow5_version\t0.2.0\n#num_read_groups\t1\n"
        "#char*\tuint32_t\tdouble\tdouble\tdouble\tdouble\tuint64_t\tint16_t*\n"
        "#read_id\tread_group\tdigitisation\toffset\trange\tsampling_rate\tlen_raw_signal"
        "\traw_signal\nr0\t0\t8192\t4\t1400\t4000\t3\t1,2,3\n"
    )
    return path


@pytest.fixture
def few_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def of(data: Dataset, **wishes: object) -> Preflight:
    return Preflight.of(Request(workload="fasta", dataset=data.path, **wishes), data)  # type: ignore[arg-type]


def texts(found: Preflight) -> str:
    return "\n".join(remark.text for remark in found.remarks)


def test_that_a_run_says_how_often_it_measures_and_for_how_long(data: Dataset) -> None:
    values = {"duration": 2.0, "warm_up": 0.5}
    once = of(data, values=values, repeats=1, floor=False)
    assert once.expected == "1 setting, 1 trial, about 5 s"
    threads = (Axis("threads", (1, 2, 4)),)
    found = of(data, values=values, axes=threads, repeats=2, floor=False)
    assert found.expected == "3 settings, 6 trials, about 20 s"
    assert of(data, axes=threads, budget=90.0).expected == "3 settings, at most 1:30 min"


def test_that_a_search_says_how_many_settings_it_chooses_from(data: Dataset) -> None:
    found = of(data, search=True, axes=(Axis("threads", (1, 2, 4)),), floor=False)
    assert found.expected.startswith("3 settings to search, about ")
    within = of(data, search=True, axes=(Axis("threads", (1, 2, 4)),), budget=5.0)
    assert within.expected == "3 settings to search, about 5 s"


@pytest.mark.usefixtures("few_files")
def test_that_a_cache_above_the_file_limit_comes_with_the_size_that_fits(data: Dataset) -> None:
    found = of(data, values={"cache": "lru-locked", "cache_size": 4096})
    assert "where 100 may be" in texts(found)
    assert found.step is not None
    assert found.step.act is Act.FILL
    assert found.step.request is not None
    mended = found.step.request
    assert int(mended.values["cache_size"]) < 100
    assert "may be" not in texts(Preflight.of(mended, data))


def test_that_data_of_another_workload_comes_with_a_request_for_that(reads: Path) -> None:
    axes = (Axis("threads", (1, 2)), Axis("cache", ("none", "lru")))
    found = Preflight.of(Request(workload="fasta", axes=axes), None, reads)
    assert found.step is not None
    asked = found.step.request
    assert asked is not None
    assert (asked.workload, asked.dataset) == ("signal", reads)
    assert asked.axes == axes[:1]  # the other workload has no cache
    assert not found.expected


def test_that_the_workload_that_was_chosen_is_not_proposed(reads: Path) -> None:
    assert Preflight.of(Request(workload="signal"), None, reads).step is None


def test_that_damaged_data_of_another_workload_is_said_to_be_damaged(
    reads: Path, tmp_path: Path
) -> None:
    reads.write_text(reads.read_text().replace("0.2.0", "99.0.0"))
    found = Preflight.of(Request(workload="fasta"), None, reads)
    assert found.step is None
    assert "seems to be: BLOW5 or SLOW5; but" in texts(found)
    assert not Preflight.of(Request(workload="signal"), None, reads).remarks  # its own row says so
    assert not Preflight.of(Request(workload="fasta"), None, tmp_path / "gone").remarks


@pytest.mark.parametrize("name", ["", "notes.txt"])
def test_that_files_of_no_known_kind_come_with_a_request_for_raw_reads(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    found = Preflight.of(Request(workload="fasta"), None, tmp_path / name)
    assert found.step is not None
    assert found.step.request is not None
    assert (found.step.request.workload, found.step.request.dataset) == ("raw", tmp_path / name)
    assert "can read this in blocks, as any files; it is of no known kind" in texts(found)


def test_that_what_nothing_can_read_is_left_to_the_reason_of_start(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for place in ("", "empty", "gone"):
        assert Preflight.of(Request(workload="fasta"), None, tmp_path / place) == Preflight()


def test_that_a_reader_the_data_refuses_comes_with_one_that_takes_it(reads: Path) -> None:
    look = Inspection.of(reads, "signal").dataset
    refused = Request(workload="signal", values={"reader": "pod5-io"}, dataset=reads)
    step = Preflight.of(refused, look).step
    assert step is not None
    assert step.request is not None
    assert step.text == f"Set reader to {step.request.values['reader']}"
    assert Preflight.of(step.request, look).expected


def test_that_a_dataset_that_was_changed_or_removed_is_noticed(data: Dataset) -> None:
    assert not of(data).stale
    (data.path / "0.fa").write_bytes(b">a\nACGTACGT\n")
    assert of(data).stale
    for file in data.path.iterdir():
        file.unlink()
    assert of(data).stale


def test_that_other_programs_at_work_are_told_with_the_cores_that_they_take() -> None:
    burn = "while :; do :; done >/dev/null & echo $!; "
    command = ["sh", "-c", burn * (os.cpu_count() or 1)]  # whose children outlive it: no others'
    started = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    try:
        machine = MachineState.now()
    finally:
        for pid in started.stdout.split():
            os.kill(int(pid), signal.SIGKILL)
    found = Preflight().beside(machine)
    assert "Other programs take" in texts(found)
    assert found.passes
    assert found.step is not None
    assert found.step.act is Act.WAIT
    assert machine.light == "busy"
    assert 0.2 * machine.cores < machine.others <= machine.cores
    assert machine.title.startswith("others take")


def test_that_files_in_memory_are_told_not_to_become_cold() -> None:
    memory = Path("/dev/shm")
    if sys.platform != "linux" or describe_file_system(memory).type != "tmpfs":
        pytest.skip("no file system in memory")
    file = memory / f"sluice-preflight-{os.getpid()}.fa"
    file.write_bytes(b">a\nACGT\n")
    try:
        look = Inspection.of(file, "fasta").dataset
        assert "tmpfs holds files in memory only" in texts(of(look, values={"page_cache": "cold"}))
        assert "in memory (tmpfs)" in texts(of(look))
        assert "cold" not in texts(of(look))
    finally:
        file.unlink()


def test_that_little_space_for_sessions_is_told(
    data: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> FileSystem:
        return msgspec.structs.replace(describe_file_system(path), free_bytes=10 << 20)

    monkeypatch.setattr("core.desk.preflight.describe_file_system", full)
    assert "only 10.0 MiB are free in" in texts(of(data))


def test_that_whoever_wants_to_know_no_more_ends_it() -> None:
    def no_more(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        raise InterruptedError(doing)

    with pytest.raises(InterruptedError):
        MachineState.now(no_more)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(5.0, "5 s"), (37.2, "38 s"), (60.0, "1 min"), (200.0, "3:20 min"), (7200.0, "2 h")],
)
def test_that_a_limit_is_never_told_as_less_than_it_is(seconds: float, told: str) -> None:
    assert show_at_most(seconds) == told
