"""Round corners of popups, also where no compositor blends them: over VNC, over ssh, in Xvfb."""

from __future__ import annotations

import ctypes
from functools import cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QGuiApplication, QNativeInterface, QPainterPath, QRegion
from PySide6.QtWidgets import QWidget

RADIUS = 12


def cut_round(popup: QWidget, paper: QRectF) -> None:
    """Leave out what is around the paper, which would be black where nothing is blended."""
    if not _is_blended():
        path = QPainterPath()
        path.addRoundedRect(paper, RADIUS + 1, RADIUS + 1)
        popup.setMask(QRegion(path.toFillPolygon().toPolygon()))


@cache
def _is_blended() -> bool:
    """Whether the screen has a compositor; only an X server may have none."""
    application = QGuiApplication.instance()
    if QGuiApplication.platformName() != "xcb" or not isinstance(application, QGuiApplication):
        return True
    native = application.nativeInterface()
    if not isinstance(native, QNativeInterface.QX11Application):
        return True
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return True
    for call in (x11.XInternAtom, x11.XGetSelectionOwner):
        call.restype = ctypes.c_ulong
    display = ctypes.c_void_p(native.display())
    atom = ctypes.c_ulong(x11.XInternAtom(display, b"_NET_WM_CM_S0", 0))
    return bool(x11.XGetSelectionOwner(display, atom))
