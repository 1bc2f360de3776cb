"""Auto, the default: what it learns of a function, what it says of it, and what it finds."""

import functools
import json
import math

import numpy as np
import pytest
from sequential_runs import build, fitted, observations, optimise, step, two_hills

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem, Refit
from orchestrator.algorithms.mixture.belief import Results
from orchestrator.algorithms.mixture.hypothesis_weighing import MOST_AFTER_A_GLANCE, OUT_OF_THE_QUESTION
from orchestrator.algorithms.mixture.kept import LARGEST, LARGEST_IN_FEATURES
from orchestrator.algorithms.mixture.notes import likelier
from orchestrator.algorithms.mixture.proposal import Proposal
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

RNG = np.random.default_rng(0)


def separable(x):
    """In each parameter a low hill and a high one."""
    return float(np.sum(0.5 * np.exp(-30.0 * (x - 0.2) ** 2) + np.exp(-60.0 * (x - 0.75) ** 2)))


def joint(x):
    """Nothing in it is a sum."""
    return float(np.exp(-3.0 * np.sum((x - 0.4) ** 2)) * np.cos(6.0 * np.sum(x)))


def notes(algorithm):
    return " ".join(algorithm.insight().notes)


@functools.cache
def search_of_two_hills():
    """22 suggestions; what was left to gain after 15 results, and what in the end, asked twice."""
    algorithm = build("auto", seed=2, refit_every=2)
    suggestions = [step(algorithm, trial, two_hills) for trial in range(15)]
    early = algorithm.remaining_gain()
    suggestions += [step(algorithm, trial, two_hills) for trial in range(15, 22)]
    return suggestions, early, (algorithm.remaining_gain(), algorithm.remaining_gain())


@pytest.mark.searches
def test_it_finds_the_higher_of_two_hills():
    _, best = optimise(build("auto", seed=2), two_hills, 40)
    assert best > 0.99


def test_a_quarter_of_the_trials_is_the_regions_unless_it_promises_the_last_digits_only():
    X = RNG.random((20, 2))
    algorithm = fitted(build("auto"), X, [1e6 * two_hills(x) for x in X])
    suggestion = algorithm.ask(1, [], AskKey(20, 20))[0]

    def owed(gain):
        near = Proposal(suggestion, math.log(gain))
        return sum(algorithm._local.is_owed(near, trial) for trial in range(100))

    assert owed(1e3) == pytest.approx(25, abs=2)
    assert owed(0.1) == 0


@pytest.mark.searches
def test_of_few_parameters_it_does_not_search_the_edges_first():
    """Hills so narrow that next to nothing is known between the results."""
    algorithm = build("auto", 2, seed=1)
    suggestions, _ = optimise(algorithm, lambda x: float(np.cos(31.0 * x).prod()), 50)
    points = np.array([s.point for s in suggestions if s.why.get("search") == "global"])
    assert len(points) > 15
    assert ((points == 0.0) | (points == 1.0)).mean() < 0.1


@pytest.mark.searches
def test_where_parameters_act_alone_it_finds_out_and_sets_each_right():
    algorithm = build("auto", 8, seed=1)
    _, best = optimise(algorithm, separable, 45)
    assert best > 8.0 * 0.98
    assert max(algorithm.insight().weights, key=algorithm.insight().weights.get).startswith(
        ("pairs", "factors")
    )


def test_where_they_act_together_it_finds_that_out_too():
    X = RNG.random((60, 3))
    algorithm = fitted(build("auto", 3), X, [joint(x) for x in X])
    weights = algorithm.insight().weights
    assert sum(w for name, w in weights.items() if name.startswith("joint")) > 0.9


@pytest.mark.searches
def test_of_many_results_a_glance_at_some_rules_most_hypotheses_out_and_keeps_the_right_one():
    X = np.random.default_rng(6).random((260, 4))
    few = fitted(build("auto", 4), X[:80], [separable(x) for x in X[:80]])
    many = fitted(build("auto", 4), X, [separable(x) for x in X])
    glanced, weighed = (len(one._learned.standing.considered) for one in (many, few))
    assert glanced <= MOST_AFTER_A_GLANCE < weighed
    for algorithm in (few, many):
        assert algorithm._learned.standing.considered[0][0].startswith(("pairs", "factors"))


def hills(x):
    """A bowl with seven hills and a half along every parameter."""
    u = x - np.linspace(0.3, 0.7, len(x))
    return -float((10.0 * u**2 - np.cos(2.0 * np.pi * 7.5 * u)).sum()) - len(x)


