"""Trees at the other ends of transfers: their names, and how they come there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from core import (
    DatasetError,
    InvalidParameter,
    ReportProgress,
    SluiceError,
    cache_folder,
    report_to_nobody,
    tr,
)
from workloads.shared.servers import (
    named_while_awaited,
    placing,
    require_absolute,
    s3_address,
)
from workloads.shared.threads import mapped
from workloads.transfer.clients import BY_NAME, ClientEntry
from workloads.transfer.remotes import THREADS, Arrived, FolderRemote, Remote
from workloads.transfer.synapse_service import require_possible, require_token, synapse_address
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import Tree, TreeFile

_DIGITS = 20


def entry_of(parameters: TransferParameters) -> ClientEntry:
    """The row of the client that the parameters name."""
    return BY_NAME[parameters.client]


def remote_folder(parameters: TransferParameters) -> Path:
    """The folder that is the other end of copies."""
    return Path(parameters.address or cache_folder() / "transfers" / "there").absolute()


def fetched_folder(parameters: TransferParameters, mark: str) -> Path:
    """The folder here that a trial fetches to."""
    folder = Path(parameters.folder or cache_folder() / "transfers" / "here").absolute()
    return folder / f"fetched-{mark}"


def own_folder(mark: str) -> Path:
    """The folder here for what the client of a trial writes for itself."""
    return cache_folder() / "transfers" / f"own-{mark}"


def sent_prefix(mark: str) -> str:
    """What the names of all begin with that a trial sends."""
    return f"sent-{mark}/"


def folder_of_pass(parameters: TransferParameters, mark: str, number: int) -> Path:
    """The folder here that one pass of a trial fetches to."""
    return fetched_folder(parameters, mark) / str(number)


def prefix_of_pass(mark: str, number: int) -> str:
    """What the names of all begin with that one pass of a trial sends."""
    return f"{sent_prefix(mark)}{number}/"


def tree_prefix(tree: Tree) -> str:
    """What the names of a tree begin with that is used again: the same for the same files."""
    return f"tree-{tree.digest[:_DIGITS]}/"


def require_ends(parameters: TransferParameters) -> None:
    """Raise InvalidParameter where an end of the transfer is not named as it must be."""
    scheme = entry_of(parameters).scheme
    if scheme and not parameters.address.startswith(f"{scheme}://"):
        raise InvalidParameter(
            "address",
            tr("the client {client} does not know this address", client=parameters.client)
            if parameters.address
            else tr("the client {client} needs an address", client=parameters.client),
            tr("begin it with {scheme}://, and leave credentials out", scheme=scheme),
        )
    if scheme == "s3":
        s3_address(parameters.address)
    if scheme == "synapse":
        synapse_address(parameters.address)
        require_token(parameters)
    folders = {"folder": parameters.folder, "address": "" if scheme else parameters.address}
    for name, folder in folders.items():
        if folder:
            require_absolute(name, folder)


def open_remote(
    parameters: TransferParameters, report: ReportProgress = report_to_nobody
) -> Remote:
    """The other end, through a client of our own; raises Unavailable, SluiceError."""
    scheme, longest = entry_of(parameters).scheme, parameters.timeout * parameters.attempts
    with named_while_awaited(report, scheme, parameters.address, longest):
        return _opened(parameters)


def _opened(parameters: TransferParameters) -> Remote:
    match entry_of(parameters).scheme:
        case "s3":
            from workloads.transfer.remotes import BucketRemote

            return BucketRemote(parameters)
        case "synapse":
            from workloads.transfer.synapse_remote import SynapseRemote

            return SynapseRemote(parameters)
    return FolderRemote(remote_folder(parameters))


def require_names(tree: Tree, parameters: TransferParameters) -> None:
    """Raise DatasetError for a file that the other end does not take, and cannot be left out."""
    entry = entry_of(parameters)
    if tree.left_out and entry.takes_folders and parameters.direction == "up":
        raise DatasetError(
            tr("{reason}; {client} would send it too", reason=tree.left_out[0], client=entry.name)
        )
    if entry.scheme == "synapse":
        up = parameters.direction == "up"
        require_possible(tree, manifest=entry.takes_folders and up)


def place_tree(tree: Tree, parameters: TransferParameters, report: ReportProgress) -> None:
    """Write a tree into the remote unless it is there; raises SluiceError."""
    require_names(tree, parameters)
    prefix = tree_prefix(tree)
    where = parameters.address or str(remote_folder(parameters))
    with (
        placing("tree", f"{where} {prefix}"),
        closing(open_remote(parameters, report)) as remote,
    ):
        if not holds(remote, tree):
            report("clearing what is left of the tree")
            remote.remove(prefix)
            _fill(remote, tree, report)


def holds(remote: Remote, tree: Tree) -> bool:
    manifest = remote.note(_manifest_name(tree))
    return manifest is not None and manifest == _manifest(tree)


def _manifest_name(tree: Tree) -> str:
    # Beside the tree: clients fetch all that is in it.
    return f"{tree_prefix(tree).rstrip('/')}.json"


def _manifest(tree: Tree) -> bytes:
    return msgspec.json.encode({"digest": tree.digest, "files": len(tree.files)})


def _fill(remote: Remote, tree: Tree, report: ReportProgress) -> None:
    prefix = tree_prefix(tree)

    def put(file: TreeFile) -> None:
        remote.put(prefix + file.name, tree.path_of(file))

    for done, _ in enumerate(mapped(THREADS, "placing", put, tree.files), 1):
        report("placing the tree", done, len(tree.files), "file")
    arrived = remote.arrived(prefix, tree.files, report)
    if wrong := next(iter(differing(tree.files, arrived)), None):
        raise SluiceError(
            tr(
                "{file} is not in its place as the catalogue has it: {why}",
                file=wrong[0],
                why=wrong[1],
            ),
            tr(
                "if the files have changed, name the folder again; a generated tree is to be made anew"
            ),
        )
    remote.write_note(_manifest_name(tree), _manifest(tree))


def differing(
    files: Sequence[TreeFile], arrived: Mapping[str, Arrived]
) -> Sequence[tuple[str, str]]:
    """Names of files that are not there as they should be, each with what is wrong."""
    complaints = ((file.name, complaint_about(file, arrived.get(file.name))) for file in files)
    return [(name, complaint) for name, complaint in complaints if complaint]


def files_arrived(files: Iterable[TreeFile], arrived: Mapping[str, Arrived]) -> int:
    """How many of the files are there as they should be."""
    return sum(not complaint_about(file, arrived.get(file.name)) for file in files)


def complaint_about(file: TreeFile, arrived: Arrived | None) -> str:
    """What is wrong with a file that arrived, or did not; empty if it is right."""
    if arrived is None:
        return tr("it did not arrive")
    if arrived.size != file.size:
        return tr("it has {size:,} B of {wanted:,} B", size=arrived.size, wanted=file.size)
    if arrived.md5 != file.md5:
        return tr("other bytes than in the catalogue")
    return arrived.flaw
