"""Kills real runs of tiles, or what serves them, and tells what is left of them.

A run is a real command line in a session of its own.  It is killed with SIGKILL a drawn time after
a drawn phase has begun; then `python -m core leftovers --remove` has to remove what it left.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from marking import still_there
from patience import PATIENCE
from victims import Killable, KilledRun, core_command

from core.language import SessionError, SluiceError
from core.run import Session, salvage
from core.vocabulary import build
from workloads.tiles.layer_catalogue import heading_of
from workloads.tiles.layer_in_store import holds, layer_of, open_store
from workloads.tiles.stores.store import Store
from workloads.tiles.tile_parameters import TileParameters

PARENT, CHILD, SERVER = "parent", "child", "server"
AT_ONCE, AFTERWARDS = "at once", "afterwards"
PHASES: Mapping[str, tuple[str, ...]] = {
    "write": ("starting", "loading", "preparing", "measuring", "verifying", "cleaning up"),
    "read": ("placing", "preparing", "measuring"),
}
"""Those after which runs are killed, by direction."""
WITHIN = 0.4
"""Seconds after a phase has begun within which the kill comes."""
_TILES_OF_A_RUN = ("--threads", "2", "--duration", "300ms", "--warm-up", "0", "--repeats", "2")
_LIMITS = ("--deadline", "2min", "--stall", "60s", "--no-floor", "--json")


@dataclass(frozen=True, kw_only=True)
class Kill:
    """What is killed, in which run, and when."""

    number: int
    store: str
    victim: str
    direction: str
    phase: str
    later: float
    """Seconds after the phase has begun."""
    restart: str
    """When a killed server comes back: at once, or after the run has ended by itself."""

    def __str__(self) -> str:
        back = f", back {self.restart}" if self.victim == SERVER else ""
        told = f"{self.store}: {self.direction}, {self.victim}{back}"
        return f"{told}, {self.later:.2f} s into {self.phase}"


def draw_kills(
    victims: Mapping[str, Sequence[str]], count: int, drawn: random.Random
) -> list[Kill]:
    """So many kills, the stores in turn; `victims` of each store, also in turn."""
    kills = []
    for number in range(count):
        turn, place = divmod(number, len(victims))
        store = list(victims)[place]
        direction = "read" if drawn.random() < 0.2 else "write"
        kills.append(
            Kill(
                number=number + 1,
                store=store,
                victim=victims[store][turn % len(victims[store])],
                direction=direction,
                phase=drawn.choice(PHASES[direction]),
                later=drawn.uniform(0, WITHIN),
                restart=drawn.choice((AT_ONCE, AFTERWARDS)),
            )
        )
    return kills


@dataclass(frozen=True, kw_only=True)
class Target:
    """A store that runs write into, and how to see what is in it."""

    store: str
    values: Mapping[str, object]
    """The parameters that reach it."""
    listed: Callable[[], set[str]]
    """The names of all layers in it, as the store itself tells them."""
    server: Killable | None = None

    @property
    def parameters(self) -> TileParameters:
        return build(TileParameters, {"store": self.store, **self.values})

    @property
    def flags(self) -> list[str]:
        named = {"store": self.store, **self.values}
        return [f"--{name.replace('_', '-')}={value}" for name, value in named.items()]

    def open(self, layer: str) -> Store:
        return open_store(self.parameters, layer)

    def wait_until_it_serves(self, seconds: float) -> None:
        """Until something was written, read and removed."""
        until = time.monotonic() + seconds
        while True:
            try:
                store = self.open("probe")
                with contextlib.closing(store):
                    store.put_many(())
                    store.remove()
            except Exception:  # each driver has its own for a server that is not there yet
                if time.monotonic() > until:
                    raise
                select.select([], [], [], 0.2)
            else:
                return


@dataclass(kw_only=True)
class After:
    """What was left after one kill, in words; nothing where all is well."""

    kill: Kill
    hit: bool = True
    """The run was not over before."""
    listed: int = 0
    """Trials that were on the ledger."""
    swept: int = 0
    """Objects that were removed for them."""
    left: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        found = "; ".join(self.left) or "nothing left"
        late = "" if self.hit else " (it was over before)"
        return f"{self.kill.number}: {self.kill}{late}: {self.listed} on the ledger, {self.swept} removed: {found}"


class Killing:
    """Kills runs over one layer of tiles; all that they write of their own is below a folder."""

    def __init__(self, folder: Path, layer: Path, state: Path) -> None:
        """`state`: what `SLUICE_STATE` in the environment names."""
        self._folder, self._layer, self._state = folder, layer, state
        self._heading = heading_of(layer)
        self._sessions = folder / "sessions"
        self._sessions.mkdir()

    def run(self, kill: Kill, target: Target) -> After:
        """One kill, and what is left of it."""
        after = After(kill=kill)
        if kill.direction == "read":  # so that it is placed anew
            with contextlib.closing(target.open(layer_of(self._heading))) as store:
                store.remove()
        before = target.listed()
        run = self._begun(kill, target)
        try:
            run.wait_for(kill.phase)
            run.go_on(kill.later)
            after.hit = self._struck(kill, target, run)
            run.wait(3 * PATIENCE)
        finally:
            run.popen.kill()
        if left := still_there(run.mark, PATIENCE):
            after.left.append(f"processes {left}")
        if kill.victim == SERVER and target.server is not None and after.hit:
            if kill.restart == AFTERWARDS:
                target.server.restart()
            target.wait_until_it_serves(PATIENCE)
        after.left += self._left(target, before, after)
        after.left += self._sessions_left()
        if kill.direction == "read":
            after.left += self._read_again(kill, target)
        return after

    def _begun(self, kill: Kill, target: Target) -> KilledRun:
        arguments = ["measure", "tiles", "--dataset", str(self._layer), *target.flags]
        arguments += ["--direction", kill.direction, *_TILES_OF_A_RUN, *_LIMITS]
        arguments += ["--session", str(self._sessions / f"{kill.number}.sluice")]
        mark = f"{os.getpid()}-{kill.number}"
        return KilledRun(arguments, mark, self._folder / "stderr")

    def _struck(self, kill: Kill, target: Target, run: KilledRun) -> bool:
        """Kill; returns whether the run was still there."""
        victim = run.child() if kill.victim == CHILD else None
        if run.popen.poll() is not None:
            return False
        if kill.victim == PARENT:
            run.popen.kill()
        elif kill.victim == SERVER:
            assert target.server is not None
            target.server.kill()
            if kill.restart == AT_ONCE:
                target.server.restart()
        elif victim is None:
            return False
        else:
            with contextlib.suppress(psutil.NoSuchProcess):
                victim.kill()
        return True

    def _left(self, target: Target, before: set[str], after: After) -> Iterator[str]:
        """What is in the store or on the ledger after a sweep."""
        done = core_command("leftovers", "--remove", "--json")
        removed = json.loads(done.stdout or b'{"on_servers": []}')["on_servers"]
        after.listed = len(removed)
        after.swept = sum(one["removed"] for one in removed)
        if done.returncode:
            yield f"leftovers ended with {done.returncode}: {done.stderr.decode()}{removed}"
        listed = json.loads(core_command("leftovers", "--json").stdout)
        if any(listed.values()):
            yield f"on the ledger: {listed}"
        ledger = self._state.glob("leftovers/*")
        if files := [path.name for path in ledger if not _unfinished(path)]:
            yield f"beside the ledger: {files}"
        reused = self._heading.digest[:20]
        if found := {one for one in target.listed() - before if reused not in one}:
            yield f"in {target.store}: {sorted(found)}"

    def _sessions_left(self) -> Iterator[str]:
        """What cannot be read of the sessions; they are removed."""
        for path in sorted(self._sessions.glob("*.sluice")):
            try:
                with Session.read(path) as session:
                    runs = [session.trials(run.id) for run in session.runs()]
                    session.results()
                if runs:
                    saved = salvage(path, self._folder / "saved.sluice")
                    if not saved.whole or saved.trials != sum(map(len, runs)):
                        yield f"{path.name} was not saved whole: {saved}"
                with Session.open(path) as session:
                    session.note("survived")
            except SessionError as error:
                yield f"{path.name}: {error}"
            (self._folder / "saved.sluice").unlink(missing_ok=True)
            path.unlink()
        for path in self._sessions.iterdir():
            if not _unfinished(path):
                yield f"beside the sessions: {path.name}"
            path.unlink()

    def _read_again(self, kill: Kill, target: Target) -> Iterator[str]:
        """What keeps the next run from reading the layer, which it completes if need be."""
        run = self._begun(kill, target)
        if code := run.wait(3 * PATIENCE):
            yield f"the next run ended with {code}: {run.complained()}"
        try:
            with contextlib.closing(target.open(layer_of(self._heading))) as store:
                if not holds(store, self._heading):
                    yield "the layer is not whole"
        except SluiceError as error:
            yield str(error)
        yield from self._sessions_left()


def _unfinished(path: Path) -> bool:
    """Whether it is a file that was never complete, which is removed by a later one of its kind."""
    return path.name.startswith(".sluice-") and path.name.endswith(".new")
