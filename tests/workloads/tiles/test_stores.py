"""What every store must fulfil."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_conformance import Site, new_layer

from core.language import SluiceError

FIRST = 2**26 + 12
"""Keys as at zoom 13."""
_DRAWN = random.Random(4)
OBJECTS = {FIRST + 3 * number: _DRAWN.randbytes(1 + number * 997) for number in range(30)}
OBJECTS |= {0: b"\0", 1: b"one", 2**52 - 1: bytes(range(256)) * 300}
ABSENT = (2, FIRST - 1, FIRST + 1, FIRST + 4, 2**52 - 2, 2**52)


@dataclass(frozen=True)
class Filled:
    """A layer in a store, with all of `OBJECTS`."""

    site: Site
    layer: str


@pytest.fixture(scope="module")
def site(any_site: Site) -> Site:
    """Those by zoom too."""
    return any_site


@pytest.fixture(scope="module")
def filled(site: Site) -> Iterator[Filled]:
    layer = new_layer()
    site.write(layer, OBJECTS)
    with site.opened(layer) as store:
        store.set_manifest(b"whole")
    yield Filled(site, layer)
    with site.opened(layer) as store:
        assert store.remove() >= len(OBJECTS)


def read(site: Site, layer: str, keys: Sequence[int]) -> Mapping[int, bytes | None]:
    with site.opened(layer) as store:
        return {key: store.get(key) for key in keys}


def test_that_every_object_is_read_as_it_was_written(filled: Filled) -> None:
    assert read(filled.site, filled.layer, list(OBJECTS)) == OBJECTS


def test_that_a_key_that_was_not_written_is_a_hole(filled: Filled) -> None:
    assert read(filled.site, filled.layer, ABSENT) == dict.fromkeys(ABSENT)


def test_that_all_keys_are_listed_once_and_none_of_a_layer_that_is_not_there(
    filled: Filled,
) -> None:
    with filled.site.opened(filled.layer) as store:
        assert sorted(store.keys()) == sorted(OBJECTS)
    missing = new_layer()
    with filled.site.opened(missing) as store:
        assert list(store.keys()) == []
        store.remove()


@settings(max_examples=15, deadline=None)
@given(keys=st.lists(st.sampled_from([*OBJECTS, *ABSENT]), max_size=60))
def test_that_a_batch_gives_what_single_gets_give_in_the_order_of_its_keys(
    filled: Filled, keys: list[int]
) -> None:
    with filled.site.opened(filled.layer) as store:
        assert list(store.get_many(keys)) == [OBJECTS.get(key) for key in keys]


def test_that_what_one_thread_gets_by_is_as_single_gets(filled: Filled) -> None:
    keys = [*OBJECTS, *ABSENT]
    with filled.site.opened(filled.layer) as store:
        store.prepare(keys)
        assert list(map(store.getter(), keys)) == [OBJECTS.get(key) for key in keys]


def test_that_fifty_threads_read_at_once(filled: Filled) -> None:
    keys = [*OBJECTS, *ABSENT]
    with (
        filled.site.opened(filled.layer, threads=50) as store,
        ThreadPoolExecutor(50) as pool,
    ):
        orders = [random.Random(seed).sample(keys, 12) for seed in range(50)]
        single = pool.map(lambda order: [store.get(key) for key in order], orders[:25])
        many = pool.map(store.get_many, orders[25:])
        for order, found in zip(orders, (*single, *many), strict=True):
            assert list(found) == [OBJECTS.get(key) for key in order]


def test_that_a_store_that_ends_breaks_no_reads_of_another(filled: Filled) -> None:
    """Clients may share connections behind our back, as those of HDFS do."""
    keys = sorted(OBJECTS)[:4]
    with filled.site.opened(filled.layer) as store, ThreadPoolExecutor(4) as pool:
        for _ in range(40 if filled.site.store == "hdfs" else 8):
            other = filled.site.open(filled.layer)
            list(pool.map(other.get, keys))
            reads = [pool.submit(store.get, key) for key in keys]
            other.close()
            del other
            assert [one.result() for one in reads] == [OBJECTS[key] for key in keys]


def test_that_fifty_threads_write_at_once(site: Site) -> None:
    layer = new_layer()
    objects = {key: key.to_bytes(8) * 100 for key in range(200)}
    with site.opened(layer, threads=50) as store, ThreadPoolExecutor(50) as pool:
        single = [pool.submit(store.put, key, objects[key]) for key in range(100)]
        many = [
            pool.submit(store.put_many, [(key, objects[key]) for key in range(at, at + 10)])
            for at in range(100, 200, 10)
        ]
        for one in (*single, *many):
            one.result()
        store.finish()
    assert read(site, layer, list(objects)) == objects
    with site.opened(layer) as store:
        assert store.remove() >= len(objects)


def test_that_a_layer_is_complete_where_it_has_its_manifest(site: Site) -> None:
    layer = new_layer()
    site.write(layer, {1: b"a", 2: b"b"})
    with site.opened(layer) as store:
        assert store.manifest() is None
        store.set_manifest(b'{"tiles": 2}')
    with site.opened(layer) as store:
        assert store.manifest() == b'{"tiles": 2}'
        store.remove()


def test_that_removing_leaves_nothing_and_is_no_error_where_nothing_is(site: Site) -> None:
    layer, other = new_layer(), new_layer()
    for one in (layer, other):
        site.write(one, {1: b"a", 2: b"b", 3: b"c"})
        with site.opened(one) as store:
            store.set_manifest(b"whole")
    with site.opened(layer) as store:
        assert store.remove() >= 3
    with site.opened(layer) as store:
        assert store.manifest() is None
        assert list(store.get_many([1, 2, 3])) == [None, None, None]
        assert store.remove() == 0
        assert store.remove() == 0
    assert read(site, other, [1, 2, 3]) == {1: b"a", 2: b"b", 3: b"c"}
    with site.opened(other) as store:
        assert store.manifest() == b"whole"
        store.remove()


def test_that_what_was_half_written_is_removed_too(site: Site) -> None:
    layer = new_layer()
    with site.opened(layer) as store:
        store.put(1, b"a")  # and neither finished nor given a manifest
    with site.opened(layer) as store:
        store.remove()
        assert store.get(1) is None
        assert store.remove() == 0


def test_that_a_removed_layer_is_written_anew(site: Site) -> None:
    layer = new_layer()
    site.write(layer, {1: b"a", 2: b"b"})
    with site.opened(layer) as store:
        store.remove()
    site.write(layer, {2: b"other", 3: b"c"})
    assert read(site, layer, [1, 2, 3]) == {1: None, 2: b"other", 3: b"c"}
    with site.opened(layer) as store:
        store.remove()


def test_that_a_mistake_is_told_in_the_store_s_words_with_what_to_do(site: Site) -> None:
    assert site.mistakes
    for told, mistake in site.mistakes.items():
        with pytest.raises(SluiceError) as raised:
            site.open("any", mistake=mistake).close()
        assert len(raised.value.cause) > 10, told
        assert raised.value.remedy, told


def test_that_what_is_put_now_is_there_for_others_at_once(site: Site) -> None:
    layer = new_layer()
    objects = {2 * key: bytes([key]) * (1 + key) for key in range(12)}
    with site.opened(layer) as store, ThreadPoolExecutor(4) as pool:
        store.put_many(())
        store.put_now([(100, b"one")])
        wrote = [
            pool.submit(store.put_now, [(key, objects[key]) for key in list(objects)[at::4]])
            for at in range(4)
        ]
        for one in wrote:
            one.result()
        objects[100] = b"one"
        assert read(site, layer, list(objects)) == objects
        store.remove()
