"""Commands are split once, and what stands for a value stays one argument, whatever it holds."""

import os
import shlex
import subprocess
from collections.abc import Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import InvalidParameter, SluiceError
from workloads.command.template import SETS_VARIABLE, Template

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)
PLAIN = TEXTS.filter(lambda text: "{" not in text and "}" not in text)
HOSTILE = ("; rm -rf ~", "$(touch x)", "a b", "'", '"', "`id`", "-rf", "a\nb", "{n}", "*", "\\")


def refusal(written: str, *, shell: bool = False, **chosen: str) -> str:
    with pytest.raises(InvalidParameter) as refused:
        Template(written, shell=shell).complete(chosen)
    return str(refused.value)


def output_of(template: Template, values: Mapping[str, str]) -> str:
    command, variables = template.arguments(values), {**os.environ, **template.variables(values)}
    return subprocess.check_output(command, env=variables, text=True)


@given(
    st.lists(PLAIN, min_size=1, max_size=5).filter(
        lambda words: words[0] != "" and not SETS_VARIABLE.fullmatch(words[0])
    )
)
@example(["./a=b", "c=d"])
def test_that_a_command_is_split_as_a_shell_would_split_it(words: list[str]) -> None:
    assert Template(shlex.join(words)).arguments({}) == words


def test_that_words_before_the_program_set_its_variables() -> None:
    template = Template("OMP_NUM_THREADS={threads} TEXT='a b' {tool} A=1 {dataset}")
    values = {"threads": "4", "dataset": "x y", "tool": "sort"}
    assert template.variables(values) == {"OMP_NUM_THREADS": "4", "TEXT": "a b"}
    assert template.arguments(values) == ["sort", "A=1", "x y"]
    assert template.names == {"threads", "dataset", "tool"}
    assert template.program == "{tool}"
    assert template.program_with(values) == "sort"
    assert "there is no command" in refusal("OMP_NUM_THREADS=4")


@given(TEXTS, TEXTS)
def test_that_any_value_stays_one_argument(dataset: str, out: str) -> None:
    template = Template("tool --from={dataset} '{dataset} {out}' {out}")
    found = template.arguments({"dataset": dataset, "out": out})
    assert found == ["tool", f"--from={dataset}", f"{dataset} {out}", out]


@pytest.mark.parametrize("name", HOSTILE)
def test_that_a_shell_never_reads_a_value_as_a_command(name: str) -> None:
    template = Template("printf '%s.' {dataset} x | cat", shell=True)
    assert output_of(template, {"dataset": name}) == f"{name}.x."


def test_that_a_shell_has_more_than_nine_values() -> None:
    names = [f"v{number}" for number in range(12)]
    written = "printf '%s,' " + " ".join("{" + name + "}" for name in names)
    values = {name: f"{name}!" for name in names}
    assert output_of(Template(written, shell=True), values) == "".join(
        f"{name}!," for name in names
    )


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("awk '{print $1}' {dataset}", ["awk", "{print $1}", "DATA"]),
        ("awk '{{print}}' {dataset}", ["awk", "{print}", "DATA"]),
        ("echo ${HOME} {} {1} {A}", ["echo", "${HOME}", "{}", "{1}", "{A}"]),
        ("echo '{\"a\": 1}'", ["echo", '{"a": 1}']),
        ("cp -T {threads} '' {out}", ["cp", "-T", "4", "", "OUT"]),
    ],
)
def test_that_other_braces_are_left_as_they_are(written: str, arguments: list[str]) -> None:
    template = Template(written)
    template.complete({})
    assert template.arguments({"dataset": "DATA", "out": "OUT", "threads": "4"}) == arguments


def test_that_own_placeholders_have_a_range_or_a_list_of_values() -> None:
    template = Template("zstd -{level:1..4} -B{block:256K,1M} {level} {free}")
    assert template.own == {
        "level": ("1", "2", "3", "4"),
        "block": ("256K", "1M"),
        "free": (),
    }
    assert template.complete({"free": "x"}) == {"level": "1", "block": "256K", "free": "x"}
    assert template.complete({"free": "x", "level": "3"})["level"] == "3"


