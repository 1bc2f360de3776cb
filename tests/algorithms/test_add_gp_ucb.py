"""Add-GP-UCB as a whole: it finds groups, explores each on its own, and keeps to groups that are known."""

import json

import numpy as np
import pytest
from additive_stories import PAIRS, built, optimise, pairs, told

from orchestrator.acquisition.factor_betas import theoretical_betas
from orchestrator.algorithms import registry
from orchestrator.algorithms.add_gp_ucb import AddGpUcbOptions
from orchestrator.algorithms.base import AskKey, Problem, Refit
from orchestrator.errors import SpecError
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.unit_cube.domain import Domain

POINTS = np.random.default_rng(0).random((60, 6))


def test_the_grouping_with_more_evidence_is_kept_and_last_times_is_not_forgotten():
    groups = set()
    algorithm = told(built("add-gp-ucb", 6, {"group_size": 2}), pairs, POINTS)
    for number in range(2, 6):
        refit = algorithm.compute_refit(number)
        assert refit.payload["weighed"] >= 6
        algorithm.adopt(refit)
        groups.add(tuple(map(tuple, algorithm.insight().decomposition)))
    assert tuple(map(tuple, algorithm.insight().decomposition)) == PAIRS
    assert algorithm.insight().probability == 1.0


def test_known_groups_are_kept_and_used():
    algorithm = built("add-gp-ucb", 6, factors=PAIRS)
    best, suggestion = optimise(algorithm, pairs, 38)
    assert suggestion.why["member"] == "1-4|2-5|3-6"
    assert best > 2.95


def test_each_group_is_maximised_alone_alike_by_direct_and_by_gradients():
    values = {}
    for maximiser in ("multistart", "direct"):
        algorithm = told(built("add-gp-ucb", 6, {"maximiser": maximiser}, factors=PAIRS), pairs, POINTS)
        (suggestion,) = algorithm.ask(1, [], AskKey(60, 60))
        acquisition = algorithm._judged(algorithm._belief, np.empty((0, 6))).objective
        values[maximiser] = float(acquisition.values(suggestion.point[None])[0])
    assert values["direct"] == pytest.approx(values["multistart"], rel=0.01)


def test_points_that_still_run_keep_the_next_ones_away():
    algorithm = told(built("add-gp-ucb", 6, factors=PAIRS), pairs, POINTS[:15])
    batch = np.array([s.point for s in algorithm.ask(4, [], AskKey(15, 15))])
    apart = np.linalg.norm(batch[:, None] - batch[None], axis=2)[np.triu_indices(4, 1)]
    assert apart.min() > 0.05


def test_theoretical_weights_explore_more():
    shares = []
    for beta in ("practical", "theoretical"):
        algorithm = told(built("add-gp-ucb", 6, {"beta": beta}, factors=PAIRS), pairs, POINTS)
        shares.append(algorithm.ask(1, [], AskKey(60, 60))[0].why["exploration"])
    assert shares[1] > shares[0]


def test_the_groups_bonuses_together_are_at_most_that_of_independent_deviations_unless_summed():
    graph, t = FactorGraph(((0, 1), (2,), (3, 4, 5)), 6), 50
    deviations = np.random.default_rng(1).random((200, 3))

    def bonuses(**chosen):
        betas = AddGpUcbOptions(**chosen).betas(t, lambda of: theoretical_betas(t, of))(graph)
        return deviations @ np.sqrt(betas)

    papers = 0.2 * np.array([2, 1, 3]) * np.log(2 * t)
    together = np.sqrt(deviations**2 @ papers)
    assert np.all(bonuses() <= together)
    assert bonuses(deviations="summed") == pytest.approx(deviations @ np.sqrt(papers))
    assert np.all(bonuses(deviations="summed") >= together)
    proven = deviations @ np.sqrt(theoretical_betas(t, graph))
    assert bonuses(beta="theoretical") == pytest.approx(proven)


def test_a_refit_written_to_json_and_read_again_is_adopted_alike_to_the_bit():
    asked = []
    refit = told(built("add-gp-ucb", 6), pairs, POINTS[:30]).compute_refit(1)
    for payload in (refit.payload, json.loads(json.dumps(dict(refit.payload)))):
        algorithm = told(built("add-gp-ucb", 6), pairs, POINTS[:30])
        algorithm.adopt(Refit(2, refit.observations, payload))
        asked.append(algorithm.ask(1, [], AskKey(30, 30))[0])
    assert np.array_equal(asked[0].point, asked[1].point)
    assert asked[0].predicted == asked[1].predicted


def test_a_refit_older_than_the_one_held_changes_nothing_and_one_from_the_future_is_refused():
    algorithm = told(built("add-gp-ucb", 6), pairs, POINTS)
    held = algorithm.insight()
    algorithm.adopt(Refit(1, 60, {}))
    assert algorithm.insight() == held
    with pytest.raises(ValueError, match="only 60 have been told"):
        algorithm.adopt(Refit(5, 61, {}))


@pytest.mark.parametrize(
    ("options", "problem", "words"),
    [
        ({}, {"factors": ((0, 1), (1, 2))}, "share no parameter"),
        ({}, {"factors": ((0, 1),)}, "no factor sees the parameters \\[2\\]"),
        ({}, {"factors": ((0, 1), (2, 7))}, "names \\[7\\]"),
        ({"group_size": 4}, {}, "group_size of at most 3"),
        ({"exploration": 0}, {}, "exploration"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(options, problem, words):
    with pytest.raises(SpecError, match=words):
        built("add-gp-ucb", 3, options, **problem)


def test_more_parameters_than_a_structure_can_be_learned_for_are_refused_unless_it_is_known():
    with pytest.raises(SpecError, match="at most 500 parameters"):
        registry.build("add-gp-ucb", Problem(Domain.continuous(501)))
    registry.build("add-gp-ucb", Problem(Domain.continuous(501), factors=tuple((j,) for j in range(501))))
