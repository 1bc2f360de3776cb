"""What pydantic found wrong, in one sentence that says what was expected and what came."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Tag

from orchestrator.objectives import SIGNS
from orchestrator.parameters.types_elsewhere import TYPES, in_a_spec, key_elsewhere, type_elsewhere
from orchestrator.spec.document.keys_elsewhere import belongs_elsewhere
from orchestrator.spec.document.keys_of_others import said_of_others
from orchestrator.spec.document.section import no_number_hint, shown
from orchestrator.spelling import british, did_you_mean, is_it, listed
from orchestrator.values.finite import written

_EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "none_required": "nothing",
}
_SECTIONS = {
    "objective": "objective: {{name: {}, goal: minimise}}",
    "evaluation": 'evaluation: {{evaluator: "{}"}}',
}
"""What a text stands for where it is written in place of all of a section."""
_IN_LISTS = (("initial", "results"), ("initial", "points"))
_OF_SOME_WORDS = ("literal_error", "enum", "union_tag_invalid")
_WHOLE = ("int_type", "int_from_float")
_COMPARED = {
    "greater_than": ("above", "gt"),
    "greater_than_equal": ("of at least", "ge"),
    "less_than": ("below", "lt"),
    "less_than_equal": ("of at most", "le"),
}
_SIZED = {"too_short": ("at least", "min_length"), "too_long": ("at most", "max_length")}


def sentence(model: type[BaseModel], error: Mapping[str, Any]) -> str:
    """One of the errors of a ``ValidationError`` of a model, in words."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "sentence":
        return str(context["sentence"])
    if kind == "extra_forbidden":
        return f"{_unknown_key(model, error['loc'], error.get('also', ()))}{_named_by_key(error)}"
    if kind == "missing":
        return _missing_key(error["loc"])
    if kind == "union_tag_not_found":
        near = is_it("type", map(str, error["input"]))
        return f"expected `type: {listed(TYPES)[1:]}, but `type` is missing{near}"
    if kind in ("model_type", "model_attributes_type") and isinstance(error["input"], str):
        whole = _SECTIONS.get(str(error["loc"][-1]))
        if whole is not None and len(error["loc"]) == 1:
            return f"expected a mapping, as `{whole.format(error['input'])}`, got {shown(error['input'])}"
    if kind == "list_type" and error["loc"] == ("constraints",):
        return f"expected a list of inequalities, as `[heat <= 80, a + b <= 1]`, got {shown(error['input'])}"
    if kind == "list_type" and error["loc"] == ("factors",):
        return f"expected a list of groups of parameters, as `[[a, b], [c]]`, got {shown(error['input'])}"
    if kind == "list_type" and error["loc"][:1] == ("factors",):
        return f"expected a group of parameters, in brackets of its own, got {shown(error['input'])}"
    if kind == "list_type" and error["loc"] == ("outcomes",):
        return f"expected a list of names, as `[heat, lift]`, got {shown(error['input'])}"
    if kind == "list_type" and error["loc"] in _IN_LISTS and isinstance(error["input"], dict):
        name, first = error["loc"][-1], next(iter(error["input"]), "x")
        return f"expected a list, got a mapping; one alone is a list as well: `{name}: [{{{first}: ...}}]`"
    if kind in _OF_SOME_WORDS:
        known, came = expected_words(error), context.get("tag", error["input"])
        meant = None
        if kind == "union_tag_invalid":
            known, meant = list(TYPES), type_elsewhere(came)
        near = did_you_mean(str(came), known) if meant is None else f" (here that is `{in_a_spec(meant)}`)"
        return f"expected {listed(known)}, got {shown(came)}{near}"
    return _value_refused(kind, error["input"], context) or _as_pydantic_says(error)


def _unknown_key(model: type[BaseModel], path: Sequence[str | int], also: Sequence[str]) -> str:
    known, key = known_keys(model, path[:-1]), str(path[-1])
    if not known:
        return f"expected no keys here, got `{key}`{belongs_elsewhere(model, path)}"
    said = said_of_others(path) or (key_elsewhere(key) if "type" in known else "")
    near = said or did_you_mean(key, known) or belongs_elsewhere(model, path)
    if key == "values" and "bounds" in known:
        near = "; values are those of `type: ordered`, or of `type: choice` where their order means nothing"
    came = "".join([f"`{key}`", *(f" and `{other}`" for other in also)])
    return f"expected one of the keys {listed(known)}, got {came}{near}"


