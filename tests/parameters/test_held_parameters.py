"""Parameters that are not to be chosen this time: the others are chosen to be best beside them."""

from __future__ import annotations

import pickle
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser, Plan
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.random_search import RandomSearch
from orchestrator.errors import OptimiserError, SpecError, UsageError
from orchestrator.parameters.held import held_within, suggested_as_held
from orchestrator.parameters.space import Space

ROOM = {
    "room": (15.0, 30.0),
    "flow": (0.0, 1.0),
    "machine": {"type": "choice", "values": ["A", "B", "C"]},
}
MANY_KINDS = {
    "room": (15.0, 30.0),
    "batch": {"type": "int", "bounds": [1, 9], "step": 2},
    "mesh": {"type": "ordered", "values": ["coarse", "medium", "fine"]},
    "solver": {"type": "choice", "values": ["direct", "cg"]},
    "tolerance": {"type": "float", "bounds": [0.0, 1.0], "when": {"solver": "cg"}},
    "sweeps": {"type": "int", "bounds": [1, 4], "when": "tolerance > 0.5"},
    "site": {"type": "fixed", "value": "north"},
}


def yield_of(parameters: dict[str, Any]) -> float:
    """The best flow is 0.2 in a cold room and 0.8 in a warm one, where everything is better."""
    best = 0.2 + 0.6 * (parameters["room"] - 15.0) / 15.0
    return parameters["room"] - 20.0 * (parameters["flow"] - best) ** 2 - ord(parameters["machine"]) / 100


def told_in_many_rooms(algorithm: str, trials: int = 24, **more: Any) -> Optimiser:
    """An optimiser that was told of another room each time."""
    optimiser = Optimiser(ROOM, algorithm=algorithm, noise=0.0, seed=1, **more)
    rng = np.random.default_rng(1)
    for _ in range(trials):
        told = {
            "room": rng.uniform(15.0, 30.0),
            "flow": rng.random(),
            "machine": str(rng.choice(list("ABC"))),
        }
        optimiser.tell(optimiser.attach(told).trial, yield_of(told))
    return optimiser


@pytest.mark.parametrize("algorithm", ["auto", "gp-ei", "gp-ts", "egp-ts", "dec-hbo", "dumbo"])
def test_what_was_learned_in_other_rooms_counts_in_this_one(algorithm: str) -> None:
    optimiser = told_in_many_rooms(algorithm)
    for room, best in ((16.5, 0.26), (21.0, 0.44), (28.5, 0.74)):
        flows = []
        for _ in range(3):
            (asked,) = optimiser.ask(held={"room": room})
            optimiser.tell(asked.trial, yield_of(asked.parameters))
            flows.append(asked.parameters["flow"])
        # The best anywhere is in the warmest room, where the flow would be 0.8.
        assert min(abs(flow - best) for flow in flows) < 0.1, (room, flows)


@pytest.mark.searches
def test_a_poor_context_is_searched_as_closely_as_a_good_one() -> None:
    optimiser = Optimiser(ROOM, algorithm="auto", noise=0.0, seed=3)
    for number in range(18):
        (asked,) = optimiser.ask(held={"room": 30.0 if number % 2 else 15.0, "machine": "B"})
        optimiser.tell(asked.trial, yield_of(asked.parameters))
    told = [(p["room"], abs(p["flow"] - (0.8 if p["room"] == 30.0 else 0.2))) for p in optimiser.results()]
    assert min(off for room, off in told if room == 15.0) < 1e-3
    assert min(off for room, off in told if room == 30.0) < 1e-3


def test_results_say_what_was_held_so_that_another_optimiser_knows_a_poor_context_from_failures() -> None:
    optimiser = Optimiser(ROOM, algorithm="auto", noise=0.0, seed=3)
    for number in range(14):
        held = {"room": 30.0 if number % 2 else 15.0, "machine": "B"} if number else None
        (asked,) = optimiser.ask(held=held)
        optimiser.tell(asked.trial, yield_of(asked.parameters))
    assert [one["held"] for one in optimiser.results()] == [False] + [True] * 13
    again = Optimiser(ROOM, algorithm="auto", noise=0.0, seed=3)
    again.learn_all(
        [
            {name: str(cell) if name == "held" else cell for name, cell in one.items()}
            for one in optimiser.results()
        ]
    )
    assert again.recommend(held={"room": 15.0, "machine": "B"}).predicted.mean == pytest.approx(
        14.34, abs=0.01
    )
    assert not [note for note in again.insight().notes if "count as failures" in note]
    assert "held" not in Optimiser(ROOM).results()


