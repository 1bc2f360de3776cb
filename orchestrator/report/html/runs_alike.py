"""Which of several runs belong in one chart, and which differ in their seeds alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from orchestrator.report.following.listed_run import ListedRun, mode_words
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.words.goals import goals_of, units_of
from orchestrator.report.words.wording import counted, plainly
from orchestrator.spec.model import Budget, Spec
from orchestrator.spec.sections.workers import Workers

NAMED_BY: Final = ((0,), (0, 1), (0, 2), (0, 1, 2))
"""Which of the algorithm, the mode and the options name runs, the fewest first."""


@dataclass(frozen=True, slots=True)
class ReadRun:
    """A run with all that its journal holds, and how a list has it."""

    listed: ListedRun
    run: FollowedRun


@dataclass(frozen=True, slots=True)
class RunsAlike:
    """Runs that differ in their seeds alone; ``name`` tells them from the others of their experiment."""

    name: str
    runs: Sequence[ReadRun]


def by_experiment(runs: Sequence[ReadRun]) -> list[list[ReadRun]]:
    """Those whose values may be drawn in one chart: of the same experiment, and of the same objectives;
    searches from Python, which have no name but their files', of the same parameters.
    """
    found: dict[Hashable, list[ReadRun]] = {}
    for one in runs:
        spec = one.run.spec
        which = tuple(spec.parameters) if one.listed.of_python else spec.experiment
        sought = tuple(goals_of(spec).items()), tuple(units_of(spec).items())
        key = which, *sought, spec.objective.threshold, spec.objective.told
        found.setdefault(key, []).append(one)
    return list(found.values())


def alike(runs: Sequence[ReadRun]) -> list[RunsAlike]:
    """Those of one experiment, the algorithms in the order of their names."""
    groups: list[tuple[Spec, list[ReadRun]]] = []
    for one in runs:
        told = _but_for_seed(one.run.spec, one.listed.of_python)
        group = next((group for spec, group in groups if spec == told), None)
        if group is None:
            groups.append((told, [one]))
        else:
            group.append(one)
    found = sorted((group for _, group in groups), key=lambda group: group[0].run.spec.algorithm.name)
    return [RunsAlike(_name(group, found), group) for group in found]


def _but_for_seed(spec: Spec, of_python: bool) -> Spec:
    """Without what makes no other search of it: its seed, who works on it, for how long, and what a file is
    called.
    """
    # How long is always said, and no part of it has a default.
    without = {"seed": 0, "workers": Workers(), "budget": Budget(trials=1)}
    return spec.model_copy(update=without | ({"experiment": ""} if of_python else {}))


def _name(group: Sequence[ReadRun], groups: Sequence[Sequence[ReadRun]]) -> str:
    """The algorithm, and as much more as tells it from the other groups."""
    others = [_said(other) for other in groups if other is not group]
    words = _said(group)
    telling = (
        chosen
        for chosen in NAMED_BY
        if all([one[i] for i in chosen] != [words[i] for i in chosen] for one in others)
    )
    chosen = next(telling, None)
    said = f"{words[0]} as {group[0].listed.name}" if chosen is None else ", ".join(words[i] for i in chosen)
    count = len(group)
    return f"{said}, {counted(count, 'run')}" if count > 1 else f"{said}, seed {group[0].run.spec.seed}"


def _said(group: Sequence[ReadRun]) -> tuple[str, str, str]:
    spec = group[0].run.spec
    return spec.algorithm.name, mode_words(spec.mode), plainly(spec.algorithm.options) or "no options"
