"""Equal content is equal whatever the bytes around it, and no other content ever is."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest
from driving import drive, open_job, performed

from core.language import SluiceError
from workloads.command.content import Content, content_of
from workloads.command.differences import RunOutput, difference

type Make = Callable[[str], bytes]
"""A file; of a command line or a time, it only says so in its header."""

LINES = b"".join(b"read%d\t0\tchr1\t%d\n" % (number, number) for number in range(500))


def sam(command: str, body: bytes = LINES) -> bytes:
    return f"@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:900\n@PG\tID:a\tCL:{command}\n".encode() + body


def vcf(command: str, body: bytes = LINES) -> bytes:
    header = (
        "##fileformat=VCFv4.2\n##fileDate={0}\n##toolCommand=call {0}; Date={0}\n##INFO=<ID=DP>\n"
    )
    return (header.format(command) + "#CHROM\tPOS\n").encode() + body


def counts(command: str, body: bytes = LINES) -> bytes:
    return f'# Program:count v2; Command:"count" "-T" "{command}"\nGene\tn\n'.encode() + body


def blocks(data: bytes, size: int) -> bytes:
    """Gzip members of so many bytes each, as bgzip makes them."""
    return b"".join(
        gzip.compress(data[at : at + size], mtime=size) for at in range(0, len(data), size)
    )


def bam(command: str, marks: bytes = b"abcdef") -> bytes:
    text = sam(command, b"")
    header = b"BAM\1" + struct.pack("<i", len(text)) + text
    references = struct.pack("<i", 1) + struct.pack("<i", 5) + b"chr1\0" + struct.pack("<i", 900)
    records = b"".join(struct.pack("<i", 40) + bytes([mark]) * 40 for mark in marks)
    return blocks(header + references + records, 100)


def bcf(command: str, marks: bytes = b"abcdef") -> bytes:
    text = vcf(command, b"") + b"\0"
    records = b"".join(struct.pack("<II", 8, 4) + bytes([mark]) * 12 for mark in marks)
    return gzip.compress(b"BCF\2\2" + struct.pack("<I", len(text)) + text + records)


def tar(command: str, body: bytes = LINES) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in ("a", "b" * 150):
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(body), len(command) + 0.5
            archive.addfile(member, io.BytesIO(body))
    return made.getvalue()


def zipped(command: str, body: bytes = LINES) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=len(command)) as archive:
        member = zipfile.ZipInfo("a", (2000, 1, 1 + len(command), 0, 0, 0))
        archive.writestr(member, body)
    return made.getvalue()


def report(command: str, body: bytes = LINES) -> bytes:
    found = {
        "reads": len(body),
        "sum": zlib.crc32(body),
        "command": command,
    }
    return json.dumps(found, indent=1).encode()


def index(command: str, body: bytes = LINES) -> bytes:
    """Two chunks in a bin, counts of records, an interval; places begin behind the header."""
    at = 1000 + len(command)
    places = struct.pack("<4Q", at << 16, (at << 16) + 7, (at + 90) << 16, (at + 99) << 16)
    pseudo = struct.pack("<2Q2Q", at << 16, (at + 99) << 16, len(body), 2)
    return (
        b"BAI\1" + struct.pack("<i", 1)
        + struct.pack("<iIi", 2, 4681, 2) + places
        + struct.pack("<Ii", 37450, 2) + pseudo
        + struct.pack("<i2QQ", 2, 0, at << 16, 5)
    )  # fmt: skip


ONE, OTHER = "t -1", "tool -t 12"
OTHER_LINES = LINES.replace(b"read77\t0", b"read77\t1")
FORMATS = {
    "SAM": (sam, OTHER_LINES),
    "VCF": (vcf, OTHER_LINES),
    "counts": (counts, OTHER_LINES),
    "BAM": (bam, b"abcdeg"),
    "BCF": (bcf, b"abcdeg"),
    "tar": (tar, OTHER_LINES),
    "zip": (zipped, OTHER_LINES),
    "JSON": (report, OTHER_LINES),
    "index": (index, LINES + b"\n"),
    "gzip": (lambda command, body=LINES: blocks(body, 9 * len(command)), OTHER_LINES),
    "bzip2": (lambda command, body=LINES: bz2.compress(body, len(command) % 9 + 1), OTHER_LINES),
    "xz": (
        lambda command, body=LINES: (
            lzma.compress(body[:900], preset=len(command) % 9) + lzma.compress(body[900:])
        ),
        OTHER_LINES,
    ),
    "VCF in blocks": (
        lambda command, body=LINES: blocks(vcf(command, body), 50 * len(command)),
        OTHER_LINES,
    ),
}


def content(tmp_path: Path, data: bytes) -> Content:
    file = tmp_path / "file"
    file.write_bytes(data)
    return content_of(file)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.quick
def test_that_equal_content_is_equal_and_other_content_is_not(tmp_path: Path, name: str) -> None:
    make, other = FORMATS[name]
    right = content(tmp_path, make(ONE))
    assert make(ONE) != make(OTHER)
    assert not right.damage
    assert content(tmp_path, make(OTHER)).digest == right.digest
    assert content(tmp_path, make(ONE, other)).digest != right.digest


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.quick
def test_that_no_byte_that_is_changed_in_records_is_left_out(tmp_path: Path, name: str) -> None:
    """Whatever bit of a file flips: either its content differs, or only what is left out does."""
    make, _ = FORMATS[name]
    data, drawn = make(ONE), Random(4)
    right = content(tmp_path, data)
    alike = 0
    for _ in range(60):
        at = drawn.randrange(len(data))
        flipped = data[:at] + bytes([data[at] ^ 1 << drawn.randrange(8)]) + data[at + 1 :]
        alike += content(tmp_path, flipped).digest == right.digest
    allowed = {"tar": 10, "JSON": 25, "index": 0, "BAM": 6, "gzip": 20, "VCF in blocks": 20}
    assert alike <= allowed.get(name, 6)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.quick
def test_that_a_cut_file_and_one_with_more_behind_it_differ(tmp_path: Path, name: str) -> None:
    make, _ = FORMATS[name]
    data = make(ONE)
    right = content(tmp_path, data)
    for other in (data[:-1], data[: len(data) // 2], data + b"x", data + data[:5]):
        assert content(tmp_path, other).digest != right.digest


@pytest.mark.quick
def test_that_what_is_left_out_is_named(tmp_path: Path) -> None:
    assert content(tmp_path, bam(ONE)).left_out == {"lines that begin with @PG": 1}
    assert content(tmp_path, vcf(ONE)).left_out == {
        "lines that begin with ##fileDate": 1,
        "lines that begin with ##toolCommand": 1,
    }
    assert content(tmp_path, report(ONE)).left_out == {"the key command": 1}


@pytest.mark.parametrize(
    "data",
    [
        b"1\n@PG\tID:a\n",
        b"line\n# date: 1\n",
        b"@read PG\nACGT\n+\nIIII\n",
        b"#chrom\ttime: 3\n",
        b"##INFO=<ID=date=3>\n",
        b"@CO\tof the user\n",
        b'{"date": ["1"], "of": {"date": "1"}}',
        b'[{"date": "1"}]',
    ],
)
@pytest.mark.quick
def test_that_what_is_no_line_of_a_header_about_the_command_counts(
    tmp_path: Path, data: bytes
) -> None:
    found = content(tmp_path, data)
    assert not found.left_out
    assert (
        content(tmp_path, data.replace(b"@PG", b"@PX").replace(b"a", b"b")).digest != found.digest
        or b"a" not in data
    )


class Plain:
    """Compares files as they are."""

    def content(self, file: Path) -> Content:
        return content_of(file)

    def line_for(self, file: Path) -> str:
        return ""

    def filtered(self, file: Path, line: str) -> str:
        raise SluiceError("no filter")

    @contextmanager
    def shown(self, file: Path) -> Iterator[Path]:
        yield file


def lines(*numbers: int) -> bytes:
    return b"".join(b"%d\n" % number for number in numbers)


FIRST = range(1, 101)
NOISE = Random(2).randbytes(20_000)


@pytest.mark.parametrize(
    ("right", "other", "told"),
    [
        (
            lines(*FIRST), lines(*FIRST[:9], 11, 10, *FIRST[11:]),
            "the same 100 lines in another order, from line 10 on",
        ),
        (lines(*FIRST), lines(*FIRST[:9], *FIRST[12:]), "3 lines are missing, the first is line 10"),
        (lines(*FIRST), lines(*FIRST[:9], 10, *FIRST[9:]), "1 line is there in addition, line 11"),
        (lines(*FIRST), lines(*FIRST[:9], 0, 0, *FIRST[11:]), "2 lines differ, the first is line 10: 0"),
        (
            lines(*FIRST), lines(*FIRST[:9], 0, *FIRST[11:]),
            "lines missing: 2, in addition: 1, from line 10 on",
        ),
        (lines(*FIRST), lines(*FIRST[:50]), "cut after 141 of 292 B"),
        (lines(*FIRST), lines(*FIRST, 1), "2 B too many at its end"),
        (sam(ONE), sam(OTHER, LINES.replace(b"read9\t0", b"read9\t1")), "1 line differs, line 13: read9\\t1\\tchr1\\t9"),
        (gzip.compress(LINES), gzip.compress(LINES[:-9]), "cut after 9,271 of 9,280 B"),
        (gzip.compress(LINES), gzip.compress(LINES)[:-9], "damaged or cut ("),
        (NOISE, NOISE[:12_344] + b"\0" + NOISE[12_345:], "byte 12,345 is the first that differs"),
        (bam(ONE), bam(OTHER, b"abcedf"), "the same 6 records in another order, from number 4 on"),
        (bam(ONE), bam(OTHER, b"abdef"), "1 record is missing, number 3"),
        (bcf(ONE), bcf(OTHER, b"abXdef"), "1 record differs, number 3"),
    ],
)  # fmt: skip
@pytest.mark.quick
def test_that_it_is_said_in_what_outputs_differ(
    tmp_path: Path, right: bytes, other: bytes, told: str
) -> None:
    (tmp_path / "right").write_bytes(right)
    (tmp_path / "other").write_bytes(other)
    found = difference(
        RunOutput(stdout=tmp_path / "right"), RunOutput(stdout=tmp_path / "other"), Plain()
    )
    assert told in found.where
    assert found.is_order == ("order" in told)


@pytest.fixture
def tool(tmp_path: Path) -> Callable[[str, bytes, bytes], str]:
    """The command of a program that puts out one file with one thread, and another with more."""

    def command(out: str, one: bytes, more: bytes) -> str:
        (tmp_path / "1").write_bytes(one)
        (tmp_path / "2").write_bytes(more)
        return f"cat {tmp_path}/{{threads}} > {out}"

    return command


@pytest.mark.parametrize(("out", "same"), [("/dev/stdout", "stdout"), ("{out}/a", "files")])
@pytest.mark.usefixtures("folders")
def test_that_runs_are_held_against_the_content_of_the_fewest_threads(
    tmp_path: Path, data: Path, tool: Callable[[str, bytes, bytes], str], out: str, same: str
) -> None:
    run, name = tool(out, bam(ONE), bam(OTHER)), "stdout" if same == "stdout" else "a"
    for threads in (1, 2):
        done = drive("command", data, most=2, run=run, shell=True, same=same, threads=threads)
        assert done.clean
        (note,) = done.job.notes
        assert note == f"{name} is compared decompressed, without lines that begin with @PG (1)"
    (tmp_path / "2").write_bytes(bam(OTHER, b"abdef"))
    done = drive("command", data, most=2, run=run, shell=True, same=same, threads=2)
    assert (
        done.complaints
        == [f"other output than with threads=1: {name}: 1 record is missing, number 3"] * 2
    )


@pytest.mark.usefixtures("folders")
def test_that_another_order_is_an_error_and_no_wrong_data(
    data: Path, tool: Callable[[str, bytes, bytes], str]
) -> None:
    run = tool("/dev/stdout", lines(1, 2, 3), lines(1, 3, 2))
    given = {"run": run, "shell": True, "same": "stdout"}
    assert drive("command", data, most=1, **given).clean
    job = open_job("command", data, threads=2, **given)
    with closing(job), job.worker(0) as steps:
        (fault,) = job.faults(0, performed(steps, 0))
    assert "the same 3 lines in another order" in fault.text
    assert "--normalise 'LC_ALL=C sort'" in fault.text
    assert not fault.wrong_data
    given["normalise"] = "LC_ALL=C sort"
    for threads in (1, 2):
        assert drive("command", data, most=1, threads=threads, **given).clean


@pytest.mark.tool("samtools")
@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize(
    ("run", "way"),
    [
        ("samtools view -@ {threads} -h FILE", "without lines that begin with @PG (1)"),
        ("samtools sort -@ {threads} -o {out}/a.bam FILE", "decompressed, without lines"),
        ("samtools view -@ {threads} -C -o {out}/a.cram --output-fmt-option no_ref FILE", "as sam"),
    ],
)
def test_that_the_command_line_which_samtools_writes_is_no_other_output(
    tmp_path: Path, data: Path, run: str, way: str
) -> None:
    file = tmp_path / "a.sam"
    file.write_bytes(b"@SQ\tSN:a\tLN:9\n" + b"r\t0\ta\t1\t9\t1M\t*\t0\t0\tA\tI\n")
    same = "files" if "{out}" in run else "stdout"
    for threads in (1, 2):
        run = run.replace("FILE", str(file))
        done = drive("command", data, most=2, run=run, same=same, threads=threads)
        assert done.clean
        assert way in done.job.notes[0]


@pytest.mark.tool("zstd")
@pytest.mark.usefixtures("folders")
def test_that_what_only_a_program_decompresses_is_compared_through_it(data: Path) -> None:
    given = {"most": 1, "same": "files", "shell": True}
    run = "head -n {count} {dataset} | zstd -q -{threads} > {out}/a.zst"
    for threads in (1, 2):
        done = drive("command", data, threads=threads, run=run, values="count=900", **given)
        assert done.clean
        assert [*done.job.notes] == ["a.zst is compared as zstd -dcq shows it"]
    run = "head -n $((900 - {threads})) {dataset} | zstd -q > {out}/a.zst"
    drive("command", data, run=run, **given)
    (said,) = drive("command", data, threads=2, run=run, **given).complaints
    assert "a.zst: cut after 3,482 of 3,486 B" in said
