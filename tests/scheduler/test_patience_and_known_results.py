"""Known results that come on the way are no trials of the run: they use up no patience, and renew none."""

from __future__ import annotations

from lab import Lab
from policies import policy_with

from orchestrator.scheduler.amendment_events import ObservationsForgotten, ResultsAdded
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.transitions import Phase


def begun(**rules: bool) -> Lab:
    lab = Lab(policy_with(trials=30, mode="sequential", patience=4, attempts=1))
    lab.start(**{"renewed_by_trials": True, **rules})
    lab.join("w1")
    for value in (9.0, 1.0, 2.0):
        comes(lab, value)
    return lab


def comes(lab: Lab, value: float) -> None:
    lab.suggest()
    (lease,) = lab.leases("w1")
    lab.succeed(lease, value)


def told(lab: Lab, value: float, x: int = 77, request: str = "a") -> None:
    known = KnownResult(parameters={"x": x}, value=value)
    lab.happen(ResultsAdded(at=lab.tick(), results=(known,), request=request))


def test_a_better_one_is_the_best_and_renews_none() -> None:
    lab = begun()
    told(lab, 20.0)
    assert lab.state.found.best is not None
    assert (lab.state.found.best.value, lab.state.found.since_best) == (20.0, 2.0)
    comes(lab, 10.0)
    comes(lab, 11.0)
    assert lab.state.end.why == "no improvement in 4 trials"


def test_nor_does_it_where_all_is_compared_anew() -> None:
    lab = begun()
    told(lab, 20.0)
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=(3,), reason="unplugged"))
    assert lab.state.found.since_best == 1.0


def test_a_correction_counts_where_its_trial_stands() -> None:
    lab = begun()
    for value, renewed in ((12.0, 1.0), (0.5, 2.0)):
        there = lab.trial(2).parameters["x"]
        wrong = 2 if value == 12.0 else 0
        told(lab, value, x=int(str(there)), request=f"{value}")
        lab.happen(
            ObservationsForgotten(at=lab.tick(), trials=(wrong,), reason="mistyped", request=f"{value}")
        )
        assert (lab.state.found.since_best, lab.state.phase) == (renewed, Phase.ACTIVE)


def test_in_journals_of_before_each_better_one_renewed_it() -> None:
    lab = begun(renewed_by_trials=False)
    told(lab, 20.0)
    assert lab.state.found.since_best == 0.0
