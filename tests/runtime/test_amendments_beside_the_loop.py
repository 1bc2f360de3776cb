"""What an amendment is judged by may take seconds: they pass beside the loop, which hears its workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml
from run_lab import spec
from watched_opening import Watching, early_worker, work

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm
from orchestrator.parameters.space import Space
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.monitor import Opening
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import Amend, Budgets
from orchestrator.runtime.run import RunOptions, run_experiment
from orchestrator.scheduler.amendment_events import BudgetAmended
from orchestrator.scheduler.events import Event, RunStarted
from orchestrator.scheduler.state import State
from orchestrator.spec.load import load_spec
from orchestrator.wire.messages import Drain


class Amending(Watching):
    """Amends the run before it begins, or once it has; its worker comes when ``last`` has happened."""

    def __init__(self, left: bool, requests: Sequence[Amend], last: Callable[[Event], bool]) -> None:
        super().__init__(lambda _: None)
        self.left, self.requests, self.last = left, requests, last

    def opened(self, opening: Opening) -> None:
        self.run = opening
        if self.left:
            self.amend()

    def amend(self) -> None:
        for request in self.requests:
            Desk(RunFolder(self.run.folder)).leave(request)

    def observed(self, event: Event, state: State) -> None:
        super().observed(event, state)
        if isinstance(event, RunStarted) and not self.left:
            self.amend()
        if self.last(event):
            arguments = (early_worker(self.run.address), Drain)
            threading.Thread(target=work, args=arguments, daemon=True).start()


@pytest.mark.parametrize("left", [True, False], ids=["left before", "while it goes on"])
def test_what_an_amendment_is_judged_by_is_imported_beside_the_loop(
    left: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may take seconds, in which no worker would be heard."""
    path = tmp_path / "spec.yaml"
    foreseeing = {"name": "gp-ei"}
    path.write_text(yaml.safe_dump(spec(workers={"local": 0}, budget={"trials": 1}, algorithm=foreseeing)))
    loaded = load_spec(path)
    loaded_by: list[threading.Thread] = []
    load = registry.load

    def watched(name: str) -> type[Algorithm]:
        loaded_by.append(threading.current_thread())
        return load(name)

    monkeypatch.setattr(registry, "load", watched)
    request = Amend(budgets=Budgets(expected_gain=0.1))
    amending = Amending(left, [request], lambda event: isinstance(event, BudgetAmended))
    outcome = run_experiment(loaded, RunOptions(amending, tmp_path / "logs"))
    assert outcome.state.policy.budget.expected_gain == 0.1
    assert loaded_by[0] is not threading.current_thread()


@pytest.mark.parametrize("left", [True, False], ids=["left before", "while it goes on"])
def test_bounds_under_constraints_are_judged_beside_the_loop_and_by_what_was_amended_before(
    left: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A point that satisfies the constraints is searched for, for a second or two."""
    path = tmp_path / "spec.yaml"
    tied = spec(workers={"local": 0}, budget={"trials": 1}, constraints=["x + y <= 1"])
    path.write_text(yaml.safe_dump(tied))
    loaded = load_spec(path)
    judged_by: list[threading.Thread] = []
    high = (0.6, 1.0)
    require = Space.require_feasible_points

    def watched(space: Space) -> None:
        judged_by.append(threading.current_thread())
        require(space)

    monkeypatch.setattr(Space, "require_feasible_points", watched)
    requests = [Amend(bounds={name: pair}) for name, pair in (("x", high), ("y", high), ("y", (0.1, 0.3)))]
    # Its bounds would do, but for what else it asks for: so the next are not judged by them.
    requests.insert(0, Amend(bounds={"x": (0.0, 0.2)}, budgets=Budgets(trials=0)))
    amending = Amending(left, requests, lambda event: "y" in getattr(event, "bounds", ()))
    outcome = run_experiment(loaded, RunOptions(amending, tmp_path / "logs"))
    assert outcome.state.amended.bounds == {"x": high, "y": (0.1, 0.3)}
    assert [said for said in amending.noted_so_far if "no point within the bounds was found" in said]
    assert judged_by
    assert threading.current_thread() not in judged_by
