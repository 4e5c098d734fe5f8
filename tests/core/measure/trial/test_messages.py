"""Messages between the parent and its children."""

from __future__ import annotations

import msgspec
import pytest

from core.language import remember
from core.measure.trial.messages import HelperTask, encode_message
from core.vocabulary import PhaseProgress

pytestmark = pytest.mark.quick


def test_that_a_name_that_is_also_somebodys_secret_reaches_a_child_and_is_not_told_by_it() -> None:
    """As of many a server that is tried: user and password are the same word."""
    remember("minioadmin-7", "env:SECRET_KEY")
    task = HelperTask(what="place", parameters={"access_key": "minioadmin-7"})
    assert msgspec.json.decode(encode_message(task), type=HelperTask) == task
    told = encode_message(PhaseProgress(phase="placing", detail="as minioadmin-7"))
    assert b"minioadmin-7" not in told
    assert b"<env:SECRET_KEY>" in told
