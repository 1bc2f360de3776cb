"""What was measured at the reference: from then on values are judged by the limits relative to it."""

from __future__ import annotations

from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import ConstraintsAmended, ObservationsForgotten, ResultsAdded
from orchestrator.scheduler.commands import Rebuild, Tell
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import ResultArrived
from orchestrator.scheduler.reference import measured_at_reference
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.transitions import Phase
from orchestrator.scheduler.words.story import story

RELATIVE = "heat <= 1.05 * reference(heat)"


def begun(trials: int = 6, patience: int | None = None) -> Lab:
    lab = Lab(policy_with(trials=trials, patience=patience, outcomes=("heat",)))
    lab.start(points=({"x": 3.0}, {"x": 5.0}, {"x": 3.0}), reference=True)
    lab.join("w1", slots=3)
    return lab


def comes(lab: Lab, lease: str, value: float) -> None:
    """Judged while nothing is known of the reference."""
    lab.happen(ResultArrived(at=lab.tick(), worker="w1", lease=lease, value=value, broken=(RELATIVE,)))


def measured(lab: Lab, level: float, *broken: int) -> list[object]:
    event = ReferenceMeasured(at=lab.tick(), levels={"heat": level}, broken={RELATIVE: broken})
    return list(lab.happen(event))


def test_nothing_is_the_best_before_and_then_what_satisfies_them_is() -> None:
    lab = begun()
    for lease, value in (("2.1", 9.0), ("1.1", 4.0)):
        comes(lab, lease, value)
    assert lab.state.found.best is None
    commands = measured(lab, 70.0, 2)
    assert lab.state.found.best is lab.trial(1)
    assert (lab.trial(1).broken, lab.trial(2).broken) == ((), (RELATIVE,))
    (rebuild,) = only(Rebuild, commands)
    assert rebuild.constraints.known_levels == {"heat": 70.0}
    assert [tell.trial for tell in only(Tell, commands)] == [2, 1]


def test_another_measurement_of_it_moves_them() -> None:
    lab = begun()
    for lease, value in (("2.1", 9.0), ("1.1", 4.0)):
        comes(lab, lease, value)
    measured(lab, 70.0, 2)
    measured(lab, 75.0)
    assert (lab.state.found.best, lab.trial(2).broken) == (lab.trial(2), ())


def test_what_else_is_not_satisfied_stays_so_and_what_is_amended_keeps_what_is_known() -> None:
    lab = begun()
    comes(lab, "1.1", 4.0)
    lab.happen(ConstraintsAmended(at=lab.tick(), added={"lift >= 2": (1,)}, of_outcomes=("lift >= 2",)))
    measured(lab, 70.0)
    assert lab.trial(1).broken == ("lift >= 2",)
    lab.happen(ConstraintsAmended(at=lab.tick(), withdrawn=("lift >= 2",)))
    assert lab.state.amended.constraints.known_levels == {"heat": 70.0}


def test_a_run_that_had_ended_by_then_ends_all_the_same() -> None:
    lab = begun(trials=3)
    for lease in ("1.1", "2.1", "3.1"):
        comes(lab, lease, 4.0)
    assert lab.state.phase is Phase.FINISHED
    measured(lab, 70.0)
    assert (lab.state.phase, lab.state.found.best) == (Phase.FINISHED, lab.trial(1))


def test_nobody_loses_patience_before_it_is_known_what_satisfies_them() -> None:
    lab = begun(patience=1)
    for lease, value in (("2.1", 9.0), ("1.1", 4.0)):
        comes(lab, lease, value)
        assert lab.state.phase is Phase.ACTIVE
    measured(lab, 70.0, 2)
    assert (lab.state.phase, lab.state.found.since_best) == (Phase.ACTIVE, 0.0)
    lab.succeed("3.1", 3.0)
    assert lab.state.phase is not Phase.ACTIVE


def test_one_of_which_nothing_came_is_not_waited_for() -> None:
    lab = begun(patience=2)
    comes(lab, "2.1", 9.0)
    for attempt in range(1, lab.policy.evaluations.attempts + 1):
        lab.fail(f"1.{attempt}")
        lab.fail(f"3.{attempt}")
    assert lab.state.phase is not Phase.ACTIVE


def test_measured_of_it_is_every_value_at_its_settings_that_is_not_forgotten() -> None:
    lab = begun()
    assert measured_at_reference(lab.state) == []
    for lease in ("1.1", "2.1", "3.1"):
        comes(lab, lease, 4.0)
    known = (KnownResult(parameters={"x": 3.0}, value=5.0), KnownResult(parameters={"x": 5.0}, value=5.0))
    lab.happen(ResultsAdded(at=lab.tick(), results=known))
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=(1,), reason="a loose cable"))
    assert [trial.number for trial in measured_at_reference(lab.state)] == [3, 0]


def test_it_is_told_in_a_line() -> None:
    lab = begun()
    comes(lab, "1.1", 4.0)
    measured(lab, 70.25)
    lab.happen(ReferenceMeasured(at=lab.tick()))
    lines = list(story(lab.policy, lab.events))
    assert lines[-2].endswith("limits are relative to the reference, which has heat = 70.25")
    assert lines[-1].endswith("of which nothing is known any more")
