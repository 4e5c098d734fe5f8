"""A second opinion on FASTA and snapshots, which knows nothing of the oracle: gzip, sqlite3, split.

Names, bases and all that is decided here is decided in the plainest way, whatever it costs.
"""

import gzip
import hashlib
import json
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path


class Undecodable(Exception):
    """The second opinion is that there is nothing to be read."""


def sequences(path: Path) -> dict[str, str]:
    """The sequences with bases of a file, the first of each name."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise Undecodable(str(error)) from error
    before, *rest = (b"\n" + data).split(b"\n>")
    if before.strip():
        raise Undecodable("text before the first header")
    found: dict[str, str] = {}
    for one in rest:
        header, _, lines = one.partition(b"\n")
        bases = b"".join(line.rstrip() for line in lines.split(b"\n"))
        try:
            name, text = header.split()[0].decode(), bases.decode("ascii")
        except (IndexError, UnicodeDecodeError) as error:
            raise Undecodable(str(error)) from error
        if not all("!" <= base <= "~" for base in text):
            raise Undecodable("no base")
        found.setdefault(name, text)
    return {name: text for name, text in found.items() if text}


def aliases(root: Path, namespace: str) -> dict[str, str]:
    """The aliases of a namespace in a snapshot, and the bases of the sequences that they name."""
    try:
        with (
            closing(sqlite3.connect(f"file:{root / 'aliases.sqlite3'}?mode=ro", uri=True)) as named,
            closing(sqlite3.connect(f"file:{root}/sequences/db.sqlite3?mode=ro", uri=True)) as info,
        ):
            rows = named.execute(
                "select alias, seq_id from seqalias not indexed"
                " where namespace = ? and is_current = 1",
                (namespace,),
            ).fetchall()
            places = dict(info.execute("select seq_id, relpath from seqinfo not indexed"))
    except sqlite3.Error as error:
        raise Undecodable(str(error)) from error
    found: dict[str, str] = {}
    files: dict[str, dict[str, str]] = {}
    for alias, seq_id in rows:
        try:
            relpath = places[seq_id]
            if relpath not in files:
                files[relpath] = sequences(root / "sequences" / relpath)
            found[alias] = files[relpath][seq_id]
        except (KeyError, TypeError, OSError, ValueError) as error:
            raise Undecodable(f"{alias}: {error!r}") from error
    return found


def digests(decoded: dict[str, str]) -> dict[str, str]:
    """Of every record by its name."""
    return {name: hashlib.sha256(bases.encode()).hexdigest() for name, bases in decoded.items()}


_READ = """
import hashlib, json, sys
reader, path = sys.argv[1:]
if reader == "pyfaidx":
    from pyfaidx import Faidx
    opened = Faidx(path, as_raw=True, duplicate_action="first")
    names = {name: opened.fetch(name, 1, record.rlen) for name, record in opened.index.items() if record.rlen}
else:
    from pysam import FastaFile
    opened = FastaFile(path)
    names = {name: opened.fetch(name) for name in opened.references if opened.get_reference_length(name)}
print(json.dumps({name: hashlib.sha256(bases.encode()).hexdigest() for name, bases in names.items()}))
"""


def read_by(reader: str, data: bytes, folder: Path) -> dict[str, str] | None:
    """The same digests by a library that makes its own indexes, in a process of its own.

    None where it fails.
    """
    folder.mkdir()
    path = folder / f"copy.fa{'.gz' if data[:2] == b'\x1f\x8b' else ''}"
    path.write_bytes(data)
    ended = subprocess.run(
        [sys.executable, "-c", _READ, reader, str(path)], check=False, capture_output=True
    )
    return json.loads(ended.stdout) if ended.returncode == 0 else None
