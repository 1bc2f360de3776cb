"""Whatever two features meet: a spec and an Optimiser take both, or each refuses them in a sentence."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
import yaml
from features_said import A_PART, FEATURES, Said, pairs, spec_of

from orchestrator import Optimiser
from orchestrator.errors import OrchestratorError, SpecError
from orchestrator.python_interface.asking import NothingSure
from orchestrator.spec.load import load_spec_text

AT_A_TIME = 60
"""Pairs that are tried each time; `make test-long` tries all of them, some 2,500."""
EVERY_PAIR: list[tuple[str, ...]] = Random(60).sample(list(pairs()), len(list(pairs())))


def said_by_spec(spec: Said) -> str | None:
    """How it is refused, or None."""
    try:
        load_spec_text(yaml.safe_dump(spec, sort_keys=False), "shop.yaml", Path())
    except SpecError as refused:
        return str(refused)
    return None


def said_by_python(spec: Said) -> str | None:
    """How an Optimiser of the same is refused, or None."""
    objective, algorithm = spec["objective"], spec.get("algorithm", {})
    initial = spec.get("initial", {})
    told = {
        name: objective[name] for name in ("noise", "over", "value", "fit", "covariance") if name in objective
    }
    told |= {
        name: spec[name]
        for name in ("constraints", "outcomes", "fidelity", "factors", "clock", "candidates")
        if name in spec
    }
    sharing = spec["mode"].get("sharing", []) if isinstance(spec.get("mode"), dict) else []
    held = {"hours": 0.0} if sharing and "clock" in spec else None
    try:
        optimiser = Optimiser(
            spec["parameters"],
            goal=objective.get("goal", "minimise"),
            algorithm=algorithm.get("name", "auto"),
            options=algorithm.get("options"),
            blocks="day" if spec.get("blocks") == "day" else "blocks" in spec,
            stop_when=spec["evaluation"].get("stop_when"),
            reference=initial.get("reference"),
            reference_times=initial.get("reference_times", 1),
            **told,
        )
        points = spec.get("initial", {}).get("points", ())
        now = {spec["clock"]: 0} if "clock" in spec else {}
        optimiser.parts_among([{**point, **now} for point in points if point == A_PART])
        if sharing:
            optimiser.ask(1, held=held, sharing=sharing)
    except NothingSure:
        return None
    except OrchestratorError as refused:
        return str(refused)
    return None


def accepted_alike(*names: str) -> bool:
    """Whether both take what is said, or neither does, the spec at a line and column of its own."""
    spec = spec_of(*names)
    assert spec is not None
    refused, refused_in_python = said_by_spec(spec), said_by_python(spec)
    if refused is None or refused_in_python is None:
        return refused is None and refused_in_python is None
    return re.match(r"shop\.yaml:\d+:\d+: \S", refused) is not None and bool(refused_in_python)


def at_odds(chosen: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [names for names in chosen if not accepted_alike(*names)]


def test_what_is_right_by_itself_is_taken_by_both() -> None:
    alone = {name: said_by_spec(spec_of(name) or {}) for name in FEATURES}
    assert {name for name, said in alone.items() if said} == {"least in use", "recorded off the steps"}
    assert at_odds([(name,) for name in FEATURES]) == []


def test_two_features_are_taken_by_both_or_refused_by_both() -> None:
    assert at_odds(EVERY_PAIR[:AT_A_TIME]) == []


@pytest.mark.long
def test_all_pairs_of_features_are_taken_by_both_or_refused_by_both() -> None:
    assert len(EVERY_PAIR) > 2_500
    assert at_odds(EVERY_PAIR) == []
