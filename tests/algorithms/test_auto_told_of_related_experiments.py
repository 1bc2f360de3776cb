"""What auto makes of the results of another experiment: it is tried, weighed, and believed as far as it is
right.
"""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from sequential_runs import EXACT, step

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem, Refit, RelatedResults
from orchestrator.algorithms.mixture.related_belief import (
    multiple_words,
    multiples,
    of_related,
    share_of_evidence,
)
from orchestrator.algorithms.mixture.related_experiments import RelatedExperiment, known_functions
from orchestrator.algorithms.mixture.sums_seen import seeing_sums
from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.sums import Sum

POINTS = np.random.default_rng(3).random((30, 2))
TOP = np.array([0.8, 0.3])


def hill(u, top=TOP):
    return float(np.exp(-8.0 * ((u - top) ** 2).sum()))


def results(function, points=POINTS):
    return RelatedResults(points, np.array([function(u) for u in points]))


ALIKE = results(lambda u: 50.0 + 7.0 * hill(u, TOP + 0.02))
OPPOSITE = results(lambda u: -3.0 * hill(u))
NOISE = RelatedResults(POINTS, np.random.default_rng(8).standard_normal(30))


def auto(*related, domain=None, seed=1):
    problem = Problem(domain or Domain.continuous(2), seed=seed, noise=EXACT, trials=20, related=related)
    return registry.build("auto", problem, {})


def after(algorithm, trials, objective=hill):
    """Told values at spread points, with one model of all of them."""
    rng = np.random.default_rng(6)
    for trial in range(trials):
        (point,) = algorithm._problem.domain.sample(1, rng)
        algorithm.tell([Observation(trial, point, objective(point))])
    algorithm.adopt(algorithm.compute_refit(1))
    return algorithm


@pytest.fixture(scope="module")
def told():
    return after(auto(ALIKE), 8)


def notes_of(algorithm):
    return " ".join(algorithm.insight().notes)


def test_the_first_trial_is_where_the_related_experiment_was_best():
    first = auto(ALIKE).ask(1, [], AskKey(1, 1))[0]
    assert np.array_equal(first.point, POINTS[np.argmax(ALIKE.values)])
    assert first.why == {"source": "start design", "related": 0}


def test_of_those_that_run_at_a_time_half_are_where_it_was_good_until_there_are_no_more_hills():
    whys = [one.why for one in auto(ALIKE).ask(5, [], AskKey(0, 0))]
    assert ["related" in why for why in whys] == [True, False, True, False, False]


def test_of_several_experiments_each_has_its_best_point_tried():
    chosen = auto(ALIKE, OPPOSITE).ask(4, [], AskKey(0, 0))
    assert [one.why.get("related") for one in chosen] == [0, None, 1, None]


def test_coordinates_that_it_did_not_have_are_those_of_a_spread_point():
    points = POINTS.copy()
    points[:, 1] = np.nan
    (first,) = auto(RelatedResults(points, ALIKE.values)).ask(1, [], AskKey(0, 0))
    assert first.point[0] == POINTS[np.argmax(ALIKE.values), 0]
    assert 0.0 <= first.point[1] <= 1.0


def test_what_is_alike_is_believed_with_the_sign_that_it_has(told):
    assert "values go up where those of the related experiment go up" in notes_of(told)
    assert share_of_evidence(told._learned.standing.considered) > 0.9
    # Deviations are of values at 8 points, and of 30 others.
    assert multiples(told._learned) == pytest.approx([1.0], abs=0.3)


def test_what_is_the_opposite_is_believed_as_that():
    assert "values go down where those of the related experiment go up" in notes_of(after(auto(OPPOSITE), 8))


def test_what_is_next_to_no_multiple_of_it_is_said_to_be_no_belief_in_it():
    assert multiple_words(-0.02, "that").endswith(
        "go down where those of that go up, by 0.02 deviations for"
        " each of its own: next to nothing of that is believed"
    )
    assert multiple_words(0.4, "that").endswith("by 0.4 deviations for each of its own")


def test_what_has_nothing_to_do_with_it_loses_its_say():
    algorithm = after(auto(NOISE), 14)
    assert share_of_evidence(algorithm._learned.standing.considered) < 0.5


@pytest.mark.searches
def test_what_has_nothing_to_do_with_it_costs_no_hill():
    algorithm = auto(NOISE)
    assert max(hill(step(algorithm, trial, hill).point) for trial in range(16)) > 0.99


def test_a_refit_that_is_read_again_is_adopted_to_the_bit(told):
    refit = told._learned.refit
    payload = json.loads(json.dumps(refit.payload))
    assert len(payload["related"]) == 1
    again = auto(ALIKE)
    for trial, (point, value) in enumerate(zip(told._history.points, told._history.values, strict=True)):
        again.tell([Observation(trial, point, value)])
    again.adopt(Refit(refit.number, refit.observations, payload))
    (first,), (second,) = (one.ask(1, [], AskKey(8, 8)) for one in (told, again))
    assert np.array_equal(first.point, second.point)
    assert first.predicted == second.predicted


def test_whoever_is_told_of_none_keeps_nothing_of_any():
    algorithm = after(auto(), 10)
    assert "related" not in algorithm._learned.refit.payload
    assert not any("related" in name for name, _ in algorithm._learned.standing.considered)


