"""Tree searches as ask and tell: the papers' loops step by step, in whatever order results come."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sequential_runs import EXACT, build, hill, observations, optimise, step, two_hills

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem, Refit
from orchestrator.algorithms.direct import Candidate, potentially_optimal
from orchestrator.maximisers.trees.tree import ROOT, LongestSides, Tree
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


def paper_soo(domain, function, parts, evaluations):
    """Algorithm 2 of Tran-The et al. 2021 as written, with evaluations that return at once."""
    tree, partition = Tree(domain), LongestSides(parts)
    values, points, p = {}, [], 1

    def evaluate(node):
        centre = tree.nodes[node].centre
        if not any(np.array_equal(centre, x) for x in points):
            points.append(centre)
        values[node] = function(centre)

    evaluate(ROOT)
    while True:
        highest = -math.inf
        for h in range(min(tree.depth, math.floor(math.sqrt(p))) + 1):
            leaves = tree.leaves(h)
            if not leaves:
                continue
            best = max(leaves, key=lambda i: (values[i], -i))
            if values[best] >= highest:
                for child in tree.expand(best, partition):
                    evaluate(child)
                highest = values[best]
                p += 1
                if len(points) >= evaluations:
                    return points[:evaluations]


def in_tree_order(algorithm, suggestions):
    return [s.point[algorithm._order] for s in suggestions]


# With two parts the paper's loop spins at p = 8: see `OptimisticSweep`.
@pytest.mark.parametrize("parts", [3, 4])
def test_soo_asks_for_what_the_papers_loop_evaluates_in_that_order(parts):
    algorithm = build("soo", parts=parts)
    suggestions, _ = optimise(algorithm, two_hills, 60)

    def permuted(z):
        point = np.empty(2)
        point[algorithm._order] = z
        return two_hills(point)

    expected = paper_soo(Domain.continuous(2), permuted, parts, 60)
    np.testing.assert_allclose(in_tree_order(algorithm, suggestions), expected)
    assert all(s.why["source"] == "tree" for s in suggestions)


@pytest.mark.parametrize(("name", "best"), [("soo", 0.98), ("direct", 0.99)])
def test_searches_without_a_model_find_the_narrow_hill(name, best):
    assert optimise(build(name), two_hills, 150)[1] > best


@pytest.mark.parametrize("name", ["boo", "bamsoo", "imgpo"])
def test_searches_with_a_model_find_the_narrow_hill_sooner(name):
    suggestions, best = optimise(build(name, seed=1, start_points=6, refit_every=8), two_hills, 60)
    assert best > 0.985
    assert {s.why["source"] for s in suggestions[6:]} == {"model"}
    assert all(s.predicted is not None for s in suggestions[6:])


def test_a_batch_takes_all_children_of_a_cell_and_then_looks_ahead():
    algorithm = build("soo", 3, parts=3)
    step(algorithm, 0, hill)
    batch = algorithm.ask(6, [], AskKey(1, 1))
    depths = [s.why["depth"] for s in batch]
    assert depths[:2] == [1, 1]
    assert [bool(s.why.get("ahead")) for s in batch] == [False, False, True, True, True, True]
    assert len({s.point.tobytes() for s in batch}) == 6


@pytest.fixture
def grown():
    """BOO with a few thousand leaves."""
    algorithm = build("boo", 6, start_points=8, refit_every=200)
    for trial in range(60):
        step(algorithm, trial, hill)
    return algorithm


@pytest.fixture
def looked_at(monkeypatch):
    """At how many points the model was asked at a time."""
    sizes = []
    asked = ExactGP.mean_and_variance

    def counted(self, X):
        sizes.append(len(X))
        return asked(self, X)

    monkeypatch.setattr(ExactGP, "mean_and_variance", counted)
    return sizes


def test_a_batch_looks_at_every_leaf_once_and_at_few_at_a_time(grown, looked_at):
    leaves = len(grown._tree.leaves())
    assert len(grown.ask(8, [], AskKey(60, 60))) == 8
    assert leaves > 3000
    assert sum(looked_at) < 1.3 * leaves
    assert max(looked_at) <= 1024


def test_leaves_are_scored_a_thousand_at_a_time_and_no_otherwise_for_that(grown, looked_at):
    leaves = grown._tree.leaves()
    scores = grown._upper(leaves)
    assert sum(looked_at) == len(leaves) > 3000
    assert max(looked_at) <= 1024
    at_once = grown._bounds(grown._points([grown._tree.nodes[i].cell for i in leaves]))
    np.testing.assert_array_equal(scores, at_once)


@pytest.mark.parametrize("name", ["boo", "bamsoo", "imgpo"])
def test_a_batch_is_what_would_be_asked_for_point_by_point_while_the_others_run(name):
    algorithm = build(name, seed=1, start_points=6, refit_every=8)
    for trial in range(30):
        step(algorithm, trial, two_hills)
    running = []
    for trial in range(30, 38):
        (suggestion,) = algorithm.ask(1, running, AskKey(30, trial))
        running.append(suggestion.point)
    batch = algorithm.ask(8, [], AskKey(30, 30))
    np.testing.assert_array_equal([s.point for s in batch], running)
    assert sum(bool(s.why.get("ahead")) for s in batch) >= 5


@settings(max_examples=15)
@given(st.lists(st.integers(0, 3), min_size=60, max_size=60), st.sampled_from(["soo", "direct"]))
def test_whatever_order_results_come_in_the_tree_grows_as_it_would_have(order, name):
    asynchronous, sequential = build(name), build(name)
    optimise(sequential, two_hills, 60)
    waiting, trial = [], 0
    for chosen in order:
        while len(waiting) < 4:
            (suggestion,) = asynchronous.ask(1, [p for _, p in waiting], AskKey(trial, trial))
            waiting.append((trial, suggestion.point))
            trial += 1
        told, point = waiting.pop(chosen)
        asynchronous.tell([Observation(told, point, two_hills(point))])
    for one, other in zip(asynchronous._tree.nodes, sequential._tree.nodes, strict=False):
        assert one.cell == other.cell


def test_what_was_evaluated_ahead_is_not_asked_for_again():
    algorithm = build("direct")
    known = np.random.default_rng(0).random((3, 2))
    centre = np.array([[0.5, 0.5]])
    X = np.vstack([centre, known])
    algorithm.tell(observations(X, [two_hills(x) for x in X]))
    (suggestion,) = algorithm.ask(1, [], AskKey(0, 4))
    assert suggestion.why["depth"] == 1


def test_values_with_any_offset_and_scale_grow_the_same_tree():
    plain, moved = build("direct"), build("direct")
    a, _ = optimise(plain, two_hills, 50)
    b, _ = optimise(moved, lambda x: 1e6 + 1e-3 * two_hills(x), 50)
    np.testing.assert_array_equal([s.point for s in a], [s.point for s in b])


def broken_in_the_middle(point) -> float | None:
    """The root's centre fails, and much else before the first success."""
    if 0.1 < point[0] < 0.55 and abs(point[1] - 0.5) < 0.45:
        return None
    return two_hills(point)


