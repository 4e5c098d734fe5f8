"""The suite's own rules hold: run in a small suite of its own with the same conftest."""

import os
import signal
from pathlib import Path
from typing import NoReturn

import pytest

from core.lab import kits
from core.language import Unavailable

pytestmark = pytest.mark.quick

CONFTEST = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
NEEDS_DATA = """
import pytest

def test_that_needs_nothing():
    pass

def test_by_fixture(real_data):
    assert real_data.is_dir()

@pytest.mark.real_data("fasta/a.fa")
def test_by_marker(real_data):
    assert (real_data / "fasta" / "a.fa").is_file()
"""


LEAVES_AN_ORPHAN = """
import subprocess

def test_that_passes():
    shell = ["sh", "-c", "sleep 600 >/dev/null 2>&1 &"]
    subprocess.run(shell, check=True, start_new_session=True)
"""


NEEDS_TOOL = """
import pytest

def test_that_needs_nothing():
    pass

@pytest.mark.tool("sh")
def test_that_needs_what_is_there():
    pass

@pytest.mark.tool("sh", "no-such-program")
def test_that_needs_what_is_not():
    raise AssertionError
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("SLUICE_REAL_DATA", raising=False)
    monkeypatch.delenv("SLUICE_DURATIONS", raising=False)
    # The inner runs would import hypothesis and Qt anew each time, a second apiece.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(CONFTEST)
    pytester.mkdir("checkout")
    pytester.makeini(
        "[pytest]\nmarkers =\n  real_data(*paths): needs real data\n  lab(*servers): needs servers\n"
    )
    return pytester


def shared(suite: pytest.Pytester, *arguments: Path) -> pytest.RunResult:
    """What comes of two processes that share the suite."""
    tests = Path(__file__).parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(tests), str(tests.parent))))
        return suite.runpytest_subprocess(
            *("--rootdir", suite.path / "checkout", "-p", "xdist.plugin", "-n", "2"),
            *arguments,
        )


def run(suite: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return suite.runpytest("--rootdir", suite.path / "checkout", *arguments)


def put(suite: pytest.Pytester, name: str, text: str) -> None:
    """A file of tests in the checkout."""
    path = suite.path / f"checkout/{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_that_tests_without_their_real_data_are_deselected_with_one_line(
    suite: pytest.Pytester,
) -> None:
    suite.makepyfile(NEEDS_DATA)
    ran = run(suite)
    ran.assert_outcomes(passed=1, deselected=2)
    lines = [line for line in ran.outlines if "real data" in line]
    assert len(lines) == 1
    assert lines[0].startswith("deselected 2 for want of real data in ")
    assert "1 passed" in ran.outlines[-1]


def test_that_missing_real_data_fails_the_run_under_ci(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    suite.makepyfile(NEEDS_DATA)
    ran = run(suite)
    ran.assert_outcomes(passed=1, errors=2)
    assert ran.ret == pytest.ExitCode.TESTS_FAILED
    ran.stdout.fnmatch_lines("real data missing: *")


def test_that_a_run_that_chooses_no_real_data_says_nothing_about_it(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite.makepyfile(NEEDS_DATA)
    ran = run(suite, "-k", "test_that_needs")
    ran.assert_outcomes(passed=1, deselected=2)
    ran.stdout.no_fnmatch_line("*real data*")


@pytest.mark.parametrize("named", ["", "elsewhere"])
def test_that_real_data_is_next_to_the_checkout_or_where_the_environment_says(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    folder = suite.path / (named or "shared/data")
    (folder / "fasta").mkdir(parents=True)
    (folder / "fasta" / "a.fa").write_text(">a\nACGT\n", encoding="utf-8")
    if named:
        monkeypatch.setenv("SLUICE_REAL_DATA", str(folder))
    suite.makepyfile(NEEDS_DATA)
    run(suite).assert_outcomes(passed=3)


def test_that_only_tests_whose_own_file_is_missing_are_deselected(suite: pytest.Pytester) -> None:
    (suite.path / "shared" / "data").mkdir(parents=True)
    suite.makepyfile(NEEDS_DATA)
    run(suite).assert_outcomes(passed=2, deselected=1)


@pytest.mark.parametrize("ci", ["true", ""])
def test_that_tests_without_their_programs_are_deselected_with_one_line(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: str
) -> None:
    monkeypatch.setenv("CI", ci)
    suite.makepyfile(NEEDS_TOOL)
    ran = run(suite)
    ran.assert_outcomes(passed=2, deselected=1)
    (line,) = (line for line in ran.outlines if "want of programs" in line)
    assert line.startswith("deselected 1 ")


def test_that_a_child_left_running_fails_its_test_and_is_ended(suite: pytest.Pytester) -> None:
    suite.makepyfile("""
        import subprocess, sys

        kept = []

        def test_that_leaves_a_child():
            kept.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

        def test_that_it_has_been_ended():
            with kept.pop() as child:
                assert child.poll() is not None
    """)
    ran = run(suite)
    ran.assert_outcomes(passed=2, errors=1)
    ran.stdout.fnmatch_lines("left running: process *")


def test_that_what_a_server_of_several_tests_starts_meanwhile_is_no_fault_of_a_test(
    suite: pytest.Pytester,
) -> None:
    suite.makepyfile("""
        import os, signal, subprocess, sys, textwrap

        import pytest

        SERVER = '''
        import subprocess, sys
        for asked in sys.stdin:
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
            print(flush=True)
        '''

        @pytest.fixture(scope="module")
        def server():
            command = [sys.executable, "-c", textwrap.dedent(SERVER)]
            ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            with subprocess.Popen(command, text=True, start_new_session=True, **ends) as server:
                yield server
                os.killpg(server.pid, signal.SIGKILL)

        def test_that_has_it_started(server):
            assert server.poll() is None

        def test_that_asks_it(server):
            server.stdin.write("ask\\n")
            server.stdin.flush()
            assert server.stdout.readline()
    """)
    run(suite).assert_outcomes(passed=2)


def test_that_a_thread_left_running_fails_its_test(suite: pytest.Pytester) -> None:
    suite.makepyfile("""
        import threading

        go = threading.Event()

        def test_that_leaves_a_thread():
            threading.Thread(target=go.wait, name="forgotten").start()

        def test_that_lets_it_go():
            go.set()
            [thread.join() for thread in threading.enumerate() if thread.name == "forgotten"]
    """)
    ran = run(suite)
    ran.assert_outcomes(passed=2, errors=1)
    ran.stdout.fnmatch_lines("left running: thread forgotten")


def test_that_what_a_test_ends_itself_is_no_fault(suite: pytest.Pytester) -> None:
    suite.makepyfile("""
        import subprocess, sys, threading
        from multiprocessing.shared_memory import SharedMemory

        def test_that_tidies_up():
            subprocess.run([sys.executable, "-c", ""], check=True)
            thread = threading.Thread(target=str)
            thread.start()
            thread.join()

        def test_that_starts_the_tracker_of_shared_memory():
            block = SharedMemory(create=True, size=16)
            block.close()
            block.unlink()
    """)
    run(suite).assert_outcomes(passed=2)


NEEDS_A_SERVER = """
import pytest

