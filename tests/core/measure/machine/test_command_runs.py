"""Programs are run, seen and ended from outside, whatever they do."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest
from patience import PATIENCE
from scarcity import as_ordinary_user, becoming_root

from core.measure import (
    PIPE,
    Command,
    Commands,
    Peaks,
    Program,
    Ran,
    Sampler,
    Supervisor,
    survivors,
)
from core.measure.machine.processes import measured_commands
from core.measure.machine.processes.survivors import running_process, write_down
from core.tell.cli import main
from core.vocabulary import Reading

MARK = f"test-{os.getpid()}"

type Run = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "runs"
    made.mkdir()
    return made


@pytest.fixture
def commands(folder: Path) -> Iterator[Commands]:
    """Closes, and fails where a program is still there or the folder is."""
    made = Commands(MARK, folder)
    yield made
    made.close()
    assert stamped() == []
    assert not folder.exists()


@pytest.fixture
def run(commands: Commands) -> Run:
    def run_one(*arguments: str, **wishes: float) -> Ran:
        return commands.run(Command(arguments=arguments, environment=os.environ, **wishes))

    return run_one


@pytest.fixture
def shell(run: Run) -> Run:
    return lambda text, **wishes: run("sh", "-c", text, **wishes)


@pytest.fixture
def python(run: Run) -> Run:
    return lambda text, **wishes: run(sys.executable, "-c", text, **wishes)


def stamped() -> list[int]:
    """The processes that carry the stamp of these tests."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("SLUICE_OPERATION", "").startswith(f"/{MARK}-"):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def test_that_the_exit_code_and_the_last_words_are_known(shell: Run) -> None:
    ran = shell("echo result; echo first >&2; echo 'no such thing' >&2; exit 3")
    assert (ran.code, ran.cut, ran.left) == (3, "", ())
    assert ran.last_words == "first\nno such thing"
    assert (ran.sha256, ran.output) == ("", len("result\n"))


def test_that_a_signal_is_its_negative_number(shell: Run) -> None:
    assert shell("kill -SEGV $$").code == -signal.SIGSEGV


def test_that_a_missing_program_is_told_by_the_system(run: Run) -> None:
    with pytest.raises(FileNotFoundError):
        run("there-is-no-such-program")


def test_that_stdin_is_empty_and_there_is_no_terminal(shell: Run) -> None:
    ran = shell("cat; tty; (: < /dev/tty) || exit 7", digested=True)
    assert ran.code == 7
    assert ran.sha256 == hashlib.sha256(b"not a tty\n").hexdigest()


def test_that_a_program_sees_no_dev_null_for_which_it_could_take_a_short_cut(
    tmp_path: Path, run: Run
) -> None:
    """As grep does, which stops at the first match."""
    many = tmp_path / "many"
    many.write_text("match\n" * 500_000)
    assert run("grep", "match", str(many)).output == many.stat().st_size


