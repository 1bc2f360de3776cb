"""A refit in a forked copy: its answer, its failures, and its end whatever ends around it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from run_lab import MODULES, PATIENCE_S, eventually, is_alive
from slow_algorithm import PREPARED, SlowAlgorithm

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem, Refit
from orchestrator.runtime.optimiser.forked_refit import ForkedRefit
from orchestrator.unit_cube.domain import Domain


def finished(refit: ForkedRefit) -> tuple[Refit | None, str]:
    while not refit.advance():
        pass
    return refit.outcome()


def test_the_copy_answers_and_changes_nothing_here() -> None:
    algorithm = SlowAlgorithm()
    outcome, error = finished(ForkedRefit.start(algorithm, 3))
    assert outcome == Refit(3, 0, {"scales": [0.5, 0.25], "told": 0}, {"sums": PREPARED})
    assert error == ""
    assert algorithm.adopted == 0


def test_the_copy_sees_the_data_of_its_moment(tmp_path: Path) -> None:
    algorithm = SlowAlgorithm(gate=str(tmp_path / "gate"))
    refit = ForkedRefit.start(algorithm, 1)
    algorithm.told.append(None)  # type: ignore[arg-type]
    (tmp_path / "gate").touch()
    outcome, _ = finished(refit)
    assert outcome is not None
    assert outcome.payload["told"] == 0


def test_what_a_model_s_refit_prepared_crosses_the_pipe_to_the_bit() -> None:
    algorithm = registry.build("egp-ts", Problem(Domain.continuous(2)), {"kernels": ["rbf"], "features": 10})
    X = np.random.default_rng(0).random((15, 2))
    algorithm.tell([Observation(i, x, float(np.sin(5 * x.sum()))) for i, x in enumerate(X)])
    outcome, error = finished(ForkedRefit.start(algorithm, 1))
    assert error == ""
    assert outcome == algorithm.compute_refit(1)
    assert outcome.prepared


class OfOnesOwn(SlowAlgorithm):
    """An algorithm of another package, whose refit is whatever the test likes."""

    name = "of-ones-own"

    def compute_refit(self, number: int) -> Refit:
        if self.trouble == "raise":
            np.linalg.cholesky(np.array([[-1.0]]))
        return Refit(number + 1, 0, {}) if self.trouble == "number" else None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("trouble", "words", "line"),
    [
        ("raise", "LinAlgError: Matrix is not positive definite", "np.linalg"),
        (
            "none",
            "`compute_refit` of the algorithm `of-ones-own` to return a Refit, got None",
            "def",
        ),
        ("number", "to return the Refit of the number that it is given, 3, got 4", "def"),
    ],
)
def test_a_refit_of_one_s_own_that_is_at_fault_is_said_with_file_and_line(
    trouble: str, words: str, line: str
) -> None:
    outcome, error = finished(ForkedRefit.start(OfOnesOwn(trouble=trouble), 3))
    assert outcome is None
    assert words in error
    file, _, number = error.partition("(")[2].removesuffix(")").rpartition(", line ")
    assert Path(file).name == Path(__file__).name
    assert line in Path(__file__).read_text().splitlines()[int(number) - 1]


@pytest.mark.parametrize(
    ("trouble", "words"), [("raise", "ArithmeticError: not positive definite"), ("exit", "ended with 7")]
)
def test_a_copy_that_cannot_gives_the_reason(
    trouble: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    outcome, error = finished(ForkedRefit.start(SlowAlgorithm(trouble=trouble), 1))
    assert outcome is None
    assert words in error


def test_a_copy_that_is_killed_is_no_refit(tmp_path: Path) -> None:
    refit = ForkedRefit.start(SlowAlgorithm(gate=str(tmp_path / "never")), 1)
    os.kill(refit.process, signal.SIGKILL)
    assert finished(refit) == (None, "its process ended with signal SIGKILL")


def test_ending_a_copy_leaves_neither_process_nor_descriptor(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    refit = ForkedRefit.start(SlowAlgorithm(gate=str(tmp_path / "never")), 1)
    refit.kill()
    assert not is_alive(refit.process)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_copy_holds_no_pipe_of_its_parent_s_open(tmp_path: Path) -> None:
    """Or the orchestrator would not see the optimiser's end before the refit's."""
    read_end, write_end = os.pipe()
    refit = ForkedRefit.start(SlowAlgorithm(gate=str(tmp_path / "never")), 1)
    os.close(write_end)
    ready, _, _ = select.select([read_end], [], [], PATIENCE_S)
    assert ready
    assert os.read(read_end, 1) == b""
    os.close(read_end)
    refit.kill()


def test_a_copy_answers_however_many_files_its_system_lets_it_have_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thousand million in some containers, and no limit elsewhere: what is not open need not be closed."""
    monkeypatch.setattr(os, "sysconf", lambda _: sys.maxsize)
    outcome, error = finished(ForkedRefit.start(SlowAlgorithm(), 3))
    assert error == ""
    assert outcome is not None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_copy_ends_with_an_optimiser_that_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys; from slow_algorithm import SlowAlgorithm\n"
        "from orchestrator.runtime.optimiser.forked_refit import ForkedRefit\n"
        "print(ForkedRefit.start(SlowAlgorithm(gate=sys.argv[1]), 1).process, flush=True); input()"
    )
    optimiser = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "never")],
        env={**os.environ, "PYTHONPATH": MODULES},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert optimiser.stdout is not None
    assert optimiser.stdin is not None
    copy = int(optimiser.stdout.readline())
    optimiser.kill()
    optimiser.wait()
    eventually(lambda: not is_alive(copy))
    optimiser.stdout.close()
    optimiser.stdin.close()
