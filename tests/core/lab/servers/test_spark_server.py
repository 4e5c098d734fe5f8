"""Spark as its recipe starts it, with an application in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
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


def apply(server: Running, folder: Path, defaults: str) -> subprocess.CompletedProcess[str]:
    settings = folder / "spark-defaults.conf"
    settings.touch(mode=0o600)
    settings.write_text(defaults, "utf-8")
    environment = {**os.environ, **server.server.commands[0].env}
    environment |= {"SPARK_CONF_DIR": str(folder), "PYSPARK_PYTHON": sys.executable}
    return subprocess.run(
        [sys.executable, "-c", APPLICATION, server.server.address],
        env=environment,
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE,
        check=False,
    )


def test_that_an_application_with_the_secret_is_carried_out_by_the_worker(
    server: Running, tmp_path: Path
) -> None:
    done = apply(server, tmp_path, spark_defaults(server.server.secrets["secret"]))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "328350"


def test_that_an_application_without_the_secret_is_refused(server: Running, tmp_path: Path) -> None:
    done = apply(server, tmp_path, "")
    assert done.returncode != 0
    assert "328350" not in done.stdout
