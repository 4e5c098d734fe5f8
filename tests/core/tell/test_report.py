"""What the report says, and that nothing in it can do anything but be read."""

from __future__ import annotations

import inspect
import itertools
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import building
import msgspec
import pytest
import test_export as promises
from page import Page

from core.desk import names_of, standings
from core.judge import TimePlot, diagnose_all, load_study, metric_estimate
from core.run import Session
from core.tell.cli import main
from core.tell.report.page import render_report
from core.tell.report.report_content import Chapter, Report, report_of, report_of_results
from core.tell.report.report_plots import brief, figure_curves
from core.tell.report.sections import command_line
from core.tell.report.small_plots import POINTS, over_time, typical_trial
from core.tell.result_figures import latencies_of, throughput_figure
from core.vocabulary import Crashed, Moment, Result

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
SHOWN = {
    "a", "article", "body", "caption", "code", "dd", "details", "div", "dl", "dt", "figcaption",
    "figure", "footer", "h1", "h2", "h3", "h4", "head", "header", "html", "li", "main", "meta", "nav",
    "ol", "p", "pre", "section", "span", "style", "summary", "table", "tbody", "td", "th", "thead",
    "title", "tr", "ul",
    "path", "svg", "text",
}  # fmt: skip
"""All elements that the template and the plots are made of; none of them can act."""

ATTRIBUTES = {
    "aria-hidden", "aria-label", "aria-labelledby", "charset", "class", "content", "d", "height",
    "href", "http-equiv", "id", "lang", "name", "open", "role", "scope", "style", "tabindex",
    "transform", "viewbox", "width", "x", "y",
}  # fmt: skip


def ladder(trials: int = 3) -> list[Result]:
    return [
        building.good(
            building.spec(threads=threads, parameters={"cache": cache, "cache_size": 128}),
            *(rate * threads**0.5 + at for at in range(trials)),
        )
        for threads in (1, 2, 4)
        for cache, rate in (("none", 100.0), ("lru-locked", 900.0))
    ]


def page(results: Sequence[Result], **about: Any) -> Page:
    chapter = Chapter(title="a sweep", results=tuple(results), **about)
    return Page(render_report(Report(title="a sweep", chapters=(chapter,))))


def written(path: Path, plans: Sequence[Sequence[Result]], **about: Any) -> Path:
    """A session with one run for each list of results."""
    with Session.create(path, title="night run") as session:
        for results in plans:
            plan = building.plan([result.spec for result in results], **about)
            run = session.begin_run(
                plan, building.environment(), {"/data/snapshot": building.file_system()},
                ("python", "-m", "core", "measure", "fasta", "cache=none,lru locked"),
            )  # fmt: skip
            for index, trial in enumerate(t for result in results for t in result.trials):
                session.append(run, msgspec.structs.replace(trial, index=index))
            session.end_run(run, "completed")
    return path


@pytest.fixture(scope="module")
def sweep() -> Page:
    return page([*ladder(), *building.invalid()[:1]])


def test_that_the_page_says_what_limits_the_answer_and_from_what_that_is_seen(sweep: Page) -> None:
    found = diagnose_all([*ladder(), *building.invalid()[:1]])
    assert found is not None
    texts = " ".join(" ".join(sweep.texts).split())
    assert "What limits it" in texts
    assert found.sentence in texts
    assert found.evidence
    assert all(text in texts for text in found.evidence)


def test_that_the_advice_keeps_to_the_limits_the_session_remembers(tmp_path: Path) -> None:
    def advice(name: str, **terms: object) -> str:
        with Session.read(written(tmp_path / name, [ladder()], terms=terms)) as session:
            return " ".join(Page(render_report(report_of(session))).texts)

    most = max(trial.peak_rss or 0 for result in ladder() for trial in result.trials)
    assert "Use 4 threads" in advice("any.sluice")
    assert "Use 4 threads" in advice("enough.sluice", most_memory=most + 1)
    assert "Use 4 threads" not in advice("short.sluice", most_memory=1)


