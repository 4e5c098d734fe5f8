"""Plain reads of a dataset's files: the floor under every other result."""

from core import Entry

WORKLOADS = (
    Entry(
        name="raw",
        title="Raw reads",
        purpose="How fast can this disk and page cache hand out these files at all?",
        load="workloads.raw.raw_workload:RawRead",
        place=2,
    ),
)
