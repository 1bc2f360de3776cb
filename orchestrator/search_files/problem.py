"""Which problem a search is of, as its file says it, and how another one differs."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import takewhile
from typing import Any

import msgspec

from orchestrator.algorithms.base import Noise
from orchestrator.errors import UsageError
from orchestrator.expressions.one_of import OneOf
from orchestrator.parameters.described import least_described
from orchestrator.parameters.kinds import ChoiceParameter, FloatParameter, IntParameter, Parameter
from orchestrator.parameters.space import Space
from orchestrator.values.drawn import with_few_draws
from orchestrator.values.plain import plain_throughout

_KINDS = {FloatParameter: "float", IntParameter: "int", ChoiceParameter: "choice"}
_WRITABLE = (str, int, float, bool, type(None))
# Of a pair that stands for one character: what Python makes of names of files that are no UTF-8.
_HALF = re.compile("[\ud800-\udfff]")


def parameters_in_words(space: Space, write: Callable[[Any], Any]) -> dict[str, Any]:
    """What is said of each parameter of a space, as JSON, values of choices as ``write`` has them: `written`,
    which raises UsageError for what JSON cannot have, or `shown`.
    """
    described: dict[str, Any] = {}
    for parameter in space.parameters:
        told = _described(parameter, write)
        name = parameter.name
        if name in space.conditions:
            own = space.conditions[name]
            told |= {"when": own.words, "otherwise": write(own.otherwise)}
        if name in space.travel:
            told["travel"] = space.travel[name].limit
        if name in space.changes:
            told["change"] = space.changes[name].told
        if name in space.tolerances:
            told["tolerance"] = space.tolerances[name]
        if name in space.in_use:
            told["in_use"] = space.in_use[name].told
        if name in space.priors:
            told["prior"] = space.priors[name].told
        if name in space.hunches:
            told["promising"] = space.hunches[name].told
        described[name] = told
    for one in space.computed:
        described[one.name] = {"type": "computed", "value": one.text, "bounds": one.bounds}
    return described | {name: {"type": "fixed", "value": shown(v)} for name, v in space.fixed.items()}


def constraints_in_words(parameters: object, constraints: Sequence[str] | None) -> list[str]:
    """Those that hold of parameters as they are told: a space that has some, or descriptions, of which some
    say from which amount on they are used.
    """
    own = parameters.constraints if isinstance(parameters, Space) else ()
    described = parameters.items() if isinstance(parameters, Mapping) else ()
    leasts = [text for name, told in described if (text := least_described(name, told)) is not None]
    return [*own, *(constraints or ()), *leasts]


def in_json(told: Mapping[str, Any]) -> dict[str, Any]:
    """As it is once it was written and read: names are texts, and what JSON does not have is its `repr`."""
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(plain_throughout(told), enc_hook=repr))
    return read


def noise_in_words(noise: Noise) -> str | float:
    """As it is told."""
    return noise.standard_deviation if noise.kind == "known" else noise.kind


def written(value: Any) -> Any:
    """A value of a choice as JSON, tuples as lists. Raises UsageError for what JSON does not have."""
    if isinstance(value, tuple | list):
        return [written(one) for one in value]
    if not isinstance(value, _WRITABLE) or (isinstance(value, str) and _HALF.search(value)):
        raise _unwritable(value)
    return value


def refuse_infinite_choices(space: Space) -> None:
    """Raises UsageError for one to choose from: in a file it is null, as which others come as well."""
    for parameter in space.parameters:
        for value in parameter.values if isinstance(parameter, ChoiceParameter) else ():
            parts = value if isinstance(value, tuple | list) else (value,)
            if any(isinstance(one, float) and not math.isfinite(one) for one in parts):
                raise _unwritable(value)


def _unwritable(value: object) -> UsageError:
    return UsageError(
        "expected beside a `store` choices that a file can hold (text, finite numbers, True, False, None, and"
        f" tuples of these), got {value!r}; give it a name, as text, and look that up in the function"
    )


def shown(value: object) -> Any:
    """What need not be read again, as a constant, which is given to every evaluation."""
    try:
        return written(plain_throughout(value))
    except UsageError:
        return repr(value)


def when_they_count(space: Space) -> dict[str, list[Any]]:
    """When parameters count that do not always, by name, each a list of terms as a spec has it."""
    return {
        name: [
            {term.parent: list(term.values)} if isinstance(term, OneOf) else term.text
            for term in condition.terms
        ]
        for name, condition in space.conditions.items()
    }


def differences(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    """Between a problem in a file and the one at hand, in a line each."""
    for name in dict.fromkeys((*theirs, *ours)):
        there, here = theirs.get(name), ours.get(name)
        if name == "parameters" and isinstance(there, dict) and isinstance(here, dict):
            yield from (f"parameter {line}" for line in differences(there, here))
            if list(there) != list(here) and set(there) == set(here):
                yield f"the order of the parameters is {', '.join(there)} there, and {', '.join(here)} here"
        elif name == "candidates" and isinstance(there, dict) and isinstance(here, dict):
            yield from _between_tables(there, here)
        elif name == "covariance" and there and here and there != here:
            yield "`covariance` is another one there"
        elif name not in theirs or name not in ours:
            yield f"`{name}` is {'there' if name in theirs else 'here'} alone"
        elif there != here and with_few_draws(there) == with_few_draws(here):
            yield f"`{name}` has other draws as its `prior` there"
        elif there != here:
            yield f"`{name}` is {_in_words(there)} there, and {_in_words(here)} here"


def _between_tables(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    """Of candidates, of which there may be very many."""
    there, here = dict(theirs), dict(ours)
    before, now = there.pop("columns"), here.pop("columns")
    if list(before) != list(now):
        yield f"`candidates` are with the columns {', '.join(before)} there, and {', '.join(now)} here"
    elif before != now:
        rows, others = list(zip(*before.values(), strict=True)), list(zip(*now.values(), strict=True))
        alike = sum(1 for _ in takewhile(bool, map(operator.eq, rows, others)))
        yield f"`candidates` are {len(rows):,} rows there, and {len(others):,} here, alike to row {alike:,}"
    yield from (line.replace("` is ", "` of the candidates is ", 1) for line in differences(there, here))


def _described(parameter: Parameter, write: Callable[[Any], Any]) -> dict[str, Any]:
    told = plain_throughout(asdict(parameter))
    del told["name"], told["unit"]
    if not told.get("periodic", True):
        del told["periodic"]
    if told.get("description", told) is None:
        del told["description"]
    if "low" in told:
        told["bounds"] = [told.pop("low"), told.pop("high")]
    if "values" in told:
        told["values"] = (
            list(map(write, told["values"])) if isinstance(told["values"], list) else told["values"]
        )
    return {"type": _KINDS.get(type(parameter), "ordered"), **told}


def _in_words(told: object) -> str:
    return "not said" if told is None else repr(with_few_draws(told))
