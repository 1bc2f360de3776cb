"""The point that a run's best is measured against: which trial it is, and what came of it."""

from __future__ import annotations

from lab import Lab, leased
from policies import policy_with

from orchestrator.scheduler.amendment_events import ObservationsForgotten, ResultsAdded
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.reference import is_reference, reference_of
from orchestrator.scheduler.reference_value import value_of_reference


def begun() -> Lab:
    lab = Lab(policy_with(trials=4))
    lab.start(points=({"x": 3.0}, {"x": 5.0}), reference=True)
    return lab


def test_the_first_point_is_the_reference_and_no_other_is() -> None:
    lab = begun()
    assert leased(lab.join("w1", slots=2)) == ["1.1", "2.1"]
    assert [is_reference(lab.trial(number)) for number in (1, 2)] == [True, False]
    assert reference_of(lab.state) is lab.trial(1)
    assert value_of_reference(lab.state) is None
    lab.succeed("1.1", value=7.0)
    assert value_of_reference(lab.state) == 7.0


def test_without_one_the_first_point_is_a_point_like_any_other() -> None:
    lab = Lab(policy_with(trials=4))
    lab.start(points=({"x": 3.0},))
    assert not is_reference(lab.trial(1))
    assert reference_of(lab.state) is None
    assert value_of_reference(lab.state) is None


def test_a_reference_that_was_mistyped_has_the_value_told_anew_and_a_forgotten_one_none() -> None:
    lab = begun()
    lab.join("w1")
    lab.succeed("1.1", value=70.0)
    lab.happen(
        ResultsAdded(
            at=lab.tick(), results=(KnownResult(parameters={"x": 3.0}, value=7.0),), request="amend-1"
        )
    )
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=(1,), reason="mistyped", request="amend-1"))
    assert value_of_reference(lab.state) == 7.0
    other = begun()
    other.join("w1")
    other.succeed("1.1", value=70.0)
    other.happen(ObservationsForgotten(at=other.tick(), trials=(1,), reason="sensor", request="amend-1"))
    assert value_of_reference(other.state) is None
    assert reference_of(other.state) is other.trial(1)
