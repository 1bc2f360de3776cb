"""What every algorithm in the registry keeps, whatever its paper: one table of options, one set of stories.

A new algorithm needs its name in the registry, or an entry point, and, where its defaults are slow, an option
in `QUICK`.
"""

import functools
import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from checked_run import Run, bowl
from conforming import ALIKE, NAMES
from quick_options import quick_options

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.observed import observed
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain

CONTINUOUS = Domain.continuous(3)
MIXED = Space.from_description(
    {
        "rate": {"type": "float", "bounds": [1e-6, 1e-1], "scale": "log"},
        "neurons": {"type": "int", "bounds": [2, 100]},
        "batch": {"type": "int", "bounds": [4, 64], "scale": "log"},
        "activation": {"type": "choice", "values": ["relu", "tanh", "logistic"]},
        "dropout": {"type": "float", "bounds": [0, 0.5], "step": 0.1},
        "heads": {"type": "ordered", "values": [1, 2, 4, 8, 16]},
    }
).domain
COMES_ROUND = Space.from_description(
    {
        "angle": {"type": "float", "bounds": [-180, 180], "periodic": True},
        "hour": {"type": "int", "bounds": [0, 24], "periodic": True},
        "fine": {"type": "int", "bounds": [0, 36000], "periodic": True},
        "paint": {"type": "choice", "values": ["red", "green"]},
    }
).domain
FINITE = Space.from_description(
    {"n": {"type": "ordered", "values": [1, 2, 4, 9]}, "c": {"type": "choice", "values": ["a", "b", "c"]}}
).domain
MORE_THAN_A_FLOAT_CAN_COUNT = Space.from_description(
    {f"n{i}": {"type": "int", "bounds": [0, 99]} for i in range(155)}
).domain
THOUSANDS = Space.from_description(
    {
        "n": {"type": "int", "bounds": [0, 4999]},
        "m": {"type": "int", "bounds": [1, 100_000], "scale": "log"},
    }
)
COUNTS = Space.from_description(
    {
        "rate": (0.0, 1.0),
        "few or many": {"type": "int", "bounds": [1, 5000], "scale": "log"},
        "any": {"type": "int", "bounds": [0, 100_000]},
        "steps": {"type": "float", "bounds": [-1, 1], "step": 1e-4},
    }
)


@functools.cache
def one_at_a_time(name: str, domain: Domain) -> list[np.ndarray]:
    """The points of a search of seed 1."""
    # To the first suggestions after the second refit.
    return Run(name, Problem(domain, seed=1), refit_every=2).sequential(8)


def distinct(points) -> bool:
    return len({np.round(p, 9).tobytes() for p in points}) == len(points)


@pytest.fixture(params=NAMES)
def name(request) -> str:
    return request.param


@pytest.fixture(params=[name for name in NAMES if name not in ALIKE])
def distinct_name(request) -> str:
    return request.param


@pytest.mark.parametrize("domain", [CONTINUOUS, MIXED, COMES_ROUND], ids=["continuous", "mixed", "round"])
def test_one_at_a_time_points_are_feasible_and_never_repeated(name, domain):
    assert distinct(one_at_a_time(name, domain))


@pytest.mark.parametrize("domain", [CONTINUOUS, MIXED], ids=["continuous", "mixed"])
def test_a_batch_holds_different_points(distinct_name, domain):
    run, points = Run(distinct_name, Problem(domain, parallel=5)), []
    # Of the start design and more, and of the model.
    for _ in range(2):
        points += [s.point for s in run.ask(5)]
        for trial in list(run.pending):
            run.tell(trial, bowl(run.pending[trial]))
    assert distinct(points)


def test_asynchronous_workers_get_points_that_no_one_runs(distinct_name):
    run = Run(distinct_name, Problem(MIXED, seed=2, parallel=4), refit_every=2)
    rng = np.random.default_rng(0)
    points = [s.point for s in run.ask(4)]
    # To the first suggestions after the second refit.
    for _ in range(7):
        trial = int(rng.choice(list(run.pending)))
        run.tell(trial, bowl(run.pending[trial]))
        points += [s.point for s in run.ask()]
    assert distinct(points)


def test_a_finite_domain_is_used_up_before_anything_is_repeated(distinct_name):
    run = Run(distinct_name, Problem(FINITE, seed=3))
    points = run.sequential(int(FINITE.size))
    assert distinct(points)
    run.sequential(3)


def test_a_search_of_more_points_than_a_float_can_count_begins(name):
    run = Run(name, Problem(MORE_THAN_A_FLOAT_CAN_COUNT, start_points=3))
    assert distinct(run.sequential(3))


def test_more_workers_than_points_are_all_given_one(distinct_name):
    run = Run(distinct_name, Problem(FINITE, seed=3))
    run.sequential(6)
    assert len(run.ask(10)) == 10


