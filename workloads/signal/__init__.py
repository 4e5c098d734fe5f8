"""Nanopore signals from BLOW5 and POD5, in order and at random."""

from core import Entry, KindEntry

WORKLOADS = (
    Entry(
        name="signal",
        title="Nanopore signals",
        purpose="BLOW5 or POD5, by which library and with how many threads?",
        load="workloads.signal.signal_workload:ReadSignals",
    ),
)

DATASET_KINDS = (
    KindEntry(
        name="signal",
        title="folder with BLOW5 and POD5",
        load="workloads.signal.signal_datasets:Signal",
    ),
    KindEntry(name="blow5", title="BLOW5 or SLOW5", load="workloads.signal.signal_datasets:Blow5"),
    KindEntry(name="pod5", title="POD5", load="workloads.signal.signal_datasets:Pod5"),
)
