"""PMTiles behind S3 and plain http: adopted by their address, read by ranges, refused where cut."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from driving import copied, need_drivers, printed_by
from layout_files import TILES, write_pmtiles
from one_trial import one_trial
from store_conformance import LOAD, Site, new_layer, secrets_of

from core.language import SluiceError
from core.tell.cli import main
from core.vocabulary import Completed, Dataset, open_dataset, specify
from workloads.shared.objects import client_for
from workloads.tiles.layer_in_store import place_layer
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.stores.remote_ranges import place_of
from workloads.tiles.stores.store import Opening

SERVERS = [pytest.param(name, marks=pytest.mark.lab(name)) for name in ("s3", "http")]


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> Site:
    need_drivers("tiles", store="pmtiles")
    found: Site = request.getfixturevalue(f"{request.param}_site")
    return found


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))


def placed(server: Site, content: bytes) -> str:
    """The name of a new archive on a server."""
    name = new_layer()
    opening = Opening(
        address=server.address,
        layer=name,
        threads=1,
        parameters=server.asked(),
        tally=lambda name, by: None,
    )
    place, prefix = place_of(opening)
    with closing(client_for("auto", server.store).open(place, opening.tally)) as objects:
        objects.put(f"{prefix}{name}.pmtiles", content)
    return name


def values(server: Site, **more: Any) -> dict[str, Any]:
    return {**server.parameters, "store": "pmtiles", "address": server.address, **more}


def address_on(server: Site, name: str) -> str:
    place, mark, query = server.address.partition("?")
    return f"{place.rstrip('/')}/{name}.pmtiles{mark}{query}"


def logins_of(server: Site) -> list[str]:
    return [
        word
        for key, value in server.parameters.items()
        for word in (f"--{key.replace('_', '-')}", str(value))
    ]


def adopt(server: Site, name: str, folder: Path) -> int:
    where = ["--store", "pmtiles", "--address", address_on(server, name), *logins_of(server)]
    return main(["dataset", "adopt", "tile-layer", *where, str(folder)])


def test_that_a_remote_archive_is_adopted_and_read_by_ranges(server: Site, tmp_path: Path) -> None:
    name = placed(server, write_pmtiles(tmp_path / "a.pmtiles", TILES).read_bytes())
    assert adopt(server, name, tmp_path / "catalogue") == 0
    dataset = open_dataset(tmp_path / "catalogue")
    done = one_trial(specify("tiles", dataset, LOAD | values(server)))
    assert (done.outcome, done.operations, done.wrong) == (Completed(), len(TILES), 0)
    # The size, the header and the root, and a range for each tile.
    assert done.counters["requests"] == len(TILES)

    code = printed_code(dataset, server)
    assert code == f"{sum(map(len, TILES.values()))} bytes"


def printed_code(dataset: Dataset, server: Site) -> str:
    given = values(server, depth="fetch")
    return printed_by(copied("tiles", dataset, **given)["Python"], secrets_of(given))


def test_that_a_remote_archive_that_is_cut_off_or_absent_is_one_sentence(
    server: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = write_pmtiles(tmp_path / "a.pmtiles", TILES).read_bytes()
    cut = placed(server, whole[:-100])
    for name, told in ((cut, "is damaged: it has"), ("nothing", "nothing.pmtiles")):
        assert adopt(server, name, tmp_path / name) in (1, 2)
        shown = capsys.readouterr().err
        assert told in shown
        assert "Traceback" not in shown
        assert not (tmp_path / name).exists()


def test_that_a_remote_archive_is_not_written(server: Site, tmp_path: Path) -> None:
    (tmp_path / "layer").mkdir()
    make_layer(LayerShape(columns=2, rows=2, tile_size=8), tmp_path / "layer", lambda *_: None)
    spec = specify("tiles", open_dataset(tmp_path / "layer"), LOAD | values(server))
    with pytest.raises(SluiceError, match="is only read"):
        place_layer(spec.dataset, spec.setting.parameters, lambda *_: None)


def test_that_the_address_of_an_archive_is_all_that_a_command_needs(
    server: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path / "sessions"))
    name = placed(server, write_pmtiles(tmp_path / "a.pmtiles", TILES).read_bytes())
    short = ["threads=2", "--round-trip", "5ms", "--duration", "0", "--repeats", "1", "--yes"]
    assert main(["measure", address_on(server, name), *logins_of(server), *short, "--json"]) == 0
    told = capsys.readouterr().out
    ended = [line for line in told.splitlines() if line.startswith('{"type":"trial-ended"')]
    assert ended
    assert all('"outcome":{"type":"completed"' in line for line in ended)
