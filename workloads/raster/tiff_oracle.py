"""What stands in a TIFF file, as tifffile and imagecodecs decode it: they share no code with GDAL.

Only the blocks that a window touches are read, so that a raster on a server is judged, too.
"""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Buffer, Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, override

from core import DatasetError, reading, tr
from workloads.raster.raster_parameters import DECODERS
from workloads.shared.datasets import decoding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Pixels = NDArray[np.generic]
    """Bands × rows × columns."""

type ReadAt = Callable[[int, int], bytes]
"""The bytes from an offset on, of that length; fewer at the end of the file."""

_MOST_PAGES = 64
"""Directories in which overviews are looked for."""
_COMPRESSED_AT_WILL = {7, 34892, 33007, 50001, 50002, 34887, 34933, 33003, 33005, 34712}
"""JPEG, WebP, JPEG XL, LERC, JPEG 2000: lossy, so that two decoders may round differently."""
_KEPT = 16 << 20
"""Bytes of decoded blocks that are kept, as neighbouring windows share them."""
_OLD_JPEG = 6
_SPARED = 512
"""Columns and rows of the largest raster that needs no overview."""


class Window(NamedTuple):
    """A rectangle of pixels."""

    column: int
    row: int
    columns: int
    rows: int


class RangedFile(io.RawIOBase):
    """A file that is read by ranges, as tifffile reads files."""

    def __init__(self, read_at: ReadAt, size: int) -> None:
        self._read_at, self._size, self._at = read_at, size, 0

    @override
    def readinto(self, buffer: Buffer) -> int:
        with memoryview(buffer) as view:
            data = self._read_at(self._at, min(len(view), max(0, self._size - self._at)))
            view[: len(data)] = data
        self._at += len(data)
        return len(data)

    @override
    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        starts = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}
        self._at = starts[whence] + offset
        return self._at

    @override
    def tell(self) -> int:
        return self._at

    @override
    def readable(self) -> bool:
        return True

    @override
    def seekable(self) -> bool:
        return True


