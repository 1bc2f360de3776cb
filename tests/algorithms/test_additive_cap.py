"""However many results there are, an additive algorithm holds some hundreds of them: asks stay affordable."""

import json

import numpy as np
import pytest
from additive_stories import built, pairs

from orchestrator.algorithms.additive import results as additive_results
from orchestrator.algorithms.base import AskKey, Observation, Refit

PAIRS = ((0, 3), (1, 4), (2, 5))
LARGEST = 40
POINTS = np.random.default_rng(0).random((130, 6))
TERMS = np.array([pairs(x) for x in POINTS])
NAMES = ["add-gp-ucb", "add-mes", "dec-hbo", "dumbo"]
QUICK = {"outputs": "plain", "length_scales": "shared"}


@pytest.fixture(autouse=True)
def few_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if 500 results were 40, so that the tests are quick."""
    monkeypatch.setattr(additive_results, "LARGEST", LARGEST)


def observation(trial: int, with_terms: bool = False) -> Observation:
    value = None if trial % 9 == 4 else float(TERMS[trial].sum())
    return Observation(trial, POINTS[trial], value, factors=TERMS[trial] if with_terms else None)


def driven(name: str, refits: dict[int, Refit], results: int, batch: int = 1):
    """After so many results, with each refit adopted when so many are told, computed if it is not there."""
    algorithm = built(name, 6, QUICK, factors=PAIRS)
    begun = 0
    for stop in [*sorted(refits), results]:
        for start in range(begun, stop, batch):
            algorithm.tell([observation(t) for t in range(start, min(start + batch, stop))])
        begun = stop
        if stop in refits:
            number = sorted(refits).index(stop) + 1
            refits[stop] = refits[stop] or algorithm.compute_refit(number)
            journalled = json.loads(json.dumps(dict(refits[stop].payload)))
            algorithm.adopt(Refit(number, refits[stop].observations, journalled))
    return algorithm


def held(algorithm) -> np.ndarray:
    """(n, D) the points that the model is made of."""
    return algorithm._belief.hypotheses[0].posterior.total.inputs


@pytest.mark.parametrize("name", NAMES)
def test_beyond_its_size_the_best_and_a_draw_of_the_rest_are_held_and_what_is_told_since(name):
    algorithm = driven(name, {100: None}, 103)
    inputs = held(algorithm)
    assert len(inputs) == LARGEST + 3
    kept = {x.tobytes() for x in inputs}
    values = [-np.inf if t % 9 == 4 else TERMS[t].sum() for t in range(100)]
    assert all(POINTS[t].tobytes() in kept for t in np.argsort(values)[-LARGEST // 4 :])
    assert any(POINTS[t].tobytes() in kept for t in np.argsort(values)[:50])
    assert f"of which {LARGEST} at most are kept" in algorithm.insight().notes[0]
    assert algorithm.ask(1, [], AskKey(9, 200))[0].why["source"] == "model"


def test_the_draw_is_another_one_at_every_refit():
    algorithm = driven("add-gp-ucb", {100: None}, 100)
    before = held(algorithm)
    algorithm.adopt(algorithm.compute_refit(2))
    assert not np.array_equal(before, held(algorithm))


def test_up_to_its_size_all_are_held():
    algorithm = driven("add-gp-ucb", {LARGEST: None}, LARGEST)
    np.testing.assert_array_equal(held(algorithm), POINTS[:LARGEST])
    assert "kept" not in algorithm.insight().notes[0]


@pytest.mark.parametrize("name", ["add-gp-ucb", "dec-hbo"])
def test_in_batches_or_one_by_one_or_resumed_it_believes_and_asks_the_same(name):
    refits: dict[int, Refit] = {60: None, 110: None}
    live = driven(name, refits, 120)
    for batch in (1, 7):
        again = driven(name, refits, 120, batch)
        assert np.array_equal(held(live), held(again))
        assert live.insight() == again.insight()
        (a,), (b,) = (algorithm.ask(1, [], AskKey(1, 200)) for algorithm in (live, again))
        assert np.array_equal(a.point, b.point)
        assert a.predicted == b.predicted


def test_of_decomposed_outputs_as_many_are_held():
    algorithm = built("dumbo", 6, QUICK, factors=PAIRS)
    algorithm.tell([observation(t, with_terms=t % 3 > 0) for t in range(120)])
    algorithm.adopt(algorithm.compute_refit(1))
    terms = algorithm._belief.hypotheses[0].posterior
    assert [len(term) for term in terms._terms] == [LARGEST] * 3
    assert algorithm.ask(1, [], AskKey(9, 200))[0].why["source"] == "model"
