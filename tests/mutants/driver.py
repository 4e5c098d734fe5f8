"""`make mutants`: how many small faults, put into the product one at a time, the tests find.

Which tests reach which line is gathered once and kept for each file of tests.  All runs in copies
of the tree.  Tests that need servers of the lab are left out: they start for longer than most
mutants live.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import hashlib
import itertools
import json
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import marking
import reach
from mutations import Mutant, mutants_of

HERE = Path(__file__).parent
TOPS = ("core", "workloads", "app")
CHOSEN = "not benchmark and not package and not lab"
DIED, SURVIVED, UNREACHED = "died", "survived", "reached by no test"
MARK = "SLUICE_MUTANT"
"""A variable in the environment of all that a run has started."""
SLACK = 60.0
"""Seconds beyond ten times what a test took, after which a mutant has died of waiting."""


def digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:20]


def sources(tree: Path) -> dict[str, bytes]:
    """All files of the product."""
    files = (path for top in TOPS for path in sorted((tree / top).rglob("*.py")))
    return {str(path.relative_to(tree)): path.read_bytes() for path in files}


class Copy:
    """A copy of the tree in which tests run, with caches and a home of its own."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.tree = folder / "tree"
        self._folder, self._changes = folder, itertools.count(1)
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=tree, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        for name in filter(None, names.split("\0")):
            if (tree / name).is_file():
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(tree / name, self.tree / name)

    def write(self, name: str, text: bytes) -> None:
        path = self.tree / name
        now = path.stat().st_mtime
        path.write_bytes(text)
        # Bytecode is told to be old by whole seconds and the size alone.
        os.utime(path, (now, now + next(self._changes)))

    def test(self, arguments: Sequence[str], seconds: float | None, **more: str) -> int | None:
        """The exit code of pytest, or nothing after so many seconds; all that it started ends."""
        mark, home = uuid4().hex, Path(tempfile.mkdtemp(dir=self._folder))
        folders = {name: str(home) for name in ("HOME", "SLUICE_CACHE", "XDG_CONFIG_HOME")}
        # A worker of xdist may have started this, in the test of it.
        ours = {name: value for name, value in os.environ.items() if "XDIST" not in name}
        environment = ours | folders | {MARK: mark, "PYTHONHASHSEED": "0"} | more
        environment["PYTHONPATH"] = os.pathsep.join([str(self.tree), str(HERE)])
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        with (self._folder / "output").open("wb") as output:
            running = subprocess.Popen(
                command, cwd=self.tree, env=environment, stdout=output, stderr=output
            )
            try:
                return running.wait(seconds)
            except subprocess.TimeoutExpired:
                return None
            finally:
                running.kill()
                running.wait()
                marking.still_there(mark, 0, functools.partial(marking.started, variable=MARK))
                shutil.rmtree(home, ignore_errors=True)

    def output(self) -> str:
        return (self._folder / "output").read_text(errors="replace")


