"""An application of Spark, one at a time in a process: started, and ended without a trace."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from core import Driver, SluiceError, tr
from workloads.tiles.spark_settings import runs_here, surroundings
from workloads.tiles.stores.address import Form, parse_address, require_listener

PYSPARK = Driver(module="pyspark", distribution="pyspark", install='make .venv EXTRAS="spark"')

_FORM = Form(shown="spark://host:port", port=7077, most_parts=0)
_ANSWER = 5.0  # seconds for a master to answer
_PATIENCE = 20.0  # seconds for Java to end by itself


@contextmanager
def spark_application(master: str, secret: str = "") -> Iterator[Any]:
    """The `SparkContext` of an application on a master.

    `secret` refers to what all applications of the master share.  Raises Unavailable without Java
    or the secret, and SluiceError where Spark does not start.
    """
    from pyspark import SparkConf, SparkContext

    if not runs_here(master):
        # Spark itself tries for a minute.
        require_listener(parse_address(master, _FORM).hosts, _ANSWER)
    with surroundings(master, secret):
        try:
            # Only what anybody may see: these become arguments of a process.
            asked = SparkConf(loadDefaults=False).setMaster(master).setAppName("sluice")
            context = _begun(asked, master)
            try:
                yield context
            finally:
                context.stop()
        finally:
            _end_java(SparkContext)


def _begun(asked: Any, master: str) -> Any:
    from py4j.protocol import Py4JError
    from pyspark import SparkContext
    from pyspark.errors import PySparkException

    try:
        return SparkContext(conf=asked)
    except (Py4JError, PySparkException) as error:
        raise SluiceError(
            tr("Spark does not start on {master}: {why}", master=master, why=own_words(error)),
            tr("check that the master runs, its address, and its secret in spark_secret"),
        ) from error


def _end_java(spark: Any) -> None:
    """End the process of Java that pyspark would keep for the rest of this one's life."""
    gateway, spark._gateway, spark._jvm = spark._gateway, None, None
    if gateway is None:
        return
    process: subprocess.Popen[bytes] = gateway.proc
    with suppress(OSError):
        gateway.shutdown()
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()  # its signal to end
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def own_words(error: Exception) -> str:
    """What went wrong, without the traces of Java and Python around it."""
    java = getattr(error, "java_exception", None)
    lines = str(error if java is None else java.toString()).splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("Traceback (")]
    if starts:
        # The error comes after the trace's own lines, which are indented.
        for line in lines[starts[-1] + 1 :]:
            if line and not line[0].isspace():
                return line
    told = [line.strip() for line in lines if line.strip()]
    return told[0] if told else type(error).__name__
