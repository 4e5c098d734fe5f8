"""`measure hyperfine …`: a command line of hyperfine, measured here."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Any

import click

from core.run import Request
from core.tell.cli.terminal import say_on_stderr
from core.tell.cli.terminal_run import Output


class HyperfineCommand(click.Command):
    """The rest of the line is hyperfine's, beside the options that say where results go."""

    def __init__(
        self,
        line: str,
        measured: Callable[[Request, Output], int],
        output_options: Sequence[click.Parameter],
    ) -> None:
        """`line`: the word itself, or a whole line that was quoted; `measured`: the exit code."""
        super().__init__(
            name="hyperfine",
            params=[
                click.Argument(["words"], nargs=-1, type=click.UNPROCESSED),
                *output_options,
            ],
            callback=self._carry_out,
            context_settings={"ignore_unknown_options": True},
            help="Measure what a command line of hyperfine asks. What of it has no counterpart is said.",
            epilog="\b\nExample:\n  python -m core measure hyperfine -P threads 1 8 'zstd -T{threads} -k -f FILE'",
        )
        self._line, self._measured = line, measured

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it, also where the line is one word."""
        try:
            words = shlex.split(self._line.removeprefix("$ "))[1:]
        except ValueError:
            Request.of_hyperfine(self._line)  # which says why
            raise
        return super().parse_args(ctx, [*words, *args])

    def _carry_out(self, words: tuple[str, ...], **output: Any) -> int:
        request, left = Request.of_hyperfine(shlex.join(["hyperfine", *words]))
        if left:
            say_on_stderr(left)
        return self._measured(request.as_measured(), Output(**output))
