"""A folder of files, of which each run takes the next: which, and what they are compared with."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from driving import drive, open_job
from parsing import parsed

from core import Axis, Cancel, InvalidParameter, Request, command_text
from core.run.presets import Preset
from core.run.task import task_of
from core.tell.result_card import in_code
from core.vocabulary import Explained, RunPlanned, TrialEnded, open_dataset, specify

ODD = ("a b; touch x.fq", "new\nline.fq", "plain.fq")
PRINT = "cat {dataset}"


@pytest.fixture
def reads(tmp_path: Path) -> Path:
    folder = tmp_path / "reads"
    folder.mkdir()
    for number, name in enumerate(ODD):
        (folder / name).write_text(f"read {number}\n")
    (folder / "notes.txt").write_text("no reads\n")
    return folder


def asked(words: str) -> Request:
    return parsed(f"{command_text()} measure command {words}")


def test_that_each_run_takes_the_next_file_that_matches(reads: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    append = f"open({str(seen)!r}, 'a').write(open(sys.argv[1]).read())"
    run = f"{shlex.quote(sys.executable)} -c {shlex.quote('import sys; ' + append)} {{dataset}}"
    done = drive("command", reads, most=6, run=run, reads="*.fq")
    assert done.clean
    assert sorted(set(seen.read_text().splitlines())) == ["read 0", "read 1", "read 2"]
    assert "1 of 4 files matches no pattern, so it is left out." in done.job.notes


def test_that_outputs_are_compared_file_by_file(reads: Path) -> None:
    done = drive("command", reads, most=6, run=PRINT, reads="*.fq", same="stdout")
    assert done.clean
    assert "The output of each file is compared with that of its first run." in done.job.notes
    assert drive("command", reads, most=8, run="cat {each}", same="stdout").clean


def test_that_a_file_whose_output_changes_is_found(reads: Path, tmp_path: Path) -> None:
    """The second run of the last file puts out something else."""
    mark = tmp_path / "mark"
    code = (
        "import sys, pathlib; name = sys.argv[1]; mark = pathlib.Path(sys.argv[2]); "
        "late = name.endswith('plain.fq') and mark.exists(); "
        "name.endswith('plain.fq') and mark.touch(); print(name, late)"
    )
    words = [sys.executable, "-c", code, "{dataset}", str(mark)]
    done = drive("command", reads, most=6, run=shlex.join(words), reads="*.fq", same="stdout")
    assert len(done.complaints) == 1
    assert "write different output" in done.complaints[0]


@pytest.mark.parametrize("run", [PRINT, "cat {each}"])
def test_that_a_folder_without_such_a_file_is_refused_before_the_start(
    reads: Path, run: str
) -> None:
    with pytest.raises(InvalidParameter, match=r"reads: no file in .* is \*\.bam"):
        specify("command", open_dataset(reads), {"run": run, "reads": "*.bam"})


def test_that_one_file_is_enough_and_a_file_needs_no_pattern(reads: Path) -> None:
    assert drive("command", reads, most=2, run=PRINT, reads="plain*", same="stdout").clean
    alone = reads / ODD[0]
    assert drive("command", alone, most=2, run=PRINT, reads="*.bam", same="stdout").clean


def test_that_a_preset_knows_its_files_unless_it_reads_the_folder() -> None:
    assert Preset.named("samtools-sort").values["reads"] == "*.bam *.cram"
    assert "reads" not in Preset.named("make").values


def test_that_jobs_are_processes_unless_the_command_has_them() -> None:
    pigz = asked("jobs=1,2 threads=1,2 --run 'pigz -p {threads} -c {each}'")
    assert {one.name for one in pigz.axes} == {"processes", "threads"}
    own = asked("jobs=0..2 --run 'make -j{jobs}'")
    assert [(one.name, one.values) for one in own.axes] == [("jobs", ("0", "1", "2"))]
    again = asked("jobs=1,2 threads=1,2 --all --run 'gzip {threads}'")
    assert again.over_commit
    assert parsed(again.command_line()) == again


def test_that_what_has_more_threads_than_cores_is_left_out_and_said(reads: Path) -> None:
    request = asked("jobs=1,100 threads=1,100 --run 'cat {threads} {each}'")
    task = task_of(request, open_dataset(reads))
    assert [one.load.workers for one in task.plan.specs] == [1]
    assert "3 of 4 combinations have more threads than" in " ".join(task.left_out)
    every = asked("jobs=1,2 threads=1,200 --all --run 'cat {threads} {each}'")
    assert len(task_of(every, open_dataset(reads)).plan.specs) == 4


def test_that_a_job_says_which_file_a_run_takes(reads: Path) -> None:
    job = open_job("command", reads, run=PRINT, reads="*.fq")
    names = {job.describe(item).removesuffix(f" in run {item + 1}") for item in range(3)}
    job.close()
    assert len(names) == 3


def test_that_the_code_of_an_answer_goes_through_the_same_files(
    reads: Path, tmp_path: Path
) -> None:
    values = {"run": "cp {dataset} {out}/copy", "reads": "*.fq", "folder": str(tmp_path)}
    spec = specify("command", open_dataset(reads), {**values, "processes": 2})
    (snippet,) = in_code(spec)[:1]
    assert snippet.where == "Shell"
    subprocess.run(["/bin/sh", "-c", snippet.text], check=True)
    copies = sorted(one.parent.name for one in (tmp_path / "out").rglob("copy"))
    assert copies == sorted(ODD)


def test_that_a_question_of_jobs_is_written_as_it_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Preset, "installed", True)
    asked = Request.of_preset("pigz")
    assert "--reads" in asked.command_line()


def test_that_a_search_leaves_out_what_does_not_fit_the_memory_and_says_so(reads: Path) -> None:
    """One run takes more than 60 MiB, and there are 300."""
    code = "import time; held = bytearray(b'x') * (60 << 20); time.sleep(0.1)"
    run = shlex.join([sys.executable, "-c", code, "{threads}", "{dataset}"])
    values = {"run": run, "reads": "*.fq", "memory_limit": 300 << 20, "duration": 0.2}
    request = Request(
        workload="command",
        values={**values, "warm_up": 0.0},
        axes=(Axis("processes", (1, 2, 8)), Axis("threads", (1, 2))),
        terms={"most_trials": 6},
        search=True,
        over_commit=True,
        floor=False,
    )
    events = list(task_of(request, open_dataset(reads)).carry_out(Cancel()))
    said = [one.text for one in events if isinstance(one, Explained) and "Left out" in one.text]
    assert len(said) == 1
    assert said[0].startswith("Left out, too much memory: 8 × ")
    assert said[0].endswith(" of 300 MiB.")
    measured = {one.trial.spec_digest for one in events if isinstance(one, TrialEnded)}
    (planned,) = [one.plan.specs for one in events if isinstance(one, RunPlanned)]
    assert {one.load.processes for one in planned if one.digest in measured} == {1, 2}
