"""What the results of a job count for."""

from typing import Any

import pytest
from rigged_truths import StartJob

from core.catalog.workload_job import Weight


@pytest.mark.parametrize("result", ["text", b"text", bytearray(b"text"), memoryview(b"text")])
def test_that_text_and_bytes_count_as_an_operation_of_their_length(result: Any) -> None:
    assert StartJob().weigh([result, result]) == Weight(2, 8)


@pytest.mark.parametrize("result", [7, ("two", "parts"), ["two", "parts"], {"a": "part"}])
def test_that_the_author_hears_that_other_results_have_no_length_in_bytes(result: Any) -> None:
    with pytest.raises(TypeError, match="weigh must say how many bytes"):
        StartJob().weigh([b"text", result])
