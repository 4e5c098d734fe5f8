"""Trees of files, sent and fetched over the network by the clients that people use."""

from collections.abc import Mapping
from typing import Any

from core import Counter, Entry, KindEntry, ServerUse
from workloads.shared.servers import WIRE_COUNTERS
from workloads.transfer.clients import CLIENTS

_USES: Mapping[str, Mapping[str, Any]] = {
    "s3": {
        "in_front": "proxy",
        "values": {"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"},
    },
    # Bytes go to and from addresses that the service tells, which a proxy does not see.
    "synapse": {"values": {"token": "lab:synapse/token"}},
}
"""How clients of addresses with that scheme use the lab's server of the same name."""

WORKLOADS = (
    Entry(
        name="transfer",
        title="Transfer of files",
        purpose="Which client with how many threads sends or fetches a tree of files fastest?",
        load="workloads.transfer.transfer_workload:Transfer",
        counters=(
            *(Counter(name=name, per="operation", better="less") for name in ("503", "429")),
            *WIRE_COUNTERS,
        ),
        servers=tuple(
            ServerUse(server=one.scheme, at={"client": one.name}, **_USES[one.scheme])
            for one in CLIENTS
            if one.scheme
        ),
        addresses={
            "s3://*": {"client": "boto3"},
            "synapse://*": {"client": "synapse-sync"},
        },
    ),
)

DATASET_KINDS = (
    KindEntry(
        name="file-tree", title="tree of files", load="workloads.transfer.tree_datasets:FileTree"
    ),
)
