"""What an application of Spark finds around it: folders, variables, settings, Java.

All is below one folder that ends with the application.  Settings are in a file that only its owner
can read, because what pyspark itself is given shows among the arguments of a process.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from core import cache_folder, find_java, is_named, reveal, spark_java_home

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
    with throw_away_folder(cache_folder() / "spark") as folder, _environment(_variables(folder)):
        settings = {**_settings(folder, master), **_authentication(master, secret)}
        _write_conf(folder / "conf", settings)
        yield


@contextmanager
def throw_away_folder(place: Path) -> Iterator[Path]:
    """A new folder in that place; first what killed processes have left there is removed."""
    place.mkdir(parents=True, exist_ok=True)
    for left in place.iterdir():
        with suppress(OSError), _lock_of(left) as mine:
            if mine:
                shutil.rmtree(left, ignore_errors=True)
    while True:
        folder = Path(tempfile.mkdtemp(dir=place))
        # Before it is locked, another process may take it for one that was left.
        with _lock_of(folder) as mine:
            if not mine:
                continue
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            return


@contextmanager
def _lock_of(folder: Path) -> Iterator[bool]:
    """Whether a folder could be locked, until the end of the block; the kernel takes the lock from
    who dies.
    """
    try:
        opened = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:  # somebody else has removed it
        yield False
        return
    try:
        yield _is_locked(opened, folder)
    finally:
        os.close(opened)


def _is_locked(opened: int, folder: Path) -> bool:
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return is_named(opened, folder)


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
    return {
        "JAVA_HOME": str(spark_java_home(_java(), folder / "java")),
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


def _java() -> Path:
    return find_java().parents[2] / "bin" / "java"  # of lib/server/libjvm.so


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
    text = "".join(f"{name} {_escaped(value)}\n" for name, value in settings.items())
    opened = os.open(folder / "spark-defaults.conf", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "w", encoding="utf-8") as file:
        file.write(text)
    (folder / "log4j2.properties").write_text(_LOGGING, "utf-8")


def _escaped(value: str) -> str:
    """A value as Java reads it back from a file of properties."""
    return value.replace("\\", "\\\\")
