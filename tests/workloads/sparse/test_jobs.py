"""Every operation, language and layout, driven once and verified; wrong data is caught."""

import shlex
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from driving import COPIED_BYTES, SPARSE_CALLS, copied, drive, open_job, timed

from core.language import InvalidParameter
from core.vocabulary import Axis, Dataset, Sweep, draft, possible
from workloads.sparse.drivers import compiler, sources
from workloads.sparse.sparse_datasets import read_index
from workloads.sparse.sparse_files import library
from workloads.sparse.sparse_jobs import Gathered
from workloads.sparse.sparse_oracle import SparseBlocks
from workloads.sparse.sparse_remote import RemoteParameters, accesses_of

LAYOUTS = ("gap", "stride", "contiguous", "index")


@pytest.fixture
def index(made: Callable[[str], Dataset]) -> Dataset:
    return made("sparse-index")


@pytest.mark.parametrize("language", ["python", "cpp"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("operation", ["read", "need", "write"])
def test_that_every_operation_is_right(
    index: Dataset, native: None, operation: str, layout: str, language: str
) -> None:
    driven = drive(
        "sparse",
        index.path,
        most=50,
        operation=operation,
        layout=layout,
        language=language,
        block_size=8,
        size=4099,
    )
    assert driven.clean
    assert driven.counters["off the memory law"] == 0
    assert driven.job.weigh([result for _, result in driven.results]).bytes > 0


@pytest.mark.parametrize(
    ("operation", "language", "single"),
    [
        ("read", "python", True),
        ("need", "python", True),
        ("write", "python", False),
        ("read", "cpp", False),
        ("need", "cpp", False),
        ("write", "cpp", False),
    ],
)
def test_that_a_run_of_calls_is_no_latency_of_a_call(
    index: Dataset, native: None, operation: str, language: str, single: bool
) -> None:
    asked = {"operation": operation, "language": language, "block_size": 8, "size": 4096}
    assert (timed("sparse", index.path, operations=8, calls=100, **asked) > 0) is single


@pytest.mark.parametrize("language", ["python", "cpp"])
def test_that_overwriting_keeps_one_block(index: Dataset, native: None, language: str) -> None:
    driven = drive(
        "sparse",
        index.path,
        most=3,
        operation="write",
        layout="overwrite",
        language=language,
        block_size=8,
        size=4096,
    )
    assert driven.clean
    assert driven.counters["blocks"] == 1


@pytest.mark.parametrize("sharing", ["whole", "split"])
@pytest.mark.parametrize(("language", "mutex"), [("python", False), ("cpp", True)])
def test_that_a_pass_of_threads_counts_all_they_wrote(
    index: Dataset, native: None, language: str, mutex: bool, sharing: str
) -> None:
    job = open_job(
        "sparse",
        index.path,
        threads=4,
        operation="write",
        language=language,
        mutex=mutex,
        sharing=sharing,
        block_size=8,
        size=4096,
    )
    assert job.workers == 1
    with job.worker(0) as (step,):
        result = step.perform(0)
    weight = job.weigh([result])
    times = 4 if sharing == "whole" else 1
    assert (weight.operations, weight.bytes) == (512 * times, 4096 * times)
    assert job.check(0, result) == ""
    job.close()


def test_that_threads_without_a_mutex_are_refused(index: Dataset, native: None) -> None:
    with pytest.raises(InvalidParameter, match="damage"):
        open_job("sparse", index.path, threads=2, language="cpp")


def test_that_threads_without_a_mutex_are_left_out_before_a_run(index: Dataset) -> None:
    base = draft("sparse", index, {"mutex": False})
    axes = (Axis("threads", (1, 2)), Axis("language", ("python", "cpp")))
    specs, reasons = possible(Sweep(base=base, axes=axes, fixed={"mutex": False}))
    kept = [(one.load.threads, one.parameters["language"]) for one in specs]
    assert kept == [(1, "python"), (1, "cpp"), (2, "python")]
    assert [reason for reason in reasons if "damage" in reason]


def test_that_one_flipped_byte_in_a_native_run_is_wrong(index: Dataset, native: None) -> None:
    job = open_job("sparse", index.path, language="cpp", block_size=1, size=4096)
    item = job.items[0]
    with job.worker(0) as (step,):
        right = step.perform(item)
        data = bytearray(right.data)
        data[2048] ^= 1
        assert job.check(item, right) == ""
        assert job.check(item, Gathered(right.calls, memoryview(data)))
    job.close()


@pytest.mark.parametrize("layout", ["gap", "index"])
def test_that_a_batch_is_right_only_if_each_of_its_reads_is(
    index: Dataset, svfsc: None, layout: str
) -> None:
    job = open_job("sparse", index.path, operation="read", layout=layout, size=8192)
    with job.worker(0) as (step,):
        items = job.items[:4]
        results = [step.perform(item) for item in items]
    job.close()
    assert job.all_right(items, results)
    for place, result in enumerate(results):
        wrong = [*results[:place], bytes([result[0] ^ 1]) + result[1:], *results[place + 1 :]]
        assert not job.all_right(items, wrong)
    assert not job.all_right(items, results[::-1])


def test_that_a_need_that_leaves_a_range_out_is_wrong(index: Dataset, native: None) -> None:
    job = open_job("sparse", index.path, operation="need", layout="index")
    item = job.items[0]
    with job.worker(0) as (step,):
        answer = step.perform(item)
    assert answer
    assert job.check(item, answer) == ""
    assert job.check(item, answer[:-1])
    job.close()


def test_that_a_file_written_wrongly_is_found_out(index: Dataset, svfsc: None) -> None:
    job = open_job("sparse", index.path, operation="write", block_size=8, size=64)
    with job.worker(0) as (step,):
        file = step.perform(0)
    file.write(SparseBlocks([(1000, 8)], bytes(8)))
    assert "bytes instead of" in job.check(0, file)
    job.close()


def test_that_the_whole_index_is_that_of_the_publication(tmp_path: Any) -> None:
    from workloads.sparse.sparse_datasets import IndexShape, SparseIndex

    kind = SparseIndex()
    kind.make(IndexShape(), tmp_path, lambda *_: None)
    facts = kind.facts(tmp_path)
    assert facts["blocks"] == 238_310
    assert facts["bytes in blocks"] == 1_048_564


@pytest.mark.parametrize("greedy_length", [0, 10_000])
def test_that_a_slow_file_is_read_right(index: Dataset, svfsc: None, greedy_length: int) -> None:
    driven = drive(
        "sparse-remote",
        index.path,
        greedy_length=greedy_length,
        latency=0.0,
        accesses=100,
        access_size=700,
    )
    assert driven.clean
    assert driven.steps == ("need", "fetch", "write", "read")
    assert 0 < driven.counters["requests a pass"] <= 200


def test_that_greed_takes_fewer_requests_and_more_bytes(index: Dataset, svfsc: None) -> None:
    modest, greedy = (
        drive("sparse-remote", index.path, latency=0.0, accesses=30, greedy_length=length).counters
        for length in (0, 16_384)
    )
    assert greedy["requests a pass"] < modest["requests a pass"]
    assert greedy["bytes fetched a pass"] > modest["bytes fetched a pass"]


def test_that_without_whole_pages_the_fault_of_svfsc_is_caught(index: Dataset, svfsc: None) -> None:
    asked = {"latency": 0.0, "accesses": 2000, "access_size": 3000}
    careless = drive("sparse-remote", index.path, whole_pages=False, **asked)
    assert careless.errors
    assert "overruns block" in str(careless.errors[0])
    assert careless.counters["coalescing fault"] == 1
    assert drive("sparse-remote", index.path, whole_pages=True, **asked).clean


def test_that_each_pass_begins_with_nothing(index: Dataset, svfsc: None) -> None:
    job = open_job("sparse-remote", index.path, latency=0.0, accesses=50)
    counted = []
    with job.worker(0) as steps:
        for _ in range(2):
            job.rewind()
            for item in job.items:
                value = item
                for step in steps:
                    value = step.perform(value)
            counted.append(job.counters()["requests a pass"])
    job.close()
    assert counted[0] == counted[1] > 0


def test_that_accesses_stay_within_the_file() -> None:
    for size in (10, 100, 5000, 10**6):
        for _, position, length in accesses_of(size, RemoteParameters(access_size=64), 1):
            assert position >= 0
            assert position + length <= size


def test_that_accesses_come_in_clusters_that_begin_anywhere() -> None:
    parameters = RemoteParameters(access_size=64, accesses=64)
    positions = [position for _, position, _ in accesses_of(10**9, parameters, 1)]
    jumps = [
        at for at, (one, then) in enumerate(pairwise([0, *positions])) if not 0 <= then - one < 4096
    ]
    assert jumps == [0, 16, 32, 48]


def test_that_long_answers_do_not_pile_up(index: Dataset, svfsc: None) -> None:
    usual = {"operation": "need", "layout": "gap", "need_at": "start", "need_size": 65_536}
    long = open_job("sparse", index.path, block_size=16, **usual)
    short = open_job("sparse", index.path, block_size=32_768, **usual)
    with long.worker(0) as (step,):
        assert len(step.perform(long.items[0])) > 2048
    assert (long.checking, long.held) == ("between", 1)
    assert (short.checking, short.held) == ("later", None)
    long.close()
    short.close()


def test_that_the_code_that_is_copied_makes_the_same_calls_in_cpp(
    index: Dataset, native: None, tmp_path: Path
) -> None:
    ways = [
        *SPARSE_CALLS,
        ({"layout": "index"}, f"{sum(size for _, size in read_index(index.path))} bytes"),
    ]
    codes = [
        copied(
            "sparse", index, language="cpp", mutex=True, block_size=100, size=COPIED_BYTES, **calls
        )["C++"].replace("int main()", f"void main_{number}()")
        for number, (calls, _) in enumerate(ways)
    ]
    told = shlex.split(codes[0].splitlines()[0].removeprefix("//"))
    flags = [word for word in told if word.startswith(("-D", "-std"))]
    ends = "".join(f"main_{number}(); " for number in range(len(ways)))
    unit = "\n".join((*codes, f"int main() {{ {ends} }}"))
    (tmp_path / "mine.cpp").write_text(unit)
    harness = library(mutex=True)._name
    command = [str(compiler()), *flags, "-w", f"-I{sources()}", str(tmp_path / "mine.cpp"), harness]
    subprocess.run([*command, "-o", str(tmp_path / "mine"), "-lpthread"], check=True)
    ran = subprocess.run([tmp_path / "mine"], check=True, capture_output=True, text=True)
    assert ran.stdout.splitlines() == [done for _, done in ways]