@pytest.mark.parametrize("name", ["soo", "direct"])
@pytest.mark.parametrize("seed", [0, 1])
def test_failures_before_the_first_success_do_as_much_whatever_is_added_to_the_values(name, seed):
    asked = {}
    for offset in (-1000.0, 0.0, 1000.0):
        algorithm = build(name, seed=seed)

        def moved(point, offset=offset):
            value = broken_in_the_middle(point)
            return None if value is None else offset + value

        asked[offset] = [step(algorithm, trial, moved).point for trial in range(60)]
    np.testing.assert_array_equal(asked[-1000.0], asked[0.0])
    np.testing.assert_array_equal(asked[1000.0], asked[0.0])


@pytest.mark.parametrize("name", ["soo", "direct", "boo", "bamsoo", "imgpo"])
def test_a_failure_never_counts_as_better_than_a_success_however_low_that_comes_in_later(name):
    options = {"start_points": 4, "refit_every": 8} if name in ("boo", "bamsoo", "imgpo") else {}
    algorithm = build(name, **options)
    for trial in range(40):
        step(algorithm, trial, lambda x, trial=trial: None if x[0] > 0.6 else -10.0 - trial)
    tree = algorithm._tree
    # BOO evaluates the centres of cells as it cuts them; the others may keep a bound of a cell that was cut.
    looked_at = range(len(tree.nodes)) if name == "boo" else tree.leaves()
    evaluated = [tree.nodes[i] for i in looked_at if algorithm._is_told(i)]
    failed = [n.value for n in evaluated if algorithm._point(n.cell)[0] > 0.6 and n.value is not None]
    assert failed
    assert max(failed) <= -49.0


