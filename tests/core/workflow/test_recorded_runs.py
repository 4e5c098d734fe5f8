"""Runs that Snakemake 9.27 and Nextflow 24.10 recorded of `parts/` are read as steps."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest

from core.language import UsageError
from core.workflow.nextflow_run import nextflow_run
from core.workflow.readers import recorded_run
from core.workflow.recorded import Step
from core.workflow.snakemake_run import Job, recorded_jobs
from core.workflow.thread_number import guessed_template, template_of, threads_of

PARTS = Path(__file__).parent / "parts"


def written(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("@RUN@", str(folder)), "utf-8")


def by_name(steps: tuple[Step, ...]) -> dict[str, Step]:
    return {step.name: step for step in steps}


@pytest.fixture
def of_snakemake(tmp_path: Path) -> tuple[Step, ...]:
    parts = json.loads((PARTS / "snakemake_run.json").read_text("utf-8"))
    written(tmp_path, parts["files"])
    jobs, others = (msgspec.convert(parts[key], tuple[Job, ...]) for key in ("jobs", "others"))
    return recorded_jobs(tmp_path, jobs, others)


@pytest.fixture
def run_of_nextflow(tmp_path: Path) -> Path:
    written(tmp_path, json.loads((PARTS / "nextflow_run.json").read_text("utf-8")))
    return tmp_path


def test_that_a_job_of_snakemake_has_what_it_was_granted_and_not_what_its_rule_says(
    of_snakemake: tuple[Step, ...], tmp_path: Path
) -> None:
    align = by_name(of_snakemake)["align"]
    assert align.threads == 2  # its rule says 16; the run had 2 cores
    assert align.template.startswith("bwa mem -t {threads} -K 10000000 ")
    assert align.command == align.template.replace("{threads}", "2")
    assert align.memory == 2_000_000_000
    assert align.outputs == (tmp_path / "aligned" / "liver.sam",)
    assert 9 < align.ended - align.started < 10
    assert align.cpu == 7.57
    assert align.peak is not None
    assert 100e6 < align.peak < 200e6


def test_that_a_benchmark_of_a_run_too_short_for_it_says_nothing(tmp_path: Path) -> None:
    parts = json.loads((PARTS / "snakemake_run.json").read_text("utf-8"))
    written(tmp_path, {"benchmarks/align_liver.tsv": "max_rss\tcpu_time\n0.00\t0.00\n"})
    jobs = msgspec.convert(parts["jobs"], tuple[Job, ...])
    align = by_name(recorded_jobs(tmp_path, jobs, ()))["align"]
    assert (align.cpu, align.peak) == (None, None)


def test_that_a_job_waits_for_those_that_made_what_it_reads(
    of_snakemake: tuple[Step, ...],
) -> None:
    waits = {step.name: {of_snakemake[at].name for at in step.after} for step in of_snakemake}
    assert waits["trim"] == set()
    assert waits["align"] == {"trim", "index"}
    assert waits["call"] == {"markdup", "index_bam", "index"}
    assert waits["summary"] == {"stats"}


def test_that_jobs_without_a_number_of_threads_say_so(of_snakemake: tuple[Step, ...]) -> None:
    steps = by_name(of_snakemake)
    assert not steps["index"].template
    assert "number of threads" in steps["index"].reason
    assert not steps["summary"].command
    assert steps["summary"].reason == "it runs no command"


@pytest.mark.parametrize("given", ["trace.txt", "", "work"])
def test_that_a_run_of_nextflow_is_read_by_its_trace_and_by_its_folders(
    run_of_nextflow: Path, given: str
) -> None:
    run = recorded_run(run_of_nextflow / given)
    steps = by_name(run.steps)
    align = steps["ALIGN"]
    assert (run.manager, len(run.steps), run.cores) == ("nextflow", 9, 2)
    assert align.template.startswith("#!/bin/bash -ue\nbwa mem -t {threads} -K 10000000 ")
    assert (align.threads, align.memory) == (2, 1 << 30)
    assert {run.steps[at].name for at in align.after} == {"INDEX", "TRIM"}
    assert align.inputs[-1].name in {"liver_1.fq", "liver_2.fq", "index"}
    assert align.outputs == (align.folder / "liver.sam",)
    assert 20 < align.ended - align.started < 22
    assert align.cpu is not None
    assert 7.5 < align.cpu < 8.5
    assert steps["PACK"].peak is None  # it ended before Nextflow had looked


def test_that_work_folders_do_without_a_trace(run_of_nextflow: Path) -> None:
    with_trace = by_name(recorded_run(run_of_nextflow).steps)
    (run_of_nextflow / "trace.txt").unlink()
    without = by_name(recorded_run(run_of_nextflow / "work").steps)
    assert without.keys() == with_trace.keys()
    assert {name: step.template for name, step in without.items()} == {
        name: step.template for name, step in with_trace.items()
    }
    assert without["ALIGN"].threads == 2
    assert without["ALIGN"].cpu == with_trace["ALIGN"].cpu


@pytest.mark.parametrize(
    ("before", "after", "lacking"), [("cpus", "tag", "cpus"), ("\t1796", "\t2026-11-", "raw")]
)
def test_that_a_trace_that_lacks_fields_is_refused_with_the_block_to_write(
    run_of_nextflow: Path, before: str, after: str, lacking: str
) -> None:
    trace = run_of_nextflow / "trace.txt"
    trace.write_text(trace.read_text("utf-8").replace(before, after), "utf-8")
    with pytest.raises(UsageError, match=lacking) as refused:
        nextflow_run(trace)
    assert "trace {\n    enabled = true" in refused.value.remedy


@pytest.mark.parametrize("name", ["missing/Snakefile", "missing/trace.txt"])
def test_that_what_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="there is no file"):
        recorded_run(tmp_path / name)


@pytest.mark.parametrize(
    ("command", "other", "template"),
    [
        ("sort -@ 8 x8.bam", "sort -@ 61 x8.bam", "sort -@ {threads} x8.bam"),
        ("a -t 8 | b -@ 8", "a -t 61 | b -@ 61", "a -t {threads} | b -@ {threads}"),
        ("sort -@ 8 -m 100M", "sort -@ 61 -m 13M", None),
        ("echo '{threads}' 8", "echo '{threads}' 61", None),
        ("cat x", "cat x", "cat x"),
    ],
)
def test_that_two_commands_show_which_number_is_the_threads(
    command: str, other: str, template: str | None
) -> None:
    assert template_of(command, other, (8, 61)) == template
    if template and "{threads}" in template:
        assert threads_of(command.replace("8", "4").replace("x4", "x8"), template) == 4
        assert threads_of("something else 4", template) is None


@pytest.mark.parametrize(
    ("command", "template"),
    [
        ("bwa mem -t 4 -k 19 ref", "bwa mem -t {threads} -k 19 ref"),
        ("sort --parallel=4 -S4G", "sort --parallel={threads} -S4G"),
        ("a -@4 | b --threads 4", "a -@{threads} | b --threads {threads}"),
        ("bwa mem -t 4 -w 4 -q 4", None),
        ("head -n 4 x", None),
        ("sort x4.txt", "sort x4.txt"),
    ],
)
def test_that_a_number_is_the_threads_only_where_no_other_word_is_that_number(
    command: str, template: str | None
) -> None:
    assert guessed_template(command, 4) == template


HOSTILE = r"""
rule all:
    input: "it's.txt", "a b.txt", "gone.txt", "$HOME.txt", "line\nbreak.txt", "outside.txt"

