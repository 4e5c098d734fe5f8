"""Messages of HTTP/1.1 are told apart wherever the stream is cut, and passed on unchanged."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lab.proxy_link import (
    Framer,
    NotHttp,
    TokenBucket,
    looks_like_http,
    request_head,
    response_head,
)

bodies = st.binary(max_size=300)


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    method = draw(st.sampled_from(["GET", "PUT", "POST", "HEAD", "DELETE"]))
    body = draw(bodies)
    start = f"{method} /a%20b?c=d HTTP/1.1\r\nHost: x\r\n".encode()
    match draw(st.sampled_from(["none", "length", "chunked"])):
        case "length":
            return start + b"cONTENT-Length: %d\r\n\r\n" % len(body) + body
        case "chunked":
            cut = draw(st.integers(0, len(body)))
            chunks = [part for part in (body[:cut], body[cut:]) if part]
            coded = b"".join(b"%X;ext=1\r\n%s\r\n" % (len(part), part) for part in chunks)
            trailer = draw(st.sampled_from([b"", b"x-amz-checksum-crc32: AAAA\r\n"]))
            head = start + b"Transfer-Encoding: chunked\r\n\r\n"
            return head + coded + b"0\r\n" + trailer + b"\r\n"
    return start + b"\r\n"


def pieces_of(framer: Framer, data: bytes, cuts: list[int]) -> tuple[bytes, list[bytes]]:
    """All that came out, and the messages."""
    edges = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    messages, message, out = [], b"", b""
    for start, end in itertools.pairwise(edges):
        for piece in framer.feed(data[start:end]):
            assert (piece.head is not None) == (message == b"")
            out += piece.data
            message += piece.data
            if piece.ends:
                messages.append(message)
                message = b""
    return out, messages


@given(st.lists(requests(), min_size=1, max_size=4), st.lists(st.integers(1, 1500), max_size=8))
def test_that_requests_are_told_apart_wherever_they_are_cut(
    sent: list[bytes], cuts: list[int]
) -> None:
    out, messages = pieces_of(Framer(request_head), b"".join(sent), cuts)
    assert messages == sent
    assert out == b"".join(sent)


@given(bodies, st.sampled_from([200, 206, 404, 503]), st.lists(st.integers(1, 400), max_size=5))
def test_that_responses_are_told_apart_wherever_they_are_cut(
    body: bytes, status: int, cuts: list[int]
) -> None:
    sent = [
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 %d Said\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body,
        b"HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n",
    ]
    framer = Framer(lambda text: response_head(text, b"GET"))
    assert pieces_of(framer, b"".join(sent), cuts)[1] == sent


def test_that_a_response_to_head_has_no_body() -> None:
    framer = Framer(lambda text: response_head(text, b"HEAD"))
    (piece,) = framer.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
    assert piece.ends


def test_that_a_response_without_a_length_lasts_until_it_is_closed() -> None:
    framer = Framer(lambda text: response_head(text, b"GET"))
    assert [one.ends for one in framer.feed(b"HTTP/1.0 200 OK\r\n\r\nbody")] == [False]
    assert [one.data for one in framer.feed(b"more")] == [b"more"]


@pytest.mark.parametrize(
    "text",
    [
        b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\nframes",
        b"BREW / HTTP/1.1\r\n\r\n",
        b"PUT / HTTP/1.1\r\nContent-Length: many\r\n\r\n",
        b"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        b"GET /" + b"x" * 200_000,
    ],
    ids=["upgrade", "method", "length", "chunk", "endless"],
)
def test_that_what_is_not_understood_is_held_whole(text: bytes) -> None:
    framer = Framer(request_head)
    with pytest.raises(NotHttp):
        list(framer.feed(text))
    assert framer.held == text


def test_that_other_protocols_do_not_look_like_http() -> None:
    assert looks_like_http(b"GET / HTTP/1.1\r\n")
    assert not looks_like_http(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
    assert not looks_like_http(b"GETTING STARTED")


@given(
    st.floats(0.5, 5000),
    st.floats(1, 500),
    st.lists(st.floats(0, 0.5), min_size=1, max_size=300),
)
def test_that_no_window_has_more_requests_than_rate_and_burst_allow(
    rate: float, burst: float, waits: list[float]
) -> None:
    bucket, now = TokenBucket(rate, burst), 0.0
    taken = []
    for wait in waits:
        now += wait
        if bucket.take(now):
            taken.append(now)
    for first, start in enumerate(taken):
        for last in range(first, len(taken)):
            allowed = burst + rate * (taken[last] - start)
            assert last - first + 1 <= allowed * (1 + 1e-9) + 1e-6


@given(st.floats(1, 1000), st.integers(1, 50))
def test_that_who_keeps_to_the_rate_is_never_refused(rate: float, burst: int) -> None:
    bucket = TokenBucket(rate, burst)
    assert all(bucket.take(number / rate) for number in range(200))
    assert all(bucket.take(1000 + number / rate) for number in range(burst))
