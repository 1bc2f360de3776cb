"""Models that answer questions are fitted once for the same results, and not for each question."""

import copy
import pickle

import pytest

from orchestrator import Optimiser
from orchestrator.sensitivity import fitted_mixture, held_out


@pytest.fixture
def fits(monkeypatch):
    """A list with an entry for each fit."""

    class Counted(fitted_mixture.AutoRefit):
        def compute(self):
            counted.append(self)
            return super().compute()

    counted = []
    monkeypatch.setattr(fitted_mixture, "AutoRefit", Counted)
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(1.0))
    return counted


@pytest.fixture
def heated():
    optimiser = Optimiser({"x": (0.0, 1.0)}, noise=0.0, outcomes=["heat"], constraints=["heat <= 60"])
    for i in range(6):
        optimiser.learn({"x": i / 5}, -((i / 5 - 0.3) ** 2), outcomes={"heat": 20.0 * i})
    return optimiser


def test_models_that_another_version_pickled_are_fitted_anew(heated, fits):
    first = heated.predict({"x": 0.5})
    kept = pickle.dumps(heated).replace(b"sensitivity.results_model", b"sensitivity.models_of_our")
    assert pickle.loads(kept).predict({"x": 0.5}) == first
    assert len(fits) == 4


def test_what_is_asked_again_is_answered_by_the_models_of_before(heated, fits):
    first = heated.predict({"x": 0.5})
    assert len(fits) == 2
    assert heated.predict({"x": 0.5}) == first
    heated.predict({"x": 0.6}, "heat")
    heated.sensitivity()
    heated.sensitivity("heat")
    heated.tolerance({"x": 0.1})
    assert len(fits) == 2
    for other in (pickle.loads(pickle.dumps(heated)), copy.deepcopy(heated), copy.copy(heated)):
        assert other.predict({"x": 0.5}) == first
        assert len(fits) == 2
    other.learn({"x": 0.5}, 3.0, outcomes={"heat": 50.0})
    assert heated.predict({"x": 0.5}) == first
    assert len(fits) == 2


def test_another_result_is_another_model(heated, fits):
    first = heated.predict({"x": 0.5})
    heated.learn({"x": 0.5}, 3.0, outcomes={"heat": 50.0})
    assert heated.predict({"x": 0.5}) != first
    assert len(fits) == 4
