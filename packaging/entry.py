"""The start of the packaged program, which is window, command line and Python at once.

A child of a trial, a server of the lab or a driver's own process is started by `sys.executable`
with Python's arguments: `-m MODULE …` or `-c CODE …`.  So the packaged program answers to these as
Python does.  Every child comes by here, so nothing is imported that the way taken does not need,
not even for annotations.
"""

from __future__ import annotations

import os
import sys

_FLAGS = frozenset("BEIOPSbdqsuv")
"""Flags of Python that say nothing here: the packaged program has no choice of them."""


def main() -> None:
    """Become what the arguments ask for."""
    if getattr(sys, "frozen", False):
        forget_bootloader(os.environ)
        find_modules_as_files()
    arguments = sys.argv[1:]
    if call := python_call(arguments):
        run_as_python(*call)
    elif arguments[:1] == ["--multiprocessing-fork"]:
        _be_forked()
    elif wants_window(sys.argv, double_click=_by_double_click()):
        from app.shell.launcher import main as window

        sys.exit(window())
    else:
        from core.__main__ import main as commands

        commands()


def forget_bootloader(environment: os._Environ[str] | dict[str, str]) -> None:
    """Take back what the bootloader has put into the environment.

    Other programs, such as Java or a browser, must not find the libraries of this one.
    """
    for name in [name for name in environment if name.startswith("_PYI_")]:
        del environment[name]
    if sys.platform == "linux":
        original = environment.pop("LD_LIBRARY_PATH_ORIG", "")
        environment.pop("LD_LIBRARY_PATH", None)
        if original:
            environment["LD_LIBRARY_PATH"] = original


def find_modules_as_files() -> None:
    """Have Python find modules by itself: PyInstaller's archive is asked first and has none."""
    sys.path_hooks[:] = [hook for hook in sys.path_hooks if "pyimod" not in hook.__module__]
    sys.path_importer_cache.clear()


def python_call(arguments: list[str]) -> tuple[str, str, list[str]] | None:
    """`-m` or `-c`, what follows it, and the rest; None where the arguments are not for Python."""
    for index, word in enumerate(arguments):
        if word in ("-m", "-c"):
            following = arguments[index + 1 :]
            return (word, following[0], following[1:]) if following else None
        if not _is_flag(word):
            break
    return None


def _is_flag(word: str) -> bool:
    letters = word[1:]
    if not word.startswith("-") or not letters:
        return False
    return _FLAGS.issuperset(letters) or (letters[0] in "WX" and len(letters) > 1)


def run_as_python(how: str, what: str, arguments: list[str]) -> None:
    """Run a module or a text as the main program."""
    # Behind what is packaged, so that only what is missing here is taken from there.
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path += [folder for folder in folders if folder and folder not in sys.path]
    sys.argv = [how, *arguments]
    if how == "-m":
        import runpy

        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})


def wants_window(argv: list[str], *, double_click: bool) -> bool:
    """Whether the window is meant: by the program's name, by a session, or by a double click."""
    name, arguments = os.path.basename(argv[0]), argv[1:]  # noqa: PTH119 -- pathlib takes longer
    if name == "sluice-app":
        return True
    if not arguments:
        return double_click
    return arguments[0].endswith(".sluice")


def _by_double_click() -> bool:
    """Whether no terminal would see the help, and there is a display."""
    if any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        return False
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform == "darwin" or bool(shown)


def _be_forked() -> None:
    """Be a process of multiprocessing, which starts frozen programs in this way."""
    from multiprocessing import spawn

    spawn.freeze_support()


if __name__ == "__main__":
    main()
