"""What the buttons of the card do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.setup.form_history import form_of

if TYPE_CHECKING:
    from app.setup.form_history import FormHistory
    from app.shell.plan_consent import PlanConsent
    from app.shell.report_actions import ReportActions
    from app.views.tabs import RunViews
    from app.work.shown_run import Measuring
    from core import (
        NextStep,
        Request,
        Result,
    )


class StepActions(QObject):
    """Carries out a step on the run that is shown."""

    wait_wanted = Signal()
    """Measure once other programs leave the cores alone, or wait for that no more."""

    def __init__(
        self,
        measuring: Measuring,
        history: FormHistory,
        views: RunViews,
        reports: ReportActions,
        consent: PlanConsent,
    ) -> None:
        super().__init__(views)
        self._measuring, self._history, self._views = measuring, history, views
        self._reports, self.consent = reports, consent
        in_turn = views.comparison.in_turn
        measuring.began.connect(lambda: in_turn.setEnabled(False))
        measuring.ended.connect(lambda: in_turn.setEnabled(True))
        views.comparison.in_turn_wanted.connect(self._measure_in_turn)

    def take_of_run(self, step: NextStep) -> None:
        """Do what a step of the shown run says; ask first where that names what others chose."""
        now = self._measuring.now
        if step.request is None:
            self.take(step)
        elif now is not None:
            self.consent.ask_about_run(now, lambda: self.take(step))

    def take(self, step: NextStep) -> None:
        """Do what a step says."""
        from core import Act

        match step.act:
            case Act.MEASURE if step.request is not None:
                self._measure(step.request)
            case Act.FILL if step.request is not None:
                self.fill(step.request)
            case Act.EXPLAIN:
                self._views.show_why()
            case Act.COMPARE:
                self._compare()
            case Act.REPORT:
                self._reports.show_report()
            case Act.WAIT:
                self.wait_wanted.emit()
            case _:
                pass

    def fill(self, request: Request) -> None:
        """Show a request in the form, if that knows it; Undo brings back what was there."""
        from core import study_names, workloads

        known = request.study in study_names() if request.study else request.workload in workloads()
        if not known:
            return
        self._history.fill(form_of(request, self._history.form.state()))

    def _measure(self, request: Request) -> None:
        """Measure on the data of the shown run, whatever the form has chosen meanwhile."""
        now = self._measuring.now
        if now is None or self._measuring.running:
            return

        self.fill(request)
        self._measuring.start(now.with_request(request))

    def _measure_in_turn(self, baseline: Result, candidate: Result) -> None:
        """Measure both again into the session of the window; the form stays as it is."""
        if self._measuring.running:
            return
        from core import Prepared

        now = self._measuring.now
        session = now.session if now is not None else None
        cluster = now.cluster if now is not None else ""
        self.consent.ask_about_pair(
            (baseline, candidate),
            cluster,
            lambda: self._measuring.start(Prepared.in_turn(baseline, candidate, session, cluster)),
        )

    def _compare(self) -> None:
        if (now := self._measuring.now) is not None:
            trials = tuple(self._measuring.trials)
            from core import Shown

            self._views.compare_with_last(lambda: Shown.beside_last(now, trials))