rule quotes:
    output: "it's.txt"
    threads: 2
    shell: "printf '%s' \"it's \\\"{threads}\\\"\" > {output:q}"

rule spaces:
    output: "a b.txt"
    shell: "awk 'BEGIN {{ print $1, \"{threads}\" }}' > {output:q}"

rule dollar:
    output: "$HOME.txt"
    shell: "echo {threads} > {output:q}"

rule newline:
    output: "line\nbreak.txt"
    shell: "echo {threads} > {output:q}"

rule deletes:
    input: "precious.txt"
    output: "gone.txt"
    shell: "sort --parallel={threads} {input} > {output} && rm {input}"

rule outside:
    output: "outside.txt"
    shell: "echo {threads} > ../outside.txt && cp ../outside.txt {output}"
"""


@pytest.mark.tool("snakemake")
def test_that_hostile_steps_of_snakemake_are_read_without_a_change_to_any_file(
    tmp_path: Path,
) -> None:
    from core.measure import Program, run_program

    run = tmp_path / "run"
    run.mkdir()
    (run / "Snakefile").write_text(HOSTILE, "utf-8")
    (run / "precious.txt").write_text("kept\n", "utf-8")
    done = run_program(Program(arguments=["snakemake", "--cores", "1"], cwd=run), timeout=120)
    assert done.well, done.complaints
    (run / "precious.txt").write_text("kept\n", "utf-8")
    before = contents(tmp_path)
    steps = by_name(recorded_run(run / "Snakefile").steps)
    assert contents(tmp_path) == before
    assert steps["quotes"].template == "printf '%s' \"it's \\\"{threads}\\\"\" > 'it'\"'\"'s.txt'"
    assert steps["newline"].outputs == (run / "line\nbreak.txt",)
    assert steps["dollar"].template == "echo {threads} > '$HOME.txt'"
    assert all(step.template and step.ended for step in steps.values())


def contents(folder: Path) -> dict[str, bytes]:
    """All files but those of the manager itself."""
    return {
        os.fspath(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".snakemake" not in path.parts
    }
