"""Beside programs that want the cores, no number of threads is advised."""

from __future__ import annotations

from collections.abc import Sequence

import building
import msgspec
import pytest

from core.desk import standings
from core.judge import advise
from core.tell.card_text import Progress, answer_of, headline_of
from core.tell.cli.terminal_results import print_advice
from core.tell.result_figures import throughput_figure
from core.vocabulary import Advice, Grade, MachineNoise, OfPrograms, Result

pytestmark = pytest.mark.quick

WOBBLE = (1.0, 1.004, 0.997, 1.001, 0.998)


def ran(threads: int, rate: float, running: float, queued: float) -> Result:
    """Seconds on two cores, in which the threads ran so long and waited so long for a core."""
    of = building.spec(threads=threads)
    first = msgspec.structs.replace(building.reading(0.0), queued=0.0, cpu_user=0.0, cpu_system=0.0)
    last = msgspec.structs.replace(
        building.reading(1.0), queued=queued, cpu_user=running, cpu_system=0.0
    )
    trials = [
        building.trial(of, index=at, block=at, rate=rate * one, first=first, last=last)
        for at, one in enumerate(WOBBLE)
    ]
    machine = building.environment(logical_cores=2, affinity_cores=2)
    return msgspec.structs.replace(building.result(of, trials), environment=machine)


def advised(results: Sequence[Result]) -> Advice:
    advice = advise(results)
    assert advice is not None
    return advice


# Beside four busy loops on two cores, of work that computes all the time.
CROWDED = [
    ran(1, 100.0, 0.4, 0.6),
    ran(2, 190.0, 0.7, 1.3),
    ran(4, 350.0, 1.0, 3.0),
    ran(8, 590.0, 1.3, 6.7),
]
QUIET = [ran(1, 100.0, 1.0, 0.0), ran(2, 190.0, 1.95, 0.05), ran(4, 191.0, 1.95, 2.0)]


def test_that_a_quiet_machine_can_tell() -> None:
    advice = advised(QUIET)
    assert advice.confident
    assert advice.sentence.startswith("Use 2 threads: 1.90× 1 thread")


def test_that_beside_programs_that_want_the_cores_it_answers_for_now_alone() -> None:
    advice = advised(CROWDED)
    assert advice.beside
    assert not advice.confident, "that is about the quiet machine"
    assert advice.now.setting == {"threads": 8}
    assert advice.now.confidence is Grade.SURE
    assert not advice.quiet.told
    assert advice.sentence == (
        "8 threads for now; on a quiet machine that cannot be told yet. Now 5.90× (5.90× to 5.90×) "
        "1 thread; others took 65 % of the cores, and more threads take more of a busy machine. "
        "How long its threads waited for a core is not known, so nothing is computed. Wait until "
        "the machine is quiet, then measure again."
    )
    told = headline_of(advice)
    assert told.text == advice.sentence
    assert told.mood == "open"
    assert told.how_sure == "sure for now"
    assert "took" not in told.detail, "the sentence says it"


def test_that_all_faces_say_that_an_answer_is_for_now(capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_of(CROWDED, Progress(of=4))
    (curve,) = throughput_figure(CROWDED, answer.advice).curves
    assert curve.recommended == 8
    assert curve.prices == ()
    assert answer.advice is not None
    assert answer.advice.steps == ()
    assert answer.advice.law is None
    stands = standings(CROWDED, answer.advice, answer.headline.grade, over=True)
    assert [one.text for one in stands if one.place == "best"] == ["use this for now"]
    print_advice(answer.advice)
    told = capsys.readouterr().out
    assert "sure for now" in told
    assert "--wait-quiet 5min waits until" in told


def test_that_on_a_quiet_machine_both_claims_are_the_same() -> None:
    advice = advised(QUIET)
    assert not advice.beside
    assert advice.now == advice.quiet
    assert advice.quiet.setting == {"threads": 2}
    assert advice.quiet.ratio == pytest.approx(1.9, rel=0.01)


def test_that_a_gain_above_the_usable_cores_holds_for_now_where_the_work_computes() -> None:
    beyond = advised([ran(1, 100.0, 1.0, 0.0), ran(8, 787.0, 1.9, 0.1)])
    assert beyond.beside
    assert "7.87× 1 thread is above the usable cores" in beyond.quiet.reason
    waits = [ran(1, 100.0, 0.1, 0.0), ran(8, 787.0, 0.8, 0.0)]
    assert advised(waits).sentence.startswith("Use 8 threads: 7.87× 1 thread")


def test_that_two_threads_may_be_twice_as_fast_where_one_verifies_beside_its_work() -> None:
    """One thread alone came to 1.13 cores, with what it verifies between its turns."""
    twice = [ran(1, 100.0, 1.13, 0.0), ran(2, 201.0, 2.0, 0.0)]
    assert advised(twice).sentence.startswith("Use 2 threads: 2.01× 1 thread")


def test_that_cores_that_others_use_are_no_cores_for_a_program() -> None:
    """How long a program was ready to run and did not is lost when it ends."""

    def beside(others: float) -> list[Result]:
        noise = MachineNoise(seconds=1.0, cores=2, others=2 * others)
        machine = building.environment(logical_cores=2, affinity_cores=2)
        found = []
        for threads, rate in ((1, 10.0), (8, 30.0)):
            of = building.spec(threads=threads)
            trials = [
                msgspec.structs.replace(
                    building.trial(of, index=at, block=at, rate=rate * one),
                    noise=noise,
                    counters={OfPrograms.CPU: 1.0},
                )
                for at, one in enumerate(WOBBLE)
            ]
            found.append(msgspec.structs.replace(building.result(of, trials), environment=machine))
        return found

    assert advised(beside(0.6)).beside
    assert advised(beside(0.05)).sentence.startswith("Use 8 threads")
