"""The lock files fit together and name no index, so that any mirror serves."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parent.parent
WHOLE = ROOT / "requirements.lock"
SLICES = sorted((ROOT / "requirements").glob("*.lock"))


def pins(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ;\\]+)", lock.read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("lock", SLICES, ids=lambda lock: lock.stem)
def test_that_a_slice_pins_what_the_whole_pins(lock: Path) -> None:
    assert pins(lock)
    assert pins(lock).items() <= pins(WHOLE).items()


def test_that_the_slices_together_are_the_whole() -> None:
    assert set().union(*map(pins, SLICES)) == set(pins(WHOLE))


@pytest.mark.parametrize(
    "lock", [WHOLE, ROOT / "packaging" / "uv.lock", *SLICES], ids=lambda lock: lock.stem
)
def test_that_a_lock_has_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text
    assert "--index" not in text
    for block in re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in block
