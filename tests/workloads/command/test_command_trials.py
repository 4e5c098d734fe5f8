"""Whole trials, and the command line from the flags to the verdict."""

from __future__ import annotations

import csv
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from one_trial import one_trial
from patience import PATIENCE
from scarcity import little_memory, may_mount
from terminals import all_printed

from core.run import Request, Session, task_of
from core.tell.cli import main
from core.vocabulary import Completed, Failed, TimedOut, Trial, describe, registry, specify

pytestmark = pytest.mark.usefixtures("folders")

SHORT = ("--duration", "0.2", "--warm-up", "0", "--no-floor")
SECRET = "hunter2-and-more"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "disk"
    folder.mkdir()
    return folder


def trial(data: Path, **values: Any) -> Trial:
    """A whole trial in a process of its own."""
    load = {"duration": 0.2, "warm_up": 0.0, "deadline": PATIENCE}
    spec = specify("command", registry.open_dataset(data), load | values)
    return one_trial(spec)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("sort -r -o {dataset} {dataset}", "lines.txt was written to while it was measured"),
        ("gzip -f {dataset}", "lines.txt was deleted while it was measured"),
        ("wc {dataset} >> {dataset}", "lines.txt was appended to while it was measured: 3,890 B"),
    ],
)
def test_that_a_program_that_changes_its_data_is_no_result(data: Path, run: str, said: str) -> None:
    done = trial(data, run=run, shell=True, duration=0, operations=2)
    assert isinstance(done.outcome, Failed)
    assert said in done.outcome.message
    assert "--prepare 'cp {dataset} {out}/copy'" in done.outcome.message
    assert done.throughput is None
    assert done.operations > 0


def test_that_a_file_in_a_list_may_not_change_either(data: Path) -> None:
    files = data.with_name("files")
    files.write_text(f"{data.name}\n")
    done = trial(files, run="echo more >> {each}", shell=True, duration=0, operations=2)
    assert isinstance(done.outcome, Failed)
    assert "lines.txt was appended to" in done.outcome.message


@pytest.mark.parametrize(
    ("prepare", "run"),
    [
        ("cp {dataset} {out}/copy", "sort -r -o {out}/copy {out}/copy"),
        ("cp {dataset}.master {dataset}", "sort -r -o {dataset} {dataset}"),
    ],
)
def test_that_data_that_is_put_back_before_each_run_gives_a_result(
    data: Path, prepare: str, run: str
) -> None:
    data.with_name(f"{data.name}.master").write_bytes(data.read_bytes())
    done = trial(data, run=run, prepare=prepare, duration=0, operations=3)
    assert (done.outcome, done.errors, done.valid) == (Completed(), 0, True)


def test_that_it_is_an_error_if_what_comes_before_a_run_does_not_put_the_data_back(
    data: Path,
) -> None:
    run = "sort -r -o {dataset} {dataset}"
    done = trial(data, run=run, prepare="true", duration=0, operations=3)
    assert (done.operations, done.errors, done.throughput) == (1, 2, None)
    assert "lines.txt has changed since the run began" in done.complaints[0].text


def are_gone(word: str) -> bool:
    """Whether no process has that word among its arguments."""
    found = psutil.process_iter(["cmdline"])
    return not any(word in " ".join(process.info["cmdline"] or ()) for process in found)


def test_that_a_trial_counts_its_runs_and_leaves_nothing(data: Path, out: Path) -> None:
    done = trial(data, run="sort --parallel={threads} {dataset} -o {out}/a", folder=str(out))
    assert done.outcome == Completed()
    assert done.operations > 0
    assert (done.errors, done.wrong, done.unverified) == (0, 0, 0)
    (worker,) = done.workers
    assert worker.bytes == done.operations * data.stat().st_size
    assert done.counters["bytes written"] == worker.bytes
    assert done.counters["CPU seconds"] > 0
    assert list(done.phase_seconds()) == ["prepare", "run"]
    assert list(out.iterdir()) == []


def test_that_the_peak_memory_is_that_of_the_programs_without_the_trials_own_python(
    data: Path,
) -> None:
    done = trial(data, run="sleep 1", operations=1)
    assert done.peak_rss == done.counters["bytes resident at most"]
    assert 0 < done.peak_rss < done.baseline_rss


