"""From a spec to the parts that run it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Options, Problem
from orchestrator.algorithms.observed import LARGEST
from orchestrator.report.words.spec import spec_words
from orchestrator.spec.build import build_algorithm, build_problem, build_space
from orchestrator.spec.load import load_spec_text

PARAMETERS = (
    "parameters: {x: {type: float, bounds: [1, 100], scale: log, unit: m}, c: 3,"
    " n: {type: int, bounds: [1, 9]}, k: {type: choice, values: [a, b, d]}}"
)


class Forest:
    """An algorithm of a third party, as far as a spec is concerned with it."""

    name = "forest"

    def __init__(self, problem: Problem, options: Options) -> None:
        del problem
        self.options = options

    class Options(Options):
        trees: int = 10
        normalise: bool = True

        def check(self, problem: Problem) -> list[str]:
            few = f"expected at most {problem.domain.dimension} trees, got {self.trees}"
            return [few] if self.trees > problem.domain.dimension else []


@pytest.fixture
def _forest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "load", {"forest": Forest}.__getitem__)
    monkeypatch.setattr(registry, "names", lambda: ("forest",))


def test_the_space_has_the_parameters_in_order_and_the_constants_beside() -> None:
    space = build_space(spec_with(parameters=PARAMETERS))
    assert space.names == ("x", "n", "k")
    assert space.decode(np.array([0.5, 1.0, 0.0])) == pytest.approx({"x": 10.0, "n": 9, "k": "a", "c": 3})


def test_factors_become_numbers_of_the_parameters_that_vary() -> None:
    problem = build_problem(spec_with(parameters=PARAMETERS, factors="factors: [[n, c], [k, x], [x]]"))
    assert problem.factors == ((1,), (2, 0), (0,))
    assert build_problem(spec_with()).factors is None


def test_the_problem_is_told_what_the_spec_knows() -> None:
    objective = "objective: {name: drag, goal: minimise, noise: 0.5}"
    problem = build_problem(spec_with(objective=objective, seed="seed: 7", initial="initial: {count: 4}"))
    assert (problem.seed, problem.start_points, problem.trials) == (7, 4, 24)
    assert problem.noise == Noise("known", 0.5)
    reported = spec_with(objective="objective: {name: drag, goal: minimise, noise: reported}")
    assert build_problem(reported).noise == Noise("reported")
    beyond_squares = spec_with(objective="objective: {name: drag, goal: minimise, noise: 1.0e+200}")
    assert build_problem(beyond_squares).noise == Noise("known", LARGEST)


@pytest.mark.parametrize(
    ("mode", "parallel"), [("asynchronous", 6), ("sequential", 1), ("{synchronous: 4}", 4)]
)
def test_how_many_evaluations_run_at_a_time(mode: str, parallel: int) -> None:
    assert build_problem(spec_with(mode=f"mode: {mode}", workers="workers: 6")).parallel == parallel


@pytest.mark.parametrize(
    ("workers", "words"),
    [
        ("3", "on 3 local workers"),
        ("{local: 0, remote: 8}", "on 8 workers elsewhere"),
        ("{local: 1, remote: 2}", "on 1 local worker and 2 elsewhere"),
        ("{local: 2, each: {GPU: [0, 1], ARM: [a, b]}}", "on 2 local workers, each with its own GPU and ARM"),
        ("{local: 1, each: {GPU: [0]}, remote: 2}", "on 1 local worker, with its own GPU, and 2 elsewhere"),
        ("{local: 1, remote: 2000}", "on 1 local worker and 2,000 elsewhere"),
    ],
)
def test_who_evaluates_is_said_as_it_is_expected(workers: str, words: str) -> None:
    assert spec_words(spec_with(workers=f"workers: {workers}")).endswith(words)


@pytest.mark.parametrize(
    ("workers", "parallel"),
    [("{local: 0, remote: 8}", 8), ("{local: 2, remote: 3}", 5), ("{local: 0, remote: 5000}", 5000)],
)
def test_workers_elsewhere_count_where_they_are_expected(workers: str, parallel: int) -> None:
    # Nobody can see beforehand how many will dial in, and what is planned for one waits where eight are idle.
    assert build_problem(spec_with(workers=f"workers: {workers}")).parallel == parallel
    one_after_another = spec_with(workers=f"workers: {workers}", mode="mode: sequential")
    assert build_problem(one_after_another).parallel == 1


def test_the_algorithm_is_ready_to_ask() -> None:
    algorithm = build_algorithm(spec_with(parameters=PARAMETERS))
    points = [s.point for s in algorithm.ask(5, [], AskKey(0, 0))]
    assert np.shape(points) == (5, 3)


@pytest.mark.usefixtures("_forest")
def test_options_are_checked_at_their_place() -> None:
    refusal = refusal_with(algorithm="algorithm:\n  name: forest\n  options: {tree: 3, normalise: 7}")
    assert under_caret(refusal) == ["tree: 3, normalise: 7}", "7}"]
    assert sentences(refusal)[0] == (
        "expected one of the keys `trees` or `normalise`, got `tree` (did you mean `trees`?)"
    )


@pytest.mark.usefixtures("_forest")
def test_american_spellings_of_options() -> None:
    spec = spec_with(algorithm="algorithm: {name: forest, options: {normalize: false, trees: 1}}")
    assert spec.algorithm.options == {"normalise": False, "trees": 1}


@pytest.mark.usefixtures("_forest")
def test_american_options_are_understood_when_a_run_s_spec_is_read_again_without_its_folder() -> None:
    text = text_with(algorithm="algorithm: {name: forest, options: {normalize: false, trees: 1}}")
    again = load_spec_text(text, "logs/wing/spec.yaml", None).spec
    built = build_algorithm(again)
    assert isinstance(built, Forest)
    assert built.options == Forest.Options(normalise=False, trees=1)


def test_american_options_of_an_algorithm_that_has_such_options() -> None:
    text = text_with(algorithm="algorithm: {name: add-gp-ucb, options: {maximizer: direct}}")
    build_algorithm(load_spec_text(text, "logs/wing/spec.yaml", None).spec)


@pytest.mark.usefixtures("_forest")
def test_options_that_make_no_sense_with_the_problem_are_refused() -> None:
    refusal = refusal_with(algorithm="algorithm: {name: forest, options: {trees: 3}}")
    assert sentences(refusal) == ["expected at most 2 trees, got 3"]
    assert under_caret(refusal) == ["options: {trees: 3}}"]


def test_reading_a_module_of_specs_costs_no_numpy() -> None:
    code = "import sys, orchestrator.spec.load; print(sorted({'numpy', 'scipy'} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
