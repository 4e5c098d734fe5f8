"""What the floors above use of this one: the one list of it."""

from core.workflow.groups import Group as Group
from core.workflow.groups import grouped as grouped
from core.workflow.overlay import use_of as use_of
from core.workflow.overlay import write_overlay as write_overlay
from core.workflow.readers import recorded_run as recorded_run
from core.workflow.recorded import Recorded as Recorded
from core.workflow.sandbox import changed_between as changed_between
from core.workflow.sandbox import states_of as states_of
from core.workflow.step_answer import StepAnswer as StepAnswer
from core.workflow.tuning import Measurement as Measurement
from core.workflow.tuning import answers as answers
from core.workflow.tuning import measurements as measurements
from core.workflow.whole_answer import WorkflowAnswer as WorkflowAnswer
from core.workflow.whole_answer import workflow_answer as workflow_answer
