"""How much of a budget the start design takes, before an algorithm has a model to choose by."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.algorithms import registry
from orchestrator.algorithms.gaussian_process.options import DesignOptions
from orchestrator.algorithms.population.options import PopulationOptions
from orchestrator.spec.build import build_problem
from orchestrator.spec.checks.candidates import are_all_tried
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.numerical_checks.points_to_try import points_to_try


def of_the_start_design(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Remarks: a design that takes all trials, and what is said of one to an algorithm that has none, or
    twice. The algorithm is one of ours.
    """
    if spec.initial.count is None:
        yield from _of_the_usual_design(tree, spec)
        return
    name, trials = spec.algorithm.name, spec.budget.trials
    if not registry.options(name).counts_designed:
        sentence = f"`count` has no effect with `{name}`, which has no start design"
        yield Complaint(find_key(tree, ("initial", "count")), sentence)
        return
    if issubclass(registry.options(name), PopulationOptions) and spec.algorithm.options.get("population"):
        sentence = "`count` has no effect: `population` says how many trainings begin"
        yield Complaint(find_key(tree, ("initial", "count")), sentence)
        return
    if "start_points" in spec.algorithm.options:
        sentence = "`start_points` has no effect: `count` of `initial` says how many"
        yield Complaint(find_key(tree, ("algorithm", "options", "start_points")), sentence)
    if trials is not None and spec.initial.count - points_known(spec) >= trials:
        sentence = f"the start design takes all {trials} trials: `{name}` never gets to choose"
        yield Complaint(find_key(tree, ("initial", "count")), sentence)


def points_known(spec: Spec) -> int:
    """At how many points something is known beforehand."""
    return len({tuple(sorted(result.parameters.items())) for result in spec.initial.results})


def _of_the_usual_design(tree: Node, spec: Spec) -> Iterator[Complaint]:
    name, trials, problem = spec.algorithm.name, spec.budget.trials, build_problem(spec)
    given = registry.options(name).model_validate(spec.algorithm.options)
    if trials is None or not isinstance(given, DesignOptions) or registry.has_stand_in(name, problem):
        return
    if are_all_tried(spec) or (trials >= points_to_try(spec)):
        return
    designed = given.designed(problem) - points_known(spec)
    # One trial is a look, and where points are listed for all, nobody waits for a model.
    if 1 < trials <= designed and len(spec.initial.points) < trials:
        sentence = (
            f"the start design of {designed} trials takes all {trials}: `{name}` never gets to choose; have"
            f" fewer of them, as `initial: {{count: {trials // 2}}}`, or more trials"
        )
        yield Complaint(find_key(tree, ("budget", "trials")), sentence)
