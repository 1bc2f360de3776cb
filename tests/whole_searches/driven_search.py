"""A search from its first trial to the questions in its end, with all that must not be on the way."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from broken_promises import broken_by, not_shared, too_far, tried_again
from cheap_values import Returned, smooth
from drafts import Draft
from end_questions import CHEAP, DEAR, ON_THE_WAY, Asker
from ended import Ended, noting, strictly_warned

from orchestrator import Optimiser
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.python_interface.answers import Asked
from orchestrator.python_interface.asking import NothingSure

ASK_SECONDS = 20.0
"""Of a processor, for one ask with the refits that are due."""
KNOWN = 9
GONE_ON = 0.08
"""How likely it is closed before an ask, and gone on with from its file."""


class EndsHere(Exception):
    """A search that cannot go on, as every candidate was tried, or none is sure to keep its limits."""


class DrivenSearch:
    """One draft, asked and told so many ``trials``; ``questions``: how many dear ones are asked at last."""

    def __init__(self, draft: Draft, trials: int, questions: int, folder: Path) -> None:
        self.draft, self.trials, self.questions, self.folder = draft, trials, questions, folder
        self.chance = Random(f"driven {draft.features} {draft.told.get('seed')}")
        # A stream of its own, so that a seed stays the search that it is.
        self.gone_on = Random(f"gone on {draft.features} {draft.told.get('seed')}")
        self.returned = Returned(draft)
        self.ended = Ended(draft.features)
        self.tried: list[Mapping[str, Any]] = []
        self.running: list[Asked] = []
        self.before: Mapping[str, Any] | None = None

    def run(self) -> Ended:
        with strictly_warned(), noting(self.ended, "search"):
            optimiser = self._begun()
            try:
                self._begin_with_parts(optimiser)
                while self.ended.trials < self.trials:
                    optimiser = self._turn(optimiser)
            except EndsHere:
                pass
            self.ended.faults += tried_again(self.draft, self.tried)
            asker = Asker(optimiser, self.draft, self.folder)
            for name, question in CHEAP.items():
                self._answers(name, question, asker)
            dear, answered = sorted(DEAR), 0
            self.chance.shuffle(dear)
            for name in dear:
                answered += answered < self.questions and self._answers(name, DEAR[name], asker)
            self._gone_on(optimiser)
        return self.ended

    def _begun(self) -> Optimiser:
        manner = self.draft.manner
        optimiser = Optimiser(**self.draft.arguments(), store=self.folder / "search.jsonl")
        if "known" in manner or "safely" in manner:
            for one in self.draft.points(KNOWN):
                result = self.returned.told(0, one)
                result = {key: own for key, own in result.items() if key not in ("seconds", "foreseen")}
                if "safely" in manner:
                    result["outcomes"]["heat"] = 0.1
                optimiser.learn(one, **result)
        if "table" in manner and not self.draft.told.get("derivatives"):
            rows = [
                {**one, **self.returned.outcomes(0, one), "value": smooth(one), "variance": 0.01, "block": 0}
                for one in self.draft.points(KNOWN)
            ]
            optimiser.learn_all(rows)
        if "travel" in manner and "relative" not in manner:
            # Else it stands at the reference.
            self._tell(optimiser, optimiser.attach(self.draft.points(1)[0]))
        return optimiser

    def _begin_with_parts(self, optimiser: Optimiser) -> None:
        """Of points, where they may be anywhere."""
        now = self._held() if "clock" in self.draft.manner else {}
        for part in self.draft.parts if "travel" not in self.draft.manner else ():
            try:
                one = optimiser.attach({**now, **part})
            except NothingSure as refused:
                raise EndsHere from refused
            where = f"trial {one.trial}, {dict(one.parameters)}: "
            self.ended.faults += [where + words for words in broken_by(self.draft, one, part)]
            self.tried.append(dict(one.parameters))
            self._tell(optimiser, one)

    def _held(self) -> dict[str, Any]:
        if "clock" in self.draft.manner:
            return {"hours": min(48.0, 1.2 * self.ended.trials)}
        if self.draft.told.get("over") == "each" and self.chance.random() < 0.5:
            return {"wind": self.chance.uniform(0.0, 20.0)}
        return {"y": 0.4} if "held" in self.draft.manner and self.chance.random() < 0.4 else {}

    def _turn(self, optimiser: Optimiser) -> Optimiser:
        """The one to go on with."""
        manner = self.draft.manner
        n = self.chance.choice([1, 2, 4]) if {"batches", "out of order"} & manner else 1
        held = self._held()
        twin = None
        if not self.running and self.gone_on.random() < GONE_ON:
            twin, optimiser = self._taken_up_again(optimiser)
        begun = time.process_time()
        n = 1 if self._one_machine else n
        asked = self._asked(optimiser, n, held)
        took = time.process_time() - begun
        self.ended.slowest = max(self.ended.slowest, took)
        if took > ASK_SECONDS:
            self.ended.faults.append(f"an ask took {took:.0f} s after {self.ended.trials} trials")
        if twin is not None:
            self._asked_alike(twin, asked, n, held)
        for one in asked:
            self.tried.append(dict(one.parameters))
            where = f"trial {one.trial}, {dict(one.parameters)}: "
            self.ended.faults += [where + words for words in broken_by(self.draft, one, held)]
            self.ended.faults += [where + words for words in too_far(self.draft, self.before, one.parameters)]
            self.ended.faults += [where + words for words in not_shared(self.draft, asked[0], one)]
        self.running += asked
        left = self.chance.randrange(4) if "out of order" in manner and not self._one_machine else 0
        while len(self.running) > left:
            at = self.chance.randrange(len(self.running)) if "out of order" in manner else 0
            self._tell(optimiser, self.running.pop(at))
        if self.chance.random() < 0.2:
            asker = Asker(optimiser, self.draft, self.folder)
            for name in ON_THE_WAY:
                self._answers(name, CHEAP[name], asker)
        if "again" in manner and "travel" not in manner and self.chance.random() < 0.3 and self.tried:
            self._tell(optimiser, optimiser.attach(self.chance.choice(self.tried)))
        return optimiser

    @property
    def _one_machine(self) -> bool:
        """Whether trials come one after the other."""
        return bool({"travel", "slow"} & self.draft.manner)

    def _taken_up_again(self, optimiser: Optimiser) -> tuple[Optimiser | None, Optimiser]:
        """It as it was pickled, where its algorithm can be, and as its file has it."""
        twin = None
        try:
            twin = pickle.loads(pickle.dumps(optimiser))
        except UsageError as refused:
            self.ended.refused["pickle"] = str(refused)
        optimiser.close()
        again = Optimiser(**self.draft.arguments(), store=self.folder / "search.jsonl")
        if any(one is not None and one.results() != optimiser.results() for one in (again, twin)):
            self.ended.faults.append(f"after {self.ended.trials} trials its file has other results")
        return twin, again

    def _asked_alike(self, twin: Optimiser, asked: Sequence[Asked], n: int, held: dict[str, Any]) -> None:
        """Whether one that was pickled asks for the same as one that goes on from its file, to the bit."""
        would = [(one.trial, dict(one.parameters)) for one in self._asked(twin, n, dict(held))]
        if would != (does := [(one.trial, dict(one.parameters)) for one in asked]):
            self.ended.faults.append(f"of the same file is asked for {does}, and of a pickle for {would}")

    def _asked(self, optimiser: Optimiser, n: int, held: dict[str, Any]) -> list[Asked]:
        """Those of the next trials; what is held or shared is let go for good where it cannot be."""
        sharing = ["y"] if "shared" in self.draft.manner else []
        try:
            return list(optimiser.ask(n, held=held or None, sharing=sharing))
        except NothingSure as refused:
            raise EndsHere from refused
        except OrchestratorError as refused:
            if optimiser.untried == 0:
                raise EndsHere from refused
            letting_go = {"held", "shared"} & self.draft.manner
            if not letting_go:
                raise
            self.draft.manner -= letting_go
            held.clear()
            held.update(self._held())
            return self._asked(optimiser, n, held)

    def _tell(self, optimiser: Optimiser, one: Asked) -> None:
        self.ended.trials += 1
        self.before = dict(one.parameters)
        if "abandoned" in self.draft.manner and self.chance.random() < 0.2:
            optimiser.abandon(one.trial)
            # It may be asked for again.
            self.tried = [other for other in self.tried if other != self.before]
            return
        if self.returned.fails(one.parameters):
            told = self.returned.told_anyway(one.trial, one.parameters)
            optimiser.tell(one.trial, None, **told, reason="a reason")
            return
        told = self.returned.told(one.trial, one.parameters)
        if "watched" in self.draft.manner:
            told["watch"] = watch = optimiser.watch(one.trial)
            for step in range(1, 9):
                if watch.report(step, loss=smooth(one.parameters) + 0.5 / step):
                    break
        try:
            optimiser.tell(one.trial, **told)
        except UsageError:
            if "no value in places" not in self.draft.manner:
                raise
            optimiser.tell(one.trial, None)

    def _answers(self, name: str, question: Callable[[Asker], Any], asker: Asker) -> bool:
        """Whether it is no question that is refused of such a search."""
        with noting(self.ended, name):
            try:
                question(asker)
            except OrchestratorError as refused:
                self.ended.refused[name] = str(refused)
                return False
        return True

    def _gone_on(self, optimiser: Optimiser) -> None:
        """Another of the same file knows the same."""
        with noting(self.ended, "gone on with"):
            optimiser.close()
            again = Optimiser(**self.draft.arguments(), store=self.folder / "search.jsonl")
            if again.results() != optimiser.results():
                self.ended.faults.append("what the file keeps has other results")
            again.close()
