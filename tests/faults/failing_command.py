"""Carries out one command of Sluice in which one call of the C library fails.

Arguments: the library, the call, which one of its kind, the number of the error, and the command.
"""

from __future__ import annotations

import ctypes
import os
import sys

from core.cli import main


def carry_out() -> int:
    library, call, at, number, *words = sys.argv[1:]
    shim = ctypes.CDLL(library)
    shim.let_fail(call.encode(), ctypes.c_long(int(at)), int(number))
    code = main(words)
    failed = shim.has_failed()
    shim.let_fail(b"", ctypes.c_long(0), 0)
    # Beside the exit code: whether there were as many calls at all.
    os.write(2, f"failed {failed}\n".encode())
    return code


if __name__ == "__main__":
    sys.exit(carry_out())
