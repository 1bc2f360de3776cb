"""Limits that are relative to a run's reference: settled as it is measured, in the same commit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from amended_lives import SPEC, Optimiser, Run, point
from conductor_stage import Stage

from orchestrator.errors import UsageError
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.runtime.results import reference_levels
from orchestrator.runtime.results.first_event import first_event
from orchestrator.runtime.results.known_events import known_events
from orchestrator.runtime.results.reference_levels import measured_anew
from orchestrator.runtime.results.wanted_results import WantedNow
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import ConstraintsAmended, ObservationsForgotten
from orchestrator.scheduler.reference import is_reference
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.reference_value import value_of_reference
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.wire.messages import Result

RELATIVE = "heat <= 1.05 * reference(heat)"
REFERENCE = {name: told for name, told in point(3.0).items() if name != "mach"}
HEATED = f"{SPEC.replace('gp-ucb', 'auto').replace('initial: {count: 4}', '')}outcomes: [heat]\n"


def spec_with(constraints: list[str], **initial: Any) -> Spec:
    told = {"constraints": constraints, "initial": {"count": 4, "reference": REFERENCE, **initial}}
    return load_spec_text(HEATED + yaml.safe_dump(told), "spec.yaml", None).spec


def begun(constraints: list[str] | None = None, **initial: Any) -> Run:
    """The reference runs."""
    spec = spec_with([RELATIVE] if constraints is None else constraints, **initial)
    return Run(spec, first_event(spec, "r", "", {}))


def happen(run: Run, *events: ev.Event) -> ReferenceMeasured | None:
    """Events of a turn, and what follows of the reference."""
    run.happen(*events)
    measured = measured_anew(events, run.spec, run.state)
    if measured is not None:
        run.happen(measured)
    return measured


def came(run: Run, value: float, heat: float) -> ReferenceMeasured | None:
    """What runs, or else the next point, comes to something, judged as a run judges it."""
    if not run.state.running:
        run.trial(point(1.5 + len(run.state.trials)), None)
    number = len(run.state.trials)
    result: Any = ev.ResultArrived(
        at=run.state.at + 1.0, worker="w", lease=f"{number}.1", value=value, extras={"heat": heat}
    )
    wanted = WantedNow(run.spec).under(run.state.amended.constraints)
    return happen(run, wanted.judged(result, run.state.trials[number].parameters))


def heated(run: Run, number: int, heat: float) -> list[ev.Event]:
    """What becomes of one of the trials, which may have waited."""
    at, lease = run.state.at + 1.0, f"{number}.1"
    return [ev.ResultArrived(at=at, worker="w", lease=lease, value=float(number), extras={"heat": heat})]


def levels(run: Run) -> dict[str, float]:
    return dict(run.state.amended.constraints.known_levels)


def broken(run: Run) -> list[int]:
    return [trial.number for trial in run.state.observed if trial.broken]


def test_they_are_settled_once_it_is_measured_and_later_results_are_judged_by_them() -> None:
    run = begun()
    measured = came(run, 4.0, 70.0)
    assert measured is not None
    assert (levels(run), broken(run)) == ({"heat": 70.0}, [])
    assert [came(run, 3.0, 73.5), came(run, 2.0, 73.6)] == [None, None]
    assert broken(run) == [3]
    assert run.state.found.best.number == 2


def test_what_is_measured_of_it_again_counts_on_average_and_what_is_forgotten_no_longer() -> None:
    run = begun()
    came(run, 4.0, 70.0)
    came(run, 2.0, 75.0)
    run.amend(Amend(points=[point(3.0)]))
    came(run, 4.0, 74.0)
    assert (levels(run), broken(run)) == ({"heat": 72.0}, [])  # of which 1.05 times is 75.6
    forgotten = ObservationsForgotten(at=run.state.at + 1.0, trials=(3,), reason="a loose cable")
    assert happen(run, forgotten) is not None
    assert (levels(run), broken(run)) == ({"heat": 70.0}, [2, 3])


def test_it_is_evaluated_as_often_as_is_said_and_each_result_moves_the_limit() -> None:
    run = begun(reference_times=3)
    assert [trial.parameters["span"] for trial in run.state.trials.values()] == [3.0] * 3
    assert all(is_reference(trial) for trial in run.state.trials.values())
    known = []
    for number, heat in ((1, 70.0), (2, 73.0), (3, 76.0)):
        happen(run, *heated(run, number, heat))
        known.append(levels(run)["heat"])
    assert known == [70.0, 71.5, 73.0]
    assert value_of_reference(run.state) == 2.0
    forgotten = ObservationsForgotten(at=run.state.at + 1.0, trials=(1,), reason="a loose cable")
    assert happen(run, forgotten) is not None
    assert levels(run) == {"heat": 74.5}
    assert value_of_reference(run.state) == 2.5


def test_results_of_other_settings_are_not_held_against_all_that_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = begun()
    gone_through = list[int]()
    every = reference_levels.measured_at_reference
    monkeypatch.setattr(
        reference_levels,
        "measured_at_reference",
        lambda state: gone_through.append(len(state.observed)) or every(state),
    )
    came(run, 4.0, 70.0)
    for value in range(20):
        came(run, float(value), 71.0)
    run.amend(Amend(points=[point(3.0)]))
    came(run, 4.0, 74.0)
    assert levels(run) == {"heat": 72.0}
    assert len(gone_through) < 6


def test_what_is_known_of_its_settings_beforehand_is_known_of_it() -> None:
    known = {**REFERENCE, "value": 4.0, "heat": 70.0}
    other = {**REFERENCE, "span": 6.0, "value": 2.0, "heat": 90.0}
    run = begun(results=[known, other])
    assert levels(run) == {}
    assert happen(run, ev.RunResumed(at=1.0, wall="")) is not None
    assert (levels(run), broken(run)) == ({"heat": 70.0}, [-1])
    assert run.state.found.best.number == 0


def test_a_life_that_ended_before_it_was_said_leaves_it_to_the_next() -> None:
    run = begun()
    assert happen(run, ev.RunResumed(at=0.5, wall="")) is None
    run.happen(ev.ResultArrived(at=1.0, worker="w", lease="1.1", value=4.0, extras={"heat": 70.0}))
    assert measured_anew([ev.StopRequested(at=2.0, now=True)], run.spec, run.state) is None
    assert happen(run, ev.RunResumed(at=2.0, wall="")) is not None
    assert levels(run) == {"heat": 70.0}


def test_nothing_is_written_where_no_limit_is_relative_until_one_is_added() -> None:
    run = begun(constraints=["heat <= 80"])
    assert came(run, 4.0, 70.0) is None
    came(run, 3.0, 75.0)
    sentence = run.amend(Amend(constraints=[RELATIVE]))
    assert sentence == (
        f"the constraints are amended: with `{RELATIVE}`; what the reference has tells which values satisfy"
        f" `{RELATIVE}`"
    )
    assert happen(run, ConstraintsAmended(at=run.state.at)) is not None
    assert (levels(run), broken(run)) == ({"heat": 70.0}, [2])


def test_once_all_are_withdrawn_nothing_is_said_of_it_and_one_added_later_knows_what_came_since() -> None:
    run = begun()
    came(run, 4.0, 70.0)
    assert happen(run, ConstraintsAmended(at=run.state.at, withdrawn=(RELATIVE,))) is None
    run.amend(Amend(points=[point(3.0)]))
    assert came(run, 4.0, 74.0) is None
    assert happen(run, ConstraintsAmended(at=run.state.at, added={RELATIVE: ()})) is not None
    assert levels(run) == {"heat": 72.0}


def test_one_may_not_be_added_to_a_run_without_a_reference() -> None:
    spec = load_spec_text(f"{HEATED}initial: {{count: 4}}\n", "spec.yaml", None).spec
    with pytest.raises(UsageError, match=r"expected settings that `heat` was measured at.*got none"):
        Run(spec).amend(Amend(constraints=[RELATIVE]))


def test_one_that_names_no_outcome_beside_is_refused_as_those_on_outcomes_are() -> None:
    told = yaml.safe_dump({"initial": {"reference": REFERENCE}})
    spec = load_spec_text(f"{HEATED}blocks: plate\n{told}", "spec.yaml", None).spec
    with pytest.raises(UsageError, match=r"and not off outcomes"):
        Run(spec).amend(Amend(constraints=["span <= reference(heat)"]))


def test_an_optimiser_is_told_what_it_would_be_of_the_number_itself() -> None:
    relative, plain = begun(), begun(constraints=["heat <= 73.5"])
    for run in (relative, plain):
        for number in range(5):
            came(run, 4.0 - number, 70.0 + 2.0 * number)
    one, other = Optimiser(relative.spec), Optimiser(plain.spec)
    one.take_all(relative.drained())
    other.take_all(plain.drained())
    assert one.answer().suggestions == other.answer().suggestions


def test_a_result_read_later_is_judged_by_what_is_known_of_it() -> None:
    run = begun()
    came(run, 4.0, 70.0)
    spec = amended(run.spec, run.state)
    words = "span=5,ribs=7,rate=0.1,skin=foam,drag=1,heat={}"
    read, _ = read_added_results(spec, [], [words.format(73), words.format(74)])
    assert [one.broken for one in known_events(read, spec)] == [(), (RELATIVE,)]


def test_it_is_in_the_journal_in_the_same_commit_as_the_result(tmp_path: Path) -> None:
    more = {
        "outcomes": ["heat"],
        "constraints": [RELATIVE],
        "initial": {"reference": {"x": 0.25, "y": 0.5}},
        "algorithm": "auto",
    }
    stage = Stage(tmp_path, more=more)
    stage.hello()
    stage.turn()
    lease = stage.lease()
    stage.receive(Result(run=lease.run, lease=lease.lease, trial=1, value=1.0, extras={"heat": 70.0}))
    turn = stage.turn()
    assert [type(event) for event in turn.events] == [ev.ResultArrived, ReferenceMeasured]
    assert stage.scheduler.state.amended.constraints.known_levels == {"heat": 70.0}
    last = (tmp_path / "journal.jsonl").read_text().splitlines()[-1]
    assert '"levels":{"heat":70.0},"broken":{"heat <= 1.05 * reference(heat)":[]}' in last
