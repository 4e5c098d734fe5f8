"""What every test is held to: real data where it is needed, nothing left running behind it, and
the same random choices in every run.
"""

import gc
import os
import shutil
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any
from uuid import uuid4

import foreign_files
import fuzzing
import grouping
import hypothesis
import marking
import psutil
import pytest
from patience import PATIENCE

import app  # noqa: F401  before pytest-qt imports PySide6

fuzzing.load_profile()
# What runs in the background is often deaf to Ctrl+C and to the end of its terminal, and the
# children of tests would be too.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# Else thousands of fresh interpreters would each compile what they import.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

ABSENT = pytest.StashKey[list[Path]]()
LEFT_OUT = pytest.StashKey[dict[str, int]]()
"""How many tests were left out for want of what."""
MARKED = pytest.StashKey[str]()
"""What marks the processes that the suite starts."""
SCHEDULER = pytest.StashKey[grouping.Grouped]()
"""What shares the suite among several processes."""
ORPHANS = pytest.StashKey[list[str]]()
"""Those that were there after it, and were killed."""
GRACE = 30.0
"""Seconds that they have to end."""


def real_data_folder(config: pytest.Config) -> Path:
    """The folder SLUICE_REAL_DATA names, else shared/data next to the checkout."""
    named = os.environ.get("SLUICE_REAL_DATA")
    return Path(named) if named else config.rootpath.parent / "shared" / "data"


def absent_real_data(item: pytest.Item) -> list[Path]:
    """What the test asks for, by the fixture or by paths in its marker, and does not find."""
    markers = list(item.iter_markers("real_data"))
    if not markers and "real_data" not in getattr(item, "fixturenames", ()):
        return []
    folder = real_data_folder(item.config)
    wanted = [folder, *(folder / path for marker in markers for path in marker.args)]
    return [path for path in wanted if not path.exists()]


