# ruff: noqa: PTH101, PTH102, PTH103, PTH118, PTH123, PTH211, T201
"""Runs one step of a workflow where it can change nothing: a program of its own, without Sluice.

    sandbox_main.py stage RECIPE OUT            makes OUT.tree, where the step will run
    sandbox_main.py run RECIPE OUT THREADS      runs it there and moves its outputs into OUT

The tree is the step's folder again: folders are made, files are links to the real ones, small
inputs are copies, outputs are missing.  The kernel (Landlock, Linux 5.13) refuses the step every
write outside of the tree, whatever path it takes.  It starts within the clock, so it imports
nothing that it can do without, such as pathlib.
"""

import ctypes
import json
import os
import shutil
import sys
from typing import Any

FAILED = 1
_THREADS_OF = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS", "GOTO_NUM_THREADS",
)  # fmt: skip
"""Variables that Snakemake sets to the threads of a job."""
_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""Calls of the kernel, the same on every processor."""
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38
_WRITES = 1 << 1
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))
_REFER, _TRUNCATE = 1 << 13, 1 << 14


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled", ctypes.c_uint64),)


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def _kernel() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Of Landlock; 0 or less where this kernel has none."""
    return int(_kernel().syscall(_CREATE, None, 0, 1)) if sys.platform == "linux" else 0


def confine(*folders: str) -> None:
    """From now on this process and its children write only there; raises OSError."""
    known = version()
    handled = _WRITES | _REMOVE_AND_MAKE
    handled |= (_REFER if known >= 2 else 0) | (_TRUNCATE if known >= 3 else 0)
    kernel, rules = _kernel(), _Ruleset(handled)
    ruleset = kernel.syscall(_CREATE, ctypes.byref(rules), ctypes.sizeof(rules), 0)
    done = ruleset >= 0
    for folder in folders:
        place = os.open(folder, os.O_PATH)
        beneath = _Beneath(handled, place)
        done &= kernel.syscall(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(beneath), 0) == 0
        os.close(place)
    done &= kernel.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    if not (done and kernel.syscall(_RESTRICT, ruleset, 0) == 0):
        raise OSError(ctypes.get_errno(), "the kernel does not confine programs")


def stage(recipe: dict[str, Any], out: str) -> None:
    """Make the tree; `made` are paths without a counterpart, `copied` files with one of their own.

    Both are relative to the folder, as `parents` are, whose folders are made.
    """
    tree = f"{out}.tree"
    for place in ("folder", "tmp", "elsewhere"):
        os.makedirs(f"{tree}/{place}")
    made, copied = set(recipe["made"]), set(recipe["copied"])
    inside = {part for path in made | copied for part in _parents(path)}
    _mirror(recipe["folder"], f"{tree}/folder", "", (made, copied, inside))
    for path in recipe["parents"]:
        os.makedirs(os.path.join(f"{tree}/folder", path), exist_ok=True)


def _parents(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _mirror(
    source: str, target: str, path: str, which: tuple[set[str], set[str], set[str]]
) -> None:
    made, copied, inside = which
    for entry in os.scandir(source):
        name = f"{path}/{entry.name}" if path else entry.name
        place = os.path.join(target, entry.name)
        if name in made:
            continue
        if name in inside and entry.is_dir():
            os.mkdir(place)
            _mirror(entry.path, place, name, which)
        elif name in copied:
            (shutil.copytree if entry.is_dir() else shutil.copy2)(entry.path, place)
        else:
            os.symlink(os.path.realpath(entry.path), place)


def run(recipe: dict[str, Any], out: str, threads: str) -> int:
    """Run the step and move its outputs away; returns its exit code."""
    tree = f"{out}.tree"
    script = f"{tree}/command"
    with open(script, "w", encoding="utf-8", errors="surrogateescape") as stream:
        stream.write(recipe["commands"][threads].replace(recipe["mark"], f"{tree}/folder"))
    child = os.fork()
    if not child:
        _become(script, tree, threads if recipe["sets_variables"] else "")
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        return code if code > 0 else 128 - code
    for path in recipe["outputs"]:
        try:
            os.renames(f"{tree}/folder/{path}", f"{out}/{path}")
        except OSError as error:
            print(f"it did not write {path}: {error.strerror}", file=sys.stderr)
            return FAILED
    return 0


def _become(script: str, tree: str, threads: str) -> None:
    try:
        os.chdir(f"{tree}/folder")
        os.environ["TMPDIR"] = f"{tree}/tmp"
        os.environ.update(dict.fromkeys(_THREADS_OF, threads) if threads else {})
        with open(script, "rb") as stream:
            has_shebang = stream.read(2) == b"#!"
        confine(tree, "/dev")
        if has_shebang:
            os.chmod(script, 0o700)
            os.execv(script, [script])
        os.execvp("bash", ["bash", "-euo", "pipefail", script])
    except OSError as error:
        print(f"it cannot be started: {error}", file=sys.stderr)
    finally:
        os._exit(127)


def main(arguments: list[str]) -> int:
    what, recipe, out, *threads = arguments
    with open(recipe, encoding="utf-8", errors="surrogateescape") as stream:
        told = json.load(stream)
    if what == "stage":
        stage(told, out)
        return 0
    return run(told, out, threads[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
