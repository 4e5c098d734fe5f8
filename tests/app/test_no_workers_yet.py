"""The first look at a trial may come before any worker has begun."""

import building
import msgspec
import pytest

from app.plots.measures import measures

pytestmark = pytest.mark.window


def test_that_a_look_without_workers_is_measured_as_nothing() -> None:
    moment = building.trial(building.spec()).moments[0]
    nobody = msgspec.structs.replace(moment, operations=(), cpu=())
    assert measures([nobody], None).cpu.shape[0] == 1
