"""Holds `--same` against real tools, as their manuals write them, and against programs that differ.

Tools that are not installed are left out.  Nobody is to be accused whose content is the same with
one thread and with two, and everybody is to be named whose content is not.

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_same_content.py --only bwa,pigz
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_GENOME, _READS, _LENGTH = 60_000, 6_000, 100
_TIMEOUT = 300


@dataclass(frozen=True)
class Case:
    """A command, and what is to be said of it; empty = nothing."""

    name: str
    run: str
    same: str = "stdout"
    dataset: str = "r1.fq"
    shell: bool = False
    told: str = ""
    programs: str = ""
    """What it needs beside the program that it begins with."""

    @property
    def needs(self) -> list[str]:
        return [*([] if self.shell else [self.run.split()[0]]), *self.programs.split()]


ALIKE = (
    Case("bwa mem", "bwa mem -t {threads} g.fa r1.fq r2.fq"),
    Case("bwa mem | samtools sort", "bwa mem -t {threads} g.fa r1.fq r2.fq | samtools sort -@ {threads} -o {out}/s.bam -", "files", shell=True, programs="bwa samtools"),
    Case("minimap2 -a", "minimap2 -t {threads} -ax sr g.fa r1.fq r2.fq"),
    Case("minimap2, PAF", "minimap2 -t {threads} -x sr g.fa r1.fq"),
    Case("bowtie2 --reorder", "bowtie2 -p {threads} --reorder -x bt2 -1 r1.fq -2 r2.fq"),
    Case("hisat2", "hisat2 -p {threads} --reorder -x ht2 -1 r1.fq -2 r2.fq"),
    Case("samtools sort", "samtools sort -@ {threads} -o {out}/s.bam {dataset}", "files", "a.bam"),
    Case("samtools sort --write-index", "samtools sort -@ {threads} --write-index -o {out}/s.bam {dataset}", "files", "a.bam"),
    Case("samtools sort, to stdout", "samtools sort -@ {threads} {dataset}", "stdout", "a.bam"),
    Case("samtools view -b", "samtools view -@ {threads} -b -o {out}/o.bam {dataset}", "files", "a.bam"),
    Case("samtools view -C", "samtools view -@ {threads} -C -T g.fa -o {out}/o.cram {dataset}", "files", "a.bam"),
    Case("samtools view -h", "samtools view -@ {threads} -h {dataset}", "stdout", "a.bam"),
    Case("samtools markdup", "samtools markdup -@ {threads} {dataset} {out}/m.bam", "files", "fixed.bam"),
    Case("samtools flagstat", "samtools flagstat -@ {threads} {dataset}", "stdout", "a.bam"),
    Case("sambamba sort", "sambamba sort -q -t {threads} -o {out}/s.bam {dataset}", "files", "a.bam"),
    Case("sambamba view", "sambamba view -t {threads} -f bam -o {out}/v.bam {dataset}", "files", "a.bam"),
    Case("bcftools mpileup | call", "bcftools mpileup --threads {threads} -f g.fa {dataset} | bcftools call --threads {threads} -mv -Oz -o {out}/c.vcf.gz", "files", "sorted.bam", shell=True, programs="bcftools"),
    Case("bcftools view -Ob", "bcftools view --threads {threads} -Ob -o {out}/c.bcf {dataset}", "files", "c.vcf"),
    Case("bcftools view", "bcftools view --threads {threads} {dataset}", "stdout", "c.vcf"),
    Case("bcftools sort", "bcftools sort -Oz -m {100*threads}M -o {out}/c.vcf.gz {dataset}", "files", "c.vcf"),
    Case("freebayes", "parallel -k -j {threads} freebayes -f g.fa -r {} sorted.bam ::: chr1:0-20000 chr1:20000-40000", programs="freebayes"),
    Case("featureCounts", "featureCounts -T {threads} -p -a g.saf -F SAF -o {out}/counts.txt {dataset}", "files", "sorted.bam"),
    Case("fastp", "fastp -w {threads} -i r1.fq -I r2.fq -o {out}/1.fq.gz -O {out}/2.fq.gz -j /dev/null -h /dev/null", "files"),
    Case("seqkit seq", "seqkit seq -j {threads} -r -p {dataset}"),
    Case("bgzip", "bgzip -@ {threads} -c {dataset}"),
    Case("pigz", "pigz -k -c -p {threads} {dataset}"),
    Case("pigz, file", "sh -c 'cp \"$1\" \"$2\"/r.fq && pigz -p \"$3\" \"$2\"/r.fq' sh {dataset} {out} {threads}", "files", programs="pigz"),
    Case("zstd", "zstd -q -T{threads} -c {dataset}"),
    Case("xz", "xz -k -c -T {threads} --block-size=100KiB {dataset}"),
    Case("lbzip2", "lbzip2 -k -c -n {threads} {dataset}"),
    Case("pbzip2", "pbzip2 -k -c -p{threads} {dataset}"),
    Case("plzip", "plzip -k -c -n {threads} -B 256KiB {dataset}"),
    Case("lz4", "lz4 -q -B{3+threads} {dataset} {out}/r.lz4", "files"),
    Case("7z", "7z a -bd -mmt={threads} {out}/a.7z {dataset}", "files"),
    Case("7z, zip", "7z a -bd -tzip -mmt={threads} {out}/a.zip {dataset}", "files"),
    Case("tar with pigz", "tar -c -I 'pigz -p {threads}' -f {out}/a.tar.gz {dataset} g.fa", "files", programs="pigz"),
    Case("tar of a fresh copy", "mkdir {out}/d && cp {dataset} g.fa {out}/d && tar -C {out} -cf - d | pigz -p {threads} > {out}/d.tgz; rm -r {out}/d", "files", shell=True, programs="pigz"),
    Case("zip of a fresh copy", "cp {dataset} {out}/a-{threads} && mv {out}/a-{threads} {out}/a && cd {out} && zip -q z.zip a && rm a", "files", shell=True, programs="zip"),
    Case("sort", "sort --parallel={threads} -o {out}/s {dataset}", "files"),
    Case("parallel", "parallel -k -j {threads} wc -l ::: r1.fq r2.fq g.fa"),
)  # fmt: skip

_PYTHON = "python3 differs.py"
DIFFERENT = (
    Case("bowtie2 -p", "bowtie2 -p {threads} -x bt2 -1 r1.fq -2 r2.fq", told="lines in another order"),
    Case("fastp's report", "fastp -w {threads} -i r1.fq -I r2.fq -j {out}/fastp.json -h /dev/null", "files", told="line differs"),
    Case("cut gzip", "gzip -c {dataset} | head -c -$((100*({threads}-1)))", shell=True, told="damaged or cut"),
    Case("order of lines", f"{_PYTHON} order {{threads}} {{dataset}}", told="lines in another order"),
    Case("order of a BAM", "samtools view -h a.bam | python3 differs.py order {threads} - | samtools view -b -", shell=True, dataset="a.bam", programs="samtools", told="records in another order"),
    Case("lost lines", f"{_PYTHON} lost {{threads}} {{dataset}}", told="3 lines are missing"),
    Case("cut output", f"{_PYTHON} cut {{threads}} {{dataset}}", told="cut after"),
    Case("one wrong byte", f"{_PYTHON} byte {{threads}} {{dataset}}", dataset="bytes", told="byte 12,345 is the first"),
    Case("one wrong byte in gzip", f"{_PYTHON} byte {{threads}} {{dataset}} | gzip -c", shell=True, dataset="bytes", told="byte 12,345 is the first"),
    Case("a lost record, compressed", f"{_PYTHON} lost {{threads}} {{dataset}} | gzip -n > {{out}}/l.gz", "files", shell=True, told="3 lines are missing"),
    Case("a lost alignment", "samtools view -h a.bam | python3 differs.py tail {threads} - | samtools view -b -o {out}/o.bam -", "files", shell=True, programs="samtools", dataset="a.bam", told="is missing"),
)  # fmt: skip

_DIFFERS = """
import sys
how, threads, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
data = sys.stdin.buffer.read() if name == "-" else open(name, "rb").read()
if threads > 1:
    lines = data.splitlines(keepends=True)
    if how == "order":
        lines[100], lines[200] = lines[200], lines[100]
    elif how == "lost":
        del lines[100:103]
    elif how == "tail":
        del lines[-40]
    data = b"".join(lines)
    if how == "cut":
        data = data[:-12_345]
    elif how == "byte":
        data = data[:12_344] + bytes([data[12_344] ^ 1]) + data[12_345:]
