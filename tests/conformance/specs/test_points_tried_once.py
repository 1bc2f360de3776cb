"""Whether a second evaluation of a point tells nothing is the same of a spec as of its problem."""

from __future__ import annotations

from pathlib import Path

import yaml
from features_said import FEATURES, spec_of
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from orchestrator import Optimiser
from orchestrator.algorithms import points_left
from orchestrator.errors import SpecError
from orchestrator.spec.build import build_problem
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.spec.tried_once import is_tried_once

SEVERAL = st.lists(st.sampled_from(sorted(FEATURES)), min_size=1, max_size=3, unique=True)


def spec_with(names: list[str]) -> Spec:
    """One that is taken; what is said of noise stands."""
    said = spec_of(*names)
    assume(said is not None)
    assert said is not None
    said["objective"].setdefault("noise", 0)
    try:
        return load_spec_text(yaml.safe_dump(said, sort_keys=False), "shop.yaml", Path()).spec
    except SpecError:
        assume(False)
        raise


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.filter_too_much])
@given(SEVERAL)
@example(["outcome"])
@example(["clock"])
@example(["candidates"])
@example(["step", "int"])
def test_a_spec_and_its_problem_say_alike_whether_points_are_tried_once(names: list[str]) -> None:
    spec = spec_with(names)
    assert is_tried_once(spec) == points_left.is_tried_once(build_problem(spec), spec.outcomes)


def test_with_no_outcome_limited_they_may_be_tried_again_in_python_as_in_a_run() -> None:
    assert not Optimiser({"n": {"type": "int", "bounds": [1, 3]}}, noise=0, outcomes=["heat"]).tried_once
