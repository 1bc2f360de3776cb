"""Points that an algorithm suggests where changing a machine's settings takes time: which of these stay.

Notation: D coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeAlias

from orchestrator.acquisition.improvement import log_expected_improvement
from orchestrator.algorithms.base import Algorithm, AskKey, Suggestion
from orchestrator.algorithms.machine_time import MachineTime
from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.parameters.held import held_within, suggested_as_held
from orchestrator.parameters.space import Space
from orchestrator.scheduler.event_parts import AT_THE_END, CHANGE, LATELY, PAID_FOR, PROMISED
from orchestrator.values.change import is_same, taken_by
from orchestrator.values.named import Values

Ask: TypeAlias = Callable[[int, Sequence[FloatArray], AskKey], Sequence[Suggestion]]
"""As `Algorithm.ask`."""
PART_PAID_FOR = 0.25
"""Of what a change takes, what evaluations are to have taken since the last one."""
MOST_TOLD_APART = 3
"""Settings of which every combination may stay; of more, the slowest stay first."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an algorithm suggests where settings are ``kept``, its ``place``, and what it changes, by name, in
    seconds.
    """

    suggestion: Suggestion
    kept: Values
    place: Values
    takes: Mapping[str, float]

    @property
    def seconds(self) -> float:
        """Of all changes, one after the other."""
        return sum(self.takes.values())


@dataclass(frozen=True, slots=True)
class Changing:
    """One point is asked for where the machine ``stands``, whose evaluations so far took their ``time``;
    parameters are ``held`` besides, and ``best`` is the value, as an algorithm has it, over which points are
    to improve: None where there is none. ``left_s`` is for how long there will be evaluations: None where
    nobody knows.

    The algorithm is asked for the point that it would choose anywhere, and for those that it would choose if
    settings stayed as they are. Of these, the one is taken of which most improvement is expected for the time
    that its changes and its evaluation take; but a setting stays anyhow until evaluations since have taken
    a quarter as long as its change would: else time goes into changes to and fro. Where nothing is predicted,
    as in a start design, it stays until they have taken as long. And it stays where no time would be left for
    an evaluation once it is changed. Nothing stays for a point that was evaluated before, if time is left for
    another, where nothing is predicted or all that is chosen would stay: that would tell next to nothing.

    Source: ours. Expected improvement for its time after Snoek, Larochelle & Adams 2012, Section 3.2; that
    what was paid for staying decides when to change is how skis are rented or bought by whoever does not know
    for how many days (Karlin et al. 1988).
    """

    space: Space
    stands: Values
    time: MachineTime
    held: Values = field(default_factory=dict)
    best: float | None = None
    left_s: float | None = None

    def asked(self, ask: Ask, pending: Sequence[FloatArray], key: AskKey) -> tuple[Values, list[Suggestion]]:
        """The point, if there is any, and what is held and kept there."""

        def where(kept: Values) -> Candidate | None:
            return self._candidate(ask, pending, key, kept)

        free, own = where({}), self.time.evaluation_s
        if free is None:
            return self.held, []
        if own is None or not free.takes:
            return self.held, [self._told(free, free, own)]
        if self.best is None or self._log_gain(free) is None:
            paid_for = self._until_paid_for(free, own, where)
            chosen = self._before_the_end(paid_for, own, where)
            stays = PAID_FOR if chosen is paid_for else AT_THE_END
        else:
            found = [free, *filter(None, map(where, self._that_may_stay(free)))]
            chosen, stays = self._most_promising(found, own)
        return {**self.held, **chosen.kept}, [self._told(chosen, free, own, stays)]

    def _most_promising(self, found: Sequence[Candidate], own: float) -> tuple[Candidate, str]:
        """Of those that may be taken, and why what is left as it stands is."""
        rates = [self._log_rate(one, own) for one in found]
        in_time = [k for k, one in enumerate(found) if self._ends_in_time(one, own)] or [*range(len(found))]
        for_nothing = {k for k, one in enumerate(found) if self._stays_for_nothing(one)}
        in_time = [k for k in in_time if k not in for_nothing] or in_time
        owed = {k: len(self._owed(found[k], own / PART_PAID_FOR)) for k in in_time}
        # None, unless what the machine stands at cannot stay, as bounds were amended.
        paid_for = [k for k in in_time if owed[k] == min(owed.values())]
        of_use = [k for k in range(len(found)) if k in in_time or k not in for_nothing]
        chosen, best = (max(among, key=rates.__getitem__) for among in (paid_for, of_use))
        stays = PROMISED if chosen == best else LATELY if best in in_time else AT_THE_END
        return found[chosen], stays

    def _candidate(
        self, ask: Ask, pending: Sequence[FloatArray], key: AskKey, kept: Values
    ) -> Candidate | None:
        """None where constraints leave nothing beside what is kept."""
        try:
            within = held_within(self.space, {**self.held, **kept})
        except SpecError:
            if not kept:
                raise
            return None
        found = ask(1, pending, replace(key, within=within))
        if not found:
            return None
        place = suggested_as_held(self.space, found[0].point, {**self.held, **kept})
        return Candidate(found[0], kept, place, taken_by(self.space.changes, self.stands, place))

    def _stays_for_nothing(self, one: Candidate) -> bool:
        all_stays = all(name in one.kept or name in self.held for name in self._chosen(one))
        return all_stays and self._is_known(one)

    def _is_known(self, one: Candidate) -> bool:
        """Whether it stays for a point that was evaluated before."""
        names = self._chosen(one)
        return bool(one.kept) and any(
            all(is_same(before.get(name), one.place[name]) for name in names) for before in self.time.places
        )

    def _chosen(self, one: Candidate) -> list[str]:
        """What is chosen of it, or held: not what is always so, nor what follows."""
        return [name for name in self.space.names if name in one.place]

    def _that_may_stay(self, free: Candidate) -> Iterator[Values]:
        """Settings that could stay of those that the free point changes, in every combination of a few."""
        slowest = self._slowest_first(free, free.takes.keys() - self.held.keys())
        if len(slowest) > MOST_TOLD_APART:
            yield from (self._as_they_stand(slowest[:count]) for count in range(1, len(slowest) + 1))
            return
        for count in range(1, len(slowest) + 1):
            yield from (self._as_they_stand(names) for names in combinations(slowest, count))

    @staticmethod
    def _slowest_first(free: Candidate, names: Iterable[str]) -> list[str]:
        return sorted(names, key=lambda name: (-free.takes.get(name, 0.0), name))

    def _until_paid_for(
        self, free: Candidate, own: float, where: Callable[[Values], Candidate | None]
    ) -> Candidate:
        chosen, tried = free, set[str]()
        while stay := [name for name in self._owed(chosen, own) if name not in tried]:
            tried.update(stay)
            found = where({**chosen.kept, **self._as_they_stand(stay)})
            if found is not None and not self._is_known(found):
                chosen = found
                continue
            # Where not all of them can, those that can.
            for name in self._slowest_first(free, stay):
                found = where({**chosen.kept, **self._as_they_stand([name])})
                chosen = chosen if found is None or self._is_known(found) else found
        return chosen

    def _before_the_end(
        self, chosen: Candidate, own: float, where: Callable[[Values], Candidate | None]
    ) -> Candidate:
        """The slowest settings that it changes stay, as many as have to; none where that would not do."""
        slowest = self._slowest_first(chosen, chosen.takes.keys() - self.held.keys())
        for count in range(len(slowest) + 1):
            one = where({**chosen.kept, **self._as_they_stand(slowest[:count])}) if count else chosen
            if one is not None and self._ends_in_time(one, own):
                return one
        return chosen

    def _owed(self, one: Candidate, each: float) -> list[str]:
        """The settings that it changes before the evaluations since they were changed last, ``each`` of which
        counts for so many seconds, have made up for that.
        """
        since = self.time.evaluations_since
        chosen = [name for name in one.takes if name not in self.held]
        return [name for name in chosen if one.takes[name] > each * since(name, self.stands)]

    def _ends_in_time(self, one: Candidate, own: float) -> bool:
        return self.left_s is None or own + one.seconds <= self.left_s

    def _as_they_stand(self, names: Sequence[str]) -> Values:
        return {name: self.stands[name] for name in names}

    def _log_gain(self, one: Candidate) -> float | None:
        """The logarithm of what is expected of it, as likely as it is to count; None where nobody knows."""
        predicted, why = one.suggestion.predicted, one.suggestion.why
        if predicted is None or self.best is None:
            return None
        chances = (why.get(name) for name in ("succeeds", "feasible"))
        counts = math.prod(c for c in chances if isinstance(c, float))
        gain = log_expected_improvement(predicted.mean, predicted.deviation, self.best)
        return gain + math.log(max(counts, 1e-300))

    def _log_rate(self, one: Candidate, own: float) -> float:
        gain = self._log_gain(one)
        return -math.inf if gain is None else gain - math.log(own + one.seconds)

    def _told(
        self, chosen: Candidate, free: Candidate, own: float | None, stays: str = PROMISED
    ) -> Suggestion:
        """The suggestion, with what it changes and what stayed for its time among its reasons."""
        told: dict[str, object] = {"takes": dict(chosen.takes)} if chosen.takes else {}
        if chosen.kept:
            told["spared"] = {n: free.takes[n] for n in free.takes if n not in chosen.takes}
            told["stays"] = stays
        if not told:
            return chosen.suggestion
        if own is not None:
            told["evaluation_s"] = own
        return replace(chosen.suggestion, why={**chosen.suggestion.why, CHANGE: told})


def over_what(algorithm: Algorithm, highest: float, objectives: int = 1) -> float | None:
    """The value that an algorithm's points are to improve upon, where that is what they are for: what is
    believed of the point believed best, or the ``highest`` value, minus infinity where there is none. Of
    several ``objectives`` no value is the best.
    """
    if objectives > 1:
        return None
    insight = algorithm.insight()
    if insight.believed_best is not None:
        highest = insight.believed_best.predicted.mean
    return highest if math.isfinite(highest) and algorithm.Options.improves else None
