"""The algorithms by the names that a spec uses, loaded when asked for.

Another package adds its own as entry points of the group ``orchestrator.algorithms``:
``my-algorithm = "my_package.module:MyAlgorithm"``, a class that keeps the protocol of `base.Algorithm`.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from pydantic import ValidationError

from orchestrator.algorithms.base import Algorithm, Options, Problem
from orchestrator.errors import SpecError

GROUP = "orchestrator.algorithms"
BUILT_IN: Mapping[str, str] = {
    "egp-ts": "orchestrator.algorithms.egp_ts:EgpTs",
    "random": "orchestrator.algorithms.random_search:RandomSearch",
    "sobol": "orchestrator.algorithms.sobol:Sobol",
}


def names() -> tuple[str, ...]:
    """Every name that `load` knows, sorted; nothing is imported."""
    return tuple(sorted({*BUILT_IN, *_third_party()}))


def load(name: str) -> type[Algorithm]:
    """The class of that name. Raises SpecError, with a near miss, for an unknown one."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        return cast(type[Algorithm], getattr(import_module(module), attribute))
    found = _third_party().get(name)
    if found is None:
        near = get_close_matches(name, names(), n=1)
        raise SpecError(
            f"expected an algorithm ({', '.join(names())}), got `{name}`"
            + (f"; did you mean `{near[0]}`?" if near else "")
        )
    try:
        return cast(type[Algorithm], found.load())
    except (ImportError, AttributeError) as error:
        raise SpecError(
            f"algorithm `{name}` is offered by an installed package as `{found.value}`, which cannot be"
            f" imported ({error}); repair or uninstall that package"
        ) from error


def build(name: str, problem: Problem, options: Mapping[str, Any] | None = None) -> Algorithm:
    """An algorithm for a problem. Raises SpecError for an unknown name and for options that are wrong."""
    algorithm = load(name)
    try:
        checked = algorithm.Options.model_validate(dict(options or {}))
    except ValidationError as error:
        raise SpecError("\n".join(_sentences(name, algorithm.Options, error))) from error
    complaints = checked.check(problem)
    if complaints:
        raise SpecError("\n".join(f"algorithm `{name}`: {complaint}" for complaint in complaints))
    return algorithm(problem, checked)


def _third_party() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _sentences(name: str, options: type[Options], error: ValidationError) -> list[str]:
    """One for each wrong option: its name, what was expected, what came."""
    known = list(options.model_fields)
    sentences = []
    for problem in error.errors():
        key = str(problem["loc"][0]) if problem["loc"] else ""
        if problem["type"] == "extra_forbidden" and len(problem["loc"]) == 1:
            near = get_close_matches(key, known, n=1)
            sentences.append(
                f"algorithm `{name}`: expected the options {', '.join(known) or '(none)'}, got `{key}`"
                + (f"; did you mean `{near[0]}`?" if near else "")
            )
        else:
            message = problem["msg"].removeprefix("Value error, ")
            sentences.append(f"algorithm `{name}`, option `{key}`: {message}; got {problem['input']!r}")
    return sentences
