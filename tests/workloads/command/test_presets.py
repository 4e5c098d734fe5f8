"""Each preset runs: its program takes the flags, and puts out the same with more threads."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from driving import drive

from core.language import UnknownName, UsageError
from core.run import Preset, Request
from workloads.command.template import Template

BASES, ACIDS = "ACGT", "ACDEFGHIKLMNPQRSTVWY"


@dataclass(frozen=True)
class Case:
    """What a preset is tried on: names in the folder that `material` fills."""

    data: str
    values: str = ""
    before: tuple[str, ...] = ()
    """Commands that prepare an index and the like."""


BAM = "samtools view -b -o a.bam a.sam"
CASES = {
    "zstd": Case("a.txt"),
    "pigz": Case("a.txt"),
    "xz": Case("a.txt"),
    "bgzip": Case("a.txt"),
    "lz4": Case("a.txt"),
    "sort": Case("a.txt"),
    "parallel": Case("folder"),
    "make": Case("project"),
    "rclone": Case("folder", "target=copy"),
    "samtools-sort": Case("a.bam", "", (BAM,)),
    "samtools-view": Case("a.sam"),
    "samtools-index": Case("a.bam", "", (BAM,)),
    "samtools-markdup": Case("a.bam", "", (BAM,)),
    "samtools-fastq": Case("a.bam", "", (BAM,)),
    "bcftools-view": Case("a.vcf"),
    "bcftools-mpileup": Case("a.bam", "reference=ref.fa", (BAM,)),
    "bwa-mem": Case("reads.fq", "reference=ref.fa", ("bwa index ref.fa",)),
    "bwa-mem-sort": Case("reads.fq", "reference=ref.fa", ("bwa index ref.fa",)),
    "bwa-mem-pairs": Case("reads.fq", "reference=ref.fa mates=reads.fq", ("bwa index ref.fa",)),
    "bowtie2": Case("reads.fq", "index=ref", ("bowtie2-build -q ref.fa ref",)),
    "hisat2": Case("reads.fq", "index=ref", ("hisat2-build -q ref.fa ref",)),
    "minimap2": Case("reads.fq", "reference=ref.fa"),
    "star": Case(
        "reads.fq",
        "index=star",
        (
            "STAR --runMode genomeGenerate --genomeDir star --genomeFastaFiles ref.fa --genomeSAindexNbases 5",
        ),
    ),
    "salmon": Case("reads.fq", "index=salmon", ("salmon index -t ref.fa -i salmon",)),
    "diamond": Case("acids.fa", "database=acids", ("diamond makedb --in acids.fa -d acids",)),
    "blastn": Case("ref.fa", "database=ref", ("makeblastdb -in ref.fa -dbtype nucl -out ref",)),
    "hmmsearch": Case("acids.fa", "profile=p.hmm", ("hmmbuild --amino p.hmm acids.sto",)),
    "mafft": Case("acids.fa"),
    "vsearch": Case("ref.fa", "target=ref.fa"),
    "seqkit": Case("reads.fq"),
    "fastp": Case("reads.fq"),
    "gdal-translate": Case("a.tif", "", ("gdal_create -q -outsize 99 99 -burn 5 a.tif",)),
    "gdalwarp": Case(
        "a.tif",
        "",
        ("gdal_create -q -outsize 99 99 -burn 5 -a_srs EPSG:4326 -a_ullr 5 50 8 47 a.tif",),
    ),
}
UNTRIED = {"aws-s3-sync", "s5cmd", "fasterq-dump", "kraken2", "mmseqs"}
"""They need a store, an archive, a database or a minute, which is too much for a test."""


def records(drawn: Random, letters: str, count: int, length: int) -> Iterator[tuple[str, str]]:
    for number in range(count):
        yield f"s{number}", "".join(drawn.choices(letters, k=length))


@pytest.fixture
def material(tmp_path: Path) -> Path:
    """Small data of each kind that a preset reads."""
    drawn, folder = Random(5), tmp_path / "material"
    for name in ("", "folder", "project", "copy", "star"):
        (folder / name).mkdir()
    (reference,) = (text for _, text in records(drawn, BASES, 1, 5000))
    places = sorted(drawn.choices(range(4900), k=200))
    written = {
        "a.txt": "".join(f"{drawn.random()}\n" for _ in range(20_000)),
        "folder/one": "1\n",
        "folder/two": "2\n",
        "project/Makefile": "all: a b\na b:\n\techo $@ > $@\n",
        "ref.fa": f">chr1\n{reference}\n",
        "reads.fq": "".join(
            f"@r{number}\n{reference[place : place + 80]}\n+\n{'I' * 80}\n"
            for number, place in enumerate(places)
        ),
        "a.sam": "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:5000\n"
        + "".join(
            f"r{number}\t0\tchr1\t{place + 1}\t60\t80M\t*\t0\t0\t{reference[place : place + 80]}\t{'I' * 80}\n"
            for number, place in enumerate(places)
        ),
        "a.vcf": "##fileformat=VCFv4.2\n##contig=<ID=chr1,length=5000>\n"
        "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n"
        + "".join(f"chr1\t{place + 1}\t.\tA\tT\t9\tPASS\t.\n" for place in places),
        "acids.fa": "".join(f">{name}\n{text}\n" for name, text in records(drawn, ACIDS, 20, 90)),
        "acids.sto": "# STOCKHOLM 1.0\n"
        + "".join(f"{name} {text}\n" for name, text in records(drawn, ACIDS, 4, 60))
        + "//\n",
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.tool(*Preset.named(name).programs)) for name in CASES],
)
def test_that_a_preset_runs_and_puts_out_the_same_with_more_threads(
    material: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(material)
    case, preset = CASES[name], Preset.named(name)
    for command in case.before:
        subprocess.run(shlex.split(command), check=True, capture_output=True)
    values = preset.values | ({"values": case.values} if case.values else {})
    for threads in (1, 2):
        done = drive("command", material / case.data, most=2, threads=threads, **values)
        assert done.clean, (done.errors, done.complaints)


def test_that_every_preset_is_tried_and_can_be_read() -> None:
    assert {*Preset.names()} == {*CASES} | UNTRIED
    for name in Preset.names():
        preset = Preset.named(name)
        template = Template(preset.run, shell=preset.shell)
        others = Template(preset.prepare or preset.run, shell=preset.shell)
        assert {*template.names, *others.names} & {"dataset", "source"}, name
        assert preset.about.endswith(".")
        assert preset.package


@pytest.mark.tool("sort")
def test_that_a_preset_asks_how_many_threads() -> None:
    asked = Request.of_preset("sort")
    assert asked.question == "How many threads?"
    assert asked.values["run"] == Preset.named("sort").run
    assert "--parallel={threads}" in asked.command_line()


def test_that_a_users_own_preset_counts_and_a_broken_one_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path))
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "zstd.toml").write_text('about = "Mine."\nrun = "zstd {dataset}"\n')
    (tmp_path / "programs" / "bad.toml").write_text('about = "Mine."\nrunn = "zstd {dataset}"\n')
    assert Preset.named("zstd").about == "Mine."
    with pytest.raises(UsageError, match=r"bad\.toml is no preset: .*unknown field `runn`"):
        Preset.named("bad")
    with pytest.raises(UnknownName, match="did you mean zstd"):
        Preset.named("ztsd")
