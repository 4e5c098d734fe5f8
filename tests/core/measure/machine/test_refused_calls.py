"""On kernels without some system calls, and in containers that forbid them, there is another way,
or a sentence that names the call."""

from __future__ import annotations

import errno
import os
import resource
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import PATIENCE
from scarcity import as_ordinary_user, in_child
from without_calls import take_away

from core.language import SluiceError, Unavailable
from core.measure import (
    Command,
    Commands,
    Program,
    SharedCounters,
    allowed_cores,
    describe_file_system,
    require_proc,
    require_threads,
    run_program,
    shortage,
    unusable,
)
from core.measure.machine import kernel_files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="filters are Linux's")

REFUSED = pytest.mark.parametrize("answer", [errno.ENOSYS, errno.EPERM])


def without(call: str, answer: int, work: Callable[[], str]) -> str:
    """What the work returns in a child in which that call is answered with an error."""

    def refused() -> str:
        take_away([call], answer)
        return work()

    return in_child(refused)


@REFUSED
@pytest.mark.parametrize("call", ["pidfd_open", "waitid"])
def test_that_the_end_of_a_program_is_seen_without(call: str, answer: int) -> None:
    def work() -> str:
        done = run_program(Program(arguments=["sh", "-c", "echo it; exit 3"]), timeout=PATIENCE)
        return f"{done.code} {done.output.strip()} {done.cut}"

    assert without(call, answer, work) == "3 it "


@REFUSED
def test_that_a_measured_program_is_not_taken_for_longer_without_pidfds(
    answer: int, tmp_path: Path
) -> None:
    def work() -> str:
        commands = Commands(f"test-{os.getpid()}", tmp_path / "runs")
        command = Command(arguments=["true"], environment=os.environ)
        least = min(commands.run(command).seconds for _ in range(100))
        commands.close()
        return str(least < 0.005)  # what a look every 5 ms would find

    assert without("pidfd_open", answer, work) == "True"


@REFUSED
@pytest.mark.quick
def test_that_counters_are_shared_without_files_in_memory(answer: int) -> None:
    def work() -> str:
        block = SharedCounters.create(2)
        again = SharedCounters(os.dup(block.fd), 2)
        block.words[1] = 7
        return str(again.words[1])

    assert without("memfd_create", answer, work) == "7"


@REFUSED
@pytest.mark.quick
def test_that_the_cores_are_known_without_asking_for_the_affinity(answer: int) -> None:
    cores = str(allowed_cores())
    assert without("sched_getaffinity", answer, lambda: str(allowed_cores())) == cores


@REFUSED
@pytest.mark.quick
def test_that_a_disk_that_does_not_tell_its_size_is_described(answer: int) -> None:
    def work() -> str:
        system = describe_file_system(Path("/"))
        return f"{system.mount_point} {system.total_bytes}"

    assert without("statfs", answer, work) == "/ 0"


@REFUSED
@pytest.mark.quick
def test_that_the_load_is_unknown_where_nothing_tells_it(answer: int, tmp_path: Path) -> None:
    def work() -> str:
        return str(kernel_files.load_average(tmp_path))

    assert without("sysinfo", answer, work) == "None"


@pytest.mark.quick
def test_that_limits_are_unknown_where_they_may_not_be_asked_for() -> None:
    from core.measure.machine.descriptors import descriptor_limit

    assert without("prlimit64", errno.EPERM, lambda: str(descriptor_limit())) == "None"


@pytest.mark.quick
def test_that_a_call_without_another_way_is_named_with_the_kernel(tmp_path: Path) -> None:
    def work() -> str:
        try:
            os.fsync(os.open("/", os.O_RDONLY))
        except OSError as error:
            return str(unusable(error))
        return "no error"

    told = without("fsync", errno.ENOSYS, work)
    assert told.startswith(f"the kernel {os.uname().release} lacks the system call fsync, ")
    assert "forbids the system call fsync" in without("fsync", errno.EPERM, work)


@pytest.mark.quick
def test_that_a_file_that_may_not_be_touched_is_not_blamed_on_the_kernel() -> None:
    refused = PermissionError(errno.EPERM, "Operation not permitted", "/data")
    assert shortage(refused) == ""


@pytest.mark.quick
def test_that_a_certificate_that_is_not_trusted_is_not_blamed_on_the_kernel() -> None:
    came = ssl.MemoryBIO()
    came.write(b"no TLS at all")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).wrap_bio(came, ssl.MemoryBIO(), False, "host")
    with pytest.raises(ssl.SSLError) as refused:
        tls.do_handshake()
    assert refused.value.errno == errno.EPERM  # a number of OpenSSL's
    assert shortage(refused.value) == ""


@pytest.mark.quick
def test_that_an_error_that_is_its_own_cause_has_no_shortage_and_an_end() -> None:
    error = ValueError("it")
    error.__cause__ = error
    assert shortage(error) == ""


@pytest.mark.quick
def test_that_forbidden_threads_are_named_before_a_library_ends_the_process() -> None:
    def work() -> str:
        try:
            require_threads()
        except Unavailable as error:
            return str(error)
        return "no error"

    told = without("clone3", errno.EPERM, work)
    assert "forbids the system call clone3" in told
    assert without("clone3", errno.ENOSYS, work) == "no error"  # libraries know another way


@pytest.mark.quick
def test_that_a_limit_of_processes_is_named() -> None:
    def work() -> str:
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        told = []
        for act in (require_threads, lambda: subprocess.run(["true"], check=True)):
            try:
                act()
            except (OSError, SluiceError) as error:
                told.append(shortage(error) or str(error))
        return "\n".join(told)

    told = as_ordinary_user(work).splitlines()
    assert len(told) == 2
    for line in told:
        assert "at most 1 of this user" in line
        assert "ulimit -u" in line


@pytest.mark.quick
def test_that_a_read_that_would_wait_is_no_want_of_processes() -> None:
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    with pytest.raises(BlockingIOError) as raised:
        os.read(reads, 1)
    os.close(reads)
    os.close(writes)
    assert shortage(raised.value) == ""


@pytest.mark.quick
def test_that_a_limit_of_a_files_size_is_named(tmp_path: Path) -> None:
    def work() -> str:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        try:
            (tmp_path / "large").write_bytes(bytes(8192))
        except OSError as error:
            return str(unusable(error))
        return "no error"

    told = in_child(work)
    assert "a file may have at most 4.0 KiB here: raise `ulimit -f`" in told


@pytest.mark.quick
def test_that_a_limit_of_address_space_is_named() -> None:
    def work() -> str:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        try:
            bytes(1 << 30)
        except MemoryError as error:
            return shortage(error)
        return "no error"

    told = in_child(work)
    assert told == "a process may have at most 1.0 GiB of address space here: raise `ulimit -v`"


@pytest.mark.quick
def test_that_a_machine_with_proc_lacks_none() -> None:
    require_proc()
