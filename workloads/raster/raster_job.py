"""The job: windows that threads read, each compared with what tifffile decodes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, override

from core import Context, SluiceError, Step, tr
from workloads.raster import gdal
from workloads.raster.raster_parameters import RasterParameters
from workloads.raster.raster_places import Place
from workloads.raster.tiff_oracle import TiffOracle, Window, canonical, digest_of
from workloads.shared.datasets import cached
from workloads.shared.link import SEGMENTS
from workloads.shared.served import ServedJob
from workloads.shared.servers import REQUESTS, WANTED
from workloads.shared.threads import mapped

if TYPE_CHECKING:
    from rasterio.io import DatasetReader

    from workloads.raster.tiff_oracle import Pixels

_ORACLE = 1
"""Increased when the same request draws other windows than before, or keeps more of them."""
_THREADS = 4
"""That decode what is right."""
_TOGETHER = 8
"""Windows that each decodes between two reports."""
_ROUNDING = 2
"""By how much two decoders of a lossy format may differ, in steps of a whole number."""


class Expected(NamedTuple):
    """A window, and what is right."""

    window: Window
    digest: bytes
    stored: int
    """Bytes of the blocks that it touches."""


def expected_windows(
    oracle: TiffOracle, state: str, context: Context[RasterParameters]
) -> list[Expected]:
    """The windows of a trial, whose answers are kept between trials; raises SluiceError."""
    parameters, seed = context.parameters, context.load.seed
    level = oracle.level(parameters.level)
    chosen = (parameters.access, parameters.window, parameters.windows, parameters.level)
    shape = (level.columns, level.rows, level.bands)
    key = repr((_ORACLE, state, shape, chosen, seed)).encode("utf-8", "surrogateescape")
    name = blake2b(key, digest_size=8).hexdigest()

    def compute() -> list[Expected]:
        windows = windows_of(level.columns, level.rows, parameters, seed)
        nearby = sorted(windows, key=level.near)
        groups = [nearby[at : at + _TOGETHER] for at in range(0, len(nearby), _TOGETHER)]
        expected: dict[Window, Expected] = {}

        def decode(group: Sequence[Window]) -> list[Expected]:
            return [Expected(one, digest_of(level.pixels(one)), level.stored(one)) for one in group]

        for some in mapped(_THREADS, "decoding", decode, groups):
            expected |= {one.window: one for one in some}
            context.report("decoding what is right", len(expected), len(windows), "windows")
        level.forget()
        return [expected[window] for window in windows]

    place = context.cache / "windows" / name
    place.parent.mkdir(exist_ok=True)
    return cached(place, list[Expected], compute, context.report)


def windows_of(
    columns: int, rows: int, parameters: RasterParameters, seed: int
) -> Sequence[Window]:
    """The windows of a pass, none twice; those at the right and lower edge may be smaller."""
    side, most = parameters.window, parameters.windows
    drawn = random.Random(seed)
    if parameters.access == "random":
        right, low = max(columns - side, 0), max(rows - side, 0)
        draws = (
            Window(
                drawn.randint(0, right), drawn.randint(0, low), min(side, columns), min(side, rows)
            )
            for _ in range(most)
        )
        return list(dict.fromkeys(draws))
    across, down = -(-columns // side), -(-rows // side)
    places: Sequence[int] = range(across * down)
    if parameters.access == "grid":
        places = drawn.sample(places, min(most, len(places)))
    corners = ((at % across * side, at // across * side) for at in places[:most])
    return [Window(x, y, min(side, columns - x), min(side, rows - y)) for x, y in corners]


class _Reader:
    """How one thread reads: its own open raster, or that of all."""

    def __init__(self, opened: Callable[[], DatasetReader]) -> None:
        self.opened = opened
        self.raster: DatasetReader | None = None
        self.last = -1
        self.passes = self.wanted = 0

    def reopen(self) -> None:
        """Open its own raster anew, where it has one."""
        if self.raster is not None:
            self.raster.close()
            self.raster = self.opened()


class RasterJob(ServedJob[int, "Pixels"]):
    """Windows read by the load's threads.

    Each pass begins without what GDAL keeps: a small raster would come out of its caches from the
    second pass on, and that is no figure of a disk or a server.
    """

    def __init__(
        self,
        place: Place,
        oracle: TiffOracle,
        expected: Sequence[Expected],
        parameters: RasterParameters,
    ) -> None:
        import rasterio
        from rasterio.windows import Window as RasterioWindow

        self._place, self._oracle, self._level = place, oracle, oracle.level(parameters.level)
        self._expected, self._parameters = expected, parameters
        # Made here, as a program's own loop has them: to make one takes a hundredth of a read.
        self._windows = [RasterioWindow(*one.window) for one in expected]
        self._failures = rasterio.errors.RasterioError
        self.items = range(len(expected))
        self._readers: list[_Reader] = []
        self._lock = Lock()
        self._cleared = 0
        self._asked_again: str | None = None
        self._remote = place.served is not None
        # To read windows again in order to compare them would cost requests that nobody asked for.
        self.checking = "later" if self._remote else "between"
        self._shared: DatasetReader | None = None
        self._opening = self._look()

    def _open(self) -> DatasetReader:
        """The raster at its resolution; raises SluiceError with GDAL's reason."""
        import rasterio

        level: dict[str, Any] = {}
        if self._parameters.level:
            level["OVERVIEW_LEVEL"] = self._parameters.level - 1
        try:
            return rasterio.open(self._place.gdal_path, sharing=False, driver="GTiff", **level)
        except self._failures as error:
            raise gdal.refused(self._place.shown, error) from error

    def _look(self) -> int:
        """Open it once, as programs do, and count what that costs; raises SluiceError."""
        gdal.forget()
        gdal.reset_counts()
        raster = self._open()
        requests = gdal.counts().requests
        try:
            self._require_agreement(raster)
        except BaseException:
            raster.close()
            raise
        if self._parameters.handles in ("one", "locked"):
            self._shared = raster
        else:
            raster.close()
        return requests

    def _require_agreement(self, raster: DatasetReader) -> None:
        """Raise SluiceError where even one thread reads otherwise than tifffile.

        Then the file is damaged, or in a form that the two understand differently, and no setting
        of a trial is to blame.
        """
        level = self._level
        if (raster.count, raster.height, raster.width) != (level.bands, level.rows, level.columns):
            raise SluiceError(
                tr(
                    "GDAL reads {path} as {seen}, and tifffile as {expected}",
                    path=self._place.shown,
                    seen=f"{raster.width} × {raster.height} × {raster.count}",
                    expected=f"{level.columns} × {level.rows} × {level.bands}",
                )
            )
        item = self.items[0]
        try:
            complaint = self.check(item, raster.read(window=self._windows[item]))
        except self._failures as error:
            raise gdal.refused(self._place.shown, error) from error
        if complaint:
            raise SluiceError(
                tr(
                    "GDAL and tifffile read {path} differently, {window}: {why}",
                    path=self._place.shown,
                    window=self.describe(item),
                    why=complaint,
                )
            )

    @override
    def remarks(self) -> Sequence[str]:
        faults = "; ".join(self._oracle.faults)
        notes = []
        if faults and self._remote:
            notes.append(
                tr(
                    "not cloud-optimised: {why}: 1 request to open",
                    "not cloud-optimised: {why}: {count:,} requests to open",
                    count=self._opening,
                    why=faults,
                )
            )
        elif faults:
            notes.append(tr("not cloud-optimised: {why}", why=faults))
        if self._remote and not {REQUESTS, SEGMENTS} & self.link.with_segments().keys():
            notes.append(tr("GDAL counts ranges that it fetches side by side as one request"))
        return notes

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        reader = _Reader(self._open)
        if self._parameters.handles == "own":
            reader.raster = self._open()
        with self._lock:
            self._readers.append(reader)
        try:
            yield (Step("read", self._read_by(reader)),)
        finally:
            if reader.raster is not None:
                reader.raster.close()

    def _read_by(self, reader: _Reader) -> Callable[[int], Pixels]:
        windows, failures, where = self._windows, self._failures, self._place.shown
        shared, expected = self._shared, self._expected
        guard = self._lock if self._parameters.handles == "locked" else nullcontext()

        def read(number: int) -> Pixels:
            if number <= reader.last:
                self._begin_pass(reader)
            reader.last = number
            reader.wanted += expected[number].stored
            try:
                if raster := reader.raster or shared:
                    with guard:
                        pixels: Pixels = raster.read(window=windows[number])
                else:
                    with reader.opened() as raster:
                        pixels = raster.read(window=windows[number])
                return pixels
            except failures as error:
                raise gdal.refused(where, error) from error

        return read

    def _begin_pass(self, reader: _Reader) -> None:
        """Drop what GDAL keeps, by the first thread that comes to the next pass."""
        reader.passes += 1
        with self._lock:
            if reader.passes > self._cleared:
                self._cleared = reader.passes
                gdal.forget()
        if self._parameters.file_cache:
            reader.reopen()

    @override
    def rewind(self) -> None:
        """The first pass begins without what the warm-up has left."""
        self.link.counted()  # of connections that end here, so that none counts later
        gdal.forget()
        for reader in self._readers:
            reader.last, reader.passes = -1, 0
            reader.reopen()
        self._cleared = 0

    @override
    def check(self, item: int, result: Pixels) -> str:
        import numpy as np

        expected = self._expected[item]
        pixels = np.asarray(result)
        if digest_of(pixels) == expected.digest:
            return ""
        right = self._level.pixels(expected.window)  # the kept answer may be damaged
        if pixels.shape != right.shape:
            return tr("another shape than the window has")
        apart = np.abs(canonical(pixels).astype(np.float64) - right.astype(np.float64))
        wrong = int(np.count_nonzero(apart > (_ROUNDING if self._oracle.rounds else 0)))
        return tr("1 other value", "{count:,} other values", count=wrong) if wrong else ""

    @override
    def remedy(self, error: Exception) -> str:
        """What the server answers to others, asked once: GDAL does not tell its answers."""
        if self._remote and self._asked_again is None:
            self._asked_again = ""
            try:
                self._place.oracle().close()
            except SluiceError as failure:
                self._asked_again = f"{failure.cause}; {failure.remedy}".removesuffix("; ")
        return self._asked_again or ""

    @override
    def describe(self, item: int) -> str:
        column, row, columns, rows = self._expected[item].window
        return tr(
            "window {columns} × {rows} at column {column}, row {row}",
            columns=columns,
            rows=rows,
            column=column,
            row=row,
        )

    @override
    def counts_so_far(self) -> Mapping[str, float]:
        """Requests as the link counts them; GDAL's own count has ranges side by side as one."""
        if not self._remote:
            return {}
        counts = self.link.with_segments()
        requests = counts.get(REQUESTS, counts.get(SEGMENTS, gdal.counts().requests))
        wanted = sum(reader.wanted for reader in self._readers)
        return {**super().counts_so_far(), REQUESTS: requests, WANTED: wanted}

    @override
    def counters(self) -> Mapping[str, float]:
        if not self._remote:
            return {}
        return {"requests to open": self._opening, **super().counters()}

    @override
    def close(self) -> None:
        with self.resources:
            if self._shared is not None:
                self._shared.close()
            gdal.forget()