class Level:
    """One resolution of a raster."""

    def __init__(self, where: str, page: Any, read_at: ReadAt) -> None:
        self._where, self._page, self._read_at = where, page, read_at
        self._offsets, self._sizes = page.dataoffsets, page.databytecounts
        self.columns, self.rows = int(page.imagewidth), int(page.imagelength)
        self._apart = page.planarconfig == 2 and page.samplesperpixel > 1
        """Whether each band has blocks of its own."""
        self.bands = int(page.samplesperpixel)
        tiled = page.is_tiled
        self.block = (
            int(page.tilewidth) if tiled else self.columns,
            int(page.tilelength) if tiled else min(int(page.rowsperstrip), self.rows),
        )

        each = self.block[0] * self.block[1] * self.bands * page.dtype.itemsize if page.dtype else 1
        self._decoded = lru_cache(max(4, _KEPT // max(1, each)))(self._decode)

    def blocks(self, window: Window) -> Iterator[int]:
        """The indexes of the blocks that a window touches, band by band where these are apart."""
        wide, high = self.block
        across, down = -(-self.columns // wide), -(-self.rows // high)
        for plane in range(self.bands if self._apart else 1):
            for y in range(window.row // high, -(-(window.row + window.rows) // high)):
                for x in range(window.column // wide, -(-(window.column + window.columns) // wide)):
                    yield (plane * down + y) * across + x

    def stored(self, window: Window) -> int:
        """Bytes of the blocks that a window touches: no reader can do with less."""
        with decoding(self._where):
            return sum(int(self._sizes[block]) for block in self.blocks(window))

    def pixels(self, window: Window) -> Pixels:
        """The values of a window; raises DatasetError where they are damaged, or not known here."""
        import numpy as np

        with decoding(self._where):
            page = self._page
            pixels = np.empty((self.bands, window.rows, window.columns), page.dtype)
            for block in self.blocks(window):
                self._paste(pixels, window, block)
        return canonical(pixels)

    def _paste(self, pixels: Pixels, window: Window, block: int) -> None:
        """Put the part of a block that lies in a window there."""
        import numpy as np

        page = self._page
        segment, (plane, _, y, x, _), (_, high, wide, _) = self._decoded(block)
        top, bottom = max(y, window.row), min(y + high, window.row + window.rows, self.rows)
        left = max(x, window.column)
        right = min(x + wide, window.column + window.columns, self.columns)
        target = pixels[plane : plane + 1] if self._apart else pixels
        lines = slice(top - window.row, bottom - window.row)
        place = (slice(None), lines, slice(left - window.column, right - window.column))
        if segment is None:  # a sparse file has no such block
            target[place] = page.nodata
        else:
            part = segment[0, top - y : bottom - y, left - x : right - x]
            target[place] = np.moveaxis(part, -1, 0)

    def _decode(self, block: int) -> Any:
        """A block, its place and its shape; None in place of one that a sparse file has not."""
        return self._page.decode(self._encoded(block), block, **self._tables())

    def near(self, window: Window) -> tuple[int, int]:
        """By this, windows that share blocks stand together."""
        return window.row // self.block[1], window.column

    def forget(self) -> None:
        """Drop the decoded blocks, which are no memory of a reader's."""
        self._decoded.cache_clear()

    def _encoded(self, block: int) -> bytes | None:
        offset, size = int(self._offsets[block]), int(self._sizes[block])
        if not size:
            return None
        data = self._read_at(offset, size)
        if len(data) < size:
            raise ValueError(tr("the file ends within block {number:,}", number=block))
        return data

    def _tables(self) -> Mapping[str, Any]:
        page = self._page
        if page.compression not in {7, 34892, 33007}:
            return {}
        return {"jpegtables": page.jpegtables, "jpegheader": page.jpegheader}


class TiffOracle:
    """A TIFF file: its resolutions, and what keeps it from being cloud-optimised."""

    def __init__(
        self, where: str, read_at: ReadAt, size: int, close: Callable[[], None] = lambda: None
    ) -> None:
        for driver in DECODERS:
            driver.require()
        import tifffile

        # Its warnings would go to standard error; what cannot be decoded raises.
        logging.getLogger("tifffile").setLevel(logging.CRITICAL)
        self.where, self.close = where, close
        with decoding(where):
            file = tifffile.TiffFile(io.BufferedReader(RangedFile(read_at, size), 1 << 16))
            pages: Sequence[Any] = list(islice(file.pages, _MOST_PAGES))
            first, *others = pages
            if first.compression == _OLD_JPEG:
                raise ValueError(tr("decoders do not agree on JPEG as TIFF 6.0 has it"))
            reduced = [one for one in others if one.is_reduced and not one.is_mask]
            reduced.sort(key=lambda one: -one.imagewidth)
            self.levels = [Level(where, one, read_at) for one in (first, *reduced)]
            self.rounds = any(one.compression in _COMPRESSED_AT_WILL for one in (first, *reduced))
            self.faults = _faults(first, [one.offset for one in (first, *reduced)], len(reduced))
            self.compression = str(getattr(first.compression, "name", first.compression)).lower()
            self.kind = str(first.dtype)

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """That of a file here, until it is closed; raises DatasetError."""
        with reading(path):
            file = path.open("rb", buffering=0)
        number = file.fileno()
        try:
            size = os.fstat(number).st_size
            return cls(str(path), lambda at, count: os.pread(number, count, at), size, file.close)
        except BaseException:
            file.close()
            raise

    def level(self, number: int) -> Level:
        """The full resolution as 0, or an overview; raises DatasetError where there is none."""
        if number < len(self.levels):
            return self.levels[number]
        have = len(self.levels) - 1
        raise DatasetError(
            tr(
                "{path} has 1 overview, and {level} is wanted",
                "{path} has {count:,} overviews, and {level} is wanted",
                count=have,
                path=self.where,
                level=number,
            ),
            tr("choose a smaller level, or add overviews: gdaladdo FILE"),
        )


def _faults(first: Any, directories: Sequence[int], overviews: int) -> list[str]:
    """What a cloud-optimised GeoTIFF has, and this one has not."""
    faults = []
    if not first.is_tiled:
        faults.append(tr("it is striped"))
    if max(first.imagewidth, first.imagelength) > _SPARED and not overviews:
        faults.append(tr("it has no overviews"))
    data = [offset for offset in first.dataoffsets[:1] if offset]
    if data and max(directories) > data[0]:
        faults.append(tr("a directory stands behind its data"))
    return faults


def canonical(pixels: Pixels) -> Pixels:
    """Values in one form, however a reader types them: bits as bytes, halves as floats."""
    import numpy as np

    kinds = {np.dtype(np.bool): np.uint8, np.dtype(np.float16): np.float32}
    kind = np.dtype(kinds.get(pixels.dtype.newbyteorder("="), pixels.dtype.newbyteorder("=")))
    return np.ascontiguousarray(pixels, kind)


def digest_of(pixels: Pixels) -> bytes:
    """Identity of values, of their type and of their shape."""
    whole = canonical(pixels)
    digest = blake2b(f"{whole.dtype} {whole.shape}".encode(), digest_size=16)
    digest.update(whole)
    return digest.digest()
