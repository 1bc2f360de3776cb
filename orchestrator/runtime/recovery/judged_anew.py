"""By which constraints on outcomes the saved results of a journal are judged, and by which formula they have
their values: by what holds once it is mended, though a line that amended it is lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from orchestrator.expressions.constraints import relative_among
from orchestrator.runtime.recovery.salvage import Salvage
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.amendment_events import ConstraintsAmended, ValuesAmended
from orchestrator.scheduler.event_parts import ValuedAnew
from orchestrator.scheduler.mending_events import SavedTrial
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.words.trial_names import trial_names
from orchestrator.spec.begun.amended_values import computed_by, with_values
from orchestrator.spec.model import Spec


def judged_anew(saved: Salvage, spec: Spec, before: State) -> tuple[Salvage, list[str]]:
    """What was saved, with what its results break by now; and a sentence for each constraint that was added,
    or withdrawn, in a line that is lost, as results show. ``before`` is the state that the event follows.
    """
    wanted = WantedResults.of(spec, before.amended.constraints, before.amended.values)
    if wanted.outcomes is None:
        return saved, []
    amended = [one for one in saved.decisions if isinstance(one, ConstraintsAmended)]
    added = {text for one in amended for text in one.added}
    withdrawn = {text for one in amended for text in one.withdrawn}
    # What the reference has is said once all is saved, and who judged by what else amended nothing.
    relative = relative_among(before.amended.constraints.among(spec.constraints))
    trials, judged_by, not_by = [], dict[str, list[int]](), dict[str, list[int]]()
    for one in saved.event.trials:
        broken = _broken(one, wanted, added)
        trials.append(replace(one, broken=broken))
        for text in set(one.broken).difference(broken, relative):
            judged_by.setdefault(text, []).append(one.number)
        for text in set(broken).difference(one.broken, withdrawn, relative):
            not_by.setdefault(text, []).append(one.number)
    told = replace(saved, event=replace(saved.event, trials=tuple(trials)))
    return told, [
        *_sentences("added", judged_by, "judged: it does not hold any more"),
        *_sentences("withdrew", not_by, "not judged: it holds again"),
    ]


def valued_by_what_is_left(spec: Spec, state: State) -> ValuesAmended | None:
    """That values are computed as ``state`` has it, with all that was saved; None where they are. What came
    after a line that is lost was computed as that said.
    """
    wanted = WantedResults.of(spec, state.amended.constraints, state.amended.values)
    if not wanted.are_computed:
        return None
    anew = []
    for trial in state.observed:
        value = wanted.computed(trial.parameters, trial.extras)
        if trial.state is not TrialState.COMPLETED or trial.value is None or value is None:
            continue
        if not math.isfinite(value):
            message = f"invalid: {wanted.why_none(value, trial.extras)}"
            anew.append(ValuedAnew(trial=trial.number, value=None, message=message))
        elif not math.isclose(value, trial.value):
            # Another version's arithmetic may differ in the last digits.
            anew.append(ValuedAnew(trial=trial.number, value=value))
    objective = computed_by(with_values(spec, state.amended.values).objective)
    return ValuesAmended(at=state.at, objective=objective, anew=tuple(anew), by="fsck") if anew else None


def valued_words(anew: ValuesAmended, known_before: int) -> Iterator[str]:
    """What it says is lost; not of results that became known behind the damage, of which it is not certain
    which was meant where values were amended: there were ``known_before`` of the others.
    """
    if were := [one.trial for one in anew.anew if one.trial > -known_before]:
        yield (
            f"what said how values come of results, as {trial_names(were)} had them: they are computed as"
            " what is left says"
        )


def _broken(one: SavedTrial, wanted: WantedResults, added: set[str]) -> tuple[str, ...]:
    if one.value is None:
        return one.broken
    since = [text for text in one.broken if text in added]
    now = wanted.broken(one.suggested.parameters, one.extras, one.value)
    return tuple(dict.fromkeys([*now, *since]))


def _sentences(what: str, trials: dict[str, list[int]], how: str) -> Iterator[str]:
    for text, numbers in sorted(trials.items()):
        were = "was" if len(numbers) == 1 else "were"
        yield f"what {what} `{text}`, by which {trial_names(numbers)} {were} {how}"
