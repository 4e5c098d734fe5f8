"""A cluster that takes only those who show a certificate: Dask's settings are all that it needs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from dask_cluster import DaskProcesses
from patience import PATIENCE
from rigged_secrets import in_session

from core.run import Session
from core.vocabulary import Completed

pytestmark = pytest.mark.tool("openssl")

_SETTINGS = """
[req]
distinguished_name = name
prompt = no
[name]
CN = a lab
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
[node]
basicConstraints = critical,CA:FALSE
"""
_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
_TLS = "DASK_DISTRIBUTED__COMM__TLS__"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority, and a key that it vouches for."""
    folder = tmp_path_factory.mktemp("keys-of-the-lab")
    (folder / "settings").write_text(_SETTINGS)
    made = ("openssl", "req", "-x509", "-config", "settings", *_KEY)
    authority = ("-extensions", "authority", "-keyout", "ca.key", "-out", "ca.crt")
    node = ("-extensions", "node", "-keyout", "node.key", "-out", "node.crt")
    for words in (authority, (*node, "-CA", "ca.crt", "-CAkey", "ca.key")):
        subprocess.run([*made, *words], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def over_tls(keys: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    flags = (
        "--protocol=tls",
        f"--tls-ca-file={keys / 'ca.crt'}",
        f"--tls-cert={keys / 'node.crt'}",
        f"--tls-key={keys / 'node.key'}",
    )
    with DaskProcesses(tmp_path_factory.mktemp("over-tls"), *flags) as dask:
        dask.worker()
        dask.worker()
        yield dask


def run(
    dask: DaskProcesses, session: Path, settings: Mapping[str, Path]
) -> subprocess.CompletedProcess[str]:
    """A short run on both nodes, with these of Dask's settings."""
    words = f"measure raw --nodes 2 --duration 0.5 --warm-up 0 --repeats 1 --cluster {dask.address}"
    return subprocess.run(
        [sys.executable, "-m", "core", *words.split(), f"--session={session}"],
        env=os.environ | {_TLS + name: str(path) for name, path in settings.items()},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def test_that_a_cluster_measures_over_tls_with_the_settings_of_dask(
    over_tls: DaskProcesses, keys: Path, tmp_path: Path
) -> None:
    assert over_tls.address.startswith("tls://")
    session = tmp_path / "a.sluice"
    mine = {"CLIENT__CERT": keys / "node.crt", "CLIENT__KEY": keys / "node.key"}
    done = run(over_tls, session, {"CA_FILE": keys / "ca.crt", **mine})
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "never retrieved" not in done.stderr
    with Session.read(session) as kept_session:
        (result,) = kept_session.results()
    (trial,) = result.trials
    assert trial.outcome == Completed()
    assert len(trial.nodes) == 2
    assert all(node.address.startswith("tls://") for node in trial.nodes)
    kept = in_session(session)
    assert over_tls.address in kept
    for found in (kept, done.stdout, done.stderr):
        assert keys.name not in found
        assert "node.key" not in found
        assert _TLS not in found
    (secret,) = (keys / "node.key").read_text().splitlines()[1:-1][:1]
    assert secret not in kept


@pytest.mark.parametrize("known", [(), ("CA_FILE",)], ids=["no settings", "no certificate"])
def test_that_without_certificates_one_line_says_what_is_wrong(
    over_tls: DaskProcesses, keys: Path, tmp_path: Path, known: tuple[str, ...]
) -> None:
    settings = dict.fromkeys(known, keys / "ca.crt")
    done = run(over_tls, tmp_path / "a.sluice", settings)
    assert done.returncode in (1, 2)
    _, doing, told = (line for line in done.stderr.splitlines() if line)
    assert doing == f"connecting to the cluster {over_tls.address}"
    assert f"the cluster {over_tls.address} wants a certificate (set DASK_DISTRIBUTED__" in told
    assert "Traceback" not in done.stdout + done.stderr
