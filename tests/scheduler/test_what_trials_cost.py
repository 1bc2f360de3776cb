"""Trials that cost less because they look less closely: what a budget of cost pays for, and when it ends."""

from __future__ import annotations

import pytest
from lab import Lab, asked, leased, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import BoundsAmended, BudgetAmended
from orchestrator.scheduler.commands import Rebuild, Tell
from orchestrator.scheduler.event_parts import KnownResult, Suggested
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial
from orchestrator.scheduler.transitions import Phase

OF_OLD = ("cells = 400",)
"""What journals held of a cheap trial once, among the constraints that it does not satisfy."""
SPENT = "the trials have cost what the budget pays for"


def begun(cost: float | None = 2.0, **rules: object) -> Lab:
    lab = Lab(policy_with(cost=cost, full={"cells": 400}, **rules))  # type: ignore[arg-type]
    lab.start()
    lab.join("w1")
    return lab


def comes(lab: Lab, cost: float, value: float = 1.0) -> None:
    """The next trial is made, at such a cost, and gives so much."""
    lab.suggest(cost=cost, beside={"cells": round(400 * cost)})
    (lease,) = lab.leases("w1")
    lab.succeed(lease, value)


def test_the_trial_that_reaches_the_budget_is_the_last() -> None:
    lab = begun()
    comes(lab, 0.5)
    comes(lab, 1.0)
    assert lab.state.phase is Phase.ACTIVE
    comes(lab, 1.0)
    assert (lab.state.phase, lab.state.end.why) == (Phase.FINISHED, SPENT)
    assert lab.state.tally.spent == 2.5


def test_the_optimiser_is_told_what_a_trial_counted_for_what_it_took_and_on_which_worker() -> None:
    lab = begun()
    lab.suggest(cost=0.25, beside={"cells": 100})
    (lease,) = lab.leases("w1")
    (told,) = only(Tell, lab.succeed(lease, 1.0, elapsed=7.0))
    assert (told.cost, told.seconds, told.worker) == (0.25, 7.0, "w1")


def test_ten_tenths_are_one_whatever_floats_make_of_them() -> None:
    lab = begun(cost=1.0)
    for _ in range(10):
        assert lab.state.phase is Phase.ACTIVE
        comes(lab, 0.1)
    assert lab.state.end.why == SPENT


def test_several_at_a_time_are_no_more_than_what_is_left_pays_for() -> None:
    lab = Lab(policy_with(cost=2.5))
    lab.start()
    assert asked(lab.join("w1", slots=8)) == []
    lab.suggest(cost=1.0)
    # 1.5 are left, which two whole evaluations exceed by less than one.
    assert lab.state.optimiser.asking == 2
    lab.suggest(cost=0.2)
    assert lab.state.optimiser.asking == 2
    lab.suggest(cost=1.0)
    assert (lab.state.optimiser.asking, lab.state.tally.spent) == (None, pytest.approx(3.4))


def test_a_budget_of_trials_beside_it_ends_the_run_first() -> None:
    lab = begun(cost=5.0, trials=2)
    comes(lab, 0.1)
    comes(lab, 0.1)
    assert lab.state.end.why == "every trial of the budget is settled"


def test_a_failed_trial_costs_as_much_as_another() -> None:
    lab = begun(cost=1.0, attempts=1)
    lab.suggest(cost=0.6)
    lab.fail("1.1")
    assert (lab.state.phase, lab.state.tally.spent) == (Phase.ACTIVE, 0.6)
    lab.suggest(cost=0.6)
    lab.fail("2.1")
    assert lab.state.end.why == SPENT


def test_what_the_bounds_leave_out_costs_nothing() -> None:
    lab = Lab(policy_with(cost=1.0))
    lab.start(points=({"x": 9}, {"x": 1}), costs=(0.5, 0.5))
    lab.happen(BoundsAmended(at=lab.tick(), bounds={"x": (0, 5)}))
    assert (lab.state.tally.spent, lab.trial(1).cost, lab.trial(2).cost) == (0.5, 0.0, 0.5)
    assert lab.state.phase is Phase.ACTIVE


def test_the_spec_s_own_points_cost_what_they_cost() -> None:
    lab = Lab(policy_with(cost=1.0))
    lab.start(points=({"x": 1}, {"x": 2}), costs=(0.5, 0.25))
    assert lab.state.tally.spent == 0.75


def test_points_of_older_journals_cost_one_each() -> None:
    lab = Lab(policy_with(trials=5))
    lab.start(points=({"x": 1}, {"x": 2}))
    assert lab.state.tally.spent == 2.0


def test_a_raised_budget_of_cost_has_an_ended_run_go_on() -> None:
    lab = begun(cost=1.0)
    comes(lab, 1.0)
    lab.happen(BudgetAmended(at=lab.tick(), cost=3.0))
    lab.resume()
    lab.join("w1")
    assert (lab.state.phase, lab.state.optimiser.asking) == (Phase.ACTIVE, 1)


