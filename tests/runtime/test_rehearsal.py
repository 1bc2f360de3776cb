"""What an amendment needs to be judged is imported beside the loop, where nobody waits for it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from amended_lives import Run

from orchestrator.errors import OrchestratorError
from orchestrator.parameters.space import Space
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse

JUDGED = """
import sys
from amended_lives import SPEC, Run
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.kinds import Amend, Budgets
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse
from orchestrator.spec.load import load_spec_text

spec = load_spec_text(SPEC.replace("gp-ucb", "gp-ei"), "spec.yaml", None).spec
run, request = Run(spec), {request}
judged = rehearse(request, spec, Beforehand.of(run.state))
known = set(sys.modules)
assert decide_amendment(request, spec, run.state, 1.0, "a", judged).events
slow = ("numpy", "scipy", "orchestrator.algorithms", "orchestrator.surrogates")
print([name for name in set(sys.modules) - known if name.startswith(slow)])
"""


@pytest.mark.parametrize(
    "request_",
    [
        'Amend(constraints=["span + ribs <= 12"])',
        'Amend(held={"ribs": 9})',
        'Amend(bounds={"span": (2.0, 5.0)})',
        "Amend(budgets=Budgets(expected_gain=0.1))",
        'Amend(changes={"ribs": 60.0})',
    ],
    ids=["constraints", "held", "bounds", "expected gain", "change"],
)
def test_in_the_loop_nothing_slow_is_imported_any_more(request_: str) -> None:
    code = JUDGED.replace("{request}", request_)
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stdout == "[]\n", told.stderr


@pytest.mark.parametrize(
    "request_",
    [Amend(bounds={"span": (2.0, 5.0)}), Amend(held={"ribs": 9}), Amend(travel={"span": 1.0})],
    ids=["bounds", "held", "travel"],
)
def test_in_the_loop_no_point_is_searched_for_any_more(
    request_: Amend, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run()
    judged = rehearse(request_, run.spec, Beforehand.of(run.state))
    monkeypatch.setattr(Space, "require_feasible_points", None)
    assert decide_amendment(request_, run.spec, run.state, 1.0, "a", judged).events


def test_a_request_that_holds_a_text_where_numbers_are_is_rehearsed_too_and_refused() -> None:
    run = Run()
    request_ = Amend(held={"span": "wide"}, bounds={"span": (2.0, 5.0)})
    judged = rehearse(request_, run.spec, Beforehand.of(run.state))
    with pytest.raises(OrchestratorError, match="`span`"):
        decide_amendment(request_, run.spec, run.state, 1.0, "a", judged)
