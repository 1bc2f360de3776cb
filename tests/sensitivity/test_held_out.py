"""By how much bounds are stretched: by results that models have not seen, and never to less than they say."""

from __future__ import annotations

import pickle
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.mixture.hypotheses import Found, Hypothesis
from orchestrator.algorithms.mixture.hypothesis_fitter import HypothesisFitter
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.sensitivity import held_out
from orchestrator.sensitivity import measured as what_was_measured
from orchestrator.sensitivity.fitted_mixture import _again
from orchestrator.sensitivity.held_out import MOST, MOST_HELD, asked_for, checked, fifths_of
from orchestrator.sensitivity.kept_models import KeptModels
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.unit_cube.domain import Domain

LINE = Domain.continuous(1)


def waves(count: int, *, noise: float = 0.0, reported: float = 0.0) -> Measured:
    """At positions that lie evenly, with noise of which as much may be reported."""
    rng = np.random.default_rng(3)
    points = ((np.arange(count) + 0.5) / count)[:, None]
    values = np.sin(9.0 * points[:, 0]) + noise * rng.standard_normal(count)
    return Measured(points, values, np.full(count, reported**2))


def problem(noise: float) -> Problem:
    return Problem(LINE, seed=1, noise=Noise("known", noise))


def test_models_that_are_as_unsure_as_they_err_are_taken_at_their_word() -> None:
    assert 1.0 <= fifths_of(problem(0.3), waves(24, noise=0.3)).stretch < 2.0
    assert 1.0 <= fifths_of(problem(0.0), waves(12)).stretch < 2.0


def test_models_that_are_surer_than_results_they_have_not_seen_allow_are_stretched() -> None:
    measured = waves(24, noise=0.3)
    model = checked(problem(0.03), measured)
    assert 1.5 < model.stretch < MOST
    alone = replace(model, stretch=1.0)
    place = np.array([[0.51]])
    low, high = (model.believed(place).quantile(share)[0] for share in (0.05, 0.95))
    least, most = (alone.believed(place).quantile(share)[0] for share in (0.05, 0.95))
    assert high - low == pytest.approx(model.stretch * (most - least))


def test_of_few_results_a_part_is_modelled_as_if_there_were_no_others() -> None:
    measured = waves(24, noise=0.3)
    model, rest = ResultsModel.fitted(problem(0.03), measured), measured.at(np.arange(0, 24, 2))
    assert (
        ResultsModel.fitted(problem(0.03), rest, model).hypotheses
        == ResultsModel.fitted(problem(0.03), rest).hypotheses
    )


def test_of_more_results_the_likeliest_hypotheses_alone_are_fitted_without_a_fifth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured = waves(42)
    model = ResultsModel.fitted(problem(0.0), measured)
    fit, fits = HypothesisFitter.fit, list[bool]()

    def counted(*arguments: Any) -> Found:
        fits.append(True)
        return fit(*arguments)

    monkeypatch.setattr(HypothesisFitter, "fit", counted)
    assert 1.0 <= fifths_of(problem(0.0), measured, model).stretch < 2.0
    assert len(fits) == 5 * len(model.standing.candidates)


def test_where_a_decomposition_was_found_hypotheses_are_weighed_without_a_fifth_again() -> None:
    joint = Hypothesis("joint", "rbf", False, False)
    plain = Standing((Found(joint, Hyperparameters((0.3,), 1.0, 0.0), 0.0),))
    factors = AdditiveHyperparameters(((0,),), (0.3,), (1.0,), 0.0)
    found = replace(plain, candidates=(Found(replace(joint, form="factors"), factors, 0.0),))
    assert _again(plain, problem(0.0), 40).weighed == 40
    assert _again(found, problem(0.0), 40).weighed < 0
    assert _again(found, replace(problem(0.0), factors=[[0]]), 40).weighed == 40


def test_results_of_other_blocks_are_other_results() -> None:
    kept, measured = KeptModels(), waves(4)
    blocks = {block: replace(measured, blocks=tuple(block)) for block in ("aabb", "abab")}
    models = [kept.fitted(problem(0.0), blocks[block]) for block in ("aabb", "abab", "aabb")]
    assert models[0] is models[2]
    assert models[0] is not models[1]


def test_models_that_a_version_pickled_which_kept_less_of_their_fit_are_fitted_anew() -> None:
    kept, measured = KeptModels(), waves(8)
    model = kept.fitted(problem(0.0), measured)
    for key in kept._fitted:
        kept._fitted[key] = replace(model, standing=())  # type: ignore[arg-type]
    again = pickle.loads(pickle.dumps(kept)).fitted(problem(0.0), measured)
    assert again.hypotheses == model.hypotheses
    assert again.standing == model.standing