def test_functions_of_categories_and_of_some_coordinates_alone_are_learned():
    space = Space.from_description(
        {"x": (0.0, 1.0), "kind": {"type": "choice", "values": ["a", "b", "c"]}, "y": (0.0, 1.0)}
    )
    points = np.column_stack([POINTS[:, 0], space.domain.sample(30, np.random.default_rng(0))[:, 1]])
    points = np.column_stack([points, np.full(30, np.nan)])
    algorithm = auto(RelatedResults(points, -np.abs(points[:, 0] - 0.4)), domain=space.domain)
    after(algorithm, 8, lambda u: -abs(u[0] - 0.4) - 0.1 * u[2])
    (function,) = known_functions(algorithm._problem, algorithm._learned.standing.related)
    assert set(function.columns) == {0, 1, 2, 3}
    assert algorithm.ask(1, [], AskKey(8, 8))[0].why["source"] == "model"


def test_of_a_coordinate_that_never_changed_it_says_nothing():
    points = np.column_stack([POINTS[:, 0], np.full(30, 0.5)])
    related = RelatedResults(points, points[:, 0])
    experiment = RelatedExperiment.of(auto(related)._problem, related)
    assert list(experiment.columns) == [0]
    still = RelatedResults(points[:, ::-1][:, :1].repeat(2, axis=1), points[:, 0])
    assert list(RelatedExperiment.of(auto(still)._problem, still).columns) == [0, 1]


def test_of_many_results_the_best_and_300_in_all_are_seen():
    points = np.random.default_rng(4).random((900, 2))
    related = results(hill, points)
    experiment = RelatedExperiment.of(auto(related)._problem, related)
    assert len(experiment.values) == len(experiment.inputs) == 300
    assert set(np.sort(related.values)[-75:]) <= set(experiment.values)


def test_values_with_a_heavy_tail_are_seen_through_a_warp_and_others_as_they_are():
    def warp_of(function):
        related = results(function)
        return RelatedExperiment.of(auto(related)._problem, related).fitted()["scale"]["warp"]

    assert warp_of(lambda u: -np.exp(9.0 * u[0])) is not None
    assert warp_of(lambda u: np.sin(5.0 * u[0])) is None


def test_a_sum_is_seen_only_where_all_of_its_shares_are():
    problem = replace(auto(ALIKE)._problem, sums=(Sum(0.0, (0.5, 0.5)),))
    seen = seeing_sums(problem)
    assert list(RelatedExperiment.of(seen, ALIKE).columns) == [0, 1, 2]
    missing = RelatedResults(np.column_stack([POINTS[:, 0], np.full(30, np.nan)]), ALIKE.values)
    assert list(RelatedExperiment.of(seen, missing).columns) == [0]


def test_others_refuse_what_they_would_not_heed():
    problem = replace(Problem(Domain.continuous(2)), related=(ALIKE,))
    with pytest.raises(SpecError, match="that learns from related experiments"):
        registry.build("explore", problem, {})


def said_at(told, share, *related):
    """Where hypotheses that know of related experiments had such a share of the evidence."""
    learned = told._learned
    considered = (("joint", math.log(1.0 - share)), ("related joint", math.log(share)))
    standing = replace(learned.standing, considered=considered)
    problem = replace(learned.problem, related=related or learned.problem.related)
    return next(of_related(replace(learned, problem=problem, standing=standing)))


def test_what_has_less_than_a_twentieth_of_the_evidence_is_not_believed(told):
    assert said_at(told, 0.06) == (
        "hypotheses that know of the related experiment had 6 % of the evidence at 8 results"
    )
    assert said_at(told, 0.04).endswith(
        "had 4 % of the evidence at 8 results: the related experiment is not believed"
    )
    assert said_at(told, 0.04, ALIKE, NOISE).endswith(": the 2 related experiments are not believed")


def test_less_than_a_tenth_of_a_deviation_is_next_to_nothing():
    assert "next to nothing" in multiple_words(0.09, "that")
    assert "next to nothing" not in multiple_words(-0.11, "that")


def test_before_anything_is_weighed_nothing_is_said_of_it(told):
    standing = replace(told._learned.standing, considered=())
    assert not list(of_related(replace(told._learned, standing=standing)))


def test_what_was_found_of_it_is_not_looked_for_at_the_next_refit(told):
    (before,) = told._learned.refit.payload["related"]
    (after_it,) = told.compute_refit(2).payload["related"]
    assert after_it is before


def test_of_a_coordinate_that_some_of_its_results_did_not_have_it_says_nothing():
    points = POINTS.copy()
    points[3, 1] = np.nan
    related = RelatedResults(points, ALIKE.values)
    experiment = RelatedExperiment.of(auto(related)._problem, related)
    assert list(experiment.columns) == [0]


def test_where_it_has_nothing_but_what_never_changed_that_is_all_that_is_seen():
    related = RelatedResults(np.full((5, 2), 0.5), np.arange(5.0))
    assert list(RelatedExperiment.of(auto(related)._problem, related).columns) == [0, 1]


def test_noisy_results_of_it_are_smoothed_and_in_deviations_of_their_own():
    noise = 2.0 * np.random.default_rng(5).standard_normal(30)
    related = RelatedResults(POINTS, 500.0 + 10.0 * POINTS[:, 0] + noise)
    problem = auto(related)._problem
    experiment = RelatedExperiment.of(problem, related)
    found = experiment.known_function(experiment.fitted()).values(problem.domain.embed(POINTS))
    truth = (POINTS[:, 0] - POINTS[:, 0].mean()) * 10.0 / related.values.std()
    assert np.abs(found - truth).mean() < 0.6 * np.abs(noise).mean() / related.values.std()


def test_of_several_each_is_said_to_be_what_multiple_is_believed():
    notes = notes_of(after(auto(ALIKE, OPPOSITE), 6))
    assert all(f"where those of related experiment {number} go up" in notes for number in (1, 2))
