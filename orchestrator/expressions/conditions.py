"""When a parameter counts at all: ``momentum`` where ``optimiser`` is ``sgd``, ``width_2`` where there are
two ``layers``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from orchestrator.expressions.alternatives import HasValue, values_alone
from orchestrator.expressions.arithmetic import (
    EITHER_ADVICE,
    EQUALITY_ADVICE,
    EQUALITY_ALONE,
    SEVERAL_ADVICE,
    UNEQUAL_ADVICE,
    ArithmeticMistake,
)
from orchestrator.expressions.constraints import Constraint, Nameable
from orchestrator.expressions.one_of import Mistake, OneOf, Parent, of_values
from orchestrator.expressions.values_as_text import as_condition
from orchestrator.spelling import did_you_mean, listed

_HAS_A_VALUE = "; that a parameter has a value is written as `{}`"
_EXAMPLE = "{layers: 2}"
ADVICE = {
    EQUALITY_ADVICE: _HAS_A_VALUE.format(_EXAMPLE),
    EQUALITY_ALONE: _HAS_A_VALUE.format(_EXAMPLE),
    UNEQUAL_ADVICE: _HAS_A_VALUE.format(_EXAMPLE),
    SEVERAL_ADVICE: "; several that must all hold are a list, as `[a > 1, b < 2]`",
    EITHER_ADVICE: "; several that must all hold are a list, as `[a > 1, b < 2]`",
}
"""By what is to be done about a constraint, what is to be done about a condition instead."""


@dataclass(frozen=True, slots=True)
class Holds:
    """That an inequality between parameters holds."""

    text: str

    @property
    def words(self) -> str:
        """As people read it."""
        return f"`{self.text}`"

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that it is about. Raises ArithmeticMistake for what is no inequality."""
        return tuple(name.name for name in Constraint.of(self.text).names)


Term = OneOf | Holds


@dataclass(frozen=True, slots=True)
class Condition:
    """All ``terms`` must hold. ``otherwise`` is what an evaluator is given where they do not, or None."""

    terms: tuple[Term, ...]
    otherwise: Any = None

    @property
    def words(self) -> str:
        """As people read it, after `where`."""
        return " and ".join(term.words for term in self.terms)

    @property
    def parents(self) -> tuple[str, ...]:
        """The parameters that it is about."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term.names))


def otherwise(conditions: Mapping[str, Condition], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters, and what those that are not among them are otherwise, if anything."""
    told = {name: condition.otherwise for name, condition in conditions.items()}
    missing = {name: value for name, value in told.items() if value is not None and name not in parameters}
    return {**parameters, **missing}


def terms_of(told: Any) -> tuple[Term, ...]:
    """What ``{optimiser: sgd}``, ``{layers: [2, 3]}``, ``layers >= 2`` or a list of such say.

    Raises ValueError for anything else.
    """
    if isinstance(told, Mapping) and told:
        return tuple(OneOf(str(name), _values(values)) for name, values in told.items())
    if isinstance(told, str):
        return (Holds(told.strip()),)
    if isinstance(told, Sequence) and told:
        return tuple(term for one in told for term in terms_of(one))
    raise ValueError(
        "expected when it counts, as `{optimiser: sgd}`, `{layers: [2, 3]}`, `layers >= 2` or a list of"
        f" these, got {told!r}"
    )


def _values(told: Any) -> tuple[Any, ...]:
    values = tuple(told) if isinstance(told, Sequence) and not isinstance(told, str) else (told,)
    if not values or not all(isinstance(value, str | int | float) for value in values):
        raise ValueError(f"expected a value, or a list of some, got {told!r}")
    return values


def mistakes(own: str, term: Term, parents: Mapping[str, Parent], names: Nameable) -> Iterator[Mistake]:
    """What is wrong with a term of the parameter ``own``. ``names``: what inequalities may be about."""
    if isinstance(term, Holds):
        told = values_alone(term.text.replace("<>", "!=").replace("≠", "!="))
        yield from _of_inequality(own, term, names) if told is None else _of_text(own, term, told, parents)
    elif (unknown := _no_parent(own, term.parent, parents)) is not None:
        yield Mistake(unknown)
    else:
        yield from of_values(term, parents[term.parent])


def _no_parent(own: str, parent: str, parents: Mapping[str, Parent]) -> str | None:
    """What is wrong with what values are asked of, if anything."""
    others = [name for name in parents if name != own]
    if parent in others:
        return None
    came = "itself" if parent == own else f"`{parent}`"
    return f"expected another parameter ({listed(others)}), got {came}{did_you_mean(parent, others)}"


def _of_text(own: str, term: Holds, told: HasValue, parents: Mapping[str, Parent]) -> Iterator[Mistake]:
    """Values that are named as constraints name them."""
    parent = told.one_of.parent
    sentence = _no_parent(own, parent, parents)
    if sentence is None:
        advice = _HAS_A_VALUE.format(as_condition(told, parents[parent]) or _EXAMPLE)
        sentence = f"expected an inequality, got `{term.text[:60]}`{advice}"
    yield Mistake(sentence, told.name.offset)


def _of_inequality(own: str, term: Holds, names: Nameable) -> Iterator[Mistake]:
    others = names.besides(own)
    try:
        named = Constraint.of(term.text).names
        if itself := [name.offset for name in named if name.name == own]:
            yield Mistake("expected other parameters, got itself", itself[0])
            return
        others.of_known(term.text)
    except ArithmeticMistake as mistake:
        advice = ADVICE.get(mistake.advice, mistake.advice)
        yield Mistake(f"{mistake.sentence}{advice}", mistake.offset)
        return
    if not named:
        yield Mistake("expected at least one other parameter, got none")


class HasParents(Protocol):
    """What says of a parameter which others it depends on."""

    @property
    def parents(self) -> tuple[str, ...]:
        """Their names."""
        ...


def circles(dependent: Mapping[str, HasParents]) -> Iterator[tuple[str, ...]]:
    """Parameters that depend on each other in a circle, as those that count by each other; the first one
    again at the end. Of circles that have one in common, the first.
    """
    clear: set[str] = set()
    for first in dependent:
        while found := _circle_from(first, dependent, [], clear):
            clear.update(found)
            yield found


def _circle_from(
    name: str, dependent: Mapping[str, HasParents], path: list[str], clear: set[str]
) -> tuple[str, ...]:
    if name in path:
        return (*path[path.index(name) :], name)
    if name in clear or name not in dependent:
        return ()
    path.append(name)
    for parent in dependent[name].parents:
        if found := _circle_from(parent, dependent, path, clear):
            return found
    path.pop()
    clear.add(name)
    return ()


def parents_first(dependent: Mapping[str, HasParents]) -> tuple[str, ...]:
    """These parameters, as the conditional ones, each after those that it depends on, as those that it counts
    by; there must be no `circles`.
    """
    placed: dict[str, None] = {}

    def place(names: Iterable[str]) -> None:
        for name in names:
            if name in dependent and name not in placed:
                place(dependent[name].parents)
                placed[name] = None

    place(dependent)
    return tuple(placed)


def depending_on(names: Collection[str], dependent: Mapping[str, HasParents]) -> set[str]:
    """Which of ``dependent`` depend on some of the names, or on one that does; there must be no `circles`."""
    found: set[str] = set()
    for name in parents_first(dependent):
        if any(parent in names or parent in found for parent in dependent[name].parents):
            found.add(name)
    return found
