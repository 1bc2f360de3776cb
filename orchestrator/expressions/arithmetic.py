"""Arithmetic that a person writes, such as ``span * sweep``, as a tree: read with `ast`, never executed.

Numbers, names, ``+ - * / **``, parentheses and a few functions; nothing else is taken.
"""

from __future__ import annotations

import ast
import keyword
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from orchestrator.errors import SpecError
from orchestrator.expressions.references import ELSEWHERE, INSTEAD, reference_to
from orchestrator.values.python_text import looked_at
from orchestrator.values.reference_named import REFERENCE

LONGEST = 1000
"""Characters."""
FUNCTIONS: Mapping[str, tuple[int, int | None]] = {
    "abs": (1, 1),
    "ceil": (1, 1),
    "cos": (1, 1),
    "count": (1, None),
    "exp": (1, 1),
    "floor": (1, 1),
    "log": (1, 1),
    "max": (2, None),
    "min": (2, None),
    "round": (1, 1),
    "sin": (1, 1),
    "sqrt": (1, 1),
    "tan": (1, 1),
}
"""How many arguments each function takes: at least, and at most."""

_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}
_WRITTEN = {"=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "<>": "!=", "≠": "!="}
_SIGNS_ELSEWHERE = re.compile("|".join(_WRITTEN))
_BACKQUOTED = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[^\W\d]\w*")
# What Python reads as something else is a name here, as `lambda`; but for what people take for logic.
_LOGIC = {"and", "or", "not", "in", "is", "if", "else", "None", "True", "False"}
_NAMES_IN_PYTHON = set(keyword.kwlist) - _LOGIC


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: float


@dataclass(frozen=True, slots=True)
class Name:
    """Something that has a value, and where it stands in the text, from 0."""

    name: str
    offset: int


@dataclass(frozen=True, slots=True)
class Negative:
    """Minus an expression."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Operation:
    """Two expressions with one of ``+ - * / **`` between them."""

    sign: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """One of `FUNCTIONS` of expressions."""

    function: str
    arguments: tuple[Expression, ...]


Expression: TypeAlias = Number | Name | Negative | Operation | Call


def parts_of(expression: Expression) -> Iterator[Expression]:
    """An expression, and all that it is made of, in the order of the text."""
    yield expression
    match expression:
        case Negative(operand):
            yield from parts_of(operand)
        case Operation(_, left, right):
            yield from parts_of(left)
            yield from parts_of(right)
        case Call(_, arguments):
            for argument in arguments:
                yield from parts_of(argument)


def with_numbers(expression: Expression, numbers: Mapping[str, float]) -> Expression:
    """The same with numbers in place of some of its names."""
    match expression:
        case Name(name) if name in numbers:
            return Number(numbers[name])
        case Negative(operand):
            return Negative(with_numbers(operand, numbers))
        case Operation(sign, left, right):
            return Operation(sign, with_numbers(left, numbers), with_numbers(right, numbers))
        case Call(function, arguments):
            return Call(function, tuple(with_numbers(one, numbers) for one in arguments))
    return expression


def names_in(expression: Expression) -> Iterator[Name]:
    """Every name in an expression, as often as it occurs, in the order of the text."""
    return (part for part in parts_of(expression) if isinstance(part, Name))


class ArithmeticMistake(SpecError):
    """A text that cannot be read: what was expected, at which character, ``offset``, counted from 0, and
    what to do instead, the ``advice`` that the sentence ends with: for a constraint.
    """

    def __init__(self, sentence: str, offset: int = 0, advice: str = "") -> None:
        super().__init__(f"{sentence}{advice}")
        self.sentence, self.offset, self.advice = sentence, offset, advice


@dataclass(frozen=True)
class Formula:
    """A text and what `ast` made of it; names that Python could not read have their places filled."""

    text: str
    root: ast.expr

    @classmethod
    def of(cls, text: str) -> Formula:
        """Raises ArithmeticMistake for what is no expression."""
        if len(text) > LONGEST:
            raise ArithmeticMistake(f"expected at most {LONGEST} characters, got {len(text)}")
        if "\n" in text.strip():
            raise ArithmeticMistake("expected one line")
        try:
            with looked_at():
                root = ast.parse(_readable(text), mode="eval").body
        except SyntaxError as error:
            # Python points before the text where it ends too soon.
            offset = min((error.offset or len(text) + 1) - 1, len(text.rstrip()))
            raise _no_arithmetic(text, offset) from None
        except (ValueError, MemoryError, RecursionError):
            raise _no_arithmetic(text) from None
        return cls(text, root)

    @classmethod
    def computing(cls, text: object, what: str, instead: str = "") -> Formula:
        """One that computes something of ``what``, as "other parameters", and compares nothing, for which
        ``instead`` says where that stands. Raises ArithmeticMistake.
        """
        if not isinstance(text, str):
            raise ArithmeticMistake(f"expected arithmetic of {what} as text, got {text!r}")
        sentence = f"expected arithmetic of {what}, got `{text[:60]}`"
        try:
            formula = cls.of(text)
        except ArithmeticMistake as mistake:
            raise ArithmeticMistake(f"{sentence}, which cannot be read", mistake.offset) from None
        if isinstance(formula.root, ast.Compare):
            raise ArithmeticMistake(f"{sentence}{instead}")
        return formula

    def offset(self, node: ast.expr) -> int:
        """The character where a node begins, from 0."""
        return self._characters(node.col_offset)

    def words(self, node: ast.expr) -> str:
        """What is written for a node."""
        return self.text[self.offset(node) : self._characters(node.end_col_offset or 0)]

    def expression(self, node: ast.expr) -> Expression:
        """A part of the text as a tree. Raises ArithmeticMistake for what is no arithmetic."""
        try:
            return self._expression(node)
        except RecursionError:
            raise ArithmeticMistake("expected arithmetic with fewer steps within one another") from None

    def _expression(self, node: ast.expr) -> Expression:
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return Number(self._finite(value, node))
            case ast.Name():
                return Name(self.words(node).strip("`"), self.offset(node))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Negative(self._expression(operand))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self._expression(operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
                return Operation(_SIGNS[type(op)], self._expression(left), self._expression(right))
            case ast.Call(func=ast.Name() as function, args=arguments, keywords=[]):
                return self._call(function, arguments)
        raise self._foreign(node)

    def _call(self, function: ast.Name, arguments: list[ast.expr]) -> Call | Name:
        name, known = self.words(function), ", ".join(FUNCTIONS)
        if name == REFERENCE:
            return self._of_reference(function, arguments)
        if name not in FUNCTIONS:
            meant = INSTEAD if name in ELSEWHERE else ""
            raise ArithmeticMistake(
                f"expected one of the functions {known}, got `{name}`{meant}", self.offset(function)
            )
        least, most = FUNCTIONS[name]
        if len(arguments) < least or (most is not None and len(arguments) > most):
            wanted = f"{least}" if least == most else f"at least {least}"
            raise ArithmeticMistake(
                f"expected {wanted} argument{'s' * (least > 1)} of `{name}`, got {len(arguments)}",
                self.offset(function),
            )
        return Call(name, tuple(self._expression(argument) for argument in arguments))

    def _of_reference(self, function: ast.Name, arguments: list[ast.expr]) -> Name:
        """What was measured of an outcome at the reference, which has a name, and no value of its own."""
        if len(arguments) != 1 or not isinstance(arguments[0], ast.Name):
            came = self.words(arguments[0])[:60] if len(arguments) == 1 else f"{len(arguments)} arguments"
            raise ArithmeticMistake(
                f"expected the name of an outcome in `{REFERENCE}(…)`, got {came}", self.offset(function)
            )
        return Name(reference_to(self.words(arguments[0]).strip("`")), self.offset(function))

    def _finite(self, value: float, node: ast.expr) -> float:
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise ArithmeticMistake("expected a number that fits double precision", self.offset(node))
        return number

    def _foreign(self, node: ast.expr) -> ArithmeticMistake:
        came = self.words(node) or ast.unparse(node)
        hint = ""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            hint = "; a power is written `**`"
        elif isinstance(node, ast.BoolOp):
            hint = SEVERAL_ADVICE
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            hint = OPPOSITE_ADVICE
        elif isinstance(node, ast.Attribute):
            hint = "; a name with other characters than letters, digits and _ is put in backquotes"
        return ArithmeticMistake(f"{_expected()}, got `{came[:60]}`", self.offset(node), hint)

    def _characters(self, octets: int) -> int:
        return len(self._octets[:octets].decode(errors="ignore"))

    @cached_property
    def _octets(self) -> bytes:
        return _readable(self.text).encode()


def _readable(text: str) -> str:
    """The text with a name of as many characters in place of each that Python would not read as one."""
    filled = _BACKQUOTED.sub(lambda found: "_" * len(found[0]), text)
    return _WORD.sub(lambda f: "_" * len(f[0]) if f[0] in _NAMES_IN_PYTHON else f[0], filled)


def _expected() -> str:
    return f"expected arithmetic of numbers, parameters, + - * / ** and {', '.join(FUNCTIONS)}"


def _no_arithmetic(text: str, offset: int = 0) -> ArithmeticMistake:
    if found := _SIGNS_ELSEWHERE.search(_readable(text)):
        came = f"expected an inequality, as `inner < outer`, got `{text[:60]}`"
        written = f"; `{found[0]}` is written `{_WRITTEN[found[0]]}`"
        of_two = _WRITTEN[found[0]] == "!=" and not _beside_a_value(text, found)
        return ArithmeticMistake(came, found.start(), UNEQUAL_ADVICE if of_two else written)
    if re.search(r"(?<![<>=!])=(?!=)", text):
        came = f"expected an inequality, as `inner < outer`, got `{text[:60]}`"
        return ArithmeticMistake(came, offset, EQUALITY_ADVICE)
    if "&&" in text or "||" in text:
        advice = SEVERAL_ADVICE if "&&" in text else EITHER_ADVICE
        return ArithmeticMistake("expected one inequality", offset, advice)
    return ArithmeticMistake(
        f"expected an inequality, as `inner < outer`, got `{text[:60]}`, which cannot be read here", offset
    )


def _beside_a_value(text: str, sign: re.Match[str]) -> bool:
    """Whether a number, or a text, stands at either side of what is asked to differ."""
    before, after = text[: sign.start()].rstrip(), text[sign.end() :].lstrip()
    value = re.match(r"[-+]?[\d.]+(?!\s*[-+*/\d.])|['\"]", after)
    return value is not None or before[-1:] in ("'", '"') or before.isdigit()


UNEQUAL_ADVICE = (
    "; a value that is text is put in quotes, as `solver != 'direct'`, and that numbers differ is written"
    " `a < b or a > b`"
)
"""What is to be done where two sides are to differ."""
EQUALITY_ADVICE = "; an equality is written `==`, as `x + y == 1`"
"""What is to be done where two sides are to be equal."""
EQUALITY_ALONE = (
    "; an equality ties parameters from the beginning of a run, and is written by itself, as `x + y == 1`"
)
"""What is to be done where they cannot be."""
SEVERAL_ADVICE = "; write each condition as a constraint of its own"
"""What is to be done where several inequalities stand in one text."""
OPPOSITE_ADVICE = "; the opposite of `==` is `!=`, and that of `<=` is `>`"
"""What is to be done where something is not to hold."""
EITHER_ADVICE = "; that one or the other holds is written by `or`"
"""What is to be done where one of several need hold."""
