"""Best angles about which the bounds lie: a search that knows that they come round closes in on them."""

import math

import pytest

from orchestrator import Optimiser, Plan


def best_of(periodic: bool, trials: int, seed: int = 0) -> float:
    """How far below 0, the highest there is, the best of so many trials is: of angles about the bounds, whose
    neighbours are to be alike.
    """
    angle = {"type": "float", "bounds": (-180, 180), "periodic": periodic}
    hour = {"type": "int", "bounds": (0, 24), "periodic": periodic}
    plan = Plan(trials=trials)
    search = Optimiser(
        {"a": angle, "b": angle, "hour": hour}, goal="maximise", noise=0.0, seed=seed, plan=plan
    )
    for _ in range(trials):
        (asked,) = search.ask()
        a, b, hour_of_day = asked.parameters.values()
        off = math.radians(a - 177.0), math.radians(b + 174.0)
        alone = sum(math.cos(x) - 1.0 + 0.5 * (math.cos(3.0 * x) - 1.0) for x in off)
        late = math.cos(math.tau * (hour_of_day - 23) / 24) - 1.0
        search.tell(asked.trial, alone + math.cos(off[0] - off[1]) - 1.0 + late)
    return search.best().value


def test_it_is_closed_in_on_from_both_sides() -> None:
    assert best_of(periodic=True, trials=22) > -1e-3


@pytest.mark.searches
def test_it_comes_nearer_than_one_that_sees_two_ends() -> None:
    told, untold = (sum(best_of(periodic, 40, seed) for seed in range(2)) for periodic in (True, False))
    assert told > -1e-3
    assert untold < 10.0 * told
