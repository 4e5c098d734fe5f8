"""The JSON Schema of the JSON export; the same for all results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, BinaryIO

import msgspec

from core.output.export.json_document import Document
from core.result.metrics import METRICS
from core.result.result import Result


def json_schema() -> dict[str, Any]:
    """The schema, in the dialect of 2020-12."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema = dialect | msgspec.json.schema(Document)
    figures = schema["$defs"]["ExportedResult"]["properties"]["metrics"]
    each = figures["additionalProperties"]
    figures["properties"] = {
        key: {**each, "description": metric.help} for key, metric in METRICS.items()
    }
    figures["required"] = list(METRICS)
    return schema


def write(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write the schema."""
    stream.write(json.dumps(json_schema(), indent=1).encode() + b"\n")
