"""An application of Spark, one at a time in a process: started, and ended without a trace.

What it finds around it, folders, variables, settings and Java, is below one folder that ends with
it.  Settings are in a file that only its owner can read, because what pyspark itself is given shows
among the arguments of a process.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core import (
    RunFolder,
    SluiceError,
    cache_folder,
    find_java,
    reveal,
    spark_java_home,
    tr,
)
from workloads.tiles.stores.store import AddressForm, parse_address, require_listener

_MEMORY = "512m"  # of Java in the driver and in each executor; tiles are in Python
_PASSED_ON = ("SLUICE_CACHE", "SLUICE_LAB")
"""Variables that executors on this machine need; they hold no secret."""

_LOGGING = """\
rootLogger.level = error
rootLogger.appenderRef.errors.ref = errors
appender.errors.type = Console
appender.errors.name = errors
appender.errors.target = SYSTEM_ERR
appender.errors.layout.type = PatternLayout
appender.errors.layout.pattern = %p %c{1}: %m%n%ex
"""


def runs_here(master: str) -> bool:
    """Whether all of an application runs in processes that this one starts."""
    return master.startswith("local")


@contextmanager
def surroundings(master: str, secret: str) -> Iterator[None]:
    """Everything that Spark reads while it starts, until the end of the block.

    `secret` refers to what all applications of the master share; empty where they share nothing.
    Raises Unavailable without Java or the secret.
    """
    with _own_folder() as folder, _environment(_variables(folder)):
        settings = {**_settings(folder, master), **_authentication(master, secret)}
        _write_conf(folder / "conf", settings)
        yield


@contextmanager
def _own_folder() -> Iterator[Path]:
    """A new folder; those of killed processes are removed."""
    place = cache_folder() / "spark"
    place.mkdir(parents=True, exist_ok=True)
    folder = RunFolder(place, f"spark-{os.getpid()}-{secrets.token_hex(2)}")
    try:
        yield folder.path
    finally:
        folder.remove()


@contextmanager
def _environment(changes: Mapping[str, str | None]) -> Iterator[None]:
    """These variables until the end of the block; None = unset."""
    before = {name: os.environ.get(name) for name in changes}
    _set(changes)
    try:
        yield
    finally:
        _set(before)


def _set(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _variables(folder: Path) -> Mapping[str, str | None]:
    java = find_java().parents[2] / "bin" / "java"  # of lib/server/libjvm.so
    return {
        "JAVA_HOME": str(spark_java_home(java, folder / "java")),
        "SPARK_HOME": str(_spark_home(folder / "spark")),
        "SPARK_CONF_DIR": str(_made(folder / "conf")),
        "SPARK_LOCAL_DIRS": str(_made(folder / "local")),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": None,
        **_python(),
        # Flags that a user has set for other programs in Java print lines, or break it.
        **dict.fromkeys(("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"), None),
        # pyspark sets these and leaves them.
        **dict.fromkeys(("SPARK_AUTH_SOCKET_TIMEOUT", "SPARK_BUFFER_SIZE"), None),
    }


def _python() -> Mapping[str, str]:
    """By which Spark's own Python finds what this one has."""
    return {
        "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path),
        # Or a folder `core` where Sluice was started would come before Sluice's own.
        "PYTHONSAFEPATH": "1",
    }


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _spark_home(folder: Path) -> Path:
    """Spark as pyspark has it, in a place of its own, because executors work below it."""
    import pyspark

    _made(folder)
    for part in Path(pyspark.__file__).parent.iterdir():
        if part.name != "work":
            (folder / part.name).symlink_to(part)
    return folder


def _settings(folder: Path, master: str) -> Mapping[str, str]:
    passed_on = {name: os.environ[name] for name in _PASSED_ON if os.environ.get(name)}
    java = "-XX:-UsePerfData"  # which would stay in the system's temporary folder after a kill
    return {
        **(_LOOPBACK if _on_this_machine(master) else {}),
        "spark.driver.memory": _MEMORY,
        "spark.executor.memory": _MEMORY,
        "spark.driver.extraJavaOptions": f"{java} -Djava.io.tmpdir={_made(folder / 'tmp')}",
        "spark.executor.extraJavaOptions": java,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.task.maxFailures": "1",  # what is tried again would hide what failed
        **{
            f"spark.executorEnv.{name}": value for name, value in {**passed_on, **_python()}.items()
        },
    }


_LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}


def _on_this_machine(master: str) -> bool:
    host = urlsplit(master).hostname or ""
    return runs_here(master) or host == "localhost" or host.startswith("127.")


def _authentication(master: str, secret: str) -> Mapping[str, str]:
    """Without a secret, an application's ports would run any local user's code."""
    if not secret and not runs_here(master):
        return {}
    shared = reveal(secret) if secret else secrets.token_urlsafe(32)
    return {"spark.authenticate": "true", "spark.authenticate.secret": shared}


def _write_conf(folder: Path, settings: Mapping[str, str]) -> None:
    # Java reads a backslash as the begin of an escape.
    escaped = {name: value.replace("\\", "\\\\") for name, value in settings.items()}
    text = "".join(f"{name} {value}\n" for name, value in escaped.items())
    opened = os.open(folder / "spark-defaults.conf", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "w", encoding="utf-8") as file:
        file.write(text)
    (folder / "log4j2.properties").write_text(_LOGGING, "utf-8")


_FORM = AddressForm(example="spark://host:port", port=7077, most_parts=0)
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
            conf = SparkConf(loadDefaults=False).setMaster(master).setAppName("sluice")
            context = _begun(conf, master)
            try:
                yield context
            finally:
                context.stop()
        finally:
            _end_java(SparkContext)


def _begun(conf: Any, master: str) -> Any:
    from py4j.protocol import Py4JError
    from pyspark import SparkContext
    from pyspark.errors import PySparkException

    try:
        return SparkContext(conf=conf)
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
    sentences = [line.strip() for line in lines if line.strip()]
    return sentences[0] if sentences else type(error).__name__
