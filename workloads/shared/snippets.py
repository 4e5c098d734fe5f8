"""Python code with the threads that were measured: what *Copy for my code* is made of."""

from __future__ import annotations

from core import Load


def in_threads(
    amount: str, item: str, items: str, load: Load, ending: str = 'print({}, "bytes")'
) -> str:
    """Threads that take items from one queue, as they did while measured, and sum an amount.

    A future for each item would cost more than a short call does.
    """
    threads = load.threads
    each = f"  # in each of {load.processes} processes" if load.processes > 1 else ""
    return f"""\
queue = iter({items})  # all threads take from it

def work(thread):
    return sum({amount} for {item} in queue)

with ThreadPoolExecutor({threads}) as pool:{each}
    {ending.format(f"sum(pool.map(work, range({threads})))")}
"""


def secret_in_code(reference: str, usual: str) -> str:
    """A secret as code reads it: never the secret itself."""
    place, _, name = reference.partition(":")
    return f'os.environ["{name if place == "env" else usual}"]'
