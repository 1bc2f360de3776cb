"""Whether a trial is a trade-off, which ones beat it if not, and whether it was one for a while, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from orchestrator.objectives import as_good
from orchestrator.report.words.wording import counted, duration, listed
from orchestrator.scheduler.front import scores
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial

NUMBERED = 3
"""Trade-offs that are named for beating a trial."""


@dataclass(slots=True)
class OnTheFront:
    """Follows whether a trial is of the front. Times are in seconds since the run began.

    ``since`` is when it last joined it, ``until`` when it left it again, and ``ousted_by`` the trial
    that beat it then; none where what counts was amended.
    """

    trial: int
    since: float | None = field(init=False, default=None)
    until: float | None = field(init=False, default=None)
    ousted_by: int | None = field(init=False, default=None)
    _front: tuple[Trial, ...] = field(init=False, default=())

    def take(self, state: State) -> None:
        """An event was handled."""
        if state.found.front is self._front:
            return
        self._front = state.found.front
        there = any(one.number == self.trial for one in state.found.front)
        if there and (self.since is None or self.until is not None):
            self.since, self.until, self.ousted_by = state.at, None, None
        elif not there and self.since is not None and self.until is None:
            self.until = state.at
            newest = state.found.front[-1:]
            self.ousted_by = next(iter(_beating(state.policy, newest, state.trials.get(self.trial))), None)

    def words(self) -> str:
        """What is to be said where it was one for a while; else nothing."""
        if self.since is None or self.until is None:
            return ""
        why = "what counts was amended" if self.ousted_by is None else f"{_named([self.ousted_by])} came"
        return f"It was a trade-off for a while, for {duration(self.until - self.since)}, until {why}."


def trade_off_words(state: State, trial: Trial, followed: OnTheFront) -> Iterator[str]:
    """Sentences on how a trial that has a value stands among the trade-offs now."""
    front = state.found.front
    if trial in front:
        which = f"one of the {len(front):,} trade-offs" if len(front) > 1 else "the only trade-off so far"
        yield f"It is {which}: any other that counts and is better in one objective is worse in another."
        return
    beating = _beating(state.policy, front, trial)
    if not (state.counts(trial) and state.may_be_best(trial)):
        yield "So it is no trade-off."
    elif beating:
        yield f"It is no trade-off: {_named(beating)} {_is(beating)} at least as good in every objective."
    if was := followed.words():
        yield was


def _beating(policy: Policy, front: Sequence[Trial], trial: Trial | None) -> list[int]:
    """The numbers of the trials of a front that are at least as good in every objective, sorted."""
    own = None if trial is None else scores(policy, trial)
    if own is None:
        return []
    told = [(other.number, scores(policy, other)) for other in front if other is not trial]
    return sorted(number for number, theirs in told if theirs is not None and as_good(theirs, own))


def _named(numbers: Sequence[int]) -> str:
    """``trial 3``, ``trials 3, 5 and 7``, ``trials 3, 5, 7 and 2 more``; known results last."""
    tried = [str(number) for number in numbers if number > 0]
    known = len(numbers) - len(tried)
    parts = tried[:NUMBERED] + ([f"{len(tried) - NUMBERED:,} more"] if len(tried) > NUMBERED else [])
    said = [f"trial{'s' if len(tried) > 1 else ''} {listed(parts)}"] if tried else []
    return listed(said + ([counted(known, "result") + " known from elsewhere"] if known else []))


def _is(numbers: Sequence[int]) -> str:
    return "is" if len(numbers) == 1 else "are"
