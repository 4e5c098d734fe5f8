"""Where Tab leads: to the next control as they are laid out, whenever each of them was made.

Qt goes by the order in which controls were made.  Rows, buttons and plots that come later would
follow behind everything else, wherever they are seen.  Qt's own chain is not walked: PySide then
takes the menus' actions for deleted.  Nor are a layout's items: PySide keeps what it has made for
each of them, and frees them once more when Qt has freed them, with the form that they were in.  A
widget without a layout may tell its order as `tab_stops`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QLayout,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QWidget,
)


def step_focus(root: QWidget, *, forward: bool) -> bool:
    """Give the keys to the next control below `root`, or to the one before; whether there is one.

    Behind the last one follows the first one.
    """
    # A scroll area's page is met again below its viewport: the first place counts.
    order = list(dict.fromkeys(_laid_out(root)))
    current = root.window().focusWidget()
    if not forward:
        order.reverse()
    if current in order:
        place = order.index(current)
        order = [*order[place + 1 :], *order[:place]]
    found = next((widget for widget in order if _takes_keys(widget)), None)
    if found is None:
        return False
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    found.setFocus(reason)
    _bring_into_view(found)
    return True


def _laid_out(widget: QWidget) -> Iterator[QWidget]:
    """A widget and all below it, from top to bottom and from left to right."""
    yield widget
    others = [each for each in widget.children() if isinstance(each, QWidget)]
    for part in dict.fromkeys([*_parts(widget), *others]):
        if not part.isWindow():
            yield from _laid_out(part)


def _parts(widget: QWidget) -> Iterator[QWidget]:
    """What a widget lays out, in its order."""
    match widget:
        case QSplitter():
            places = range(widget.count())
            found = [widget.widget(place) for place in places]
        case QTabWidget():
            corner = widget.cornerWidget(Qt.Corner.TopRightCorner)
            found = [widget.tabBar(), corner, widget.currentWidget()]
        case QScrollArea():
            found = [widget.widget()]
        case _:
            layout = widget.layout()
            # What no layout holds may come to the front with the keys, so its order is told.
            told: Sequence[QWidget] = getattr(widget, "tab_stops", ())
            within = [each for each in widget.children() if isinstance(each, QWidget)]
            found = list(_items(layout, within)) if layout is not None else list(told)
    yield from (each for each in found if each is not None)


def _items(layout: QLayout, widgets: Sequence[QWidget]) -> Iterator[QWidget]:
    """Those of the widgets that a layout holds, and in their places those of layouts within it."""
    inner = [each for each in layout.children() if isinstance(each, QLayout)]
    parts: list[QWidget | QLayout] = [*widgets, *inner]
    placed = [(layout.indexOf(each), each) for each in parts]
    for place, each in sorted(placed, key=lambda one: one[0]):
        if place < 0:
            continue
        if isinstance(each, QLayout):
            yield from _items(each, widgets)
        else:
            yield each


def _takes_keys(widget: QWidget) -> bool:
    """Whether Tab stops there: of buttons of which one is pressed at that one.

    The arrow keys lead to the others.  Qt moves their policy along with the keys only, so it is
    wrong where another one was pressed by a form that came back.
    """
    pressed = _pressed_beside(widget)
    if pressed is not None and widget is not pressed:
        return False
    every = Qt.TabFocusBehavior.TabFocusAllControls
    behaviour = QGuiApplication.styleHints().tabFocusBehavior()
    # On a Mac it stops at texts and lists only, unless the user wants more.
    policy = Qt.FocusPolicy.TabFocus if behaviour == every else Qt.FocusPolicy.StrongFocus
    own = widget.focusPolicy() | (Qt.FocusPolicy.TabFocus if pressed else Qt.FocusPolicy.NoFocus)
    return (
        own & policy == policy
        and widget.focusProxy() is None
        and widget.isEnabled()
        and widget.isVisible()
    )


def _pressed_beside(widget: QWidget) -> QAbstractButton | None:
    """The button that is pressed of those of which only one can be, where this is one of them."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group.checkedButton() if group is not None and group.exclusive() else None


def _bring_into_view(widget: QWidget) -> None:
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
        above = above.parentWidget()
