"""The shortage behind an error: of descriptors, threads, room in a limit, a system call.

Libraries name it in words of their own.  SQLite says "unable to open database file", htslib
"could not load index", and the kernel "Function not implemented".  So limits of this process are
held against what it uses, and a refused call is named by the frame that made it.
"""

from __future__ import annotations

import errno
import os
import resource  # at the top: without descriptors nothing can be imported
import signal
from collections.abc import Callable

from core.language import show_size, tr
from core.measure.machine.descriptors import NONE_LEFT, Descriptors, descriptors, limits
from core.measure.machine.end_signals import code_after
from core.measure.machine.machine_room import group_processes
from core.measure.machine.thread_starts import started_threads

_IOERR_WRITE = 778  # SQLITE_IOERR_WRITE of sqlite3.h
_CLONE3 = 435  # the same on every architecture but alpha


def shortage(error: BaseException, look: Callable[[], Descriptors | None] = descriptors) -> str:
    """Why an error came, and what to do, if a shortage caused it; or else empty.

    Call it as soon as the error is there: unwinding gives descriptors back.
    """
    causes = _causes(error)
    lack = _of_descriptors(causes, look)
    for one in () if lack else causes:
        lack = lack or of_threads(one) or _of_file_size(one) or _of_memory(one) or _of_call(one)
    return lack


def reason(error: OSError) -> str:
    """Why an error of the system came: its shortage, or else the system's own words."""
    return shortage(error) or error.strerror or str(error)


def limit_behind(code: int) -> str:
    """The limit for which the kernel ended a program with that code, and what to do, or else empty.

    `code`: the negative number of a signal; a shell gives 128 and the number for what it ran.
    """
    limit = limits(resource.RLIMIT_FSIZE)[0]
    ended = code in (-signal.SIGXFSZ, code_after(signal.SIGXFSZ))
    return _of_size(limit) if ended and limit is not None else ""


def _of_size(limit: int) -> str:
    return tr("a file may have at most {size} here: raise `ulimit -f`", size=show_size(limit))


def _of_descriptors(
    causes: tuple[BaseException, ...], look: Callable[[], Descriptors | None]
) -> str:
    reported = any(isinstance(one, OSError) and one.errno in NONE_LEFT for one in causes)
    use = look()
    if use is None or not (reported or use.used_up):
        return tr("too many open files: {advice}", advice=_advice()) if reported else ""
    return tr(
        "too many open files, {used} of at most {limit}: {advice}",
        used=min(use.used, use.limit),  # inherited ones may have numbers beyond the limit
        limit=use.limit,
        advice=_advice(),
    )


def _advice() -> str:
    return tr("keep fewer open (fewer threads, a smaller cache) or raise `ulimit -n`")


def of_threads(error: BaseException) -> str:
    """Why no thread or process could be started, and what to do; empty for any other error."""
    if isinstance(error, KeyboardInterrupt):  # nobody but OpenBLAS interrupts a child
        return of_threads(lacking) if (lacking := started_threads()[1]) else ""
    refused = isinstance(error, RuntimeError) and "start new thread" in str(error)
    forking = isinstance(error, BlockingIOError) and "fork" in _call_of(error)
    if not (refused or forking):
        return ""
    if refused and _forbids_clone3():
        return tr(
            "no thread can be started: the kernel {release}, or the container, forbids the system "
            "call clone3; update the container's runtime or its seccomp profile",
            release=os.uname().release,
        )
    group = group_processes()
    user = None if os.geteuid() == 0 else limits(resource.RLIMIT_NPROC)[0]
    if group is not None and (user is None or group[1] < user):
        return tr(
            "no more threads or processes can be started, at most {limit:,} in this control group: "
            "use fewer, or give the container or job more (pids.max)",
            limit=group[1],
        )
    if user is not None:
        return tr(
            "no more threads or processes can be started, at most {limit:,} of this user: use "
            "fewer, end others, or raise `ulimit -u`",
            limit=user,
        )
    return tr("no more threads or processes can be started: use fewer, or end others")


def _forbids_clone3() -> bool:
    """Whether the call is refused where an old kernel would only lack it, which libraries bear."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "syscall"):
        return False
    nothing = ctypes.c_long(0)
    libc.syscall(ctypes.c_long(_CLONE3), nothing, nothing)  # of no size: it starts nothing
    return ctypes.get_errno() == errno.EPERM


def _of_file_size(error: BaseException) -> str:
    limit = limits(resource.RLIMIT_FSIZE)[0]
    if limit is None:
        return ""
    # Python ignores the signal, and SQLite does not say which error the kernel gave it.
    unwritten = getattr(error, "sqlite_errorcode", None) == _IOERR_WRITE
    if getattr(error, "errno", None) == errno.EFBIG or unwritten:
        return _of_size(limit)
    return ""


def _of_memory(error: BaseException) -> str:
    lacking = isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM
    unmapped = isinstance(error, ImportError) and "failed to map" in str(error)
    limit = limits(resource.RLIMIT_AS)[0]
    if not (lacking or unmapped) or limit is None:
        return ""
    return tr(
        "a process may have at most {size} of address space here: raise `ulimit -v`",
        size=show_size(limit),
    )


def _of_call(error: BaseException) -> str:
    """Of a system call that an old kernel lacks or a container forbids."""
    number, filename = getattr(error, "errno", None), getattr(error, "filename", None)
    if number == errno.ENOSYS:
        return tr(
            "the kernel {release} lacks the system call {call}, or a container forbids it: use a "
            "newer kernel, or another seccomp profile",
            release=os.uname().release,
            call=_call_of(error) or tr("that this needs"),
        )
    # Errors of TLS have numbers of their own, which are no errors of the system's.
    forbidden = isinstance(error, PermissionError) and number == errno.EPERM and filename is None
    if forbidden and (call := _call_of(error)):
        return tr(
            "the kernel {release}, or the container, forbids the system call {call}: use another "
            "seccomp profile, or more rights",
            release=os.uname().release,
            call=call,
        )
    return ""


def _call_of(error: BaseException) -> str:
    """The name of what the innermost frame called when it failed; empty if it is unknown."""
    if (trace := error.__traceback__) is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    import dis

    steps = list(dis.get_instructions(trace.tb_frame.f_code))
    call = next((step for step in steps if step.offset == trace.tb_lasti), None)
    if call is None or call.positions is None:
        return ""
    begin = call.positions.lineno, call.positions.col_offset
    named = [
        step
        for step in steps
        if step.opname.startswith("LOAD_")
        and step.positions is not None
        and (step.positions.lineno, step.positions.col_offset) == begin
        and isinstance(step.argval, str)
    ]
    return str(named[-1].argval) if named else ""


def _causes(error: BaseException | None) -> tuple[BaseException, ...]:
    causes: dict[int, BaseException] = {}
    while error is not None and id(error) not in causes:  # `raise error from error` is a circle
        causes[id(error)] = error
        error = error.__cause__ or error.__context__
    return tuple(causes.values())
