"""How a trial that failed says why."""

from __future__ import annotations

import pytest

from core.errors import DatasetError, SluiceError, Unavailable
from core.result.outcome import Failed, describe

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("kind", [SluiceError, DatasetError, Unavailable])
def test_that_what_sluice_says_to_its_user_comes_without_a_class_of_its_own(
    kind: type[SluiceError],
) -> None:
    error = kind("the bucket is not there", "make it first")
    failed = Failed(stage="placing", error=type(error).__name__, message=str(error))
    assert describe(failed) == "failed while placing: the bucket is not there (make it first)"


def test_that_an_error_of_somebody_else_is_named() -> None:
    failed = Failed(stage="opening", error="KeyError", message="'reads'")
    assert describe(failed) == "failed while opening: KeyError: 'reads'"


@pytest.mark.parametrize("error", ["MemoryError", "SluiceError"])
def test_that_an_error_without_a_message_is_named(error: str) -> None:
    assert describe(Failed(stage="opening", error=error, message="")) == (
        f"failed while opening: {error}"
    )