def test_that_a_memory_limit_counts_the_programs_only(data: Path) -> None:
    held = f"{sys.executable} -S -c 'import time; kept = bytearray(60 << 20); time.sleep(9)'"
    assert trial(data, run="sleep 0.3", operations=1, memory_limit=20 << 20).outcome == Completed()
    done = trial(data, run=held, operations=1, duration=0.0, memory_limit=60 << 20)
    assert re.search(r"its processes took 6\d\.\d MiB of memory", str(done.outcome))


def test_that_programs_at_once_have_their_memory_together(data: Path) -> None:
    held = f"{sys.executable} -S -c 'import time; kept = bytearray(60 << 20); time.sleep(1)'"
    peaks = {
        threads: trial(data, run=held, threads=threads, operations=threads, duration=0.0).peak_rss
        for threads in (1, 3)
    }
    assert peaks[1] is not None
    assert peaks[3] is not None
    assert 60 << 20 < peaks[1] < 120 << 20
    assert peaks[3] > 180 << 20


_DEEP = "import os; [(os.mkdir('deep'), os.chdir('deep')) for _ in range(1200)]"


@pytest.mark.parametrize("same", ["none", "files"])
def test_that_a_tree_deeper_than_a_path_is_long_is_removed_and_not_compared(
    same: str, data: Path, out: Path
) -> None:
    run = shlex.join([sys.executable, "-S", "-c", f"import os; os.chdir('{{out}}'); {_DEEP}"])
    done = trial(data, run=run, same=same, folder=str(out), operations=1, duration=0.0)
    assert list(out.iterdir()) == []
    if same == "none":
        assert done.outcome == Completed()
    else:
        assert "File name too long" in str(done.outcome)


@may_mount
def test_that_what_a_program_mounts_is_told_and_ends_nothing(
    data: Path, out: Path, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "precious").write_text("theirs")
    bound = shlex.join(["mount", "--bind", str(theirs)])
    run = f"mkdir {{out}}/bound && {bound} {{out}}/bound"
    try:
        for _ in range(2):
            done = trial(data, run=run, shell=True, folder=str(out), operations=1, duration=0.0)
            assert done.outcome == Completed()
            assert (done.operations, done.errors) == (1, 0)
            (note,) = done.notes
            assert re.search(
                r"runs-\S+/0/bound cannot be removed: something is mounted there", note
            )
            assert [path.name for path in theirs.iterdir()] == ["precious"]
        assert len(list(out.iterdir())) == 2
    finally:
        for place in out.glob("*/*/bound"):
            subprocess.run(["umount", place], check=True)
    assert main(["leftovers", "--remove"]) == 0
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("processes", [1, 2])
def test_that_a_cold_trial_has_one_run_of_each_worker_as_a_second_reads_nothing(
    data: Path, processes: int
) -> None:
    values = {"page_cache": "cold", "duration": 60.0, "warm_up": 0.0, "processes": processes}
    assert trial(data, run="cat {dataset}", **values).operations == processes


@pytest.mark.parametrize(
    ("run", "said"), [("sort -n", True), ("sort -n {dataset}", False), ("sort -n {each}", False)]
)
def test_that_a_dataset_that_no_command_names_is_said_to_be_unread(
    data: Path, run: str, *, said: bool
) -> None:
    request = Request(workload="command", values={"run": run}, dataset=data.parent)
    dataset = registry.open_dataset(data.parent)
    named = task_of(request, dataset).warnings
    assert any("reads nothing of the dataset" in one for one in named) is said
    unnamed = task_of(msgspec.structs.replace(request, dataset=None), dataset).warnings
    assert not any("reads nothing" in one for one in unnamed)


def test_that_what_fails_is_counted_with_its_words(data: Path) -> None:
    done = trial(data, run="sort {dataset} /no/such/file")
    assert done.operations == 0
    assert done.errors > 0
    assert done.complaints[0].text.startswith("sort ended with 2: sort: cannot read: ")
    assert "/no/such/file" in done.complaints[0].text
    assert done.complaints[0].first_item == "run 1"


