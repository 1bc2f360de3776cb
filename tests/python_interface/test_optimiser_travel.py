"""An Optimiser whose settings may travel only so far from one trial to the next."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from orchestrator import Optimiser, Plan, minimise
from orchestrator.errors import SpecError, UsageError
from orchestrator.python_interface.answers import Asked

PARAMETERS = {
    "current": {"type": "float", "bounds": (0, 100), "travel": 5},
    "gas": {"type": "float", "bounds": (1e-6, 1e-2), "scale": "log", "travel": 2},
    "mode": {"type": "choice", "values": ["cw", "pulsed"]},
}
STANDS = {"current": 20.0, "gas": 1e-4, "mode": "cw"}


def begun(algorithm: str = "random", **more: object) -> Optimiser:
    optimiser = Optimiser(PARAMETERS, algorithm=algorithm, **more)  # type: ignore[arg-type]
    optimiser.tell(optimiser.attach(STANDS).trial, value=-50.0)
    return optimiser


def asked(optimiser: Optimiser, count: int) -> list[Asked]:
    found = []
    for _ in range(count):
        found += optimiser.ask()
        optimiser.tell(found[-1].trial, value=-abs(found[-1].parameters["current"] - 70.0))
    return found


def test_every_trial_is_within_reach_of_the_one_before_it() -> None:
    before = STANDS
    for one in asked(begun(), 25):
        assert abs(one.parameters["current"] - before["current"]) <= 5.0 + 1e-9
        assert 1 / 2 - 1e-9 <= one.parameters["gas"] / before["gas"] <= 2 + 1e-9
        before = one.parameters


def test_a_trial_on_the_way_says_where_it_leads_and_nothing_is_predicted_of_it() -> None:
    (one,) = asked(begun(), 1)
    assert (one.why["source"], one.why["for"], one.predicted) == ("on the way", "random", None)
    assert one.why["towards"].keys() == PARAMETERS.keys()


def test_what_is_best_beyond_reach_is_walked_to() -> None:
    optimiser = begun("gp-ei", options={"start_points": 3})
    asked(optimiser, 14)
    assert optimiser.best().parameters["current"] > 60.0


def test_nobody_is_asked_before_it_is_known_where_the_machine_stands() -> None:
    optimiser = Optimiser(PARAMETERS, algorithm="random")
    with pytest.raises(UsageError, match="expected a trial where the machine stands before others"):
        optimiser.ask()
    optimiser.learn(STANDS, 1.0)
    with pytest.raises(UsageError, match="expected a trial where the machine stands before others"):
        optimiser.ask()


def test_one_trial_comes_after_the_other() -> None:
    optimiser = begun()
    with pytest.raises(UsageError, match=r"one trial after the other.*got 2 asked for"):
        optimiser.ask(2)
    optimiser.ask()
    with pytest.raises(UsageError, match=r"one trial after the other.*got trial 2 pending"):
        optimiser.ask()
    with pytest.raises(UsageError, match=r"expected a plan of one trial after the other.*got 3 at a time"):
        Optimiser(PARAMETERS, plan=Plan(parallel=3))


def test_a_trial_of_the_callers_own_says_where_it_stands_now() -> None:
    optimiser = begun()
    optimiser.tell(optimiser.attach({**STANDS, "current": 80.0}).trial, value=2.0)
    assert abs(asked(optimiser, 1)[0].parameters["current"] - 80.0) <= 5.0 + 1e-9


def test_what_is_held_has_to_be_within_reach() -> None:
    optimiser = begun()
    with pytest.raises(UsageError, match="held within reach of where the machine stands: current = 40"):
        optimiser.ask(held={"current": 40.0})
    (one,) = optimiser.ask(held={"current": 24.0})
    assert one.parameters["current"] == pytest.approx(24.0)


def test_a_fidelity_is_refused_beside_it() -> None:
    with pytest.raises(UsageError, match="expected no `travel` beside `fidelity`"):
        Optimiser(PARAMETERS, fidelity={"parameter": "current", "cost": "1 + current"})
    with pytest.raises(SpecError, match="a factor above 1"):
        Optimiser({"gas": {**PARAMETERS["gas"], "travel": 0.5}})


def test_a_pickled_one_asks_as_this_one() -> None:
    optimiser = begun()
    asked(optimiser, 3)
    again = pickle.loads(pickle.dumps(optimiser))
    assert [one.parameters for one in asked(again, 4)] == [one.parameters for one in asked(optimiser, 4)]


def test_a_whole_search_goes_on_from_where_the_machine_stands() -> None:
    optimiser = begun(goal="minimise")
    seen: list[float] = []
    minimise(lambda p: seen.append(p["current"]) or p["current"], optimiser, 6)  # type: ignore[func-returns-value]
    assert all(abs(b - a) <= 5.0 + 1e-9 for a, b in zip([20.0, *seen], seen, strict=False))


def test_the_reference_is_where_it_stands_and_nothing_is_attached_before_it_was_asked_for() -> None:
    optimiser = Optimiser(PARAMETERS, algorithm="random", reference=STANDS)
    with pytest.raises(UsageError, match=r"expected trial 1 asked for before others are attached"):
        optimiser.attach({**STANDS, "current": 80.0})
    (reference,) = optimiser.ask()
    optimiser.tell(reference.trial, value=1.0)
    optimiser.tell(optimiser.attach({**STANDS, "current": 80.0}).trial, value=2.0)
    assert reference.parameters == STANDS
    assert abs(asked(optimiser, 1)[0].parameters["current"] - 80.0) <= 5.0 + 1e-9


def test_nor_is_anything_before_what_an_earlier_process_left(tmp_path: Path) -> None:
    store = tmp_path / "search.jsonl"
    before = begun(store=store)
    (left,) = before.ask()
    before.close()
    optimiser = Optimiser(PARAMETERS, algorithm="random", store=store)
    with pytest.raises(UsageError, match=r"expected trial 2 asked for .* or abandon\(2\)"):
        optimiser.attach({**STANDS, "current": 80.0})
    assert optimiser.ask()[0].parameters == left.parameters


def test_a_whole_search_begins_with_the_reference_and_goes_on_with_its_points() -> None:
    seen: list[float] = []
    optimiser = Optimiser(PARAMETERS, algorithm="random", reference=STANDS, goal="minimise")
    points = [{**STANDS, "current": 24.0}]
    minimise(lambda p: seen.append(p["current"]) or 1.0, optimiser, 4, points=points)  # type: ignore[func-returns-value]
    assert seen[:2] == [20.0, 24.0]
