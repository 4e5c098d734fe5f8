"""Tab moves to the next control on the screen, no matter when that was made.

Qt moves in the order in which controls were made: rows, buttons and plots that are added later
would come last, wherever they are on the screen.

Two obvious ways to find the order do not work with PySide.  When Qt's own focus chain is walked,
PySide takes the menus' actions for deleted.  When a layout is asked for its items, PySide keeps a
wrapper for each, and frees the item again after Qt has freed it together with its form.

A widget without a layout may give its order as `tab_stops`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QLayout,
    QScrollArea,
    QTabWidget,
    QWidget,
)


def step_focus(root: QWidget, *, forward: bool) -> bool:
    """Focus the next control below `root`, or the previous one; returns whether there is any.

    After the last control comes the first.
    """
    # A scroll area's page is found again as a child of its viewport: the first place counts.
    order = list(dict.fromkeys(_laid_out(root)))
    current = root.window().focusWidget()
    if not forward:
        order.reverse()
    if current in order:
        place = order.index(current)
        order = [*order[place + 1 :], *order[:place]]
    control = next((widget for widget in order if _takes_keys(widget)), None)
    if control is None:
        return False
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    control.setFocus(reason)
    _bring_into_view(control)
    return True


def _laid_out(widget: QWidget) -> Iterator[QWidget]:
    """A widget and everything in it, from top to bottom and from left to right."""
    yield widget
    others = [each for each in widget.children() if isinstance(each, QWidget)]
    for part in dict.fromkeys([*_parts(widget), *others]):
        if not part.isWindow():
            yield from _laid_out(part)


def _parts(widget: QWidget) -> Iterator[QWidget]:
    """The widgets that a widget arranges itself, in their order."""
    parts: list[QWidget | None]
    match widget:
        case QTabWidget():
            corner = widget.cornerWidget(Qt.Corner.TopRightCorner)
            parts = [widget.tabBar(), corner, widget.currentWidget()]
        case QScrollArea():
            parts = [widget.widget()]
        case _:
            layout = widget.layout()
            # Without a layout, widgets may be raised when they get the focus, which reorders the
            # children: so the widget itself gives the order.
            stops: Sequence[QWidget] = getattr(widget, "tab_stops", ())
            children = [each for each in widget.children() if isinstance(each, QWidget)]
            parts = list(_items(layout, children)) if layout is not None else list(stops)
    yield from (each for each in parts if each is not None)


def _items(layout: QLayout, widgets: Sequence[QWidget]) -> Iterator[QWidget]:
    """The widgets that a layout holds; those of an inner layout come at that layout's place."""
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
    """Whether Tab stops at this widget; of exclusive buttons, it stops at the pressed one only.

    The arrow keys reach the other buttons.  Qt's own focus policies cannot be relied on here: they
    follow the keyboard focus only, so they are wrong after a restored form has pressed another one.
    """
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    pressed = group.checkedButton() if group is not None and group.exclusive() else None
    if pressed is not None and widget is not pressed:
        return False
    every = Qt.TabFocusBehavior.TabFocusAllControls
    behaviour = QGuiApplication.styleHints().tabFocusBehavior()
    # On a Mac, Tab stops only at text fields and lists, unless the user has chosen all controls.
    policy = Qt.FocusPolicy.TabFocus if behaviour == every else Qt.FocusPolicy.StrongFocus
    own = widget.focusPolicy() | (Qt.FocusPolicy.TabFocus if pressed else Qt.FocusPolicy.NoFocus)
    return (
        own & policy == policy
        and widget.focusProxy() is None
        and widget.isEnabled()
        and widget.isVisible()
    )


def _bring_into_view(widget: QWidget) -> None:
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
        above = above.parentWidget()
