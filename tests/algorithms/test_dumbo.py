"""DuMBO as a whole: structures weighed and mixed, decomposed outputs used, choices made by nodes anywhere."""

import math
from dataclasses import replace

import numpy as np
import pytest
from additive_stories import CHAIN, PAIRS, built, optimise, pairs, told, two_bowls

from orchestrator.acquisition.factor_betas import beta_of_the_total, finite_domain_betas
from orchestrator.acquisition.ucb import practical_beta
from orchestrator.algorithms import registry
from orchestrator.algorithms.additive.decentralised_algorithm import DecentralisedAlgorithm
from orchestrator.algorithms.additive.factor_functions import NEGLIGIBLE, mixed
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.dec_hbo import DecHboOptions
from orchestrator.algorithms.dumbo import DumboOptions
from orchestrator.report.explained.structure import OF_OWN_OUTPUTS
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.whole_numbers import WholeNumbers

POINTS = np.random.default_rng(0).random((70, 6))


def after_refits(algorithm, last):
    for number in range(2, last + 1):
        algorithm.adopt(algorithm.compute_refit(number))
    return algorithm


def test_the_structure_is_found_and_believed_in():
    algorithm = after_refits(told(built("dumbo", 6, {"evidences": 25}), pairs, POINTS), 4)
    insight = algorithm.insight()
    assert insight.decomposition == [[0, 3], [1, 4], [2, 5]]
    assert insight.probability > 0.6
    assert insight.weights["1-4|2-5|3-6"] == insight.probability
    assert sum(insight.weights.values()) == pytest.approx(1.0)


def test_results_move_the_weights_between_refits_by_how_well_they_were_predicted():
    algorithm = told(built("dumbo", 6, {"evidences": 12, "decompositions": 6}), pairs, POINTS[:30])
    before = algorithm.insight().weights
    assert len(before) > 1
    posteriors = [(h.posterior, h.weight) for h in algorithm._belief.hypotheses]
    x, y = POINTS[40], float(pairs(POINTS[40]).sum())
    z = algorithm._belief.standardisation.apply(np.array([y]))
    expected = np.array([w * np.exp(p.log_predictive(x[None], z)[0]) for p, w in posteriors])
    algorithm.tell([Observation(30, x, y)])
    after = sorted(algorithm.insight().weights.values(), reverse=True)
    assert after == pytest.approx(sorted(expected / expected.sum(), reverse=True), abs=1e-9)


def test_the_mixtures_acquisition_is_the_weighted_sum_of_its_members():
    algorithm = told(built("dumbo", 6, {"evidences": 12, "decompositions": 6}), pairs, POINTS[:30])
    hypotheses = algorithm._belief.hypotheses
    assert len(hypotheses) > 1

    def betas(graph):
        return np.full(graph.size, 2.0)

    X = np.random.default_rng(1).random((5, 6))
    expected = sum(h.weight * mixed([h], betas, coupled=True).objective.values(X) for h in hypotheses)
    assert mixed(hypotheses, betas, coupled=True).objective.values(X) == pytest.approx(expected, rel=1e-9)


def test_a_member_that_is_hardly_believed_in_has_no_nodes():
    algorithm = told(built("dumbo", 6, {"evidences": 12, "decompositions": 6}), pairs, POINTS[:30])
    leader, other = algorithm._belief.hypotheses[:2]

    def nodes(weight):
        doubted = [replace(leader, weight=1.0), replace(other, weight=weight)]
        return mixed(doubted, lambda graph: np.full(graph.size, 2.0), coupled=True).graph.size

    assert nodes(2.0 * NEGLIGIBLE) == leader.posterior.graph.size + other.posterior.graph.size
    assert nodes(0.5 * NEGLIGIBLE) == leader.posterior.graph.size


def test_known_factors_that_overlap_lead_to_the_top():
    best, suggestion = optimise(built("dumbo", 3, factors=CHAIN), two_bowls, 25)
    assert best > -1e-3
    assert suggestion.why["member"] == "1-2|2-3"
    assert suggestion.why["ADMM rounds"] > 0


