"""That a parameter has one of some values, as `solver: [cg, gmres]` or ``solver == "cg"`` says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.finite import is_number
from orchestrator.values.same import alike
from orchestrator.values.steps import Steps


@dataclass(frozen=True, slots=True)
class Parent:
    """What a condition may look at: ``values`` of a choice, of what is ordered or in steps, or of a fixed
    parameter, ``bounds`` of others.
    """

    kind: Literal["float", "int", "choice", "fixed"]
    values: Sequence[Any] = ()
    bounds: tuple[float, float] = (0.0, 0.0)

    def has(self, value: Any) -> bool:
        """Whether it may have a value. A fixed parameter may be fixed at another one next time."""
        if self.kind == "fixed":
            return isinstance(value, str | int | float)
        if isinstance(self.values, Steps):
            return value in self.values
        if self.kind == "choice":
            return any(alike(value, other) for other in self.values)
        low, high = self.bounds
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and low <= value <= high and value == int(value)


@dataclass(frozen=True, slots=True)
class OneOf:
    """That ``parent`` has one of some values."""

    parent: str
    values: tuple[Any, ...]

    @property
    def words(self) -> str:
        """As people read it."""
        return f"`{self.parent}` is {listed(map(written, self.values))}"

    @property
    def names(self) -> tuple[str, ...]:
        """The parameter that it is about."""
        return (self.parent,)


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with a term: of its ``offset``-th character, or of its ``value``-th value, if of one."""

    sentence: str
    offset: int = 0
    value: int | None = None


def of_values(term: OneOf, parent: Parent) -> Iterator[Mistake]:
    """What is wrong with the values that the ``parent`` of a term is to have."""
    if parent.kind == "float":
        yield Mistake(f"expected an inequality, as `{term.parent} >= 0.5`, for `{term.parent}` is a float")
        return
    for i, value in enumerate(term.values):
        if not parent.has(value):
            expected, near = _any_of(parent.values, value)
            if parent.kind == "int":
                low, high = parent.bounds
                expected, near = f"a whole number in [{low:g}, {high:g}]", ""
            near = _quoting(value, parent) or near
            yield Mistake(f"expected {expected} for `{term.parent}`, got `{written(value)}`{near}", value=i)


def _any_of(values: Sequence[Any], came: Any) -> tuple[str, str]:
    """In words, and what to write instead of what came, if that can be told."""
    if isinstance(values, Steps):
        return str(values), values.beside(came) if is_number(came) else ""
    all_numbers = is_number(came) and all(map(is_number, values))
    return listed(map(written, values)), "" if all_numbers else did_you_mean(str(came), map(str, values))


def _quoting(value: Any, parent: Parent) -> str:
    """What is to be done where text was written for a number that looks like it, or the other way round."""
    if isinstance(value, str):
        return "; it is text: leave out its quotes" if parent.has(_unquoted(value)) else ""
    if isinstance(parent.values, Steps):
        return ""
    texts = [_unquoted(other) for other in parent.values if isinstance(other, str)]
    meant = any(alike(value, other) for other in texts)
    return "; the values are text: put it in quotes" if meant else ""


def _unquoted(text: str) -> str | float | bool:
    """What text would be without quotes."""
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text


def quoted(value: Any) -> str:
    """A value as a constraint has it."""
    return f'"{value}"' if isinstance(value, str) else written(value)


def written(value: Any) -> str:
    """A value as people write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)
