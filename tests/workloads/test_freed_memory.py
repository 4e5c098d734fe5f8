"""Memory that an operation has freed is there for the next one, without asking the system again."""

import platform
import subprocess
import sys

import pytest

_ROUNDS = """
import ctypes, resource, sys, threading
from workloads.shared.native import LARGEST, keep_freed_memory

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, (ctypes.c_size_t,)
libc.free.restype, libc.free.argtypes = None, (ctypes.c_void_p,)
if sys.argv[1] == "keep":
    keep_freed_memory(LARGEST, regions=True)

def use_and_free():
    pieces = [libc.malloc(50_000) for _ in range(3000)]
    for piece in pieces:
        ctypes.memset(piece, 1, 50_000)
    for piece in pieces:
        libc.free(piece)

def measure():
    use_and_free()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    use_and_free()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)

other = threading.Thread(target=measure)
other.start()
other.join()
"""


def faults(way: str) -> int:
    """How many pages a thread lacks that uses as much memory as it has just freed."""
    command = [sys.executable, "-c", _ROUNDS, way]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="malloc of another C library")
def test_that_a_thread_gets_back_what_it_has_freed() -> None:
    pages = 3000 * 50_000 // 4096
    assert faults("give back") > pages // 2
    assert faults("keep") < pages // 10
