"""Spark: a standalone master and one worker, which start the executors of any application.

All of them and every application share a secret: an open master would run any local user's code as
this one.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import shlex
from collections.abc import Mapping
from pathlib import Path

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site, local_answer
from core.lab.servers.java_servers import no_options_of_others, temporary
from core.measure import affinity_cores, resources_folder, spark_java_home
from core.vocabulary import Driver

DRIVER = Driver(module="pyspark", distribution="pyspark", install="pip install sluice[spark]")
_HEAP = "256m"  # of the master and of the worker each; executors are as large as their drivers ask
_MEMORY = "2g"  # for all executors together

# A worker that finds no master asks again after ten seconds only.
_WHEN_LISTENING = (
    'until (exec 3<>"/dev/tcp/127.0.0.1/$0") 2>/dev/null; do sleep 0.1; done; exec "$@"'
)


def spark_defaults(secret: str) -> str:
    """The file `spark-defaults.conf` of everybody who takes part, drivers too.

    A driver finds it in the folder that its environment's SPARK_CONF_DIR names; given to pyspark
    as a setting, the secret would be among the arguments of a process.
    """
    return f"spark.authenticate true\nspark.authenticate.secret {secret}\n"


def _start(kit: Kit, site: Site) -> Server:
    DRIVER.require()
    secret, port, ui = site.secrets["secret"], site.ports["main"], site.ports["ui"]
    environment = _environment(kit, site)
    spark_class = str(_spark_home() / "bin" / "spark-class")
    master = (
        *(spark_class, "org.apache.spark.deploy.master.Master"),
        *("--host", "127.0.0.1", "--port", str(port), "--webui-port", str(ui)),
    )
    worker = (
        *("bash", "-c", _WHEN_LISTENING, str(port)),
        *(spark_class, "org.apache.spark.deploy.worker.Worker"),
        *("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"),
        *("--cores", str(affinity_cores()), "--memory", _MEMORY),
        *("--work-dir", str(site.folder / "work"), f"spark://127.0.0.1:{port}"),
    )
    return Server(
        commands=(
            ServerCommand(name="master", argv=master, env=environment),
            ServerCommand(name="worker", argv=worker, env=environment),
        ),
        ready=functools.partial(_ready, ui),
        address=f"spark://127.0.0.1:{port}",
        secrets={"secret": secret},
        grace=20.0,
    )


def _environment(kit: Kit, site: Site) -> Mapping[str, str]:
    defaults = spark_defaults(site.secrets["secret"])
    # Without an interface nobody can kill an application; REST submission knows no secret.
    closed = "spark.ui.killEnabled false\nspark.master.rest.enabled false\n"
    site.write_secret("spark-defaults.conf", defaults + closed)
    folder, logging = temporary(site), resources_folder() / "lab" / "log4j2.properties"
    options = f"-XX:-UsePerfData -Dlog4j2.configurationFile={logging.as_uri()}"
    return {
        **no_options_of_others(),
        "JAVA_HOME": str(spark_java_home(kit.java(), site.folder / "java")),
        "SPARK_HOME": str(_spark_home()),
        "SPARK_CONF_DIR": str(site.folder),
        "SPARK_LOCAL_DIRS": str(folder),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_PUBLIC_DNS": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": _HEAP,
        "SPARK_DAEMON_JAVA_OPTS": f"{options} -Djava.io.tmpdir={shlex.quote(str(folder))}",
        "SPARK_MASTER_OPTS": "",
        "SPARK_WORKER_OPTS": "",
    }


def _spark_home() -> Path:
    """Where pyspark is installed, with all of Spark inside; found without importing it."""
    spec = importlib.util.find_spec(DRIVER.module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _ready(ui: int) -> bool:
    """Whether the master answers and a worker has registered."""
    state = json.loads(local_answer(ui, "/json/"))
    return bool(state["status"] == "ALIVE" and state["aliveworkers"] >= 1)


SPARK = Recipe(
    name="spark",
    title="Spark, a master and a worker",
    start=_start,
    ports=("main", "ui"),
    secrets=("secret",),
    java=True,
)
