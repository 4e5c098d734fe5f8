"""What the requests of the Synapse client mean for the files of a pass.

The client tells nobody of its files.  But the bodies of its JSON requests say which file they are
for, the addresses that it is given for bytes belong to files, and each task or thread of it repeats
a request by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable
from contextvars import ContextVar
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from core import tr
from workloads.shared.servers import COUNTED, PASSING
from workloads.transfer.synapse_service import FOLDER
from workloads.transfer.transfer_pass import Pass

type RequestKey = Hashable
"""What tells one request from others, and is the same where it is made again."""

FILE: ContextVar[str] = ContextVar("file", default="")
"""The file that the task or thread is at work on."""
_LAST: ContextVar[tuple[RequestKey, bool]] = ContextVar("last", default=("", False))
"""The last request of the task or thread to the service, and whether it has failed so far."""
_EXPIRED = 403
_ABOUT = re.compile(r"/entity/(syn\d+)(?:/version/\d+)?/(bundle2|generatedBy)(?:$|[?/])")
_PARTS = re.compile(r"/file/multipart/([^/]+)/presigned/url/batch")


class GivenUp(Exception):
    """The trial is to end, so nothing more is asked for."""


class RequestWatch:
    """Tells a pass of the begin, the bytes and the requests of its files; for many threads."""

    def __init__(self, going: Pass) -> None:
        self.going = going
        self._files = {file.name for file in going.files}
        self._names: dict[str, str] = {}
        """Of files and folders by their ids; those of folders are empty or end with a slash."""
        self._uploads: dict[str, str] = {}
        self._addresses: dict[str, str] = {}
        """Files by the paths of the addresses for their bytes."""
        self._failing: set[RequestKey] = set()
        self._moved: set[RequestKey] = set()
        self._lock = Lock()

    def knows(self, entity: str, name: str) -> None:
        """What the entity with that id is; the name of a folder is empty or ends with a slash."""
        self._names[entity] = name

    def enter(self, name: str) -> None:
        """The task or thread goes to work on a file; from its first request on."""
        FILE.set(name)
        self.going.begun(name)

    # JSON requests, as the client makes them, each of which may be several attempts.

    def file_of_request(self, uri: str, body: Any) -> str:
        """A request is to be made; the file that it is the first for, if it is one's.

        The task goes to work on that file, which begins when the request is truly sent: it may wait
        for a connection, as hundreds of others do.
        """
        name = self._name_in(uri, body)
        if name not in self._files:
            return ""
        FILE.set(name)
        return name

    def file_not_begun(self) -> str:
        """The file of this task if it has not begun yet; else empty."""
        name = FILE.get()
        return "" if not name or self.going.has_begun(name) else name

    def _name_in(self, uri: str, body: Any) -> str:
        if uri == "/entity/child":
            child = json.loads(body)
            return f"{self._names.get(child['parentId'] or '', '/')}{child['entityName']}"
        return self._name_about(uri, "bundle2")

    def _name_about(self, uri: str, what: str) -> str:
        about = _ABOUT.match(uri)
        return self._names.get(about[1], "") if about and about[2] == what else ""

    def answered(self, uri: str, body: Any, answer: Any) -> None:
        """What the answer to a request says about names and addresses."""
        if uri == "/entity/children":
            above = self._names.get(json.loads(body)["parentId"], "/")
            for child in answer["page"]:
                end = "/" if child["type"] == FOLDER else ""
                self.knows(child["id"], f"{above}{child['name']}{end}")
        elif uri == "/fileHandle/batch":
            requested = json.loads(body)["requestedFiles"]
            for file, handle in zip(requested, answer["requestedFiles"], strict=True):
                name = self._names.get(file["associateObjectId"]) or FILE.get()
                self._note_address(handle.get("preSignedURL", ""), name)
        elif parts := _PARTS.match(uri):
            # New addresses can be asked for by a thread that is at work on no file.
            name = self._uploads.setdefault(parts[1], FILE.get())
            for part in answer["partPresignedUrls"]:
                self._note_address(part["uploadPresignedUrl"], name)

    def _note_address(self, address: str, name: str) -> None:
        if name in self._files:
            self._addresses[urlsplit(address).path] = name

    def activity_of(self, uri: str) -> str:
        """The file whose activity is asked for, which the client does last; empty for another."""
        name = self._name_about(uri, "generatedBy")
        return name if name in self._files else ""

    # Attempts, as they go over the network.

    def name_at(self, path: str) -> str:
        """The file whose bytes go to or come from that path; empty for another."""
        return self._addresses.get(path, "")

    def attempt_begins(self, key: RequestKey, name: str) -> None:
        """An attempt begins; raises GivenUp.  `name`: the file whose bytes it is about, if any."""
        if self.going.stopping:
            raise GivenUp("given up")
        self.going.meter.count("requests")
        if name:
            with self._lock:
                again = key in self._failing
                self._failing.add(key)
        else:
            last, failed = _LAST.get()
            again = failed and last == key
            _LAST.set((key, True))  # until an answer says otherwise
        if again:
            self.going.meter.count("retries")

    def attempt_ended(self, key: RequestKey, name: str, status: int) -> None:
        """An answer has come, though perhaps not all of its body."""
        failed = status in PASSING
        if name:
            failed = failed or status == _EXPIRED
            if not failed:
                with self._lock:
                    self._failing.discard(key)
        else:
            _LAST.set((key, failed))
        if str(status) in COUNTED:
            self.going.meter.count(str(status))

    def body_broke(self, key: RequestKey) -> None:
        """The body of an answer has not come whole."""
        with self._lock:
            self._failing.add(key)

    def file_over(self, name: str) -> None:
        """The client calls a file done; if none of its bytes has moved, nothing was measured."""
        if self.going.moved_of(name):
            self.going.done(name)
        else:
            self.going.failed(name, tr("done without a byte: service or client had them already"))

    def part_moved(self, key: RequestKey, name: str, size: int) -> None:
        """A part has been taken; it counts once."""
        with self._lock:
            if key in self._moved:
                return
            self._moved.add(key)
        self.going.moved(name, size)
