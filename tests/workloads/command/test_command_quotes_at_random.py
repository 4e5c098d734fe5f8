"""Random lines with random values: every shell makes of them what is meant, or they are refused.

`SLUICE_FUZZ=67` tries 20,000.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from shell_runs import ODD, SHELLS, handed_over, ran, said

from core import InvalidParameter

VALUES = st.one_of(
    st.sampled_from(ODD),
    st.binary(max_size=12).filter(lambda one: b"\0" not in one).map(os.fsdecode),
)
TEXT = st.text("ab /=-%.,:@+", max_size=4)
HELD = st.sampled_from(["{dataset}", "{free}", "{dataset}{free}"])


@st.composite
def parts(draw: st.DrawFn) -> tuple[str, str]:
    """A part of a word as it is written, and as it is meant, where values are in braces still."""
    text, held = draw(TEXT), draw(HELD)
    escaped = draw(st.sampled_from("'\"`\\ *#"))
    return draw(
        st.sampled_from(
            [
                (held, held),
                (f"\\{escaped}{held}", f"{escaped}{held}"),
                (f'"{text}{held}"', f"{text}{held}"),
                (f'"\'{held}\\"{text}"', f"'{held}\"{text}"),
                (f"'{text}{held}'", f"{text}{held}"),
                (f"'\"\\\\{held}'", f'"\\\\{held}'),
                (f'"$(printf %s. {held})"', f"{held}."),
                (f'"$(printf %s. "{text}{held}" \'{held}\')"', f"{text}{held}.{held}."),
                ("$((64/{n}+{n}))", "16"),
                ('"$((2*({n}-1)))"', "14"),
                (f"\"$(printf %s. $(({{n}}-1)) '{text}')\"", f"7.{text}."),
            ]
        )
    )


LINES = st.sampled_from(
    [
        "%s",
        "f() { %s; }; f 1 2",
        "set -- a 'b c'; %s",
        "# it's a \"\n%s",
        ": '\"' \"'\" \\' $(echo \\)) `echo \"'\"`; %s",
        "(%s) | cat",
        "cat <<E >/dev/null && %s\nit's\nE",
        "case x in (y) ;; x) %s ;; esac",
        "IFS=abc; %s",
        "x=\"$(%s | tr '\\0' '\\001')\"z; printf %%s \"${x%%z}\" | tr '\\001' '\\0'",
    ]
)


@settings(max_examples=150)
@given(
    st.lists(st.lists(parts(), min_size=1, max_size=3), min_size=1, max_size=4),
    LINES,
    VALUES,
    VALUES,
)
def test_that_any_words_are_what_is_meant_in_every_shell(
    words: list[list[tuple[str, str]]], line: str, dataset: str, free: str
) -> None:
    assume(free and ("z;" not in line or "\x01" not in dataset + free))
    values = {"dataset": dataset, "free": free, "n": "8"}
    written = " ".join("".join(part for part, _ in word) for word in words)
    meant = ["".join(filled(part, values) for _, part in word) for word in words]
    found = said(line % f"printf '%s\\0' {written}", **values)
    # Two values that are no UTF-8 may be so together.
    assert [os.fsencode(word) for word in found] == [os.fsencode(word) for word in meant]


def filled(part: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], part)


PIECES = st.lists(
    st.sampled_from(
        [
            *("{dataset}", "{dataset}", "{dataset}", "+{level}", "p ", "p ", " ", " ", "x", "\n"),
            *(
                "'",
                "'",
                '"',
                '"',
                "\\",
                "$",
                "`",
                "#",
                ";",
                "|",
                "(",
                ")",
                "$(",
                "$((",
                "))",
                "<<E",
            ),
            *(
                "\nE\n",
                "<<'E'",
                "cat ",
                "${x}",
                "${x:-",
                "}",
                "${#x}",
                "$'",
                "$#",
                "\\\n",
                "=",
                "*",
            ),
            *("sh -c ", "eval ", "case x in x) ", ";; esac", "if ", "{ ", "((", ">/dev/null "),
        ]
    ),
    max_size=9,
).map("".join)
SOUP = st.tuples(PIECES, PIECES).map("{dataset}".join)
ORDINARY = ".Vq7."
START = "p() { printf '<%s>' \"$@\"; }; "
UNSPLIT = (
    "'",
    '"',
    "it's",
    "`id`",
    "$HOME",
    "$(id)",
    "\\",
    "a\\",
    "-rf",
    "#",
    ";x",
    "|",
    "é",
    "\udcff",
)
SPLIT = ("a b", "*", "/*", "a\nb", "' \"", "$x `id`", "\t", "; id")


@settings(max_examples=150)
@given(SOUP, st.sampled_from(UNSPLIT), st.sampled_from(SPLIT))
def test_that_no_shell_tells_an_odd_value_from_an_ordinary_one(
    written: str, unsplit: str, split: str
) -> None:
    """What is written with an ordinary word in place of the value says what is meant.

    A shell splits what unquoted substitutions put out, so values there have nothing to split at.
    """
    # A function may call itself, `$$` is another number each time, and `${dataset}` a variable.
    assume(not re.search(r"[^$]\(\s*\)|\$\$|\$\{dataset", written))
    line = START + "p " + written
    value = unsplit if "$(" in written or "`" in written else split
    try:
        line_and_variables = handed_over(line, {"dataset": value, "level": "7"})
    except InvalidParameter as refused:
        event(f"refused: {re.sub('[{].*?[}]', '', refused.reason)}")
        return
    event("accepted")
    plain = line.replace("{dataset}", ORDINARY).replace("{level}", "7")
    for shell in SHELLS:
        output, code = ran(shell, plain, {})
        expected = output.replace(os.fsencode(ORDINARY), os.fsencode(value))
        assert ran(shell, *line_and_variables) == (expected, code)
