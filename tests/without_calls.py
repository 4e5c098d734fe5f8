"""Runs a program without some system calls: `without_calls.py ENOSYS memfd_create -- PROGRAM`.

A filter (seccomp(2)) has the kernel answer them with that error, as an old kernel or a strict
container does.  The program and all that it starts keep it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Sequence

_X86_64, _AARCH64 = 0xC000003E, 0xC00000B7  # AUDIT_ARCH_* of linux/audit.h
ARCHITECTURES = {"x86_64": _X86_64, "aarch64": _AARCH64}
CALLS = {
    "cachestat": (451, 451),
    "clone3": (435, 435),
    "close_range": (436, 436),
    "copy_file_range": (326, 285),
    "fadvise64": (221, 223),
    "fallocate": (285, 47),
    "fsync": (74, 82),
    "fstatfs": (138, 44),
    "getrandom": (318, 278),
    "inotify_add_watch": (254, 27),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "linkat": (265, 37),
    "link": (86, None),
    "memfd_create": (319, 279),
    "mincore": (27, 232),
    "openat2": (437, 437),
    "perf_event_open": (298, 241),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "prctl": (157, 167),
    "preadv": (295, 69),
    "preadv2": (327, 286),
    "prlimit64": (302, 261),
    "process_vm_readv": (310, 270),
    "sched_getaffinity": (204, 123),
    "sched_setaffinity": (203, 122),
    "sendfile": (40, 71),
    "flock": (73, 32),
    "statfs": (137, 43),
    "statx": (332, 291),
    "sysinfo": (99, 179),
    "uname": (63, 160),
    "waitid": (247, 95),
}
"""By name: its number on x86_64 and on aarch64, which None means has none."""

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_RET|K
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000  # SECCOMP_RET_*
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
_NO_NEW_PRIVS, _SECCOMP, _FILTER = 38, 22, 2  # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, its mode


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def take_away(calls: Sequence[str], answer: int) -> None:
    """Have the kernel answer these calls of this process with an error; raises OSError."""
    machine = platform.machine()
    column = list(ARCHITECTURES).index(machine)
    numbers = [number for name in calls if (number := CALLS[name][column]) is not None]
    steps = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, ARCHITECTURES[machine])]
    steps += [(_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _NUMBER)]
    for number in numbers:
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | answer)]
    steps.append((_RETURN, 0, 0, _ALLOW))
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    program = _Program(len(steps), code)
    libc = ctypes.CDLL(None, use_errno=True)
    # As unsigned long: prctl takes its arguments as such, and ctypes would pass an int.
    words = [ctypes.c_ulong(number) for number in (1, 0, 0, 0)]
    if libc.prctl(_NO_NEW_PRIVS, *words) != 0:
        raise OSError(ctypes.get_errno(), "no filter of system calls can be set here")
    nothing = ctypes.c_ulong(0)
    if libc.prctl(_SECCOMP, ctypes.c_ulong(_FILTER), ctypes.byref(program), nothing, nothing):
        raise OSError(ctypes.get_errno(), "no filter of system calls can be set here")


if __name__ == "__main__":
    end = sys.argv.index("--")
    take_away(sys.argv[2:end], getattr(errno, sys.argv[1]))
    os.execvp(sys.argv[end + 1], sys.argv[end + 1 :])
