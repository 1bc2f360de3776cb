"""What is asked of a search in its end: all of it is answered, or refused in a sentence."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commands_given import LOOKING, MODELLING, answered
from drafts import Draft

from orchestrator import Optimiser


@dataclass
class Asker:
    """Who asks a search that a draft was of, and writes what is written into a folder."""

    search: Optimiser
    draft: Draft
    folder: Path

    @property
    def held(self) -> dict[str, Any] | None:
        if "clock" in self.draft.manner:
            return {"hours": 40.0}
        return {"wind": 5.0} if self.draft.told.get("over") == "each" else None

    @property
    def there(self) -> dict[str, Any]:
        """The last point of which there is a result, by what is set there."""
        described = {
            name: one["type"] if isinstance(one, Mapping) else "float"
            for name, one in self.draft.parameters.items()
        }
        row = self.search.results()[-1]
        rows = self.draft.rows
        named = [*described, *(rows[0] if rows else ())]
        unset = ("computed", "fixed")
        # What counts at none of the results is in none of them.
        set_there = {name: row.get(name) for name in named if described.get(name) not in unset}
        return {name: value for name, value in set_there.items() if value is not None}

    @property
    def elsewhere(self) -> dict[str, Any]:
        return self.there | ({"x": 0.31} if "x" in self.draft.parameters else {})

    def predict(self) -> None:
        for points in ([self.there], [self.elsewhere]):
            for one in self.search.predict(points):
                if not (math.isfinite(one.value.mean) and math.isfinite(one.value.deviation)):
                    raise ArithmeticError(f"predicted is {one!r}")

    def pickle(self) -> None:
        again = pickle.loads(pickle.dumps(self.search))
        if again.results() != self.search.results():
            raise ArithmeticError("what was pickled has other results")

    def spread_of_one(self) -> None:
        at = {name: value for name, value in self.there.items() if name != "x"}
        str(self.search.spread(at, prior={"x": {"mean": 0.5, "deviation": 0.1}}))

    def sensitivity_of_another(self) -> None:
        """Of an outcome, or of what is kept besides."""
        others = [*self.draft.outcomes, "epochs"]
        str(self.search.sensitivity(others[0]))

    def spread_within(self) -> None:
        """Of whatever is uncertain, and how likely a limit is broken."""
        prior = {"y": {"mean": 0.4, "deviation": 0.1}, "paint": {"chances": [0.3, 0.7]}}
        known = {name: one for name, one in prior.items() if name in self.draft.parameters}
        str(self.search.spread(prior=known, limits=["value <= 0.5"]))

    def learned_anew(self) -> None:
        """Another Optimiser of the same is told all that this one was."""
        again = Optimiser(**self.draft.arguments())
        again.learn_all(self.search.results())
        if len(again.results()) != len(self.search.results()):
            raise ArithmeticError(
                f"of {len(self.search.results())} results {len(again.results())} were learned"
            )

    def command(self, command: str, *options: str) -> None:
        """Given of the file that keeps it."""
        answered(self.folder / "search.jsonl", command, *options)

    def report(self, **more: bool) -> None:
        self.search.report(self.folder / "page.html", **more)


def _given(command: str, *options: str) -> Callable[[Asker], Any]:
    return lambda one: one.command(command, *options)


CHEAP: Mapping[str, Callable[[Asker], Any]] = {
    "insight": lambda one: str(one.search.insight()),
    "best": lambda one: str(one.search.best()),
    "front": lambda one: str(one.search.front()),
    "recommend": lambda one: str(one.search.recommend(held=one.held)),
    "results": lambda one: str(one.search.results()),
    "notebook": lambda one: one.search._repr_html_(),
    "repr": lambda one: repr(one.search),
    "pickle": Asker.pickle,
    "learned anew": Asker.learned_anew,
    **{f"command {name}": _given(*(line or (name,))) for name, line in LOOKING.items()},
}
"""Asked of each search."""
ON_THE_WAY = ("insight", "best", "front", "repr")
"""And before its end."""
DEAR: Mapping[str, Callable[[Asker], Any]] = {
    "best places": lambda one: str(one.search.best_places(3)),
    "predict": Asker.predict,
    "compare": lambda one: str(one.search.compare([one.elsewhere], one.there)),
    "sensitivity": lambda one: str(one.search.sensitivity()),
    "tolerance": lambda one: str(one.search.tolerance()),
    "tolerance of one": lambda one: str(one.search.tolerance({"x": 0.05})),
    "posterior": lambda one: str(one.search.posterior(200)),
    "spread": lambda one: str(one.search.spread()),
    "spread of one": Asker.spread_of_one,
    "report": lambda one: one.report(sensitivity=True, posterior="fit" in one.draft.told),
    "sensitivity of another": Asker.sensitivity_of_another,
    "spread within": Asker.spread_within,
    "posterior with larger errors": lambda one: str(one.search.posterior(100, errors="scaled")),
    **{name: _given(*line) for name, line in MODELLING.items()},
}
"""Those that fit models to all results."""
