"""The form's list of workloads, as tests find it."""

from PySide6.QtWidgets import QComboBox, QWidget


def workload_box(parent: QWidget) -> QComboBox:
    """The list."""
    boxes = parent.findChildren(QComboBox)
    (found,) = [box for box in boxes if box.accessibleName() == "Workload"]
    return found


def choose_workload(parent: QWidget, name: str) -> None:
    box = workload_box(parent)
    box.setCurrentIndex(box.findData(name))
