"""What a user is told of data before anything is measured on it."""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from scarcity import as_ordinary_user

from core.language import DatasetError
from core.measure import Inspection, make_dataset
from core.tell.cli import main
from core.vocabulary import DatasetKind, content_of, registry
from workloads.fasta.make_fasta import SeqrepoShape


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """What is left of a snapshot that lost a database."""
    root = tmp_path / "2024-12-20"
    (root / "sequences").mkdir(parents=True)
    (root / "aliases.sqlite3").write_bytes(b"SQLite format 3\0")
    (root / "sequences" / "x.fa").write_bytes(b">a\nACGT\n")
    return root


def test_that_it_is_told_why_a_snapshot_is_taken_for_mere_files(snapshot: Path) -> None:
    look = Inspection.of(snapshot)
    assert look.dataset.kind == "files"
    assert "is a SeqRepo snapshot without sequences/db.sqlite3" in look.problem


def test_that_the_command_says_it_too(snapshot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "show", str(snapshot)]) == 1
    told = capsys.readouterr().out
    assert "it seems to be: SeqRepo snapshot; but " in told
    assert "without sequences/db.sqlite3 (fetch the snapshot again)" in told
    assert "kind" not in told
    assert main(["dataset", "show", "--json", str(snapshot)]) == 1
    assert "without sequences/db.sqlite3" in json.loads(capsys.readouterr().out)["problem"]


@pytest.mark.parametrize("name", ["x.fa", "notes.txt"])
def test_that_nothing_is_wrong_with_what_is_whole_or_nothing_special(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b">a\nACGT\n" if name.endswith("fa") else b"some text")
    assert Inspection.of(path).problem == ""


def test_that_who_reads_any_files_may_look_at_what_cannot_be_counted(tmp_path: Path) -> None:
    path = tmp_path / "ragged.fa"
    path.write_bytes(b">a\nAC\nACGT\n")
    assert "different lengths" in Inspection.of(path, "raw").problem
    for workload in ("", "fasta"):
        with pytest.raises(DatasetError, match="different lengths") as refused:
            Inspection.of(path, workload)
        assert refused.value.remedy.startswith("fold it again: ")


def test_that_the_exit_code_of_data_that_cannot_be_counted_is_as_the_help_says(
    tmp_path: Path,
) -> None:
    (tmp_path / "ragged.fa").write_bytes(b">a\nAC\nACGT\n")
    assert main(["dataset", "show", str(tmp_path / "ragged.fa")]) == 1
    assert main(["dataset", "show", str(tmp_path / "none.fa")]) == 2


def test_that_data_of_no_use_is_told_with_all_that_would_be(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"some text")
    told = r"holds other files, and what is read here is: .*POD5; BLOW5 or SLOW5; POD5"
    with pytest.raises(DatasetError, match=told):
        Inspection.of(tmp_path, "signal")


def test_that_a_path_that_cannot_be_followed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read: File name too long"):
        Inspection.of(tmp_path / ("x" * 3000))


def said_to_nobody(path: Path) -> str:
    """What somebody is told of a path who may not read everything."""

    Inspection.of(Path(__file__))  # imports what nobody may not be able to

    def look() -> str:
        found = Inspection.of(path)
        return f"{found.dataset.kind}: {found.sentence()}"

    return as_ordinary_user(look)


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which anybody may look around, and write into a cache."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        cache = Path(folder, "cache")
        cache.mkdir()
        cache.chmod(0o777)
        monkeypatch.setenv("SLUICE_CACHE", str(cache))
        yield Path(folder)


def test_that_a_file_in_a_closed_folder_is_one_clear_error(public: Path) -> None:
    closed = public / "closed"
    closed.mkdir()
    (closed / "x.fa").write_bytes(b">a\nACGT\n")
    closed.chmod(0)
    for path in (closed, closed / "x.fa"):
        told = said_to_nobody(path)
        assert told.startswith("DatasetError: ")
        assert str(path) in told
    closed.chmod(0o700)


def test_that_a_closed_file_of_a_snapshot_is_named(public: Path) -> None:
    root = make_dataset("seqrepo", SeqrepoShape(files=3, sequences=20), public / "root").path
    for folder in (public, *public.rglob("*")):
        folder.chmod(0o755)
    file = next(root.rglob("*.bgz"))
    file.chmod(0)
    told = said_to_nobody(root)
    assert told == f"DatasetError: {file} cannot be read: Permission denied"