OUTPUTS: dict[str, Callable[[np.ndarray], float]] = {
    "constant": lambda _: 3.0,
    "zero": lambda _: 0.0,
    "vanishing": lambda point: 1e-308 * bowl(point),
    "next to nothing": lambda point: 3e-323 * bowl(point),
    "as large as floats are": lambda point: float(
        observed(0, point, (1.7e308 * (0.5 + bowl(point)), None, None), 1.0).value
    ),
    "shifted far": lambda point: 1e12 + bowl(point),
    "heavy tailed": lambda point: -math.exp(40 * point[0]),
    "a step": lambda point: float(point[0] > 0.5),
}
# Of which a second refit makes something else than the first may have.
REFITTED = ("constant", "as large as floats are", "heavy tailed", "a step")


@pytest.mark.parametrize("kind", OUTPUTS)
def test_outputs_of_any_kind_are_learned_from(name, kind):
    # To the second suggestion after the first refit, or the first after the second.
    run = Run(name, Problem(CONTINUOUS), refit_every=2)
    assert distinct(run.sequential(7 if kind in REFITTED else 6, OUTPUTS[kind]))


def test_noise_of_any_kind_is_borne(name):
    rng = np.random.default_rng(0)
    for noise in (Noise(), Noise("known", 0.3), Noise("known", 0.0), Noise("reported")):
        run = Run(name, Problem(CONTINUOUS, noise=noise))
        for trial, point in enumerate(rng.random((6, 3))):
            variance = float(rng.random()) if noise.kind == "reported" else None
            value = bowl(point) + rng.normal(0, 0.3)
            run.algorithm.tell([Observation(trial - 6, point, value, variance)])
        run.ask()


def test_one_observation_is_enough_to_go_on_with(name):
    run = Run(name, Problem(CONTINUOUS, start_points=1))
    run.sequential(1)
    run.ask(3)


def test_duplicated_and_contradictory_results_are_borne(name):
    run = Run(name, Problem(CONTINUOUS))
    point = np.array([0.2, 0.4, 0.6])
    run.algorithm.tell([Observation(-1 - i, point, float(i % 3)) for i in range(12)])
    suggestions = run.ask(3)
    assert not any(np.allclose(s.point, point, atol=1e-9) for s in suggestions)


def test_failed_evaluations_are_remembered_and_not_tried_again(distinct_name):
    for domain in (CONTINUOUS, FINITE):
        run = Run(distinct_name, Problem(domain, seed=4), refit_every=4)
        points = run.sequential(9, lambda point: bowl(point) if point[0] < 0.5 else None)
        assert distinct(points)


def test_an_experiment_in_which_everything_fails_goes_on(name):
    assert distinct(Run(name, Problem(CONTINUOUS)).sequential(15, lambda _: None))


HOLDING = (
    *("additive.results", "gaussian_process.belief", "gaussian_process.feature_belief"),
    *("mixture.kept", "mixture.outcomes_kept", "mixture.refit"),
)


@pytest.fixture
def models_hold_twenty(monkeypatch):
    """At most; otherwise they hold some hundreds, or a thousand, and take as much longer to fit."""
    for module in HOLDING:
        monkeypatch.setattr(f"orchestrator.algorithms.{module}.LARGEST", 20)


@pytest.mark.usefixtures("models_hold_twenty")
def test_more_results_than_models_hold_are_taken_in(name):
    run = Run(name, Problem(CONTINUOUS))
    points = np.random.default_rng(0).random((26, 3))
    run.algorithm.tell([Observation(-1 - i, p, bowl(p)) for i, p in enumerate(points)])
    assert distinct([s.point for s in run.ask(3)] + list(points))


def test_the_same_seed_suggests_the_same_and_another_seed_does_not(name):
    # To the first suggestions after the second refit; of another seed already the start differs.
    again, other = (
        Run(name, Problem(MIXED, seed=s), refit_every=2).sequential(n) for s, n in ((1, 7), (2, 4))
    )
    assert np.array_equal(one_at_a_time(name, MIXED)[:7], again)
    assert not np.array_equal(again[:4], other)


@functools.cache
def told_six(name: str) -> tuple[Run, list[np.ndarray]]:
    """A search of seed 5, which each story goes on with rebuilt, and the points that it was told of."""
    run = Run(name, Problem(CONTINUOUS, seed=5))
    return run, run.sequential(6)


@functools.cache
def after_six(name: str) -> list[np.ndarray]:
    """Two points that it asks for next, where nothing disturbs it."""
    return [suggestion.point for suggestion in told_six(name)[0].rebuilt().ask(2)]


