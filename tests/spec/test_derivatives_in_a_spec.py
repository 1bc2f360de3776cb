"""Derivatives that evaluations return, in a spec: by which parameters, in results, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.errors import SpecError
from orchestrator.runtime.results.known_events import known_events
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.events import FailureArrived, ResultArrived
from orchestrator.spec.build import build_problem
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

TEXT = """\
experiment: wing
objective: {{name: drag, goal: minimise, derivatives: {by}}}
parameters:
  span: {{type: float, bounds: [1, 9]}}
  mesh: {{type: int, bounds: [1, 9]}}
  gap: {{type: float, bounds: [0.01, 1], scale: log}}
{more}
budget: {{trials: 9}}
evaluation: {{command: [./wing, "{{span}}", "{{mesh}}", "{{gap}}"]}}
"""


def spec_of(by: str = "true", more: str = "", folder: Path | None = None) -> Spec:
    return load_spec_text(TEXT.format(by=by, more=more), "wing.yaml", folder).spec


def came(extras: dict[str, object]) -> ResultArrived | FailureArrived:
    result = ResultArrived(at=1.0, worker="w", lease="1-1", value=1.2, extras=extras)
    return WantedResults.of(spec_of()).judged(result, {"span": 3.0, "mesh": 2, "gap": 0.1})


def test_they_are_by_all_real_parameters_or_by_those_that_are_named() -> None:
    assert spec_of().derivatives_by == ("span", "gap")
    assert build_problem(spec_of()).derivatives == (0, 2)
    assert spec_of("[gap]").derivatives_by == ("gap",)
    assert spec_of("false").derivatives_by == build_problem(spec_of("false")).derivatives == ()


@pytest.mark.parametrize(
    ("by", "more", "said"),
    [
        (
            "[mesh]",
            "",
            "2:55: expected a parameter of `type: float`, without a `step` (`span` or `gap`)",
        ),
        ("[spam]", "", "got `spam` (did you mean `span`?)"),
        ("[gap, gap]", "", "expected each parameter once, got `gap` again"),
        ("some", "", "expected `true`, or a list of parameters, got `some`"),
        ("true", "outcomes: [d_span]", "expected no outcome called `d_span` beside `derivatives`"),
        ("true", "clock: span", "expected no `clock` beside `derivatives`"),
        (
            "true",
            "algorithm: gp-ei",
            "expected an algorithm that makes use of derivatives (`auto`), got `gp-ei`",
        ),
        ("true", "  rest: {type: computed, value: 10 - span}", "no parameter that is computed from others"),
    ],
)
def test_what_is_wrong_is_said_at_its_place(tmp_path: Path, by: str, more: str, said: str) -> None:
    with pytest.raises(SpecError) as refused:
        spec_of(by, more, tmp_path)
    assert said in str(refused.value)


def test_a_group_of_a_pattern_that_is_nearly_called_as_one_is_refused_of_a_new_run(tmp_path: Path) -> None:
    output = r"output: {pattern: '(?P<value>\S+) (?P<d_spam>\S+) (?P<d_gap>\S+) (?P<depth>\S+)'}"
    text = TEXT.format(by="true", more="").replace("evaluation: {", f"evaluation: {{{output}, ")
    with pytest.raises(SpecError, match=r"as `d_span` and `d_gap`, got `d_spam` \(did you mean `d_span`\?\)"):
        load_spec_text(text, "wing.yaml", tmp_path)
    load_spec_text(text.replace("d_spam", "d_span"), "wing.yaml", tmp_path)
    load_spec_text(text, "wing.yaml", None)  # as of a run that was begun so


def test_a_result_has_them_under_one_name_or_each_under_its_own() -> None:
    together, apart = came({"derivatives": {"span": [0.3], "gap": -2}}), came({"d_span": 0.3, "d_gap": -2})
    assert isinstance(together, ResultArrived)
    assert isinstance(apart, ResultArrived)
    assert together.extras == apart.extras == {"derivatives": {"span": 0.3, "gap": -2.0}}


def test_those_that_did_not_come_out_are_left_out_and_the_value_counts() -> None:
    partly, none = came({"derivatives": {"span": None, "gap": 1.0}, "mach": 0.7}), came({"derivatives": None})
    assert isinstance(partly, ResultArrived)
    assert isinstance(none, ResultArrived)
    assert partly.extras == {"mach": 0.7, "derivatives": {"gap": 1.0}}
    assert none.extras == {}


@pytest.mark.parametrize(
    ("extras", "said"),
    [
        ({"derivatives": {"mesh": 1.0}}, "expected derivatives by `span` and `gap`, got one by `mesh`"),
        ({"derivatives": {"span": "steep"}}, "expected as the derivative by `span` a finite number, or null"),
        ({"derivatives": [0.3, 1.0]}, "expected derivatives by the names of parameters"),
        ({"derivatives": {"span": 1.0}, "d_span": 1.0}, "expected the derivative by `span` once"),
    ],
)
def test_those_that_are_none_fail_the_attempt_with_a_sentence(extras: dict[str, object], said: str) -> None:
    failed = came(extras)
    assert isinstance(failed, FailureArrived)
    assert said in failed.message


def test_known_results_have_them_in_columns_and_inline(tmp_path: Path) -> None:
    (tmp_path / "before.csv").write_text("span,mesh,gap,drag,d_span,d_gap\n3,2,0.1,1.2,0.3,nan\n")
    inline = "{span: 4, mesh: 1, gap: 0.2, drag: 2, derivatives: {gap: 5}}"
    spec = spec_of(more=f"initial: {{results: [before.csv, {inline}]}}", folder=tmp_path)
    told = [one.outcomes for one in known_events(spec.initial.results, spec)]
    assert told == [{"derivatives": {"span": 0.3}}, {"derivatives": {"gap": 5.0}}]
