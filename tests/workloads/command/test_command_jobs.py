"""Programs that behave, and programs that do not: each has a clear outcome and leaves nothing."""

from __future__ import annotations

import codecs
import gc
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest
from driving import Driven, drive, open_job
from parsing import parsed

from core import (
    Axis,
    Choice,
    Integer,
    InvalidParameter,
    Request,
    SluiceError,
    Text,
    UsageError,
    split_values,
    workloads,
)
from core.measure.machine.processes import measured_commands
from core.vocabulary import build, open_dataset, own_kinds, specify
from core.vocabulary.registry import load_workload
from workloads.command.command_parameters import values_written
from workloads.command.command_workload import AnyProgram
from workloads.command.program_run import ProgramRun

OURS = f"/test-0-0000-{os.getpid()}."
"""Stamps of what this process runs begin with it."""

type Drive = Callable[..., Driven]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file with a name that a shell would take for commands."""
    file = tmp_path / "; touch it's $(touch x) ünd.txt"
    file.write_text("one\ntwo\nthree\n")
    return file


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    """The folder in which those of the runs are made; fails where one is left, or a process."""
    folder = tmp_path / "disk"
    folder.mkdir()
    yield folder
    assert list(folder.iterdir()) == []
    assert stamped() == []


@pytest.fixture
def driven(data: Path, out: Path) -> Drive:
    def drive_some(run: str, *, most: int = 1, **values: Any) -> Driven:
        return drive("command", data, most=most, run=run, folder=str(out), **values)

    return drive_some


def stamped() -> list[str]:
    """The processes that a job of these tests has started."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("SLUICE_OPERATION", "").startswith(OURS):
                found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return found


def script(folder: Path, text: str, *, name: str = "tool.py", mode: int = 0o755) -> Path:
    """A program in Python."""
    file = folder / name
    file.write_text(f"#!{sys.executable}\n{text}")
    file.chmod(mode)
    return file


def test_that_placeholders_are_single_arguments(tmp_path: Path, data: Path, out: Path) -> None:
    tool = script(
        tmp_path,
        "import json, sys\nfrom pathlib import Path\n"
        "Path(sys.argv[1], 'seen').write_text(json.dumps(sys.argv[2:]))",
    )
    written = f"{tool} {{out}} -T{{threads}} {{dataset}} {{n}} {{seed}} {{level:1..9}} {{size}} ''"
    values = "level=4 size='1 M'"
    job = open_job("command", data, threads=3, seed=7, run=written, values=values, folder=str(out))
    with job.worker(0) as (prepare, run):
        going = prepare.perform(5)
        result = run.perform(going)
        seen = (going.folder / "seen").read_text()
        assert job.check(5, result) == ""
        assert not going.folder.exists()
    job.close()
    expected = ["-T3", str(data), "5", "7", "4", "1 M", ""]
    assert json.loads(seen) == expected


def test_that_runs_long_past_are_forgotten(data: Path, out: Path) -> None:
    job = open_job("command", data, run="true", folder=str(out))
    with job.worker(0) as (prepare, run):
        for item in range(1100):
            assert job.check(item, run.perform(prepare.perform(item))) == ""
    known = [one for one in gc.get_objects() if isinstance(one, ProgramRun)]
    job.close()
    assert len(known) <= 1001


def test_that_a_run_counts_the_dataset_and_what_it_wrote(driven: Drive, data: Path) -> None:
    done = driven("cp {dataset} {out}/copy", most=3)
    assert done.clean
    results = [result for _, result in done.results]
    assert done.job.weigh(results) == (3, 3 * data.stat().st_size, 0)
    written = driven("sh -c 'echo 12345 > $0/a' {out}", most=2)
    assert written.job.weigh([result for _, result in written.results]) == (2, 12, 0)


