"""Generates layers, tile by tile: no more than a few are in memory at once."""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from core import DatasetError, Tell, tr
from workloads.tiles.imagery import Draw, cut_from, terrain
from workloads.tiles.layer_files import (
    FORMAT,
    OBJECTS,
    Heading,
    PlacedTile,
    rectangle,
    write_catalogue,
)
from workloads.tiles.tile_codec import FASTAVRO, Form, digest_of, encode, tile_of
from workloads.tiles.tile_shapes import LayerShape
from workloads.tiles.zorder import place_of

_ACROSS, _DOWN = 0.16, 0.387
"""Where a layer begins, as shares of the world: near San Francisco."""
_TOLD_EVERY = 20


class _Made(NamedTuple):
    key: int
    object: bytes
    stored: bytes
    decoded: bytes


def make_layer(shape: LayerShape, folder: Path, tell: Tell) -> None:
    """Write the three files of a layer; raises DatasetError, Unavailable."""
    if shape.payload == "avro":
        FASTAVRO.require()
    column, row = _corner(shape)
    form = Form(shape.payload, shape.cells, shape.level, shape.tile_size, shape.bands)
    keys = _without_holes(rectangle(column, row, shape.columns, shape.rows), shape)
    placed: list[PlacedTile] = []
    at = 0
    with (folder / OBJECTS).open("wb") as file:
        for made in _encoded(keys, (column, row), shape, form):
            file.write(made.object)
            placed.append(PlacedTile(made.key, at, len(made.object), made.stored, made.decoded))
            at += len(made.object)
            if len(placed) % _TOLD_EVERY == 0:
                tell("writing tiles", len(placed), len(keys), "tile")
    heading = Heading(
        format=FORMAT,
        zoom=shape.zoom,
        column=column,
        row=row,
        columns=shape.columns,
        rows=shape.rows,
        tile_size=form.tile_size,
        bands=form.bands,
        payload=form.payload,
        cells=form.cells,
        level=form.level,
        tiles=len(placed),
        bytes=at,
        digest="",
    )
    write_catalogue(folder, heading, placed)


def _corner(shape: LayerShape) -> tuple[int, int]:
    """Column and row of the first tile; raises DatasetError where the world is too small."""
    world = 1 << shape.zoom
    if max(shape.columns, shape.rows) > world:
        raise DatasetError(
            tr("the world has {world:,} columns and rows at this zoom", world=world),
            tr("choose a larger zoom or fewer tiles"),
        )
    return (
        min(int(_ACROSS * world), world - shape.columns),
        min(int(_DOWN * world), world - shape.rows),
    )


def _without_holes(keys: Sequence[int], shape: LayerShape) -> list[int]:
    """The keys that have a tile: all but a share drawn from the seed, and always the first."""
    first, *others = keys
    holes = min(round(shape.holes * len(keys)), len(others))
    left = random.Random(shape.seed).sample(others, len(others) - holes)
    return [first, *sorted(left)]


def _encoded(
    keys: list[int], corner: tuple[int, int], shape: LayerShape, form: Form
) -> Iterator[_Made]:
    """The tiles in order, made by as many threads as there are cores."""
    draw = _draw_of(shape)

    def make(key: int) -> _Made:
        return _made(key, corner, shape.zoom, draw, form)

    threads = os.cpu_count() or 1
    with ThreadPoolExecutor(threads, thread_name_prefix="tiles") as pool:
        waiting: deque[Future[_Made]] = deque()
        for key in keys:
            waiting.append(pool.submit(make, key))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _draw_of(shape: LayerShape) -> Draw:
    if shape.image:
        return cut_from(Path(shape.image), shape.tile_size, shape.bands)
    return terrain(shape.tile_size, shape.bands, shape.noise, shape.seed)


def _made(key: int, corner: tuple[int, int], zoom: int, draw: Draw, form: Form) -> _Made:
    column, row = place_of(key)
    tile = tile_of(zoom, column, row, draw(column - corner[0], row - corner[1]))
    found = encode(tile, form)
    return _Made(key, found, digest_of([found]), digest_of(tile))