def test_that_the_program_is_known_before_it_is_run() -> None:
    assert Template("./a/{version:1,2}/tool -x").program == "./a/{version}/tool"
    assert Template("zstd -T{threads}; wc", shell=True).program == "/bin/sh"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "run: there is no command (write one, such as gzip -k -c {dataset})"),
        ("   ", "there is no command"),
        ("''", "there is no command"),
        ("echo 'a", "run: the quotes do not match (close every quote"),
        ("echo {level}", "nothing says what {level} is (give level=VALUE, write {level:1..9}"),
        ("echo {level:9..1}", "the range of level goes from 9 to 1 (write the smaller value first"),
        ("echo {level:0..1000000}", "at most 1,000 values"),
        ("echo {level:}", "{level} has an empty value (write its values as in {level:1..9})"),
        ("echo {level:1,}", "{level} has an empty value"),
        ("echo {level:1..2} {level:1..3}", "{level} has different values in two places"),
        ("echo {threads:1..8}", "{threads} takes no values in the command (write {threads};"),
    ],
)
def test_that_what_cannot_be_a_command_is_told_in_one_sentence_with_its_remedy(
    written: str, told: str
) -> None:
    assert told in refusal(written)


def test_that_an_empty_field_is_no_value_and_the_data_is_named_as_other_tools_do() -> None:
    with pytest.raises(InvalidParameter, match=r"what \{input\} is \(write \{dataset\}, if"):
        Template("zstd {input}").complete({"input": ""})


def test_that_a_value_which_a_placeholder_may_not_have_is_refused() -> None:
    assert "level is 7, which it may not be (give one of 1, 2)" in refusal(
        "a {level:1..2}", level="7"
    )
    assert "give one of 1, 2, 3, 4, 5, 6, 7, … 99" in refusal("a {level:1..99}", level="0")
    assert "there is no {levl} in the command" in refusal("a {level:1..2}", levl="1")


@given(TEXTS, st.booleans())
def test_that_any_text_is_a_command_or_refused(written: str, shell: bool) -> None:
    try:
        template = Template(written, shell=shell)
    except InvalidParameter as refused:
        remedy = refused.remedy
    else:
        remedy = ""
        found = template.arguments(dict.fromkeys(template.names, "v"))
        assert all(isinstance(argument, str) for argument in found)
    assert remedy or written.strip()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("tool -T{Threads}", "{Threads} is no placeholder (write {threads}, or double"),
        ("tool { threads }", "{ threads } is no placeholder (write {threads}"),
        ("tool {dataset} > {out}/x", "> is read by a shell only (add --shell, or put quotes"),
        ("tool {dataset} >{out}/x", ">{out}/x is read by a shell only"),
        ("tool {dataset} 2>&1", "2>&1 is read by a shell only"),
        ("tool < {dataset}", "< is read by a shell only"),
        ("tool {dataset} | wc -c", "| is read by a shell only"),
        ("tool {dataset} && tool", "&& is read by a shell only"),
        ("tool {dataset} &", "& is read by a shell only"),
    ],
)
def test_that_what_was_meant_otherwise_is_asked_about(written: str, told: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        Template(written)
    assert told in str(refused.value)


def test_that_a_mistyped_placeholder_names_the_right_one() -> None:
    with pytest.raises(InvalidParameter, match=r"write \{dataset\}, if that is meant"):
        Template("tool {datset}").complete({})


@pytest.mark.parametrize(
    "written", ["tool '>' \"|\" \\>", "tool {{Threads}}", "awk '{print Threads}'", "tool a|b a>b"]
)
def test_that_text_that_looks_like_it_is_left(written: str) -> None:
    assert Template(written).names == set()


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("{32/threads}M", "10M"),
        ("{ total // threads }", "21"),
        ("{min(threads, 2) * (n + 1)}", "12"),
        ("{64 % threads}-{seed - 1}", "1-6"),
        ("{{32/threads}}", "{32/threads}"),
        (
            "{file-name}{1-2}{i++}{a,threads}${threads-1}",
            "{file-name}{1-2}{i++}{a,threads}${threads-1}",
        ),
        ("{" + "(" * 90 + "threads" + ")" * 90 + "+1}", "4"),
    ],
)
@pytest.mark.parametrize("shell", [False, True])
def test_that_values_are_computed_of_others(written: str, shown: str, *, shell: bool) -> None:
    line = f"echo {written}" if not shell else f"printf '%s\\n' '{written}' \"{written}\""
    values = {"threads": "3", "n": "5", "seed": "7", "total": "64"}
    template = Template(line, shell=shell)
    assert template.own.keys() <= {"total"}
    if not shell:
        assert template.arguments(values) == ["echo", *shown.split()]
    elif "$" not in written:
        assert output_of(template, values) == f"{shown}\n" * 2


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{32/threads}", "{32/threads} divides by zero (leave out the value 0, or write max"),
        ("{total/n}", "{total/n} is computed of whole numbers, and total is 32M (give numbers"),
    ],
)
def test_that_what_cannot_be_computed_is_told(written: str, told: str) -> None:
    with pytest.raises(SluiceError) as raised:
        Template(f"echo {written}").arguments({"threads": "0", "n": "1", "total": "32M"})
    assert told in str(raised.value)