def test_what_is_best_in_a_room_can_be_asked_without_a_trial() -> None:
    optimiser = told_in_many_rooms("auto")
    for room, best in ((16.0, 0.24), (25.0, 0.6)):
        found = optimiser.recommend(held={"room": room})
        assert found.parameters["flow"] == pytest.approx(best, abs=0.02)
        assert found.parameters["room"] == pytest.approx(room)
        assert found.predicted.mean == pytest.approx(room - 0.65, abs=0.1)
    anywhere = optimiser.recommend()
    assert anywhere.parameters["room"] > 29.9
    assert anywhere.predicted.mean >= optimiser.best().value - 0.01
    assert optimiser.pending == ()


def test_it_is_in_the_sense_of_the_goal() -> None:
    optimiser = Optimiser(ROOM, algorithm="gp-ei", goal="minimise", noise=0.0)
    for _ in range(15):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, -yield_of(asked.parameters))
    found = optimiser.recommend(held={"room": 22.5})
    assert found.predicted.mean == pytest.approx(-yield_of(found.parameters), abs=0.3)


def test_nothing_is_recommended_before_there_is_a_model_or_without_one() -> None:
    with pytest.raises(UsageError, match="there is no model yet"):
        Optimiser(ROOM).recommend()
    with pytest.raises(
        UsageError, match=r"points \(`auto`, `explore`, `gp-ei`, `gp-ts` or `gp-ucb`\), got `sobol`"
    ):
        Optimiser(ROOM, algorithm="sobol").recommend()
    traded = Optimiser(ROOM, objectives={"cost": "minimise"})
    with pytest.raises(UsageError, match="no point to recommend of several objectives"):
        traded.recommend()


@pytest.mark.parametrize(
    ("held", "sentence"),
    [
        ({"rooom": 20.0}, "expected the name of a parameter to hold .*`rooom` .did you mean `room`"),
        ({"room": 31.0}, r"`room`: expected a number in \[15, 30\], got 31"),
        ({"room": float("nan")}, "`room`: expected a number"),
        ({"room": None}, "`room`: expected a number"),
        ({"batch": 2}, "`batch`: expected 1 to 9 in steps of 2, got 2"),
        ({"mesh": "corse"}, "`mesh`: expected one of .*did you mean `coarse`"),
        ({"solver": "gmres"}, "`solver`: expected one of"),
        ({"site": "south"}, "`site`: expected its fixed value 'north', got 'south'"),
        ({"tolerance": 0.5}, "`tolerance`: it counts only where `solver` is `cg`; hold `solver` as well"),
        ({"tolerance": 0.5, "solver": "direct"}, "`tolerance`: it counts only .* do not hold it"),
        ({"tolerance": 0.4, "solver": "cg", "sweeps": 2}, "`sweeps`: it counts only .* do not hold it"),
        ({"solver": "cg", "sweeps": 2}, "hold `tolerance` as well"),
        ([("room", 20.0)], "expected what is held as a mapping"),
        ("room", "expected what is held as a mapping"),
    ],
)
def test_what_cannot_be_held_is_refused_and_nothing_waits(held: Any, sentence: str) -> None:
    optimiser = Optimiser(MANY_KINDS)
    with pytest.raises(SpecError, match=sentence):
        optimiser.ask(held=held)
    with pytest.raises(SpecError, match=sentence):
        optimiser.recommend(held=held)
    assert optimiser.pending == ()


def test_what_is_fixed_may_be_named_and_what_counts_may_be_held_with_what_it_counts_by() -> None:
    optimiser = Optimiser(MANY_KINDS)
    assert optimiser.ask(held={"site": "north"})[0].parameters["site"] == "north"
    (asked,) = optimiser.ask(held={"solver": "cg", "tolerance": 0.75, "sweeps": 3, "batch": np.int64(5)})
    told = asked.parameters
    assert (told["solver"], told["tolerance"], told["sweeps"], told["batch"]) == ("cg", 0.75, 3, 5)


def test_constraints_that_nothing_satisfies_beside_what_is_held_are_named() -> None:
    optimiser = Optimiser(ROOM, constraints=["room * flow <= 12", "room + flow >= 16"])
    with pytest.raises(SpecError, match="no point was found that satisfies `room"):
        optimiser.ask(held={"room": 15.0, "flow": 0.5})
    for asked in optimiser.ask(3, held={"room": 24.0}):
        assert asked.parameters["flow"] <= 0.5


