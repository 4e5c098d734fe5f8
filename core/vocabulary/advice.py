"""What to use: the answer of a sweep or a search, as values for terminal, window and report.

`core.judge.advisor` finds it.  Nothing here computes, so the event stream carries it without
loading numpy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from core.language import (
    capitalised,
    show_count,
    show_ratio,
    show_seconds,
    show_share,
    show_size,
    tr,
)
from core.vocabulary.limits import NEAR
from core.vocabulary.parameters import Value
from core.vocabulary.spec import COUNTS, RunSpec, named, setting_of, show_setting
from core.vocabulary.verdict import (
    Doubt,
    Grade,
    Price,
    Verdict,
    VerdictKind,
    grade_of,
    ratio_text,
)

THREADS = "threads"
"""The parameter that advice is about."""

_MOST_LISTED = 8
_MOST_EQUALS = 3
_AN_HOUR = 3600.0


class Estimated(msgspec.Struct, frozen=True):
    """A coefficient and its 95 % interval; without one where nothing was repeated."""

    value: float
    low: float | None = None
    high: float | None = None


class Law(msgspec.Struct, frozen=True, kw_only=True):
    """The Universal Scalability Law through the chosen line's points."""

    contention: Estimated
    coherency: Estimated
    peak: float | None
    """Threads beyond which the law expects less; None = never."""
    misfit: float
    """Root mean square of the points' relative distances from the law."""


class Rival(msgspec.Struct, frozen=True, kw_only=True):
    """The best of another line, and the verdict on the chosen setting against it."""

    values: Mapping[str, Value]
    verdict: Verdict

    @property
    def text(self) -> str:
        """`1.30× (1.25× to 1.35×) the best of cache none`."""
        best = setting_of(self.values)
        if self.verdict.differs:
            return tr("{figures} the best of {setting}", figures=self.verdict.figures, setting=best)
        if self.verdict.kind is VerdictKind.SAME:
            near = 100 * self.verdict.margin
            return tr("as good within {near:g} % as the best of {setting}", near=near, setting=best)
        if not self.verdict.tells:
            return tr("too few trials to tell it from the best of {setting}", setting=best)
        if not self.verdict.apart:
            return tr("not measurably different from the best of {setting}", setting=best)
        if self.verdict.ratio is not None and self.verdict.ratio > 1.0:
            return tr("likely faster than the best of {setting}", setting=best)
        return tr("likely slower than the best of {setting}", setting=best)


class Equal(msgspec.Struct, frozen=True, kw_only=True):
    """A setting that measured as good as the one to use; the verdict on it against that one."""

    values: Mapping[str, Value]
    verdict: Verdict
    memory: float | None = None
    """Peak bytes of its worst trial."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What to use beside the programs that ran, or on the quiet machine; or why it is not told.

    `setting`: of the parameters that were varied; empty where it cannot be told.  `ratio`: of its
    throughput to that of the advice's `baseline`, with the 95 % interval; None for the baseline.
    """

    setting: Mapping[str, Value] = {}
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    confidence: Grade | None = None
    """How sure it is that no other is better; None where nothing is told."""
    at_least: float = 0.0
    """Share of the throughput of any other measured setting that it surely reaches; 0 = unknown."""
    error: float = 0.0
    """Standard error of computing it, as a share; 0 = it was measured."""
    kept: float = 0.0
    """Share of the turns in which the machine was quiet, where it rests on these alone."""
    reason: str = ""
    """Why it is not told, or not sure."""
    figures_of: Mapping[str, float] = {}
    """What each setting would do, by the digest of its spec, where that was computed."""

    @property
    def told(self) -> bool:
        return bool(self.setting)

    @property
    def figures(self) -> str:
        return ratio_text(self.ratio, self.low, self.high)


NOTHING_TOLD = Claim()


