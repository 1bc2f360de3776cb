"""The search of a seed: features that are taken together, drawn until there are some."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from random import Random
from typing import Any

from cheap_values import smooth
from drafts import Draft
from drawn_features import FEATURES

from orchestrator import Optimiser, Plan
from orchestrator.errors import OrchestratorError

PARTS = 2
DRAWS = 40
"""How often others are drawn where some are refused: two in three are taken at once."""


class NotTaken(Exception):
    """No features that were drawn are taken together, or one is refused in words that are no sentence."""


def drawn(seed: int) -> Draft:
    """Two to four features that may be said together, by the checks of an Optimiser itself."""
    chance = Random(f"search {seed}")
    for _ in range(DRAWS):
        names = tuple(chance.sample(sorted(FEATURES), chance.choice([2, 3, 3, 4, 4])))
        draft = drafted(names, Random(f"{seed} {names}"))
        if draft is not None and is_taken(draft):
            return draft
    raise NotTaken(f"of {DRAWS} draws none was taken")


def drafted(names: tuple[str, ...], chance: Random) -> Draft | None:
    """With these features; None where one of them takes away what another is about."""
    draft = Draft(chance, {"x": (0.0, 1.0), "y": (0.0, 1.0)}, features=names)
    draft.told = {"goal": chance.choice(["maximise", "minimise"]), "seed": chance.randrange(1000)}
    for name in names:
        before = {**draft.told}
        try:
            FEATURES[name](draft)
        except KeyError:
            return None
        if any(before[key] != draft.told[key] for key in before):
            return None
    if "no value in places" in draft.manner and {"known", "table"} & draft.manner:
        return None
    if "fit" in draft.told:
        draft.told["goal"] = "minimise"
    if "threshold" in draft.told:
        draft.told.pop("goal")
    if "last seeds" in draft.manner:
        draft.told["seed"] = 2**63 - 1 - draft.told["seed"]
    if "related" in draft.manner and not _related(draft):
        return None
    if chance.random() < 0.9:
        _begun_early(draft, refit_every=chance.choice([None, 3, 6]))
    if "relative" in draft.manner and not _relative(draft):
        return None
    if "parts" in draft.manner and not _parts(draft):
        return None
    if "plan" in draft.manner:
        draft.told["plan"] = Plan(trials=chance.choice([8, 30]), parallel=chance.choice([1, 3]))
    return draft


def is_taken(draft: Draft) -> bool:
    """Raises NotTaken where it is refused by anything else than a sentence."""
    try:
        Optimiser(**draft.arguments())
    except OrchestratorError:
        return False
    except Exception:
        raise NotTaken(f"{draft.features} refused by\n{traceback.format_exc()}") from None
    return True


def _relative(draft: Draft) -> bool:
    """Whether there is a point that its limits may be relative to, which it is told."""
    try:
        draft.told["reference"] = draft.points(1)[0]
    except OrchestratorError:
        return False
    return True


def _parts(draft: Draft) -> bool:
    """Whether there are points of which parts are taken, which are kept for it: of each one parameter is left
    out, or all but one.
    """
    try:
        points = draft.points(PARTS)
        chosen = [name for name in points[0] if _is_chosen(draft, name)]
        for point, size in zip(points, (1, len(chosen) - 1), strict=True):
            told = {name: point[name] for name in draft.chance.sample(chosen, size)}
            draft.parts.append(told)
        now = {clock: 0.0} if (clock := draft.told.get("clock")) else {}
        whole = Optimiser(**draft.arguments())
        return whole.parts_among([{**part, **now} for part in draft.parts]) == list(range(PARTS))
    except (OrchestratorError, ValueError, KeyError):
        return False


def _is_chosen(draft: Draft, name: str) -> bool:
    """Whether it is, wherever the others lie."""
    told = draft.parameters.get(name)
    unset = {"computed", "fixed"}
    if not isinstance(told, Mapping):
        return told is not None
    return told["type"] not in unset and "when" not in told and name != draft.told.get("clock")


def be_random(draft: Draft) -> None:
    """Have its points drawn at random, where that is taken."""
    before = {name: draft.told.pop(name) for name in ("algorithm", "options") if name in draft.told}
    draft.told |= {"algorithm": "random", "options": {}}
    if not is_taken(draft):
        del draft.told["algorithm"], draft.told["options"]
        draft.told |= before


def _related(draft: Draft) -> bool:
    """Whether there are results of an experiment with the same parameters."""
    try:
        rows = draft.points(12)
    except OrchestratorError:
        return False
    factor = {"related opposite": -2.0, "related same": 0.0}
    times = next((by for manner, by in factor.items() if manner in draft.manner), 1.3)
    draft.told["related"] = [{**one, "value": times * smooth(one) + 0.1} for one in rows]
    return True


def _begun_early(draft: Draft, refit_every: int | None) -> None:
    """So that there are models of few results, and few refits, where the algorithm has the options."""
    sooner: dict[str, Any] = {**draft.told.get("options", {}), "start_points": 4}
    if refit_every is not None:
        sooner["refit_every"] = refit_every
    trial = {**draft.arguments(), "options": sooner}
    try:
        Optimiser(**trial)
    except OrchestratorError:
        return
    except Exception:  # told of where it is taken without
        return
    draft.told["options"] = sooner
