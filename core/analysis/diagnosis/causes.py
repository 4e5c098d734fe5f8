"""What can slow a workload down, and the sentences of a diagnosis."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from core.language.translation import tr, tr_word


class Cause(StrEnum):
    """What limits throughput."""

    DEVICE = "device or file system"
    PAGE_CACHE = "page cache"
    GIL = "GIL"
    LOCK = "lock contention"
    DESCRIPTORS = "descriptor limit"
    CPU = "CPU"
    SERIAL = "work of one thread"
    PIPE = "one program of a pipe"
    NETWORK = "network or remote latency"
    BANDWIDTH = "bandwidth of network or server"
    DECOMPRESSION = "decompression"
    BACKPRESSURE = "server backpressure"
    HARNESS = "harness"
    UNKNOWN = "unknown"


class Confidence(StrEnum):
    """How far the evidence goes."""

    SURE = "sure"
    """No other cause that is looked for would leave this evidence."""
    LIKELY = "likely"
    """It fits best, but another cause could fit too."""
    NONE = "none"


MEANING = {
    Cause.DEVICE: "The threads wait for the disk or the file system",
    Cause.PAGE_CACHE: "The data comes out of memory as fast as it can be copied",
    Cause.GIL: "Python's global lock lets one thread run at a time",
    Cause.LOCK: "The threads wait for a lock that they share",
    Cause.DESCRIPTORS: "No more files can be opened",
    Cause.CPU: "The threads compute all the time",
    Cause.SERIAL: "The program's threads wait for each other while cores are idle",
    Cause.PIPE: "The other programs of the pipe wait for it, while cores are idle",
    Cause.NETWORK: "The threads wait for answers over the network",
    Cause.BANDWIDTH: "As many bytes arrive as the link or the server lets through",
    Cause.DECOMPRESSION: "The threads spend their time decompressing",
    Cause.BACKPRESSURE: "The server turns requests away",
    Cause.HARNESS: "The operations are so short that the harness is much of what is measured",
    Cause.UNKNOWN: "What was recorded does not tell what limits this",
}


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """The bottleneck of one result, the evidence in plain sentences, and what to do about it."""

    cause: Cause
    confidence: Confidence
    of: str
    """The diagnosed setting, in words."""
    evidence: tuple[str, ...]
    advice: str = ""

    @property
    def sentence(self) -> str:
        """The diagnosis for people: `Probably limited by GIL. Python's global lock lets …`."""
        meaning = f"{tr_word(MEANING[self.cause])}."
        if self.cause is Cause.UNKNOWN:
            return meaning
        if self.cause is Cause.PIPE and self.evidence:  # it names the program
            return f"{self.evidence[0]}."
        cause = tr_word(self.cause.value)
        if self.confidence is Confidence.SURE:
            return tr("Limited by {cause}. {meaning}", cause=cause, meaning=meaning)
        return tr("Probably limited by {cause}. {meaning}", cause=cause, meaning=meaning)
