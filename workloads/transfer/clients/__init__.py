"""The table of clients; to import it imports no driver."""

from collections.abc import Mapping

from core import Driver
from workloads.transfer.clients.client import ClientEntry

SET_UP = 'make .venv EXTRAS="transfer"'

_BOTO3 = Driver(module="boto3", distribution="boto3", install=SET_UP)

CLIENTS: tuple[ClientEntry, ...] = (
    ClientEntry(
        name="copy",
        title="Plain copies between two folders by a pool of threads: what the disks allow.",
        load="workloads.transfer.clients.copying:CopyClient",
        scheme="",
    ),
    ClientEntry(
        name="boto3",
        title="s3transfer, as boto3 uses it: its own threads, large files in parts.",
        load="workloads.transfer.clients.boto3_client:Boto3Client",
        drivers=(_BOTO3,),
        scheme="s3",
        tallies=("requests", "retries", "503", "429"),
    ),
)

BY_NAME: Mapping[str, ClientEntry] = {entry.name: entry for entry in CLIENTS}
