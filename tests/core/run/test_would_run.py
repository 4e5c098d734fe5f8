"""What a plan would run here is said in full before, and nothing of it is loaded for that."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import building
import foreign_sessions
import pytest

from core.language import INVISIBLE
from core.run import Session, WouldRun
from core.run.session.plan_trust import trust
from core.vocabulary import Dataset


def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The lines of each way in; fails if anything ran."""
    monkeypatch.syspath_prepend(str(tmp_path))
    mark = tmp_path / "ran"
    found = {
        name: "\n".join(WouldRun.of(specs).lines)
        for name, specs, _ in foreign_sessions.ways_in(tmp_path, mark)
    }
    assert not mark.exists()
    assert foreign_sessions.MODULE not in sys.modules
    return found


def test_that_every_way_in_is_named_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = listed(tmp_path, monkeypatch)
    touch = f"/usr/bin/touch {tmp_path / 'ran'}"
    for name in ("program", "shell", "prepare", "check", "conclude", "normalise", "own value"):
        assert touch in found[name], name
    assert "shell: yes" in found["shell"]
    assert f"folder: {tmp_path}" in found["output folder"]
    assert "env:AWS_SECRET_ACCESS_KEY" in found["secret"]
    assert f"loaded from {tmp_path / foreign_sessions.MODULE}.py" in found["module"]
    assert "which is not found here" in found["module in a package"]
    server = foreign_sessions.SERVER
    assert f"data: s3://{server}/x" in found["dataset on a server"]
    assert f"address: s3://bucket/x?endpoint=http://{server}" in found["server"]
    assert f"jars: {tmp_path / 'sent.jar'}" in found["jars"]
    assert "secret key: keyring:sluice/token" in found["secrets for a server"]
    assert "token: env:HOME" in found["token for a server"]
    assert "data: /etc" in found["dataset elsewhere"]
    assert f"data: {tmp_path / 'no'}" in found["dataset that is gone"]
    assert found["dataset of the whole disk"].endswith("data: /")  # nobody waits for a look at it


def test_that_what_steers_is_visible_and_what_is_long_is_cut_with_its_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = listed(tmp_path, monkeypatch)
    assert not INVISIBLE.search("".join(found.values()).replace("\n", ""))
    assert "\\u202e" in found["steering"]
    told = found["100,000 letters"]
    assert len(told) < 20_000
    assert re.search(r"… 9\d,\d{3} letters left out …", told)
    assert f"; /usr/bin/touch {tmp_path / 'ran'}" in told  # the end of a text is shown, too


def test_that_many_settings_cannot_hide_one_among_them() -> None:
    specs = [building.spec("command", parameters={"run": f"true {n}"}) for n in range(500)]
    found = WouldRun.of(specs)
    assert found.cut
    assert any("450 more" in line for line in found.lines)
    assert not WouldRun.of(specs[:3]).cut


@pytest.mark.parametrize(
    ("location", "told"), [("", "{}"), ("data", "{}/data"), ("..", "{0.parent}")]
)
def test_that_data_of_a_relative_path_is_named_with_its_folder(location: str, told: str) -> None:
    data = Dataset(kind="files", location=location, fingerprint="00")
    found = WouldRun.of([building.spec("raw", parameters={"block_size": 4096}, data=data)])
    assert f"data: {told.format(Path.cwd())}" in found.lines


def test_that_settings_are_trusted_as_parts_of_a_trusted_run(tmp_path: Path) -> None:
    own, other = (building.spec("raw", parameters={"block_size": n}) for n in (512, 4096))
    path = tmp_path / "sent.sluice"
    with Session.create(path) as session:
        number = session.begin_run(building.plan([own]), building.environment(), {}, ())
        session.begin_run(building.plan([other]), building.environment(), {}, ())
        assert not WouldRun.all_trusted([own], [path])
        trust(session.run(number))
    assert WouldRun.all_trusted([own], [path])
    assert not WouldRun.all_trusted([own, other], [path])
    assert not WouldRun.all_trusted([own], [])