def check_inert(whole: str) -> Page:
    """That a page is made of what the template has, reaches for nothing, and shows all it holds."""
    found = Page(whole)
    assert found.tags <= SHOWN
    assert {name for _, attrs in found.elements for name in attrs} <= ATTRIBUTES
    assert all(re.fullmatch(r"#[a-z0-9-]+", link) for link in found.all_of("href"))
    assert not re.search(r"@import|expression|url\((?!#)", whole.partition("<body>")[0])
    assert all(re.fullmatch(r"[^()]*(\(--[a-z0-9-]+\)[^()]*)*", s) for s in found.all_of("style"))
    ids = found.all_of("id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in found.all_of("href")} <= set(ids)
    bad = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Cn")
    assert not {c for c in whole if c != "\n" and unicodedata.category(c) in bad}
    whole.encode()
    return found


# Shape.


def test_that_the_page_forbids_itself_everything_before_anything_else(sweep: Page) -> None:
    assert sweep.elements[2] == ("meta", {"charset": "utf-8"})
    assert sweep.elements[3][1] == {"http-equiv": "Content-Security-Policy", "content": POLICY}


def test_that_the_page_is_well_formed_and_reaches_for_nothing() -> None:
    check_inert(render_report(report_of_results([*ladder(), *building.invalid()])))


def test_that_headings_leave_out_no_level(sweep: Page) -> None:
    levels = [int(tag[1]) for tag, _ in sweep.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(two <= one + 1 for one, two in itertools.pairwise(levels))


def test_that_every_plot_is_described_and_every_table_has_a_caption(sweep: Page) -> None:
    drawn = [attrs for tag, attrs in sweep.elements if tag == "svg"]
    assert all(attrs.get("aria-label") or attrs.get("aria-hidden") for attrs in drawn)
    assert all(table.caption for table in sweep.tables)
    assert all(len({len(row) for row in table.rows}) == 1 for table in sweep.tables)


def test_that_plots_have_the_colours_of_the_page(sweep: Page) -> None:
    styles = " ".join(sweep.all_of("style"))
    assert "var(--line-0)" in styles
    assert not re.search(r"#[0-9a-f]{6}", styles)


def test_that_thirty_results_fit_in_a_megabyte() -> None:
    results = [
        building.good(
            building.spec(threads=threads, parameters={"cache": cache, "cache_size": 128}),
            *(100.0 + at for at in range(5)),
        )
        for threads in (1, 2, 4, 8, 16, 32)
        for cache in "abcde"
    ]
    assert len(render_report(report_of_results(results)).encode()) < 1_000_000


def test_that_a_thousandfold_series_is_drawn_with_few_points() -> None:
    of = building.spec()
    trial = building.trial(of)
    moments = tuple(
        msgspec.structs.replace(
            trial.moments[1], at=at / 10, operations=(at * 50,), reading=building.reading(at / 10)
        )
        for at in range(20_000)
    )
    series = over_time(msgspec.structs.replace(trial, moments=moments))
    assert len(series.at) <= POINTS
    assert series.at[-1] == moments[-1].at
    assert series.plots[0].names == ("operations",)
    rate = series.plots[0].values[:, 0]
    assert rate == pytest.approx([500.0] * len(rate))


def test_that_points_of_a_curve_stand_where_the_numbers_of_its_axes_are() -> None:
    rates = {1: 120.0, 2: 200.0, 4: 40.0}
    results = [building.good(building.spec(threads=n), rate) for n, rate in rates.items()]
    svg = ElementTree.fromstring(figure_curves(throughput_figure(results), "curves"))
    numbers = {one.text: (one.attrib["x"], one.attrib["y"]) for one in svg.iter("text")}
    marks = [one.attrib["transform"] for one in svg.iter("path") if "transform" in one.attrib]
    found = [tuple(map(float, re.findall(r"[\d.]+", mark)[:2])) for mark in marks]
    # A mark begins 4.5 pixels before its place, and a number's foot is half a digit below.
    assert [x + 4.5 for x, _ in found] == pytest.approx(
        [float(numbers[str(threads)][0]) for threads in rates], abs=0.2
    )
    assert [y + 4.5 for _, y in found] == pytest.approx(
        [float(numbers[f"{rate:g}"][1]) - 4.6 for rate in rates.values()], abs=0.2
    )


def test_that_the_report_draws_the_plots_of_the_window() -> None:
    trial = building.trial(building.spec())
    told = [msgspec.structs.replace(one, tallies={"retries": one.at}) for one in trial.moments]
    drawn = [one.plot for one in over_time(msgspec.structs.replace(trial, moments=told)).plots]
    assert drawn == [one for one in TimePlot.all(("retries",)) if one in drawn]
    assert {"Throughput", "Latency", "Memory", "Counted live"} <= {one.called for one in drawn}


def test_that_all_memory_is_drawn_where_nobody_tells_which_belongs_to_files() -> None:
    trial = building.trial(building.spec())
    moments = [
        msgspec.structs.replace(
            one,
            reading=msgspec.structs.replace(
                building.reading(one.at), rss_anonymous=None, rss_file=None
            ),
        )
        for one in trial.moments
    ]
    plots = over_time(msgspec.structs.replace(trial, moments=moments)).plots
    (memory,) = (one for one in plots if one.plot.called == "Memory")
    assert memory.names == ("resident",)


# Content.


def test_that_the_results_stand_in_a_table_with_their_endings(sweep: Page) -> None:
    titles, *rows = sweep.table("The typical figure of the trials").rows
    assert len(rows) == 7
    told = [dict(zip(titles, row, strict=True)) for row in rows]
    assert told[0]["Throughput, sequences/s"] == "101 ± 12"
    assert told[-1]["Throughput, sequences/s"] == "–"
    assert told[-1]["Ending"] == "wrong data in 12: 3 of 5 bases differ, 9,000 failed"


def test_that_the_plot_of_a_sweep_has_its_numbers_in_a_table(sweep: Page) -> None:
    rows = sweep.table("Typical throughput").rows
    (first,) = (row for row in rows if row[0].startswith("1 thread with cache none"))
    assert first[1:3] == ["3", "101 sequences/s"]
    found = metric_estimate(ladder()[0])
    assert found.low is not None
    assert found.high is not None
    assert found.low < 101.0 < found.high


def test_that_latencies_are_those_of_all_trials_as_far_as_these_tell_them() -> None:
    result = building.good(building.spec(), 1000.0, 1000.0)
    merged = latencies_of(result)
    assert [one.percent for one in merged] == [50.0, 90.0, 95.0, 99.0, 99.9]
    rows = page([result]).table("Latency of one operation").rows
    assert rows[1][1] == "1.00 ms"
    assert re.fullmatch(r"(2.9|3.0)\d ms", rows[1][-2])
    assert rows[1][-1] == "–"


def test_that_an_invalid_result_takes_part_in_no_plot() -> None:
    found = page(building.invalid())
    assert any(text.startswith("No throughput: ") for text in found.texts)
    assert not any("Curves" in label for label in found.all_of("aria-label"))
    assert latencies_of(building.invalid()[1]) == ()


def test_that_nothing_measured_is_said() -> None:
    for report in (
        report_of_results([]),
        Report(title="x", chapters=(Chapter(title="x", results=()),)),
    ):
        assert "Nothing has been measured yet." in check_inert(render_report(report)).texts


def test_that_one_trial_is_a_report_with_its_caveat() -> None:
    found = page([building.good(building.spec(), 508.0)])
    assert "508 sequences/s." in found.texts
    assert any("Measured once" in text for text in found.texts)


def test_that_a_sweep_over_threads_is_headed_by_its_advice(sweep: Page) -> None:
    lead = next(text for text in sweep.texts if text.startswith("Use "))
    assert lead.startswith("Use 4 threads with cache LRU, one lock: ")
    assert sweep.table("What more threads").rows[1][0] == "1 to 2"


def test_that_what_the_file_system_does_to_the_figures_stands_beside_the_answer() -> None:
    far = msgspec.structs.replace(building.file_system(), type="nfs4", network=True)
    found = page([msgspec.structs.replace(one, file_system=far) for one in ladder()])
    (said,) = (at for at, text in enumerate(found.texts) if "(nfs4): first reads" in text)
    assert said < found.texts.index("Results")


def test_that_a_trial_without_moments_has_no_series() -> None:
    of = building.spec()
    bare = building.result(of, [building.trial(of, moments=())])
    assert typical_trial(bare) is None
    assert "Over time" not in page([bare]).texts


def test_that_unseen_memory_and_files_have_no_plot() -> None:
    of = building.spec()
    moments = tuple(
        Moment(at=at / 10, operations=(at,), cpu=(0,), bytes=0, errors=0, wrong=0, p50=0, p99=0,
               reading=None)
        for at in range(1, 5)
    )  # fmt: skip
    found = page([building.result(of, [building.trial(of, moments=moments)])])
    assert "Throughput, sequences/s" in found.texts
    assert "Resident memory" not in found.texts
    assert "Open files over time. The numbers are in the table below." not in found.all_of(
        "aria-label"
    )


def test_that_the_typical_trial_is_the_median_or_the_first_that_went_wrong() -> None:
    found = typical_trial(building.good(building.spec(), 9.0, 1.0, 5.0))
    assert found is not None
    assert found.throughput == pytest.approx(5.0)
    of = building.spec()
    crash = Crashed(stage="measuring", signal="SIGBUS")
    mixed = building.result(of, [building.trial(of), building.trial(of, index=1, outcome=crash)])
    found = typical_trial(mixed)
    assert found is not None
    assert found.index == 1


def test_that_complaints_are_listed_with_their_first_case(sweep: Page) -> None:
    row = sweep.table("What operations ran into").rows[1]
    assert row[1:] == ["wrong data", "1", "3 of 5 bases differ", "NM_000014.4"]


# Studies and sessions.


def study_results() -> list[Result]:
    study = load_study("seqrepo-fd-cache")
    return [
        building.good(
            building.spec(
                parameters={"cache": str(cell.at["cache"]), "cache_size": 128},
                threads=cell.at["threads"],
            ),
            *((cell.published or 100.0) + at for at in range(3)),
        )
        for cell in study.cells
    ]


def test_that_a_study_shows_published_figures_and_judges_the_claims(tmp_path: Path) -> None:
    path = written(tmp_path / "s.sluice", [study_results()], repeats=3, study="seqrepo-fd-cache")
    with Session.read(path) as session:
        found = check_inert(render_report(report_of(session)))
    board = found.table("Published figures and those measured here").rows
    assert board[1][:3] == ["lru, 1 thread", "1,180", "10.6×"]
    claims = found.table("A claim is reproduced").rows
    assert claims[1][3] == "reproduced"
    assert any("published claims" in text for text in found.texts)
    assert any("as a ratio to" in text for text in found.texts)


def cost_page(results: Sequence[Result]) -> Page:
    chapter = Chapter(title="threads", results=tuple(results), study=load_study("svfs-threads"))
    return check_inert(render_report(Report(title="threads", chapters=(chapter,))))


def test_that_a_study_of_costs_is_drawn_as_times_beside_the_published() -> None:
    found = cost_page(building.study_of_costs())
    rows = {row[0]: row[1:] for row in found.table("Typical time").rows}
    assert rows["C++ coalesced, 1 thread"] == ["4.19 ms", "4.19 ms", "4.19 ms", "8.39 ms"]
    assert any("Time for each MiB" in text for text in found.texts)
    assert any("Dotted: as charted there." in text for text in found.texts)
    assert any("Hollow and dashed: as published" in text for text in found.texts)
    assert not any("as a ratio to “C++" in text and "Throughput by" in text for text in found.texts)


def test_that_a_figure_leaves_out_what_was_not_run_and_marks_what_went_wrong() -> None:
    missing, wrong = "C++ coalesced, 16 threads", "C++ coalesced, 64 threads"
    found = cost_page(building.study_of_costs(without=[missing], broken=[wrong]))
    rows = {row[0]: row[1:] for row in found.table("Typical time").rows}
    assert rows[missing] == ["–", "–", "–", "37.6 ms"]
    assert rows[wrong] == ["–", "–", "–", "27.1 ms"]
    assert any("× stands where a result has no time" in text for text in found.texts)


def test_that_figures_stand_without_any_result_of_ones_own() -> None:
    (only,) = building.study_of_costs(
        without=[cell.label for cell in load_study("svfs-threads").cells[1:]]
    )
    found = cost_page([only])
    assert found.table("Typical time").rows[2][1] == "–"


def test_that_every_run_has_its_chapter_and_its_command(tmp_path: Path) -> None:
    path = written(tmp_path / "s.sluice", [ladder(1), ladder(1)[:1]])
    with Session.open(path) as session:
        session.note("a note\nof two lines")
        session.note("about the second", run_id=2)
        found = check_inert(render_report(report_of(session)))
        only = Page(render_report(report_of(session, 2)))
    assert [attrs["id"] for tag, attrs in found.elements if tag == "article"] == ["c1", "c2"]
    assert found.texts.count("python -m core measure fasta 'cache=none,lru locked'") == 2
    assert {"a note", "of two lines", "about the second"} <= set(found.texts)
    assert "article" not in only.tags
    assert "night run" in only.texts


# Hostile texts.


def without_moments(result: Result) -> Result:
    trials = tuple(msgspec.structs.replace(trial, moments=()) for trial in result.trials)
    return msgspec.structs.replace(result, trials=trials)


def test_that_hostile_texts_are_inert_wherever_they_stand(tmp_path: Path) -> None:
    texts = [text.encode("utf-8", "backslashreplace").decode() for text in building.HOSTILE]
    results = [building.hostile(text) for text in building.HOSTILE]
    bars = [
        building.good(building.spec(parameters={"place": text, "cache": "lru"}), 5.0, 6.0, 7.0)
        for text in texts
    ]
    for some in (results, bars):
        some[3:] = map(without_moments, some[3:])  # series take long to draw
        check_inert(render_report(report_of_results(some, title=texts[0])))
    with Session.create(tmp_path / "s.sluice", title=texts[1]) as session:
        for text in texts[:2]:
            session.note(text)
        plan = building.plan([bars[0].spec], title=texts[0], study=texts[1])
        run = session.begin_run(plan, building.environment(os=texts[0]), {}, texts)
        session.append(run, bars[0].trials[0])
        check_inert(render_report(report_of(session)))


def test_that_a_name_of_a_megabyte_does_not_make_the_page_one() -> None:
    long = "x" * 1_000_000
    result = building.good(building.spec(parameters={"place": long}), 5.0)
    other = building.good(building.spec(parameters={"place": "y"}), 5.0)
    assert len(render_report(report_of_results([result, other], title=long))) < 400_000


@pytest.mark.parametrize(
    "words",
    [
        ("a b", "it's", '"$HOME"', "", "-x"),
        ("two\nlines", "\x1b[31m", "tab\t'quoted'", "back\\slash\n"),
        ("\u202egpj.exe", "caf\u00e9\u200b"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no bash")
def test_that_the_command_is_visible_and_a_shell_takes_it_as_it_was(words: tuple[str, ...]) -> None:
    told = command_line(("printf", "%s\\0", *words))
    assert promises.harmless(told)
    ran = subprocess.run(["bash", "-c", told], capture_output=True, check=True)
    assert ran.stdout.decode().split("\0")[:-1] == list(words)


def test_that_no_secret_appears_in_a_session_written_before_it_was_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = building.spec("tiles", parameters={"key": "env:SLUICE_TEST_KEY"})
    words = f"403 for {promises.SECRET}"
    trial = building.trial(of, complaints=(building.complaint(words),), notes=(words,))
    path = written(tmp_path / "s.sluice", [[building.result(of, [trial])]], title=words)
    monkeypatch.setenv("SLUICE_TEST_KEY", promises.SECRET)
    with Session.read(path) as session:
        assert promises.SECRET not in render_report(report_of(session))


@pytest.mark.parametrize(
    "promise",
    [
        promises.test_that_an_invalid_result_is_named_and_has_no_throughput,
        promises.test_that_a_hostile_parameter_name_is_as_harmless,
        promises.test_that_no_secret_appears,
        promises.test_that_no_results_are_fine,
        promises.test_that_the_same_results_give_the_same_bytes,
        promises.test_that_a_file_is_written_whole,
        promises.test_that_an_unwritable_target_gives_one_clear_error,
    ],
    ids=lambda promise: promise.__name__,
)
def test_that_the_page_keeps_the_promises_of_every_export(
    promise: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"name": "html", "tmp_path": tmp_path, "monkeypatch": monkeypatch}
    promise(**{name: given[name] for name in inspect.signature(promise).parameters})


def test_that_bars_are_those_of_the_window_the_best_on_top() -> None:
    rates = {"one": 100.0, "two": 300.0, "three": 299.0}
    results = [
        building.good(building.spec(parameters={"place": name}), rate, rate + 1, rate + 2)
        for name, rate in rates.items()
    ]
    bars = [one.bar for one in standings(results, None, None, over=True)]
    assert [bar.name for bar in bars] == ["place two", "place three", "place one"]
    assert [bar.rank for bar in bars] == [0, 0, None]
    texts = page(results).texts
    at = [texts.index(f"{bar.name} · {bar.text}") for bar in bars]
    assert at == sorted(at)
    assert "In colour: not measurably worse than the best." in " ".join(texts)


# Names.


def test_that_a_long_name_is_cut_by_its_width() -> None:
    assert brief("short", 10) == "short"
    assert brief("a" * 20, 10) == "a" * 9 + "…"
    assert brief("数" * 20, 10) == "数" * 4 + "…"


def test_that_results_are_called_by_what_sets_them_apart() -> None:
    assert names_of(ladder()[:2]) == ("cache none", "cache LRU, one lock")
    assert names_of(ladder()[:1]) == ("1 thread",)


# The command.


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return written(tmp_path / "night.sluice", [ladder(1)[:1]])


def test_that_the_command_writes_beside_where_one_stands(session: Path, tmp_path: Path) -> None:
    assert main(["report", str(session)]) == 0
    assert "night run" in Page((tmp_path / "night.html").read_text("utf-8")).texts


def test_that_a_report_is_replaced_only_by_force(session: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine.html"
    target.write_text("mine")
    assert main(["report", str(session), "-o", str(target)]) == 2
    assert target.read_text() == "mine"
    assert main(["report", str(session), "-o", str(target), "--force"]) == 0
    assert target.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_that_a_dash_is_stdout(session: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["report", str(session), "-o", "-"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize(
    "arguments",
    [["nowhere.sluice"], ["night.sluice", "--run", "7"], ["night.sluice", "-o", "no/folder.html"]],
)
def test_that_a_mistake_is_one_line_and_writes_nothing(
    session: Path, tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == [session.name]


def test_that_help_does_not_wait_for_numpy() -> None:
    code = "import sys, core.tell.cli.session_command; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