@pytest.mark.searches
def test_waves_along_every_parameter_are_seen_and_stay_where_nothing_else_is_near():
    X = np.random.default_rng(8).random((150, 16))
    algorithm = fitted(build("auto", 16), X[:120], [hills(x) for x in X[:120]])
    assert algorithm._learned.belief.leader.found.frequency == pytest.approx(7.5, abs=0.1)
    near = [name for name, odds in algorithm._learned.standing.considered if odds > OUT_OF_THE_QUESTION]
    assert all(name.startswith("waves") for name in near)
    algorithm.tell([Observation(trial, X[trial], hills(X[trial])) for trial in range(120, 150)])
    algorithm.adopt(algorithm.compute_refit(2))
    assert algorithm._learned.standing.weighed == 150
    assert algorithm._learned.belief.leader.found.frequency == pytest.approx(7.5, abs=0.1)
    assert max(algorithm.insight().weights.values()) > 0.5
    assert algorithm.remaining_gain().expected >= 0.0


@pytest.mark.searches
def test_hills_that_repeat_themselves_are_climbed_over_and_known_in_the_region_as_well():
    suggestions, best = optimise(build("auto", 8, seed=1), hills, 55)
    # The lowest of the hills beside the highest one loses 10 / 7.5^2 = 0.18.
    assert best > -0.01
    assert any(s.why.get("member", "").startswith("the region's waves") for s in suggestions)


def test_a_decomposition_that_is_known_is_weighed():
    def pairs(x):
        return float(np.sin(7.0 * x[0] * x[1]) + np.cos(6.0 * x[2] * x[3]) + x[4] * x[5])

    X = RNG.random((80, 6))
    problem = Problem(Domain.continuous(6), factors=((0, 1), (2, 3), (4, 5)), noise=Noise("known", 0.0))
    algorithm = fitted(registry.build("auto", problem), X, [pairs(x) for x in X])
    insight = algorithm.insight()
    assert insight.decomposition == [[0, 1], [2, 3], [4, 5]]
    assert insight.probability > 0.9


def test_where_values_say_next_to_nothing_and_all_hypotheses_are_as_likely_it_goes_on_with_one():
    """Variances as large as these are told where nobody knows them."""
    noisy = build("auto", noise=Noise("reported"))
    values = np.tan(np.linspace(-1.4, 1.45, 10))
    X = np.random.default_rng(0).random((10, 2))
    noisy.tell([Observation(i, x, float(y), 1e20) for i, (x, y) in enumerate(zip(X, values, strict=True))])
    noisy.adopt(noisy.compute_refit(1))
    assert len(noisy._learned.standing.considered) >= 20
    assert sum(noisy.insight().weights.values()) == pytest.approx(1.0)
    (suggestion,) = noisy.ask(1, [], AskKey(10, 10))
    assert suggestion.why["source"] == "model"


def test_heavy_tails_are_drawn_in_where_that_explains_them_better():
    X = RNG.random((40, 2))
    heavy = [-float(np.exp(8.0 * np.sum((x - 0.4) ** 2))) for x in X]
    algorithm = fitted(build("auto"), X, heavy)
    assert any("warped" in name for name in algorithm.insight().weights)
    plain = fitted(build("auto"), X, [float(np.sum(np.sin(5 * x))) for x in X])
    assert not any("warped" in name for name in plain.insight().weights)


def test_both_searches_have_their_share_and_a_suggestion_says_which_it_is_from():
    suggestions, _, _ = search_of_two_hills()
    searches = [s.why.get("search") for s in suggestions if s.why["source"] == "model"]
    assert 0.2 < np.mean([search == "local" for search in searches]) < 0.8
    assert all(0.0 <= s.why["exploration"] <= 1.0 for s in suggestions if s.why["source"] == "model")


def test_it_says_what_it_believes_and_why():
    algorithm = build("auto", 3)
    assert notes(algorithm) == "start design: 0 of 10 results told"
    X = RNG.random((30, 3))
    fitted(algorithm, X, [joint(x) for x in X])
    assert "hypotheses weighed at 30 results" in notes(algorithm)
    assert "times as likely as" in notes(algorithm)
    assert "region of side" in notes(algorithm)
    json.dumps(dict(algorithm.insight().hyperparameters))


def test_where_nothing_has_a_value_that_is_what_is_said():
    algorithm = build("auto", 3)
    for trial, x in enumerate(RNG.random((12, 3))):
        algorithm.tell([Observation(trial, x, None)])
    said = "start design: 12 results told, none with a value, without which there is no model"
    assert notes(algorithm) == said
    algorithm.tell([Observation(12, RNG.random(3), 1.0)])
    assert notes(algorithm) == "start design: 10 of 10 results told"


