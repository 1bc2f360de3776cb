"""A search by comparisons of trials, from its first to the questions in its end."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from broken_promises import broken_by
from cheap_values import Returned, smooth
from drafts import Draft
from ended import Ended, noting, strictly_warned

from orchestrator import Preferences
from orchestrator.errors import OrchestratorError


def by_comparison(draft: Draft) -> dict[str, Any] | None:
    """What `Preferences` of the same points are told; None where they do not take these, as candidates."""
    if "candidates" in draft.told:
        return None
    told = {
        "parameters": draft.parameters,
        "constraints": draft.constraints or None,
        "seed": draft.told["seed"],
    }
    try:
        Preferences(**told)
    except OrchestratorError:
        return None
    return told


def compared(draft: Draft, told: dict[str, Any], trials: int, folder: Path) -> Ended:
    """How it went: each trial is compared with another one, by somebody who is unsure at times, or wrong."""
    ended, chance, returned = Ended(draft.features), Random(f"compared {draft.features}"), Returned(draft)
    with strictly_warned(), noting(ended, "search by comparisons"):
        search, seen = Preferences(**told, store=folder / "compared.jsonl"), {}
        while ended.trials < trials:
            for one in search.ask(chance.choice([1, 1, 3])):
                ended.trials += 1
                ended.faults += [f"trial {one.trial}: {words}" for words in broken_by(draft, one, {})]
                if returned.fails(one.parameters):
                    search.fail(one.trial)
                    continue
                seen[one.trial] = smooth(one.parameters)
                if len(seen) > 1:
                    other = chance.choice([trial for trial in seen if trial != one.trial])
                    better = seen[one.trial] < seen[other] or chance.random() < 0.1
                    if chance.random() < 0.15:
                        search.like(one.trial, other)
                    else:
                        search.prefer(*((one.trial, other) if better else (other, one.trial)))
                    if chance.random() < 0.1:
                        search.take_back(one.trial, other)
        if search.comparisons:
            best = search.best()
            search.chance(best.parameters, over=search.comparisons[0].better)
        str(search.insight())
        search.close()
        again = Preferences(**told, store=folder / "compared.jsonl")
        if again.comparisons != search.comparisons:
            ended.faults.append("what the file keeps has other comparisons")
        again.close()
    return ended
