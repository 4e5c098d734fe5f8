"""What arrived in passes of a trial whose processes could not look at it any more."""

from __future__ import annotations

from collections.abc import Mapping

from core import Fault, Remains, Tell
from workloads.transfer.acknowledged import acknowledged
from workloads.transfer.places.folder_place import hashed_below
from workloads.transfer.places.place import Arrived
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import Tree
from workloads.transfer.trees_in_places import (
    complaint_about,
    files_arrived,
    folder_of_pass,
    open_place,
    prefix_of_pass,
)


def remains_of(mark: str, tree: Tree, parameters: TransferParameters, tell: Tell) -> Remains | None:
    """What arrived: a file that the client has called done is there, or is wrong data.

    None where every pass was looked at before; raises SluiceError.
    """
    passes = acknowledged(mark, [file.name for file in tree.files])
    if not passes:
        return None
    faults: list[Fault] = []
    whole = 0
    for number, names in passes.items():
        found = _found(mark, number, tree, parameters, tell)
        whole += files_arrived(tree.files, found)
        faults += [
            Fault(why, file.name)
            for file in tree.files
            if file.name in names and (why := complaint_about(file, found.get(file.name)))
        ]
    return Remains(
        verified=sum(map(len, passes.values())),
        faults=faults,
        counters={
            "trees": min(passes),  # those before were looked at
            "files of a tree": len(tree.files),
            "files arrived": whole,
            "files missing": len(passes) * len(tree.files) - whole,
        },
    )


def _found(
    mark: str, number: int, tree: Tree, parameters: TransferParameters, tell: Tell
) -> Mapping[str, Arrived]:
    if parameters.direction == "down":
        return hashed_below(folder_of_pass(parameters, mark, number), tell)
    place = open_place(parameters)
    try:
        return place.found(prefix_of_pass(mark, number), tree.files, tell)
    finally:
        place.close()
