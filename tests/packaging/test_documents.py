"""What the documents say is true: their commands run, pictures and links are there, tables hold.

Commands of the command line are run on small data where that takes a moment (`is_run`).  The
others take servers, minutes or a browser; the real command line only reads these.  `make` only says
what it would do.  Of other programs only the files and versions that they name are looked at.
The guide's web pages are whole, linked, and have nothing from elsewhere.
"""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
from documents import (
    DOCUMENTS,
    GUIDE,
    README,
    Command,
    commands,
    headings,
    links,
    modules,
    pictures,
    table_below,
)
from loading import ROOT, packaging_module
from page import Page

from core import GuidePage, load_study, study_names, workloads
from core.run import Preset
from core.tell.cli import main, root
from core.tell.cli.measure_command import MeasuringCommand

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COMMANDS = commands()
OF_SLUICE = [command for command in COMMANDS if command.of_sluice is not None]
OTHERS = [command for command in COMMANDS if command.of_sluice is None]

LOOKING = {
    "compare",
    "doctor",
    "export",
    "import",
    "leftovers",
    "list",
    "report",
    "salvage",
    "show",
    "studies",
}
MEASURING = {"measure"}
MEASURED = {"fasta", "raw"}
"""Workloads that are measured here, and those of the documents' own modules."""
SHORT = ("--duration", "0", "--operations", "20", "--warm-up", "0")
SHORTER = (*SHORT, "--repeats", "1", "--budget", "0", "--no-floor")
"""Behind a documented command: a flag that is given twice has its last value."""
DONE = {"compare": {0, 3, 4}, "leftovers": {0}}
"""Exit codes of commands that tell something by them; 0 for all others, and 1 of the doctor."""


FIO = '{"jobs": [{"jobname": "a", "read": {"total_ios": 9, "iops": 9.0, "bw_bytes": 589824}}]}'


def is_run(words: tuple[str, ...]) -> bool:
    """Whether a command is carried out here, and not only read."""
    asked = [word for word in words if not word.startswith("-")]
    if "--version" in words or "--help" in words:
        return True
    if words[0] == "--path":
        return words[2] in MEASURING
    command, subject = (*asked, "", "")[:2]
    if command in LOOKING:
        return "--again" not in words
    if command == "dataset":
        return subject == "show" or words[1:3] == ("make", "file-tree")
    return command in MEASURING and subject in MEASURED


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all data that the documents name, and sessions of a sweep in `own/sessions`."""
    place = tmp_path_factory.mktemp("documents")
    with pytest.MonkeyPatch.context() as patch:
        settle(place, patch)
        make = ("dataset", "make")
        tiny = ("--sequences", "40", "--median-length", "60")
        assert main([*make, "seqrepo", "--files", "4", *tiny, "--folder", "snapshot"]) == 0
        assert main([*make, "fasta", *tiny, "--folder", "one"]) == 0
        (genome,) = (place / "one").glob("*gz")
        shutil.copy(genome, "genome.fa.bgz")
        with gzip.open(genome, "rt") as file:
            name = file.readline()[1:].split()[0]
        Path("regions.bed").write_text(f"{name}\t0\t2\n", "utf-8")
        Path("notes.txt").write_text("".join(f"line {n}\n" for n in range(500)), "utf-8")
        shutil.copytree("snapshot", "DATA")
        Path("reads.blow5").touch()  # only named in commands that are read
        for name, text in modules().items():
            Path(name).write_text(text, "utf-8")
        Path("mymodule.py").write_text("from my_lines import RandomLines as MyWorkload\n", "utf-8")
        sweep = ["measure", "fasta", "threads=1,2", "--dataset", "snapshot", *SHORTER]
        for _ in range(2):
            assert main(sweep) == 0
        newest = max((place / "own" / "sessions").glob("*.sluice"))
        shutil.copy(newest, "night.sluice")
        assert main(["export", "night.sluice", "-o", "results.json"]) == 0
        raw = ["measure", "raw", "--dataset", "notes.txt", "--session", "raw.sluice", *SHORTER]
        assert main(raw) == 0
        Path("fio.json").write_text(FIO, "utf-8")
    return place


def settle(place: Path, patch: pytest.MonkeyPatch) -> None:
    """Work in a folder, and have Sluice keep all of its own there."""
    patch.chdir(place)
    for name in ("SLUICE_SESSIONS", "SLUICE_CACHE", "SLUICE_STATE", "SLUICE_LAB"):
        patch.setenv(name, str(place / "own"))


@pytest.fixture
def here(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, to work in."""
    copied = shutil.copytree(place, tmp_path / "here", symlinks=True)
    settle(copied, monkeypatch)
    return copied


