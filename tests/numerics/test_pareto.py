"""What values traded off against each other leave undominated: a front, its volume, the rest in boxes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.numerics import pareto
from orchestrator.numerics.pareto import hypervolume, non_dominated, undominated_boxes

COARSE = st.lists(st.integers(0, 6), min_size=4, max_size=4)


def points(count, objectives, seed):
    """On a curved front, in no order."""
    drawn = np.abs(np.random.default_rng(seed).standard_normal((count, objectives)))
    return drawn / np.linalg.norm(drawn, axis=1)[:, None]


@given(st.lists(COARSE, min_size=1, max_size=30))
def test_a_point_stays_unless_another_is_as_good_in_all_and_better_in_one_or_came_first(told):
    values = np.array(told, dtype=float)
    for i, own in enumerate(values):
        beaten = [
            j
            for j, other in enumerate(values)
            if j != i and (other >= own).all() and ((other > own).any() or j < i)
        ]
        assert non_dominated(values)[i] == (not beaten)


@given(st.lists(COARSE, min_size=0, max_size=12), st.integers(1, 4))
def test_the_boxes_hold_each_undominated_point_once_and_nothing_else(told, objectives):
    front = np.array(told, dtype=float).reshape(-1, 4)[:, :objectives]
    reference = np.array([1.0, 2.0, 0.0, 1.5])[:objectives]
    lower, upper = undominated_boxes(front, reference)
    assert (lower < upper).all()
    rng = np.random.default_rng(0)
    for point in rng.uniform(-0.5, 8.0, (200, objectives)):
        undominated = (point > reference).all() and not (front >= point).all(axis=1).any()
        inside = (lower < point).all(axis=1) & (point <= upper).all(axis=1)
        assert inside.sum() == undominated


@pytest.mark.parametrize(("objectives", "boxes"), [(2, 31), (3, 61)])
def test_there_are_few_boxes(objectives, boxes):
    lower, upper = undominated_boxes(points(30, objectives, 1), np.zeros(objectives))
    assert lower.shape == upper.shape == (boxes, objectives)


def test_of_four_objectives_each_point_has_the_others_cut_into_boxes_once_at_most(monkeypatch):
    """And three are not cut by two: fronts of four grow to hundreds of points."""
    cut = []

    def counted(front, reference):
        cut.append(len(reference))
        return undominated_boxes(front, reference)

    monkeypatch.setattr(pareto, "undominated_boxes", counted)
    lower, _ = undominated_boxes(points(60, 4, 5), np.zeros(4))
    assert len(lower) > 60
    assert set(cut) == {3}
    assert len(cut) <= 61


def test_where_a_point_changes_nothing_in_the_others_they_are_not_cut_anew(monkeypatch):
    cut = []

    def counted(front, reference):
        cut.append(len(front))
        return undominated_boxes(front, reference)

    monkeypatch.setattr(pareto, "undominated_boxes", counted)
    front = np.array([[2.0, 2.0, 2.0, 3.0], [2.0, 1.0, 1.0, 2.0], [3.0, 1.0, 1.0, 1.0]])
    lower, upper = undominated_boxes(front, np.zeros(4))
    assert cut == [0, 1, 2]
    assert not ((lower < 0.5) & (upper >= 0.5)).all(axis=1).any()


@pytest.mark.parametrize("objectives", [1, 2, 3, 4])
def test_what_is_dominated_and_what_is_not_fill_the_space(objectives):
    front, reference = points(12, objectives, 2), np.full(objectives, 0.1)
    lower, upper = undominated_boxes(front[non_dominated(front)], reference)
    free = (np.minimum(upper, 2.0) - np.minimum(lower, 2.0)).prod(axis=1).sum()
    assert free + hypervolume(front, reference) == pytest.approx(1.9**objectives, rel=1e-12)


def test_the_volume_is_that_of_the_union_of_what_each_point_dominates():
    front, reference = points(8, 3, 3), np.full(3, 0.2)
    drawn = np.random.default_rng(4).uniform(0.2, 1.0, (200_000, 3))
    dominated = (front[:, None, :] >= drawn).all(axis=2).any(axis=0).mean() * 0.8**3
    assert hypervolume(front, reference) == pytest.approx(dominated, abs=0.004)


def test_what_is_not_above_the_reference_everywhere_adds_nothing():
    front = np.array([[0.9, 0.1], [0.5, 0.6], [0.1, 0.9]])
    assert hypervolume(front, np.array([0.2, 0.2])) == pytest.approx(0.3 * 0.4)
    assert hypervolume(front[:1], np.array([0.2, 0.2])) == 0.0
