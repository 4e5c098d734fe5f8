"""Published studies: their cells, figures and claims, judged against a run here.

study = load_study("svfs-read")
specs = study.specs(dataset, changes)       what to measure, by the label of its cell
found = reproduction_of(study, results)        scoreboard, judged claims and charts

preset          a study as read from its file: cells, claims, figures
cells           what it measures, and additional cells for larger machines
this_machine    which published figures and threads belong to so many cores
servers         cells that need a server of the lab
study_dataset   the data that is generated where the user names none
study_room      what it takes on disk
publications    the publications, and which of their studies can be run here
board           published and measured figures side by side
judge_claims    each claim judged by interval
charts          the publication's plots with what was measured here
program_answers which number of threads each program wants, in a study of programs
reproduction    the last four together
"""

from core.study.board import Board, scoreboard
from core.study.cells import Ladder, StudyCell, climb
from core.study.charts import Chart, ChartCurve, charts_of
from core.study.judge_claims import (
    ENOUGH_TO_BREAK,
    Judged,
    Judgement,
    Size,
    cells_to_tell,
    counter_ratios,
    judge,
    sizes,
    tally,
)
from core.study.preset import Claim, PublishedFigure, Study, Trace, folder, load_study, study_names
from core.study.program_answers import ProgramAnswer, board_of_programs, program_answers
from core.study.publications import FAMILIES, Family, Listed, listing
from core.study.reproduction import Reproduction, reproduction_of
from core.study.study_dataset import study_dataset, study_room

__all__ = [
    "ENOUGH_TO_BREAK",
    "FAMILIES",
    "Board",
    "Chart",
    "ChartCurve",
    "Claim",
    "Family",
    "Judged",
    "Judgement",
    "Ladder",
    "Listed",
    "ProgramAnswer",
    "PublishedFigure",
    "Reproduction",
    "Size",
    "Study",
    "StudyCell",
    "Trace",
    "board_of_programs",
    "cells_to_tell",
    "charts_of",
    "climb",
    "counter_ratios",
    "folder",
    "judge",
    "listing",
    "load_study",
    "program_answers",
    "reproduction_of",
    "scoreboard",
    "sizes",
    "study_dataset",
    "study_names",
    "study_room",
    "tally",
]
