"""Does the workload slow transfers down, and are its live counts those of the end?

    PYTHONPATH=.:tests:tests/benchmarks .venv/bin/python tests/benchmarks/bench_transfers.py
        [--rounds 7] [--threads 8] [--files 100] [--size 262144] [--clients copy,boto3,…]
        [--directions up,down]

On real servers of a lab that ends with it, each client moves the same tree in turn as a trial of
the workload and in a plain script that makes the same calls (`plain_transfers.py`), each in a
process of its own.  The seconds of the script are divided by those of the trial.  Exits with 1
where a median is below 0.97, where the last moment of a trial differs from its totals, or where
anything failed or was wrong.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from core.lab.keeper_messages import Started
from core.lab.lab_client import Lab, throw_away_lab
from core.language import report_to_nobody
from core.measure import Cancel, index_folder, reveal, run_trial
from core.selfcheck.cost import GoalRow, judge_median
from core.vocabulary import (
    Completed,
    Dataset,
    Slot,
    Trial,
    TrialEnded,
    build,
    open_dataset,
    specify,
)
from workloads.shared.servers import s3_address
from workloads.transfer.clients import BY_NAME
from workloads.transfer.remotes import remove_folder
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_datasets import TreeShape, make_tree
from workloads.transfer.tree_files import Tree, open_tree
from workloads.transfer.trees_in_remotes import open_remote, place_tree, remote_folder, tree_prefix

GOAL = 0.97
CLIENTS = ("copy", "boto3", "s3-sync", "synapse-sync", "synapse-walk")
_PLAIN = Path(__file__).with_name("plain_transfers.py")
_SENT = "sent-bench/0/"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One client in one direction."""

    parameters: TransferParameters
    values: Mapping[str, Any]
    dataset: Dataset
    tree: Tree
    threads: int
    folder: Path
    """For what the plain script writes here."""

    @property
    def up(self) -> bool:
        return self.parameters.direction == "up"

    @property
    def prefix(self) -> str:
        return _SENT if self.up else tree_prefix(self.tree)


def started(lab: Lab, name: str) -> str:
    """The address of that server."""
    lab.prepare([name])
    (found,) = (one for one in lab.start([name], deadline=300.0) if isinstance(one, Started))
    return found.server.address


def trial_of(case: Case) -> Trial:
    """One pass over the tree as the engine measures it."""
    values = {**case.values, "threads": case.threads, "duration": 0}
    spec = specify("transfer", case.dataset, values)
    cancel = Cancel()
    try:
        events = list(run_trial(Slot(0, 0, spec), "bench", cancel))
    finally:
        cancel.close()
    (ended,) = [event.trial for event in events if isinstance(event, TrialEnded)]
    return ended


def plain_seconds(case: Case, seconds: float = 0.0) -> float:
    """A pass over the tree by the plain script, the mean of as many as take so many seconds.

    What it leaves is removed.
    """
    case.folder.mkdir()
    own = case.folder / "own"
    own.mkdir()
    fetched = case.folder / "fetched"
    fetched.mkdir()
    asked = {
        "client": case.parameters.client,
        "direction": case.parameters.direction,
        "folder": str(case.tree.root if case.up else fetched),
        "threads": case.threads,
        "part": case.parameters.part_size,
        "own": str(own),
        "seconds": seconds,
        **reached(case, fetched),
    }
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(_PLAIN), json.dumps(asked)],
            env=os.environ | secrets_of(case),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
        )
    finally:
        remove_folder(case.folder)
        if case.up:
            removing = open_remote(case.parameters)
            removing.remove("sent-bench/")
            removing.close()
    return mean(json.loads(done.stdout.splitlines()[-1]))


def reached(case: Case, fetched: Path) -> Mapping[str, Any]:
    """Where the other end is, as the plain script wants it."""
    scheme = BY_NAME[case.parameters.client].scheme
    if not scheme:
        there = remote_folder(case.parameters) / case.prefix
        ends = (case.tree.root, there) if case.up else (there, fetched)
        return {"source": str(ends[0]), "target": str(ends[1])}
    if scheme == "s3":
        address = s3_address(case.parameters.address)
        prefix = address.prefix + case.prefix
        return {"bucket": address.bucket, "endpoint": address.endpoint, "prefix": prefix}
    from workloads.transfer.synapse_remote import SynapseFolders
    from workloads.transfer.synapse_service import SynapseService, synapse_address

    at = synapse_address(case.parameters.address)
    service = SynapseService(at, reveal(case.parameters.token), 1)
    container = SynapseFolders(service, at.container).made(case.prefix.rstrip("/"))
    service.close()
    return {"base": f"http://{at.host}", "container": container}