def test_decomposed_outputs_tell_more_than_their_sum():
    test_points = np.random.default_rng(5).random((200, 6))
    truth = np.array([pairs(x).sum() for x in test_points])
    errors = {}
    for with_terms in (False, True):
        algorithm = told(built("dumbo", 6, factors=PAIRS), pairs, POINTS[:40], with_terms)
        belief = algorithm._belief
        mean, _ = belief.mean_and_variance(test_points)
        errors[with_terms] = float(np.sqrt(np.mean((belief.standardisation.undo(mean) - truth) ** 2)))
    assert errors[True] < 0.5 * errors[False]


def test_predictions_from_decomposed_outputs_are_in_the_objectives_units():
    def large(point):
        return 1e3 * pairs(point) + [0.0, 500.0, 2e4]

    algorithm = told(built("dumbo", 6, factors=PAIRS), large, POINTS, with_terms=True)
    (suggestion,) = algorithm.ask(1, [], AskKey(70, 70))
    truth = float(large(suggestion.point).sum())
    assert suggestion.predicted.mean == pytest.approx(truth, abs=5 * suggestion.predicted.deviation + 1)
    assert suggestion.predicted.deviation < 500
    assert any("its own output" in note for note in algorithm.insight().notes)


def test_rows_of_outputs_that_do_not_fit_the_factors_are_summed_and_said_so():
    algorithm = built("dumbo", 6, factors=PAIRS)
    for trial, point in enumerate(POINTS[:12]):
        algorithm.tell([Observation(trial, point, float(pairs(point).sum()), factors=np.array([1.0, 2.0]))])
    algorithm.adopt(algorithm.compute_refit(1))
    assert algorithm.ask(1, [], AskKey(12, 12))[0].why["source"] == "model"
    assert any("do not match the known factors" in note for note in algorithm.insight().notes)


def test_one_result_without_outputs_or_with_others_is_not_said_to_be_several():
    algorithm = built("dumbo", 6, factors=PAIRS)
    told(algorithm, pairs, POINTS[:11], with_terms=True)
    algorithm.tell([Observation(11, POINTS[11], 1.0, factors=np.array([1.0, 2.0]))])
    algorithm.adopt(algorithm.compute_refit(2))
    notes = algorithm.insight().notes
    assert "results without factor outputs, left out of the model: 1" in notes
    as_they_came = "as they came with factor outputs that do not match the known factors: 1"
    assert f"results whose totals are used, {as_they_came}" in notes


def test_outputs_that_are_of_something_else_than_the_value_are_not_learned_from():
    algorithm = built("dumbo", 6, factors=PAIRS)
    for trial, point in enumerate(POINTS[:30]):
        terms = pairs(point)
        algorithm.tell([Observation(trial, point, float(terms.sum()), factors=terms * [1.0, -1.0, 9.0])])
    algorithm.adopt(algorithm.compute_refit(1))
    assert "do not add up to the values" in " ".join(algorithm.insight().notes)
    honest = built("dumbo", 6, factors=PAIRS)
    told(honest, pairs, POINTS[:30])
    assert algorithm.ask(1, [], AskKey(30, 30))[0].point.tolist() == (
        honest.ask(1, [], AskKey(30, 30))[0].point.tolist()
    )


def test_outputs_that_add_up_but_for_a_constant_are_learned_from():
    algorithm = built("dumbo", 6, factors=PAIRS)
    for trial, point in enumerate(POINTS[:30]):
        terms = pairs(point)
        algorithm.tell([Observation(trial, point, float(terms.sum()) + 100.0, factors=terms)])
    algorithm.adopt(algorithm.compute_refit(1))
    notes = " ".join(algorithm.insight().notes)
    assert OF_OWN_OUTPUTS in notes
    assert "add up" not in notes


def test_what_outputs_add_up_to_but_for_a_constant_is_predicted_with_it():
    algorithm = built("dumbo", 6, factors=PAIRS)
    for trial, point in enumerate(POINTS):
        terms = pairs(point)
        algorithm.tell([Observation(trial, point, float(terms.sum()) + 100.0, factors=terms)])
    algorithm.adopt(algorithm.compute_refit(1))
    (suggestion,) = algorithm.ask(1, [], AskKey(70, 70))
    truth = float(pairs(suggestion.point).sum()) + 100.0
    assert suggestion.predicted.mean == pytest.approx(truth, abs=5 * suggestion.predicted.deviation + 1e-3)


