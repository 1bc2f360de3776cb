"""The belief behind the single-model algorithms: learned one by one or at once, bounded, and begun anew."""

import json

import numpy as np
import pytest
from sequential_runs import observations

from orchestrator.algorithms.base import Noise, Observation, Problem, Refit
from orchestrator.algorithms.gaussian_process import belief as gp_belief
from orchestrator.algorithms.gaussian_process.belief import GpBelief, Schedule
from orchestrator.algorithms.gaussian_process.fitters import Drawn, Likeliest
from orchestrator.algorithms.gaussian_process.kernel_dictionary import templates
from orchestrator.algorithms.history import History
from orchestrator.unit_cube.domain import Domain

X = np.random.default_rng(0).random((60, 2))
Y = np.sin(5 * X[:, 0]) + X[:, 1]
SOMEWHERE = np.random.default_rng(1).random((7, 2))


class Told:
    """A belief with its history."""

    def __init__(self, fitter=None, noise=None, wait=10):
        problem = Problem(Domain.continuous(2), seed=3, noise=noise or Noise())
        self.history = History(problem.domain)
        fitter = fitter or Likeliest(templates(("matern-5/2-ard",)))
        self.belief = GpBelief(problem, self.history, fitter, Schedule(5, lambda _: wait), "test")

    def tell(self, told):
        for observation in told:
            self.history.tell(observation)
            self.belief.learn(len(self.history) - 1)
        return self

    def predicted(self):
        mean, variance = self.belief.posterior.mean_and_variance(SOMEWHERE)
        return [self.belief.predict(float(m), float(v)) for m, v in zip(mean, variance, strict=True)]


def test_results_learned_one_by_one_after_a_refit_are_results_it_was_made_of():
    told = observations(X, Y)
    early, late = Told().tell(told[:20]), Told().tell(told[:20])
    refit = early.belief.compute_refit(1)
    assert early.belief.adopt(refit)
    early.tell(told[20:])
    late.tell(told[20:])
    assert late.belief.adopt(refit)
    for a, b in zip(early.predicted(), late.predicted(), strict=True):
        assert (a.mean, a.deviation) == (b.mean, b.deviation)
    at_once = Told().tell(told)
    payload = dict(refit.payload)
    assert at_once.belief.adopt(Refit(1, 60, payload))
    for a, b in zip(early.predicted(), at_once.predicted(), strict=True):
        assert a.mean == pytest.approx(b.mean, abs=1e-8)
        assert a.deviation == pytest.approx(b.deviation, abs=1e-8)


def test_a_refit_survives_json_to_the_bit():
    belief = Told().tell(observations(X[:20], Y[:20]))
    refit = belief.belief.compute_refit(1)
    copy = Refit(1, 20, json.loads(json.dumps(dict(refit.payload))))
    other = Told().tell(observations(X[:20], Y[:20]))
    belief.belief.adopt(refit)
    other.belief.adopt(copy)
    assert belief.predicted() == other.predicted()


def test_beyond_its_size_the_best_and_a_draw_of_the_rest_are_kept(monkeypatch):
    monkeypatch.setattr(gp_belief, "LARGEST", 30)
    told = Told().tell(observations(X, Y))
    told.belief.adopt(told.belief.compute_refit(1))
    assert len(told.belief.posterior) == 30
    inputs = {x.tobytes() for x in told.belief.posterior.inputs}
    assert all(X[i].tobytes() in inputs for i in np.argsort(-Y)[:7])
    again = Told().tell(observations(X, Y))
    again.belief.adopt(again.belief.compute_refit(1))
    assert told.predicted() == again.predicted()
    told.tell([Observation(99, np.array([0.5, 0.5]), 1.0)])
    assert len(told.belief.posterior) == 31


def test_refits_are_due_after_the_start_design_and_then_on_schedule():
    told = Told(wait=4)
    due = []
    for observation in observations(X[:16], Y[:16]):
        told.tell([observation])
        if (number := told.belief.refit_due()) is not None:
            due.append((number, len(told.history)))
            told.belief.adopt(told.belief.compute_refit(number))
    assert due == [(1, 5), (2, 9), (3, 13)]


def test_after_a_new_beginning_only_what_comes_then_counts_and_older_refits_are_refused():
    told = Told().tell(observations(X[:20], Y[:20]))
    old = told.belief.compute_refit(1)
    told.belief.begin_anew()
    assert not told.belief.ready
    assert told.belief.refit_due() is None
    told.tell(observations(X[20:30], Y[20:30]))
    assert not told.belief.adopt(old)
    assert told.belief.adopt(told.belief.compute_refit(told.belief.refit_due()))
    np.testing.assert_array_equal(told.belief.posterior.inputs, X[20:30])


def test_a_failure_is_an_average_result_and_reported_noise_is_kept():
    told = Told(noise=Noise("reported"))
    points = observations(X[:12], Y[:12])
    told.tell(points)
    told.tell(
        [
            Observation(20, np.array([0.9, 0.1]), None),
            Observation(21, np.array([0.1, 0.9]), 1.0, variance=4.0),
        ]
    )
    told.belief.adopt(told.belief.compute_refit(1))
    posterior = told.belief.posterior
    assert posterior.values[12] == 0.0
    scale = told.belief.fitted.standardisation.scale
    assert posterior.noise_variances[13] == pytest.approx(4.0 / scale**2)
    assert posterior.noise_variance == 0.0


def test_several_hypotheses_are_learned_together():
    told = Told(Likeliest(templates(("rbf", "matern-3/2")))).tell(observations(X[:20], Y[:20]))
    told.belief.adopt(told.belief.compute_refit(1))
    told.tell(observations(X[20:25], Y[20:25]))
    assert [len(p) for p in told.belief.fitted.posteriors] == [25, 25]
    assert list(told.belief.hyperparameters) == ["rbf", "matern-3/2"]


def test_drawn_hyperparameters_differ_from_one_another_and_go_on_at_the_next_refit():
    told = Told(Drawn(4)).tell(observations(X[:20], Y[:20]))
    told.belief.adopt(told.belief.compute_refit(1))
    first = [own.length_scales[0] for own in told.belief.fitted.hyperparameters]
    assert len(set(first)) > 1
    told.belief.adopt(told.belief.compute_refit(2))
    assert [own.length_scales[0] for own in told.belief.fitted.hyperparameters] != first


def test_a_refit_from_the_future_is_refused_with_what_to_do():
    told = Told().tell(observations(X[:20], Y[:20]))
    refit = told.belief.compute_refit(1)
    with pytest.raises(ValueError, match="only 20 have been told; tell them"):
        told.belief.adopt(Refit(1, 21, refit.payload))
    with pytest.raises(ValueError, match="adopt a refit first"):
        _ = told.belief.posterior
