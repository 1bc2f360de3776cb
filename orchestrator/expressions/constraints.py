"""What must hold between parameters, or of outcomes: inequalities such as ``inner < outer``."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from orchestrator.expressions.arithmetic import (
    EQUALITY_ALONE,
    ArithmeticMistake,
    Expression,
    Formula,
    Name,
    names_in,
    with_numbers,
)
from orchestrator.expressions.chances import NEEDS_AN_OUTCOME, PROBABILITY, chance_in
from orchestrator.expressions.counts import Count, counts_among
from orchestrator.expressions.references import (
    ELSEWHERE,
    INSTEAD,
    NO_REFERENCE,
    NOT_KEPT,
    reference_to,
    referred_among,
    referred_to,
)
from orchestrator.spelling import did_you_mean
from orchestrator.values.reference_named import REFERENCE, names_reference

_LESS: Mapping[type[ast.cmpop], bool] = {ast.Lt: True, ast.Gt: True, ast.LtE: False, ast.GtE: False}

# Who names what the evaluator returns has to say so, or else every slip of the pen would be taken for that.
OF_OUTCOMES_FIRST = "; what the evaluator returns beside the value is named under `outcomes` first"

OF_THE_VALUE = "; the value is limited where it is returned a second time, as an outcome by another name"


@dataclass(frozen=True, slots=True)
class Comparison:
    """``low`` is less than ``high``; or equal, unless ``strict``."""

    low: Expression
    high: Expression
    strict: bool


@dataclass(frozen=True)
class Constraint:
    """What was written, and the comparisons that must all hold: several where it is a chain. ``kept`` is the
    probability with which they are to hold in every trial, where `probability(heat <= 80) >= 0.99` says so,
    and ``limit`` what is within the brackets then; else the text.
    """

    text: str
    comparisons: tuple[Comparison, ...]
    kept: float | None = None
    limit: str = ""

    @classmethod
    def of(cls, text: str) -> Constraint:
        """Raises ArithmeticMistake for a text that is no inequality between two arithmetic expressions."""
        formula = Formula.of(text)
        root, kept = formula.root, None
        if (chance := chance_in(formula)) is not None:
            root, kept = chance.of, chance.least
        comparisons = cls._comparisons(formula, root)
        return cls(text.strip(), comparisons, kept, text.strip() if kept is None else formula.words(root))

    @staticmethod
    def _comparisons(formula: Formula, root: ast.expr) -> tuple[Comparison, ...]:
        text = formula.text
        if not isinstance(root, ast.Compare):
            # What is no arithmetic either is answered first.
            formula.expression(root)
            raise ArithmeticMistake(f"expected an inequality, as `inner < outer`, got `{text[:60]}`")
        sides = [root.left, *root.comparators]
        for sign, side in zip(root.ops, sides[1:], strict=True):
            if isinstance(sign, ast.Eq):
                raise ArithmeticMistake("expected <, <=, > or >=, got ==", advice=EQUALITY_ALONE)
            if type(sign) not in _LESS:
                sentence = f"expected <, <=, > or >= between two sides, got `{text[:60]}`"
                raise ArithmeticMistake(sentence, formula.offset(side))
        read = [formula.expression(side) for side in sides]
        return tuple(
            Comparison(*((a, b) if isinstance(sign, ast.Lt | ast.LtE) else (b, a)), _LESS[type(sign)])
            for sign, a, b in zip(root.ops, read, read[1:], strict=False)
        )

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Every name in it, at its first place, in the order of the text."""
        found: dict[str, Name] = {}
        every = [name for c in self.comparisons for side in (c.low, c.high) for name in names_in(side)]
        for name in sorted(every, key=lambda name: name.offset):
            found.setdefault(name.name, name)
        return tuple(found.values())

    def relative_to(self, levels: Mapping[str, float]) -> Constraint:
        """The same, as it was written, with what the reference has of outcomes, as far as that is known."""
        known = {reference_to(name): levels[name] for name in self.referred if name in levels}
        if not known:
            return self
        comparisons = (
            replace(one, low=with_numbers(one.low, known), high=with_numbers(one.high, known))
            for one in self.comparisons
        )
        return replace(self, comparisons=tuple(comparisons))

    @property
    def referred(self) -> tuple[str, ...]:
        """The outcomes whose values at the reference it names."""
        return referred_among(name.name for name in self.names)

    @property
    def counts(self) -> tuple[Count, ...]:
        """What it says of how many parameters are used. Raises ArithmeticMistake for what else it may say."""
        return counts_among(self.comparisons)