SPOILED = """
import os, sys, time
{text}
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sys.exit('no index')", "ended with 1: no index"),
        ("sys.exit('a.zst already exists')", "already exists (each run needs a place of its own: "),
        (
            "for i in range(2000): sys.stderr.write(f'\\r\\033[2K\\033[32m{i} of 2000\\033[0m')\n"
            "sys.exit('\\n\\033[31;1mERROR\\033[0m: no index\\033[?25h')",
            "ended with 1: ERROR: no index",
        ),
        ("os.kill(os.getpid(), 11)", "was killed by signal 11"),
        ("open('/dev/tty')", "No such device or address: '/dev/tty'"),
        ("assert os.isatty(0), 'needs a terminal'", "AssertionError: needs a terminal"),
        (
            "os.fork() or (os.setsid(), os.execvp('sleep', ['sleep', '1000']))",
            "left running: sleep (have it stay in the foreground",
        ),
    ],
)
def test_that_a_program_that_fails_is_told_in_its_own_words(
    driven: Drive, tmp_path: Path, text: str, told: str
) -> None:
    tool = script(tmp_path, SPOILED.format(text=text))
    (error,) = driven(f"{tool} {{dataset}} {{out}}").errors
    assert told in str(error)


def test_that_a_program_that_fails_on_the_folder_for_its_output_is_told_to_name_a_file(
    data: Path, out: Path
) -> None:
    told = []
    for written in ("zstd {dataset} -o {out}", "zstd {dataset} -o {out}/a.zst"):
        job = open_job("command", data, run=written, folder=str(out))
        told.append(job.remedy(SluiceError("zstd was killed by signal 11")))
        job.close()
    assert told == ["{out} is a folder: write {out}/result where a file is meant", ""]


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (
            "(echo lost >&2; exit 3) | cat",
            "ended with 3: lost; the members of the pipe ended with 3 0",
        ),
        ("cat {dataset} | (exit 4) | cat > {out}/a", "the members of the pipe ended with "),
        ("cat {dataset} | no-such-program | wc -c", "ended with 127: "),
        ("cat /no/such | wc -c; true", "; the members of the pipe ended with 1 0"),
        ("x=$(false | cat; echo a); true", "ended with 1: the members of the pipe ended with 1 0"),
        ("(false | cat; true) | cat", "ended with 1: the members of the pipe ended with 1 0"),
        ("(exit 3) | yes | head -n 1", "the members of the pipe ended with 3 141 0"),
        ("yes | (exit 3)", "ended with 3: the members of the pipe ended with 141 3"),
        ("seq 100000 | sh -c 'kill -13 $$'; true", "the members of the pipe ended with 141 141"),
        ("cat <(false | cat) {dataset}", "the members of the pipe ended with 1 0"),
        ("cat <(echo '{dataset}') | grep -q /", ""),
        ("seq 1000000 | head -n 1; true", ""),
        ("if false | cat; then true; fi; ! false | cat", ""),
        ("grep zzz {dataset}; x=$(grep zzz {dataset}); true", ""),
        ("cat /no/such | wc -c && true", "ended with 1: cat: /no/such: No such file"),
        ("sh -c 'kill -9 $$' | cat", "ended with 137"),
        ("seq 1000000 | head -n 1", ""),
        ("yes '{dataset}' | head -c 100000 | cat > {out}/a || true", ""),
        ("echo '|'; true", ""),
    ],
)
def test_that_every_member_of_a_pipe_counts(driven: Drive, run: str, told: str) -> None:
    done = driven(run, shell=True)
    assert [told in str(error) for error in done.errors] == ([True] if told else [])


def test_that_every_member_of_a_pipe_counts_around_a_run_too(driven: Drive) -> None:
    (error,) = driven("true", prepare="cat /no/such | wc -c", shell=True).errors
    assert "prepare: " in str(error)
    with pytest.raises(SluiceError, match="normalise ended with 1: gzip: "):
        driven("cp {dataset} {out}/a", same="files", normalise="gzip -dc | sort")


def test_that_a_program_that_does_nothing_and_ignores_sigterm_is_ended(driven: Drive) -> None:
    done = driven("trap '' TERM; sleep 1000 & sleep 1000; wait", shell=True, idle=1.0)
    (error,) = done.errors
    assert "did nothing any more and was ended (give it longer with --idle)" in str(error)


def test_that_a_program_has_no_more_time_than_it_is_given(driven: Drive) -> None:
    (error,) = driven("sleep 1000", timeout=0.3).errors
    assert "sleep ran into its time limit and was gone after" in str(error)
    assert "--timeout" in str(error)


def test_that_a_script_without_an_interpreter_is_told(driven: Drive, tmp_path: Path) -> None:
    file = tmp_path / "tool"
    file.write_bytes(b"\x00\x01")
    file.chmod(0o755)
    (error,) = driven(str(file)).errors
    assert f"{file} cannot be started: Exec format error" in str(error)


def test_that_a_program_may_change_its_folder(driven: Drive) -> None:
    before = Path.cwd()
    done = driven("cd / && cp {dataset} {out}/copy && cd {out} && rm copy", shell=True, most=2)
    assert done.clean
    assert Path.cwd() == before


def test_that_open_files_and_processes_are_seen(driven: Drive, tmp_path: Path) -> None:
    tool = script(
        tmp_path,
        "import subprocess, sys\nkept = [open(__file__) for _ in range(300)]\n"
        "subprocess.run(['sleep', '1'])",
    )
    done = driven(str(tool))
    assert done.clean
    assert done.counters["open files at most"] >= 300
    assert done.counters["processes at most"] == 2
    assert done.counters["bytes resident at most"] > 1 << 20
    assert done.counters["empty program seconds"] > 0


def test_that_threads_that_compute_are_told_from_those_that_wait(
    driven: Drive, tmp_path: Path
) -> None:
    tool = script(
        tmp_path,
        "import hashlib, threading, time\n"
        "data = bytes(120_000_000)\n"
        "for _ in range(3): threading.Thread(target=hashlib.sha256, args=(data,)).start()\n"
        "for _ in range(20): threading.Thread(target=time.sleep, args=(0.3,)).start()",
    )
    counted = driven(str(tool), most=1).counters
    assert counted["threads at most"] >= 20
    assert 1 <= counted["computing threads at most"] <= 4
    assert counted["kernel seconds"] > 0


def test_that_temporary_files_of_a_run_are_its_own_counted_and_removed(
    driven: Drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own = "head -c 3000000 /dev/zero > $TMPDIR/a; head -c 1000000 /dev/zero > {out}/b; echo $TMPDIR"
    done = driven(own, shell=True, most=2)
    assert done.clean
    assert done.counters["bytes on disk at most"] == 4_000_000
    assert not list(tmp_path.glob("runs-*/*"))


@pytest.mark.parametrize("variable", ["OMP_NUM_THREADS", "GOMAXPROCS"])
def test_that_the_variable_of_a_threads_library_is_seen(
    driven: Drive, tmp_path: Path, variable: str
) -> None:
    tool = script(
        tmp_path,
        "import threading, time\nthreading.Thread(target=time.sleep, args=(0.4,)).start()",
    )
    program = tmp_path / "program"
    program.write_bytes(Path(sys.executable).resolve().read_bytes() + variable.encode())
    program.chmod(0o755)
    line = f"env PYTHONHOME={sys.base_prefix} {program} -S {tool}"
    assert driven(line, most=1).counters[f"limited by {variable}"] == 1


@pytest.mark.parametrize(
    ("line", "waits"),
    [
        ("sleep 0.3 | cat", "cat waits for sleep"),
        ("yes | sleep 0.3 || :", "yes waits for sleep"),
        ("cat <(sleep 0.3; exec true) | wc", "cat waits for sleep"),
        ("sleep 0.3 | cat | cat", "cat (2) waits for cat"),
    ],
)
def test_that_of_a_pipe_it_is_seen_which_program_waits_for_which(
    driven: Drive, line: str, waits: str
) -> None:
    counted = driven(line, shell=True).counters
    assert counted[waits] >= 0.5 * counted["looks at pipes"] > 0


def test_that_it_is_seen_who_writes_into_a_pipe_and_who_reads(driven: Drive) -> None:
    counted = driven("yes | sleep 0.3 || :", shell=True).counters
    assert counted["yes | sleep"] >= 0.5 * counted["looks at pipes"] > 0
    assert "sleep | yes" not in counted


def test_that_a_program_that_computes_while_it_reads_waits_for_none(
    driven: Drive, tmp_path: Path
) -> None:
    computes = script(
        tmp_path,
        "import sys, threading, time\n"
        "threading.Thread(target=sys.stdin.read, daemon=True).start()\n"
        "end = time.monotonic() + 0.5\n"
        "while time.monotonic() < end: pass",
    )
    counted = driven(f"sleep 0.6 | {sys.executable} -S {computes}", shell=True).counters
    waits = [count for name, count in counted.items() if name.endswith(" waits for sleep")]
    assert sum(waits) < 0.5 * counted["looks at pipes"]


def test_that_bytes_written_are_told_only_where_they_are_known(driven: Drive) -> None:
    assert "bytes written" in driven("cp {dataset} {out}/a").job.tallies
    assert "bytes written" not in driven("cat {dataset}").job.tallies


def test_that_programs_without_a_pipe_wait_for_none(driven: Drive) -> None:
    counted = driven("sleep 0.1; sleep 0.1", shell=True).counters
    assert not [name for name in counted if " waits for " in name or "pipes" in name]


def test_that_memory_is_known_of_runs_too_short_to_be_seen_twice(
    driven: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measured_commands, "_BETWEEN_LOOKS", 600.0)
    done = driven("head -c 8000000 /dev/zero | tail -n 1 > {out}/a; sleep 0.1", shell=True)
    assert done.clean
    assert done.counters["looks at a run at most"] == 1
    assert "processes at most" not in done.counters
    assert 1 << 20 < done.counters["bytes resident at most"] < 28 << 20


def test_that_two_hundred_megabytes_of_output_are_compared(driven: Drive, tmp_path: Path) -> None:
    tool = script(tmp_path, "import os\nfor _ in range(200): os.write(1, bytes(10**6))")
    assert driven(str(tool), same="stdout", most=2).clean


def test_that_other_output_counts_only_where_it_is_asked_for(driven: Drive) -> None:
    written = "sh -c 'echo $1; echo $1 > $0/a' {out} {threads}"
    for threads in (1, 2):
        assert driven(written, same="none", most=2, threads=threads).clean


def test_that_an_own_value_may_be_computed_of_the_threads(driven: Drive) -> None:
    digest = hashlib.sha256(b"-m 16M -t {x}\n").hexdigest()
    values = "mem={32/threads}M other={x}"
    run = "echo -m {mem} -t {other}"
    assert driven(run, values=values, threads=2, expect=digest).clean


def test_that_other_values_may_have_other_output(driven: Drive) -> None:
    written = "sh -c 'echo $1 > $0/a' {out} {level:1..3}"
    for level in (1, 2, 3):
        assert driven(written, same="files", values=f"level={level}").clean


def test_that_names_of_files_are_part_of_the_output(driven: Drive) -> None:
    written = "sh -c 'touch $0/a $0/b$1' {out} {threads}"
    assert driven(written, same="files").clean
    assert driven(written, same="files", threads=2).complaints


def test_that_a_filter_leaves_out_dates_and_command_lines(driven: Drive) -> None:
    written = "sh -c 'echo \"# -@ $1\" > $0/a; echo data >> $0/a' {out} {threads}"
    for threads in (1, 2):
        done = driven(written, same="files", normalise="grep -v '^#'", threads=threads)
        assert done.clean


def test_that_a_filter_that_fails_is_told(driven: Drive) -> None:
    with pytest.raises(SluiceError, match="normalise ended with 3: broken"):
        driven("cp {dataset} {out}/a", same="files", normalise="echo broken >&2; exit 3")


def test_that_a_known_digest_is_expected(driven: Drive, data: Path) -> None:
    digest = hashlib.sha256(data.read_bytes()).hexdigest()
    assert driven("cp {dataset} {out}/any", expect=digest).clean
    assert driven("cat {dataset}", expect=digest).clean
    (told,) = driven("echo other", expect=digest).complaints
    assert told == f"the output is {hashlib.sha256(b'other\n').hexdigest()}, not as expected"


def test_that_a_command_judges_and_others_run_around_it(driven: Drive, tmp_path: Path) -> None:
    log = tmp_path / "log"
    done = driven(
        "cp {dataset} {out}/copy",
        most=2,
        shell=True,
        prepare=f"echo prepare {{n}} >> {log}",
        check="cmp {dataset} {out}/copy",
        conclude=f"echo conclude {{n}} >> {log}",
    )
    assert done.clean
    assert log.read_text() == "prepare 0\nconclude 0\nprepare 1\nconclude 1\n"
    (told,) = driven("cp {dataset} {out}/copy", check="cmp {dataset} /dev/null").complaints
    assert told.startswith("check: cmp ended with 1")


def test_that_what_was_prepared_is_concluded_where_the_run_fails(
    driven: Drive, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    conclude = f"cp {{dataset}} {log}"
    done = driven("false", conclude=conclude)
    assert "false ended with 1" in str(done.errors[0])
    assert log.exists()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"run": "no-such-program x"}, "run: no program is named no-such-program (install it"),
        ({"run": "/no/such/tool"}, "run: there is no /no/such/tool (check the path)"),
        ({"run": "/tmp x"}, "run: /tmp is a folder (name a program in it)"),
        (
            {"run": "OMP_NUM_THREADS={threads} no-such-program"},
            "run: no program is named no-such-program (install it",
        ),
        (
            {"run": "{tool:no-such-program,sort} x"},
            "run: no program is named no-such-program (install it",
        ),
        ({"run": "HERE/plain.txt"}, "may not be executed (run chmod +x on it"),
        ({"run": "echo 'a"}, "the quotes do not match"),
        ({"run": "echo {level}"}, "nothing says what {level} is"),
        ({"run": "echo {a:1..3}", "values": "a=4"}, "a is 4, which it may not be"),
        ({"run": "echo", "values": "b=4"}, "there is no {b} in the command"),
        ({"run": "echo", "values": "b"}, "values: 'b' gives no values"),
        ({"run": "echo", "check": "no-such-check"}, "check: no program is named no-such-check"),
        ({"run": "echo", "same": "files"}, "same: the command writes no files into {out}"),
        ({"run": "echo", "normalise": "cat"}, "normalise: the command writes no files"),
        ({"run": "echo", "secrets": "hunter2"}, "secrets: this is not a list of references"),
    ],
)
def test_that_what_cannot_be_run_is_told_before_anything_is_started(
    data: Path, tmp_path: Path, values: dict[str, str], told: str
) -> None:
    (tmp_path / "plain.txt").write_text("echo")
    here = {name: value.replace("HERE", str(tmp_path)) for name, value in values.items()}
    workload = load_workload("command")
    with pytest.raises(InvalidParameter) as refused:
        workload.admit(build(workload.parameters, here), open_dataset(data))
    assert told in str(refused.value)
    assert refused.value.remedy
    assert "hunter2" not in str(refused.value)


def test_that_a_folder_that_cannot_be_used_is_told(data: Path) -> None:
    with pytest.raises(InvalidParameter, match=r"folder: /no/such cannot be used: No such file"):
        open_job("command", data, run="echo", folder="/no/such")


WRITTEN = ("threads=1,2", "level=1..2", "memory=256M,1G", "page-cache=cold")


def test_that_each_own_placeholder_is_an_axis_of_its_own() -> None:
    assert AnyProgram().axes(WRITTEN, search=False) == [
        "threads=1,2",
        "page-cache=cold",
        "level=1,2",
        "memory=256M,1G",
    ]
    assert AnyProgram().axes(("threads=1",), search=False) == ["threads=1"]
    assert load_workload("raw").axes(("level=1",), search=False) == ("level=1",)


def test_that_a_comma_can_be_in_a_value_of_an_own_placeholder() -> None:
    written = ("columns='1,2',3", "jobs=1,2")
    command = {"run": "cut {columns} {jobs}"}
    own, jobs = AnyProgram().axes(written, search=False, values=command)
    assert (own, jobs) == ('columns="1,2",3', "jobs=1,2")
    assert AnyProgram().axes([own], search=False) == [own]
    (joined,) = AnyProgram().axes(written, search=True, values=command)
    values = split_values(joined.removeprefix("values="))
    assert dict(values_written(values[1])) == {"columns": "1,2", "jobs": "2"}
    assert len(values) == 4


def test_that_a_sum_of_placeholders_is_every_way_to_share_it_out() -> None:
    written = ("a+b=3,4", "m=1G,2G")
    splits = ["a=1 b=2", "a=2 b=1", "a=1 b=3", "a=2 b=2", "a=3 b=1"]
    assert AnyProgram().axes(written, search=False) == ["values=" + ",".join(splits), "m=1G,2G"]
    (joined,) = AnyProgram().axes(written, search=True)
    assert split_values(joined.removeprefix("values=")) == [
        f"{split} m={m}" for split in splits for m in ("1G", "2G")
    ]
    (three,) = AnyProgram().axes(("a+b+c=8",), search=False)
    every = [values_written(one) for one in split_values(three.removeprefix("values="))]
    assert len(every) == 21
    assert {sum(map(int, one.values())) for one in every} == {8}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (("a+b=1",), "1 cannot be shared out between a, b"),
        (("a+b=x",), "x cannot be shared out"),
        (("a+b+c=90",), "at most 1,000 splits"),
        (("threads+b=4",), "threads is the name of a parameter"),
        (("a+b=4", "b=1,2"), "an axis is given twice"),
    ],
)
def test_that_a_sum_that_cannot_be_shared_out_is_refused(written: Sequence[str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        AnyProgram().axes(written, search=False)


def test_that_several_own_placeholders_are_one_axis_of_a_search() -> None:
    assert AnyProgram().axes(WRITTEN, search=True) == [
        "threads=1,2",
        "page-cache=cold",
        "values=level=1 memory=256M,level=1 memory=1G,level=2 memory=256M,level=2 memory=1G",
    ]
    assert AnyProgram().axes(("level=1..2",), search=True) == ["level=1,2"]


@pytest.mark.parametrize(
    ("run", "kinds"),
    [
        ("tool {level:1..9}", [Integer(name="level", default=1, low=1, high=9, help="")]),
        ("tool {level:9,1..8}", [Integer(name="level", default=9, low=1, high=9, help="")]),
        ("tool {m:256M,1G}", [Choice(name="m", default="256M", options={}, help="")]),
        ("tool {m:1,3}", [Choice(name="m", default="1", options={}, help="")]),
        ("tool {m:1,900000000000000}", [Choice(name="m", default="1", options={}, help="")]),
        ("tool {m:--5,5}", [Choice(name="m", default="--5", options={}, help="")]),
        ("tool {m:01,02}", [Choice(name="m", default="01", options={}, help="")]),
        ("tool {m} {threads}", [Text(name="m", default="", help="")]),
        ("tool 'open", []),
    ],
)
def test_that_placeholders_are_parameters_of_the_kind_of_their_values(
    run: str, kinds: list[Any]
) -> None:
    found = own_kinds(AnyProgram.parameters, {"run": run})
    assert [type(kind) for kind in found] == [type(kind) for kind in kinds]
    assert [(kind.name, kind.default) for kind in found] == [(k.name, k.default) for k in kinds]


def test_that_a_value_is_the_same_however_it_is_written() -> None:
    run = "tool {level:1..9} {memory:256M,1G} {other}"
    wanted = {"level": 3, "memory": "1G", "other": "5"}
    written = {"values": "level=3 memory=1G other=5"}
    for values in (wanted, written, {"level": "3", "memory": "1G", "other": 5}):
        built = build(AnyProgram.parameters, {"run": run, **values})
        assert built.own == wanted
        assert built.values == ""
    assert build(AnyProgram.parameters, {"run": run}).own == {"level": 1, "memory": "256M"}


def test_that_a_placeholder_cannot_have_the_name_of_a_parameter(data: Path) -> None:
    with pytest.raises(InvalidParameter, match=r"\{timeout\} is the name of a parameter"):
        open_job("command", data, run="sleep {timeout}", values="timeout=1")


def test_that_the_line_which_is_shown_asks_for_the_same() -> None:
    values = {"run": "-tool 'a b' {threads} {level:1..9}", "shell": True, "check": "test {n}"}
    several = (Axis("threads", (1, 2)), Axis("level", (1, 3)))
    for axes in ((), several, (Axis("values", ("level=1 x='a b'", "level=2")),)):
        request = Request(workload="command", values=values, axes=axes)
        found = parsed(request.command_line())
        assert (found.values, found.axes) == (values, axes)


def test_that_any_program_comes_after_all_that_suit_a_kind_of_data_best() -> None:
    names = list(workloads())
    assert names[names.index("command") :] == ["command", "raw", "sparse-remote", "gets"]


def test_that_programs_run_at_once_where_the_command_has_no_threads(data: Path) -> None:
    alone = open_job("command", data, threads=4, run="echo {threads}")
    together = open_job("command", data, threads=4, run="echo")
    assert (alone.workers, alone.client_threads) == (1, 4)
    assert (together.workers, together.client_threads) == (None, 4)
    alone.close()
    together.close()


def test_that_programs_have_the_users_environment(
    driven: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_OUTER_PYTHONPATH", "/users/own")
    digest = hashlib.sha256(b"/users/own\n").hexdigest()
    assert driven("echo $PYTHONPATH", shell=True, expect=digest).clean
    assert "SLUICE_OUTER_PYTHONPATH" in os.environ


@pytest.mark.parametrize("listed", [False, True])
def test_that_each_run_has_the_next_file_of_a_folder_or_a_list(
    tmp_path: Path, *, listed: bool
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for name in ("a", "b c", "d"):
        (folder / name).write_text(name)
    data = folder
    if listed:
        data = tmp_path / "list"
        data.write_text("many/a\n\nmany/b c\nmany/d\n")
    log = tmp_path / "log"
    done = drive("command", data, most=4, run=f"cat {{each}} >> {log}; echo >> {log}", shell=True)
    assert done.clean
    assert log.read_text().splitlines() == ["a", "b c", "d", "a"]
    assert done.job.weigh([result for _, result in done.results]) == (4, 6, 0)
    assert len(done.job.items) % 3 == 0
    assert done.job.describe(1) == "b c in run 2"


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"run": "cat {each}"}, ", line 1: there is no "),
        ({"run": "cat {each}", "expect": "0" * 64}, "expect: with {each} each run has"),
    ],
)
def test_that_each_needs_files_and_no_common_output(
    data: Path, values: dict[str, str], told: str
) -> None:
    with pytest.raises(InvalidParameter) as refused:
        open_job("command", data, **values)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("# mine", "leave it out: a list has paths only"),
        ("~/a", "write the whole path in place of ~"),
        ('"many/b c"', "write it without quotes and spaces around it"),
        ("many/a\t3", "leave only the path in each line"),
        ("many/*", "write each path in a line of its own, such as with: ls many/*"),
        ("many/c", "give a folder, or a text file"),
        ("x" * 5000, "give a folder, or a text file"),
    ],
)
def test_that_a_line_of_a_list_that_is_no_file_is_told_before_the_run(
    tmp_path: Path, line: str, remedy: str
) -> None:
    (tmp_path / "many").mkdir()
    (tmp_path / "many" / "b c").write_text("b")
    data = tmp_path / "list"
    data.write_bytes(codecs.BOM_UTF8 + f"many/b c\r\n{line}\r\n".encode())
    with pytest.raises(InvalidParameter) as refused:
        specify("command", open_dataset(data), {"run": "cat {each}"})
    assert f"{data}, line 2: there is no " in refused.value.reason
    assert refused.value.remedy.startswith(remedy)
    assert len(str(refused.value)) < 1000


def test_that_what_is_larger_than_any_list_is_data(tmp_path: Path) -> None:
    data = tmp_path / "large"
    with data.open("wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(InvalidParameter, match=f"{data} is no list: it is too long"):
        open_job("command", data, run="cat {each}")


def test_that_no_threads_or_all_are_asked_for_by_a_name_of_ones_own() -> None:
    for written in ("threads=0,1", "threads=0..4"):
        with pytest.raises(UsageError, match=r"name of your own: -T\{jobs\}, and jobs=0,1,2"):
            AnyProgram().axes((written,), search=False)
    command = {"run": "make -j{threads} -T{jobs}"}
    written = ("threads=1,10", "jobs=0..2")
    assert AnyProgram().axes(written, search=False, values=command) == [
        "threads=1,10",
        "jobs=0,1,2",
    ]


def test_that_a_program_gets_the_variables_that_are_written_before_it(driven: Drive) -> None:
    run = 'ROOM={threads}x sh -c \'test "$ROOM" = "$1"x\' sh {threads}'
    for threads in (1, 2):
        assert driven(run, threads=threads).clean