def unfetched_servers(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests whose servers are not on this machine, if they cannot be fetched either."""
    wanting = [item for item in items if not all(map(is_on_this_machine, servers_of(item)))]
    return [] if not wanting or can_fetch() else wanting


def without_tools(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests that need a program which is not on this machine."""
    wanted = {
        item: {tool for one in item.iter_markers("tool") for tool in one.args} for item in items
    }
    there = {tool for tools in wanted.values() for tool in tools if shutil.which(tool)}
    return [item for item in items if not wanted[item] <= there]


def servers_of(item: pytest.Item) -> set[str]:
    return {name for marker in item.iter_markers("lab") for name in marker.args}


def is_on_this_machine(server: str) -> bool:
    if server == foreign_files.FOREIGN:
        return foreign_files.are_here()
    from core.lab.kits import is_prepared
    from core.lab.servers import recipe_of

    return is_prepared(recipe_of(server))


def can_fetch() -> bool:
    """Whether this machine's registries answer."""
    from core.lab.downloads import http_address
    from core.lab.kits import JAVA
    from core.language.errors import Unavailable

    try:
        http_address(JAVA.wheel())
    except Unavailable:
        return False
    return True


def pytest_report_header() -> list[str]:
    if not fuzzing.FUZZING:
        return []
    return [f"fuzz: SLUICE_FUZZ={fuzzing.TIMES} SLUICE_SEED={fuzzing.SEED} repeats this search"]


def pytest_itemcollected(item: pytest.Item) -> None:
    """What hypothesis draws is searched at random in `make fuzz`, as what says so itself is."""
    if isinstance(item, pytest.Function) and hypothesis.is_hypothesis_test(item.obj):
        item.add_marker("fuzz")
    if fuzzing.FUZZING:  # many examples may take long
        item.add_marker(pytest.mark.timeout(0), append=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """What servers are made of is there before the time of a test begins to run.

    One is built from its source, which took over 20 minutes on a machine with much else to do.
    """
    for name in sorted(servers_of(item)):
        prepare_once(name)
    return (yield)


@cache
def prepare_once(server: str) -> None:
    from core.lab.kits import kit_of
    from core.lab.servers import recipe_of
    from core.language.errors import SluiceError
    from core.language.reporting import report_to_nobody

    with suppress(SluiceError):  # a test that needs it says so
        if server == foreign_files.FOREIGN:
            foreign_files.fetch_all()
        else:
            kit_of(recipe_of(server), report_to_nobody)


@pytest.fixture(scope="session", autouse=True)
def more_examples(request: pytest.FixtureRequest) -> None:
    """Have the tests of hypothesis try more examples, where random ones are searched."""
    if fuzzing.FUZZING:
        tests = {one.function for one in request.session.items if isinstance(one, pytest.Function)}
        for test in filter(hypothesis.is_hypothesis_test, tests):
            fuzzing.search_more(test)


@pytest.hookimpl(
    trylast=True
)  # after -m and -k, so that only tests that would have run are counted
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[LEFT_OUT] = {}
    leave_out(config, items, "tools", without_tools(items))
    absent = {item: paths for item in items if (paths := absent_real_data(item))}
    if os.environ.get("CI") == "true":
        for item, paths in absent.items():
            item.stash[ABSENT] = paths
        return
    for want, wanting in (("data", list(absent)), ("servers", unfetched_servers(items))):
        leave_out(config, items, want, wanting)


def leave_out(
    config: pytest.Config, items: list[pytest.Item], want: str, wanting: list[pytest.Item]
) -> None:
    """Deselect tests for want of something, which is told in the end."""
    if wanting:
        config.stash[LEFT_OUT][want] = len(wanting)
        config.hook.pytest_deselected(items=wanting)
        items[:] = [item for item in items if item not in wanting]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: looks for garbage among it took a sixth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Spare every later look for garbage, and for what Qt does, all modules and tests."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if paths := item.stash.get(ABSENT, []):
        pytest.fail(f"real data missing: {', '.join(map(str, paths))}", pytrace=False)


def pytest_configure(config: pytest.Config) -> None:
    """Mark what the suite starts, in all of its processes."""
    if not hasattr(config, "workerinput"):
        config.stash[MARKED] = mark = uuid4().hex
        patch = pytest.MonkeyPatch()
        patch.setenv(marking.SUITE, mark)
        config.add_cleanup(patch.undo)


@pytest.hookimpl(trylast=True)  # after the end of the other processes
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that prints, where several run the suite; it looks for what is left.

    Of a process whose parent is dead, the test that left it behind sees nothing.
    """
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["left out"] = config.stash.get(LEFT_OUT, {})
        return
    if os.environ.get("SLUICE_DURATIONS") and SCHEDULER in config.stash:
        grouping.keep(config.stash[SCHEDULER].took)
    config.stash[ORPHANS] = marking.still_there(config.stash[MARKED], GRACE, marking.orphans)
    if config.stash[ORPHANS] and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests that share something costly stay together where several processes share the suite."""
    config.stash[SCHEDULER] = scheduler = grouping.Grouped(config, log)
    return scheduler


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """All processes left out the same; one that died told nothing, so how it ended is told."""
    told = getattr(node, "workeroutput", {})
    if error:
        reporter = node.config.pluginmanager.get_plugin("terminalreporter")
        reporter.write_line(f"\n{node.gateway.id} ended by {grouping.ending_of(node)}")
    if "left out" in told:
        node.config.stash[LEFT_OUT] = told["left out"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    config = terminalreporter.config
    for orphan in config.stash.get(ORPHANS, []):
        terminalreporter.write_line(f"left running after the suite: {orphan}", red=True)
    left_out = config.stash.get(LEFT_OUT, {})
    if "data" in left_out:
        terminalreporter.write_line(
            f"deselected {left_out['data']} for want of real data in {real_data_folder(config)} "
            "(SLUICE_REAL_DATA names another folder)"
        )
    if "servers" in left_out:
        terminalreporter.write_line(
            f"deselected {left_out['servers']} whose servers could not be fetched: no network"
        )
    if "tools" in left_out:
        terminalreporter.write_line(
            f"deselected {left_out['tools']} for want of programs (CONTRIBUTING.md, Tests, names them)"
        )


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the user's own runs left on servers out of every test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_STATE", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture
def real_data(pytestconfig: pytest.Config) -> Path:
    """The folder of real data; read-only by agreement."""
    return real_data_folder(pytestconfig)


def children() -> set[psutil.Process]:
    try:  # which costs a hundredth of a look at all processes of the machine
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return set()
    # Python starts one tracker with the first shared memory and keeps it to its own end.
    tracker = getattr(resource_tracker, "_resource_tracker")._pid  # noqa: B009 - private, untyped
    return {child for child in psutil.Process().children(recursive=True) if child.pid != tracker}


def lasting_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if not thread.daemon}


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    """Fails a test that leaves child processes, zombies too, or non-daemon threads behind.

    What a server of several tests starts while one of them runs is the server's.
    """
    children_before, threads_before = children(), lasting_threads()
    yield
    left_children = {
        child for child in children() - children_before if not _parents(child) & children_before
    }
    left_threads = lasting_threads() - threads_before
    names = [f"process {child.pid} ({_command(child)})" for child in left_children]
    names += [f"thread {thread.name}" for thread in left_threads]
    for child in left_children:
        child.kill()
    psutil.wait_procs(left_children, timeout=PATIENCE)
    if names:
        pytest.fail(f"left running: {', '.join(sorted(names))}", pytrace=False)


def _parents(process: psutil.Process) -> set[psutil.Process]:
    try:
        return set(process.parents())
    except psutil.Error:  # it has ended meanwhile
        return set()


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline()) or process.name()
    except psutil.Error:
        return "gone or a zombie"
