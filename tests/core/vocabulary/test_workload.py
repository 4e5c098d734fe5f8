"""What a workload declares: servers of the lab that it needs, and what its results count for."""

from __future__ import annotations

from typing import Any

import pytest
from rigged_truths import StartJob

from core.lab.servers import SERVERS, recipe_of
from core.vocabulary import Secret, ServerUse, Value, Weight, build, declared, workloads
from core.vocabulary.registry import load_workload, servers_of

pytestmark = pytest.mark.quick

USES = [(entry.name, use) for entry in workloads().values() for use in entry.servers]
STORE = ServerUse(
    server="s3", at={"store": "s3"}, in_front="proxy", values={"key": "lab:s3/access-key"}
)
CLUSTER = ServerUse(server="spark", at={"reader": "rdd"}, parameter="master")


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({"store": "s3", "address": ""}, STORE),
        ({"store": "s3"}, STORE),
        ({"store": "s3", "address": "s3://mine"}, None),
        ({"store": "file", "address": ""}, None),
        ({"store": "s3", "address": "s3://mine", "reader": "rdd", "master": ""}, CLUSTER),
        ({"store": "s3", "address": "s3://mine", "reader": "rdd", "master": "local[*]"}, None),
    ],
)
def test_that_a_server_is_wanted_where_it_is_needed_and_not_named(
    values: dict[str, Value], wanted: ServerUse | None
) -> None:
    assert next((one for one in (STORE, CLUSTER) if one.unknown_to(values)), None) == wanted


def test_that_a_server_in_front_is_asked_where_it_stands_in_front_of_this_one() -> None:
    own = {"s3": "s3://b?endpoint=1", "cassandra": "cassandra://c"}
    assert STORE.found(own) == {"address": own["s3"], "key": "lab:s3/access-key"}
    assert STORE.found({**own, "proxy": "s3://b?endpoint=2"})["address"] == "s3://b?endpoint=2"
    assert STORE.found({**own, "proxy": "cassandra://p"})["address"] == own["s3"]


@pytest.mark.parametrize(("name", "use"), USES, ids=[f"{name}-{use.server}" for name, use in USES])
def test_that_what_is_declared_fits_the_workload_and_the_server(name: str, use: ServerUse) -> None:
    workload = load_workload(name)
    kinds = {kind.name: kind for kind in declared(workload.parameters)}
    assert use.server in SERVERS
    assert not use.in_front or use.in_front in SERVERS
    build(workload.parameters, {**use.at, **use.values})
    references = {value for at, value in use.values.items() if isinstance(kinds[at], Secret)}
    recipe = recipe_of(use.server)
    told = set(recipe.secrets) - {"signing-key"}  # which its own processes share
    assert references == {f"lab:{use.server}/{one}" for one in told}
    assert use.parameter in kinds


def test_that_a_workload_in_no_table_needs_no_server() -> None:
    assert servers_of("somebodys:Workload") == ()


@pytest.mark.parametrize("result", ["text", b"text", bytearray(b"text"), memoryview(b"text")])
def test_that_text_and_bytes_count_as_an_operation_of_their_length(result: Any) -> None:
    assert StartJob().weigh([result, result]) == Weight(2, 8)


@pytest.mark.parametrize("result", [7, ("two", "parts"), ["two", "parts"], {"a": "part"}])
def test_that_the_author_hears_that_other_results_have_no_length_in_bytes(result: Any) -> None:
    with pytest.raises(TypeError, match="weigh must say how many bytes"):
        StartJob().weigh([b"text", result])
