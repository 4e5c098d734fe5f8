"""What the oracle refuses: everything that a library under test fails on, and the message."""

import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from compilers import machine
from driving import drive, open_job
from one_trial import one_pass
from signal_decoding import zstd_whole
from signal_pairs import look_through
from signal_writing import File, Written, write, zstd
from spoiled import PLACE

from core import show
from core.language import DatasetError
from core.measure import find_dataset
from core.vocabulary import Crashed, Dataset, Trial
from workloads.signal import slow5_records_oracle, thread_pools
from workloads.signal.codec_oracle import inflate, unzstd
from workloads.signal.reads import Undecodable

CONTENT = bytes(range(256)) * 3


def frame(
    content: bytes = CONTENT, *, size: int | None = None, descriptor: int = 0xA0, end: bytes = b""
) -> bytes:
    """A frame of zstd with one uncompressed block, its content's size told in four bytes."""
    told = (
        struct.pack("<I", len(content) if size is None else size) if descriptor >> 6 == 2 else b""
    )
    block = (len(content) << 3 | 1).to_bytes(3, "little") + content
    return b"\x28\xb5\x2f\xfd" + bytes([descriptor]) + told + block + end


def streamed(content: bytes) -> bytes:
    """A frame that leaves its size open, as every writer does who compresses piece by piece."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


FRAMES = {
    "without its size": streamed(CONTENT),
    "with a byte behind it": zstd(CONTENT) + b"\0",
    "with an empty frame behind it": zstd(CONTENT) + zstd(b""),
    "with a skippable frame behind it": zstd(CONTENT) + b"\x50\x2a\x4d\x18\0\0\0\0",
    "with a skippable frame before it": b"\x50\x2a\x4d\x18\0\0\0\0" + zstd(CONTENT),
    "cut off within a block": zstd(CONTENT)[:-9],
    "cut off by a byte": zstd(CONTENT)[:-1],
    "of a block that is not the last": zstd(CONTENT)[:5],
    "that says it is longer": frame(size=len(CONTENT) + 1),
    "that says it is shorter": frame(size=len(CONTENT) - 1),
    "that says it is empty": frame(size=0),
    "that says it is enormous": frame(size=2**32 - 1),
    "with a wrong checksum": frame(descriptor=0xA4, end=b"sum?"),
    "without its checksum": frame(descriptor=0xA4),
    "with a reserved bit": frame(descriptor=0xA8),
    "that needs a dictionary": frame(descriptor=0xA1)[:9] + b"\7" + frame()[9:],
    "of nothing": b"",
    "of another kind": zlib.compress(CONTENT),
}


@pytest.mark.parametrize("what", FRAMES)
def test_that_a_damaged_frame_of_zstd_is_refused(what: str) -> None:
    with pytest.raises(Undecodable, match="zstd"):
        unzstd(FRAMES[what])


def test_that_whole_frames_of_zstd_are_read() -> None:
    assert unzstd(frame()) == CONTENT
    for size in (0, 1, 255, 256, 65_791, 65_792, 300_000):
        content = np.random.default_rng(size).integers(0, 9, size, np.uint8).tobytes()
        assert unzstd(zstd(content)) == content
    # The checksum is the lower half of XXH64, which is 0xef46db3751d8e999 of no bytes at all.
    assert unzstd(frame(b"", descriptor=0xA4, end=bytes.fromhex("99e9d851"))) == b""


STREAMS = {
    "with a byte behind it": zlib.compress(CONTENT) + b"\0",
    "with a stream behind it": zlib.compress(CONTENT) * 2,
    "without its checksum": zlib.compress(CONTENT)[:-4],
    "with another checksum": zlib.compress(CONTENT)[:-1] + b"?",
    "cut off": zlib.compress(CONTENT)[:20],
    "of nothing": b"",
}


@pytest.mark.parametrize("what", STREAMS)
def test_that_a_damaged_stream_of_zlib_is_refused(what: str) -> None:
    with pytest.raises(Undecodable, match="zlib"):
        inflate(STREAMS[what])


FIELDS = {"channel_number": "12", "read_number": 3}
TYPES = {"channel_number": "char*", "read_number": "int32_t"}
PLAIN = File(
    types=TYPES, reads=[Written(read_id=name, fields=FIELDS) for name in ("first", "second")]
)


def spoil(pack: Callable[[bytes], bytes]) -> Callable[[int, bytes], bytes]:
    """Packs the second record in another way."""
    return lambda number, content: pack(content) if number else zstd(content)


def with_field(name: str, value: object) -> File:
    first, second = PLAIN.reads
    return replace(PLAIN, reads=[first, replace(second, fields=FIELDS | {name: value})])


def with_read(**changes: object) -> File:
    first, second = PLAIN.reads
    return replace(PLAIN, reads=[first, replace(second, **changes)])  # type: ignore[arg-type]


RECORDS = {
    "a frame without its size": replace(PLAIN, pack=spoil(streamed)),
    "a frame with a byte behind it": replace(PLAIN, pack=spoil(lambda all_: zstd(all_) + b"\0")),
    "a byte too many": replace(PLAIN, pack=spoil(lambda all_: zstd(all_ + b"\0"))),
    "a byte too few": replace(PLAIN, pack=spoil(lambda all_: zstd(all_[:-1]))),
    "its first columns only": replace(PLAIN, pack=spoil(lambda all_: zstd(all_[:30]))),
    "nothing": replace(PLAIN, pack=spoil(lambda _: zstd(b""))),
    "a length that is no read's": replace(
        PLAIN, pack=spoil(lambda all_: zstd(b"\xff\xff" + all_[2:]))
    ),
    "a zero byte in its id": with_read(read_id="sec\0ond"),
    "an id that is not UTF-8": with_read(read_id=b"\xff"),
    "a read group that is not there": with_read(group=1),
    "a zero byte in a text": with_field("channel_number", "1\0"),
    "a text that is not UTF-8": with_field("channel_number", b"\xff"),
}


@pytest.mark.parametrize("what", RECORDS)
def test_that_a_damaged_record_is_refused_by_its_number(tmp_path: Path, what: str) -> None:
    path = write(tmp_path / "reads.blow5", RECORDS[what])
    with pytest.raises(DatasetError, match=r"reads\.blow5 has a damaged record, number 2: "):
        list(slow5_records_oracle.records(path, 10))


LINES = {  # of the second record, which is `second 0 8192 -240 1437.5 5000 3 500,510,490 12 3`
    "8192": ("+8192", "8_192", " 8192", "8e3", "0x2000", "nan", "inf", "8192.0.0", "-", "", "."),
    "-240": ("--240", "-240-", "1" * 400),
    "\t0\t": ("\t00\t", "\t+0\t", "\t-0\t", "\t1\t", "\t4294967296\t", "\t\t"),
    "\t3\t5": ("\t4\t5", "\t03\t5", "\t2\t5", "\t18446744073709551619\t5"),
    "510": ("+510", "0510", "32768", "-32769", "", "5 10", "510,", "1e2", "99999999999999999999"),
    "12\t3": ("12\t2147483648", "12\t3.0", "12\t03", "12\t", "12", "12\t3\t", "1\0\t3"),
    "second": ("sec\0ond",),
}


@pytest.mark.parametrize(("old", "new"), [(old, new) for old in LINES for new in LINES[old]])
def test_that_a_line_that_slow5lib_would_not_write_is_refused(
    tmp_path: Path, old: str, new: str
) -> None:
    path = write(tmp_path / "reads.slow5", PLAIN)
    data = path.read_bytes()
    start = data.index(b"second")
    line = data[start:].decode()
    assert line.count(old) >= 1
    path.write_bytes(data[:start] + line.replace(old, new, 1).encode())
    with pytest.raises(DatasetError, match="has a damaged record, number 2: "):
        list(slow5_records_oracle.records(path, 10))


HEADERS = {
    "an attribute twice": (b"@run_id\trun\n", b"@run_id\trun\n@run_id\trun\n"),
    "a value too many": (b"@run_id\trun\n", b"@run_id\trun\tother\n"),
    "a value too few": (b"@run_id\trun\n", b"@run_id\n"),
    "a line of another kind": (b"@run_id\trun\n", b"run_id\trun\n"),
    "a zero byte": (b"@run_id\trun\n", b"@run_id\trun\0\n"),
    "what is not UTF-8": (b"@run_id\trun\n", b"@run_id\tr\xfcn\n"),
    "other columns": (b"digitisation", b"digitization"),
    "a column twice": (b"channel_number", b"read_number"),
    "a type that is unknown": (b"int32_t\n", b"int33_t\n"),
    "an enum without labels": (b"int32_t\n", b"enum\n"),
    "an enum with a label twice": (b"int32_t\n", b"enum{a,a}\n"),
    "a number of another type": (b"int32_t\n", b"float\n"),
    "a type too few": (b"\tint32_t\n", b"\n"),
    "a column too few": (b"\tread_number\n", b"\n"),
    "a line after its columns": (b"read_number\n", b"read_number\n@more\tof it\n"),
}


@pytest.mark.parametrize("suffix", [".blow5", ".slow5"])
@pytest.mark.parametrize("what", HEADERS)
def test_that_a_damaged_header_is_refused(tmp_path: Path, what: str, suffix: str) -> None:
    path = write(tmp_path / f"reads{suffix}", PLAIN)
    old, new = HEADERS[what]
    data = path.read_bytes()
    assert data.count(old) == 1
    data = data.replace(old, new)
    if suffix == ".blow5":
        (size,) = struct.unpack_from("<I", data, 64)
        data = data[:64] + struct.pack("<I", size + len(new) - len(old)) + data[68:]
    path.write_bytes(data)
    with pytest.raises(DatasetError, match=r"reads\..*: |reads\..* has a damaged (header|record)"):
        list(slow5_records_oracle.records(path, 10))


def test_that_signals_of_older_versions_are_not_compressed(tmp_path: Path) -> None:
    file = replace(PLAIN, version=(0, 1, 0), press="none", svb=False)
    path = write(tmp_path / "reads.blow5", file)
    data = bytearray(path.read_bytes())
    data[14] = 1  # a byte that had no meaning yet
    path.write_bytes(data)
    assert [one.read.length for one in slow5_records_oracle.records(path, 10) if one.read] == [3, 3]


APPENDED = (b"x", b"5WOLB", b"\n", bytes(7), b"5WOL", b"x" * 5000)


@pytest.mark.parametrize("tail", APPENDED)
@pytest.mark.parametrize("name", ["reads.pod5", "reads.zstd.blow5", "reads.none.blow5"])
def test_that_what_follows_the_end_is_said_to_follow_it(
    made: Callable[[str], Dataset], tmp_path: Path, name: str, tail: bytes
) -> None:
    data = (made("signal").path / name).read_bytes()
    (tmp_path / name).write_bytes(data + tail)
    with pytest.raises(
        DatasetError, match=rf"{name} has more after its end .*: {show(len(tail), 'bytes')}"
    ):
        look_through(tmp_path / name)


@pytest.mark.parametrize("name", ["reads.pod5", "reads.zstd.blow5", "reads.none.blow5"])
def test_that_a_file_with_another_behind_it_is_said_to_go_on(
    made: Callable[[str], Dataset], tmp_path: Path, name: str
) -> None:
    data = (made("signal").path / name).read_bytes()
    (tmp_path / name).write_bytes(data + data[:-1])
    with pytest.raises(DatasetError, match="has more after its end"):
        look_through(tmp_path / name)
    (tmp_path / name).write_bytes(data[:-1])
    with pytest.raises(DatasetError, match="cut off"):
        look_through(tmp_path / name)


def measured(path: Path, reader: str) -> Trial:
    dataset = find_dataset("signal", path)
    return one_pass("spoiled:Spoiled", dataset, reader=reader, batch_size=5)


@pytest.fixture
def spoiled(made: Callable[[str], Dataset], tmp_path: Path) -> Path:
    """A file that is larger than what slow5lib reads ahead."""
    made("signal")
    noise = np.random.default_rng(4).integers(-999, 999, (400, 700), np.int16)
    reads = [
        Written(read_id=f"read-{number}", samples=samples.tolist())
        for number, samples in enumerate(noise)
    ]
    return write(tmp_path / "reads.blow5", File(reads=reads, svb=False))


@pytest.mark.parametrize("way", ["C", "Python"])
def test_that_a_reader_that_leaves_without_a_word_leaves_its_reads_and_file(
    spoiled: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    with machine(way, thread_pools.library, monkeypatch):
        outcome = measured(spoiled, "blow5-c").outcome
    assert isinstance(outcome, Crashed)
    # slow5lib exits, or meets a null pointer of its own while it says why.
    assert outcome.exit_code == 1 or outcome.signal == "SIGSEGV"
    assert outcome.item == (
        f"reads.blow5: 5 reads, read read-{PLACE} (number {PLACE + 1}) "
        f"to read read-{PLACE + 4} (number {PLACE + 5})"
    )
    assert "zstd get decompressed size failed" in outcome.last_words


def test_that_a_reader_that_returns_an_error_names_read_and_file(spoiled: Path) -> None:
    trial = measured(spoiled, "blow5-pool")
    assert "reads.blow5 was written to while it was measured" in str(trial.outcome)
    (complaint,) = trial.complaints
    assert not complaint.wrong_data
    assert f"decode read read-{PLACE} (number {PLACE + 1}) of reads.blow5: " in complaint.text
    assert complaint.first_item.startswith("reads.blow5: 5 reads, read read-250")


def test_that_wrong_data_names_read_and_file(spoiled: Path) -> None:
    trial = measured(spoiled, "blow5-python")
    (complaint,) = trial.complaints
    assert complaint.wrong_data
    assert complaint.text == "0 of 5 reads"
    assert complaint.first_item.startswith("reads.blow5: 5 reads, read read-250")


def test_that_what_is_taken_of_damaged_frames_is_what_another_zstd_takes() -> None:
    drawn = np.random.default_rng(8)
    content = drawn.geometric(0.1, 1500).astype(np.uint8).tobytes()
    packed = zstd(content)
    for _ in range(1500):
        damaged = bytearray(packed)
        damaged[drawn.integers(20, len(packed))] ^= 1 << int(drawn.integers(8))
        try:
            found = unzstd(bytes(damaged))
        except Undecodable:
            continue
        assert found == zstd_whole(bytes(damaged))


@pytest.mark.parametrize("reader", ["blow5-c", "blow5-pool", "blow5-python"])
def test_that_slow5lib_opens_the_users_file_by_its_own_name(
    tmp_path: Path, cache: Path, reader: str
) -> None:
    path = write(tmp_path / "of mine.blow5", File())
    job = open_job("signal", path, reader=reader)
    links = {str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()}
    assert str(path) in links
    job.close()
    assert not list(cache.rglob("*.blow5"))


def test_that_a_file_with_another_ending_is_recognised_by_its_link(
    tmp_path: Path, cache: Path
) -> None:
    path = write(tmp_path / "of mine.reads", File())
    assert drive("signal", path, reader="blow5-python").clean
    (link,) = cache.rglob("*.blow5")
    assert link.name == "of_mine.blow5"
    assert link.resolve() == path
