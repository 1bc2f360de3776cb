"""What must hold between parameters, or of outcomes: inequalities such as ``inner < outer``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from orchestrator.expressions.alternatives import (
    OF_PARAMETERS,
    Alternative,
    HasValue,
    alternatives_in,
    names_of,
    refuse_if,
)
from orchestrator.expressions.arithmetic import (
    ArithmeticMistake,
    Formula,
    Name,
    names_in,
    with_numbers,
)
from orchestrator.expressions.chances import NEEDS_AN_OUTCOME, PROBABILITY, chance_in
from orchestrator.expressions.comparisons import Comparison, comparisons_in
from orchestrator.expressions.counts import Count, counts_among
from orchestrator.expressions.one_of import Parent, of_values, quoted
from orchestrator.expressions.other_wordings import refuse_other_wording
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

# Who names what the evaluator returns has to say so, or else every slip of the pen would be taken for that.
OF_OUTCOMES_FIRST = "; what the evaluator returns beside the value is named under `outcomes` first"

ONE_ALONE = "; one thing or another is for constraints between parameters alone"

OF_THE_VALUE = "; the value is limited where it is returned a second time, as an outcome by another name"


@dataclass(frozen=True)
class Constraint:
    """What was written, and the comparisons that must all hold: several where it is a chain, ``unless``
    something else does, as that a choice has a value. ``kept`` is the probability with which they are to
    hold in every trial, where `probability(heat <= 80) >= 0.99` says so, and ``limit`` what is within the
    brackets then; else the text.
    """

    text: str
    comparisons: tuple[Comparison, ...]
    kept: float | None = None
    limit: str = ""
    unless: tuple[Alternative, ...] = ()

    @classmethod
    @lru_cache(maxsize=1_000)
    def of(cls, text: str) -> Constraint:
        """Raises ArithmeticMistake for a text that is no inequality between two arithmetic expressions, and
        says nothing of values of choices. One text is read once: it is asked for at every result.
        """
        formula, written = _read(text), text.strip()
        if (found := alternatives_in(formula)) is not None:
            return cls(written, found.comparisons, None, written, found.unless)
        root, kept = formula.root, None
        if (chance := chance_in(formula)) is not None:
            root, kept = chance.of, chance.least
        limit = written if kept is None else formula.words(root)
        return cls(written, comparisons_in(formula, root), kept, limit)

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Every name in it, at its first place, in the order of the text."""
        return _at_first_places([*self._compared(), *(one.name for one in self.values)])

    @property
    def numbers(self) -> tuple[Name, ...]:
        """Of these such as are compared as numbers."""
        return _at_first_places(self._compared())

    @property
    def values(self) -> tuple[HasValue, ...]:
        """What it says of parameters that have some values."""
        return tuple(one for one in self.unless if isinstance(one, HasValue))

    def _compared(self) -> Iterator[Name]:
        for comparison in self.comparisons:
            for side in (comparison.low, comparison.high):
                yield from names_in(side)
        for one in self.unless:
            if not isinstance(one, HasValue):
                yield from names_of(one)

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
    def as_written(self) -> Constraint:
        """The same without what is known of the reference."""
        return Constraint.of(self.text)

    @property
    def referred(self) -> tuple[str, ...]:
        """The outcomes whose values at the reference it names."""
        return referred_among(name.name for name in self.names)

    @property
    def counts(self) -> tuple[Count, ...]:
        """What it says of how many parameters are used. Raises ArithmeticMistake for what else it may say."""
        return counts_among(self.comparisons)


def _at_first_places(names: Iterable[Name]) -> tuple[Name, ...]:
    found: dict[str, Name] = {}
    for name in sorted(names, key=lambda name: name.offset):
        found.setdefault(name.name, name)
    return tuple(found.values())


def _read(text: str) -> Formula:
    """Raises ArithmeticMistake."""
    try:
        return Formula.of(text)
    except ArithmeticMistake:
        refuse_if(text)
        refuse_other_wording(text)
        raise


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
    whether there is one, what is measured at which they may be about. ``parents``: which values parameters
    have, that constraints may ask for beside `or`.
    """

    varied: tuple[str, ...]
    fixed: tuple[str, ...]
    without_numbers: Mapping[str, str]
    outcomes: tuple[str, ...] = ()
    uncountable: Mapping[str, str] = field(default_factory=dict)
    counting: Mapping[str, str] = field(default_factory=dict)
    reference: bool = False
    parents: Mapping[str, Parent] = field(default_factory=dict)

    def read(self, text: object, hint: str = OF_OUTCOMES_FIRST) -> Constraint:
        """A constraint of theirs, be it for some values of a choice alone. Raises ArithmeticMistake for
        anything else, with a ``hint`` for a name that is unknown and nearly none of theirs.
        """
        if not isinstance(text, str):
            raise ArithmeticMistake(f"expected a constraint as text, as `inner < outer`, got {text!r}")
        constraint = Constraint.of(text)
        self._check_numbers(constraint)
        self.named(constraint.numbers, hint)
        self._check_values(constraint, hint)
        varying = {*self.varied, *self.outcomes}
        varying.update(name for name, parent in self.parents.items() if parent.kind != "fixed")
        if not any(name.name in varying for name in constraint.names):
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

    def _check_numbers(self, constraint: Constraint) -> None:
        for one in constraint.numbers:
            if one.name in self.without_numbers and len(self.parents[one.name].values) > 1:
                first = ", ".join(map(quoted, self.parents[one.name].values[:2]))
                raise ArithmeticMistake(
                    f"expected parameters that are numbers, got `{one.name}`, which"
                    f" {self.without_numbers[one.name]}",
                    one.offset,
                    f"; those that it may have are listed, as `{one.name} in ({first})`",
                )

    def _check_values(self, constraint: Constraint, hint: str) -> None:
        for one in constraint.values:
            name = one.name.name
            if name not in self.parents or name in self.outcomes:
                known = (*self.parents, *self.outcomes)
                if name in known:
                    raise ArithmeticMistake(OF_PARAMETERS.format(name), one.name.offset)
                if name in self.without_numbers:
                    self.named([one.name])
                raise ArithmeticMistake(self._unknown(name, known, hint), one.name.offset)
            for wrong in of_values(one.one_of, self.parents[name]):
                offset = one.name.offset if wrong.value is None else one.offsets[wrong.value]
                raise ArithmeticMistake(wrong.sentence, offset)
        for named in constraint.names if constraint.unless else ():
            if named.name in self.outcomes or referred_to(named.name) is not None:
                raise ArithmeticMistake(OF_PARAMETERS.format(named.name), named.offset)

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

    def of_known(self, text: str) -> Constraint:
        """An inequality that names none but theirs, not even one that varies. Raises ArithmeticMistake for
        anything else.
        """
        constraint = Constraint.of(text)
        if constraint.unless:
            sentence = f"expected one inequality, got `{constraint.text[:60]}`"
            raise ArithmeticMistake(sentence, advice=ONE_ALONE)
        self.named(constraint.names)
        return constraint

    def besides(self, own: str) -> Nameable:
        """The same without one of them."""
        return replace(self, varied=tuple(name for name in self.varied if name != own))

    def named(self, names: Iterable[Name], hint: str = "") -> None:
        """Raises ArithmeticMistake for one of some names that is none of theirs, with a ``hint`` where it is
        nearly none.
        """
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