def test_asking_changes_nothing(name):
    disturbed = told_six(name)[0].rebuilt()
    for i in range(3):
        disturbed.algorithm.ask(2, [], AskKey(100 + i, 100 + i))
        disturbed.algorithm.insight()
    assert np.array_equal([suggestion.point for suggestion in disturbed.ask(2)], after_six(name))


def test_an_algorithm_rebuilt_from_what_it_was_told_asks_the_same_to_the_bit(name):
    run = Run(name, Problem(MIXED, seed=8), refit_every=2)
    run.sequential(7, lambda point: bowl(point) if point[1] < 0.8 else None)
    rebuilt = run.rebuilt().algorithm
    pending = [np.array(MIXED.sample(1, np.random.default_rng(0))[0])]
    key = AskKey(run.asks, run.trials)
    for a, b in zip(run.algorithm.ask(3, pending, key), rebuilt.ask(3, pending, key), strict=True):
        assert np.array_equal(a.point, b.point)
        assert a.predicted == b.predicted
        assert a.why == b.why
    assert run.algorithm.refit_due() == rebuilt.refit_due()


def test_results_told_in_a_batch_are_results_told_one_by_one(name):
    points = np.random.default_rng(1).random((15, 3))
    observations = [Observation(i, p, bowl(p)) for i, p in enumerate(points)]
    at_once, singly = (registry.build(name, Problem(CONTINUOUS), quick_options(name)) for _ in "ab")
    refit = None
    for algorithm, batches in (
        (at_once, [observations[:8], observations[8:]]),
        (singly, [[o] for o in observations]),
    ):
        told = 0
        for batch in batches:
            algorithm.tell(batch)
            told += len(batch)
            if told == 8 and (number := algorithm.refit_due()) is not None:
                refit = refit or algorithm.compute_refit(number)
                algorithm.adopt(refit)
    assert at_once.insight().weights == pytest.approx(singly.insight().weights, abs=1e-8)
    for trial in range(15, 19):
        (a,), (b,) = (algorithm.ask(1, [], AskKey(trial, trial)) for algorithm in (at_once, singly))
        assert np.allclose(a.point, b.point, atol=1e-8)
        if a.predicted is not None:
            assert a.predicted.mean == pytest.approx(b.predicted.mean, abs=1e-8)
            assert a.predicted.deviation == pytest.approx(b.predicted.deviation, abs=1e-8)


def test_what_it_believes_is_json_at_any_time(name):
    run = Run(name, Problem(MIXED))
    for _ in range(7):
        insight = run.algorithm.insight()
        json.dumps([dict(insight.weights), insight.decomposition, insight.probability, list(insight.notes)])
        json.dumps({member: dict(own) for member, own in insight.hyperparameters.items()})
        assert not insight.weights or sum(insight.weights.values()) == pytest.approx(1.0)
        run.sequential(1)


def test_computing_a_refit_changes_nothing_until_it_is_adopted(name):
    run = told_six(name)[0].rebuilt()
    run.algorithm.compute_refit(77)
    assert np.array_equal([suggestion.point for suggestion in run.ask(2)], after_six(name))


def test_known_factors_matter_to_those_that_are_said_to_take_them(name):
    run, points = told_six(name)
    unknown = points + run.rebuilt().sequential(2)
    known = Run(name, Problem(CONTINUOUS, seed=5, factors=((0,), (1, 2)))).sequential(8)
    alike = np.array_equal(unknown, known)
    assert alike != registry.load(name).Options.takes_factors


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_number_of_thousands_is_not_tried_twice(name: str) -> None:
    algorithm = registry.build(name, Problem(THOUSANDS.domain, seed=0), quick_options(name))
    # The best is in a corner, where steps smaller than a whole number lead nowhere; where it is, is told.
    tried = [(n, m) for n in (4996, 4998, 4999) for m in (1, 3)]
    for trial, (n, m) in enumerate(tried):
        point = THOUSANDS.encode({"n": n, "m": m})
        algorithm.tell([Observation(trial, point, n / 5000 - math.log(m))])
    for trial in range(6, 13):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        told = THOUSANDS.decode(suggestion.point)
        tried.append((told["n"], told["m"]))
        value = told["n"] / 5000 - math.log(told["m"])
        algorithm.tell([Observation(trial, THOUSANDS.encode(told), value)])
    assert len(set(tried)) == len(tried)


def test_what_is_suggested_is_what_is_evaluated_where_whole_numbers_are_not_listed(distinct_name):
    run = Run(distinct_name, Problem(COUNTS.domain, seed=1))
    # The best lies among the few, where a number's cell is wide.
    points = run.sequential(8, lambda point: -abs(point[1] - 0.2) - (point[2] - 0.6) ** 2)
    for point in points:
        back = COUNTS.encode(COUNTS.decode(point))
        assert np.array_equal(back[1:], point[1:])
        assert back[0] == pytest.approx(point[0], abs=1e-9)
