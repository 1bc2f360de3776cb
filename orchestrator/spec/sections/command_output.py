"""Where a command's value is, as a spec has it: JSON, a pattern, or a pattern for each value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import PydanticCustomError

from orchestrator.spec.document.section import refuse, shown
from orchestrator.spec.sections.command_progress import NO_PATTERN
from orchestrator.spec.sections.trial_files import beside_the_trial
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.finite import is_number

TAKE: Final = ("last", "first", "largest", "least", "mean", "sum", "all")
"""Which match of a pattern counts, or what all of them come to."""
_WHERE: Final = ("pattern", "column", "key")
"""By which of them a value is found."""
_KEYS: Final = (*_WHERE, "file", "below", "above", "take", "in", "otherwise")
_ALL_KEYS: Final = (*_KEYS, "patterns", "fails")
_UNIT: Final = re.compile(r"[^\s\d.,+-]\S*")
_TEXT: Final = {"type": "string"}
_COLUMN: Final = {"type": ["string", "integer"]}
_FORM: Final = {
    "type": "object",
    "properties": {
        "pattern": _TEXT,
        "column": _COLUMN,
        "key": _TEXT,
        "file": _TEXT,
        "below": _TEXT,
        "above": _TEXT,
        "take": {"enum": list(TAKE)},
        "in": _TEXT,
        "otherwise": {"type": "number"},
    },
    "oneOf": [{"required": [key]} for key in _WHERE],
    "additionalProperties": False,
}
OUTPUT_SCHEMA: Final = {
    "anyOf": [
        _TEXT,
        {
            "type": "object",
            "properties": {
                "pattern": _TEXT,
                "patterns": {"type": "object", "additionalProperties": {"anyOf": [_TEXT, _FORM]}},
                "column": _COLUMN,
                "key": _TEXT,
                "take": {"enum": list(TAKE)},
                "in": _TEXT,
                "file": _TEXT,
                "below": _TEXT,
                "above": _TEXT,
                "otherwise": {"type": "number"},
                "fails": {
                    "anyOf": [
                        _TEXT,
                        {
                            "type": "object",
                            "properties": {"file": _TEXT, "pattern": _TEXT},
                            "required": ["pattern"],
                            "additionalProperties": False,
                        },
                    ]
                },
            },
            "minProperties": 1,
            "additionalProperties": False,
        },
    ]
}


def read_output(value: Any) -> Any:
    """`json`, or a mapping of "pattern" (perhaps with a "file"), "patterns" or "file", or none of these,
    perhaps with "fails"; of the patterns each is a mapping with its own "pattern", and perhaps its "file",
    what to "take" and the unit that it is wanted "in".

    Raises an error of pydantic's with a sentence.
    """
    if isinstance(value, str):
        value = {"file": value} if value.endswith(".json") else {"pattern": value} if "(" in value else value
    match value:
        case "json":
            return value
        case {"fails": fails, **rest}:
            return {**(_found_in(rest, value) if rest else {}), "fails": _fails(fails)}
    return _found_in(value, value)


def _fails(told: object) -> object:
    """A pattern, or one with the file that it is looked for in as well."""
    match told:
        case str(pattern):
            return _telling(pattern)
        case {"pattern": str(pattern), **rest} if rest.keys() <= {"file"}:
            return {**_file(rest), "pattern": _telling(pattern)} if rest else _telling(pattern)
    unknown = [str(key) for key in told if key not in ("file", "pattern")] if isinstance(told, dict) else []
    near = next(filter(None, (did_you_mean(key, ("file", "pattern")) for key in unknown)), "")
    raise refuse(
        "expected `fails` as a pattern, or {file: ..., pattern: ...} of a file beside, got"
        f" {_told(told)}{near}"
    )


def _telling(pattern: str) -> str:
    if _compiled(pattern, " as `fails`").search("") is not None:
        raise refuse(
            "expected `fails` to match what a program says where it failed; it matches where nothing"
            f" is said, got {shown(pattern)}"
        )
    return pattern


def names_found(output: object) -> list[str] | None:
    """The names of what a command's patterns find; None where JSON may have any."""
    match output:
        case {"patterns": patterns}:
            return list(patterns)
        case {"pattern": pattern}:
            return list(re.compile(pattern).groupindex)
    return None


