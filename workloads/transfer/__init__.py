"""Trees of files, sent and fetched over the network by the clients that people use."""

from core import Entry, KindEntry, ServerUse
from workloads.transfer.clients import CLIENTS

_LOGIN = {"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"}

WORKLOADS = (
    Entry(
        name="transfer",
        title="Transfer of files",
        purpose="Which client with how many threads sends or fetches a tree of files fastest?",
        load="workloads.transfer.transfer_workload:Transfer",
        servers=tuple(
            ServerUse(server="s3", at={"client": one.name}, in_front="proxy", values=_LOGIN)
            for one in CLIENTS
            if one.scheme == "s3"
        ),
    ),
)

DATASET_KINDS = (
    KindEntry(
        name="file-tree",
        title="tree of files",
        load="workloads.transfer.tree_datasets:FileTree",
    ),
)