def secrets_of(case: Case) -> Mapping[str, str]:
    """What the plain script finds in its environment."""
    asked = {
        "AWS_ACCESS_KEY_ID": case.parameters.access_key,
        "AWS_SECRET_ACCESS_KEY": case.parameters.secret_key,
        "SLUICE_BENCH_TOKEN": case.parameters.token,
    }
    return {name: reveal(reference) for name, reference in asked.items() if reference}


def flaw_of(done: Trial, tree: Tree) -> str:
    """Why the trial counts for nothing; empty if it does."""
    whole = (len(tree.files), tree.bytes)
    if done.outcome != Completed() or done.errors or done.wrong:
        return f"{done.outcome}, {done.errors} errors, {done.wrong} wrong: {done.complaints}"
    final = done.operations, sum(worker.bytes for worker in done.workers)
    last = done.moments[-1]
    live = sum(last.operations), last.bytes
    counts = [sum(moment.operations) for moment in done.moments]
    if not live == final == whole or counts != sorted(counts):
        return f"live {live}, at the end {final}, in the tree {whole}"
    return ""


def measured(case: Case, rounds: int) -> GoalRow:
    """The workload against the plain script, in turn; the first pair only warms both up."""
    name = f"{case.parameters.client}, {case.parameters.direction}"
    goal = f"Plain script ÷ workload, {name}: ≥ {GOAL}, live counts = final ones"
    ratios, seconds = [], []
    for number in range(rounds + 1):
        plain_first = number % 2 == 0
        plain = plain_seconds(case) if plain_first else 0.0
        done = trial_of(case)
        if flaw := flaw_of(done, case.tree):
            return GoalRow(goal=goal, measured=flaw, judgement="missed")
        plain = plain if plain_first else plain_seconds(case)
        if number:
            ratios.append(plain / (done.elapsed or 1.0))
            seconds.append(plain)
    typical = sorted(seconds)[len(seconds) // 2]
    return judge_median(goal, ratios, (GOAL, math.inf), f"{typical:.2f} s a tree")


def cases(asked: argparse.Namespace, folder: Path, addresses: Mapping[str, str]) -> list[Case]:
    """Every client that is asked for, both ways, with its tree in place."""
    (folder / "tree").mkdir()
    make_tree(
        TreeShape(folders=5, files=asked.files // 5, size=asked.size),
        folder / "tree",
        report_to_nobody,
    )
    dataset = open_dataset(folder / "tree", ("file-tree",))
    tree = open_tree(dataset, index_folder(dataset.fingerprint), report_to_nobody)
    login = {
        "s3": {"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"},
        "synapse": {"token": "lab:synapse/token"},
        "": {},
    }
    found = []
    for client in asked.clients.split(","):
        scheme = BY_NAME[client].scheme
        for direction in asked.directions.split(","):
            values = {"client": client, "direction": direction, **login[scheme]}
            values["address"] = addresses[scheme]
            parameters = build(TransferParameters, values)
            if direction == "down":
                place_tree(tree, parameters, report_to_nobody)
            found.append(
                Case(
                    parameters=parameters,
                    values=values,
                    dataset=dataset,
                    tree=tree,
                    threads=asked.threads,
                    folder=folder / "plain",
                )
            )
    return found


def main() -> int:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--rounds", type=int, default=7)
    asking.add_argument("--threads", type=int, default=8)
    asking.add_argument("--files", type=int, default=100)
    asking.add_argument("--size", type=int, default=262_144)
    asking.add_argument("--clients", default=",".join(CLIENTS))
    asking.add_argument("--directions", default="up,down")
    asked = asking.parse_args()
    passed = True
    with tempfile.TemporaryDirectory() as name, throw_away_lab(Path(name) / "lab") as lab:
        folder = Path(name)
        schemes = {BY_NAME[client].scheme for client in asked.clients.split(",")}
        addresses = {scheme: started(lab, scheme) if scheme else "" for scheme in schemes}
        os.environ["SLUICE_LAB"] = str(folder / "lab")
        for variable in ("SLUICE_STATE", "SLUICE_CACHE"):  # not before: servers come from the cache
            os.environ[variable] = str(folder / variable)
        for case in cases(asked, folder, addresses):
            row = measured(case, asked.rounds)
            print(f"{'met   ' if row.passed else 'missed'} {row.goal}: {row.measured}", flush=True)
            passed = passed and row.passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
