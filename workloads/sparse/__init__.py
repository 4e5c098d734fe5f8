"""Sparse virtual files in memory: svfsc from Python and C++, alone and before a slow file."""

from core import Counter, Entry, KindEntry
from workloads.shared.servers import WIRE_COUNTERS

WORKLOADS = (
    Entry(
        name="sparse",
        title="Sparse virtual files",
        purpose="What do reads, writes and needs of a sparse file in memory cost, in C++ and in Python?",
        load="workloads.sparse.sparse_workload:Sparse",
    ),
    Entry(
        name="sparse-remote",
        title="A slow file behind a sparse one",
        purpose="How greedily should a slow or remote file be read through a sparse one?",
        load="workloads.sparse.sparse_remote:SparseRemote",
        place=2,
        counters=(
            Counter(name="requests a pass", better="less"),
            Counter(name="bytes fetched a pass", better="less"),
            *WIRE_COUNTERS,
        ),
    ),
)

DATASET_KINDS = (
    KindEntry(
        name="sparse-index",
        title="index of an RP66V1 file",
        load="workloads.sparse.sparse_datasets:SparseIndex",
    ),
)
