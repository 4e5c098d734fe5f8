"""A command line of hyperfine becomes the question that it asks, and says what it leaves out."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Axis, Request
from core.language import UsageError
from workloads.command.template import Template

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("line", "run", "axes"),
    [
        (
            "hyperfine -w 3 -P threads 1 4 'zstd -T{threads} x'",
            "zstd -T{threads} x",
            (Axis("threads", (1, 2, 3, 4)),),
        ),
        (
            "$ /usr/bin/hyperfine --parameter-list level 1,5,9 'gzip -{level} -k x'",
            "gzip -{level:1,5,9} -k x",
            (Axis("level", ("1", "5", "9")),),
        ),
        (
            "hyperfine -P=level 2 6 -D2 --runs=10 \\\n 'gzip -{level} -k x'",
            "gzip -{level:2,4,6} -k x",
            (Axis("level", ("2", "4", "6")),),
        ),
        (
            "hyperfine 'gzip -{level} {level}' -P level 1 3",
            "gzip -{level:1..3} {level}",
            (Axis("level", (1, 2, 3)),),
        ),
        (
            "hyperfine -P delay 0.3 0.7 -D 0.2 -L flag -1,-9 -- 'x {delay} {flag}'",
            "x {delay:0.3,0.5,0.7} {flag:-1,-9}",
            (Axis("flag", ("-1", "-9")), Axis("delay", ("0.3", "0.5", "0.7"))),
        ),
        (
            "hyperfine -L OUT-dir a,b -L threads 0,2 -L seed 1,7 'x {OUT-dir} {threads} {seed}'",
            "x {out_dir:a,b} {threads_:0,2} {seed_:1,7}",
            (
                Axis("out_dir", ("a", "b")),
                Axis("threads_", ("0", "2")),
                Axis("seed_", ("1", "7")),
            ),
        ),
        (
            "hyperfine 'gzip -k x' 'pigz -k x'",
            "{program:gzip,pigz} -k x",
            (Axis("program", ("gzip", "pigz")),),
        ),
        ("hyperfine 'sleep 1'", "sleep 1", ()),
    ],
)
def test_that_a_line_asks_with_its_scans(line: str, run: str, axes: tuple[Axis, ...]) -> None:
    asked = Request.typed(line)
    assert asked.workload == "command"
    assert asked.values["run"] == run
    assert asked.axes == axes


def test_that_it_is_read_by_a_shell_where_hyperfine_and_the_command_need_one() -> None:
    def shell(line: str) -> object:
        return Request.typed(f"hyperfine {line}").values["shell"]

    assert shell("'zstd -c x > y'") is True
    assert shell("--prepare 'sync; true' 'cat x'") is True
    assert shell("'cat x'") is False
    assert shell("-N 'cat x;'") is False
    assert shell("-Ni 'cat x;'") is False
    assert shell("--shell=none 'cat x;'") is False
    assert shell("-S bash 'cat x;'") is True


def test_that_runs_are_trials_of_one_run_and_warm_ups_are_not_counted() -> None:
    asked = Request.typed("hyperfine -r 20 -w 1 -p 'rm -f {dataset}' -C 'true' 'cat x'")
    values = asked.values
    assert (asked.repeats, asked.until_sure, values["operations"]) == (20, False, 1)
    assert (values["duration"], values["warm_up"], values["warm_up_operations"]) == (0, 0, 1)
    assert (values["prepare"], values["conclude"]) == ("rm -f '{{dataset}}'", "true")
    asked = Request.typed("hyperfine --warmup 3 'cat x'")
    assert (asked.until_sure, asked.values["warm_up_operations"]) == (True, 3)


def test_that_what_has_no_counterpart_is_said_in_one_sentence() -> None:
    line = (
        "hyperfine -i --setup 'make all' -c 'rm x' -m 5 -w4 -r9 --export-csv f.csv -S zsh 'cat x'"
    )
    assert Request.of_hyperfine(line)[1] == (
        "Left out, as nothing here does the same: --ignore-failure, --setup 'make all', "
        "--cleanup 'rm x', --min-runs 5, --export-csv f.csv, --shell zsh, --warmup beyond 1 run."
    )
    assert not Request.of_hyperfine("hyperfine -N --output null -S sh --input=null -w 1 x")[1]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "it has no command"),
        ("' '", "it has no command"),
        ("'a", "a quote is not closed"),
        ("-P x 1", "-P takes 3 and has 2"),
        ("-P x 1 2 'a'", "there is no {x} in the command"),
        ("-P x 1 2 'a ${x}'", "there is no {x} in the command"),
        ("-P x 1 2 'a {{x}}'", "there is no {x} in the command"),
        ("-P x 5 1 'a {x}'", "from 5 to 1 by 1 are 0 values"),
        ("-P x 1 2 -D 0 'a {x}'", "from 1 to 2 by 0 are 0 values"),
        ("-P x 1 99999999999 'a {x}'", "are 99,999,999,999 values"),
        ("-P x 1 nan 'a {x}'", "are no numbers"),
        ("-P x 1 1e999999 'a {x}'", "are no numbers"),
        ("-P x 1 $(nproc) 'a {x}'", "are no numbers"),
        ("-L x 'a b,c' 'a {x}'", "x has the value 'a b'"),
        ("-L x , 'a {x}'", "x has the value ''"),
        ("-L x 1..3 'a {x}'", "x has the value '1..3'"),
        ("-L x 1 -L x 2 'a {x}'", "x is given twice"),
        ("-D 2 a", "a step needs --parameter-scan"),
        ("--warm 3 a", "it has no option --warm"),
        ("--no-shell a", "it has no option --no-shell"),
        ("-ä a", "it has no option -ä"),
        ("-i=1 a", "it has no option -="),
        ("--ignore-failure=1 a", "--ignore-failure takes no value"),
        ("-r 0 a", "--runs is 0"),
        ("-r ² a", "--runs is ²"),
        ("-r 1000000000000000 a", "--runs is 1000000000000000"),
        ("a 'b c'", "differ in more than one word"),
        ("'a b' 'c d'", "differ in more than one word"),
        ("a a", "differ in more than one word"),
        ("-p x -p y a b", "--prepare differs between the commands"),
    ],
)
def test_that_a_line_that_cannot_be_asked_says_why(line: str, why: str) -> None:
    with pytest.raises(UsageError) as refused:
        Request.typed(f"hyperfine {line}")
    assert why in str(refused.value)
    assert refused.value.remedy


WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@given(st.lists(WORDS, max_size=6))
def test_that_any_line_is_asked_or_refused_with_what_helps(words: list[str]) -> None:
    try:
        asked, left = Request.of_hyperfine(shlex.join(["hyperfine", *words]))
    except UsageError as refused:
        told = refused.remedy
    else:
        told = str(asked.values["run"]).strip() and left.rstrip(".") + "."
    assert told


@given(
    st.lists(st.text("ab '\"{}$:-_1", min_size=1), min_size=1, max_size=4),
    st.lists(st.integers(0, 99), min_size=1, max_size=4, unique=True),
)
def test_that_the_program_gets_the_words_that_hyperfine_hands_it(
    words: list[str], values: list[int]
) -> None:
    """Whatever the quotes and braces in them; `{level}` alone is replaced."""
    command = shlex.join(["x", *words]) + " -{level}"
    line = shlex.join(["hyperfine", "-N", "-L", "level", ",".join(map(str, values)), command])
    template = Template(str(Request.typed(line).values["run"]))
    for value in map(str, values):
        theirs: Any = shlex.split(command.replace("{level}", value))
        assert template.arguments({"level": value}) == theirs