def test_that_a_program_that_cannot_be_started_ends_the_measurement_with_one_sentence(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/no/such/interpreter\n")
    tool.chmod(0o755)
    asked = ["measure", "command", "--run", f"{tool} {{dataset}}", "--repeats", "3"]
    session = tmp_path / "never.sluice"
    assert main([*asked, "--dataset", str(data), "--session", str(session), *SHORT]) == 2
    assert f"{tool} cannot be started: No such file or directory" in capsys.readouterr().out
    with Session.read(session) as measured:
        (trial,) = measured.trials(1)
    assert trial.errors == 0


def test_that_why_a_program_failed_is_seen_beside_its_row_on_the_card_and_in_the_report(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, report = tmp_path / "failed.sluice", tmp_path / "report.html"
    run = "test {threads} -lt 2 || { echo no room left >&2; exit 3; }"
    arguments = ["measure", "command", "--shell", "--run", run, "threads=1,2", "--repeats", "1"]
    main([*arguments, "--dataset", str(data), "--session", str(session), *SHORT])
    told = r"failed: /bin/sh ended with 3: no room left"
    shown = capsys.readouterr().out
    assert re.search(r"^2 threads: \d+ × /bin/sh ended with 3: no room left", shown, re.MULTILINE)
    assert re.search(rf"refused +2 threads: \d+ {told}", shown)
    assert main(["report", str(session), "-o", str(report)]) == 0
    assert re.search(told, report.read_text())


def test_that_a_trial_that_is_given_up_ends_its_program_and_gives_back_the_disk(
    data: Path, out: Path, eventually: Callable[[Callable[[], bool]], None]
) -> None:
    mark = "987654.25"
    run = f"sh -c 'trap \"\" TERM; echo half > $0/half; setsid sleep {mark} & sleep {mark}' {{out}}"
    done = trial(data, run=run, folder=str(out), deadline=3.0)
    assert isinstance(done.outcome, TimedOut)
    eventually(lambda: are_gone(mark) and not list(out.iterdir()))


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], None]:
    """Waits for what a process brings about that is no child of this one."""
    import time

    def wait(condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.05)

    return wait