def _found_in(form: object, value: object) -> dict[str, object]:
    match form:
        case {"pattern": str(pattern), **rest} if rest.keys() <= {"file", "below", "above"}:
            return {**_file(rest), **_between(rest, ""), "pattern": _with_a_group(pattern)}
        case {"patterns": dict(patterns), **rest} if patterns and rest.keys() <= {"file"}:
            return {"patterns": {_name(name): _one(name, one, rest) for name, one in patterns.items()}}
        case (
            {"column": _, **rest}
            | {"pattern": str(), "take": _, **rest}
            | {"pattern": str(), "in": _, **rest}
            | {"pattern": str(), "otherwise": _, **rest}
            | {"key": _, "take": _, **rest}
            | {"key": _, "otherwise": _, **rest}
        ) if rest.keys() <= {"file", "take", "in", "below", "above", "otherwise"}:
            _check_that_one_is_found(form)
            return {"patterns": {"value": _form("value", form, {})}}
        case {"key": key, **rest} if rest.keys() <= {"file"}:
            return {**_file(rest), "key": _key(key)}
        case {"file": file, **rest} if not rest:
            return _file({"file": file})
    unknown = [str(key) for key in value if key not in _ALL_KEYS] if isinstance(value, dict) else []
    near = next(filter(None, (did_you_mean(key, _ALL_KEYS) for key in unknown)), "")
    if isinstance(value, str):
        near = did_you_mean(value, ("json",))
    if isinstance(value, dict) and any(
        isinstance(value.get(key), dict) for key in ("pattern", "column", "key")
    ):
        near = "; what each of several values is in stands under `patterns`"
    raise refuse(
        "expected `json` (stdout ends with a number or a JSON object), {pattern: a regular expression with a"
        " group}, {patterns: {the name of a value: such an expression}}, {column: one of a table}, {key: one"
        " of JSON, XML or arrays}, {file: the name of a JSON file}, or these beside the file that the program"
        " writes; and perhaps `fails`, an expression for what it says where it failed, got"
        f" {_told(value)}{near}"
    )


def _one(name: str, form: object, beside: Mapping[object, object]) -> dict[str, object]:
    """One of the patterns; what is wrong with it is shown where it stands."""
    try:
        return _form(name, form, beside)
    except PydanticCustomError as error:
        context = error.context or {}
        raise refuse(context["sentence"], ("patterns", name, *context["within"])) from None


def _form(name: object, form: object, beside: Mapping[object, object]) -> dict[str, object]:
    told = {"pattern": form} if isinstance(form, str) else form
    where = [key for key in _WHERE if key in told] if isinstance(told, dict) else []
    if not isinstance(told, dict) or len(where) != 1 or not isinstance(told.get("pattern", ""), str):
        unknown = [str(key) for key in told if key not in _KEYS] if isinstance(told, dict) else []
        near = next(filter(None, (did_you_mean(key, _WHERE) for key in unknown)), "")
        raise refuse(
            r"expected a regular expression, as in `gain: 'gain = (\S+)'`, or {pattern: ..., file: ..., take:"
            f" ...}}, {{column: ...}} or {{key: ...}}, for `{name}`, got {_told(form)}{near}"
        )
    for key in told:
        if key not in _KEYS:
            hint = did_you_mean(str(key), _KEYS)
            if not hint and told[key] is None:
                # As what stands behind a comma within braces.
                hint = "; a text with a comma or a brace in it is written in quotation marks"
            raise refuse(f"expected {listed(_KEYS)} for `{name}`, got {shown(key)}{hint}", within=(str(key),))
    take = told.get("take", "last")
    if take not in TAKE:
        near = did_you_mean(str(take), TAKE)
        raise refuse(f"expected `take` as {listed(TAKE)}, for `{name}`, got {shown(take)}{near}")
    return {
        **_found_by(where[0], told, f", for `{name}`"),
        **_file({**beside, **told}),
        **_between(told, f", for `{name}`"),
        # Under a key may be a list, which is then taken whole.
        **({"take": take} if take != "last" or (where == ["key"] and "take" in told) else {}),
        **_unit(name, told),
        **_otherwise(told, f", for `{name}`"),
    }