@dataclass
class Reached:
    """Which tests reach what, and how many seconds each takes."""

    seconds: dict[str, float] = field(default_factory=dict)
    files: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    lines: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """Of those tests that were gathered with the file as it is."""
    vague: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The others that reach the file."""

    def add(self, kept: Mapping[str, object], now: Mapping[str, str]) -> None:
        self.seconds |= kept["seconds"]
        for path, (then, lines) in kept["files"].items():
            for line, tests in lines.items():
                self.files[path].update(tests)
                if now.get(path) == then:
                    self.lines[path, int(line)].update(tests)
                else:
                    self.vague[path].update(tests)

    def tests(self, mutant: Mutant, limit: float) -> tuple[list[str], int]:
        """As many as take so many seconds, and of how many: those of its room, then the fastest."""
        near = f"tests/{mutant.room}/"
        all_of = self.files[mutant.path] if mutant.once else self.vague[mutant.path].union(
            *(self.lines[mutant.path, line] for line in mutant.lines)
        )  # fmt: skip
        ordered = sorted(all_of, key=lambda one: (not one.startswith(near), self.seconds[one], one))
        whole = itertools.accumulate(self.seconds[test] for test in ordered)
        fitting = sum(seconds <= limit for seconds in whole)
        return ordered[: max(fitting, 1)], len(ordered)


def gather(tree: Path, kept: Path, tests: Sequence[str], jobs: int) -> Reached:
    """What tests reach; those whose file is new or changed run for it, a folder at a time."""
    reached, now = Reached(), {path: digest(text) for path, text in sources(tree).items()}
    folders = defaultdict(dict)
    for name in tests:
        paths = (tree / name).rglob("test_*.py") if (tree / name).is_dir() else [tree / name]
        for path in sorted(paths):
            tested = str(path.relative_to(tree))
            key = digest(tested.encode() + path.read_bytes())
            folders[path.parent][tested] = kept / f"{key}.json.gz"
    kept.mkdir(parents=True, exist_ok=True)
    for folder, files in sorted(folders.items()):
        if missing := {name: file for name, file in files.items() if not file.exists()}:
            print(f"gathering {folder.relative_to(tree)}: {len(missing)} files", flush=True)
            with tempfile.TemporaryDirectory() as there:
                copy = Copy(tree, Path(there))
                for name, found in run_and_note(copy, list(missing), jobs, now).items():
                    missing[name].write_bytes(gzip.compress(json.dumps(found).encode()))
        for file in filter(Path.exists, files.values()):
            reached.add(json.loads(gzip.decompress(file.read_bytes())), now)
    return reached


def run_and_note(
    copy: Copy, files: Sequence[str], jobs: int, now: Mapping[str, str]
) -> dict[str, dict[str, object]]:
    """Of each file of tests: the seconds of those that pass, and what they reach."""
    with tempfile.TemporaryDirectory() as there:
        share = [f"-n{jobs}"] if jobs > 1 else []
        notes = {"SLUICE_REACH": there, "SLUICE_REACH_ROOT": str(copy.tree)}
        copy.test(["-p", "reach", "-m", CHOSEN, *share, *files], None, **notes)
        ended = Path(there) / reach.ENDED
        if not ended.exists():
            if "deselected" not in copy.output():
                sys.exit(f"No test was run.\n{copy.output()}")
            return {name: {"seconds": {}, "files": {}} for name in files}
        seconds, bad = Counter(), set()
        for line in ended.read_text().splitlines():
            test, outcome, took = json.loads(line)
            seconds[test] += took
            if outcome != "passed":
                bad.add(test)
        found = {name: {"seconds": {}, "files": {}} for name in files}
        for test in seconds.keys() - bad:
            of = found[test.partition("::")[0]]
            of["seconds"][test] = round(seconds[test], 3)
            for path, line in lines_in(Path(there) / reach.file_of(test)):
                if path in now:  # tests write modules of their own
                    lines = of["files"].setdefault(path, (now[path], {}))[1]
                    lines.setdefault(line, []).append(test)
        return found


def lines_in(note: Path) -> Iterator[tuple[str, str]]:
    """Path and number of each line that a test has reached."""
    for place in set(note.read_text().splitlines()):
        path, _, line = place.rpartition(":")
        yield path, line


def choose(mutants: Iterable[Mutant], count: int, seed: int) -> list[Mutant]:
    """As many of each room, and in it as many of each kind, as there are."""
    drawn = random.Random(seed)
    rooms = defaultdict(lambda: defaultdict(list))
    for mutant in mutants:
        rooms[mutant.room][mutant.kind].append(mutant)
    for kinds in rooms.values():
        for places in kinds.values():
            drawn.shuffle(places)
    turns = [in_turns(drawn.sample(sorted(rooms[room].values(), key=len), len(rooms[room])))
             for room in drawn.sample(sorted(rooms), len(rooms))]  # fmt: skip
    return list(itertools.islice(in_turns(turns), count))


def in_turns[T](sequences: Iterable[Iterable[T]]) -> Iterator[T]:
    """One of each, then the next of each, until none has any."""
    nothing = object()
    rounds = itertools.zip_longest(*sequences, fillvalue=nothing)
    return (one for turn in rounds for one in turn if one is not nothing)


def hold(copy: Copy, mutant: Mutant, reached: Reached, limit: float) -> tuple[str, str]:
    """How a mutant ends, and by what."""
    tests, of = reached.tests(mutant, limit)
    if not tests:
        return UNREACHED, ""
    source = (copy.tree / mutant.path).read_bytes()
    copy.write(mutant.path, mutant.applied(source))
    try:
        with tempfile.NamedTemporaryFile("w") as names:
            names.write("\n".join(tests))
            names.flush()
            seconds = [reached.seconds[test] for test in tests]
            # Of each test: the machine may have more to do than when they were gathered.
            longest = 10 * max(seconds) + SLACK
            each = ["-o", "timeout_method=thread", "-o", f"timeout={longest}"]
            code = copy.test(["-x", *each, f"@{names.name}"], 4 * sum(seconds) + longest)
    finally:
        copy.write(mutant.path, source)
    if code is None:
        return DIED, "waited in vain"
    if code:
        failed = [line for line in copy.output().splitlines() if line.startswith(("FAILED", "ERR"))]
        return DIED, failed[0][:100] if failed else f"pytest ended with {code}"
    return SURVIVED, f"{len(tests)} of {of} tests"


def show(mutant: Mutant, source: bytes) -> str:
    line = source[: mutant.start].count(b"\n") + 1
    before, after = (" ".join(text.split()) for text in (mutant.before, mutant.after))
    return f"{mutant.path}:{line}: {mutant.kind}: {before} → {after}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--tree", type=Path, default=HERE.parents[1], help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, default=200, help="mutants in all rooms together")
    parser.add_argument("--room", action="append", help="such as core/judge; may be repeated")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="files or folders of tests")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are drawn")
    parser.add_argument("--limit", type=float, default=40.0, help="seconds of tests for each")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at once")
    asked = parser.parse_args(arguments)
    texts = sources(asked.tree)
    every = (one for path, text in texts.items() for one in mutants_of(path, text))
    chosen = choose(
        (one for one in every if not asked.room or one.room in asked.room), asked.count, asked.seed
    )
    reached = gather(asked.tree, asked.tree / "build" / "mutants", asked.tests, asked.jobs)
    counts = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as there, ThreadPoolExecutor(asked.jobs) as workers:
        copies = queue.SimpleQueue()
        for number in range(asked.jobs):
            copies.put(Copy(asked.tree, Path(there) / str(number)))

        def one(mutant: Mutant) -> tuple[str, str]:
            copy = copies.get()
            try:
                return hold(copy, mutant, reached, asked.limit)
            finally:
                copies.put(copy)

        for mutant, (end, why) in zip(chosen, workers.map(one, chosen), strict=True):
            counts[mutant.room][end] += 1
            print(f"{end:8} {show(mutant, texts[mutant.path])} ({why})", flush=True)
    print(f"\n{'room':24}{'mutants':>8}{DIED:>8}{SURVIVED:>10}{UNREACHED:>20}")
    for room, ends in [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]:
        print(f"{room:24}{ends.total():8}{ends[DIED]:8}{ends[SURVIVED]:10}{ends[UNREACHED]:20}")


if __name__ == "__main__":
    main()
