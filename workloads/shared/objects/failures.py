"""What clients and libraries say of servers that fail, in one sentence each, whoever says it.

botocore, aiohttp, obstore, tensorstore and GDAL each have their own words for the same, and some
add dumps of their own structures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus

from core import SluiceError, one_line, tr
from workloads.shared.objects import (
    CUT,
    GARBLED,
    OTHER_RANGE,
    REDIRECTED,
    SHORT,
    TOO_LATE,
    UNREACHED,
    UNTRUSTED,
    RequestFailed,
)
from workloads.shared.servers import code_of, remedy_of, status_of

_LONGEST, _REDIRECTION = 300, 3
_CODE, _MESSAGE = re.compile(r"<Code>([^<]+)"), re.compile(r"<Message>([^<]*)")
_STATUS = re.compile(r"(?:status code|response[_ ]code|HTTP code)\W{1,3}(\d{3})\b")
_SIZES = re.compile(r"IncompleteRead\((\d+) bytes read, (\d+) more|received (\d+) of (\d+) bytes")
_SERVER = re.compile(r"https?://[^/\s\"']+")
_REASON = re.compile(r"verify (?:failed|result): ([\w -]+?) ?[(\[]")
_SIGNS = (
    (UNTRUSTED, r"[Cc]ertificate|SSLError"),
    (REDIRECTED, r"[Rr]edirect"),
    (OTHER_RANGE, r"non-partial|Requested \d+\.\.|Content-Range|[Rr]ange (?:request )?not"),
    (TOO_LATE, r"(?<!retry_)[Tt]imed? ?out|Timeout"),
    (
        UNREACHED,
        r"kind: Connect|EndpointConnection|[Cc]onnection ?[Rr]efused|[Cc]onnect to|resolve host|gaierror",
    ),
    (GARBLED, r"Bad ?[Ss]tatus ?[Ll]ine"),
    (SHORT, r"\b[Tt]runcated\b|Unterminated string|Unexpected length of bytes"),
    (CUT, r"IncompleteRead|Interrupted|received \d+ of|[Dd]isconnected|response body error|HTTP2"),
    (CUT, r"[Cc]onnection ?(?:was )?(?:[Cc]losed|[Rr]eset|[Bb]roken|[Aa]borted)|kind: Request"),
)
"""How each kind of failure is known in a message, or in the name of its class; the first counts."""
_WORDS: Mapping[str, Callable[[], str]] = {
    UNTRUSTED: lambda: tr("the server's certificate is not trusted"),
    REDIRECTED: lambda: tr("the server sends on to other addresses without an end"),
    OTHER_RANGE: lambda: tr("the server answers with another range than it was asked for"),
    TOO_LATE: lambda: tr("no answer within the time limit"),
    UNREACHED: lambda: tr("could not connect to the server"),
    GARBLED: lambda: tr("the server answers something that is not HTTP"),
    SHORT: lambda: tr("the data is shorter than it says itself"),
    CUT: lambda: tr("the connection ended before the answer was complete"),
}


def failure_of(error: Exception) -> RequestFailed:
    """A failure in one sentence: S3's own words, else those of its kind, else the first line."""
    if isinstance(error, RequestFailed):
        return error
    text = str(error)
    chain = _chain(error)
    answered = _answer_in(next((one for one in chain if status_of(one)), error), text)
    if answered is not None:
        return answered
    names = " ".join(type(one).__name__ for one in chain)
    for code, sign in _SIGNS:
        if re.search(sign, f"{names} {text}"):
            return RequestFailed(_details(code, text) or _WORDS[code](), code=code)
    first = one_line(re.split(r"\n| \[tensorstore_spec=", text.strip())[0])[:_LONGEST]
    return RequestFailed(first or type(error).__name__)


def _chain(error: BaseException | None) -> list[Exception]:
    chain: list[Exception] = []
    while isinstance(error, Exception):
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


def _answer_in(error: Exception, text: str) -> RequestFailed | None:
    """What the server itself has answered; None where it has not, or has not refused."""
    code, status = code_of(error), status_of(error)
    message = getattr(error, "response", None) or {}
    said = str(message.get("Error", {}).get("Message", ""))
    if not status and (match := _STATUS.search(text)):
        status = int(match[1])
    if match := _CODE.search(text):
        code, words = match[1], _MESSAGE.search(text)
        said = words[1] if words else ""
    if status // 100 == _REDIRECTION and code != "PermanentRedirect":
        return RequestFailed(_WORDS[REDIRECTED](), status=status, code=REDIRECTED)
    if not status and not code:
        return None
    if code.isdigit() or not code:  # of an answer to a HEAD, which has no words
        name = next((one.phrase for one in HTTPStatus if one == status), "")
        return RequestFailed(f"{status} {name}".strip(), status=status)
    sentence = one_line(said)[:_LONGEST].removesuffix(".")  # a remedy follows
    return RequestFailed(f"{code}: {sentence}", status=status, code=code)


def _details(code: str, text: str) -> str:
    """What a library tells of the failure besides its kind; empty where it does not."""
    reason, sizes, server = _REASON.search(text), _SIZES.search(text), _SERVER.search(text)
    if code == UNREACHED and server:
        return tr("could not connect to {server}", server=server[0])
    if code == UNTRUSTED and reason:
        return tr("its certificate is not trusted: {why}", why=reason[1])
    if code == CUT and sizes:
        read, more, received, whole = (int(one or 0) for one in sizes.groups())
        return ended_after(read + received, whole or read + more)
    return ""


def plain_error(error: Exception) -> SluiceError:
    """A failure with what to do about it; an error of ours as it is."""
    if isinstance(error, SluiceError) and not isinstance(error, RequestFailed):
        return error
    failure = failure_of(error)
    return SluiceError(failure.cause, remedy_of(failure))


def ended_after(size: int, whole: int) -> str:
    return tr("the answer ended after {size:,} of {whole:,} B", size=size, whole=whole)