def test_a_float_that_is_held_comes_as_it_was_said_and_lies_where_the_space_has_it() -> None:
    space = Space.from_description(ROOM)
    for room in (15.0, 21.5, 22.2, 30.0):
        (asked,) = Optimiser(ROOM, algorithm="random").ask(held={"room": room})
        point = space.encode(asked.parameters)
        assert asked.parameters["room"] == room
        assert np.array_equal(space.encode(space.decode(point)), point)
        assert point[0] == space.encode({**asked.parameters, "room": room})[0]


def test_a_pickled_optimiser_goes_on_with_trials_that_wait() -> None:
    optimiser = told_in_many_rooms("auto", 12)
    waiting = optimiser.ask(2, held={"room": 18.0})
    again = pickle.loads(pickle.dumps(optimiser))
    for one in (optimiser, again):
        for asked in waiting:
            one.tell(asked.trial, yield_of(dict(asked.parameters)))
    for held in ({"room": 18.0}, None, {"machine": "C"}):
        assert again.ask(2, held=held) == optimiser.ask(2, held=held)


def test_trials_of_one_s_own_and_abandoned_ones_go_beside_those_held() -> None:
    optimiser = told_in_many_rooms("gp-ei", 12)
    own = optimiser.attach({"room": 18.0, "flow": 0.3, "machine": "A"})
    asked = optimiser.ask(3, held={"room": 18.0, "machine": "A"})
    assert all(abs(one.parameters["flow"] - 0.3) > 1e-6 for one in asked)
    optimiser.abandon(asked[0].trial)
    optimiser.tell(own.trial, 17.0)
    optimiser.tell(asked[1].trial, None)
    optimiser.tell(asked[2].trial, 16.0)
    assert optimiser.pending == ()


def test_an_empty_mapping_holds_nothing() -> None:
    first, second = Optimiser(ROOM, seed=4), Optimiser(ROOM, seed=4)
    assert first.ask(3, held={}) == second.ask(3)
    # Whatever the algorithm is.
    assert len(Optimiser(ROOM, algorithm="soo").ask(held={})) == 1


def test_what_was_told_beside_the_same_value_is_known_to_be_of_that_part() -> None:
    """As points are rounded on their way, to the bit."""
    kinds = {
        "linear": (0.0, 7.3),
        "log": {"type": "float", "bounds": [1e-7, 3.0], "scale": "log"},
        "coarse": (1e9, 1e9 + 1.0),
        "many": {"type": "int", "bounds": [-5, 10**12]},
        "more": {"type": "int", "bounds": [1, 10**9], "scale": "log"},
        "steps": {"type": "float", "bounds": [0.0, 1.0], "step": 1e-4},
        "few": {"type": "int", "bounds": [1, 30], "scale": "log"},
        "ordered": {"type": "ordered", "values": [1, 3, 4, 70], "scale": "log"},
        "choice": {"type": "choice", "values": ["a", "b", "c"]},
    }
    space = Space.from_description(kinds)
    for point in space.domain.sample(300, np.random.default_rng(0)):
        values = space.decode(point)
        part = held_within(space, values)
        assert part is not None
        (told,) = space.domain.rounded(space.encode(values)[None, :])
        assert part.contains(told[None, :])[0], values
        assert part.contains(part.rounded(point[None, :]))[0]


def test_a_part_of_many_whole_numbers_is_searched() -> None:
    counts = {"n": {"type": "int", "bounds": [1, 1_000_000], "scale": "log"}, "x": (0.0, 1.0)}
    optimiser = Optimiser(counts, algorithm="gp-ei", noise=0.0, plan=Plan(trials=30))
    for _ in range(14):
        (asked,) = optimiser.ask(held={"n": 123_457})
        assert asked.parameters["n"] == 123_457
        optimiser.tell(asked.trial, -((asked.parameters["x"] - 0.7) ** 2))
    assert abs(optimiser.best().parameters["x"] - 0.7) < 0.01


def test_contexts_that_never_come_again_leave_nothing_behind() -> None:
    optimiser = Optimiser(ROOM, algorithm="random", constraints=["flow * room <= 20"])
    rng = np.random.default_rng(0)
    for _ in range(300):
        (asked,) = optimiser.ask(held={"room": float(rng.uniform(15.0, 30.0))})
        optimiser.abandon(asked.trial)
    assert len(pickle.dumps(optimiser)) < 300_000


def test_an_algorithm_of_one_s_own_that_does_not_keep_to_what_is_held_is_named() -> None:
    class Wanderer(RandomSearch):
        name = "wanderer"

        def _suggest(self, trial, exclusion):
            return at_random(self._problem.domain, exclusion, np.random.default_rng(trial))

    optimiser = Optimiser(ROOM, algorithm="random")
    optimiser._algorithm = Wanderer(optimiser._problem, None)
    with pytest.raises(OptimiserError, match=r"points of `AskKey\.within`"):
        optimiser.ask(held={"room": 20.0})
    assert optimiser.pending == ()


