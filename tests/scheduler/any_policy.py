"""The rules of a run, whichever a spec may say, drawn together."""

from __future__ import annotations

from hypothesis import strategies as st
from policies import policy_with

from orchestrator.scheduler.rules.slots_needed import SlotsNeeded
from orchestrator.values.change import Change

RULES = (
    "in_turn",
    "pays_for_begun",
    "takes_back",
    "approves_attempts",
    "spares_the_way",
    "renewed_by_trials",
    "counts_given_back",
    "gives_up_alike",
)
"""What journals say that they keep to, and older ones do not."""
KEPT = "probability(heat <= 80) >= 0.99"
RELATIVE = "heat <= reference(heat)"
MOST_SLOTS = 4
BY_PLACE = SlotsNeeded(lambda parameters: 1.0 + parameters["x"] % (MOST_SLOTS + 1), most=MOST_SLOTS)
"""Some trials take a slot more than any worker has."""
TWO_EACH = SlotsNeeded(lambda _: 2.0, same=2, most=MOST_SLOTS)
policies = st.builds(
    policy_with,
    goal=st.sampled_from(["maximise", "minimise"]),
    trials=st.sampled_from([8, 6, 4, 3, 2, 1]),
    cost=st.none() | st.sampled_from([0.3, 1.0, 2.5]),
    target=st.none() | st.just(100.0),
    patience=st.none() | st.integers(1, 5),
    expected_gain=st.none() | st.just(0.01),
    attempts=st.integers(1, 3),
    give_up_after=st.none() | st.integers(1, 3),
    mode=st.sampled_from(["asynchronous", "synchronous", "sequential"]),
    batch=st.integers(1, 4),
    held=st.sampled_from([{}, {}, {"batch": "april"}]),
    outcomes=st.just(("heat",)),
    kept=st.sampled_from([(), (KEPT,)]),
    slots=st.sampled_from([None, None, TWO_EACH, BY_PLACE]),
    sharing=st.sampled_from([("batch",), ()]),
    approval=st.sampled_from([*[False] * 5, True]),
    changes=st.sampled_from([{}, {"x": Change(60.0, 30.0)}]),
    further=st.sampled_from([(), (("lift", "maximise"),), (("lift", "minimise"), ("heat", "minimise"))]),
)
