"""Prepares what a recipe needs on this machine: fetches it, then builds it, once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from core.host.file_lock import locked
from core.host.folders import cache_folder, make_private
from core.lab.downloads import Resolve, fetch, missing
from core.lab.recipe import Artefact, Kit, Recipe
from core.lab.registries import http_address
from core.lab.toolchains import GO, JAVA, Toolchain, machine_of
from core.language.telling import Tell

_PREPARED = ".prepared"


def kits_folder() -> Path:
    """Where everything is that the lab has fetched and built; safe to delete."""
    return cache_folder() / "lab"


def kit_of(recipe: Recipe, tell: Tell, resolve: Resolve = http_address) -> Kit:
    """The recipe's kit, made ready unless it is; raises SluiceError."""
    artefacts = _for_this_machine(recipe.artefacts)
    folder = _folder(recipe)
    with locked(kits_folder() / "locks" / f"{folder.name}.lock"):
        program = _program(resolve, tell)
        prepared = is_prepared(recipe)
        kit = Kit(
            folder=folder,
            tell=tell,
            java_program=program(JAVA) if recipe.java else None,
            # Who has built it needs Go no more.
            go_program=program(GO) if recipe.go and not prepared else None,
        )
        if not prepared:
            make_private(folder)
            fetch(artefacts, folder, resolve=resolve, tell=tell, title=recipe.title)
            recipe.prepare(kit)
            (folder / _PREPARED).touch()
    return kit


def is_prepared(recipe: Recipe) -> bool:
    """Whether all is there that the recipe's kit has; a toolchain may still have to be fetched."""
    artefacts = _for_this_machine(recipe.artefacts)
    return (_folder(recipe) / _PREPARED).exists() and not missing(artefacts, _folder(recipe))


def bytes_to_fetch(recipe: Recipe) -> int:
    """What `kit_of` would fetch now: 0 where all is here; raises Unavailable.

    About, where the recipe fetches by itself.
    """
    prepared = is_prepared(recipe)
    wanted = [] if prepared else missing(_for_this_machine(recipe.artefacts), _folder(recipe))
    for toolchain, needed in ((JAVA, recipe.java), (GO, recipe.go and not prepared)):
        if needed and toolchain.own() is None and not toolchain.is_fetched(_toolchains()):
            wanted.append(toolchain.wheel())
    return sum(one.bytes for one in wanted) + (0 if prepared else recipe.prepare_bytes)


def _toolchains() -> Path:
    return kits_folder() / "toolchains"


def _folder(recipe: Recipe) -> Path:
    return kits_folder() / f"{recipe.name}-{_digest(recipe)}"


def _for_this_machine(artefacts: Sequence[Artefact]) -> list[Artefact]:
    return [one for one in artefacts if one.machine in ("", machine_of())]


def _program(resolve: Resolve, tell: Tell) -> Callable[[Toolchain], Path]:
    def found(toolchain: Toolchain) -> Path:
        return toolchain.own() or toolchain.fetched(_toolchains(), resolve, tell)

    return found


def _digest(recipe: Recipe) -> str:
    """Another one for each set of artefacts and each edition of what is built."""
    named = [f"{one.name} {one.sha256}" for one in recipe.artefacts]
    return hashlib.sha256("\n".join([recipe.edition, *named]).encode()).hexdigest()[:12]
