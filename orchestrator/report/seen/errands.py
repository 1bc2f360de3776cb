"""What a run waits for a person to do, by what is known of it."""

from __future__ import annotations

from collections.abc import Iterable

from orchestrator.report.seen.outlook import Attendance
from orchestrator.report.seen.wanted import Errand, Expected, Wanted
from orchestrator.report.words.change import changed_words
from orchestrator.report.words.wording import first_line, parameter_words
from orchestrator.scheduler.changed import changed_for
from orchestrator.scheduler.comparisons import uncompared
from orchestrator.scheduler.handling.comparing import to_compare_with
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON

EXPECTED_SHOWN = 5


def wanted_of_a_person(spec: Spec, state: State, attendance: Attendance) -> Wanted:
    """What a run waits for, by what is known of it, the first errands as they are shown."""
    errands = _errands(state, attendance.attended)
    return Wanted(
        expected=_expected(spec, state, errands[:EXPECTED_SHOWN], attendance),
        in_all=len(errands),
        to_compare=tuple((one, to_compare_with(state, one)) for what, one in errands if what == "compare"),
    )


def _errands(state: State, attended: bool) -> list[tuple[Errand, int]]:
    """The trials that wait for a person, and what for; while nobody works on the run, those that can be
    compared all the same.
    """
    if not attended:
        return [("compare", one.number) for one in uncompared(state)]
    person = state.crew.workers.get(PERSON)
    wanted: list[tuple[Errand, int]] = []
    if person is not None:
        # Resumed, they come in any order.
        for number in sorted(person.running.values()):
            against = to_compare_with(state, number)
            wanted.append(("record" if against is None else "compare", number))
    wanted += [("compare", one.number) for one in uncompared(state)]
    if state.policy.evaluations.approval:
        wanted += [("approve", number) for number in state.waiting.queue if not state.trials[number].approved]
    return wanted


def _expected(
    spec: Spec, state: State, errands: Iterable[tuple[Errand, int]], attendance: Attendance
) -> tuple[Expected, ...]:
    """Each of these as it is shown, with how the run is called."""
    return tuple(
        Expected(
            what,
            number,
            tuple(parameter_words(spec, state.trials[number].parameters)),
            tuple(spec.outcomes),
            first_line(state.trials[number].message),
            to_compare_with(state, number) if what == "compare" else None,
            has_no_value=state.policy.results.compared,
            run=attendance.folder,
            of_python=attendance.of_python,
            changes=changed_words(changed_for(state, state.trials[number])),
        )
        for what, number in errands
    )
