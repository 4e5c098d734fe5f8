"""The way into the window, which says in one line what Qt needs and this system lacks.

Without this the program would end in a traceback where a library is missing, and in an abort where
there is no display.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

LIBRARIES: Mapping[str, str] = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""What a window on X11 loads of the system, and the package of Debian and Ubuntu that has it."""
FONTS = Path("/etc/fonts/fonts.conf")
"""What libfontconfig reads; a packaged Sluice has its own."""


def main() -> int:
    """Open the window and stay until it is closed, or say on stderr why it cannot be opened."""
    if sys.platform == "linux" and "-platform" not in sys.argv:  # which Qt itself reads
        if why := what_is_missing(os.environ):
            sys.stderr.write(f"sluice-app: {why}\n")
            return 1
    from app.__main__ import main as window

    return window()


def what_is_missing(environment: Mapping[str, str]) -> str:
    """What keeps Qt from opening a window, with its remedy; empty where nothing does."""
    qt = find_spec("PySide6")
    if qt is None or qt.origin is None:
        return "the window needs PySide6: install Sluice with its extra `app`"
    platform = environment.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]  # the first
    platform = platform or ("wayland" if environment.get("WAYLAND_DISPLAY") else "xcb")
    on_x11 = platform == "xcb"
    library = "plugins/platforms/libqxcb.so" if on_x11 else "lib/libQt6Gui.so.6"
    refusal = _refusal(Path(qt.origin).parent / "Qt" / library)
    missing = {name: LIBRARIES[name] for name in LIBRARIES if refusal and _is_missing(name)}
    has_fonts = {"FONTCONFIG_FILE", "FONTCONFIG_PATH"} & environment.keys() or FONTS.exists()
    if platform in ("xcb", "wayland") and not has_fonts:
        missing[str(FONTS)] = "fontconfig-config"
    if missing:
        packages = " ".join(sorted({*missing.values()}))
        lack = f"the window needs what this system lacks: {', '.join(missing)}"
        return f"{lack}; on Debian and Ubuntu: apt install {packages}"
    if refusal:
        return f"Qt cannot be loaded: {refusal}"
    if on_x11 and not _display_answers():
        named = environment.get("DISPLAY")
        which = f"the display {named} does not answer" if named else "there is no display"
        return f"{which}: set DISPLAY, or use the command line, `sluice --help`"
    return ""


def _refusal(library: str | Path) -> str:
    """Why a library cannot be loaded; empty where it can."""
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        return str(error.__cause__ or error)  # a packaged ctypes has words of its own around it
    return ""


def _is_missing(library: str) -> bool:
    """Whether the system lacks this library itself, and not one that it loads."""
    return Path(_refusal(library).partition(":")[0]).name == library


def _display_answers() -> bool:
    """Whether the X server that DISPLAY names takes a connection; Qt aborts where it does not."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not refused
