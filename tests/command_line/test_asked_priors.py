"""Which parameters the draws of a file are asked of, that is typed."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from orchestrator.command_line.asked_priors import priors_asked
from orchestrator.errors import OrchestratorError
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.values.typed_priors import typed_uncertain

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters:
  span: {type: float, bounds: [1, 9]}
  ribs: {type: int, bounds: [1, 9]}
  skin: {type: choice, values: [thin, thick]}
columns: {Spannweite: span}
budget: {trials: 9}
evaluation: {evaluator: "json:dumps"}
"""


@dataclass
class _Run:
    spec: Spec


def asked(folder: Path, *typed: str, exact: tuple[str, ...] = ()) -> dict[str, Any]:
    (folder / "draws.csv").write_text("Spannweite,ribs,skin,mass\n2.5,3,thin,1\n2.7,4,thick,2\n")
    (folder / "others.csv").write_text("span,twist\n2.1,3\n")
    (folder / "chain.txt").write_text("# span weight\n# by a sampler\n2.5 1\n2.7 3\n")
    told = [typed_uncertain(text.replace("@", f"{folder}/")) for text in typed]
    run = cast(RunSoFar, _Run(load_spec_text(SPEC, "wing.yaml", folder).spec))
    return dict(priors_asked(argparse.Namespace(prior=told), run, exact))


def test_a_file_is_of_all_numbers_that_have_a_column_but_for_what_is_told_otherwise(tmp_path: Path) -> None:
    spans, ribs = {"draws": [2.5, 2.7]}, {"draws": [3, 4]}
    assert asked(tmp_path, "@draws.csv") == {"span": spans, "ribs": ribs}
    assert asked(tmp_path, "@draws.csv", "span=none") == {"span": None, "ribs": ribs}
    assert asked(tmp_path, "@draws.csv", "ribs=evenly") == {"span": spans, "ribs": "evenly"}
    assert asked(tmp_path, "@draws.csv", exact=("ribs",)) == {"span": spans}
    assert asked(tmp_path, "ribs=@draws.csv") == {"ribs": ribs}
    assert asked(tmp_path, "ribs=@draws.csv", "span=@others.csv") == {"ribs": ribs, "span": {"draws": [2.1]}}


def test_a_chain_is_read_as_samplers_write_it_and_its_weights_are_said_to_be_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(tmp_path, "@chain.txt") == {"span": {"draws": [2.5, 2.7]}}
    said = " ".join(capsys.readouterr().err.split())
    assert "column `weight` says how often each draw counts, have rows drawn by that first" in said
    asked(tmp_path, "@draws.csv")
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["@draws.csv", "@others.csv"], "expected draws of `span` in one file, got them in several"),
        (["@others.csv", "span=none"], "numbers which are chosen (`span` or `ribs`), got `span` and `twist`"),
        (["ribs=@others.csv"], "expected a column `ribs` of draws, got `span` and `twist`"),
        (["span=2+-1", "span=none"], "expected --prior once for each parameter, got one twice"),
        (["@none.csv"], "expected a file, got nothing there"),
    ],
)
def test_what_has_no_draws_is_refused(tmp_path: Path, typed: list[str], said: str) -> None:
    with pytest.raises(OrchestratorError) as refused:
        asked(tmp_path, *typed)
    assert said in str(refused.value)
