"""A reference and reads of three samples: `python reads.py FOLDER PAIRS`; the same at each call."""

import gzip
import sys
from pathlib import Path

import numpy as np


def make_reads(folder: Path, pairs: int) -> None:
    draw = np.random.default_rng(63)
    genome = draw.choice(np.frombuffer(b"ACGT", np.uint8), 400_000)
    text = genome.tobytes().decode()
    lines = (text[at : at + 60] for at in range(0, len(text), 60))
    (folder / "ref.fa").write_text(">chr1\n" + "\n".join(lines) + "\n", "utf-8")
    for sample in ("liver", "heart", "lung"):
        starts = draw.integers(0, len(genome) - 400, pairs)
        quality = draw.integers(58, 74, (2, pairs, 100), np.uint8)
        for mate in (0, 1):
            reads = genome[starts[:, None] + mate * 200 + np.arange(100)].copy()
            wrong = draw.random(reads.shape) < 0.004
            reads[wrong] = ord("T")
            if mate:
                complement = np.arange(256, dtype=np.uint8)
                complement[list(b"ACGT")] = list(b"TGCA")
                reads = complement[reads[:, ::-1]]
            with gzip.open(folder / f"{sample}_{mate + 1}.fq.gz", "wb", 1) as file:
                for at in range(pairs):
                    read, scores = reads[at].tobytes(), quality[mate, at].tobytes()
                    file.write(b"@r%d\n%b\n+\n%b\n" % (at, read, scores))


if __name__ == "__main__":
    make_reads(Path(sys.argv[1]), int(sys.argv[2]))