sys.stdout.buffer.write(data)
"""


def make_data(folder: Path) -> None:
    """A genome, pairs of reads, their alignments and variants, as far as tools are there."""
    drawn = random.Random(1)
    genome = "".join(drawn.choices("ACGT", k=_GENOME))
    donor = list(genome)
    for at in range(500, _GENOME, 997):
        donor[at] = "A" if donor[at] != "A" else "C"
    (folder / "g.fa").write_text(f">chr1\n{genome}\n")
    (folder / "g.saf").write_text(
        "GeneID\tChr\tStart\tEnd\tStrand\n"
        + "".join(f"g{at}\tchr1\t{at + 1}\t{at + 900}\t+\n" for at in range(0, _GENOME, 1000))
    )
    swap = str.maketrans("ACGT", "TGCA")
    with (folder / "r1.fq").open("w") as first, (folder / "r2.fq").open("w") as second:
        for number in range(_READS):
            at = drawn.randrange(_GENOME - 400)
            piece = "".join(donor[at : at + 400])
            back = piece[-_LENGTH:].translate(swap)[::-1]
            first.write(f"@r{number}/1\n{piece[:_LENGTH]}\n+\n{'I' * _LENGTH}\n")
            second.write(f"@r{number}/2\n{back}\n+\n{'I' * _LENGTH}\n")
    (folder / "bytes").write_bytes(drawn.randbytes(200_000))
    (folder / "differs.py").write_text(_DIFFERS)
    for line in (
        "samtools faidx g.fa",
        "bwa index g.fa",
        "bowtie2-build -q g.fa bt2",
        "hisat2-build -q g.fa ht2",
        "bwa mem g.fa r1.fq r2.fq | samtools view -b -o a.bam -",
        "samtools sort -o sorted.bam a.bam && samtools index sorted.bam",
        "samtools fixmate -m a.bam - | samtools sort -o fixed.bam -",
        "bcftools mpileup -f g.fa sorted.bam | bcftools call -mv -o c.vcf",
    ):
        subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, check=False)


def answer(case: Case, folder: Path) -> tuple[int, str]:
    """The exit code, and all that Sluice says of one and two threads."""
    words = [sys.executable, "-m", "core", "measure", "command", "threads=1,2"]
    words += ["--run", case.run, "--same", case.same, "--dataset", case.dataset]
    words += ["--repeats", "1", "--duration", "0.1s", "--warm-up", "0", "--no-floor", "--strict"]
    words += ["--session", str(folder / "sessions" / f"{case.name.replace(' ', '-')}.sluice")]
    words += ["--shell"] if case.shell else []
    environment = os.environ | {
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "SLUICE_CACHE": str(folder / "cache"),
        "SLUICE_STATE": str(folder / "state"),
        "COLUMNS": "500",
    }
    done = subprocess.run(
        words,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=_TIMEOUT,
    )
    return done.returncode, done.stdout + done.stderr


_ACCUSED = ("other output than", "rong data", "disturb each other", "write different output")


def failures(case: Case, code: int, said: str) -> Iterator[str]:
    """What of an answer is not as it has to be."""
    accused = any(word in said for word in _ACCUSED)
    if not case.told and accused:
        yield "it is accused"
    elif not case.told and code:
        yield f"it failed with {code}"
    if case.told and not code:
        yield "it is not accused"
    if case.told and case.told not in said:
        yield f"“{case.told}” is not said"
    if "disturb each other" in said:
        yield "its threads are accused"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names begin with one of these, commas between")
    parser.add_argument("--keep", type=Path, help="a folder for the data and all answers")
    chosen = parser.parse_args()
    only = tuple(filter(None, chosen.only.split(",")))
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = (chosen.keep or Path(temporary)).resolve()
        (folder / "sessions").mkdir(parents=True, exist_ok=True)
        make_data(folder)
        for case in (*ALIKE, *DIFFERENT):
            if only and not case.name.startswith(only):
                continue
            if absent := [name for name in case.needs if shutil.which(name) is None]:
                print(f"left out  {case.name}: {shlex.join(absent)} not installed")
                continue
            code, said = answer(case, folder)
            (folder / f"{case.name.replace(' ', '-').replace('/', '-')}.txt").write_text(said)
            wrong = list(failures(case, code, said))
            missed += bool(wrong)
            print(
                f"{'MISSED' if wrong else 'good':8}  {case.name}: {'; '.join(wrong) or case.told}",
                flush=True,
            )
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
