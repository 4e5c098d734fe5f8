"""The table of clients; to import it imports no driver."""

from collections.abc import Mapping

from core import Driver
from workloads.transfer.clients.client import S5CMD, ClientEntry

SET_UP = 'make .venv EXTRAS="transfer"'

_BOTO3 = Driver(module="boto3", distribution="boto3", install=SET_UP)
_SYNAPSE = Driver(module="synapseclient", distribution="synapseclient", install=SET_UP)
_AWSCLI = Driver(module="awscli", distribution="awscli", install=SET_UP)
_PANDAS = Driver(module="pandas", distribution="pandas", install=SET_UP)

_OF_SYNAPSE = ("begun", "requests", "retries", "503", "429")

CLIENTS: tuple[ClientEntry, ...] = (
    ClientEntry(
        name="copy",
        title="Plain copies between two folders by a pool of threads: what the disks allow.",
        load="workloads.transfer.clients.copying:CopyClient",
        scheme="",
        tallies=("begun",),
    ),
    ClientEntry(
        name="boto3",
        title="s3transfer, as boto3 uses it: its own threads, large files in parts.",
        load="workloads.transfer.clients.boto3_client:Boto3Client",
        drivers=(_BOTO3,),
        scheme="s3",
        tallies=("begun", "requests", "retries", "503", "429"),
    ),
    ClientEntry(
        name="s3-sync",
        title="The command aws s3 sync, in a process of its own; it tells of files only when they are done.",
        load="workloads.transfer.clients.s3_commands:AwsCommand",
        takes_folders=True,
        drivers=(_AWSCLI, _BOTO3),
        scheme="s3",
    ),
    ClientEntry(
        name="s5cmd",
        title="The program s5cmd, in a process of its own; it tells of files only when they are done.",
        load="workloads.transfer.clients.s3_commands:S5cmdCommand",
        takes_folders=True,
        drivers=(S5CMD, _BOTO3),
        scheme="s3",
    ),
    ClientEntry(
        name="synapse-sync",
        title="synapseutils, syncToSynapse and syncFromSynapse: many files at once, in parts of 8 MiB.",
        load="workloads.transfer.clients.synapse_clients:SynapseSync",
        takes_folders=True,
        drivers=(_SYNAPSE, _PANDAS),
        scheme="synapse",
        tallies=_OF_SYNAPSE,
    ),
    ClientEntry(
        name="synapse-walk",
        title="synapseclient, store and get file after file; threads only move the parts of large ones.",
        load="workloads.transfer.clients.synapse_clients:SynapseWalk",
        drivers=(_SYNAPSE,),
        scheme="synapse",
        tallies=_OF_SYNAPSE,
    ),
)

BY_NAME: Mapping[str, ClientEntry] = {entry.name: entry for entry in CLIENTS}
