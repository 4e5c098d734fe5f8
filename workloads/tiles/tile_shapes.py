"""Shape of the layers of tiles that can be generated."""

from __future__ import annotations

from dataclasses import dataclass

from core import choice, integer, location, real

_SMOOTH, _NOISY = 0.34, 0.05  # what deflate leaves of terrain, and more for each bit of noise


@dataclass(frozen=True, kw_only=True)
class LayerShape:
    """One layer: a rectangle of tiles at one zoom, some of them missing."""

    columns: int = integer(30, low=1, high=4096, scale="log2", help="Columns of tiles.")
    rows: int = integer(30, low=1, high=4096, scale="log2", help="Rows of tiles.")
    holes: float = real(
        0.05,
        low=0,
        high=0.95,
        help="Share of the places that have no tile, as at the edges of a scene.",
    )
    tile_size: int = integer(
        256, low=8, high=2048, scale="log2", unit="pixels", help="Columns and rows of each tile."
    )
    bands: int = integer(5, low=1, high=16, help="Bands of 16 bits in each tile.")
    zoom: int = integer(13, low=1, high=28, help="Zoom of the layer; the world has 4^zoom tiles.")
    payload: str = choice(
        "avro",
        options={
            "avro": "Avro records with key, extent and bands, deflated, as GeoTrellis keeps them.",
            "raw": "The same bytes one after the other, neither encoded nor deflated.",
        },
        help="What an object holds.",
    )
    cells: str = choice(
        "bytes",
        options={
            "bytes": "A band is one run of bytes, so that decoding costs next to nothing.",
            "ints": "A band is an array of numbers, as GeoTrellis encodes 16 bits; Python decodes them one by one.",
        },
        only_when={"payload": ("avro",)},
        help="How the records hold their bands.",
    )
    level: int = integer(
        6, low=1, high=9, only_when={"payload": ("avro",)}, help="Level of deflate; 6 is Java's."
    )
    noise: int = integer(
        3, low=0, high=15, unit="bits", help="Bits of noise in each pixel, above smooth terrain."
    )
    image: str = location(
        "", help="GeoTIFF that the tiles are cut from, over and over; empty = generated imagery."
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of imagery and holes.")

    @property
    def room(self) -> int:
        """About how many bytes on disk it takes; of an image of the user's own, at most."""
        pixels = self.columns * self.rows * (1 - self.holes) * self.bands * self.tile_size**2
        packed = 1.0 if self.image else min(1.0, _SMOOTH + _NOISY * self.noise)
        return round(2 * pixels * (packed if self.payload == "avro" else 1.0))
