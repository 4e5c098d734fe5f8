"""Spark as its recipe starts it, with an application in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from patience import PATIENCE
from serving import Running

from core.lab.servers.spark import spark_defaults

pytestmark = [
    pytest.mark.lab("spark"),
    pytest.mark.parametrize("server", ["spark"], indirect=True),
]

APPLICATION = """
import sys
from pyspark import SparkConf, SparkContext

conf = SparkConf().setMaster(sys.argv[1]).setAppName("test")
conf.set("spark.ui.enabled", "false").set("spark.driver.host", "127.0.0.1")
conf.set("spark.driver.bindAddress", "127.0.0.1").set("spark.executor.memory", "512m")
with SparkContext(conf=conf) as context:
    print(context.parallelize(range(100), 2).map(lambda number: number * number).sum())
"""


@contextmanager
def application(server: Running, folder: Path, defaults: str) -> Iterator[subprocess.Popen[str]]:
    """One that runs with these settings, and ends with its Java in the end."""
    settings = folder / "spark-defaults.conf"
    settings.touch(mode=0o600)
    settings.write_text(defaults, "utf-8")
    environment = {**os.environ, **server.server.commands[0].env}
    environment |= {"SPARK_CONF_DIR": str(folder), "PYSPARK_PYTHON": sys.executable}
    with subprocess.Popen(
        [sys.executable, "-c", APPLICATION, server.server.address],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as running:  # fmt: skip
        try:
            yield running
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def test_that_an_application_with_the_secret_is_carried_out_by_the_worker(
    server: Running, tmp_path: Path
) -> None:
    with application(server, tmp_path, spark_defaults(server.server.secrets["secret"])) as running:
        printed, complaints = running.communicate(timeout=5 * PATIENCE)
    assert running.returncode == 0, complaints
    assert printed.strip() == "328350"


def test_that_an_application_without_the_secret_is_refused(server: Running, tmp_path: Path) -> None:
    with application(server, tmp_path, "") as running:
        assert running.stderr is not None
        assert running.stdout is not None
        # It would try three times, each for 20 seconds that nobody can change.
        assert any("Failed to connect to master" in line for line in running.stderr)
        os.killpg(running.pid, signal.SIGKILL)
        assert "328350" not in running.stdout.read()
