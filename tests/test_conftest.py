"""The suite's own rules hold: run in a small suite of its own with the same conftest."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

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


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("SLUICE_REAL_DATA", raising=False)
    # The inner runs would import hypothesis and Qt anew each time, a second apiece.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest((Path(__file__).parent / "conftest.py").read_text(encoding="utf-8"))
    pytester.mkdir("checkout")
    pytester.makeini(
        "[pytest]\nmarkers =\n  real_data(*paths): needs real data\n  lab(*servers): needs servers\n"
    )
    return pytester


def run(suite: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return suite.runpytest("--rootdir", suite.path / "checkout", *arguments)


def give(folder: Path) -> Path:
    (folder / "fasta").mkdir(parents=True)
    (folder / "fasta" / "a.fa").write_text(">a\nACGT\n", encoding="utf-8")
    return folder


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


def test_that_real_data_is_found_next_to_the_checkout(suite: pytest.Pytester) -> None:
    give(suite.path / "shared" / "data")
    suite.makepyfile(NEEDS_DATA)
    run(suite).assert_outcomes(passed=3)


def test_that_the_environment_names_another_folder_of_real_data(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_REAL_DATA", str(give(suite.path / "elsewhere")))
    suite.makepyfile(NEEDS_DATA)
    run(suite).assert_outcomes(passed=3)


def test_that_only_tests_whose_own_file_is_missing_are_deselected(suite: pytest.Pytester) -> None:
    (suite.path / "shared" / "data").mkdir(parents=True)
    suite.makepyfile(NEEDS_DATA)
    run(suite).assert_outcomes(passed=2, deselected=1)


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

@pytest.mark.lab("s3")
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
    without_network(monkeypatch, suite.path)
    monkeypatch.setenv("CI", "true")
    suite.makepyfile(NEEDS_A_SERVER)
    run(suite).assert_outcomes(passed=2)
