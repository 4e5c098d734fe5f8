"""The engine's front door: every public name, and nothing else.

Names are loaded when they are first used, so that `python -m core --help` and the window's
first paint import only what they need.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.analysis.advice import Advice as Advice
    from core.analysis.advice import Price as Price
    from core.analysis.advice import setting_of as setting_of
    from core.analysis.advisor import Line as Line
    from core.analysis.advisor import advise as advise
    from core.analysis.advisor import lines as lines
    from core.analysis.advisor import prices_of as prices_of
    from core.analysis.comparison import Verdict as Verdict
    from core.analysis.comparison import compare as compare
    from core.analysis.estimation import Measured as Measured
    from core.analysis.estimation import measured as measured
    from core.analysis.limit_check import limits_of as limits_of
    from core.analysis.scaling import NO_LIMITS as NO_LIMITS
    from core.analysis.scaling import Limits as Limits
    from core.analysis.scaling import Point as Point
    from core.analysis.scaling import fit_law as fit_law
    from core.analysis.scaling import recommend as recommend
    from core.analysis.session_drift import past_of as past_of
    from core.catalog.dataset import Dataset as Dataset
    from core.catalog.dataset import DatasetKind as DatasetKind
    from core.catalog.dataset import Tell as Tell
    from core.catalog.dataset import file_state as file_state
    from core.catalog.dataset import regular_files as regular_files
    from core.catalog.dataset import tell_nobody as tell_nobody
    from core.catalog.generate import locked as locked
    from core.catalog.generate import make_dataset as make_dataset
    from core.catalog.generate import sample_dataset as sample_dataset
    from core.catalog.generate import written_once as written_once
    from core.catalog.inspection import Look as Look
    from core.catalog.inspection import find_dataset as find_dataset
    from core.catalog.inspection import look_at as look_at
    from core.catalog.load import Load as Load
    from core.catalog.parameters import Choice as Choice
    from core.catalog.parameters import Driver as Driver
    from core.catalog.parameters import Flag as Flag
    from core.catalog.parameters import Integer as Integer
    from core.catalog.parameters import Kind as Kind
    from core.catalog.parameters import Location as Location
    from core.catalog.parameters import Option as Option
    from core.catalog.parameters import Real as Real
    from core.catalog.parameters import Secret as Secret
    from core.catalog.parameters import Text as Text
    from core.catalog.parameters import Value as Value
    from core.catalog.parameters import build as build
    from core.catalog.parameters import choice as choice
    from core.catalog.parameters import declared as declared
    from core.catalog.parameters import flag as flag
    from core.catalog.parameters import integer as integer
    from core.catalog.parameters import location as location
    from core.catalog.parameters import real as real
    from core.catalog.parameters import reveal as reveal
    from core.catalog.parameters import secret as secret
    from core.catalog.parameters import text as text
    from core.catalog.parameters import values_of as values_of
    from core.catalog.registry import Entry as Entry
    from core.catalog.registry import KindEntry as KindEntry
    from core.catalog.registry import dataset_kind as dataset_kind
    from core.catalog.registry import dataset_kinds as dataset_kinds
    from core.catalog.registry import open_dataset as open_dataset
    from core.catalog.registry import workload as _load_workload
    from core.catalog.registry import workloads as workloads
    from core.catalog.workload import Context as Context
    from core.catalog.workload import Job as Job
    from core.catalog.workload import Step as Step
    from core.catalog.workload import Weight as Weight
    from core.catalog.workload import Workload as Workload
    from core.errors import DatasetError as DatasetError
    from core.errors import InvalidParameter as InvalidParameter
    from core.errors import SessionError as SessionError
    from core.errors import SluiceError as SluiceError
    from core.errors import Unavailable as Unavailable
    from core.errors import UnknownName as UnknownName
    from core.errors import UsageError as UsageError
    from core.execution.engine import run as run
    from core.execution.events import Advised as Advised
    from core.execution.events import Event as Event
    from core.execution.events import Explained as Explained
    from core.execution.events import RunEnded as RunEnded
    from core.execution.events import RunPlanned as RunPlanned
    from core.execution.progress import Watch as Watch
    from core.execution.recording import begin_recording as begin_recording
    from core.execution.recording import being_measured as being_measured
    from core.execution.recording import recorded as recorded
    from core.execution.recording import session_for as session_for
    from core.execution.request import PROGRAM as PROGRAM
    from core.execution.request import STUDY_ADJUSTABLE as STUDY_ADJUSTABLE
    from core.execution.request import Request as Request
    from core.execution.request import Task as Task
    from core.execution.request import arguments as arguments
    from core.execution.request import command_line as command_line
    from core.execution.request import plan_of as plan_of
    from core.execution.request import task_of as task_of
    from core.execution.search_space import search_axes as search_axes
    from core.host.environment import Environment as Environment
    from core.host.environment import FileSystem as FileSystem
    from core.host.environment import describe_environment as describe_environment
    from core.host.environment import describe_limits as describe_limits
    from core.host.environment import usable_cores as usable_cores
    from core.host.folders import cache_folder as cache_folder
    from core.host.folders import index_folder as index_folder
    from core.host.folders import resources_folder as resources_folder
    from core.host.folders import sessions_folder as sessions_folder
    from core.host.pagecache import Residency as Residency
    from core.host.pagecache import residency as residency
    from core.host.version import sluice_version as sluice_version
    from core.language.invisible import one_line as one_line
    from core.language.translation import say as say
    from core.language.translation import use_voice as use_voice
    from core.language.translation import voiced as voiced
    from core.language.translation import word as word
    from core.language.units import parse_seconds as parse_seconds
    from core.language.units import parse_size as parse_size
    from core.language.units import show_byte_rate as show_byte_rate
    from core.language.units import show_clock as show_clock
    from core.language.units import show_count as show_count
    from core.language.units import show_left as show_left
    from core.language.units import show_rate as show_rate
    from core.language.units import show_ratio as show_ratio
    from core.language.units import show_seconds as show_seconds
    from core.language.units import show_share as show_share
    from core.language.units import show_size as show_size
    from core.output.card_text import Answer as Answer
    from core.output.card_text import Headline as Headline
    from core.output.card_text import Progress as Progress
    from core.output.card_text import answer_of as answer_of
    from core.output.card_text import headline_of as headline_of
    from core.output.card_text import progress_of as progress_of
    from core.output.card_text import sum_up as sum_up
    from core.output.export import FORMATS as FORMATS
    from core.output.export import Format as Format
    from core.output.export import export as export
    from core.output.export import format_named as format_named
    from core.output.export import write_whole as write_whole
    from core.output.export.table_text import table_text as table_text
    from core.output.export.to_csv import csv_text as csv_text
    from core.output.report import render as _render
    from core.output.report import report_of as report_of
    from core.plan.floor import floor_of as floor_of
    from core.plan.labels import told as told
    from core.plan.limits import terms_of_search as terms_of_search
    from core.plan.limits import terms_of_sweep as terms_of_sweep
    from core.plan.schedule import Plan as Plan
    from core.plan.spec import RunSpec as RunSpec
    from core.plan.spec import differing as differing
    from core.plan.sweep import Axis as Axis
    from core.plan.sweep import Sweep as Sweep
    from core.plan.sweep_axes import spaced as spaced
    from core.result.ending import State as State
    from core.result.ending import ending as ending
    from core.result.ending import ending_of as ending_of
    from core.result.ending import state_of as state_of
    from core.result.moments import Moment as Moment
    from core.result.outcome import Cancelled as Cancelled
    from core.result.outcome import Completed as Completed
    from core.result.outcome import Crashed as Crashed
    from core.result.outcome import Failed as Failed
    from core.result.outcome import Outcome as Outcome
    from core.result.outcome import TimedOut as TimedOut
    from core.result.outcome import describe as describe
    from core.result.result import Result as Result
    from core.result.result import Trial as Trial
    from core.result.result import collect as collect
    from core.result.result import unit_of as unit_of
    from core.session import Note as Note
    from core.session import Run as Run
    from core.session import Session as Session
    from core.study import Board as Board
    from core.study import Chart as Chart
    from core.study import Curve as Curve
    from core.study import Judged as Judged
    from core.study import Judgement as Judgement
    from core.study import Reproduction as Reproduction
    from core.study import Study as Study
    from core.study import judge as judge
    from core.study import load as _load_study
    from core.study import names as _study_names
    from core.study import reproduction_of as reproduction_of
    from core.study import scoreboard as scoreboard
    from core.study.published_curve import published_curve as published_curve
    from core.tables.arrange import Arrangement as Arrangement
    from core.tables.arrange import Group as Group
    from core.tables.arrange import arrange as arrange
    from core.tables.results_table import caption as caption
    from core.tables.results_table import summarise as summarise
    from core.tables.table import Cell as Cell
    from core.tables.table import Column as Column
    from core.tables.table import Table as Table
    from core.tables.trials_table import tabulate_trials as tabulate_trials
    from core.tables.trials_table import trials_in_order as trials_in_order
    from core.trial.cancel import Cancel as Cancel
    from core.trial.trial_events import MomentTaken as MomentTaken
    from core.trial.trial_events import PhaseChanged as PhaseChanged
    from core.trial.trial_events import RoundBegun as RoundBegun
    from core.trial.trial_events import TrialEnded as TrialEnded
    from core.trial.trial_events import TrialStarted as TrialStarted

    load_study = _load_study
    load_workload = _load_workload
    render_report = _render
    study_names = _study_names

_HOMES = {
    "core.analysis.advice": (
        "Advice",
        "Price",
        "setting_of",
    ),
    "core.analysis.advisor": (
        "Line",
        "advise",
        "lines",
        "prices_of",
    ),
    "core.analysis.comparison": (
        "Verdict",
        "compare",
    ),
    "core.analysis.estimation": (
        "Measured",
        "measured",
    ),
    "core.analysis.limit_check": ("limits_of",),
    "core.analysis.scaling": (
        "Limits",
        "NO_LIMITS",
        "Point",
        "fit_law",
        "recommend",
    ),
    "core.analysis.session_drift": ("past_of",),
    "core.catalog.dataset": (
        "Dataset",
        "DatasetKind",
        "Tell",
        "file_state",
        "regular_files",
        "tell_nobody",
    ),
    "core.catalog.generate": (
        "locked",
        "make_dataset",
        "sample_dataset",
        "written_once",
    ),
    "core.catalog.inspection": (
        "Look",
        "find_dataset",
        "look_at",
    ),
    "core.catalog.load": ("Load",),
    "core.catalog.parameters": (
        "Choice",
        "Driver",
        "Flag",
        "Integer",
        "Kind",
        "Location",
        "Option",
        "Real",
        "Secret",
        "Text",
        "Value",
        "build",
        "choice",
        "declared",
        "flag",
        "integer",
        "location",
        "real",
        "reveal",
        "secret",
        "text",
        "values_of",
    ),
    "core.catalog.registry": (
        "Entry",
        "KindEntry",
        "dataset_kind",
        "dataset_kinds",
        "open_dataset",
        "workloads",
    ),
    "core.catalog.workload": (
        "Context",
        "Job",
        "Step",
        "Weight",
        "Workload",
    ),
    "core.errors": (
        "DatasetError",
        "InvalidParameter",
        "SessionError",
        "SluiceError",
        "Unavailable",
        "UnknownName",
        "UsageError",
    ),
    "core.execution.engine": ("run",),
    "core.execution.events": (
        "Advised",
        "Event",
        "Explained",
        "RunEnded",
        "RunPlanned",
    ),
    "core.execution.progress": ("Watch",),
    "core.execution.recording": (
        "begin_recording",
        "being_measured",
        "recorded",
        "session_for",
    ),
    "core.execution.request": (
        "PROGRAM",
        "Request",
        "STUDY_ADJUSTABLE",
        "Task",
        "arguments",
        "command_line",
        "plan_of",
        "task_of",
    ),
    "core.execution.search_space": ("search_axes",),
    "core.host.environment": (
        "Environment",
        "FileSystem",
        "describe_environment",
        "describe_limits",
        "usable_cores",
    ),
    "core.host.folders": (
        "cache_folder",
        "index_folder",
        "resources_folder",
        "sessions_folder",
    ),
    "core.host.pagecache": (
        "Residency",
        "residency",
    ),
    "core.host.version": ("sluice_version",),
    "core.language.invisible": ("one_line",),
    "core.language.translation": (
        "say",
        "use_voice",
        "voiced",
        "word",
    ),
    "core.language.units": (
        "parse_seconds",
        "parse_size",
        "show_byte_rate",
        "show_clock",
        "show_count",
        "show_left",
        "show_rate",
        "show_ratio",
        "show_seconds",
        "show_share",
        "show_size",
    ),
    "core.output.card_text": (
        "Answer",
        "Headline",
        "Progress",
        "answer_of",
        "headline_of",
        "progress_of",
        "sum_up",
    ),
    "core.output.export": (
        "FORMATS",
        "Format",
        "export",
        "format_named",
        "write_whole",
    ),
    "core.output.export.table_text": ("table_text",),
    "core.output.export.to_csv": ("csv_text",),
    "core.output.report": ("report_of",),
    "core.plan.sweep_axes": ("spaced",),
    "core.plan.floor": ("floor_of",),
    "core.plan.labels": ("told",),
    "core.plan.limits": (
        "terms_of_search",
        "terms_of_sweep",
    ),
    "core.plan.schedule": ("Plan",),
    "core.plan.spec": (
        "RunSpec",
        "differing",
    ),
    "core.plan.sweep": (
        "Axis",
        "Sweep",
    ),
    "core.result.ending": (
        "State",
        "ending",
        "ending_of",
        "state_of",
    ),
    "core.result.moments": ("Moment",),
    "core.result.outcome": (
        "Cancelled",
        "Completed",
        "Crashed",
        "Failed",
        "Outcome",
        "TimedOut",
        "describe",
    ),
    "core.result.result": (
        "Result",
        "Trial",
        "collect",
        "unit_of",
    ),
    "core.session": (
        "Note",
        "Run",
        "Session",
    ),
    "core.study": (
        "Board",
        "Chart",
        "Curve",
        "Judged",
        "Judgement",
        "Reproduction",
        "Study",
        "judge",
        "reproduction_of",
        "scoreboard",
    ),
    "core.study.published_curve": ("published_curve",),
    "core.tables.arrange": (
        "Arrangement",
        "Group",
        "arrange",
    ),
    "core.tables.results_table": (
        "caption",
        "summarise",
    ),
    "core.tables.table": (
        "Cell",
        "Column",
        "Table",
    ),
    "core.tables.trials_table": (
        "tabulate_trials",
        "trials_in_order",
    ),
    "core.trial.cancel": ("Cancel",),
    "core.trial.trial_events": (
        "MomentTaken",
        "PhaseChanged",
        "RoundBegun",
        "TrialEnded",
        "TrialStarted",
    ),
}
_RENAMED = {
    "load_study": ("core.study", "load"),
    "load_workload": ("core.catalog.registry", "workload"),
    "render_report": ("core.output.report", "render"),
    "study_names": ("core.study", "names"),
}
"""Names that their modules have under a shorter one, which would say too little here or hide a module."""

_HOME_OF = {name: (home, name) for home, names in _HOMES.items() for name in names} | _RENAMED

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 -- pinned by tests/core/test_front_door.py


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    home, inside = _HOME_OF[name]
    return getattr(importlib.import_module(home), inside)


def __dir__() -> list[str]:
    return __all__