def test_hypotheses_that_are_as_likely_are_said_to_be():
    assert likelier(0.004) == "no likelier than"
    assert likelier(0.41) == "1.5 times as likely as"
    assert likelier(6.25) == "520 times as likely as"
    assert likelier(13.7) == "890,000 times as likely as"
    assert likelier(1e4) == "millions of times as likely as"


def test_weights_follow_predictions_between_refits():
    X = RNG.random((12, 2))
    algorithm = fitted(build("auto", refit_every=1000), X, [two_hills(x) for x in X])
    before = algorithm.insight().weights
    more = RNG.random((20, 2))
    algorithm.tell(
        [
            Observation(o.trial + 12, o.point, o.value)
            for o in observations(more, [two_hills(x) for x in more])
        ]
    )
    after = algorithm.insight().weights
    assert set(before) == set(after)
    assert before != after
    assert sum(after.values()) == pytest.approx(1.0)


def test_a_refit_is_plain_json_and_adopted_alike_from_it():
    X = RNG.random((25, 3))
    values = [joint(x) for x in X]
    first, second = build("auto", 3), build("auto", 3)
    for algorithm in (first, second):
        algorithm.tell(observations(X, values))
    refit = first.compute_refit(1)
    first.adopt(refit)
    second.adopt(Refit(1, 25, json.loads(json.dumps(refit.payload))))
    asked = [algorithm.ask(3, [], AskKey(0, 25)) for algorithm in (first, second)]
    for one, other in zip(*asked, strict=True):
        assert np.array_equal(one.point, other.point)


def test_in_two_hundred_parameters_it_still_suggests():
    rng = np.random.default_rng(5)
    X = rng.random((22, 200))
    algorithm = fitted(build("auto", 200), X, [-float(np.sum((x - 0.4) ** 2)) for x in X])
    suggestions = algorithm.ask(2, [], AskKey(0, 22))
    assert all(s.why["source"] == "model" for s in suggestions)


def test_however_many_results_there_are_its_models_hold_a_bounded_number():
    rng = np.random.default_rng(6)
    X = rng.random((LARGEST + 200, 2))
    algorithm = fitted(build("auto"), X, [two_hills(x) for x in X])
    held = [len(member.posterior) for member in algorithm._learned.belief.members]
    # Of values without noise, of which random features would lose something, exact models stay.
    assert max(held) == LARGEST
    (suggestion,) = algorithm.ask(1, [], AskKey(0, len(X)))
    assert two_hills(suggestion.point) > 0.5


def test_mixed_parameters_are_searched_closely_as_well():
    grid = Coordinate("ordinal", tuple(np.linspace(0, 1, 9)))
    domain = Domain((Coordinate(), grid, Coordinate("categorical", (0.0, 0.5, 1.0))))

    def objective(x):
        return -float((x[0] - 0.3) ** 2 + (x[1] - 0.625) ** 2) + 0.5 * float(x[2] == 0.5)

    algorithm = registry.build("auto", Problem(domain, seed=3, noise=Noise("known", 0.0)))
    suggestions, best = optimise(algorithm, objective, 18)
    assert best > 0.5 - 1e-4
    assert any(s.why.get("search") == "local" for s in suggestions)


def test_of_a_few_values_a_parameter_no_decomposition_is_learned_but_one_that_is_known_counts():
    dials = Domain((Coordinate("categorical", (0.0, 0.5, 1.0)),) * 4)
    X = dials.sample(30, np.random.default_rng(0))
    values = [float(np.sum((x - 0.5) ** 2)) + float(x[0] == x[1]) for x in X]
    for factors in (None, ((0, 1), (2,), (3,))):
        problem = Problem(dials, seed=0, noise=Noise("known", 0.0), factors=factors)
        algorithm = fitted(registry.build("auto", problem), X, values)
        assert (algorithm._learned.refit.payload["factors"] is None) == (factors is None)


@pytest.mark.searches
def test_noise_does_not_make_a_lucky_value_the_best():
    rng = np.random.default_rng(7)
    algorithm = build("auto", seed=4, noise=Noise("unknown"))
    suggestions = []
    for trial in range(36):
        suggestions.append(step(algorithm, trial, lambda x: two_hills(x) + 0.1 * rng.standard_normal()))
    assert max(two_hills(s.point) for s in suggestions[-10:]) > 0.9
    assert suggestions[-1].why["noise"] == pytest.approx(0.1, rel=0.5)


