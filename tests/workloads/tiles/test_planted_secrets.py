"""Secrets that are planted in whole real runs are found nowhere: not in sessions, exports, reports,
on the terminal, in logs, nor among the arguments of any process."""

from __future__ import annotations

import html
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from filed_keyring import fill_keyring, kept_as
from marking import MARK, arguments_of, marked, still_there
from patience import PATIENCE
from rigged_secrets import (
    ACTS,
    FIELDS,
    LONG,
    NAME,
    SECRETS,
    SHORT,
    VARIABLES,
    as_text,
    forms_of,
    in_session,
)
from store_conformance import Site

from core.lab.keeper_messages import Started
from core.lab.lab_client import Lab, throw_away_lab
from core.lab.lab_folder import LabFolder
from core.language import report_to_nobody
from core.tell.cli import main
from core.tell.exchange import FORMATS
from workloads.tiles.make_layer import LayerShape, make_layer

ROOT = Path(__file__).parents[3]
PLANTED = dict(zip(VARIABLES, SECRETS, strict=True))
HIDDEN = SECRETS[:-SHORT]
WORDS = SECRETS[:5]
"""Also words of the formats themselves, so that they are looked for between brackets only."""
BRIEF = ("--warm-up", "0", "--repeats", "1", "--no-floor", "--threads", "2")
PIECE = 16
"""Characters of a long secret that nobody writes by chance."""


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """The mark of processes that start with the secrets in their environment."""
    mark = f"planted-{os.getpid()}"
    for name, value in {**PLANTED, MARK: mark, "SLUICE_STATE": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (ROOT, ROOT / "tests"))))
    yield mark
    assert not still_there(mark, PATIENCE)


def ran(mark: str, *arguments: str) -> tuple[int, str]:
    """The exit code of a command line, and all that it and the list of processes have shown."""
    with watched_arguments(mark) as seen:
        done = subprocess.run(
            [sys.executable, "-m", "core", *arguments], capture_output=True, check=False
        )
    assert seen, "no process was seen"
    shown = done.stdout + b"\n" + done.stderr
    return done.returncode, "\n".join([shown.decode("utf-8", "replace"), *seen])


@contextmanager
def watched_arguments(mark: str) -> Iterator[set[str]]:
    """The arguments of all processes under a mark, looked at again and again."""
    seen: set[str] = set()
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.05):
            for process in marked(mark):
                seen.add(" ".join(arguments_of(process)))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield seen
    finally:
        over.set()
        looking.join()


def written_as(form: str) -> set[str]:
    """How a text stands in JSON, in HTML and in a table of commas."""
    in_json = {json.dumps(form)[1:-1], json.dumps(form, ensure_ascii=False)[1:-1]}
    return {form, html.escape(form), html.escape(form, quote=False), form.replace('"', '""')} | {
        written for one in in_json for written in (one, html.escape(one), one.replace('"', '""'))
    }


def leaked(text: str) -> set[str]:
    """The secrets that are in a text in any form."""
    found = set()
    for known in HIDDEN:
        for form in forms_of(known):
            alone = known not in WORDS and len(form) >= PIECE
            marks = {f"[[{one}]]" for one in written_as(form)}
            if any(one in text for one in (marks | written_as(form) if alone else marks)):
                found.add(known)
    pieces = (LONG[at : at + PIECE] for at in range(len(LONG) - PIECE + 1))
    if any(piece in text for piece in pieces):
        found.add("a part of the long one")
    return found


def test_that_a_leak_would_be_found() -> None:
    for known in HIDDEN:
        for form in forms_of(known):
            assert known in leaked(f"said [[{form}]]")
            assert known in leaked(json.dumps({"said": f"[[{form}]]"}))
    assert leaked(f"said {LONG[90:110]}")
    assert not leaked("the index of the wrong stage: <env:SLUICE_PLANTED_00>")


