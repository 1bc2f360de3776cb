"""Why a run has no best trial, or no trade-off, yet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from orchestrator.expressions.constraints import unsettled
from orchestrator.report.preferred import preferred
from orchestrator.report.words.fidelity import is_full
from orchestrator.report.words.no_best import doubtful_of
from orchestrator.scheduler.comparisons import compared_by_now
from orchestrator.scheduler.reference import came_to_nothing
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.system.shell_lines import shell_line

WhyNoBest: TypeAlias = Literal[
    "no value",
    "none in full",
    "none where held",
    "none is now",
    "none in use",
    "none for each",
    "none is sought",
    "none to be best",
    "none satisfies",
    "none satisfies where held",
    "none satisfies by now",
    "none satisfies within bounds",
    "not known",
    "reference not measured",
    "reference failed",
    "objective missing",
    "not compared",
    "none compared satisfies",
    "not weighed",
]

WORDS: Mapping[WhyNoBest, str] = {
    "no value": "no value yet",
    "none in full": "no trial at full fidelity has a value yet",
    "none where held": "nothing has a value yet where parameters are held",
    "none is now": "what was measured earlier may be otherwise now",
    "none in use": "each trial is of one condition, and the optimiser has not said yet what is best over all",
    "none for each": "each condition has best settings of its own, which `orchestrator best` shows",
    "none is sought": "it is sought where the value is above a threshold, and no point is the best",
    "none to be best": "no trial has a value yet: known results alone do, of points that none may have",
    "none satisfies": "no trial satisfies the constraints on outcomes yet",
    "none satisfies where held": "no trial satisfies the constraints yet where parameters are held",
    "none satisfies by now": "no trial satisfies the constraints by now",
    "none satisfies within bounds": "no trial within the bounds satisfies the constraints yet",
    "not known": "nothing is known to satisfy the constraints yet: known results lack an outcome",
    "reference not measured": "nothing is known to satisfy the constraints yet: the reference, which some are"
    " relative to, has no value",
    "reference failed": "nothing is known to satisfy the constraints yet: the reference, which some are"
    " relative to, came to nothing, or is forgotten",
    "not compared": "no trials are compared yet",
    "none compared satisfies": "no trial that was compared satisfies the constraints by now",
    "not weighed": "the optimiser has not said yet which of the trials compared is preferred",
    "objective missing": "nothing has every objective yet: known results lack one",
}
OF_A_SEARCH: Mapping[WhyNoBest, str] = {
    "none is now": f"{WORDS['none is now']}; in its program `recommend(held=...)` has what is believed best",
    "none in use": "each trial is of one condition; in its program `recommend()` has the design that is"
    " believed best over all",
    "none for each": "each condition has best settings of its own; in its program `recommend(held=...)` has"
    " those of the condition that it holds",
    "reference failed": f"{WORDS['reference failed']}; in its program `attach` has its settings tried again",
}

NOT_SAID_ABOVE = "not known yet: the optimiser says so from its first model on"
"""Of the share of the domain that lies above a threshold."""

LEFT_OUT = "none counts any longer: what there was is forgotten, or outside the bounds"
"""Of values, in a run that has no best one for want of any."""


def words_and_what_to_do(why: WhyNoBest, folder: Path | str, *, held: bool) -> str:
    """The words, and what has the optimiser say it. ``held``: somebody works on the run, who will anyway."""
    # A run has a folder; a file is that of a search from Python, of which no command says what is best.
    if why in OF_A_SEARCH and Path(folder).is_file():
        return OF_A_SEARCH[why]
    if why == "reference failed":
        return f"{WORDS[why]}; to have it tried again: {shell_line('amend', folder, '--try', 'reference')}"
    resume = "" if held or why != "not weighed" else f"; to have it said: {shell_line('resume', folder)}"
    return f"{WORDS[why]}{resume}"


def why_no_best(state: State) -> WhyNoBest | None:
    """Whether no value counts, none of those that do is at full fidelity, none of those where parameters are
    held, none is of now where values change with the time, or of all that varies in use, or each condition
    has its own, none is sought beside a threshold, none of those may be the best, satisfies the constraints,
    though some do elsewhere or outside the bounds, or did before further ones held, is known to, as an
    outcome is not, or what the reference has, or none of those that may brings every objective, or people
    compare trials, and have not yet, or none that satisfies the constraints, or the optimiser has not weighed
    that yet; else None.
    """
    if state.found.best is not None or state.found.front:
        return None
    if state.policy.results.compared:
        return None if preferred(state) is not None else _why_none_preferred(state)
    valued = [trial for trial in state.observed if trial.value is not None and state.counts(trial)]
    if not valued:
        return "no value"
    valued = [trial for trial in valued if is_full(state.policy, trial)]
    if not valued:
        return "none in full"
    anywhere, valued = valued, [trial for trial in valued if state.where_held(trial.parameters)]
    if not valued:
        return "none where held"
    if state.policy.where.clock is not None:
        return "none is now"
    if state.policy.sought.for_each:
        return "none for each"
    if state.policy.sought.in_use:
        return "none in use"
    if state.policy.sought.threshold is not None:
        return "none is sought"
    if any(state.may_be_best(trial) for trial in valued):
        return "objective missing"
    doubtful = [trial for trial in valued if is_in_doubt(trial, state)]
    if any(unsettled(trial.broken, state.amended.constraints.known_levels) for trial in doubtful):
        return "reference failed" if came_to_nothing(state) else "reference not measured"
    if doubtful:
        return "not known"
    if not all(trial.broken for trial in anywhere):
        return "none satisfies where held"
    if any(state.breaks_added(trial) for trial in valued):
        return "none satisfies by now"
    if any(_satisfies_outside(trial, state) for trial in state.observed):
        return "none satisfies within bounds"
    return "none satisfies" if state.policy.results.outcomes else "none to be best"


def _satisfies_outside(trial: Trial, state: State) -> bool:
    """Whether bounds alone, which were amended, leave out what would be the best, or one of them."""
    return (
        trial.value is not None
        and not trial.forgotten
        and not state.inside(trial.parameters)
        and state.may_be_best(trial)
    )


def left_out(state: State) -> bool:
    """Whether there is a value, though none may count."""
    return any(trial.value is not None for trial in state.observed)


def _why_none_preferred(state: State) -> WhyNoBest:
    compared = compared_by_now(state)
    if not compared:
        return "not compared"
    sought = any(state.where_sought(state.trials[number]) for number in compared)
    return "not weighed" if sought else "none compared satisfies"


def is_in_doubt(trial: Trial, state: State) -> bool:
    """Whether all that keeps a value from being a best one is an outcome that is not known, or what the
    reference has of one.
    """
    return 0 < len(doubtful_of(state, trial)) == len(trial.broken)