def test_that_needs_nothing():
    pass

@pytest.mark.lab("cassandra")
def test_of_a_server():
    pass
"""


def without_network(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(folder / "cache"))
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")


def test_that_tests_of_servers_are_deselected_with_one_line_without_network(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_network(monkeypatch, suite.path)
    suite.makepyfile(NEEDS_A_SERVER)
    ran = run(suite)
    ran.assert_outcomes(passed=1, deselected=1)
    (line,) = (line for line in ran.outlines if "could not be fetched" in line)
    assert line == "deselected 1 whose servers could not be fetched: no network"


def test_that_tests_of_servers_run_under_ci_whatever_is_missing(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> NoReturn:
        raise Unavailable("no network")

    without_network(monkeypatch, suite.path)
    monkeypatch.setattr(kits, "kit_of", missing)  # nor asks a host that is behind no index of pip
    monkeypatch.setenv("CI", "true")
    suite.makepyfile(NEEDS_A_SERVER)
    run(suite).assert_outcomes(passed=2)


def test_that_what_servers_are_made_of_is_there_before_the_time_of_a_test_runs(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks = []

    def made(*_: object) -> None:
        clocks.append(signal.getitimer(signal.ITIMER_REAL)[0])

    monkeypatch.setattr(kits, "kit_of", made)
    monkeypatch.setattr(kits, "is_prepared", lambda _: True)
    suite.makepyfile("""
        import signal, pytest

        @pytest.mark.lab("s3")
        @pytest.mark.parametrize("n", [1, 2])
        def test_of_a_server(n):
            assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 600
    """)
    run(suite, "-p", "pytest_timeout", "--timeout", "600").assert_outcomes(passed=2)
    (clock,) = clocks
    assert not 0 < clock <= 600  # that of this test itself may run


def test_that_two_processes_say_once_what_they_leave_out(suite: pytest.Pytester) -> None:
    suite.makepyfile(NEEDS_DATA)
    ran = shared(suite)
    ran.assert_outcomes(passed=1)
    (line,) = (line for line in ran.outlines if "real data" in line)
    assert line.startswith("deselected 2 for want of real data in ")
    assert "1 passed" in ran.outlines[-1]


def test_that_tests_of_one_file_or_of_shared_servers_run_in_one_process(
    suite: pytest.Pytester,
) -> None:
    asking = "import os, pytest\n@pytest.mark.parametrize('n', range(8))\ndef test_it(n):\n    {}"
    keep = "open('{}', 'a').write(os.environ['PYTEST_XDIST_WORKER'] + '\\n')"
    for name, said in {
        "test_one": "one",
        "test_two": "two",
        "tests/workloads/tiles/test_three": "served",
        "tests/workloads/tiles/stores/test_four": "served",
    }.items():
        put(suite, name, asking.format(keep.format(suite.path / said)))
    shared(suite, suite.path / "checkout").assert_outcomes(passed=32)
    for name, tests in {"one": 8, "two": 8, "served": 16}.items():
        workers = (suite.path / name).read_text(encoding="utf-8").split()
        assert len(workers) == tests
        assert len(set(workers)) == 1


def test_that_nothing_runs_after_servers_in_their_process(suite: pytest.Pytester) -> None:
    told = suite.path / "told"
    for name in ("tests/workloads/tiles/test_tiles", *(f"test_{number}" for number in range(9))):
        put(
            suite,
            name,
            "import os, pytest\n@pytest.mark.parametrize('n', range(4))\ndef test_it(n):\n"
            f"    open({str(told)!r}, 'a').write(f'{{__name__}} {{os.getpid()}}\\n')\n",
        )
    shared(suite, suite.path / "checkout").assert_outcomes(passed=40)
    lines = [line.split() for line in told.read_text(encoding="utf-8").splitlines()]
    (process,) = {process for name, process in lines if name.endswith("test_tiles")}
    names = [name for name, by in lines if by == process]
    assert len(set(names[names.index("test_tiles") :])) == 1


def test_that_the_other_tests_run_when_a_process_dies(suite: pytest.Pytester) -> None:
    three = "import pytest\n@pytest.mark.parametrize('n', range(3))\ndef test_it(n):\n    pass\n"
    for number in range(6):
        put(suite, f"test_{number}", three)
    put(
        suite,
        "test_dying",
        "import os, signal\n"
        "def test_that_dies():\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        "def test_that_comes_after_it():\n    pass\n",
    )
    put(suite, "test_alone", "def test_it():\n    pass\n")
    ran = shared(suite, suite.path / "checkout")
    ran.assert_outcomes(passed=20, failed=1)
    ran.stdout.fnmatch_lines(["gw* ended by SIGKILL", "*crashed while running*test_that_dies*"])


def test_that_a_process_whose_parent_is_dead_fails_the_suite_and_is_killed(
    suite: pytest.Pytester,
) -> None:
    hurried = CONFTEST.replace("GRACE = 30.0", "GRACE = 0.1")
    assert hurried != CONFTEST
    suite.makeconftest(hurried)
    suite.makepyfile(LEAVES_AN_ORPHAN)
    ran = shared(suite)
    ran.assert_outcomes(passed=1)
    assert ran.ret == pytest.ExitCode.TESTS_FAILED
    ran.stdout.fnmatch_lines("left running after the suite: *sleep 600*")