GRIDS = {
    "x": (0.0, 7.0),
    "heat": {"type": "float", "bounds": [0.001, 10.0], "scale": "log"},
    "share": {"type": "float", "bounds": [0.0, 1.0], "step": 0.1},
    "count": {"type": "int", "bounds": [1, 100], "scale": "log"},
    "wide": {"type": "int", "bounds": [1, 10**12]},
    "mode": {"type": "choice", "values": [1, 2.5, "fast"]},
    "level": {"type": "ordered", "values": [0.1, 0.3, 0.7]},
    "twice": {"type": "computed", "value": "2 * x"},
    "rest": (0.0, 1.0),
}
SAID = {
    "x": 0.3,
    "heat": 0.3,
    "share": 0.3,
    "count": 7,
    "wide": 123456789012,
    "mode": 2.5,
    "level": 0.7,
}


def test_what_is_held_comes_back_as_it_was_said(tmp_path: Path) -> None:
    kept = tmp_path / "search.jsonl"
    with closing(Optimiser(GRIDS, algorithm="random", store=kept)) as optimiser:
        for name, value in SAID.items():
            (asked,) = optimiser.ask(held={name: value})
            assert asked.parameters[name] == value
            optimiser.tell(asked.trial, 1.0)
        (asked,) = optimiser.ask(held=SAID)
        assert {name: asked.parameters[name] for name in SAID} == SAID
        assert asked.parameters["twice"] == 0.6
    with closing(Optimiser(GRIDS, algorithm="random", store=kept)) as again:
        assert [row[name] for row, name in zip(again.results(), SAID, strict=True)] == [*SAID.values()]
        (left,) = again.ask(held=SAID)
        assert left == asked


def test_what_is_recommended_has_what_is_held_as_it_was_said() -> None:
    optimiser = told_in_many_rooms("gp-ei", trials=12)
    assert optimiser.recommend(held={"room": 20.3}).parameters["room"] == 20.3


def test_a_held_number_stays_rounded_where_a_constraint_would_not_hold_otherwise() -> None:
    edge = {"x": (0.0, 7.0), "y": (0.0, 1.0)}
    optimiser = Optimiser(edge, algorithm="random", constraints=["x + 0 * y >= 0.3000000000001"])
    (asked,) = optimiser.ask(held={"x": 0.3})
    assert asked.parameters["x"] == pytest.approx(0.3)
    assert asked.parameters["x"] >= 0.3000000000001


@pytest.mark.parametrize("constraint", ["x <= 0.3", "x >= 0.3", "x + y <= 0.3", "x + y >= 1.3"])
@pytest.mark.parametrize("high", [1.0, 7.0])
def test_what_is_held_on_the_edge_of_a_constraint_satisfies_it(constraint: str, high: float) -> None:
    edge = {"x": (0.0, high), "y": (0.0, 1.0)}
    (asked,) = Optimiser(edge, algorithm="random", constraints=[constraint]).ask(held={"x": 0.3})
    assert asked.parameters["x"] == 0.3
    assert Space.from_description(edge, [constraint]).broken_by(asked.parameters) == ()


@pytest.mark.parametrize("x", [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.9])
def test_what_is_held_comes_back_as_it_was_said_where_a_constraint_binds_the_others(x: float) -> None:
    space = Space.from_description({"x": (0.0, 7.0), "y": (0.0, 1.0)}, ["x + y <= 1"])
    within = held_within(space, {"x": x})
    assert within is not None
    farthest = within.snap(np.array([0.0, 1.0]))
    settings = suggested_as_held(space, farthest, {"x": x})
    assert settings["x"] == x
    assert 1.0 - 1e-9 < x + settings["y"] <= 1.0
    # Models, too, see it as a point that satisfies the constraint.
    assert space.domain.feasible(farthest[None, :])[0]


def test_points_where_the_same_is_held_again_are_looked_for_once() -> None:
    space = Space.from_description({"x": (0.0, 7.0), "y": (0.0, 1.0)}, ["x + y <= 1"])
    within, other = (held_within(space, {"x": x}) for x in (0.2, float(np.nextafter(0.2, 1.0))))
    assert within is not None
    assert other is not None
    # Constraints see them as they were told, though a grid has one place for both.
    assert other is not within
    assert other.coordinates == within.coordinates
    assert held_within(space, {"x": float(np.nextafter(0.2, 1.0))}) is other