def test_that_a_folder_says_how_much_of_it_cannot_be_read(public: Path) -> None:
    folder = public / "data"
    for name in ("open", "unlisted", "unsearched"):
        (folder / name).mkdir(parents=True)
        (folder / name / "x.fa").write_bytes(b">a\nACGT\n")
    (folder / "open" / "closed.fa").write_bytes(b">a\nACGT\n")
    (folder / "open" / "nowhere").symlink_to("gone")
    (folder / "open" / "closed.fa").chmod(0)
    (folder / "unlisted").chmod(0o711)
    (folder / "unsearched").chmod(0o744)
    told = said_to_nobody(folder)
    (folder / "unlisted").chmod(0o755)
    (folder / "unsearched").chmod(0o755)
    assert told.startswith("fasta-folder: ")
    assert "1 file" in told
    assert told.endswith("unreadable and left out: 3")


@pytest.mark.parametrize(
    "raised",
    [
        ZeroDivisionError("by zero"),
        OverflowError("too large"),
        OSError(5, "Input/output error"),
        IndexError("out of range"),
    ],
)
def test_that_what_a_kind_of_data_did_not_expect_names_the_file(
    tmp_path: Path, raised: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.odd"
    path.write_bytes(b"odd")

    class Odd(DatasetKind):
        name = "odd"
        title = "odd data"

        def recognises(self, path: Path) -> bool:
            return path.read_bytes() == b"odd"

        def files(self, path: Path) -> Sequence[Path]:
            return [path]

        def facts(self, path: Path) -> Mapping[str, int | str]:
            raise raised

    monkeypatch.setattr(sys.modules[__name__], "Odd", Odd, raising=False)
    entry = registry.KindEntry(name="odd", title="odd data", load=f"{__name__}:Odd")
    monkeypatch.setattr(registry, "dataset_kinds", lambda: {"odd": entry})
    with pytest.raises(DatasetError, match=r"x\.odd cannot be read: "):
        Inspection.of(path)


@pytest.mark.parametrize("path", ["/", "/usr/..", "//"])
def test_that_the_root_of_the_file_system_is_no_dataset(path: str) -> None:
    with pytest.raises(DatasetError, match="is the root of the file system"):
        Inspection.of(Path(path))


@pytest.mark.parametrize(
    "name",
    [
        "aliases.sqlite3",
        "sequences/db.sqlite3",
        "layer.json",
        "tree.json",
        "x.fa",
        "x.blow5",
        "x.pod5",
    ],
)
def test_that_nobody_waits_for_a_pipe_that_is_called_as_data(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "data"
    (folder / name).parent.mkdir(parents=True)
    os.mkfifo(folder / name)
    (folder / "some.bin").write_bytes(b"data")
    assert Inspection.of(folder).files == 1
    with pytest.raises(DatasetError, match="nothing readable"):
        Inspection.of(folder / name)


@pytest.mark.parametrize("name", ["pipe", "/dev/zero", "/dev/null"])
def test_that_the_content_of_a_pipe_or_a_device_is_not_waited_for(
    tmp_path: Path, name: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="Not a regular file"):
        content_of(tmp_path / name)


def test_that_one_odd_file_of_a_folder_is_told_with_its_reason_and_the_rest_is_counted(
    tmp_path: Path,
) -> None:
    for number in range(30):
        (tmp_path / f"{number}.fa").write_bytes(b">a\nACGT\n")
    (tmp_path / ">").write_bytes(b">\xff\xfe\n")
    look = Inspection.of(tmp_path)
    assert (look.facts["files"], look.facts["sequences"]) == (30, 30)
    assert (
        look.facts["left out 1"]
        == f"{tmp_path / '>'} has a sequence whose name is not UTF-8 (rename it)"
    )


def test_that_a_folder_in_which_only_one_file_looks_like_data_is_a_folder_of_files(
    tmp_path: Path,
) -> None:
    for number in range(30):
        (tmp_path / f"{number}.bin").write_bytes(b"\0" * 100)
    (tmp_path / ">").write_bytes(b">")
    look = Inspection.of(tmp_path)
    assert (look.dataset.kind, look.files) == ("files", 31)
    assert "has a header without a name" in look.problem


def test_that_a_read_that_fails_names_its_file(tmp_path: Path) -> None:
    memory = Path("/proc/self/mem")  # whose first page nobody can read
    with pytest.raises(OSError, match=re.escape(str(memory))):
        content_of(memory, 10)


def test_that_a_pointer_of_git_lfs_is_told_from_the_data(tmp_path: Path) -> None:
    pointer = tmp_path / "reads.pod5"
    pointer.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n")
    with pytest.raises(DatasetError, match="only says where Git LFS keeps the data") as refused:
        registry.open_dataset(pointer, ("pod5",))
    assert refused.value.remedy == "fetch it: git lfs pull"
