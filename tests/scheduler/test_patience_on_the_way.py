"""A machine that has far to go does not use up the patience on its way, unless it is led on and on."""

from __future__ import annotations

from lab import Lab
from policies import policy_with

from orchestrator.scheduler.event_parts import ON_THE_WAY, Suggested
from orchestrator.scheduler.transitions import Phase
from orchestrator.values.travel import Travel


def begun(spares_the_way: bool = True) -> Lab:
    """It stands at 20, may travel 5 at once, and has patience for two trials; trial 1 is the best."""
    lab = Lab(policy_with(trials=30, mode="sequential", patience=2, travel={"x": Travel(5.0)}))
    lab.start(points=({"x": 20.0},), spares_the_way=spares_the_way)
    lab.join("w1")
    lab.succeed("1.1", 9.0)
    return lab


def go(lab: Lab, x: float, towards: float | None = None) -> Phase:
    """Another trial, which improves nothing."""
    why = {} if towards is None else {"source": ON_THE_WAY, "towards": {"x": towards}}
    lab.answer(Suggested(parameters={"x": x}, why=why))
    lab.succeed(f"{max(lab.state.trials)}.1", 1.0)
    return lab.state.phase


def test_what_comes_nearer_to_where_it_leads_costs_none() -> None:
    lab = begun()
    for x in (25.0, 30.0, 35.0, 40.0, 45.0):
        assert go(lab, x, towards=50.0) is Phase.ACTIVE
    assert lab.state.found.since_best == 0.0
    assert go(lab, 50.0) is Phase.ACTIVE
    assert go(lab, 51.0) is Phase.FINISHED
    assert lab.state.end.why == "no improvement in 2 trials"


def test_another_way_may_begin_where_one_has_ended() -> None:
    lab = begun()
    go(lab, 25.0, towards=30.0)
    go(lab, 30.0)
    assert go(lab, 25.0, towards=5.0) is Phase.ACTIVE
    assert lab.state.found.since_best == 1.0


def test_a_mind_that_is_changed_again_and_again_uses_it_up() -> None:
    lab = begun()
    assert go(lab, 25.0, towards=40.0) is Phase.ACTIVE
    assert go(lab, 20.0, towards=5.0) is Phase.ACTIVE
    assert go(lab, 25.0, towards=40.0) is Phase.FINISHED


def test_in_journals_of_before_each_cost_some() -> None:
    lab = begun(spares_the_way=False)
    go(lab, 25.0, towards=50.0)
    assert go(lab, 30.0, towards=50.0) is Phase.FINISHED
