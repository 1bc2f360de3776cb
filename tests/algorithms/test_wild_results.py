"""Results that are far off for no reason: looked at again, and set aside if they do not come out so."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sequential_runs import build, fitted, observations

from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.far_off import far_off
from orchestrator.algorithms.mixture.wild_results import NONE_WILD, Wild, judged, may_be_wild, wild_among
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.descriptors import Descriptors
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.sums import Sum

PROBLEM = Problem(Domain.continuous(2))
X = np.random.default_rng(2).random((24, 2))
LUCKY, UNLUCKY = 14, 9


def smooth(x):
    return float(np.sin(3.0 * x[0]) - 2.0 * (x[1] - 0.4) ** 2)


def measured(wild):
    """With a little noise, but for values that are ``wild`` by their numbers."""
    noise = 0.02 * np.random.default_rng(5).standard_normal(len(X))
    values = np.array([smooth(x) for x in X]) + noise
    for row, value in wild.items():
        values[row] = value
    return values


WILD = measured({LUCKY: 30.0, UNLUCKY: -20.0})


@pytest.mark.parametrize("wild", [{}, {3: 9.0}, {LUCKY: 30.0, UNLUCKY: -20.0}, {3: 30.0, 20: 28.0}])
def test_what_is_far_off_is_found_though_two_hide_each_other(wild):
    assert far_off(PROBLEM, X, measured(wild)).tolist() == sorted(wild)


EIGHT = tuple((np.arange(8) + 0.5) / 8)
DESCRIBED = Coordinate("categorical", EIGHT, descriptors=Descriptors(tuple((place,) for place in EIGHT)))


@pytest.mark.parametrize(
    "domain",
    [
        Domain(PROBLEM.domain.coordinates, sums=(Sum(1.0, (-0.5, -0.5)),)),
        Domain((Coordinate(), DESCRIBED)),
    ],
    ids=["of a mixture", "of a choice that is described"],
)
def test_what_is_far_off_is_found_where_kernels_see_more_than_coordinates(domain):
    assert far_off(Problem(domain), domain.embed(domain.snap(X)), WILD).tolist() == [UNLUCKY, LUCKY]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("values", [np.ones(len(X)), 1.7e308 * np.cos(np.arange(len(X)))])
def test_of_values_that_are_all_equal_or_as_far_apart_as_can_be_none_is_far_off(values):
    assert len(far_off(PROBLEM, X, values)) == 0


PLACES = np.array([[0.1], [0.3], [0.5], [0.7], [0.9], [0.300004], [0.700004]])


@pytest.mark.parametrize(
    ("values", "look_wild", "expected"),
    [
        ([0, 9, 1, 0, 0], [], NONE_WILD),
        ([0, 9, 1, -9, 0], [1, 3], Wild(again=1)),
        ([0, -9, 1, 0, 0], [1], Wild(again=1)),
        ([0, 9, 1, -9, 0, 9.1], [1, 3, 5], NONE_WILD),
        ([0, 9, 1, -9, 0, 1], [1, 3], Wild((1, 3))),
        ([0, 9, 1, -9, 0, 40], [1, 3, 5], Wild((1, 3, 5))),
        ([0, 9, 1, 8, 0, 1], [1, 3], Wild((1,), again=3)),
        ([0, 9, 1, 8, 0, 1, 0], [1, 3], Wild((1, 3))),
        ([0, 9, 1, 8, 0, 1, 7.9], [1, 3, 6], Wild((1,))),
    ],
    ids=[
        "none",
        "the best that looks wild is measured again",
        "what is poor, too, while none is known to be wild",
        "it came out again: no accident, and nothing else is either",
        "it did not: whatever looks wild is set aside",
        "so it is where that was wild, too, in another way",
        "but what would be the best only once it was measured again",
        "as it was here",
        "and not where it came out again",
    ],
)
def test_what_looks_wild_is_measured_again_before_it_is_set_aside(values, look_wild, expected):
    n = len(values)
    line, rows = Domain.continuous(1), np.array(look_wild, dtype=np.intp)
    found = judged(line, PLACES[:n], np.array(values, dtype=float), rows)
    assert found == expected
    assert Wild.of(json.loads(json.dumps(found.payload))) == found


def test_a_place_is_measured_again_over_the_seam_of_an_angle():
    places = np.array([[0.1], [0.003], [0.5], [0.7], [0.9], [0.998]])
    values, rows = np.array([0.0, 9.0, 1.0, 0.0, 1.0, 9.0]), np.array([1, 5])
    assert judged(Domain((Coordinate(periodic=True),)), places, values, rows) == NONE_WILD
    assert judged(Domain.continuous(1), places, values, rows) == Wild(again=1)


def test_results_are_wild_only_where_nothing_is_told_of_noise_and_they_can_be_measured_again():
    assert may_be_wild(PROBLEM)
    grid = Domain((Coordinate("categorical", (0.25, 0.75)),))
    for other in (
        Problem(Domain.continuous(2), noise=Noise("known", 0.0)),
        Problem(Domain.continuous(2), noise=Noise("known", 0.1)),
        Problem(grid),
        Problem(Domain.continuous(2), blocks=True),
    ):
        assert not may_be_wild(other)
        assert wild_among(other, History(other.domain), {}, Wild(again=3)) == NONE_WILD


def believed_likely(log_probability):
    """What a refit writes of its likeliest hypothesis, as far as it matters here."""
    return {"candidates": [{"log_probability": log_probability}]}


def test_results_are_wild_only_if_no_hypothesis_explains_them_as_well():
    history = History(PROBLEM.domain)
    for observation in observations(X, WILD):
        history.tell(observation)
    assert wild_among(PROBLEM, history, believed_likely(-80.0), NONE_WILD) == Wild(again=LUCKY)
    assert wild_among(PROBLEM, history, believed_likely(20.0), NONE_WILD) == NONE_WILD
    assert wild_among(PROBLEM, history, believed_likely(20.0), Wild(again=LUCKY)) == Wild(again=LUCKY)


def test_none_is_where_hypotheses_saw_values_that_were_only_foreseen():
    history = History(PROBLEM.domain)
    for observation in observations(X, WILD):
        history.tell(replace(observation, foreseen=observation.trial == 0))
    assert wild_among(PROBLEM, history, believed_likely(-80.0), NONE_WILD) == NONE_WILD


def test_a_result_that_does_not_come_out_again_leads_nowhere():
    algorithm = fitted(build("auto", noise=Noise()), X, WILD)
    (suggestion,) = algorithm.ask(1, [], AskKey(24, 24))
    assert suggestion.why["search"] == "again"
    assert np.abs(suggestion.point - X[LUCKY]).max() < 1e-5
    (beside,) = algorithm.ask(1, [suggestion.point], AskKey(25, 25))
    assert beside.why["search"] != "again", "once is enough while it runs"
    algorithm.tell([Observation(24, suggestion.point, smooth(X[LUCKY]))])
    algorithm.adopt(algorithm.compute_refit(2))
    history = algorithm._history
    assert np.flatnonzero(history.aside).tolist() == [UNLUCKY, LUCKY]
    assert not history.failed.any()
    assert history.highest < 2.0
    assert algorithm.insight().believed_best.trial != LUCKY
    assert algorithm.recommend(None).predicted.mean < 2.0
    assert "did not come out again: 2" in " ".join(algorithm.insight().notes)