def test_a_budget_of_cost_below_what_is_spent_ends_the_run() -> None:
    lab = begun(cost=9.0)
    comes(lab, 1.0)
    comes(lab, 0.5)
    lab.happen(BudgetAmended(at=lab.tick(), cost=0.5))
    assert lab.state.policy.budget.cost == 1.5
    assert lab.state.end.why == SPENT


def test_a_budget_of_cost_may_be_lifted() -> None:
    lab = begun(cost=1.0, trials=9)
    lab.happen(BudgetAmended(at=lab.tick(), lifted=("cost",)))
    assert lab.state.policy.budget.cost is None
    comes(lab, 1.0)
    assert lab.state.phase is Phase.ACTIVE


def test_an_optimiser_that_begins_anew_is_told_the_budget_of_cost() -> None:
    lab = begun(cost=4.0)
    (rebuild,) = only(Rebuild, lab.happen(BoundsAmended(at=lab.tick(), bounds={"x": (0, 5)})))
    assert rebuild.cost == 4.0


def test_the_optimiser_begins_anew_where_that_budget_is_another_and_only_there() -> None:
    lab = begun(cost=4.0)
    comes(lab, 0.5)
    (rebuild,) = only(Rebuild, lab.happen(BudgetAmended(at=lab.tick(), cost=6.0)))
    assert (rebuild.cost, lab.state.found.since_best) == (6.0, 0.5)
    assert only(Rebuild, lab.happen(BudgetAmended(at=lab.tick(), cost=6.0, trials=50))) == []


def test_cheap_trials_use_patience_up_by_what_they_cost() -> None:
    lab = begun(cost=None, patience=2)
    comes(lab, 1.0, value=5.0)
    for _ in range(7):
        comes(lab, 0.25)
    assert (lab.state.phase, lab.state.found.since_best) == (Phase.ACTIVE, 1.75)
    comes(lab, 0.25)
    assert lab.state.end.why == "no improvement in what 2 trials at full fidelity cost"


def test_patience_waits_for_full_fidelity_where_a_cheap_trial_satisfies_the_constraints() -> None:
    lab = begun(cost=None, patience=1, outcomes=("heat",))
    lab.suggest(cost=0.5, beside={"cells": 200})
    lab.succeed("1.1", 3.0, extras={"heat": 95.0}, broken=("heat <= 80",))
    for _ in range(4):
        comes(lab, 0.25)
    assert (lab.state.phase, lab.state.found.since_best) == (Phase.ACTIVE, 1.5)
    comes(lab, 1.0)
    assert lab.state.phase is Phase.ACTIVE
    for _ in range(4):
        comes(lab, 0.25)
    assert lab.state.end.why == "no improvement in what 1 trial at full fidelity costs"


def test_patience_is_lost_where_nothing_satisfies_the_constraints_however_cheap() -> None:
    lab = begun(cost=None, patience=1, outcomes=("heat",))
    for number in (1, 2):
        lab.suggest(cost=0.5, beside={"cells": 200})
        lab.succeed(f"{number}.1", 3.0, extras={"heat": 95.0}, broken=("heat <= 80",))
    assert (
        lab.state.end.why == "nothing that satisfies the constraints in what 1 trial at full fidelity costs"
    )


def test_a_cheap_trial_is_neither_the_best_nor_the_target() -> None:
    lab = begun(target=8.0)
    comes(lab, 0.1, value=9.0)
    assert (lab.state.found.best, lab.state.phase) == (None, Phase.ACTIVE)
    comes(lab, 1.0, value=3.0)
    assert lab.state.found.best is lab.trial(2)


def test_a_cheap_trial_of_an_older_journal_is_not_the_best_either() -> None:
    lab = begun()
    lab.suggest(cost=0.5, beside={"cells": 200})
    lab.succeed("1.1", 9.0, broken=OF_OLD)
    assert (lab.trial(1).value, lab.state.found.best) == (9.0, None)


def test_what_was_known_before_at_less_than_full_fidelity_is_no_best() -> None:
    lab = Lab(policy_with(full={"cells": 400}))
    known = [(400, 600.0), (40, 960.0)]
    lab.start(known=tuple(KnownResult(parameters={"cells": cells}, value=value) for cells, value in known))
    assert lab.state.found.best is not None
    assert lab.state.found.best.value == 600.0


def test_what_is_saved_from_a_damaged_journal_costs_what_it_cost() -> None:
    lab = begun(cost=3.0)
    lab.suggest(cost=0.25)
    saved = SavedTrial(number=2, suggested=Suggested(parameters={"x": 7}, cost=0.5), value=1.0, broken=OF_OLD)
    lab.happen(JournalMended(at=lab.tick(), wall="", lost=1, asks=2, trials=(saved,)))
    assert lab.state.tally.spent == 0.75
    assert leased(lab.join("w2")) == ["1.3"]


def test_points_are_made_ready_ahead_of_their_turn_as_what_is_paid_for_allows() -> None:
    assert policy_with(cost=2.5).budget.full_evaluations == 3
    assert policy_with(cost=2.5, trials=2).budget.full_evaluations == 2
    assert policy_with().budget.full_evaluations is None
