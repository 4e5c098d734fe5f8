"""Requests wait while the connection to Cassandra is full, and for nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from driving import need_drivers


@pytest.fixture(autouse=True)
def driver() -> None:
    need_drivers("tiles", store="cassandra", address="somewhere")


class Answer(NamedTuple):
    success: bool
    result_or_exc: Any


def full(times: int = 1) -> Exception:
    from cassandra.cluster import NoHostAvailable
    from cassandra.connection import ConnectionBusy

    return NoHostAvailable("full", {n: ConnectionBusy("overloaded") for n in range(times)})


def gone() -> Exception:
    from cassandra.cluster import NoHostAvailable
    from cassandra.connection import ConnectionBusy

    return NoHostAvailable("gone", {1: ConnectionBusy("overloaded"), 2: OSError("refused")})


class Client:
    """Answers with its argument once it was asked often enough; counts the pauses."""

    def __init__(self, errors: Sequence[Exception]) -> None:
        self._errors = list(errors)
        self.pauses: list[float] = []
        self.asked: list[int] = []

    def one(self) -> str:
        if self._errors:
            raise self._errors.pop(0)
        return "answer"

    def many(self, arguments: Sequence[tuple[int]]) -> list[Answer]:
        self.asked.append(len(arguments))
        return [
            Answer(False, self._errors.pop(0))
            if number % 2 and self._errors
            else Answer(True, number)
            for (number,) in arguments
        ]


def patience(client: Client, seconds: float = 60.0) -> Any:
    from workloads.tiles.stores.cassandra_patience import Patience

    return Patience(seconds, client.pauses.append)


def test_that_a_request_waits_for_room() -> None:
    from workloads.tiles.stores.cassandra_patience import one_answer

    client = Client([full(), full(2), full()])
    assert one_answer(client.one, patience(client)) == "answer"
    assert client.pauses == sorted(client.pauses)
    assert len(client.pauses) == 3


def test_that_only_those_are_asked_again_that_found_no_room_and_the_order_is_kept() -> None:
    from workloads.tiles.stores.cassandra_patience import all_answers

    client = Client([full(), full(), full(), full()])
    arguments = [(number,) for number in range(7)]
    answers = all_answers(client.many, arguments, patience(client))
    assert [answer.result_or_exc for answer in answers] == list(range(7))
    assert client.asked == [7, 3, 1]


def test_that_a_server_that_is_gone_is_told_at_once() -> None:
    from workloads.tiles.stores.cassandra_patience import all_answers, one_answer

    for error in (gone(), ValueError("other")):
        client = Client([error])
        with pytest.raises(type(error)):
            one_answer(client.one, patience(client))
        client = Client([error])
        with pytest.raises(type(error)):
            all_answers(client.many, [(0,), (1,)], patience(client))
        assert client.pauses == []


def test_that_no_request_waits_longer_than_it_may_take() -> None:
    from workloads.tiles.stores.cassandra_patience import all_answers, one_answer

    client = Client([full()] * 9)
    with pytest.raises(type(full())):
        one_answer(client.one, patience(client, 0.0))
    with pytest.raises(type(full())):
        all_answers(client.many, [(1,)], patience(client, 0.0))
    assert client.pauses == []