def exported(session: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The session in all formats, as a report and on the terminal."""
    capsys.readouterr()
    for form in FORMATS:
        assert main(["export", str(session), "--format", form, "-o", str(folder / form)]) == 0
    assert main(["report", str(session), "-o", str(folder / "report.html")]) == 0
    for option in ((), ("--why",), ("--json",)):
        assert main(["show", str(session), *option]) == 0
    assert main(["doctor"]) in (0, 1)
    captured = capsys.readouterr()
    files = [as_text((folder / name).read_bytes()) for name in (*FORMATS, "report.html")]
    return "\n".join([captured.out, captured.err, *files])


@pytest.fixture(params=["environment", "keyring"])
def references(
    request: pytest.FixtureRequest,
    planted: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Sequence[str]:
    """Where each of the twenty is kept: nowhere else can a process learn of it."""
    if request.param == "environment":
        return [f"env:{name}" for name in VARIABLES]
    for name in VARIABLES:
        monkeypatch.delenv(name)
    fill_keyring(monkeypatch, tmp_path / "keyring.json", PLANTED)
    return [kept_as(name) for name in VARIABLES]


def test_that_what_a_workload_tells_of_twenty_secrets_is_found_nowhere(
    planted: str, references: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, session = tmp_path / "data", tmp_path / "s.sluice"
    data.write_bytes(bytes(4096))
    kept_there = zip(FIELDS, references, strict=True)
    asked = [f"--{field.replace('_', '-')}={reference}" for field, reference in kept_there]
    given = (*asked, "--dataset", str(data), "--session", str(session), *BRIEF)
    given = (*given, "--duration", "0", "--operations", "40")
    code, shown = ran(planted, "measure", NAME, f"act={','.join(ACTS)}", *given, "--json")
    assert code in (0, 1), shown[-3000:]
    _, plain = ran(planted, "measure", NAME, "--act", "raise", *given)
    _, swept = ran(planted, "leftovers", "--remove")
    _, as_json = ran(planted, "leftovers", "--remove", "--json")
    kept = in_session(session)
    ledger = "".join(path.read_text("utf-8") for path in tmp_path.glob("state/**/*.json"))
    assert ledger.count(references[0]) == 2  # of the two that could not be swept
    written = exported(session, tmp_path, capsys)
    everything = {
        "events": shown,
        "terminal": plain,
        "leftovers": swept + as_json,
        "ledger": ledger,
        "session": kept,
        "exports": written,
    }
    assert {place: found for place, text in everything.items() if (found := leaked(text))} == {}
    for place in ("events", "terminal", "leftovers", "session", "exports"):
        assert f"{references[5]}>" in everything[place].replace("&gt;", ">"), place
    for reference in references[:-SHORT]:
        assert f"<{reference}>" in kept
    ends = [json.loads(line) for line in shown.splitlines() if '"trial-ended"' in line]
    assert len(ends) == len(ACTS)


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    path = tmp_path / "layer"
    path.mkdir()
    shape = LayerShape(columns=4, rows=3, tile_size=16, holes=0.25, level=1)
    make_layer(shape, path, report_to_nobody)
    return path


def tiles(layer: Path, session: Path, store: str, **values: object) -> list[str]:
    """The arguments that every run of tiles has."""
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in values.items()]
    given = ["--dataset", str(layer), "--session", str(session), f"--store={store}", *flags]
    return [*given, *BRIEF, "--duration", "0", "--json"]


def refused_everywhere(
    mark: str,
    axis: str,
    names: Sequence[str],
    given: Sequence[str],
    said: str,
) -> str:
    """What is shown of trials with wrong secrets, which all end with the store's refusal."""
    values = ",".join(f"env:{name}" for name in names)
    code, shown = ran(mark, "measure", "tiles", f"{axis}={values}", *given)
    assert code == 1
    ends = [json.loads(line)["trial"] for line in shown.splitlines() if '"trial-ended"' in line]
    assert len(ends) == len(names)
    for one in ends:
        assert one["outcome"]["type"] == "failed", one["outcome"]
        assert said in one["outcome"]["message"], one["outcome"]
    return shown


KEY = '/+% it\'s "so" \\n ключ-日本語-' + LONG[:40]
"""Everything at once, as the secret key that is right."""


@pytest.fixture(scope="module")
def planted_s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabFolder]:
    """A lab with a server whose secret key is that; it is of the module's scope, because tests have
    caches of their own, where the lab has fetched nothing."""
    folder = tmp_path_factory.mktemp("planted")
    with throw_away_lab(folder) as lab:
        lab.prepare(["s3"])
        answers = list(lab.start(["s3"], secrets={"s3": CHOSEN}, deadline=PATIENCE))
        assert any(isinstance(one, Started) for one in answers), answers
        yield lab.place


