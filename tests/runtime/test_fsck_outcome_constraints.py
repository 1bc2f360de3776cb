"""Where a line that amended constraints on outcomes is lost, results are judged by those that are left; and
where one is that amended a formula, values are computed by the one that is left.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from damaged_journals import NOW, SPEC, without, write

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import plan_repair, repair
from orchestrator.scheduler.amendment_events import ConstraintsAmended, ValuesAmended
from orchestrator.scheduler.event_parts import Suggested, ValuedAnew
from orchestrator.scheduler.events import Event, ResultArrived, RunStarted, SuggestionsMade, WorkerJoined
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.reference_events import ReferenceMeasured

HEATED = SPEC.replace("algorithm: random", "outcomes: [heat]\nconstraints: [heat <= 9]")
WITHOUT = "what withdrew `heat <= 9`, by which trial 2 was not judged: it holds again"
BY_ANOTHER = "what added `heat <= 3`, by which trial 2 was judged: it does not hold any more"


def result(trial: int, heat: float, *broken: str) -> ResultArrived:
    return ResultArrived(
        at=5.0 + trial, worker="ada", lease=f"{trial}.1", value=trial, extras={"heat": heat}, broken=broken
    )


@pytest.mark.parametrize(
    ("amended", "heat", "broken", "lost", "by_now", "said"),
    [
        (ConstraintsAmended(at=4.0, withdrawn=("heat <= 9",)), 12.0, (), True, ("heat <= 9",), [WITHOUT]),
        (ConstraintsAmended(at=4.0, withdrawn=("heat <= 9",)), 12.0, (), False, (), []),
        (ConstraintsAmended(at=4.0, added={"heat <= 3": ()}), 5.0, ("heat <= 3",), True, (), [BY_ANOTHER]),
        (ConstraintsAmended(at=4.0, added={"heat <= 3": ()}), 5.0, ("heat <= 3",), False, ("heat <= 3",), []),
    ],
)
def test_what_is_saved_is_judged_by_the_constraints_that_are_left(
    tmp_path: Path,
    amended: Event,
    heat: float,
    broken: tuple[str, ...],
    lost: bool,
    by_now: tuple[str, ...],
    said: list[str],
) -> None:
    folder = RunFolder(tmp_path)
    folder.spec.write_text(HEATED)
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.1}, {"span": 0.2})),
        WorkerJoined(at=1.0, worker="bob", slots=1),
        WorkerJoined(at=1.0, worker="ada", slots=2),
        amended,
        result(1, 1.0),
        result(2, heat, *broken),
    ]
    lines = write(folder, events)
    del lines[4 if lost else 2]
    folder.journal.write_bytes(b"".join(lines))
    plan = plan_repair(folder, examine(folder.journal), NOW)
    assert [one for one in plan.saved.event.lost_amendments if "heat" in one] == said
    repair(plan)
    replay = Replay.of(folder)
    replay.catch_up()
    state = replay.scheduler.state
    assert not violations(state)
    assert state.trials[2].broken == by_now
    assert state.found.best is state.trials[1 if by_now else 2]


@pytest.mark.parametrize("lost", [1, 4])
def test_what_the_reference_has_follows_from_what_is_saved(tmp_path: Path, lost: int) -> None:
    """Whether the line that said it is lost, or one before it."""
    folder = RunFolder(tmp_path)
    relative = "heat <= 2 * reference(heat)"
    spec = HEATED.replace("[heat <= 9]", f'["{relative}"]')
    folder.spec.write_text(spec.replace("{points: [{span: 0.5}]}", "{reference: {span: 0.1}}"))
    points = ({"span": 0.1}, {"span": 0.2})
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=points, reference=True),
        WorkerJoined(at=1.0, worker="bob", slots=1),
        WorkerJoined(at=1.0, worker="ada", slots=2),
        result(1, 3.0, relative),
        ReferenceMeasured(at=6.5, levels={"heat": 3.0}, broken={relative: ()}),
        result(2, 7.0, relative),
    ]
    lines = write(folder, events)
    del lines[lost + 1]
    folder.journal.write_bytes(b"".join(lines))
    plan = plan_repair(folder, examine(folder.journal), NOW)
    assert plan.saved.event.lost_amendments == ()
    repair(plan)
    replay = Replay.of(folder)
    replay.catch_up()
    state = replay.scheduler.state
    assert state.amended.constraints.known_levels == {"heat": 3.0}
    assert (state.trials[2].broken, state.found.best) == ((relative,), state.trials[1])


COMPUTED = HEATED.replace("goal: maximise", 'goal: maximise, value: "2 * heat"')
FORMULA = "what said how values come of results, as trial 2 had them: they are computed as what is left says"


@pytest.mark.parametrize(("lost", "values", "said"), [(True, [2.0, 6.0], [FORMULA]), (False, [1.0, 3.0], [])])
def test_no_two_values_are_computed_by_different_formulas(
    tmp_path: Path, lost: bool, values: list[float], said: list[str]
) -> None:
    folder = RunFolder(tmp_path)
    folder.spec.write_text(COMPUTED)
    amended = ValuesAmended(at=6.5, objective={"value": "heat"}, anew=(ValuedAnew(trial=1, value=1.0),))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.1}, {"span": 0.2})),
        WorkerJoined(at=1.0, worker="bob", slots=1),
        WorkerJoined(at=1.0, worker="ada", slots=2),
        replace(result(1, 1.0), value=2.0),
        amended,
        replace(result(2, 3.0), value=3.0),
    ]
    lines = write(folder, events)
    del lines[5 if lost else 2]
    folder.journal.write_bytes(b"".join(lines))
    plan = plan_repair(folder, examine(folder.journal), NOW)
    assert [one for one in plan.saved.event.lost_amendments if "come of results" in one] == said
    repair(plan)
    replay = Replay.of(folder)
    replay.catch_up()
    assert [trial.value for trial in replay.scheduler.state.observed] == values
    assert not violations(replay.scheduler.state)


def test_what_trials_come_to_anew_goes_with_them_where_they_have_other_numbers(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.spec.write_text(COMPUTED)
    points = {trial: Suggested(parameters={"span": trial / 8}) for trial in (2, 3, 4)}
    anew = (ValuedAnew(trial=3, value=4.0), ValuedAnew(trial=4, value=5.0))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.125},)),
        WorkerJoined(at=1.0, worker="ada", slots=3),
        *(SuggestionsMade(at=2.0, ask=i, suggestions=(p,), first_trial=i) for i, p in points.items()),
        replace(result(3, 4.0), value=8.0),
        replace(result(4, 5.0), value=10.0),
        ValuesAmended(at=9.5, objective={"value": "heat"}, anew=anew),
    ]
    plan, state = without(folder, events, 3)
    assert not [one for one in plan.saved.event.lost_amendments if "come of results" in one]
    assert [(trial.parameters["span"], trial.value) for trial in state.trials.values()] == [
        (0.125, None),
        (0.375, 4.0),
        (0.5, 5.0),
    ]
