"""An algorithm of somebody's own that is at fault: whoever wrote it is told the file and the line."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from run_lab import PATIENCE_S, spec

from orchestrator.algorithms.faults import refuse_what_is_no_answer
from orchestrator.errors import OptimiserError
from orchestrator.runtime.optimiser.messages import Trouble, decode_reply, encode_request
from orchestrator.scheduler.commands import Ask

STEPPER = """\
import numpy as np
from orchestrator.algorithms.base import Insight, Options, Suggestion
from orchestrator.algorithms.model_free import ModelFree

class Stepper:
    name, Options = "stepper", Options
    def __init__(self, problem, options):
        self.length = problem.domain.dimension {at_first}
    def ask(self, n, pending, key):
        return {answer}
    def tell(self, observations): ...
    def refit_due(self): ...
    def insight(self):
        return Insight()

class Inheritor(ModelFree):
    name, Options = "inheritor", Options
    def _suggest(self, trial, exclusion):
        return "nowhere"
"""


class Workshop:
    """A folder with an installed algorithm `stepper`, and a run that uses it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        metadata = folder / "stepper-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stepper\nVersion: 1.0\n")
        points = "[orchestrator.algorithms]\nstepper = stepper:Stepper\ninheritor = stepper:Inheritor\n"
        (metadata / "entry_points.txt").write_text(points)
        self.source = folder / "stepper.py"

    def trouble(self, answer: str, at_first: str = "", algorithm: str = "stepper") -> str:
        """What the optimiser's process says at its end, asked for two points."""
        self.source.write_text(STEPPER.format(answer=answer, at_first=at_first))
        run = self.folder / "run"
        run.mkdir()
        (run / "spec.yaml").write_text(yaml.safe_dump(spec(algorithm={"name": algorithm})))
        done = subprocess.run(
            [sys.executable, "-m", "orchestrator.runtime.optimiser.server", str(run)],
            input=encode_request(Ask(ask=1, count=2, first_trial=1, pending=())),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(self.folder), os.environ["PYTHONPATH"]])},
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 1
        reply = decode_reply(done.stdout.splitlines()[-1])
        assert isinstance(reply, Trouble)
        return reply.message

    def refusal(self, answer: str) -> str:
        """What whoever asks the algorithm for two points, here, says of such an answer."""
        self.source.write_text(STEPPER.format(answer=answer, at_first=""))
        described = spec_from_file_location("stepper", self.source)
        assert described is not None
        assert described.loader is not None
        module = module_from_spec(described)
        described.loader.exec_module(module)
        stepper = module.Stepper(SimpleNamespace(domain=SimpleNamespace(dimension=2)), None)
        with pytest.raises(OptimiserError) as refused:
            refuse_what_is_no_answer(stepper.ask(2, (), None), stepper, 2, 2)
        return str(refused.value)


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def test_an_error_is_said_with_the_line_that_raised_it(workshop: Workshop) -> None:
    trouble = workshop.trouble('[Suggestion(0.1 + "a")]')
    assert trouble == (
        f"TypeError: unsupported operand type(s) for +: 'float' and 'str' ({workshop.source}, line 10)"
    )


def test_one_that_a_library_raised_is_said_with_the_line_that_called_it(workshop: Workshop) -> None:
    trouble = workshop.trouble("np.linalg.cholesky(np.array([[-1.0]]))")
    assert "LinAlgError" in trouble
    assert trouble.endswith(f"({workshop.source}, line 10)")


def test_so_is_one_at_the_very_beginning(workshop: Workshop) -> None:
    assert workshop.trouble("[]", "+ 'a'").endswith(f"({workshop.source}, line 8)")


@pytest.mark.parametrize(
    ("answer", "got"),
    [
        ("np.zeros((n, 2))", "a list of Suggestions, got ndarray"),
        ("None", "a list of Suggestions, got None"),
        ("[np.zeros(2)] * n", "a list of Suggestions, got ndarray in it"),
        ("[Suggestion(np.zeros(3))] * n", "points of 2 numbers in the unit cube, got [0. 0. 0.]"),
        ("[Suggestion(np.full(2, np.nan))] * n", "points of 2 numbers in the unit cube, got [nan nan]"),
        ("[Suggestion(np.full(2, 1.5))] * n", "points of 2 numbers in the unit cube, got [1.5 1.5]"),
        ("[Suggestion(np.array([0.5, -3]))] * n", "points of 2 numbers in the unit cube, got [ 0.5 -3. ]"),
        ("[Suggestion(np.zeros(2))]", "as many Suggestions as were asked for, 2, got 1"),
        ("[Suggestion('x')] * n", "points of 2 numbers in the unit cube, got 'x'"),
    ],
)
def test_an_answer_that_is_none_is_refused_with_the_place_of_what_gave_it(
    workshop: Workshop, answer: str, got: str
) -> None:
    refusal = workshop.refusal(answer)
    assert got in refusal
    assert refusal.startswith("expected `ask` of the algorithm `stepper` to return ")
    assert refusal.endswith(f"({workshop.source}, line 9)")


def test_so_it_is_by_the_optimiser_s_process(workshop: Workshop) -> None:
    assert workshop.trouble("[Suggestion(np.zeros(2))]") == workshop.refusal("[Suggestion(np.zeros(2))]")


def test_where_what_we_inherit_to_stumbles_the_class_is_named(workshop: Workshop) -> None:
    assert workshop.trouble("[]", algorithm="inheritor").endswith(f"({workshop.source}, line 16)")
