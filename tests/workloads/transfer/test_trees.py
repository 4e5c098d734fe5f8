"""Trees of files: generated from a seed, catalogued, and of a user's own folder."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from core.language import DatasetError, report_to_nobody
from core.measure import make_dataset
from core.vocabulary import Dataset, build, open_dataset
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_datasets import TreeShape, make_tree
from workloads.transfer.tree_files import (
    FILES,
    HEADING,
    INDEX,
    Tree,
    files_below,
    names_below,
    open_tree,
    part_of,
)
from workloads.transfer.trees_in_remotes import require_names

PUBLISHED = {
    (25, 25 * 40_960): {},
    (775, 775 * 13_312): {"depth": 3, "size": 13_312},
    (10, 10 * 100 << 20): {"folders": 1, "files": 10, "size": 100 << 20},
    (10, 10 * 10_000 << 20): {"folders": 1, "files": 10, "size": 10_000 << 20},
}


def opened(path: Path, cache: Path) -> tuple[Dataset, dict[str, tuple[int, str]]]:
    dataset = open_dataset(path, ("file-tree", "files"))
    tree = open_tree(dataset, cache, report_to_nobody)
    return dataset, {file.name: (file.size, file.md5.hex()) for file in tree.files}


def truth(root: Path) -> dict[str, tuple[int, str]]:
    return {
        str(path.relative_to(root)): (
            path.stat().st_size,
            hashlib.md5(path.read_bytes()).hexdigest(),
        )
        for path in root.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("published", PUBLISHED, ids=str)
def test_that_the_published_trees_are_shapes(published: tuple[int, int]) -> None:
    shape = build(TreeShape, PUBLISHED[published])
    assert (shape.all_files, shape.bytes) == published


def test_that_the_catalogue_has_every_file_that_was_generated(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    make_tree(TreeShape(depth=2, folders=2, files=3, size=2_500_000), folder, report_to_nobody)
    dataset, files = opened(folder, cache)
    assert dataset.kind == "file-tree"
    assert files == truth(folder / FILES)
    assert len(files) == len({md5 for _, md5 in files.values()}) == 18


def test_that_the_published_trees_can_be_had_in_one_dataset(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    shape = build(TreeShape, {"trees": "scaled"})
    assert shape.bytes == 25 * 40_960 + 775 * 13_312 + 10 * (10 << 20)
    full = build(TreeShape, {"trees": "full"})
    assert {(part.all_files, part.bytes) for part in full.parts.values()} == set(PUBLISHED)
    make_tree(shape, folder, report_to_nobody)
    dataset, files = opened(folder, cache)
    assert files == truth(folder / FILES)
    assert len(files) == shape.all_files == 810
    assert dataset.path == folder
    whole = open_tree(dataset, cache, report_to_nobody)
    parts = [part_of(whole, name) for name in shape.parts]
    assert [len(part.files) for part in parts] == [25, 775, 10]
    assert len({part.digest for part in parts}) == 3
    for part in parts:
        assert all(part.path_of(file).stat().st_size == file.size for file in part.files)
    with pytest.raises(DatasetError, match="no files in 25"):
        part_of(whole, "25")


def test_that_a_disk_that_is_too_small_is_told_before_the_first_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage(NamedTuple):
        free: int

    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(1000))
    with pytest.raises(DatasetError, match=r"room for 1000 B, but .* are needed"):
        make_dataset("file-tree", TreeShape(size=40), tmp_path / "tree")
    assert not (tmp_path / "tree").exists()


def test_that_too_many_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"1,010,100,000 files"):
        make_dataset("file-tree", TreeShape(depth=3, folders=100, files=1000), tmp_path / "tree")


def test_that_a_users_folder_is_catalogued_with_its_empty_files(
    small_tree: Path, cache: Path
) -> None:
    dataset, files = opened(small_tree, cache)
    assert dataset.kind == "files"
    assert files == truth(small_tree)
    (small_tree / "empty").write_bytes(b"no longer")
    assert opened(small_tree, cache)[1] == truth(small_tree)


def test_that_a_name_that_no_server_takes_is_left_out_and_told(tmp_path: Path, cache: Path) -> None:
    files = tmp_path / "files"
    (files / "below").mkdir(parents=True)
    for name in (">", "{x}", "-", "below/one"):
        (files / name).write_bytes(b"x")
    odd = files / "\udcff"
    odd.write_bytes(b"x")
    dataset, found = opened(files, cache)
    assert set(found) == {">", "{x}", "-", "below/one"}
    tree = open_tree(dataset, cache, report_to_nobody)
    assert tree.left_out == (
        f"{odd} has a name that is no Unicode, which no server takes (rename it)",
    )
    assert part_of(tree, "below").left_out == tree.left_out


def test_that_a_folder_with_no_name_that_a_server_takes_is_refused(
    tmp_path: Path, cache: Path
) -> None:
    Path(f"{tmp_path}/\udcff").write_bytes(b"x")
    with pytest.raises(DatasetError, match="no Unicode"):
        opened(tmp_path, cache)


def test_that_one_odd_name_among_twenty_thousand_files_is_told_and_the_rest_is_a_tree(
    tmp_path: Path, cache: Path
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "0").write_bytes(b"x")
    for number in range(1, 20_000):
        os.link(files / "0", files / str(number))
    os.link(files / "0", files / "\udcff")
    dataset, found = opened(files, cache)
    assert len(found) == 20_000
    assert len(open_tree(dataset, cache, report_to_nobody).left_out) == 1
    shutil.rmtree(files)  # pytest keeps what tests have left


def test_that_a_damaged_catalogue_is_told(tmp_path: Path, cache: Path) -> None:
    make_tree(TreeShape(files=1, size=1), tmp_path, report_to_nobody)
    (tmp_path / INDEX).write_bytes(b"damaged")
    with pytest.raises(DatasetError, match="generate the tree again"):
        opened(tmp_path, cache)


def test_that_a_damaged_heading_of_a_tree_is_told(tmp_path: Path, cache: Path) -> None:
    make_tree(TreeShape(files=1, size=1), tmp_path, report_to_nobody)
    heading = tmp_path / HEADING
    heading.write_bytes(heading.read_bytes()[:-2])
    with pytest.raises(DatasetError, match=r"is damaged: .*generate the tree again") as refused:
        opened(tmp_path, cache)
    assert str(heading) in refused.value.cause


def test_that_a_link_out_of_the_tree_is_told_and_not_followed(tmp_path: Path, cache: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"1")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "file").write_bytes(b"2")
    (tree / "inside").symlink_to(tree / "file")
    assert set(opened(tree, cache)[1]) == {"file", "inside"}
    (tree / "link").symlink_to(secret)
    with pytest.raises(DatasetError, match=f"link that leads out of the folder, to {secret}"):
        opened(tree, cache)


def test_that_what_is_not_sent_of_a_folder_is_told_by_name_and_reason(
    tmp_path: Path, cache: Path
) -> None:
    tree = tmp_path / "tree"
    (tree / "below").mkdir(parents=True)
    (tree / "below" / "file").write_bytes(b"1")
    (tree / "linked").symlink_to("below/file")
    (tree / "again").symlink_to("below")
    (tree / "below" / "circle").symlink_to("circle")
    (tree / "nowhere").symlink_to("missing")
    os.mkfifo(tree / "pipe")
    dataset, files = opened(tree, cache)
    assert set(files) == {"below/file", "linked"}
    found = open_tree(dataset, cache, report_to_nobody)
    assert found.left_out == ()
    assert part_of(found, "below").passed_over == found.passed_over
    assert found.passed_over == (
        f"{tree}/again is a link to a folder, which is not followed",
        f"{tree}/nowhere is a link to nothing that can be read",
        f"{tree}/pipe is neither a file nor a folder",
        f"{tree}/below/circle is a link to nothing that can be read",
    )
    there = {"address": "s3://bucket", "direction": "up"}
    for client in ("s3-sync", "s5cmd", "boto3"):
        require_names(found, build(TransferParameters, {"client": client, **there}))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list every folder")
def test_that_a_folder_that_cannot_be_listed_is_told(small_tree: Path, cache: Path) -> None:
    (small_tree / "closed").mkdir(mode=0)
    try:
        tree = open_tree(open_dataset(small_tree), cache, report_to_nobody)
    finally:
        (small_tree / "closed").chmod(0o700)
    assert tree.passed_over == (f"{small_tree}/closed cannot be listed: Permission denied",)


@pytest.mark.parametrize("client", ["synapse-sync", "synapse-walk"])
def test_that_a_name_that_the_client_or_synapse_refuses_is_refused_before_anything_is_sent(
    tmp_path: Path, cache: Path, client: str
) -> None:
    files = tmp_path / "files"
    (files / "it's here").mkdir(parents=True)
    (files / "it's here" / "plain (1)").write_bytes(b"1")
    values = {"client": client, "address": "synapse://127.0.0.1:1", "token": "env:TOKEN"}
    up = build(TransferParameters, {**values, "direction": "up"})
    down = build(TransferParameters, {**values, "direction": "down"})

    def tree() -> Tree:
        return open_tree(open_dataset(files), cache, report_to_nobody)

    require_names(tree(), up)
    (files / "O'Neill").write_bytes(b"1")
    require_names(tree(), down)
    if client == "synapse-walk":
        require_names(tree(), up)
    else:
        with pytest.raises(DatasetError, match="no file with an apostrophe: O'Neill"):
            require_names(tree(), up)
    (files / "a&b").write_bytes(b"1")
    with pytest.raises(DatasetError, match="Synapse takes no file with the name 'a&b'"):
        require_names(tree(), down)


def test_that_links_in_a_circle_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "file").write_bytes(b"1")
    (tmp_path / "a").write_bytes(b"2")
    (tmp_path / "b" / "linked").symlink_to(tmp_path / "a")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    (tmp_path / "c").symlink_to(tmp_path / "b")  # folders are not followed
    assert list(names_below(tmp_path)) == ["a", "b/file", "b/linked"]
    assert list(files_below(tmp_path)) == [tmp_path / name for name in names_below(tmp_path)]