def _named_by_key(error: Mapping[str, Any]) -> str:
    """What to write where one objective is told as several are, `{drag: minimise}`."""
    section, *key = error["loc"]
    if section != "objective" or british(str(error["input"])) not in SIGNS:
        return ""
    one = f"`objective: {{name: {key[-1]}, goal: {error['input']}}}`"
    return f"; is it {one}, or one of `objectives`?"


def _missing_key(path: Sequence[str | int]) -> str:
    if path[-1] == "evaluator":
        return "expected `evaluator: module:function` or `command: [program, ...]`, got neither"
    return f"expected the key `{path[-1]}`{_whereabouts(path)}, but it is missing"


def _value_refused(kind: str, came: Any, context: Mapping[str, Any]) -> str | None:
    """Of another kind than expected, or beyond a limit; None of neither."""
    if kind in _COMPARED:
        words, limit = _COMPARED[kind]
        return f"expected a number {words} {written(context[limit])}, got {shown(came)}"
    if kind in _SIZED:
        words, limit = _SIZED[kind]
        return f"expected {words} {context[limit]} of them, got {context.get('actual_length', shown(came))}"
    if kind == "string_too_short":
        return "expected some text, got none"
    if kind == "string_too_long":
        return f"expected at most {context['max_length']} characters, got {len(came)}"
    if kind in _WHOLE and isinstance(came, float) and written(came).lstrip("-").isdecimal():
        return f"expected {_EXPECTED[kind]}, written without a point or an exponent: {written(came)}"
    if kind == "string_type" and isinstance(came, bool | int | float):
        return f"expected text, got {shown(came)}; in quotation marks it is text"
    if kind in _EXPECTED:
        hint = no_number_hint(came) if "number" in _EXPECTED[kind] else ""
        return f"expected {_EXPECTED[kind]}, got {shown(came)}{hint}"
    return None


def _as_pydantic_says(error: Mapping[str, Any]) -> str:
    raised = error["type"] == "value_error" and error.get("ctx", {}).get("error")
    message = str(raised or error["msg"])
    return f"{message[0].lower()}{message[1:]}, got {shown(error['input'])}"


def expected_words(error: Mapping[str, Any]) -> list[str]:
    """The words that an enumerated value or a tag could have been."""
    context = error.get("ctx", {})
    return re.findall(r"'([^']*)'", str(context.get("expected") or context.get("expected_tags") or ""))


def _whereabouts(path: Sequence[str | int]) -> str:
    names = [str(step) for step in path[:-1] if isinstance(step, str)]
    return f" in `{names[0]}`" if len(names) == 1 else ""


def known_keys(model: type[BaseModel], path: Sequence[str | int]) -> list[str]:
    """The keys that a model takes at a path, as specs write them; empty where the model cannot say."""
    for candidate in _models_at(model, path):
        return [field.alias or name for name, field in candidate.model_fields.items()]
    return []


def _models_at(annotation: object, path: Sequence[str | int]) -> Iterator[type[BaseModel]]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        tags = [told.tag for told in arguments[1:] if isinstance(told, Tag)]
        yield from _models_at(arguments[0], path[1:] if path and path[0] in tags else path)
    elif origin in (Union, UnionType):
        models = [a for a in arguments if isinstance(a, type) and issubclass(a, BaseModel)]
        tagged = [m for m in models if path and path[0] in _tags(m)]
        for argument in tagged or arguments:
            yield from _models_at(argument, path[1:] if tagged else path)
    elif origin in (dict, list, tuple) and path:
        yield from _models_at(arguments[0] if origin is not dict else arguments[1], path[1:])
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not path:
            yield annotation
        for name, field in annotation.model_fields.items():
            if path and path[0] in (name, field.alias):
                yield from _models_at(field.annotation, path[1:])


def _tags(model: type[BaseModel]) -> tuple[object, ...]:
    field = model.model_fields.get("type")
    return get_args(field.annotation) if field and get_origin(field.annotation) is Literal else ()
