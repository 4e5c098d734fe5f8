"""The far side of a fork server: an interpreter that has imported what children need, and forks.

A child is what a fresh interpreter would be after its imports, which take twenty times as long as
the fork.  This process has one thread and opens nothing but its socket, so a child shares nothing
else with its siblings.  What it forks is the engine's child, not its own: the engine waits for it
and sees how it ends.  Where that cannot be, it says 0, and the engine starts a fresh interpreter.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import socket
import sys
from collections.abc import Iterable

import msgspec

from core.measure.machine.descendants import STAMP
from core.measure.trial.messages import Order
from core.vocabulary import registry

_CLONE3 = 435
"""Its number on every processor, of clone(2); since Linux 5.3."""
_CLONE_PARENT = 0x8000
_CHILD_TID = 0x1000000 | 0x200000
"""CLONE_CHILD_SETTID and CLONE_CHILD_CLEARTID: as fork(3) does."""
_PR_GET_TID_ADDRESS = 40
_MOST = 2**16
"""Bytes of an order."""
_DESCRIPTORS = 5
REQUESTS = "--requests="


def next_child(requests: int, life: int) -> list[str]:
    """Fork a child for each order, to the engine's end; returns its arguments in each child."""
    server = socket.socket(fileno=requests)
    while True:
        message, descriptors, _, _ = socket.recv_fds(server, _MOST, _DESCRIPTORS)
        if not message:
            os._exit(0)
        order = msgspec.json.decode(message, type=Order)
        _import(order.imports)
        if order.workload:
            registry.load_workload(order.workload)
            registry.dataset_kind(order.kind)
        # A child that looked for garbage among all that is imported would copy each page of it.
        gc.freeze()
        pid = _fork_for_parent(order.stamp)
        if pid == 0:
            server.close()
            os.close(life)
            return _become(order, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        server.send(str(pid).encode())


def _import(modules: Iterable[str]) -> None:
    """A library that starts a thread for each core could not be forked."""
    threads = "OPENBLAS_NUM_THREADS"
    users = os.environ.get(threads)
    os.environ[threads] = "1"
    for module in modules:
        importlib.import_module(module)
    del os.environ[threads]
    if users is not None:
        os.environ[threads] = users


def _fork_for_parent(stamp: str) -> int:
    """0 in the child, whose parent is ours; else its number, or -1 where none can be forked."""
    if len(os.listdir("/proc/self/task")) > 1 or len(stamp) > len(os.environ[STAMP]):
        return -1
    libc, python = ctypes.PyDLL(None), ctypes.pythonapi
    libc.syscall.restype = ctypes.c_long
    # Where the C library keeps the number of the thread, which the kernel has to change.
    address = ctypes.c_uint64()
    if libc.prctl(_PR_GET_TID_ADDRESS, ctypes.byref(address), 0, 0, 0):
        return -1
    arguments = (ctypes.c_uint64 * 8)(_CLONE_PARENT | _CHILD_TID, 0, address.value)
    python.PyOS_BeforeFork()
    pid = int(libc.syscall(_CLONE3, ctypes.byref(arguments), ctypes.sizeof(arguments)))
    (python.PyOS_AfterFork_Parent if pid else python.PyOS_AfterFork_Child)()
    return pid


def _become(order: Order, descriptors: list[int]) -> list[str]:
    """Be the child of that order; returns the arguments of its `bootstrap`."""
    os.setpgid(0, 0)
    hears, says, block, life, output = descriptors
    for stream in (sys.stdout, sys.stderr):
        os.dup2(output, stream.fileno())
    os.close(output)
    name = f"{STAMP}="
    _show(name, name + order.stamp.rjust(len(os.environ[STAMP]), "/"))
    _show(REQUESTS, "--forked")
    os.environ |= order.environment | {STAMP: order.stamp}
    sys.argv[1:] = (f"--life={life}", f"--hear={hears}", f"--say={says}", f"--block={block}")
    return sys.argv[1:]


def _show(start: str, shown: str) -> None:
    """Change what /proc shows of our arguments and environment: what begins so there."""
    with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 -- pathlib takes long to import
        fields = file.read().rpartition(b")")[2].split()
    begin, end = int(fields[45]), int(fields[48])  # arg_start and env_end, fields 48 and 51
    memory = b"\0" + ctypes.string_at(begin, end - begin)
    at = memory.index(b"\0" + start.encode())
    length = memory.index(b"\0", at + 1) - at - 1
    ctypes.memmove(begin + at, shown.encode().ljust(length)[:length], length)
