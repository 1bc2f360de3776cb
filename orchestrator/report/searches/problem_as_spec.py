"""The problem of a search from Python, as its file says it, in the words of a spec."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from orchestrator.errors import SpecError, StoreError
from orchestrator.expressions.equalities import Equality
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Budget, Spec
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.spec.sections.when import is_scalar
from orchestrator.values.named import Values

FUNCTION = "orchestrator:minimise"
"""Stands for the function of the program that searches, which a file does not know."""
VALUE = ("value", "value told", "objective")
BLOCKS = ("block", "block told", "plate")
PREFERENCE = ("preference", "preference told", "taste")
"""What these are called, unless something else is."""
_PLACE = re.compile(r"^\d+:\d+: ")
_NO_NAME = re.compile(r"[^\w .+-]+")


@dataclass(frozen=True, slots=True)
class ProblemAsSpec:
    """A ``spec``, its ``text`` as far as the problem says it, and by parameter the ``names`` that stand there
    for values that no spec can have.
    """

    spec: Spec
    text: str
    names: Mapping[str, Sequence[tuple[Any, Any]]]

    def named(self, parameters: Values) -> dict[str, Any]:
        """Parameters with the values that the spec has."""
        return {name: _named(told, self.names.get(name, ())) for name, told in parameters.items()}


def as_spec(
    problem: Mapping[str, Any], when: Mapping[str, Any], budget: Mapping[str, Any], name: str, place: object
) -> ProblemAsSpec:
    """A problem whose parameters count ``when`` that is said of them, with a ``budget`` as far as one is
    planned, of a search that is called so and kept at a ``place``. Raises StoreError for one that no spec can
    say.
    """
    names = _names(problem["parameters"])
    told = _told(problem, when, names)
    rest = {"budget": {"trials": 1, **budget}, "evaluation": {"evaluator": FUNCTION, "attempts": 1}}
    # JSON is YAML in which no text can be taken for a number.
    text = json.dumps({"experiment": _experiment(name), **told, **rest})
    try:
        spec = load_spec_text(text, str(place), folder=None).spec
    except SpecError as error:
        complaint = _PLACE.sub("", str(error).splitlines()[0].removeprefix(f"{place}:"))
        raise StoreError(
            f"expected a search of what a spec can say, got {place}, which no spec can: {complaint}. In"
            " Python `best()` and `results()` tell what was found"
        ) from None
    evaluation = spec.evaluation.model_copy(update={"give_up_after": None})
    # Nothing may be planned.
    own = {"budget": Budget.model_construct(**budget), "evaluation": evaluation}
    clock = {"clock": problem.get("clock")}
    return ProblemAsSpec(spec.model_copy(update=own | clock), _shown(told, budget), names)


def _shown(told: Mapping[str, Any], budget: Mapping[str, Any]) -> str:
    plan = {"budget": dict(budget)} if budget else {}
    return yaml.safe_dump({**told, **plan}, sort_keys=False, allow_unicode=True, width=100)


def _told(problem: Mapping[str, Any], when: Mapping[str, Any], names: Any) -> dict[str, Any]:
    """The sections of a spec that say what a problem says."""
    parameters = {name: _parameter(name, told, when, names) for name, told in problem["parameters"].items()}
    if problem.get("compared"):
        objective = {"name": _free(PREFERENCE, [*parameters]), "told": BY_COMPARISON}
        told = {"objective": objective, "parameters": parameters, **_constraints(problem)}
        return told | {"algorithm": {"name": "auto"}, "seed": problem["seed"]}
    return _told_by_values(problem, parameters, names)


def _told_by_values(problem: Mapping[str, Any], parameters: dict[str, Any], names: Any) -> dict[str, Any]:
    outcomes = list(problem["outcomes"])
    sought = "threshold" if problem.get("threshold") is not None else "goal"
    objective: dict[str, Any] = {
        "name": _free(VALUE, [*parameters, *outcomes]),
        sought: problem[sought],
    }
    if problem["noise"] != "unknown":
        objective["noise"] = problem["noise"]
    objective |= {
        key: problem[key]
        for key in ("value", "fit", "covariance", "derivatives", "over")
        if problem.get(key) is not None
    }
    further = [{"name": name, "goal": goal} for name, goal in problem["objectives"]]
    told: dict[str, Any] = {"objectives": [objective, *further]} if further else {"objective": objective}
    told["parameters"] = parameters
    others = [name for name in outcomes if name not in dict(problem["objectives"])]
    told |= {"outcomes": others} if others else {}
    told |= _constraints(problem)
    if (reference := problem.get("reference")) is not None:
        there = {name: _named(value, names.get(name, ())) for name, value in reference.items()}
        told["initial"] = {"reference": there, "reference_times": problem.get("reference_times", 1)}
    if (fidelity := problem.get("fidelity")) is not None:
        told["fidelity"] = {key: value for key, value in fidelity.items() if value is not None}
    if (candidates := problem.get("candidates")) is not None:
        told["candidates"] = candidates
    if problem.get("blocks"):
        told["blocks"] = _free(BLOCKS, [*parameters, *outcomes])
    if problem.get("factors"):
        told["factors"] = problem["factors"]
    options = {"options": problem["options"]} if problem.get("options") else {}
    told["algorithm"] = {"name": problem["algorithm"], **options}
    return told | {"seed": problem["seed"]}


def _constraints(problem: Mapping[str, Any]) -> dict[str, Any]:
    # By each equality a parameter is computed.
    inequalities = [text for text in problem["constraints"] if not Equality.meant(text)]
    return {"constraints": inequalities} if inequalities else {}


def _parameter(name: str, told: Mapping[str, Any], when: Mapping[str, Any], names: Any) -> dict[str, Any]:
    own = {key: value for key, value in told.items() if value is not None}
    # How far it may go, and how soon, says what may be tried next, and nothing of what was.
    own.pop("travel", None)
    own.pop("change", None)
    if isinstance(steps := own.get("values"), Mapping):
        kind = "int" if all(isinstance(one, int) for one in steps.values()) else "float"
        own = {key: value for key, value in own.items() if key not in ("values", "type", "scale")}
        own |= {"type": kind, "bounds": [steps["low"], steps["high"]], "step": steps["step"]}
    if "description" in own:
        described = own.pop("description")
        own["described"] = dict(
            zip(described["names"], map(list, zip(*described["rows"], strict=True)), strict=True)
        )
    if name in names:
        changed = [stands for _, stands in names[name]]
        own |= {"values": changed} if own["type"] == "choice" else {"value": changed[0]}
    if "when" in own:
        if name not in when:
            raise StoreError(
                f"expected a file that says when `{name}` counts, which those of older versions do not: run"
                " its program once more, which adds that"
            )
        own["when"] = [
            {n: [_named(v, names.get(n, ())) for v in values] for n, values in term.items()}
            if isinstance(term, Mapping)
            else term
            for term in when[name]
        ]
    return own


def _names(parameters: Mapping[str, Any]) -> dict[str, list[tuple[Any, Any]]]:
    """Of those with values that no spec can have, by parameter, beside each value what stands for it."""
    names: dict[str, list[tuple[Any, Any]]] = {}
    for name, told in parameters.items():
        values = told["values"] if told["type"] == "choice" else [told.get("value")]
        if told["type"] not in ("choice", "fixed"):
            continue
        texts = [str(value) for value in values]
        if not all(map(is_scalar, values)) or len(set(texts)) < len(texts):
            stands = [value if is_scalar(value) else _in_words(value) for value in values]
            if len({str(one) for one in stands}) < len(stands):
                stands = [repr(value) for value in values]
            names[name] = list(zip(values, stands, strict=True))
    return names


def _in_words(value: object) -> str:
    return "none" if value is None else str(value)


def _named(told: Any, names: Iterable[tuple[Any, Any]]) -> Any:
    # True is no 1.
    return next((stands for one, stands in names if one == told and type(one) is type(told)), told)


def _free(wanted: Sequence[str], taken: Sequence[str]) -> str:
    """The first of these names that nothing else has."""
    return next((name for name in wanted if name not in taken), wanted[-1])


def _experiment(name: str) -> str:
    """A name as experiments may have."""
    return _NO_NAME.sub("-", name).strip(" .+-_")[:100] or "search"