def test_a_lucky_value_does_not_draw_the_region_to_a_lower_hill():
    top, lower = np.array([0.75, 0.7]), np.array([0.2, 0.2])
    rng = np.random.default_rng(1)

    def observed(x):
        lucky = 0.75 if np.array_equal(x, lower) else 0.2 * float(np.clip(rng.standard_normal(), -1.0, 1.0))
        hills = np.exp(-8.0 * np.sum((x - top) ** 2)) + 0.6 * np.exp(-8.0 * np.sum((x - lower) ** 2))
        return float(hills) + lucky

    algorithm = build("auto", seed=2, noise=Noise("known", 0.2), refit_every=10)
    X = np.vstack([rng.random((50, 2)), lower])
    values = [observed(x) for x in X]
    assert max(values) == values[-1]
    fitted(algorithm, X, values)
    suggested = [step(algorithm, trial, observed) for trial in range(51, 71)]
    close = [s.point for s in suggested if s.why["search"] == "local"]
    assert len(close) >= 4
    assert max(np.linalg.norm(point - top) for point in close) < 0.4


def test_evaluations_that_failed_say_nothing_of_the_noise():
    values, variances = np.array([1.0, np.nan, 3.0, np.nan, np.nan]), np.array([0.04, 0.0, 0.04, 0.0, 0.0])
    told, scale = Results(np.zeros((5, 1)), values, variances), Standardisation(2.0, 0.5)
    assert told.typical_noise(scale) == pytest.approx(0.16)
    failed = Results(np.zeros((1, 1)), np.array([np.nan]), np.zeros(1))
    assert failed.typical_noise(scale) == 0.0


def test_what_is_left_to_gain_shrinks_as_the_top_is_found():
    _, early, (late, again) = search_of_two_hills()
    assert early.expected > 10.0 * late.expected
    assert late.observations == 22
    assert again == late


def test_what_is_left_to_gain_is_said_of_sums_over_pairs_too():
    X = RNG.random((40, 5))
    algorithm = fitted(build("auto", 5), X, [separable(x) for x in X])
    assert any(name.startswith("pairs") for name in algorithm.insight().weights)
    assert algorithm.remaining_gain().expected > 0.0


def test_it_is_too_early_to_say_what_is_left_after_fewer_than_two_values_a_parameter():
    X = RNG.random((15, 8))
    assert fitted(build("auto", 8), X, [separable(x) for x in X]).remaining_gain() is None


def noisy_hills(count):
    rng = np.random.default_rng(8)
    X = rng.random((count, 2))
    return X, [two_hills(x) + 0.3 * float(rng.standard_normal()) for x in X]


def test_of_very_many_noisy_results_it_holds_thousands_in_random_features():
    X, values = noisy_hills(6000)
    algorithm = fitted(build("auto", noise=Noise("known", 0.3)), X, values)
    held = [len(member.posterior) for member in algorithm._learned.belief.members]
    assert max(held) == LARGEST_IN_FEATURES
    places = np.array([[0.22, 0.22], [0.75, 0.75], [0.5, 0.1]])
    leader = algorithm._learned.belief.leader
    mean, variance = leader.posterior.mean_and_variance(places)
    for place, m, v in zip(places, mean, variance, strict=True):
        predicted, deviation = leader.scale.undo_prediction(float(m), float(np.sqrt(v)))
        assert abs(predicted - two_hills(place)) < 0.1
        assert deviation < 0.1
    assert len(algorithm.ask(3, [], AskKey(0, len(X)))) == 3
    assert algorithm.remaining_gain().expected >= 0.0


def test_where_next_to_all_of_very_many_noisy_evaluations_fail_it_still_suggests():
    X = np.random.default_rng(10).random((900, 2))
    values = [0.5 if i == 450 else None for i in range(900)]
    algorithm = fitted(build("auto", noise=Noise("known", 0.1)), X, values)
    assert len(algorithm.ask(2, [], AskKey(0, 900))) == 2


@pytest.mark.searches
def test_where_the_number_of_trials_is_known_the_last_of_them_are_close_to_the_best():
    # Of more trials the region is exhausted before the last, and there is none until another refit.
    problem = Problem(Domain.continuous(2), noise=Noise("known", 0.0), seed=0, trials=40)
    suggestions, _ = optimise(registry.build("auto", problem), two_hills, 48)
    assert {s.why.get("search") for s in suggestions[36:40]} == {"local"}
    assert "global" in {s.why.get("search") for s in suggestions[20:36]}
    raised = suggestions[40:]
    assert "global" in {s.why.get("search") for s in raised}