CHOSEN = {"access-key": "planted-access-key-0001", "secret-key": KEY}


@pytest.mark.lab("s3")
def test_that_s3_repeats_no_secret_that_is_right_or_wrong(
    planted: str,
    planted_s3: LabFolder,
    layer: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    need_drivers("tiles", store="s3", address="s3://tiles")
    session, folder = tmp_path / "s3.sluice", planted_s3.folder
    monkeypatch.setenv("SLUICE_LAB", str(folder))
    state = planted_s3.state()
    assert state is not None
    fill_keyring(monkeypatch, tmp_path / "keyring.json", {"right": KEY})
    keys = {"access_key": "lab:s3/access-key", "secret_key": kept_as("right")}
    given = tiles(layer, session, "s3", address=state.servers[0].address, **keys)
    code, right = ran(planted, "measure", "tiles", *given, "--direction=write")
    assert code == 0, right[-3000:]
    given.remove(f"--secret-key={kept_as('right')}")
    names = [VARIABLES[number] for number in (0, 7, 8, 9, 14, 17)]
    wrong = refused_everywhere(planted, "secret-key", names, given, "SignatureDoesNotMatch")
    logs = "".join(path.read_text("utf-8", "replace") for path in folder.glob("logs/**/*.log"))
    logs += (folder / "state.json").read_text("utf-8")
    logs += (folder / "keeper.log").read_text("utf-8")
    monkeypatch.delenv("SLUICE_LAB")
    for text in (right, wrong, logs, in_session(session), exported(session, tmp_path, capsys)):
        assert not leaked(text)
        assert not any(one in text for form in forms_of(KEY) for one in written_as(form))
        assert CHOSEN["access-key"] not in text


@pytest.mark.lab("cassandra")
def test_that_cassandra_repeats_no_secret_that_is_right_or_wrong(
    planted: str,
    servers: Lab,
    cassandra_site: Site,
    layer: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    need_drivers("tiles", store="cassandra", address="somewhere")
    session = tmp_path / "cassandra.sluice"
    given = tiles(
        layer,
        session,
        "cassandra",
        address=cassandra_site.address,
        user="planted",
        timeout=PATIENCE,
    )
    right = VARIABLES[7]
    with role(cassandra_site, "planted", PLANTED[right]):
        code, shown = ran(
            planted, "measure", "tiles", *given, f"--password=env:{right}", "--direction=write"
        )
        assert code == 0, shown[-3000:]
        names = [VARIABLES[number] for number in (9, 14, 17)]
        wrong = refused_everywhere(planted, "password", names, given, "refuses the login")
    for text in (shown, wrong, in_session(session), exported(session, tmp_path, capsys)):
        assert not leaked(text)


@contextmanager
def role(site: Site, name: str, password: str) -> Iterator[None]:
    """A user of the lab's Cassandra who may do everything."""
    from cassandra.auth import PlainTextAuthProvider
    from cassandra.cluster import Cluster

    from core.measure.machine.lab_records import lab_secret

    port = int(site.address.rpartition("/")[0].rpartition(":")[2])
    login = PlainTextAuthProvider("sluice", lab_secret("cassandra/password"))
    with Cluster(["127.0.0.1"], port=port, auth_provider=login, protocol_version=5) as cluster:
        asking = cluster.connect()
        asking.execute(
            f"CREATE ROLE {name} WITH PASSWORD = %s AND SUPERUSER = true AND LOGIN = true",
            (password,),
        )
        yield
        asking.execute(f"DROP ROLE {name}")


@pytest.mark.lab("accumulo")
def test_that_accumulo_repeats_no_secret_that_is_wrong(
    planted: str,
    accumulo_site: Site,
    layer: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    need_drivers("tiles", store="accumulo", address="somewhere")
    session = tmp_path / "accumulo.sluice"
    reached: Mapping[str, Any] = {
        name: value for name, value in accumulo_site.parameters.items() if name != "password"
    }
    given = tiles(layer, session, "accumulo", address=accumulo_site.address, **reached)
    names = [VARIABLES[number] for number in (8, 14)]
    wrong = refused_everywhere(planted, "password", names, given, "refuses the login")
    for text in (wrong, in_session(session), exported(session, tmp_path, capsys)):
        assert not leaked(text)