@pytest.mark.parametrize("deviation", [1e-4, 0.3])
def test_noise_of_one_output_counts_by_how_much_it_is_of_their_sum(deviation):
    rng = np.random.default_rng(6)

    def terms(point):
        return np.array([two_bowls(point)[0], deviation * rng.standard_normal()])

    algorithm = told(built("dumbo", 3, factors=((0, 1), (2,))), terms, POINTS[:30, :3], with_terms=True)
    insight = algorithm.insight()
    assert insight.hyperparameters["output 2, of 3"]["noise_variance"] > 0.1
    assert (insight.believed_best is None) == (deviation < 0.01)


def test_failures_and_rows_without_outputs_are_borne_among_decomposed_ones():
    algorithm = built("dumbo", 6, factors=PAIRS)
    for trial, point in enumerate(POINTS[:24]):
        parts = pairs(point)
        value = None if trial % 6 == 5 else float(parts.sum())
        algorithm.tell([Observation(trial, point, value, factors=parts if trial % 4 else None)])
        if trial == 15:
            algorithm.adopt(algorithm.compute_refit(1))
    assert algorithm.ask(2, [], AskKey(24, 24))[1].why["source"] == "model"
    assert any("left out of the model" in note for note in algorithm.insight().notes)


@pytest.mark.parametrize("with_terms", [False, True], ids=["totals", "decomposed outputs"])
def test_nodes_in_processes_of_their_own_choose_the_same_point(with_terms):
    asked = {}
    for nodes in ("in-process", "processes"):
        algorithm = built("dumbo", 3, {"nodes": nodes}, factors=CHAIN)
        told(algorithm, two_bowls, np.random.default_rng(2).random((20, 3)), with_terms)
        try:
            asked[nodes] = algorithm.ask(1, [np.array([0.5, 0.5, 0.5])], AskKey(20, 20))
        finally:
            algorithm.close()
    for here, there in zip(*asked.values(), strict=True):
        assert np.array_equal(here.point, there.point)
        assert here.why == there.why


def test_the_practical_schedule_explores_half_as_far_and_the_theoretical_one_as_the_theorem_has_it():
    graph, t = FactorGraph(((0, 1), (2,)), 3), 50

    def betas(**chosen):
        theoretical = finite_domain_betas(t, graph, 10.0, 0.1)
        return DumboOptions(**chosen).betas(t, lambda _: theoretical)(graph), theoretical

    practical, _ = betas()
    assert np.sqrt(practical) == pytest.approx([0.5 * math.sqrt(practical_beta(t, 1))] * 2)
    by_size = DecHboOptions().betas(t, lambda _: np.zeros(2))(graph)
    assert by_size == pytest.approx([0.25 * practical_beta(t, 2), 0.25 * practical_beta(t, 1)])
    bold, _ = betas(exploration=2.0)
    assert np.sqrt(bold) == pytest.approx(2.0 * np.sqrt(practical))
    proven, theoretical = betas(beta="theoretical")
    assert np.array_equal(proven, theoretical)


CATEGORIES = Coordinate("categorical", tuple((np.arange(5) + 0.5) / 5))
TWO_NUMBERS = Coordinate("ordinal", (0.25, 0.75))
THOUSAND_NUMBERS = Coordinate(whole=WholeNumbers(1, 1000))


@pytest.mark.parametrize(
    ("coordinates", "points"),
    [
        ((CATEGORIES, TWO_NUMBERS, CATEGORIES), 50),
        ((CATEGORIES, THOUSAND_NUMBERS, TWO_NUMBERS), 10_000),
        ((CATEGORIES, Coordinate(), Coordinate()), 5 * 33 * 33),
    ],
)
def test_the_theorems_count_the_points_of_a_domain_and_of_a_continuous_parameter_so_many(coordinates, points):
    domain, graph, t = Domain(coordinates), FactorGraph(CHAIN, 3), 31
    expected = {
        "dec-hbo": finite_domain_betas(t, graph, math.log(points)),
        "dumbo": np.full(2, beta_of_the_total(t, math.log(points))),
    }
    for name, betas in expected.items():
        algorithm = registry.build(name, Problem(domain, factors=CHAIN), {"beta": "theoretical"})
        told(algorithm, two_bowls, domain.sample(t - 1, np.random.default_rng(0)))
        assert isinstance(algorithm, DecentralisedAlgorithm)
        acquisition = algorithm._acquisition(algorithm._belief, t)
        assert [f.weight**2 for f in acquisition.factors] == pytest.approx(betas)
