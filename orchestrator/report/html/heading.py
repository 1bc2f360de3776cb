"""What a run, or a search from Python, is about, in the sentence that its page begins with."""

from __future__ import annotations

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.words.spec import problem_words, spec_words
from orchestrator.report.words.wording import counted
from orchestrator.runtime.folder.run_folder import RunFolder


def said_of(run: RunSoFar) -> str:
    """What is sought, where, by what, and how long."""
    if isinstance(run.folder, RunFolder):
        return spec_words(run.spec)
    trials = run.spec.budget.trials
    planned = "" if trials is None else f", for {counted(trials, 'trial')}"
    return f"{problem_words(run.spec)}{planned}, from Python"
