"""The user guide: pages of Markdown in `resources/guide`, from the first to the last.

A line such as `{{options fasta cache}}` stands for a list that is made from what the program itself
declares, so that what there is is written down once.

    for page in GuidePage.all():
        print(page.title, page.text)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.judge import Allowance, load_study, study_names
from core.lab.servers import SERVERS, recipe_of
from core.language import Unavailable, UsageError, translated_by
from core.measure import resources_folder
from core.tell.exchange import FORMATS
from core.vocabulary import (
    EFFORT,
    MEANING,
    METRICS,
    Choice,
    Effort,
    Flag,
    Integer,
    Kind,
    Load,
    Real,
    Secret,
    declared,
    registry,
    show_value,
)

_GROUPS: Mapping[str, tuple[Kind, ...]] = {
    "load": declared(Load),
    "limits": (*declared(Allowance), *declared(Effort), EFFORT.budget),
}
"""Parameters that belong to no workload, by the name that a page gives them."""


def workloads() -> str:
    """Every workload with the question that it answers."""
    entries = registry.workloads().values()
    return _table(
        ("Workload", "In the window", "The question"),
        ((_code(one.name), one.title, one.purpose) for one in entries),
    )


def studies() -> str:
    """Every published study, and where it was published."""
    entries = sorted(map(load_study, study_names()), key=lambda study: (study.family, study.name))
    rows = ((_code(one.name), one.workload, one.title, one.source) for one in entries)
    return _table(("Study", "Workload", "What it asks", "Published in"), rows)


def datasets() -> str:
    """Every kind of data, and whether it can be generated or adopted."""
    rows = []
    for entry in registry.dataset_kinds().values():
        kind = entry.kind()
        can = [f"dataset make {entry.name}"] if kind.shape is not None else []
        can += [f"dataset convert --to {' or '.join(kind.conversions)}"] if kind.conversions else []
        can += [f"dataset adopt {entry.name}"] if kind.adoption is not None else []
        rows.append((_code(entry.name), entry.title, ", ".join(map(_code, can))))
    return _table(("Kind", "What it is", "Commands beside `dataset show`"), rows)


def servers() -> str:
    rows = ((_code(name), recipe_of(name).title) for name in SERVERS)
    return _table(("Server", "What it is"), rows)


def exports() -> str:
    rows = ((_code(name), form.title) for name, form in FORMATS.items())
    return _table(("Format", "What is in it"), rows)


def causes() -> str:
    """Everything that can be found to limit a setting."""
    return _table(("Limited by", "What it means"), MEANING.items())


def metrics() -> str:
    """Every metric, as tables and as files name it; the last column: whether it can be compared."""
    rows = (
        (one.title, one.help, _code(one.column), _code(one.key) if one.better else "")
        for one in METRICS.values()
    )
    return _table(("Figure", "What it says", "In CSV and Parquet", "`compare --metric`"), rows)


def options(of: str, parameter: str) -> str:
    """The values of one parameter of a workload, or of `load`."""
    (kind,) = (one for one in _kinds(of) if one.name == parameter)
    assert isinstance(kind, Choice), f"{parameter} of {of} has no values to list"
    rows = ((_code(value), _of_option(kind, value)) for value in kind.options)
    return _table((kind.label, "What it does"), rows)


def parameters(of: str) -> str:
    """All parameters of a workload, of `load` or of `limits`, with their values and ranges."""
    return _listed(_kinds(of))


def everything() -> str:
    """A chapter on each workload with all of its parameters."""
    return "\n\n".join(chapter(entry) for entry in registry.workloads().values())


LISTS: Mapping[str, Callable[..., str]] = {
    "workloads": workloads,
    "studies": studies,
    "datasets": datasets,
    "servers": servers,
    "exports": exports,
    "causes": causes,
    "metrics": metrics,
    "options": options,
    "parameters": parameters,
    "everything": everything,
}
"""By the word between the braces; the words behind it are the arguments."""


def chapter(entry: registry.Entry) -> str:
    """What one workload is, and its parameters; what is missing where these cannot be loaded."""
    head = f"### {escaped(entry.title)}: `{entry.name}`\n\n{escaped(entry.purpose)}\n\n"
    try:
        return head + _listed(declared(entry.workload().parameters))
    except (Unavailable, UsageError) as error:  # a driver, or a part of an installed package
        return head + escaped(str(error))


def _kinds(of: str) -> Iterable[Kind]:
    if of in _GROUPS:
        return _GROUPS[of]
    return declared(registry.workloads()[of].workload().parameters)


def _listed(kinds: Iterable[Kind]) -> str:
    return "\n".join(line for kind in kinds for line in _described(kind))


def _described(kind: Kind) -> Iterator[str]:
    yield f"- **{escaped(kind.label)}** ({_facts(kind)}): {escaped(kind.help)}"
    if isinstance(kind, Choice):
        for value in kind.options:
            yield f"    - {_code(value)}: {escaped(_of_option(kind, value))}"


def _of_option(kind: Choice, value: str) -> str:
    option = kind.options[value]
    needs = f" Needs {option.driver.title}." if option.driver else ""
    return f"{option.help}{needs}"


def _facts(kind: Kind) -> str:
    """Its flag, default and range, and the settings in which it counts."""
    facts = [_code(kind.flag), _default(kind)]
    if isinstance(kind, Integer | Real):
        unit = "" if kind.unit in ("", "bytes", "seconds") else f" {kind.unit}"
        facts.append(escaped(f"{kind.show(kind.low)} to {kind.show(kind.high)}{unit}"))
    for name, allowed in kind.only_when.items():
        values = " or ".join(_code(show_value(value)) for value in allowed)
        facts.append(f"only with {escaped(name.replace('_', ' '))} {values}")
    return "; ".join(facts)


def _default(kind: Kind) -> str:
    if isinstance(kind, Secret):
        return "a reference such as `env:NAME`"
    text = kind.show(kind.default)
    if isinstance(kind, Flag):
        return f"default {text}"
    others = (
        f", for {dataset} {_code(kind.show(value))}" for dataset, value in kind.by_dataset.items()
    )
    return "".join((f"default {_code(text)}" if text else "default empty", *others))


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table; cells that do not begin with code are shown as they are."""
    lines = [titles, ("---",) * len(titles)]
    lines += [tuple(cell if cell[:1] == "`" else escaped(cell) for cell in row) for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _code(text: str) -> str:
    return f"`{text}`"


def escaped(text: str) -> str:
    """Plain text as Markdown that shows it as it is."""
    return re.sub(r"([\\`*_\[\]<>|{}#&~])", r"\\\1", text)


_LIST = re.compile(r"^\{\{([a-z]+)((?: [\w-]+)*)\}\}$", re.MULTILINE)


@dataclass(frozen=True)
class GuidePage:
    file: Path
    """Beside it are the others, and its pictures are named from there."""
    source: str
    """Markdown as it is written, with the names of lists in place of them."""

    @property
    def name(self) -> str:
        """That of its file without the ending, by which other pages link to it."""
        return self.file.stem

    @property
    def title(self) -> str:
        return self.source.partition("\n")[0].removeprefix("# ")

    @property
    def text(self) -> str:
        """Markdown of GitHub's dialect, in English; links to pages are `NAME.md#HEADING`."""
        with translated_by(None):
            return _LIST.sub(lambda found: LISTS[found[1]](*found[2].split()), self.source)

    @staticmethod
    def slug(heading: str) -> str:
        """A heading as links name it, behind the `#`: `All parameters: x` → `all-parameters-x`."""
        return re.sub(r"[^\w-]", "", heading.strip().lower().replace(" ", "-"))

    @staticmethod
    def all() -> tuple[GuidePage, ...]:
        """All pages in their order; what they list is looked up when their text is read."""
        files = sorted((resources_folder() / "guide").glob("*.md"))
        return tuple(GuidePage(file, file.read_text("utf-8")) for file in files)