def _found_by(where: str, told: Mapping[Any, Any], what_for: str) -> dict[str, object]:
    match where:
        case "pattern":
            return {"pattern": _with_a_group(told["pattern"], what_for)}
        case "key":
            return {"key": _key(told["key"], what_for)}
    column = told["column"]
    if isinstance(column, bool) or not isinstance(column, str | int) or column in ("", 0):
        raise refuse(
            "expected `column` as the name of one, or its number from 1, or from -1 on the right"
            f"{what_for}, got {shown(column)}"
        )
    return {"column": column}


def _unit(name: object, told: Mapping[Any, Any]) -> dict[str, object]:
    """The one that a number is wanted in that is printed with a unit of its own."""
    if "in" not in told:
        return {}
    unit = told["in"]
    if "pattern" not in told or not isinstance(unit, str) or not _UNIT.fullmatch(unit):
        lacking = "" if "pattern" in told else " without one"
        raise refuse(
            "expected `in` as the unit that a number with one of its own is wanted in, as `min` or `MB`,"
            f" beside a `pattern`, for `{name}`, got {shown(unit)}{lacking}"
        )
    if name == "variance":
        advice = "whose unit is squared: have the `deviation`"
        raise refuse(f"expected no `in` of the `variance`, {advice}, got {shown(unit)}")
    return {"in": unit}


def _otherwise(told: Mapping[Any, Any], what_for: str) -> dict[str, object]:
    if "otherwise" not in told:
        return {}
    if not is_number(told["otherwise"]):
        raise refuse(
            f"expected `otherwise` as the number that it is where nothing is found{what_for}, got"
            f" {shown(told['otherwise'])}"
        )
    if told.get("take") == "all":
        raise refuse(
            f"expected no `otherwise` beside `take: all`, of which nothing is no curve{what_for}, got both"
        )
    return {"otherwise": told["otherwise"]}


def _between(told: Mapping[Any, Any], what_for: str) -> dict[str, object]:
    """The headings that stand above and below of what is looked through."""
    if "below" not in told:
        if "above" in told:
            raise refuse(
                f"expected `above` beside `below`, as the end of what stands below that{what_for}, got none"
            )
        return {}
    heading = told["below"]
    if "key" in told or not isinstance(heading, str) or not heading.strip() or "\n" in heading.strip():
        raise refuse(
            "expected `below` as words of the line above, as in `below: INPUT PARAMETERS`, beside a `pattern`"
            f" or a `column`{what_for}, got {shown(heading)}{' beside a `key`' if 'key' in told else ''}"
        )
    end = told.get("above", heading)
    if not isinstance(end, str) or not end.strip() or "\n" in end.strip():
        raise refuse(
            f"expected `above` as words of a line, as in `above: FINAL DRAG`{what_for}, got {shown(end)}"
        )
    return {"below": heading.strip(), **({"above": end.strip()} if "above" in told else {})}


def _key(key: object, what_for: str = "") -> str:
    if not isinstance(key, str) or not key:
        hint = "; a number is written in quotation marks" if is_number(key) else ""
        raise refuse(
            "expected `key` as in `wing.drag` or `cases.0.drag`, or of XML `wing/@drag`"
            f"{what_for}, got {shown(key)}{hint}"
        )
    return key


def _told(form: object) -> str:
    return f"{{{listed(map(str, form), 'and')}}}" if isinstance(form, dict) and form else shown(form)


def _name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise refuse(f"expected names of values, got {shown(name)}")
    return name


def _file(form: Mapping[Any, object]) -> dict[str, object]:
    return {"file": beside_the_trial(form["file"])} if "file" in form else {}


def _with_a_group(pattern: str, what_for: str = "") -> str:
    if _compiled(pattern, what_for).groups == 0:
        expected = "expected a regular expression with a group (...) about the value"
        raise refuse(f"{expected}{what_for}, got {shown(pattern)}")
    return pattern


def _check_that_one_is_found(form: object) -> None:
    """That no groups with names find several values, of which one would be taken for the value."""
    match form:
        case {"pattern": str(pattern)} if (
            compiled := _compiled(pattern, "")
        ).groups > 1 and compiled.groupindex:
            raise refuse(
                "expected one group beside `take`, or `patterns`, of which each value has its own, got"
                f" {shown(pattern)}"
            )


def _compiled(pattern: str, what_for: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except NO_PATTERN as error:
        raise refuse(f"expected a regular expression{what_for}, got {shown(pattern)}: {error}") from None
