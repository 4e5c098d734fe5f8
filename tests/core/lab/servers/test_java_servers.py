"""What holds for every server in Java: real ones, each started by its recipe."""

from __future__ import annotations

import stat
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from serving import ODD, PLAIN, Running

from core.errors import SluiceError
from core.lab.recipe import Kit, Site
from core.lab.servers import recipe_of
from core.language.reporting import report_to_nobody

SERVERS = ("accumulo", "cassandra", "hdfs", "spark")

every_server = pytest.mark.parametrize(
    "server",
    [pytest.param(name, marks=pytest.mark.lab(name)) for name in SERVERS],
    indirect=True,
)


@every_server
def test_that_the_address_is_on_loopback_and_tells_no_secret(server: Running) -> None:
    address = urlsplit(server.server.address)
    assert address.hostname == "127.0.0.1"
    assert address.port == server.site.ports["main"]
    assert not [one for one in server.site.secrets.values() if one in server.server.address]


@every_server
def test_that_what_a_client_needs_is_a_secret_of_the_site(server: Running) -> None:
    assert set(server.server.secrets.values()) == set(server.site.secrets.values())


@every_server
def test_that_no_secret_is_among_the_arguments_of_a_process(server: Running) -> None:
    arguments = server.arguments()
    assert any(str(server.site.folder) in word for word in arguments)
    for secret in server.site.secrets.values():
        assert not [word for word in arguments if secret in word]


@every_server
def test_that_no_secret_is_printed(server: Running) -> None:
    said = server.said()
    assert said
    assert not [secret for secret in server.site.secrets.values() if secret in said]


@every_server
def test_that_only_its_owner_can_read_a_file_with_a_secret(server: Running) -> None:
    assert stat.S_IMODE(server.site.folder.stat().st_mode) == 0o700
    for path in (path for path in server.site.folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if any(secret.encode() in content for secret in server.site.secrets.values()):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


@every_server
def test_that_it_listens_on_loopback_alone(server: Running) -> None:
    listening = server.listening()
    assert set(server.site.ports.values()) <= {port for _, port in listening}
    assert {address.removeprefix("::ffff:") for address, _ in listening} == {"127.0.0.1"}


@pytest.mark.parametrize("name", PLAIN)
def test_that_a_folder_that_a_server_cannot_have_is_refused_with_a_remedy(
    name: str, tmp_path: Path
) -> None:
    kit = Kit(folder=tmp_path, report=report_to_nobody)
    site = Site(folder=tmp_path / ODD, logs=tmp_path, ports={}, secrets={})
    with pytest.raises(SluiceError, match="SLUICE_LAB="):
        recipe_of(name).start(kit, site)
