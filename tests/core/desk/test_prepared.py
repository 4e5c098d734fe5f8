"""Which file a run is written into."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk import Prepared
from core.measure import sessions_folder
from core.run import Request, Session, agree
from core.vocabulary import Dataset, open_dataset

RAW = Request(workload="raw", values={"block_size": 4096})


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SESSIONS", "STATE", "CACHE"):
        monkeypatch.setenv(f"SLUICE_{name}", str(tmp_path / name))


def data(folder: Path) -> Dataset:
    folder.mkdir()
    (folder / "one").write_bytes(bytes(8192))
    return open_dataset(folder, ("files",))


def begun(request: Request, dataset: Dataset, session: Session | None) -> Session:
    return Prepared.for_request(request, dataset, session)().session


def test_that_a_session_holds_one_question(tmp_path: Path) -> None:
    here, there = data(tmp_path / "here"), data(tmp_path / "there")
    first = begun(RAW, here, None)
    assert begun(Request(workload="raw", values={"block_size": 8192}), here, first) is first
    assert len(first.runs()) == 2
    for request, dataset in (
        (RAW, there),
        (Request(workload="command", values={"run": "ls {dataset}"}), here),
    ):
        with begun(request, dataset, first) as other:
            assert (other.path != first.path, other.moved) == (True, "")
    first.close()


def test_that_what_somebody_else_has_begun_is_repeated_and_resumed_in_a_file_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset, sent = data(tmp_path / "here"), tmp_path / "sent.sluice"
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("SLUICE_STATE", str(tmp_path / "another home"))
        begun(RAW, dataset, Session.create(sent)).close()
    before = sent.read_bytes()
    with Session.open(sent) as opened:
        agree(opened.run(1))
        again = begun(RAW, dataset, opened)
        rest = Prepared.rest_of(opened, 1)()
        for session in (again, rest.session):
            assert session.path.parent == sessions_folder()
            assert session.moved.startswith("sent.sluice was begun by somebody else")
            assert session.own
            session.close()
        assert rest.newer == rest.session.moved
    assert sent.read_bytes() == before