class RunsAtOnce(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one setting; None where they are not known."""

    values: Mapping[str, Value]
    rate: float
    """Runs per second, of all at once."""
    low: float | None = None
    high: float | None = None
    wall: float | None = None
    """Seconds of one run."""
    cpu: float | None = None
    """Core-seconds of one run."""
    memory: float | None = None
    """Peak bytes of one run."""

    @property
    def text(self) -> str:
        """`96.0 an hour (92.0 to 100); one takes 5:00 min, 1,200 core-seconds, 6.4 GiB`."""
        an_hour = tr("{count} an hour", count=show_count(_AN_HOUR * self.rate))
        if self.low is not None and self.high is not None:
            low, high = (show_count(_AN_HOUR * one) for one in (self.low, self.high))
            an_hour = tr("{rate} ({low} to {high})", rate=an_hour, low=low, high=high)
        costs = [
            show_seconds(self.wall) if self.wall else "",
            tr("{count} core-seconds", count=show_count(self.cpu)) if self.cpu else "",
            show_size(self.memory) if self.memory else "",
        ]
        one = tr("one takes {costs}", costs=", ".join(filter(None, costs)))
        return f"{setting_of(self.values)}: {an_hour}; {one}" if any(costs) else an_hour


class Cheaper(msgspec.Struct, frozen=True, kw_only=True):
    """A setting that costs fewer core-seconds a run, and is nearly as fast as the advised one."""

    values: Mapping[str, Value]
    speed: Verdict
    """On its throughput, against the advised one."""
    cost: Verdict
    """On its CPU time for a run, likewise."""

    @property
    def text(self) -> str:
        """`12 files at once, 2 threads each: 8 % slower, 18 % cheaper.`."""
        fields = {
            "setting": setting_of(self.values),
            "cheaper": show_share(1.0 - (self.cost.ratio or 1.0)),
        }
        if self.speed.kind is VerdictKind.SLOWER and self.speed.ratio is not None:
            slower = show_share(1.0 - self.speed.ratio)
            return tr("{setting}: {slower} slower, {cheaper} cheaper.", slower=slower, **fields)
        return tr("{setting}: not measurably slower, {cheaper} cheaper.", **fields)


class AdviceLine(msgspec.Struct, frozen=True, kw_only=True):
    """What to use with one value of the parameter that a workload has answered for one by one."""

    values: Mapping[str, Value]
    advice: Advice


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """The setting to use, how sure it is, and the evidence.

    `values`: of the parameters that were varied, threads first; empty where nothing was usable.
    Where `confident` is false they are the best guess so far; where `at_most_slower` has a value,
    they will do until more is measured.
    """

    confident: bool
    values: Mapping[str, Value] = {}
    spec: RunSpec | None = None
    baseline: Mapping[str, Value] = {}
    """The setting that `gain` is against: the fewest threads of the first line."""
    gain: Verdict | None = None
    """On the chosen setting against the baseline; None where that is the same."""
    beyond: tuple[Verdict, ...] = ()
    """On each usable number of threads above the chosen one of its line, against that."""
    tried: int = 0
    """The largest number of threads measured on the chosen line, usable or not."""
    shape: str
    law: Law | None = None
    reasons: tuple[str, ...]
    steps: tuple[Price, ...] = ()
    rivals: tuple[Rival, ...] = ()
    refused: tuple[tuple[Mapping[str, Value], str], ...] = ()
    """Settings that cannot be used, with the reason."""
    trials: int
    """Trials that this rests on."""
    whole: int
    """Trials that a sweep of the same settings takes; equal to `trials` where this was one."""
    as_precise: int
    """Trials of a sweep with as many of each as a search has of the two settings that decided."""
    settings: int = 0
    """How many a search could choose from; 0 where this was a sweep."""
    fixed_threads: bool = False
    """Whether a search was to try one number of threads only."""
    trial_seconds: float = 0.0
    """How long a trial of a search took on average, with its start; 0 = unknown."""
    over: Mapping[str, tuple[Value, ...]] = {}
    """Values whose trials were pooled, by parameter: the advice holds for all of them."""
    stopped: bool = False
    """The search was stopped before it was done."""
    doubts: tuple[Doubt, ...] = ()
    """Reasons not to rely on it, even where the trials clearly separate the settings."""

    at_most_slower: float | None = None
    """Surely at most this share slower than any other measured, of a guess that will do for now:
    no more than `core.vocabulary.verdict.WITHIN`."""
    most_gain: float | None = None
    """Surely no other measured setting is faster by more than this; None where noise is unknown."""
    unmeasured: int = 0
    """Settings that could be chosen but were not measured; the advice says nothing about them."""
    equals: tuple[Equal, ...] = ()
    """Settings that measured within `near` of the best."""
    near: float = NEAR
    memory: float | None = None
    """Peak bytes of the chosen setting's worst trial."""
    enough: int = 0
    """Trials of each setting that would make it sure; 0 = it is sure, or that is unknown."""
    possible: int = 0
    """How many settings may still be the best; 0 as for `enough`."""
    now: Claim = NOTHING_TOLD
    """Beside the programs that ran meanwhile: what was measured."""
    quiet: Claim = NOTHING_TOLD
    """On the quiet machine.  Where others took hardly anything, it is the same."""
    beside: bool = False
    """Whether other programs took so much that both are not the same; then `values` are those of
    `now`, and `confident` is false, as it is about the quiet machine."""
    taken: float = 0.0
    """Share of the time on its cores that others took from the setting that lost most; 0 =
    unknown, where `beside`."""
    at_once: tuple[RunsAtOnce, ...] = ()
    """Of programs at once: figures of the setting, and of one at a time."""
    cheaper: Cheaper | None = None
    """A setting of these that costs less, and is at most a tenth slower."""
    wire: str = ""
    """What its gain over the thriftiest costs in bytes and requests, as a sentence."""
    lines: tuple[AdviceLine, ...] = ()
    """One for each value with an answer of its own, such as a store; then the advice is sure where
    all of these are, and its own setting is only the best of all."""

    @property
    def idle(self) -> Doubt | None:
        """The doubt that some workers had nothing to do, so that no number of them is advised."""
        return next((doubt for doubt in self.doubts if doubt.idle), None)

    @property
    def usable(self) -> bool:
        """Whether the setting can be used, at least for now or beside what ran."""
        return self.grade is not Grade.LEADING

    @property
    def grade(self) -> Grade:
        """How sure it is; where others took cores, for now."""
        if self.beside and self.now.confidence is not None:
            return self.now.confidence
        return grade_of(sure=self.confident, within=self.at_most_slower is not None)

    @property
    def further_reasons(self) -> tuple[str, ...]:
        """The reasons that the sentence does not give already."""
        if not self.lines:
            doubts = {doubt.text for doubt in self.doubts}
            # Where it is not sure, the sentence has the first one.
            reasons = self.reasons[not self.confident :]
            return tuple(reason for reason in reasons if reason not in doubts)
        return tuple(
            _of_line(line, reason) for line in self.lines for reason in line.advice.further_reasons
        )

    @property
    def sentence(self) -> str:
        """The advice in one line for people, with its equals and the values that it covers."""
        if self.lines:
            # No colon behind what each is for: a card's answer ends at the first one.
            return " ".join(
                f"{setting_of(line.values)} · {line.advice.sentence}" for line in self.lines
            )
        cheaper = self.cheaper.text if self.cheaper is not None else ""
        sentence = " ".join(
            filter(None, (self._bare_sentence, self._about_equals, cheaper, self.wire))
        )
        if not self.over:
            return sentence
        over = ", ".join(_values_text(name, values) for name, values in self.over.items())
        return tr("{advice} Measured over {over}.", advice=sentence, over=over)

    @property
    def _about_equals(self) -> str:
        """`As good within 5 %: 2 threads with cache none. This one takes the least memory: …`."""
        if not self.confident:
            return ""
        open_ones = [
            (one, one.verdict) for one in self.equals if one.verdict.kind is VerdictKind.UNDECIDED
        ]
        return " ".join(filter(None, (self._about_the_same, Verdict.open_text(open_ones, _listed))))

    @property
    def _about_the_same(self) -> str:
        same = [one for one in self.equals if one.verdict.kind is VerdictKind.SAME]
        if not same:
            return ""
        others = _listed(same)
        good = tr("As good within {near:g} %: {others}.", near=100 * self.near, others=others)
        memories = [one.memory for one in same if one.memory is not None]
        if self.memory is None or len(memories) < len(same) or min(memories) < self.memory:
            return good
        least = tr(
            "This one takes the least memory: {least} against {others}.",
            least=show_size(self.memory),
            others=show_size(min(memories)),
        )
        return f"{good} {least}"

    @property
    def trials_text(self) -> str:
        """Trials of a search and their time; for several settings also what sweeps take.

        `19 in 57.0 s; measuring all 16 settings takes 48 (3 of each) in about 2:24 min, or 80 (5 of
        each) in about 4:00 min for the same precision`.  All trials are expected to take as long.
        """
        if not self.settings:
            return ""
        took = self._time_text(self.trials)
        spent = tr("{trials} in {time}", trials=self.trials, time=took) if took else self.trials
        if self.settings == 1:
            return str(spent)
        cost = tr(
            "{trials}; measuring all {settings} settings takes {sweep}",
            trials=spent,
            settings=self.settings,
            sweep=self._sweep_text(self.whole),
        )
        if self.as_precise != self.whole:
            sweep = self._sweep_text(self.as_precise)
            cost = tr("{trials}, or {sweep} for the same precision", trials=cost, sweep=sweep)
        saved, saved_precisely = self.trials < self.whole, self.trials < self.as_precise
        if saved and saved_precisely:
            return cost
        if saved:
            return tr("{trials}; against the latter nothing was saved", trials=cost)
        if saved_precisely:
            return tr("{trials}; only against the latter was anything saved", trials=cost)
        return tr("{trials}; nothing was saved", trials=cost)

    def _sweep_text(self, trials: int) -> str:
        each = trials // self.settings
        if time := self._time_text(trials):
            return tr(
                "{trials} ({each} of each) in about {time}", trials=trials, each=each, time=time
            )
        return tr("{trials} ({each} of each)", trials=trials, each=each)

    def _time_text(self, trials: int) -> str:
        """How long so many trials take; empty where that is not known."""
        return show_seconds(trials * self.trial_seconds) if self.trial_seconds else ""

    @property
    def _bare_sentence(self) -> str:
        if not self.values:
            return tr("Cannot tell: {why}", why=self._why)
        if self.idle is not None:
            return tr(
                "Take {needs}. {text} How many are best cannot be told from this.",
                needs=self.idle.needs,
                text=self.idle.text,
            )
        if self.beside:
            return " ".join(filter(None, (self._both, self._about_now, self._about_quiet)))
        return self._sure_sentence if self.confident else self._unsure_sentence

    @property
    def _both(self) -> str:
        """What to use for now and on the quiet machine."""
        now, quiet = setting_of(self.now.setting), setting_of(self.quiet.setting)
        sure = self.now.confidence is not Grade.LEADING
        if not self.quiet.told:
            if sure:
                return tr("{now} for now; on a quiet machine that cannot be told yet.", now=now)
            return tr(
                "Leading for now: {now}; on a quiet machine that cannot be told yet.", now=now
            )
        if now == quiet:
            return tr("{now}, for now and when the machine is quiet.", now=now)
        alone = self.now.setting.keys() == self.quiet.setting.keys() == {"threads"}
        # Of threads alone the second number needs no unit.
        fields = {"now": now, "quiet": self.quiet.setting["threads"] if alone else quiet}
        if sure:
            return tr("{now} for now, {quiet} when the machine is quiet.", **fields)
        return tr("{now} leading for now, {quiet} when the machine is quiet.", **fields)

    @property
    def _about_now(self) -> str:
        """`Now 1.60× 1 thread (1.40× to 1.80×); others took 45 % of the cores.`."""
        fields = {"share": show_share(self.taken)}
        others = (
            tr(
                "others took {share} of the cores, and more threads take more of a busy machine",
                **fields,
            )
            if self.taken
            else tr("more threads take more of a busy machine")
        )
        if self.now.ratio is None:
            return f"{capitalised(others)}."
        fields = {"figures": self.now.figures, "baseline": self._baseline_text}
        return tr("Now {figures} {baseline}; {others}.", others=others, **fields)

    @property
    def _baseline_text(self) -> str:
        """Without what it shares with the setting that is advised."""
        counts = COUNTS
        own = {
            name: value
            for name, value in self.baseline.items()
            if name in counts or self.values.get(name) != value
        }
        return setting_of(own)

    @property
    def _about_quiet(self) -> str:
        """How the claim for the quiet machine came about, or why there is none."""
        quiet = self.quiet
        if not quiet.told:
            return capitalised(quiet.reason)
        how = (
            tr("measured in the {share} of the turns that were quiet", share=show_share(quiet.kept))
            if quiet.kept
            else tr("computed from how long threads waited for a core")
        )
        least = show_share(1.0 - quiet.at_least)
        fields = {"how": how, "setting": setting_of(quiet.setting), "least": least}
        if quiet.ratio is None:
            return tr("Quiet, {setting}: at most {least} below the best, {how}.", **fields)
        return tr(
            "Quiet, {setting}: {figures} {baseline}, at most {least} below the best, {how}.",
            figures=quiet.figures,
            baseline=self._baseline_text,
            **fields,
        )

    @property
    def _unsure_sentence(self) -> str:
        fields = {"setting": setting_of(self.values), "why": self._why}
        if self.stopped or self.at_most_slower is None:
            if self._why[:1].isupper():  # a sentence of its own
                return f"{tr('Leading so far: {setting}.', **fields)} {self._why}"
            return tr("Leading so far: {setting}; {why}", **fields)
        fields["grade"] = self.grade.text
        if self.unmeasured:
            return tr(
                "Use {setting} for now: {grade} of anything measured (1 was not); {why}",
                "Use {setting} for now: {grade} of anything measured ({count} were not); {why}",
                count=self.unmeasured,
                **fields,
            )
        return tr("Use {setting} for now: {grade} of anything measured; {why}", **fields)

    @property
    def _sure_sentence(self) -> str:
        fields = {"setting": setting_of(self.values), "more": self._about_more}
        gain = self.gain
        if gain is None or gain.ratio is None or gain.kind is not VerdictKind.FASTER:
            if not self._is_enough:
                return tr("Use {setting}; {more}.", **fields)
            if self.values["threads"] == 1:
                return tr("{setting} is enough; {more}.", **fields)
            return tr("{setting} are enough; {more}.", **fields)
        fields |= {"ratio": show_ratio(gain.ratio), "baseline": self._baseline_text}
        if self.at_once:  # threads beyond its own row say little
            return tr("Use {setting}: {figures} {baseline}.", figures=gain.figures, **fields)
        if self._is_enough:
            return tr("{setting} are enough: {ratio} {baseline}; {more}.", **fields)
        return tr("Use {setting}: {ratio} {baseline}; {more}.", **fields)

    @property
    def _why(self) -> str:
        return self.reasons[0] if self.reasons else tr("nothing was measured.")

    @property
    def _about_more(self) -> str:
        if self.fixed_threads:
            return (
                tr("no other setting was to be tried")
                if self.settings == 1
                else tr("no other number of threads was to be tried")
            )
        threads = self.values.get("threads")
        if threads == self.tried:
            return tr("more than {threads} were not tried", threads=threads)
        if not self.beyond:
            return tr("more threads cannot be used")
        kinds = {one.kind for one in self.beyond}
        if kinds == {VerdictKind.SLOWER}:
            return tr("more threads are slower")
        if not self._some_gain:
            likely = any(one.apart and one.ratio and one.ratio > 1.0 for one in self.beyond)
            return (
                tr("more threads are likely faster, but not surely")
                if likely
                else tr("more threads are not measurably faster")
            )
        # Rounded up, so that the sentence stays true.
        most = max(one.high or 0.0 for one in self.beyond) - 1.0
        share = int(100 * (most if self.most_gain is None else min(most, self.most_gain))) + 1
        return tr("more threads gain less than {share} %", share=share)

    @property
    def _some_gain(self) -> bool:
        """Whether any number of more threads is surely faster, if only by less than the margin."""
        faster = (VerdictKind.FASTER, VerdictKind.SAME)
        return any(one.kind in faster and one.low and one.low > 1.0 for one in self.beyond)

    @property
    def _is_enough(self) -> bool:
        """Whether more threads were measured, and are neither all slower nor any faster."""
        more_measured = self.values.get("threads") != self.tried and not self.fixed_threads
        not_all_slower = any(one.kind is not VerdictKind.SLOWER for one in self.beyond)
        return more_measured and not_all_slower and not self._some_gain


def _listed(equals: Sequence[Equal]) -> str:
    """The first few by their settings, and how many more there are."""
    named_ones = [setting_of(one.values) for one in equals[:_MOST_EQUALS]]
    if more := len(equals) - len(named_ones):
        named_ones.append(tr("{count} more", count=more))
    if len(named_ones) == 1:
        return named_ones[0]
    return tr("{first} and {last}", first=", ".join(named_ones[:-1]), last=named_ones[-1])


def _of_line(line: AdviceLine, text: str) -> str:
    return tr("{line}: {text}", line=setting_of(line.values), text=text)


def _values_text(name: str, values: tuple[Value, ...]) -> str:
    """`seed 1, 2`; of many values how many there are."""
    if len(values) > _MOST_LISTED:
        return tr("{count} values of {parameter}", count=len(values), parameter=named(name))
    return f"{named(name)} {', '.join(show_setting(name, value) for value in values)}"