def test_that_a_secret_reaches_the_program_and_nothing_else(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKEN", SECRET)
    monkeypatch.setenv("OTHER_TOKEN", SECRET[::-1])
    session, got = tmp_path / "kept.sluice", tmp_path / "got"
    run = f"printf %s $TOKEN > {got}; echo the token is $TOKEN or $OTHER_TOKEN >&2; exit 1"
    arguments = [
        "measure",
        "command",
        "--run",
        run,
        "--shell",
        "--secrets",
        "env:TOKEN env:OTHER_TOKEN",
    ]
    arguments += ["--dataset", str(data), "--repeats", "1", "--session", str(session), *SHORT]
    assert main(arguments) == 1
    assert got.read_text() == SECRET
    exported = tmp_path / "all.json"
    assert main(["export", str(session), "-o", str(exported)]) == 0
    told = capsys.readouterr()
    assert "the token is" in told.out
    for text in (told.out, told.err, exported.read_text()):
        assert SECRET not in text
        assert SECRET[::-1] not in text
    assert SECRET.encode() not in session.read_bytes()


def answer_about(what: str) -> str:
    """What an answer about one or two of them may say, also beside others that want the cores."""
    return rf"^((Use|Leading (so far|for now):) )?[12] {what}\b"


def test_that_measuring_ends_in_a_verdict_and_show_names_the_command(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "tuned.sluice"
    run = "sort --parallel={threads} {dataset} -o {out}/sorted"
    arguments = ["measure", "command", "--run", run, "threads=1..2", "--dataset", str(data)]
    arguments += ["--same", "files", "--session", str(session), *SHORT]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert re.search(answer_about("threads?"), shown, re.MULTILINE)
    assert "imited by" in shown or "does not tell what limits" in shown
    assert main(["show", str(session)]) == 0
    assert run in capsys.readouterr().out.splitlines()
    report = tmp_path / "report.html"
    assert main(["report", str(session), "-o", str(report)]) == 0
    assert "sort --parallel={threads} {dataset}" in report.read_text()
    hyperfine = tmp_path / "x.hyperfine.json"
    assert main(["export", str(session), "-o", str(hyperfine)]) == 0
    commands = [one["command"] for one in msgspec.json.decode(hyperfine.read_bytes())["results"]]
    assert commands == [f"{run} threads=1", f"{run} threads=2"]


def test_that_a_sweep_goes_over_own_placeholders_and_finds_other_output(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "swept.sluice"
    run = "sh -c 'echo $1 $2 > $0/a' {out} {threads} {level:1..9}"
    arguments = ["measure", "command", "--run", run, "threads=1,2", "level=1..2", "--same", "files"]
    arguments += ["--dataset", str(data), "--repeats", "1", "--session", str(session), *SHORT]
    main(arguments)
    capsys.readouterr()
    with Session.read(session) as opened:
        results = opened.results()
    values = {
        (one.spec.load.threads, one.spec.values["level"]): sum(t.wrong for t in one.trials)
        for one in results
    }
    assert set(values) == {(n, level) for n in (1, 2) for level in (1, 2)}
    for level in (1, 2):
        assert [bool(values[threads, level]) for threads in (1, 2)] == [False, True]


def test_that_own_placeholders_are_columns_of_their_own_everywhere(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "swept.sluice"
    run = "sh -c : {level:1..9} {memory:256M,1G}"
    arguments = ["measure", "command", "--run", run, "level=2..3", "memory=256M,1G"]
    arguments += ["--dataset", str(data), "--repeats", "1", "--session", str(session), *SHORT]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^ *Level +Memory +", shown, re.MULTILINE)
    assert re.search(r"^ *3 +1G +", shown, re.MULTILINE)
    table = tmp_path / "all.csv"
    assert main(["export", str(session), "-o", str(table)]) == 0
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert {(row["level"], row["memory"]) for row in rows} == {
        (level, memory) for level in "23" for memory in ("256M", "1G")
    }
    report = tmp_path / "report.html"
    assert main(["report", str(session), "-o", str(report)]) == 0
    assert "level 3 · memory 1G" in report.read_text()
    capsys.readouterr()
    assert main(["compare", f"{session}#level=2,memory=1G", "#level=3,memory=1G"]) in (0, 3, 4)
    assert "level 3" in capsys.readouterr().out


def test_that_programs_take_turns_run_by_run(data: Path, tmp_path: Path) -> None:
    """However long a trial is; only a rehearsal that stalled could let two runs into a turn."""
    session = tmp_path / "one.sluice"
    command = ["measure", "command", "threads=1,2", "--run", "sleep 0.1{threads}", "--no-floor"]
    load = ["--repeats", "1", "--duration", "1", "--warm-up", "0.1"]
    assert main([*command, *load, "--dataset", str(data), "--session", str(session)]) == 0
    with Session.read(session) as measured:
        trials = [trial for result in measured.results() for trial in result.trials]
    for trial in trials:
        assert len(trial.turns) >= 4
        assert max(turn.items for turn in trial.turns) <= 2


def test_that_a_search_goes_over_several_own_placeholders(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "tuned.sluice"
    run = "sh -c : {threads} {level:1..9} {memory:256M,1G}"
    arguments = ["measure", "command", "--run", run, "threads=1,2", "level=1..9", "memory=256M,1G"]
    arguments += ["--dataset", str(data), "--session", str(session), "--most-trials", "10", *SHORT]
    arguments += ["--budget", f"{PATIENCE:.0f}s"]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    told = r"[12] threads? with level [1-9] · memory (256M|1G)"
    assert re.search(told, shown)
    with Session.read(session) as opened:
        (done,) = opened.runs()
        planned, measured = (
            {(spec.values["level"], spec.values["memory"]) for spec in specs}
            for specs in (done.plan.specs, [one.spec for one in opened.results()])
        )
    assert done.plan.adaptive
    assert planned == {(level, memory) for level in range(1, 10) for memory in ("256M", "1G")}
    assert measured <= planned
    assert measured


def test_that_a_value_and_an_axis_of_one_placeholder_contradict_each_other(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["measure", "command", "--run", "echo {level:1..9}", "--values", "level=3"]
    assert main([*arguments, "level=1..2", "--dataset", str(data)]) == 2
    assert "the value of level and the axis level=… contradict" in capsys.readouterr().err


def test_that_a_program_that_is_missing_is_a_usage_error(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["measure", "command", "--run", "no-such-program {dataset}", "--dataset", str(data)]
    assert main([*arguments, *SHORT]) == 2
    told = capsys.readouterr().err
    assert "no program is named no-such-program (install it, or give its path;" in told


@pytest.mark.parametrize("counts", ["1", "1..64"])
def test_that_half_a_program_behind_a_comma_is_a_usage_error(
    data: Path, capsys: pytest.CaptureFixture[str], counts: str
) -> None:
    axis = "run=cut -f1,2 {threads} {dataset},cat {dataset}"
    arguments = ["measure", "command", axis, f"threads={counts}", "--dataset", str(data)]
    arguments += ["--budget", "15s"]
    assert main([*arguments, *SHORT]) == 2
    told = capsys.readouterr()
    assert "no program is named 2" in told.err
    assert 'one with a comma needs quotes: run="cut -f1,2 x",cat x' in told.err
    assert not told.out


def test_that_a_program_has_the_users_python_path(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    got = tmp_path / "got"
    run = f'printf %s "${{PYTHONPATH-none}}" > {got}'
    assert trial(data, run=run, shell=True).outcome == Completed()
    assert got.read_text() == "none"
    assert "PYTHONPATH" not in os.environ


def tool(folder: Path, version: str, seconds: str) -> Path:
    """A script that tells its version, and takes so long."""
    folder.mkdir(exist_ok=True)
    file = folder / "tool"
    file.unlink(missing_ok=True)
    file.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "tool {version}" && exit\nsleep {seconds}\n'
    )
    file.chmod(0o755)
    return file


def test_that_two_versions_of_a_tool_are_compared_and_both_are_named(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sessions = []
    for version, seconds in (("1.0", "0.05"), ("2.0-beta", "0.2")):
        program = tool(tmp_path / "bin", version, seconds)
        session = tmp_path / f"{version}.sluice"
        arguments = ["measure", "command", "--run", f"{program} {{threads}}", "threads=1,2"]
        arguments += ["--dataset", str(data), "--repeats", "2", "--session", str(session), *SHORT]
        assert main(arguments) == 0
        sessions.append(str(session))
        capsys.readouterr()
        assert main(["show", str(session)]) == 0
        assert re.search(rf"^with .*\btool {version}$", capsys.readouterr().out, re.MULTILINE)
    assert main(["compare", *sessions]) in (0, 3, 4)
    told = capsys.readouterr().out
    assert "2 of them: tool 1.0 became 2.0-beta." in told


def test_that_versions_in_two_folders_are_compared_too(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "both.sluice"
    for version in ("1.0", "2.0"):
        program = tool(tmp_path / version, version, "0.05")
        arguments = ["measure", "command", "--run", str(program), "--dataset", str(data)]
        main([*arguments, "--repeats", "2", "--session", str(session), *SHORT])
    capsys.readouterr()
    assert main(["compare", f"{session}#run=1", "#run=2"]) in (0, 3, 4)
    assert "Tool 1.0 became 2.0." in capsys.readouterr().out


def test_that_a_single_secret_is_in_no_argument_session_or_export(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKEN", SECRET)
    session, seen = tmp_path / "kept.sluice", tmp_path / "seen"
    look = (
        "import os, psutil; everybody = [one.info['cmdline'] or () for one in "
        "psutil.process_iter(['cmdline'])]; token = os.environ['TOKEN']; "
        "print(len(token), sum(token in word for words in everybody for word in words))"
    )
    run = f'{sys.executable} -c "{look}" > {seen}'
    arguments = ["measure", "command", "--run", run, "--shell", "--secrets", "env:TOKEN"]
    arguments += ["--dataset", str(data), "--repeats", "1", "--session", str(session), *SHORT]
    assert main(arguments) == 0
    assert seen.read_text().split() == [str(len(SECRET)), "0"]
    told = [capsys.readouterr().out]
    for form in ("json", "csv", "markdown", "hyperfine", "openmetrics"):
        assert main(["export", str(session), "--format", form]) == 0
        told.append(capsys.readouterr().out)
    assert main(["report", str(session), "-o", str(tmp_path / "report.html")]) == 0
    told.append((tmp_path / "report.html").read_text())
    assert all(SECRET not in text for text in told)
    assert SECRET.encode() not in session.read_bytes()


def test_that_a_secret_that_is_not_there_is_told(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOKEN", raising=False)
    done = trial(data, run="true", secrets="env:TOKEN")
    assert done.operations == 0
    assert "there is no secret at env:TOKEN" in str(done.outcome)


@pytest.mark.parametrize(
    ("run", "axis", "told"),
    [
        ("cp {dataset} {out}/a", "threads=1..64", "how many run at once: processes=1..8"),
        ("cp {dataset} {out}/a", "threads=1,2", "threads: the command has no {threads}"),
        ("cp -T{threds} {dataset}", "threads=1,2", "it has {threds} and no {threads}"),
    ],
)
def test_that_threads_are_varied_only_of_a_command_that_has_a_place_for_them(
    data: Path, capsys: pytest.CaptureFixture[str], run: str, axis: str, told: str
) -> None:
    asked = ["measure", "command", "--run", run, axis, "--budget", "15s"]
    assert main([*asked, "--dataset", str(data), *SHORT]) == 2
    assert told in capsys.readouterr().err


def test_that_how_many_run_at_once_is_called_processes(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["measure", "command", "--run", "sleep 0.01", "processes=1..2", "--repeats", "2"]
    assert main([*arguments, "--dataset", str(data), *SHORT]) == 0
    assert re.search(answer_about("process(es)?"), capsys.readouterr().out, re.MULTILINE)


READS_ITS_TERMINAL = """
import os
with open("/dev/tty", "rb", buffering=0) as terminal:
    assert os.getsid(0) != os.getpid() == os.getpgrp()
    try:
        terminal.read(1)
    except OSError:
        raise SystemExit(0)
"""


def test_that_a_program_has_our_session_and_is_not_stopped_by_its_terminal(
    data: Path, tmp_path: Path
) -> None:
    """One in the background that reads it would stand still, as a shell's `&` has it."""
    script = tmp_path / "reads.py"
    script.write_text(READS_ITS_TERMINAL)
    run = shlex.join([sys.executable, str(script)])
    arguments = (
        "measure",
        "command",
        "--run",
        run,
        "--dataset",
        str(data),
        "--repeats",
        "1",
        *SHORT,
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "core", *arguments, "--session", str(tmp_path / "a.sluice")],
        preexec_fn=lambda: os.login_tty(theirs),  # noqa: PLW1509 -- no thread holds a lock here
    ) as measuring:
        os.close(theirs)
        told = all_printed(ours)
    os.close(ours)
    assert measuring.returncode == 0, told


def test_that_the_deadline_holds_while_a_reference_is_made(data: Path, tmp_path: Path) -> None:
    with (tmp_path / "big").open("wb") as big:
        big.truncate(1 << 40)
    limit, run = 1.0, "wc -l {dataset}"
    while True:  # at first it may not even come so far
        # What is prepared is kept within a run, with its outcome: another time limit is other work.
        other = {"timeout": 100 * limit}
        done = trial(tmp_path / "big", run=run, same="stdout", deadline=limit, **other)
        assert isinstance(done.outcome, TimedOut)
        if done.outcome.item or limit > PATIENCE:
            break
        limit *= 4
    assert (done.outcome.stage, done.outcome.stalled) == ("preparing", False)
    assert done.outcome.item == "running wc on big for what outputs are compared with"
    assert f"--deadline {limit:g} s: running wc on big" in describe(done.outcome)
    assert are_gone(str(tmp_path / "big"))


def test_that_a_reference_that_reads_without_computing_is_not_stalled(data: Path) -> None:
    """It reads for longer than it may say nothing; the limit grows until that is true of all."""
    limit = 0.1
    while True:
        rounds = round(7.5 * limit / 0.2)
        run = f"for n in $(seq {rounds}); do head -c 200000 /dev/zero >{{out}}/a; sleep 0.2; done"
        asked = {"shell": True, "same": "files", "operations": 1, "duration": 0.0}
        done = trial(data, run=run, stall=limit, **asked)
        late = isinstance(done.outcome, TimedOut) and done.outcome.stage == "preparing"
        if not late or limit > 2:
            break
        limit *= 4
    assert not late


def test_that_a_memory_limit_holds_while_a_reference_is_made(data: Path) -> None:
    held = f"{sys.executable} -S -c 'import time; kept = bytearray(60 << 20); time.sleep(9)'"
    done = trial(data, run=held, same="stdout", operations=1, memory_limit=60 << 20)
    assert isinstance(done.outcome, Failed)
    assert (done.outcome.stage, done.outcome.error) == ("preparing", "MemoryLimit")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says whom it kills first")
def test_that_the_kernel_kills_programs_first_and_that_is_said(data: Path) -> None:
    own = Path("/proc/self/oom_score_adj").read_text()
    done = trial(data, run="grep -qx 1000 /proc/self/oom_score_adj", operations=1)
    assert (done.outcome, done.errors) == (Completed(), 0)
    assert Path("/proc/self/oom_score_adj").read_text() == own
    eats = f"exec {sys.executable} -S -c 'kept = [bytearray(2**20) for _ in iter(int, 1)]'"
    with little_memory(60 << 20) as group:
        run = f"echo $$ >{group}; {eats}"
        done = trial(data, run=run, shell=True, operations=1, duration=0.0)
    assert done.outcome == Completed()
    assert "killed by the kernel: the machine or its control group" in done.complaints[0].text