def test_a_cell_whose_centre_failed_is_cut_like_any_other():
    algorithm = build("soo", 1)
    suggestions = [step(algorithm, trial, lambda x: None if x[0] == 0.5 else hill(x)) for trial in range(12)]
    assert [s.why["depth"] for s in suggestions[:3]] == [0, 1, 1]
    assert max(s.why["depth"] for s in suggestions) >= 3


candidate_lists = st.lists(st.tuples(st.integers(1, 12), st.integers(-20, 20)), min_size=1, max_size=8)


@settings(max_examples=200)
@given(candidate_lists)
def test_potentially_optimal_leaves_are_those_on_top_for_some_rate_of_change(pairs):
    by_size = {}
    for size, value in pairs:
        by_size[size] = max(value, by_size.get(size, -100))
    candidates = [Candidate(i, size / 12, by_size[size]) for i, size in enumerate(sorted(by_size))]
    chosen = {c.node for c in potentially_optimal(candidates, -math.inf)}
    rates = np.concatenate([[0.0], np.geomspace(1e-4, 1e5, 3000)])
    tops = np.array([[c.value + K * c.size for c in candidates] for K in rates])
    seen = {int(i) for i in tops.argmax(axis=1)}
    # A grid of rates may miss one that is on top only where two others meet.
    assert seen <= chosen
    for c in chosen - seen:
        gaps = tops.max(axis=1) - tops[:, c]
        assert gaps.min() < 1e-1 * (1 + abs(candidates[c].value))


def test_a_leaf_that_cannot_reach_the_least_value_is_left():
    candidates = [Candidate(0, 0.01, 1.0), Candidate(1, 0.5, 0.9)]
    assert [c.node for c in potentially_optimal(candidates, 1.1)] == [1]


def test_bamsoo_spares_the_evaluations_that_its_model_rules_out():
    algorithm = build("bamsoo", seed=1, start_points=6, refit_every=8)
    optimise(algorithm, two_hills, 45)
    tree = algorithm._tree
    looked_at = [n for n in tree.nodes if n.value is not None]
    spared = [n for n in looked_at if not algorithm._is_told(n.index)]
    assert len(spared) > 5
    assert max(n.value for n in spared) < algorithm._best


def test_imgpo_marks_what_it_only_believes_in():
    algorithm = build("imgpo", seed=1, start_points=6, refit_every=8)
    optimise(algorithm, two_hills, 45)
    leaves = set(algorithm._tree.leaves())
    believed = algorithm._optimistic & leaves
    assert believed
    assert not any(algorithm._is_told(node) for node in believed)


def test_boo_works_in_forty_dimensions_by_default():
    algorithm = build("boo", 40, start_points=5, refit_every=50)
    suggestions, _ = optimise(algorithm, hill, 12)
    assert suggestions[-1].why["source"] == "model"


def nodes(algorithm):
    return [(node.cell, node.value) for node in algorithm._tree.nodes]


@pytest.mark.parametrize("name", ["boo", "bamsoo", "imgpo"])
def test_a_search_with_a_model_resumes_where_it_was_to_the_bit(name):
    problem = Problem(Domain.continuous(2), seed=5, noise=EXACT)
    options = {"start_points": 5, "refit_every": 6}
    first, rebuilt = (registry.build(name, problem, options) for _ in "ab")
    for trial in range(25):
        if (number := first.refit_due()) is not None:
            refit = first.compute_refit(number)
            for algorithm in (first, rebuilt):
                payload = json.loads(json.dumps(dict(refit.payload)))
                algorithm.adopt(Refit(number, refit.observations, payload))
        (suggestion,) = first.ask(1, [], AskKey(trial, trial))
        told = Observation(trial, suggestion.point, two_hills(suggestion.point))
        first.tell([told])
        rebuilt.tell([told])
    assert nodes(first) == nodes(rebuilt)


def test_a_mixed_domain_is_used_up_cell_by_cell():
    domain = Domain(
        (Coordinate("ordinal", (0.0, 0.25, 0.5, 0.75, 1.0)), Coordinate("categorical", (0.0, 0.5, 1.0)))
    )
    for name in ("soo", "direct"):
        algorithm = registry.build(name, Problem(domain))
        suggestions, _ = optimise(algorithm, hill, 15)
        assert len({s.point.tobytes() for s in suggestions}) == 15
