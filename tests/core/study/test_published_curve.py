"""What a study published, beside what was measured here."""

from __future__ import annotations

import building
import msgspec
import pytest

from core.output.throughput_figure import published_curve
from core.study.preset import load_study

pytestmark = pytest.mark.quick

STUDY = load_study("seqrepo-fd-cache")


def test_that_a_setting_has_the_published_figures_of_its_cells_by_threads() -> None:
    of = building.spec(parameters={"cache": "lru-locked", "reader": "pysam"}, threads=3)
    assert published_curve(STUDY, of) == ((1, 1116.0), (10, 2161.0))


def test_that_another_workload_or_setting_has_none() -> None:
    assert published_curve(STUDY, building.spec("raw", parameters={"cache": "lru"})) == ()
    assert published_curve(STUDY, building.spec(parameters={"cache": "unheard of"})) == ()


@pytest.mark.parametrize("changes", [{"metric": "byte_rate"}, {"published_unit": "passes/h"}])
def test_that_figures_in_another_unit_are_not_drawn_over_operations(
    changes: dict[str, str],
) -> None:
    other = msgspec.structs.replace(STUDY, **changes)
    assert published_curve(other, building.spec(parameters={"cache": "lru"})) == ()
