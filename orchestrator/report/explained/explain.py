"""`orchestrator explain RUN TRIAL`: why this point, and what became of it, in words."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from orchestrator.report.explained.case import Case, case_of
from orchestrator.report.explained.what_came_of_it import what_came_of_it
from orchestrator.report.explained.why_this_point import why_this_point
from orchestrator.report.words.uncounted import uncounted_words
from orchestrator.report.words.wording import parameter_words
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import computed_of
from orchestrator.values.printable import printable

_BEFORE = re.compile(r" *(?:[\d.,]+ s  )?")


def explain(spec: Spec, policy: Policy, events: Iterable[Event], number_of_trial: int) -> str:
    """The words. Raises `UsageError` if there is no such trial."""
    return words_of(case_of(spec, policy, events, number_of_trial))


def words_of(case: Case, width: int | None = None) -> str:
    """All that is known of it, in paragraphs; ``width`` is the terminal's, for lines to end between words."""
    lines = _paragraphs(case)
    if width is not None:
        lines = (_filled(line, width) for line in lines)
    return "\n".join(lines) + "\n"


def _paragraphs(case: Case) -> Iterator[str]:
    trial = case.trial
    yield f"Trial {trial.number} of {case.spec.experiment}"
    computed = {one.name: one.text for one in computed_of(case.spec.parameters)}
    for name, text in parameter_words(case.spec, trial.parameters, 6):
        follows = f", as {printable(computed[name])}" if name in computed else ""
        yield f"  {name} = {text}{follows}"
    for words in uncounted_words(case.spec, trial.parameters):
        yield f"  {words}"
    yield ""
    yield "Why this point"
    yield from _indented(why_this_point(case))
    yield ""
    yield "What came of it"
    yield from _indented(what_came_of_it(case))
    yield ""
    yield "Its story"
    yield from case.steps


def _filled(line: str, width: int) -> str:
    """What goes on in a further line stands below the words; in the story, behind the seconds."""
    before = _BEFORE.match(line)
    hanging = " " * (before.end() if before else 0)
    # Whoever copies settings such as -funroll-loops has them in one piece.
    return textwrap.fill(
        line, width, subsequent_indent=hanging, break_on_hyphens=False, break_long_words=False
    )


def _indented(sentences: Iterator[str]) -> Iterator[str]:
    for sentence in sentences:
        yield f"  {printable(sentence)}"
