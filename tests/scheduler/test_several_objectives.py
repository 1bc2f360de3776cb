"""Several objectives: no trial is the best, and those that none beats in all of them are the front."""

from __future__ import annotations

from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import BoundsAmended, ObservationsForgotten
from orchestrator.scheduler.commands import Tell
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.transitions import Phase


def begun(trials: int = 10, patience: int | None = None, known: tuple[KnownResult, ...] = ()) -> Lab:
    """Drag is to be low, lift high."""
    lab = Lab(
        policy_with(
            goal="minimise",
            trials=trials,
            patience=patience,
            outcomes=("lift",),
            further=(("lift", "maximise"),),
        )
    )
    lab.start(known=known)
    lab.join("w1")
    return lab


def flown(lab: Lab, drag: float, lift: float | None, broken: tuple[str, ...] = ()) -> None:
    """One more trial that came out so."""
    lab.suggest()
    extras = {} if lift is None else {"lift": lift}
    lab.succeed(lab.leases("w1")[0], drag, broken=broken, extras=extras)


def front(lab: Lab) -> list[int]:
    return [trial.number for trial in lab.state.found.front]


def test_what_is_better_in_one_objective_stays_and_what_is_beaten_in_all_goes() -> None:
    lab = begun()
    flown(lab, 5.0, 5.0)
    flown(lab, 3.0, 2.0)
    flown(lab, 9.0, 6.0)
    assert front(lab) == [1, 2, 3]
    flown(lab, 4.0, 7.0)
    assert front(lab) == [2, 4]
    flown(lab, 4.0, 7.0)
    assert front(lab) == [2, 4], "who is as good came later"
    assert lab.state.found.best is None


def test_what_was_looked_at_less_closely_is_no_trade_off() -> None:
    lab = Lab(policy_with(cost=3.0, full={"cells": 400}, outcomes=("lift",), further=(("lift", "maximise"),)))
    lab.start()
    lab.join("w1")
    for cells, cost, drag in ((100, 0.25, 9.0), (400, 1.0, 1.0)):
        lab.suggest(cost=cost, beside={"cells": cells})
        lab.succeed(lab.leases("w1")[0], drag, extras={"lift": 1.0})
    assert front(lab) == [2]


def test_what_satisfies_no_constraint_or_lacks_an_objective_is_no_trade_off() -> None:
    known = KnownResult(parameters={"x": 0.5}, value=0.1)
    lab = begun(known=(known,))
    flown(lab, 1.0, 9.0, broken=("heat <= 80",))
    assert front(lab) == []
    flown(lab, 5.0, 1.0)
    assert front(lab) == [2]


def test_what_is_known_from_elsewhere_may_be_one() -> None:
    lab = begun(known=(KnownResult(parameters={"x": 0.5}, value=0.1, outcomes={"lift": 1.0}),))
    flown(lab, 0.2, 0.5)
    flown(lab, 0.2, 2.0)
    assert front(lab) == [0, 2]


def test_every_objective_is_told_to_the_optimiser() -> None:
    lab = begun()
    flown(lab, 5.0, 7.0)
    (told,) = only(Tell, lab.commands)
    assert (told.value, told.outcomes) == (5.0, {"lift": 7.0})


def test_patience_counts_from_the_last_trade_off() -> None:
    lab = begun(patience=2)
    flown(lab, 5.0, 5.0)
    flown(lab, 6.0, 4.0)
    flown(lab, 6.0, 6.0)
    flown(lab, 7.0, 1.0)
    assert lab.state.phase is Phase.ACTIVE
    flown(lab, 8.0, 2.0)
    assert lab.state.phase is Phase.FINISHED
    assert lab.state.end.why == "no new trade-off in 2 trials"


def test_where_a_trade_off_does_not_count_any_more_what_it_beat_comes_back() -> None:
    lab = begun()
    flown(lab, 5.0, 5.0)
    flown(lab, 4.0, 6.0)
    assert front(lab) == [2]
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=(2,), reason="unplugged"))
    assert front(lab) == [1]
    lab.happen(BoundsAmended(at=lab.tick(), bounds={"x": (50.0, 60.0)}))
    assert front(lab) == []
