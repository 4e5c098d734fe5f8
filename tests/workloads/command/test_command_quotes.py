"""With a shell a placeholder is one word with its value in whatever quotes, or refused."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path

import pytest
from shell_runs import ODD, said

from core import InvalidParameter
from core.tell.cli import main
from workloads.command.template import Template


@pytest.mark.parametrize("value", ODD)
def test_that_every_way_of_quoting_gives_one_word_with_the_value(value: str) -> None:
    written = (
        """printf '%s\\0' "{dataset}" '{dataset}' {dataset} pre"mid{dataset}"post x='{dataset}'"""
    )
    assert said(written, dataset=value) == [
        *(value, value, value),
        f"premid{value}post",
        f"x={value}",
    ]


@pytest.mark.parametrize(
    "around",
    [
        "f() { %s; }; f other words",
        "set -- other words; shift; %s",
        "( %s )",
        "for x in a; do %s; done",
        "if true; then %s; fi # it's",
        "# it's\n%s",
        "case a in b) ;; a) %s;; esac",
        "echo \"it's\" '\"' \\' \\\" ${x:-0} $# $$ $'a' >/dev/null; %s",
        "x=`echo \\`echo '\"'\\``; %s",
        "echo $((2 << 1)) $(( (1+(2)) )) >/dev/null\n%s",
        "cat <<'END' >/dev/null; %s\nit's\nEND",
        "%s | cat",
    ],
)
def test_that_what_stands_around_a_placeholder_does_not_matter(around: str) -> None:
    for value in ("a b", "*", "$x'\""):
        written = around % "printf '%s\\0' {dataset} \"{dataset}\""
        assert said(written, dataset=value) == [value, value]


def test_that_quotes_within_a_substitution_are_its_own() -> None:
    written = """printf '%s\\0' "$(printf '<%s>' "{dataset}" '{dataset}' {dataset})" "{dataset}" """
    assert said(written, dataset="a  b") == ["<a  b><a  b><a  b>", "a  b"]


@pytest.mark.parametrize("value", ["0", "4", "-3", "999999999999999999"])
def test_that_a_number_stands_bare_in_arithmetic(value: str) -> None:
    written = "printf '%s\\0' $((32-{n})) \"$(( ({n}) *2 ))M\" '{n}'"
    number = int(value)
    assert said(written, n=value) == [str(32 - number), f"{number * 2}M", value]


@pytest.mark.parametrize("value", ["x", "1.5", "010", "1G", "a[$(touch x)]", "1" * 19, "٣"])
def test_that_what_is_no_whole_number_is_refused_in_arithmetic(value: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        Template("echo $((32/{level}))", shell=True).complete({"level": value})
    assert f"run: level is {value}, and $(( )) takes whole numbers (give" in str(refused.value)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            "echo $(({dataset}))",
            "run: {dataset} is a path, and $(( )) takes whole numbers (write it",
        ),
        ("wc # {dataset}", "{dataset} stands in a comment (take it out, or double its braces)"),
        ("wc \\{dataset}", "a backslash stands before {dataset} (take it away"),
        ('wc "\\{dataset}"', "a backslash stands before {dataset}"),
        (
            "wc `echo {dataset}`",
            "{dataset} stands between backquotes (write $(…) in place of them)",
        ),
        ('wc "`echo {dataset}`"', "{dataset} stands between backquotes"),
        (
            "cat <<END\n{dataset}\nEND",
            "{dataset} stands in or behind a here-document (write f={data",
        ),
        ("cat <<-'END'\n{dataset}\nEND", "{dataset} stands in or behind a here-document"),
        ("true &<<END\n{dataset}\nEND", "{dataset} stands in or behind a here-document"),
        ("cat <<{dataset}\nx", "{dataset} stands in or behind a here-document"),
        ("cat <<END\nit's\nEND\nwc {dataset}", "{dataset} stands in or behind a here-document"),
        (
            "echo ${x:-{dataset}}",
            "{dataset} stands in or behind what shells read in different ways",
        ),
        ("echo $'a\\'b' {dataset}", "stands in or behind what shells read in different ways"),
        ("echo $'{dataset}'", "stands in or behind what shells read in different ways"),
        ("((x={dataset}))", "stands in or behind what shells read in different ways"),
        ("echo $[{dataset}]", "stands in or behind what shells read in different ways"),
        ("echo $((echo a) | cat {dataset})", "in or behind what shells read in different ways"),
        ('echo "$(case a in a) wc {dataset};; esac)"', "read in different ways (write f={dataset}"),
        ("echo $\\\n({dataset})", "stands in or behind what shells read in different ways"),
        ('wc "{dataset}', "the quotes do not match (close every quote"),
        ("wc {dataset} 'x", "the quotes do not match"),
        ("wc {dataset} `x", "the quotes do not match"),
        ("wc $(echo {dataset}", "the quotes do not match"),
        ("sh -c 'wc {dataset}'", "a second shell would read the value of {dataset} as a command"),
        ("\\s\\h -c 'wc {dataset}'", "a second shell would read the value"),
        (
            'bash -euo pipefail -c "wc {dataset}"',
            "hand it over as an argument: sh -c 'wc \"$1\"' sh",
        ),
        ("x=1 env /bin/dash 2>/dev/null -c {dataset}", "a second shell would read the value"),
        ("bash -c -o pipefail 'wc {dataset}'", "a second shell would read the value"),
        ("bash --rcfile x -lc 'wc {dataset}'", "a second shell would read the value"),
        ("find . -exec sh -c 'wc {dataset}' ';'", "a second shell would read the value"),
        ("'sh' \"-c\" x{dataset}", "a second shell would read the value"),
        ('"$SHELL" -c x{dataset}', "a second shell would read the value"),
        ("if eval 'wc {dataset}'; then x; fi", "eval, trap or alias would read the value of {data"),
        ("x=1 command eval wc {dataset}", "in a variable: f={dataset}; eval 'wc \"$f\"')"),
        (
            "trap 'rm -r {out}/x' EXIT",
            "eval, trap or alias would read the value of {out} as a comm",
        ),
        ("wc {dataset}\0", "no command can hold the character NUL (leave it out)"),
    ],
)
def test_that_where_no_word_can_stand_is_told_in_one_sentence_with_its_remedy(
    written: str, told: str
) -> None:
    with pytest.raises(InvalidParameter) as refused:
        Template(written, shell=True)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    "written",
    [
        'sh -c \'printf "%s\\0" "$1"\' sh {dataset}',
        'f={dataset}; eval \'printf "%s\\0" "$f"\'',
        "f={dataset}\ncat <<END\n$f\0\nEND",
        'f={dataset}; export f; bash -c \'printf "%s\\0" "$f"\'',
        'eval \'printf "%s\\0" "a b"\' 3>{out}',
        "printf '%s\\0' {dataset} # {{dataset}}",
        "sh() { printf '%s\\0' \"$2\"; }; sh -x {dataset}",
    ],
)
def test_that_what_the_remedies_say_is_a_way(written: str) -> None:
    (found,) = said(written.replace("\0", ""), dataset="a b", out="/dev/null") or ["a b"]
    assert found == "a b"


def test_that_a_second_shell_is_seen_where_a_placeholder_names_it_and_without_a_shell_too() -> None:
    for shell in (True, False):
        for program in ("sh", "{which:dash,bash}"):
            with pytest.raises(InvalidParameter, match="a second shell would read the value of"):
                Template(f"env {program} -c 'wc {{dataset}}'", shell=shell)
        assert Template("sh -c 'wc \"$1\"' sh {dataset}", shell=shell).names == {"dataset"}
        assert Template("gzip -c {dataset}", shell=shell).names == {"dataset"}


@pytest.fixture
def spaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("SLUICE_CACHE", "SLUICE_SESSIONS", "SLUICE_STATE"):
        monkeypatch.setenv(name, str(tmp_path / name))
    file = tmp_path / "my 'own' $data.gz"
    file.write_bytes(gzip.compress(b"a\nb\n" * 500))
    return file


def run_once(run: str, data: Path, *more: str) -> int:
    flags = ("--shell", "--repeats", "1", "--duration", "0.2", "--warm-up", "0", "--no-floor")
    return main(["measure", "command", "--run", run, "--dataset", str(data), *flags, *more])


@pytest.mark.parametrize("quoted", ['"{dataset}"', "'{dataset}'", "{dataset}"])
def test_that_a_pipe_reads_a_file_with_a_space_in_its_path_between_any_quotes(
    spaced: Path, tmp_path: Path, quoted: str
) -> None:
    counted = tmp_path / "counted"
    session = str(tmp_path / "x.sluice")
    run = f"gzip -dc {quoted} | wc -c > {counted}"
    assert run_once(run, spaced, "--session", session) == 0
    assert counted.read_text().strip() == "2000"


def test_that_a_total_divided_by_the_threads_is_what_a_program_gets(
    spaced: Path, tmp_path: Path
) -> None:
    got = tmp_path / "got"
    run = f"echo -@ {{threads}} -m $((32/{{threads}}))M > {got}"
    assert run_once(run, spaced, "--threads", "4", "--session", str(tmp_path / "x.sluice")) == 0
    assert got.read_text() == "-@ 4 -m 8M\n"


def test_that_a_name_that_is_no_utf8_reaches_the_program(spaced: Path, tmp_path: Path) -> None:
    odd = spaced.with_name(os.fsdecode(b"-{n} \xff.gz"))
    try:
        shutil.copy(spaced, odd)
    except OSError:
        pytest.skip("this disk has no such names")
    counted = tmp_path / "counted"
    run = f'gzip -dc "{{dataset}}" | wc -c > {counted}'
    assert run_once(run, odd, "--session", str(tmp_path / "x.sluice")) == 0
    assert counted.read_text().strip() == "2000"


@pytest.mark.parametrize("flag", ["--run", "--prepare", "--check", "--conclude"])
def test_that_a_refusal_comes_before_anything_is_measured(
    spaced: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str
) -> None:
    session = tmp_path / "x.sluice"
    touched = tmp_path / "touched"
    run = f"touch {touched}"
    assert run_once(run, spaced, "--session", str(session), flag, "sh -c 'wc {dataset}'") == 2
    told = capsys.readouterr().err
    assert f"{flag[2:]}: a second shell would read the value of {{dataset}} as a command" in told
    assert not touched.exists()
    assert not session.exists()
