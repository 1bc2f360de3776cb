"""What evaluations return: a smooth function of any parameters, and what comes with its values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from random import Random
from typing import Any

import numpy as np
from drafts import Draft

OWN = {
    "price": 1,
    "yield": 2,
    "lift": 3,
    "heat": 4,
    "force": 5,
    "o1": 6,
    "o2": 7,
    "m1": 8,
    "m2": 9,
    "decay": 10,
}
WILD_SECONDS = (1e-9, 1.0, 1e7)
WILD_VARIANCES = (0.0, 1e-12, 1e-4, 1e3, 1e8)


def _phase(name: str) -> int:
    """Of an outcome, where it is best: those that are many are called m10, m11 ..."""
    return OWN[name] if name in OWN else int(name[1:])


def place(told: Any) -> float:
    """A number in [0, 1] for any value of a parameter."""
    if isinstance(told, str):
        return sum(map(ord, told)) % 13 / 13.0
    number = float(told)
    return number if 0.0 <= number <= 1.0 else math.log10(1.0 + abs(number)) / 3.0


def smooth(parameters: Mapping[str, Any], phase: float = 0.0) -> float:
    """From about 0 on, and not above 1."""
    places = [place(told) for told in parameters.values() if told is not None]
    squares = [(at - 0.3 - 0.1 * math.sin(i + phase)) ** 2 for i, at in enumerate(places)]
    return sum(squares) / len(squares) * 2.0


def slope_along(name: str, parameters: Mapping[str, Any]) -> float:
    step = 1e-6
    above = {**parameters, name: parameters[name] + step}
    return (smooth(above) - smooth(parameters)) / step


class Returned:
    """What a draft's evaluations return, by the number of the trial."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.chance = Random(f"values {draft.told.get('seed')}")
        self.ended = 0

    def fails(self, parameters: Mapping[str, Any]) -> bool:
        """Of the next trial to end."""
        self.ended += 1
        if "all fail" in self.draft.manner or ("fail at first" in self.draft.manner and self.ended <= 8):
            return True
        if "many failures" in self.draft.manner and smooth(parameters, 2.0) > 0.15:
            return True
        return "failures" in self.draft.manner and self.chance.random() < 0.25

    def value(self, trial: int, parameters: Mapping[str, Any]) -> float:
        manner, value = self.draft.manner, smooth(parameters)
        if "noise" in manner:
            value += self.chance.gauss(0.0, 0.05)
        if "heteroscedastic" in manner:
            value += self.chance.gauss(0.0, 0.3 * smooth(parameters, 1.0))
        if "blocks" in manner:
            value += 0.3 * (trial // 4 % 3)
        if "wild" in manner and self.chance.random() < 0.12:
            value += self.chance.choice([-30.0, 40.0])
        if "one wild" in manner and trial == 9:
            value += self.chance.choice([-1e4, 1e6])
        if "penalty" in manner and smooth(parameters, 3.0) > 0.2:
            value = 1e6
        if "orders" in manner:
            value = 10.0 ** min(40.0 * value - 20.0, 100.0)
        if "binary" in manner:
            value = float(value < 0.2)
        if "equal" in manner:
            value = 1.0
        if "whole" in manner:
            value = round(5.0 * value)
        if "huge" in manner:
            value *= 1e150
        if "tiny" in manner:
            value *= 1e-150
        return value + (1e9 if "offset" in manner else 0.0)

    def outcomes(self, trial: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
        named = [
            *self.draft.outcomes,
            *self.draft.told.get("objectives", ()),
            *self.draft.told.get("fit", ()),
        ]
        return {name: self._outcome(name, trial, parameters) for name in named}

    def _outcome(self, name: str, trial: int, parameters: Mapping[str, Any]) -> Any:
        manner = self.draft.manner
        own = 0.5
        if name != "constant" and "constant outcomes" not in manner:
            own = smooth(parameters, _phase(name))
        if "diverging" in manner and self.chance.random() < 0.12:
            own = self.chance.choice([-1e30, 1e30])
        if name == "decay":
            target = self.draft.told["fit"]["decay"]
            at = target.get("at", range(len(target["value"])))
            return [math.exp(-2.0 * min(max(own, -350.0), 1e3) * one / max(at)) for one in at]
        if not ({"m1", "m2", "o1", "o2"} & {name}):
            return own
        # Where values are computed, what is out of the ordinary is so of what they are computed of.
        return self.value(trial, parameters) if name in ("m1", "o1") else own

    def told(self, trial: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of `tell` of a trial that did not fail."""
        manner, told = self.draft.manner, {}
        if outcomes := self.outcomes(trial, parameters):
            told["outcomes"] = outcomes
        if not ({"value", "fit"} & set(self.draft.told)):
            told["value"] = self.value(trial, parameters)
        some = "some variances" in manner and "value" in told and self.chance.random() < 0.5
        if "variances" in manner or some:
            sizes = WILD_VARIANCES if "wild variances" in manner else (0.0, 1e-4, 0.01)
            told["variance"] = self.chance.choice(sizes)
        if "derivatives" in manner:
            told["derivatives"] = self._derivatives(parameters)
        if "foreseen" in manner and not outcomes and self.chance.random() < 0.25:
            told |= {"foreseen": True, "variance": 0.01}
        elif "foreign" in manner and "value" in told:
            told["value"] = self.chance.choice([np.float64, np.asarray, Decimal])(told["value"])
        elif "in a mapping" in manner and trial > 0:
            told = {"value": {**told, **told.pop("outcomes", {}), "epochs": trial % 5, "words": "a text"}}
        return told | self.told_anyway(trial, parameters)

    def _derivatives(self, parameters: Mapping[str, Any]) -> dict[str, float | None]:
        told = self.draft.told["derivatives"]
        names = [name for name in ("x", "y") if name in parameters] if told is True else told
        slopes: dict[str, float | None] = {name: slope_along(name, parameters) for name in names}
        for name in names:
            if "some derivatives" in self.draft.manner and self.chance.random() < 0.4:
                slopes[name] = None
            if "wrong derivatives" in self.draft.manner:
                slopes[name] = self.chance.gauss(0.0, 30.0)
        return slopes

    def told_anyway(self, trial: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """And of those that did."""
        told: dict[str, Any] = {}
        if "seconds" in self.draft.manner:
            told["seconds"] = 1.0 + 50.0 * smooth(parameters, 4.0)
            if "wild seconds" in self.draft.manner:
                told["seconds"] = self.chance.choice(WILD_SECONDS)
        if "blocks" in self.draft.manner:
            told["block"] = trial // 4
        return told