def counted_by(texts: Iterable[object]) -> frozenset[str]:
    """The names that are counted by some constraints, as far as these can be read."""
    found: set[str] = set()
    for text in texts:
        if isinstance(text, str) and "count" in text:
            try:
                found.update(name for one in Constraint.of(text).counts for name in one.names)
            except ArithmeticMistake:
                continue
    return frozenset(found)


def by_subject(texts: Iterable[str], outcomes: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The constraints on parameters alone, and those that name an outcome. Raises ArithmeticMistake for a
    text that cannot be read, where there are outcomes.
    """
    known = {name for outcome in outcomes for name in (outcome, reference_to(outcome))}
    every = tuple(texts)
    of_outcomes = {
        text for text in every if known and known & {name.name for name in Constraint.of(text).names}
    }
    return (
        tuple(text for text in every if text not in of_outcomes),
        tuple(text for text in every if text in of_outcomes),
    )


def kept_among(texts: Iterable[str]) -> tuple[str, ...]:
    """Of some constraints those that are to hold in every trial, as they were written."""
    return tuple(text for text in texts if PROBABILITY in text and Constraint.of(text).kept is not None)


def relative_among(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Of some constraints those that are relative to the reference, each with the outcomes whose values there
    it names.
    """
    read = {text: Constraint.of(text) for text in texts if names_reference(text)}
    return {text: constraint.referred for text, constraint in read.items() if constraint.referred}


def unsettled(texts: Iterable[str], levels: Collection[str]) -> tuple[str, ...]:
    """Of some constraints those that are relative to what the reference has of an outcome that is not among
    the ``levels``, which are known.
    """
    return tuple(text for text, names in relative_among(texts).items() if not set(names) <= set(levels))


def in_doubt(
    texts: Iterable[str], outcomes: Iterable[str], told: Collection[str], levels: Collection[str]
) -> tuple[str, ...]:
    """Of some constraints those that name one of the outcomes which was not told, or are `unsettled`: nobody
    knows whether they hold. What is no inequality, as the steps that a known result lies between, is known.
    """
    every, missing = tuple(texts), set(outcomes).difference(told)
    relative = unsettled(every, levels)
    return tuple(text for text in every if text in relative or (missing and missing & named_in(text)))


def named_in(text: str) -> set[str]:
    """What a constraint names; nothing of one that cannot be read, which is said where it stands."""
    try:
        return {name.name for name in Constraint.of(text).names}
    except ArithmeticMistake:
        return set()


@dataclass(frozen=True, slots=True)
class Nameable:
    """What constraints may be about: the names of parameters that vary, of those that are fixed at numbers,
    of those that have no numbers, each with what it has instead, and of outcomes; and of those that cannot be
    counted, each with why; and the formulas of those that are how many of some are used. ``reference``:
    whether there is one, what is measured at which they may be about.
    """

    varied: tuple[str, ...]
    fixed: tuple[str, ...]
    without_numbers: Mapping[str, str]
    outcomes: tuple[str, ...] = ()
    uncountable: Mapping[str, str] = field(default_factory=dict)
    counting: Mapping[str, str] = field(default_factory=dict)
    reference: bool = False

    def read(self, text: object, hint: str = OF_OUTCOMES_FIRST) -> Constraint:
        """A constraint of theirs. Raises ArithmeticMistake for anything else, as `of_known` does."""
        if not isinstance(text, str):
            raise ArithmeticMistake(f"expected a constraint as text, as `inner < outer`, got {text!r}")
        constraint = self.of_known(text, hint)
        if not any(name.name in (*self.varied, *self.outcomes) for name in constraint.names):
            came = "only fixed ones" if constraint.names else "none"
            raise ArithmeticMistake(f"expected at least one parameter that varies, got {came}")
        self._check_counts(constraint)
        if constraint.kept is not None:
            for name in constraint.names:
                if referred_to(name.name) is not None:
                    raise ArithmeticMistake(NOT_KEPT.format(name.name), name.offset)
            if not any(n.name in self.outcomes for n in constraint.names):
                raise ArithmeticMistake(NEEDS_AN_OUTCOME)
        return constraint

    def _check_counts(self, constraint: Constraint) -> None:
        if all(name.name in (*self.counting, *self.fixed) for name in constraint.names):
            first = next(name for name in constraint.names if name.name in self.counting)
            formula = self.counting[first.name]
            raise ArithmeticMistake(
                f"expected `{formula}` itself, as `{formula} <= 2`, got `{first.name}`, which is computed"
                " from it, and by which no subset is found",
                first.offset,
            )
        told = dict.fromkeys(self.outcomes, "is an outcome") | dict(self.uncountable)
        offsets = {name.name: name.offset for name in constraint.names}
        for counted in (name for one in constraint.counts for name in one.names):
            if counted in told:
                raise ArithmeticMistake(
                    f"expected parameters to count that may be 0, got `{counted}`, which {told[counted]}",
                    offsets[counted],
                )

    def of_known(self, text: str, hint: str = "") -> Constraint:
        """An inequality that names none but theirs, not even one that varies. Raises ArithmeticMistake for
        anything else, with a ``hint`` for a name that is unknown and nearly none of theirs.
        """
        constraint = Constraint.of(text)
        self.named(constraint.names, hint)
        return constraint

    def besides(self, own: str) -> Nameable:
        """The same without one of them."""
        return replace(self, varied=tuple(name for name in self.varied if name != own))

    def named(self, names: Iterable[Name], hint: str = "") -> None:
        """Raises ArithmeticMistake, as `of_known`, for one of some names that is none of theirs."""
        known = (*self.varied, *self.fixed, *self.outcomes)
        for name in names:
            if name.name in self.without_numbers:
                raise ArithmeticMistake(
                    f"expected parameters that are numbers, got `{name.name}`, which"
                    f" {self.without_numbers[name.name]}",
                    name.offset,
                )
            if (outcome := referred_to(name.name)) is not None:
                self._check_referred(outcome, name.offset)
            elif name.name not in known:
                raise ArithmeticMistake(self._unknown(name.name, known, hint), name.offset)

    def _check_referred(self, outcome: str, offset: int) -> None:
        if outcome not in self.outcomes:
            listed = ", ".join(f"`{one}`" for one in self.outcomes[:12]) or "there are none"
            instead = "" if self.outcomes else OF_OUTCOMES_FIRST
            if outcome in (*self.varied, *self.fixed, *self.without_numbers):
                instead = ", a parameter; write the number that it has there"
            hint = instead or did_you_mean(outcome, self.outcomes)
            raise ArithmeticMistake(
                f"expected an outcome in `{REFERENCE}(…)` ({listed}), got `{outcome}`{hint}", offset
            )
        if not self.reference:
            raise ArithmeticMistake(NO_REFERENCE.format(outcome), offset)

    def _unknown(self, name: str, known: tuple[str, ...], hint: str) -> str:
        listed = ", ".join(f"`{one}`" for one in known[:12]) + (" …" if len(known) > 12 else "")
        what = "parameters and outcomes" if self.outcomes else "parameters"
        near = OF_THE_VALUE if name == "value" else did_you_mean(name, known)
        if name in (REFERENCE, *ELSEWHERE) and not near:
            near = INSTEAD
        return f"expected the {what} {listed or '(none is a number)'}, got `{name}`{near or hint}"
