"""The engine's front door: every public name, and nothing else.

Names are loaded when they are first used, so that `python -m core --help` and the window's
first paint import only what they need.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.advice import Advice as Advice
    from core.advice import Price as Price
    from core.advice import setting_of as setting_of
    from core.advising import Line as Line
    from core.advising import advise as advise
    from core.advising import lines as lines
    from core.advising import prices_of as prices_of
    from core.arranging import Arrangement as Arrangement
    from core.arranging import Group as Group
    from core.arranging import arrange as arrange
    from core.cancel import Cancel as Cancel
    from core.commanding import PROGRAM as PROGRAM
    from core.commanding import STUDY_ADJUSTABLE as STUDY_ADJUSTABLE
    from core.commanding import Request as Request
    from core.commanding import Task as Task
    from core.commanding import arguments as arguments
    from core.commanding import command_line as command_line
    from core.commanding import plan_of as plan_of
    from core.commanding import task_of as task_of
    from core.dataset import Dataset as Dataset
    from core.dataset import DatasetKind as DatasetKind
    from core.dataset import Tell as Tell
    from core.dataset import file_state as file_state
    from core.dataset import regular_files as regular_files
    from core.dataset import tell_nobody as tell_nobody
    from core.engine import run as run
    from core.environment import Environment as Environment
    from core.environment import FileSystem as FileSystem
    from core.environment import describe_environment as describe_environment
    from core.environment import describe_limits as describe_limits
    from core.environment import usable_cores as usable_cores
    from core.errors import DatasetError as DatasetError
    from core.errors import InvalidParameter as InvalidParameter
    from core.errors import SessionError as SessionError
    from core.errors import SluiceError as SluiceError
    from core.errors import Unavailable as Unavailable
    from core.errors import UnknownName as UnknownName
    from core.errors import UsageError as UsageError
    from core.estimation import Measured as Measured
    from core.estimation import measured as measured
    from core.events import Advised as Advised
    from core.events import Event as Event
    from core.events import Explained as Explained
    from core.events import MomentTaken as MomentTaken
    from core.events import PhaseChanged as PhaseChanged
    from core.events import RoundBegun as RoundBegun
    from core.events import RunEnded as RunEnded
    from core.events import RunPlanned as RunPlanned
    from core.events import TrialEnded as TrialEnded
    from core.events import TrialStarted as TrialStarted
    from core.exporting import FORMATS as FORMATS
    from core.exporting import Format as Format
    from core.exporting import export as export
    from core.exporting import format_named as format_named
    from core.exporting import write_whole as write_whole
    from core.exporting.of_table import table_text as table_text
    from core.exporting.to_csv import csv_text as csv_text
    from core.headline import Answer as Answer
    from core.headline import Headline as Headline
    from core.headline import Progress as Progress
    from core.headline import answer_of as answer_of
    from core.headline import headline_of as headline_of
    from core.headline import progress_of as progress_of
    from core.headline import sum_up as sum_up
    from core.invisible import one_line as one_line
    from core.looking import Look as Look
    from core.looking import look_at as look_at
    from core.making import locked as locked
    from core.making import make_dataset as make_dataset
    from core.making import written_once as written_once
    from core.naming import told as told
    from core.outcome import Cancelled as Cancelled
    from core.outcome import Completed as Completed
    from core.outcome import Crashed as Crashed
    from core.outcome import Failed as Failed
    from core.outcome import Outcome as Outcome
    from core.outcome import TimedOut as TimedOut
    from core.outcome import describe as describe
    from core.pagecache import Residency as Residency
    from core.pagecache import residency as residency
    from core.parameters import Choice as Choice
    from core.parameters import Driver as Driver
    from core.parameters import Flag as Flag
    from core.parameters import Integer as Integer
    from core.parameters import Kind as Kind
    from core.parameters import Location as Location
    from core.parameters import Option as Option
    from core.parameters import Real as Real
    from core.parameters import Secret as Secret
    from core.parameters import Text as Text
    from core.parameters import Value as Value
    from core.parameters import build as build
    from core.parameters import choice as choice
    from core.parameters import declared as declared
    from core.parameters import flag as flag
    from core.parameters import integer as integer
    from core.parameters import location as location
    from core.parameters import real as real
    from core.parameters import reveal as reveal
    from core.parameters import secret as secret
    from core.parameters import text as text
    from core.parameters import values_of as values_of
    from core.past import past_of as past_of
    from core.places import cache_folder as cache_folder
    from core.places import index_folder as index_folder
    from core.places import resources_folder as resources_folder
    from core.places import sessions_folder as sessions_folder
    from core.plan import Axis as Axis
    from core.plan import Load as Load
    from core.plan import Plan as Plan
    from core.plan import RunSpec as RunSpec
    from core.plan import Sweep as Sweep
    from core.plan import differing as differing
    from core.planning import find_dataset as find_dataset
    from core.planning import floor_of as floor_of
    from core.planning import sample_dataset as sample_dataset
    from core.planning import spaced as spaced
    from core.published import published_curve as published_curve
    from core.recording import begin_recording as begin_recording
    from core.recording import being_measured as being_measured
    from core.recording import recorded as recorded
    from core.recording import session_for as session_for
    from core.registry import Entry as Entry
    from core.registry import KindEntry as KindEntry
    from core.registry import dataset_kind as dataset_kind
    from core.registry import dataset_kinds as dataset_kinds
    from core.registry import open_dataset as open_dataset
    from core.registry import workload as _load_workload
    from core.registry import workloads as workloads
    from core.report import render as _render
    from core.report import report_of as report_of
    from core.result import Result as Result
    from core.result import Trial as Trial
    from core.result import collect as collect
    from core.scaling import NO_LIMITS as NO_LIMITS
    from core.scaling import Limits as Limits
    from core.scaling import Point as Point
    from core.scaling import fit_law as fit_law
    from core.scaling import recommend as recommend
    from core.search_space import search_axes as search_axes
    from core.series import Moment as Moment
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
    from core.summary import Cell as Cell
    from core.summary import Column as Column
    from core.summary import State as State
    from core.summary import Table as Table
    from core.summary import caption as caption
    from core.summary import ending as ending
    from core.summary import ending_of as ending_of
    from core.summary import state_of as state_of
    from core.summary import summarise as summarise
    from core.summary import unit_of as unit_of
    from core.terms import limits_of as limits_of
    from core.terms import terms_of_search as terms_of_search
    from core.terms import terms_of_sweep as terms_of_sweep
    from core.trial_table import tabulate_trials as tabulate_trials
    from core.trial_table import trials_in_order as trials_in_order
    from core.units import parse_seconds as parse_seconds
    from core.units import parse_size as parse_size
    from core.units import show_byte_rate as show_byte_rate
    from core.units import show_clock as show_clock
    from core.units import show_count as show_count
    from core.units import show_left as show_left
    from core.units import show_rate as show_rate
    from core.units import show_ratio as show_ratio
    from core.units import show_seconds as show_seconds
    from core.units import show_share as show_share
    from core.units import show_size as show_size
    from core.verdict import Verdict as Verdict
    from core.verdict import compare as compare
    from core.version import sluice_version as sluice_version
    from core.voice import say as say
    from core.voice import use_voice as use_voice
    from core.voice import voiced as voiced
    from core.voice import word as word
    from core.watching import Watch as Watch
    from core.workload import Context as Context
    from core.workload import Job as Job
    from core.workload import Step as Step
    from core.workload import Weight as Weight
    from core.workload import Workload as Workload

    load_study = _load_study
    load_workload = _load_workload
    render_report = _render
    study_names = _study_names

_HOMES = {
    "core.advice": (
        "Advice",
        "Price",
        "setting_of",
    ),
    "core.advising": (
        "Line",
        "advise",
        "lines",
        "prices_of",
    ),
    "core.arranging": (
        "Arrangement",
        "Group",
        "arrange",
    ),
    "core.cancel": ("Cancel",),
    "core.commanding": (
        "PROGRAM",
        "Request",
        "STUDY_ADJUSTABLE",
        "Task",
        "arguments",
        "command_line",
        "plan_of",
        "task_of",
    ),
    "core.dataset": (
        "Dataset",
        "DatasetKind",
        "Tell",
        "file_state",
        "regular_files",
        "tell_nobody",
    ),
    "core.engine": ("run",),
    "core.environment": (
        "describe_limits",
        "Environment",
        "FileSystem",
        "describe_environment",
        "usable_cores",
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
    "core.estimation": (
        "Measured",
        "measured",
    ),
    "core.events": (
        "Advised",
        "Event",
        "Explained",
        "MomentTaken",
        "PhaseChanged",
        "RoundBegun",
        "RunEnded",
        "RunPlanned",
        "TrialEnded",
        "TrialStarted",
    ),
    "core.exporting": (
        "FORMATS",
        "Format",
        "export",
        "format_named",
        "write_whole",
    ),
    "core.exporting.of_table": ("table_text",),
    "core.exporting.to_csv": ("csv_text",),
    "core.headline": (
        "Answer",
        "Headline",
        "Progress",
        "answer_of",
        "headline_of",
        "progress_of",
        "sum_up",
    ),
    "core.invisible": ("one_line",),
    "core.looking": (
        "Look",
        "look_at",
    ),
    "core.making": (
        "locked",
        "make_dataset",
        "written_once",
    ),
    "core.naming": ("told",),
    "core.outcome": (
        "Cancelled",
        "Completed",
        "Crashed",
        "Failed",
        "Outcome",
        "TimedOut",
        "describe",
    ),
    "core.pagecache": (
        "Residency",
        "residency",
    ),
    "core.parameters": (
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
    "core.past": ("past_of",),
    "core.places": (
        "cache_folder",
        "index_folder",
        "resources_folder",
        "sessions_folder",
    ),
    "core.plan": (
        "Axis",
        "Load",
        "Plan",
        "RunSpec",
        "Sweep",
        "differing",
    ),
    "core.planning": (
        "find_dataset",
        "floor_of",
        "sample_dataset",
        "spaced",
    ),
    "core.published": ("published_curve",),
    "core.recording": (
        "begin_recording",
        "being_measured",
        "recorded",
        "session_for",
    ),
    "core.registry": (
        "Entry",
        "KindEntry",
        "dataset_kind",
        "dataset_kinds",
        "open_dataset",
        "workloads",
    ),
    "core.report": ("report_of",),
    "core.result": (
        "Result",
        "Trial",
        "collect",
    ),
    "core.scaling": (
        "Limits",
        "NO_LIMITS",
        "Point",
        "fit_law",
        "recommend",
    ),
    "core.search_space": ("search_axes",),
    "core.series": ("Moment",),
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
    "core.summary": (
        "Cell",
        "Column",
        "State",
        "Table",
        "caption",
        "ending",
        "ending_of",
        "state_of",
        "summarise",
        "unit_of",
    ),
    "core.terms": (
        "limits_of",
        "terms_of_search",
        "terms_of_sweep",
    ),
    "core.trial_table": (
        "tabulate_trials",
        "trials_in_order",
    ),
    "core.units": (
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
    "core.verdict": (
        "Verdict",
        "compare",
    ),
    "core.version": ("sluice_version",),
    "core.voice": (
        "say",
        "use_voice",
        "voiced",
        "word",
    ),
    "core.watching": ("Watch",),
    "core.workload": (
        "Context",
        "Job",
        "Step",
        "Weight",
        "Workload",
    ),
}
_RENAMED = {
    "load_study": ("core.study", "load"),
    "load_workload": ("core.registry", "workload"),
    "render_report": ("core.report", "render"),
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
