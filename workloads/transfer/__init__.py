"""Trees of files, sent and fetched over the network by the clients that people use."""

from core import Entry, KindEntry

WORKLOADS = (
    Entry(
        name="transfer",
        title="Transfer of files",
        purpose="Which client with how many threads sends or fetches a tree of files fastest?",
        load="workloads.transfer.transfer_workload:Transfer",
    ),
)

DATASET_KINDS = (
    KindEntry(
        name="file-tree",
        title="tree of files",
        load="workloads.transfer.tree_datasets:FileTree",
    ),
)