def test_noise_that_results_report_is_no_error_of_the_models() -> None:
    told = Problem(LINE, seed=1, noise=Noise("reported"))
    assert fifths_of(told, waves(24, noise=0.3, reported=0.3)).stretch < 2.0


def test_of_many_results_no_more_are_held_out_than_one_who_asks_waits_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fitted, seen = ResultsModel.fitted, []

    def noted(asked: Problem, measured: Measured, _: object) -> ResultsModel:
        seen.append(len(measured))
        return fitted(asked, measured.at(np.arange(10)))

    monkeypatch.setattr(ResultsModel, "fitted", noted)
    fifths_of(problem(0.3), waves(2 * MOST_HELD, noise=0.3))
    assert seen == [MOST_HELD * 4 // 5] * 5


def test_where_enough_are_in_no_model_these_are_held_against_it_and_nothing_is_fitted_besides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert held_out.MANY == what_was_measured.MOST_RESULTS + MOST_HELD
    monkeypatch.setattr(what_was_measured, "MOST_RESULTS", 24)
    monkeypatch.setattr(held_out, "MANY", 100)
    fitted, fits = ResultsModel.fitted, []

    def noted(asked: Problem, measured: Measured) -> ResultsModel:
        fits.append(len(measured))
        return fitted(asked, measured)

    monkeypatch.setattr(ResultsModel, "fitted", noted)
    surer = checked(problem(0.03), waves(100, noise=0.3), noted)
    assert (len(fits), surer.modelled) == (1, 24)
    assert 1.5 < surer.stretch < MOST
    measured = waves(100, noise=0.3)
    values = np.where(np.arange(100) % 9, measured.values, -1e9)
    assert 1.0 <= checked(problem(0.3), measured, noted).stretch < 2.0
    broken = Measured(measured.points, values, measured.variances)
    assert 1.0 <= checked(problem(0.3), broken, noted).stretch < 2.0
    seen = {float(one) for one in measured.modelled(problem(0.3)).points[:, 0]}
    others = measured.unseen(problem(0.3), 50)
    assert len(others) == 50
    assert not seen & {float(one) for one in others.points[:, 0]}


def test_results_that_crowd_say_little_of_places_that_are_less_known() -> None:
    missed = np.concatenate([np.full(30, 5.0), np.linspace(0.1, 1.0, 10)])
    assert asked_for(missed, np.ones(40)) == 5.0
    assert asked_for(missed, np.concatenate([np.full(30, 1e-4), np.ones(10)])) == pytest.approx(1.0)


def test_nine_tenths_and_one_more_lie_within_and_of_nine_or_fewer_all() -> None:
    missed = np.random.default_rng(0).permutation(np.arange(1.0, 41.0))
    assert asked_for(missed, np.ones(40)) == 37.0
    assert asked_for(missed[:9], np.ones(9)) == missed[:9].max()
    assert asked_for(missed, np.zeros(40)) == 37.0


def test_a_penalty_that_stands_for_a_failure_is_no_result_that_models_missed() -> None:
    measured = waves(24, noise=0.05)
    values = measured.values.copy()
    values[[3, 17]] = -1e9
    broken = Measured(measured.points, values, measured.variances)
    assert checked(problem(0.05), broken).stretch < 2.0


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0], [5.0] * 4, [1e150, -1e150, 0.0, 2.0]])
def test_few_results_or_strange_ones_are_no_reason_to_break(values: list[float]) -> None:
    points = ((np.arange(len(values)) + 0.5) / len(values))[:, None]
    stretch = checked(problem(0.0), Measured(points, np.array(values), np.zeros(len(values)))).stretch
    assert 1.0 <= stretch <= MOST


def test_a_huge_value_that_models_are_sure_of_is_missed_by_the_most_and_warns_of_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sure(_: Problem, others: Measured) -> Any:
        return SimpleNamespace(quantile=lambda _: np.zeros(len(others)))

    monkeypatch.setattr(ResultsModel, "fitted", lambda *_: SimpleNamespace(believed_of=sure))
    problem = Problem(LINE)
    huge = Measured(np.linspace(0.0, 1.0, 6)[:, None], np.full(6, 1e150), np.zeros(6))
    with np.errstate(all="raise"):
        assert fifths_of(problem, huge).stretch == MOST


def test_of_bounds_that_are_as_wide_the_factor_is_the_one_whose_rank_nine_in_ten_ask_for() -> None:
    for count in range(10, 121):
        rank = -(-9 * (count + 1) // 10)
        assert asked_for(np.arange(1.0, count + 1.0), np.full(count, 0.37)) == min(rank, count)