def shortened(words: tuple[str, ...]) -> list[str]:
    """A documented command on small data and in a moment."""
    told = [word for word in words if word != "--open"]
    if MEASURING & {*words[:3]}:
        if "fasta" in words and "--dataset" not in words:
            told += ["--dataset", "snapshot"]
        told += SHORTER
    return told


def carried_out(words: tuple[str, ...]) -> int:
    """The exit code of a documented command; one with a module of its own has its own process."""
    told = shortened(words)
    if words[0] == "--path":
        program = [sys.executable, "-P", "-m", "core"]
        return subprocess.run([*program, *told], check=False, stdout=subprocess.DEVNULL).returncode
    return main(told)


def read_by_command_line(words: tuple[str, ...]) -> None:
    """Have the real command line read a command; raises click.ClickException or SluiceError."""
    command: click.Command = root
    rest, context = list(words), None
    while True:
        context = command.make_context(command.name or "sluice", rest, parent=context)
        if not isinstance(command, click.Group):
            break
        rest = [*context._protected_args, *context.args]
        _, inner, rest = command.resolve_command(context, rest)
        assert inner is not None
        command = inner
    if isinstance(command, MeasuringCommand):
        command.read(context.params)


@pytest.mark.parametrize("command", [c for c in OF_SLUICE if is_run(c.of_sluice or ())], ids=str)
def test_that_a_documented_command_does_its_work(
    command: Command, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = command.of_sluice
    assert words is not None
    code = carried_out(words)
    told = capsys.readouterr()
    assert code in DONE.get(words[0], {0}) or words[0] == "doctor", told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize("command", OF_SLUICE, ids=str)
def test_that_the_command_line_understands_a_documented_command(
    command: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = command.of_sluice
    assert words is not None
    monkeypatch.syspath_prepend(here)
    # Only read: whether its program is installed is for those who run it.
    monkeypatch.setattr(Preset, "installed", True)
    if "--version" not in words:
        read_by_command_line(words)


def test_that_documents_have_commands_of_every_kind() -> None:
    run = [words for one in OF_SLUICE if (words := one.of_sluice) and is_run(words)]
    assert len(run) > 15
    assert {words[0] for words in run} >= {"measure", "show", "report", "--path"}
    assert {one.document for one in OF_SLUICE} >= {"README.md", "tests/benchmarks/README.md"}
    named = {word for one in OF_SLUICE for word in one.of_sluice or ()}
    with click.Context(root) as context:
        assert {*root.list_commands(context)} <= named, "no document shows a command"


@pytest.mark.parametrize("command", [c for c in OTHERS if c.words[0] == "make"], ids=str)
def test_that_make_knows_what_documents_ask_of_it(command: Command) -> None:
    asked = ["make", "--dry-run", "--no-print-directory", *command.words[1:]]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for word in command.words:
        if word.startswith("EXTRAS="):
            extras = word.partition("=")[2].split()
            assert {*extras} <= {*PROJECT["optional-dependencies"]}


@pytest.mark.parametrize("command", [c for c in OTHERS if c.words[0] != "make"], ids=str)
def test_that_files_and_versions_of_other_documented_commands_are_right(command: Command) -> None:
    versions = re.findall(r"\b\d+\.\d+\.\d+\b", " ".join(command.words))
    assert {*versions} <= {PROJECT["version"]}
    for word in command.words:
        if word.startswith(("tests/", "packaging/", "core/", "app/")):
            assert (ROOT / word).exists()
    scripts = [word for word in command.words if word.endswith(".py")]
    if scripts and "pytest" not in command.words:
        source = (ROOT / scripts[0]).read_text("utf-8")
        behind = command.words[command.words.index(scripts[0]) + 1 :]
        assert all(f'"{word}"' in source for word in behind if word.startswith("--"))


PICTURES = packaging_module("draw_pictures").PICTURES
FOLDER = ROOT / "resources" / "pictures"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_that_every_picture_in_a_document_is_made_by_the_script(document: Path) -> None:
    for picture in pictures(document):
        assert picture.parent == FOLDER
        assert picture.is_file()
        assert picture.name in PICTURES, "no script draws it: add it to packaging/draw_pictures.py"


def test_that_every_picture_is_drawn_and_shown() -> None:
    shown = {picture.name for document in DOCUMENTS for picture in pictures(document)}
    assert {path.name for path in FOLDER.iterdir()} == {*PICTURES} == shown


def test_that_the_photographer_knows_every_state_that_is_drawn() -> None:
    photographer = packaging_module("draw_pictures").PHOTOGRAPH.read_text("utf-8")
    for shot in PICTURES.values():
        assert f'"{shot.state}"' in photographer
        assert f'"{shot.theme}"' in photographer


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_that_every_link_in_a_document_leads_somewhere(document: Path) -> None:
    for link in links(document):
        if link.startswith("https://"):
            continue
        name, _, heading = link.partition("#")
        target = document.parent / name if name else document
        assert target.is_file(), link
        assert not heading or heading in map(GuidePage.slug, headings(target)), link


def test_that_the_readme_lists_every_workload_with_its_question_and_its_studies() -> None:
    studies = [load_study(name) for name in study_names()]
    wanted = {
        f"`{name}`": (
            entry.purpose,
            " ".join(f"`{study.name}`" for study in studies if study.workload == name),
        )
        for name, entry in workloads().items()
    }
    rows = table_below(README, "Workloads and studies")
    assert {name: (question, published) for name, question, published in rows} == wanted


def test_that_the_readme_says_where_things_are_as_the_program_does() -> None:
    source = (ROOT / "core" / "measure" / "machine" / "folders.py").read_text("utf-8")
    for table in (
        table_below(README, "Where things are"),
        table_below(GUIDE[0], "Where results are kept"),
    ):
        variables = re.findall(r"SLUICE_[A-Z]+", " ".join(row[-1] for row in table))
        assert len(variables) >= 3
        assert all(f'"{variable}"' in source for variable in variables)


@pytest.mark.parametrize(
    ("document", "most"),
    [("README.md", 8_000), ("CONTRIBUTING.md", 9_000)],
)
def test_that_what_a_newcomer_opens_first_is_short(document: str, most: int) -> None:
    assert (ROOT / document).stat().st_size <= most


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guide as web pages."""
    folder = tmp_path_factory.mktemp("guide")
    packaging_module("make_guide").main([str(folder)])
    return folder


def pages(web: Path) -> dict[str, Page]:
    """Every page that was rendered, read strictly."""
    return {file.name: Page(file.read_text("utf-8")) for file in sorted(web.glob("*.html"))}


def test_that_there_is_a_page_for_each_and_the_first_is_the_index(web: Path) -> None:
    found = pages(web)
    assert len(found) == len(GuidePage.all())
    assert "index.html" in found
    texts = {name: "".join(page.texts) for name, page in found.items()}
    assert "One click to a verdict" in texts["index.html"]
    assert all("Glossary" in text for text in texts.values())


def test_that_every_link_leads_to_a_page_and_a_heading(web: Path) -> None:
    found = pages(web)
    links = [(name, link) for name, page in found.items() for link in page.all_of("href")]
    assert any("#" in link for _, link in links)
    for name, link in links:
        target, _, heading = link.partition("#")
        assert not target.endswith(".md")
        assert not heading or heading in found[target or name].all_of("id")
        assert (web / (target or name)).is_file()


def test_that_pictures_are_there_and_nothing_is_loaded_from_elsewhere(web: Path) -> None:
    shown = [picture for page in pages(web).values() for picture in page.all_of("src")]
    assert shown
    assert all((web / picture).is_file() for picture in shown)
    for file in web.glob("*.html"):
        assert not re.search(r"(src|href)=\"(https?:|//)|<script", file.read_text("utf-8"))


def test_that_lists_and_tables_become_html(web: Path) -> None:
    page = pages(web)["04-what-there-is.html"]
    assert len(page.tables) > 8
    (caches,) = (table for table in page.tables if table.rows[0] == ["Cache", "What it does"])
    assert len(caches.rows) > 5
    assert {"lru", "lru-locked"} <= {*page.texts}
    assert not [text for text in page.texts if "{{" in text or re.search(r"\*\*|\\\[", text)]
