"""What the floors above use of this one: the one list of it."""

from core.desk.comparisons import Compared as Compared
from core.desk.comparisons import Standing as Standing
from core.desk.comparisons import names_of as names_of
from core.desk.comparisons import standings as standings
from core.desk.next_step import Act as Act
from core.desk.next_step import NextStep as NextStep
from core.desk.preflight import MachineState as MachineState
from core.desk.preflight import Preflight as Preflight
from core.desk.prepared import Opened as Opened
from core.desk.prepared import Prepared as Prepared
from core.desk.prepared import labelled as labelled
from core.desk.prepared import results_of as results_of
from core.desk.session_list import Listed as Listed
from core.desk.session_list import Origin as Origin
from core.desk.steps import Next as Next
from core.desk.steps import chosen_result as chosen_result
from core.desk.steps import next_steps as next_steps