@pytest.mark.parametrize("each", [1, 4096, 300_000, 5_000_000])
def test_that_all_is_taken_however_much_a_program_writes_at_once(python: Run, each: int) -> None:
    """Also behind a rest of who takes it, in which the pipe is filled."""
    times = min(3000, 20_000_000 // each)
    ran = python(f"import os\nfor _ in range({times}): os.write(1, bytes({each}))")
    assert (ran.code, ran.output) == (0, times * each)


def test_that_two_hundred_megabytes_are_digested_in_little_memory(python: Run) -> None:
    block, blocks = bytes(range(256)) * 4096, 200
    tracemalloc.start()
    try:
        ran = python(
            f"import os\nfor _ in range({blocks}): os.write(1, bytes(range(256)) * 4096)",
            digested=True,
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    expected = hashlib.sha256()
    for _ in range(blocks):
        expected.update(block)
    assert ran.output == blocks * len(block)
    assert ran.sha256 == expected.hexdigest()
    assert peak < 8 << 20


def test_that_of_a_flood_of_complaints_the_end_is_kept(shell: Run) -> None:
    ran = shell("i=0; while [ $i -lt 3000 ]; do echo complaint $i >&2; i=$((i+1)); done")
    assert ran.last_words.endswith("complaint 2998\ncomplaint 2999")
    assert len(ran.last_words) < 5000
    assert ran.last_words.startswith("complaint ")


@pytest.mark.parametrize("wish", ["timeout", "stall"])
def test_that_a_program_that_ignores_sigterm_is_killed_with_what_it_started(
    shell: Run, wish: str
) -> None:
    # Programs inherit it, so that it is ignored from their first instruction on.
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        ran = shell("sleep 1000 & sleep 1000; wait", **{wish: 0.3})
    finally:
        signal.signal(signal.SIGTERM, before)
    assert (ran.code, ran.cut) == (-signal.SIGKILL, wish)
    assert ran.seconds < PATIENCE


def test_that_a_program_may_end_where_it_is_asked_to(shell: Run) -> None:
    # A busy machine may take its time until the trap is set.
    ran = shell("trap 'echo asked >&2; exit 5' TERM; sleep 1000 & wait", timeout=3.0)
    assert (ran.code, ran.cut, ran.last_words) == (5, "timeout", "asked")


def test_that_what_computes_is_not_stalled(python: Run) -> None:
    ran = python(
        "import time\nend = time.process_time() + 4\nwhile time.process_time() < end: pass",
        stall=3.0,  # a busy machine may let it wait for a while
    )
    assert (ran.code, ran.cut) == (0, "")
    assert ran.cpu >= 4


# The first process ends once the last one is `sleep`: its end of the pipe closes there.
DAEMON = """
import os, sys
reading, writing = os.pipe()
if os.fork():
    os.close(writing)
    os.read(reading, 1)
    sys.exit(0)
os.setsid()
if os.fork(): sys.exit(0)
os.execvpe("sleep", ["sleep", "1000"], {environment})
"""


@pytest.mark.parametrize("environment", ["os.environ", "{'PATH': os.environ['PATH']}"])
def test_that_a_daemon_is_found_and_killed(python: Run, environment: str) -> None:
    before = set(psutil.Process().children(recursive=True))
    ran = python(DAEMON.format(environment=environment))
    assert (ran.code, ran.left) == (0, ("sleep",))
    assert set(psutil.Process().children(recursive=True)) <= before


def test_that_a_daemon_with_our_pipes_does_not_hold_up_the_end(python: Run) -> None:
    ran = python(DAEMON.format(environment="os.environ"), digested=True)
    assert ran.code == 0
    assert ran.left


def test_that_a_program_which_kills_its_process_group_kills_nobody_else(shell: Run) -> None:
    assert shell("kill 0; sleep 1000").code == -signal.SIGTERM


def test_that_the_whole_tree_is_seen(python: Run) -> None:
    inner = "import time; x = bytearray(40 << 20); time.sleep(1.5)"
    ran = python(
        f"""import subprocess, sys, threading, time
files = [open(sys.executable) for _ in range(60)]
done = threading.Event()
threads = [threading.Thread(target=done.wait) for _ in range(5)]
[one.start() for one in threads]
middle = "import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
subprocess.run([sys.executable, "-c", middle])
done.set()
"""
    )
    assert ran.code == 0
    assert ran.peaks.looks > 5
    assert ran.peaks.processes == 3
    assert ran.peaks.threads >= 8
    # A process that was just forked has those of its parent once more.
    assert 60 < ran.peaks.files < 200
    assert ran.peaks.memory > 40 << 20


def test_that_a_look_which_waits_for_a_core_does_not_put_off_the_next(
    python: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = measured_commands.Sampler.read

    def held_up(self: Sampler, at: float, *, complete: bool) -> Reading | None:
        time.sleep(0.2)
        return look(self, at, complete=complete)

    monkeypatch.setattr(measured_commands.Sampler, "read", held_up)
    ran = python("import time; time.sleep(4)")
    assert ran.peaks.looks > 5


def test_that_of_a_run_seen_once_only_the_memory_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measured_commands, "_BETWEEN_LOOKS", 600.0)
    ran = run("sleep", "0.5")
    assert ran.peaks == Peaks(looks=1, memory=ran.peaks.memory)
    assert 100 << 10 < ran.peaks.memory < 10 << 20
    monkeypatch.undo()
    ran = run("sleep", "1")
    assert ran.peaks.looks > 1
    assert ran.peaks.processes == 1
    assert 100 << 10 < ran.peaks.memory < 100 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what processes share")
def test_that_memory_which_forked_processes_share_counts_once(python: Run) -> None:
    ran = python(
        """import os, random, time
shared = bytearray(random.Random(1).randbytes(1 << 20)) * 120
for _ in range(2):
    if os.fork() == 0:
        time.sleep(1.5)
        os._exit(0)
for _ in range(2):
    os.wait()
"""
    )
    assert ran.code == 0
    assert ran.peaks.processes == 3
    assert 120 << 20 < ran.peaks.memory < 200 << 20


def test_that_the_peak_of_a_program_which_nobody_looked_at_is_the_kernels(run: Run) -> None:
    ran = run("true")
    assert 0 <= ran.peaks.memory < 1 << 30
    assert ran.seconds > 0


def test_that_several_threads_run_programs_at_once(commands: Commands) -> None:
    def run_one(number: int) -> int:
        text = f"sleep 0.0{number % 5}; (exit 0 &); exit {number}"
        return commands.run(Command(arguments=("sh", "-c", text), environment=os.environ)).code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(run_one, range(60))) == list(range(60))


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def command_lines() -> Iterator[str]:
    for one in psutil.process_iter(["cmdline"]):
        yield " ".join(one.info["cmdline"] or ())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans on")
def test_that_a_daemon_that_hides_is_of_the_last_that_may_have_left_it(
    commands: Commands, tmp_path: Path
) -> None:
    seconds = f"987654.{os.getpid()}"
    daemon = f"env -i setsid -f sleep {seconds} </dev/null >/dev/null 2>&1"
    waits = "touch {0}.began; while [ ! -e {0} ]; do sleep 0.02; done"
    one, other = tmp_path / "one", tmp_path / "other"

    def run(text: str) -> tuple[str, ...]:
        return commands.run(Command(arguments=("sh", "-c", text), environment=os.environ)).left

    with ThreadPoolExecutor(2) as pool:
        beside = pool.submit(run, waits.format(one))
        wait_until(one.with_suffix(".began").exists)
        alone = run(daemon)
        later = pool.submit(run, waits.format(other))
        wait_until(other.with_suffix(".began").exists)
        one.touch()
        told = beside.result()
        other.touch()
        assert (alone, told, later.result()) == ((), ("sleep",), ())
    assert not any(seconds in line for line in command_lines())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans on")
def test_that_what_another_program_still_needs_is_left_to_it(
    commands: Commands, tmp_path: Path
) -> None:
    helper, go = tmp_path / "helper", tmp_path / "go"
    text = (
        f"""env -i setsid -f sh -c 'echo $$ > {helper}; exec sleep 1000' </dev/null 2>/dev/null; """
        f"while [ ! -e {go} ]; do sleep 0.02; done; kill $(cat {helper})"
    )
    with ThreadPoolExecutor(1) as pool:
        helped = Command(arguments=("sh", "-c", text), environment=os.environ)
        ran = pool.submit(commands.run, helped)
        wait_until(lambda: helper.exists() and helper.read_text().endswith("\n"))
        other = commands.run(Command(arguments=("true",), environment=os.environ))
        go.touch()
        assert (other.left, ran.result().code, ran.result().left) == ((), 0, ())


def test_that_other_children_of_the_process_are_left_alone(folder: Path) -> None:
    with subprocess.Popen(("sleep", "1000")) as other:
        commands = Commands(MARK, folder)
        text = DAEMON.format(environment="os.environ")
        daemon = Command(arguments=(sys.executable, "-c", text), environment=os.environ)
        assert commands.run(daemon).left == ("sleep",)
        commands.close()
        assert other.poll() is None
        other.kill()


def test_that_nothing_runs_without_its_guard(commands: Commands, tmp_path: Path) -> None:
    guards = (one for one in psutil.Process().children() if one.name() == "sh")
    guard = max(guards, key=psutil.Process.create_time)  # older ones may be those of other tests
    guard.kill()
    wait_for(lambda: guard.status() == psutil.STATUS_ZOMBIE)
    command = Command(arguments=("sleep", "1000"), environment=os.environ)
    with pytest.raises(ChildProcessError, match="guard"):
        commands.run(command)
    assert stamped() == []


OWNER = """
import os, sys
from pathlib import Path
from core.measure.machine.processes.measured_commands import Command
from core.measure.machine.processes.measured_commands import Commands
commands = Commands({mark!r}, Path({folder!r}))
print("begun", flush=True)
commands.run(Command(arguments=("sh", "-c", {text!r}), environment=os.environ))
"""


def test_that_programs_end_with_the_process_that_runs_them(folder: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    (folder / "result").write_text("half")
    text = f"setsid sleep 1000 & echo > {there}; trap '' TERM; sleep 1000"
    code = OWNER.format(mark=MARK, folder=str(folder), text=text)
    with subprocess.Popen([sys.executable, "-c", code], start_new_session=True) as owner:
        wait_for(there.exists)
        assert len(stamped()) >= 2
        os.killpg(owner.pid, signal.SIGKILL)
    wait_for(lambda: not stamped() and not folder.exists())


def wait_for(condition: Callable[[], bool]) -> None:
    """The guard is no child of this process, so nothing tells when it is done."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_that_a_program_shares_our_session_and_has_a_group_of_its_own(python: Run) -> None:
    """A session is a share of the cores of its own, where the kernel groups by sessions."""
    ours = f"os.getsid(0) == {os.getsid(0)} and os.getpgrp() == os.getpid()"
    assert python(f"import os, sys; sys.exit(not ({ours}))").code == 0


NAMED = re.compile(r"sleep \((\d+)\) of user root still runs: end it with sudo kill -KILL \1")
WAYS = {
    "leads": "exec {sleeps}",
    "left behind": "{sleeps} >/dev/null 2>&1 & {await_it}",
    "hides": "env -i setsid sh -c '{sleeps} >/dev/null 2>&1 &'; {await_it}",
}


@pytest.mark.parametrize("way", WAYS)
def test_that_a_program_of_another_user_is_named_and_not_waited_for(way: str, shell: Run) -> None:
    """One that timed out, one that its program left, and one that is nobody's child any more."""
    # What is loaded late is in a Python that may be root's alone.
    shell("sleep 0.1")
    assert running_process(os.getpid()) is not None
    codecs.lookup("ascii")
    with becoming_root() as (sleeps, await_it):
        text = WAYS[way].format(sleeps=sleeps, await_it=await_it)

        def run_with(limit: float) -> str:
            with tempfile.TemporaryDirectory() as folder:
                commands = Commands(MARK, Path(folder, "runs"))
                asked = Command(arguments=("sh", "-c", text), environment=os.environ)
                ran = commands.run(replace(asked, timeout=limit))
                after = commands.run(replace(asked, arguments=("true",)))
                commands.close()
            assert (after.code, after.left, after.survivors) == (0, (), ())
            return f"{ran.cut}|{ran.left}|{'; '.join(map(str, ran.survivors))}"

        limit = 1.0 if way == "leads" else PATIENCE
        while True:  # at first it may not even have become root
            answer = as_ordinary_user(partial(run_with, limit))
            if NAMED.search(answer) or limit >= PATIENCE:
                break
            limit *= 4
        named = NAMED.search(answer)
        assert named, answer
        os.kill(int(named[1]), signal.SIGKILL)
    assert answer == f"{'timeout' if way == 'leads' else ''}|()|{named[0]}"


def test_that_what_is_below_a_process_that_is_ended_is_named_where_it_survives(
    shell: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    shell("true")
    assert running_process(os.getpid()) is not None
    with becoming_root() as (sleeps, await_it):

        def work() -> str:
            with Supervisor() as supervisor:
                started = supervisor.start(
                    Program(
                        arguments=("sh", "-c", f"{sleeps} & {await_it}; echo; wait"), stdout=PIPE
                    )
                )
                started.pipes[0].read(1)
                started.end()
            return "; ".join(map(str, started.survivors()))

        answer = as_ordinary_user(work)
        named = NAMED.fullmatch(answer)
        assert named, answer
        survivor = running_process(int(named[1]))
        assert survivor is not None
        write_down([survivor])
        assert main(["leftovers"]) == 0
        assert capsys.readouterr().out == f"{answer}\n"
        assert main(["leftovers", "--remove"]) == 0  # we are root
        assert "nothing is left" in capsys.readouterr().out
        assert survivors() == ()
        assert survivor.now is None
