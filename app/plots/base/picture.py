"""Plots as files: PNG of twice the size on the screen, SVG of lines and texts."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QRectF
from PySide6.QtGui import QImage, QImageWriter, QPainter, QPalette
from PySide6.QtWidgets import QWidget

from app.plots.base.race import Race
from app.plots.base.readout import Readout
from app.plots.base.sheet import Sheet

_SHARPNESS = 2


def draw(widget: QWidget, painter: QPainter) -> None:
    """Draw the plots of a widget as they are now, without its frames and focus marks."""
    painter.fillRect(
        QRect(QPoint(), widget.size()), widget.palette().color(QPalette.ColorRole.Window)
    )
    for part in [widget, *widget.findChildren(QWidget)]:
        if not part.isVisibleTo(widget):
            continue
        corner = part.mapTo(widget, QPoint())
        painter.save()
        if isinstance(part, Readout | Race):
            painter.translate(corner)
            part.draw(painter)
        elif isinstance(part, Sheet):
            source = part.viewport().rect()
            part.render(painter, QRectF(QRect(corner, source.size())), source)
        painter.restore()


def png(widget: QWidget) -> bytes:
    """The plots of a widget as PNG, with twice the pixels of the screen."""
    image = QImage(widget.size() * _SHARPNESS, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(_SHARPNESS)
    with QPainter(image) as painter:
        draw(widget, painter)
    made = QByteArray()
    buffer = _open(made)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    buffer.close()
    return bytes(made.data())


def svg(widget: QWidget, title: str) -> bytes:
    """The plots of a widget as SVG 1.1; nothing in it is made of pixels."""
    # Imported here, because only this function needs the library.
    from PySide6.QtSvg import QSvgGenerator

    made = QByteArray()
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    buffer = _open(made)
    generator.setOutputDevice(buffer)
    generator.setTitle(title)
    generator.setResolution(widget.logicalDpiX())
    generator.setSize(widget.size())
    generator.setViewBox(QRect(QPoint(), widget.size()))
    with QPainter(generator) as painter:
        draw(widget, painter)
    return bytes(made.data())


def _open(made: QByteArray) -> QBuffer:
    buffer = QBuffer(made)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer
