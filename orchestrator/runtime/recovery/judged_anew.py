"""By which constraints on outcomes the saved results of a journal are judged: those that hold once it is
mended, though a line that amended them is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from orchestrator.runtime.recovery.salvage import Salvage
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.amendment_events import ConstraintsAmended
from orchestrator.scheduler.mending_events import SavedTrial
from orchestrator.scheduler.state import State
from orchestrator.scheduler.words.trial_names import trial_names
from orchestrator.spec.model import Spec


def judged_anew(saved: Salvage, spec: Spec, before: State) -> tuple[Salvage, list[str]]:
    """What was saved, with what its results break by now; and a sentence for each constraint that was added,
    or withdrawn, in a line that is lost, as results show. ``before`` is the state that the event follows.
    """
    wanted = WantedResults.of(spec, before.constraints)
    if wanted.outcomes is None:
        return saved, []
    amended = [one for one in saved.decisions if isinstance(one, ConstraintsAmended)]
    added = {text for one in amended for text in one.added}
    withdrawn = {text for one in amended for text in one.withdrawn}
    trials, judged_by, not_by = [], dict[str, list[int]](), dict[str, list[int]]()
    for one in saved.event.trials:
        broken = _broken(one, wanted, added)
        trials.append(replace(one, broken=broken))
        for text in set(one.broken).difference(broken):
            judged_by.setdefault(text, []).append(one.number)
        for text in set(broken).difference(one.broken, withdrawn):
            not_by.setdefault(text, []).append(one.number)
    told = replace(saved, event=replace(saved.event, trials=tuple(trials)))
    return told, [
        *_sentences("added", judged_by, "judged: it does not hold any more"),
        *_sentences("withdrew", not_by, "not judged: it holds again"),
    ]


def _broken(one: SavedTrial, wanted: WantedResults, added: set[str]) -> tuple[str, ...]:
    if one.value is None:
        return one.broken
    since = [text for text in one.broken if text in added]
    return tuple(dict.fromkeys([*wanted.broken(one.suggested.parameters, one.extras), *since]))


def _sentences(what: str, trials: dict[str, list[int]], how: str) -> Iterator[str]:
    for text, numbers in sorted(trials.items()):
        were = "was" if len(numbers) == 1 else "were"
        yield f"what {what} `{text}`, by which {trial_names(numbers)} {were} {how}"
