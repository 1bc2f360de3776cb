"""`budget: {expected_gain: ...}`: what may be written, with which algorithms, and how it is amended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from spec_texts import text_with

from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.errors import SpecError, UsageError
from orchestrator.report.words.spec import spec_words
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.kinds import Amend, Budgets
from orchestrator.scheduler.events import RunStarted
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec, load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.spec.policy_of_spec import policy_of


def written(budget: str, algorithm: str = "gp-ei") -> str:
    return text_with(budget=f"budget: {{{budget}}}", algorithm=f"algorithm: {{name: {algorithm}}}")


def loaded(budget: str) -> Spec:
    return load_spec_text(written(budget), "wing.yaml", None).spec


def test_it_may_stand_alone_or_with_other_bounds_and_is_a_rule_of_the_run() -> None:
    alone = loaded("expected_gain: 0.01")
    assert (alone.budget.expected_gain, alone.budget.trials) == (0.01, None)
    assert policy_of(loaded("trials: 9, expected_gain: 1.0e-3")).budget.expected_gain == 1e-3
    assert "an expected gain below 0.01" in spec_words(alone)


@pytest.mark.parametrize("value", ["0", "-1", ".nan", ".inf", "little"])
def test_what_is_no_gain_is_refused(value: str) -> None:
    with pytest.raises(SpecError, match="expected"):
        loaded(f"expected_gain: {value}")


def with_algorithm(name: str) -> Spec:
    return load_spec_text(written("trials: 9, target: 0.5", name), "wing.yaml", None).spec


def amended_to(spec: Spec, **budgets: Any) -> Spec:
    """The spec after an amendment of its budgets."""
    scheduler = Scheduler(policy_of(spec))
    scheduler.handle(RunStarted(at=0.0, run="r", wall="noon"))
    request = Amend(budgets=Budgets(**budgets))
    for event in decide_amendment(request, spec, scheduler.state, 1.0, "a").events:
        scheduler.handle(event)
    return amended(spec, scheduler.state)


def test_a_run_that_has_begun_can_be_given_one_and_keeps_its_other_bounds() -> None:
    budget = amended_to(with_algorithm("gp-ucb"), expected_gain=0.5).budget
    assert (budget.expected_gain, budget.trials, budget.target) == (0.5, 9, 0.5)


def test_one_can_be_lifted_unless_it_is_the_last_bound() -> None:
    assert amended_to(loaded("trials: 9, expected_gain: 0.1"), lifted=("expected_gain",)).budget.trials == 9
    with pytest.raises(UsageError, match="patience and expected gain to stay, got none"):
        amended_to(loaded("expected_gain: 0.1"), lifted=("expected_gain",))


@pytest.mark.parametrize("value", [0.0, -1.0, float("inf")])
def test_an_amendment_to_no_gain_is_refused(value: float) -> None:
    with pytest.raises(UsageError, match="expected an expected gain above 0, got"):
        amended_to(with_algorithm("gp-ei"), expected_gain=value)


def test_an_amendment_is_refused_where_the_algorithm_cannot_tell() -> None:
    with pytest.raises(UsageError, match=r"expected an algorithm that can tell .* got `random`"):
        amended_to(with_algorithm("random"), expected_gain=0.1)


@pytest.mark.parametrize("name", ["random", "dumbo"])
def test_an_algorithm_that_cannot_tell_is_refused_with_those_that_can(name: str, tmp_path: Path) -> None:
    path = tmp_path / "wing.yaml"
    path.write_text(written("trials: 9, expected_gain: 0.01", name))
    with pytest.raises(SpecError) as refused:
        load_spec(path)
    said = str(refused.value)
    assert "expected an algorithm that can tell what is left to gain (`" in said
    assert "`gp-ei`" in said
    assert f"got `{name}`; choose one of those, or another budget" in said
    assert not any(f"`{peer}`" in said for peer in PEERS)
