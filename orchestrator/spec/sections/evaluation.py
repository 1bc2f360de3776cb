"""How a point is evaluated: a Python function, or any program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema, field_validator, model_validator

from orchestrator.expressions.arithmetic import Formula
from orchestrator.expressions.computed import Computed
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.programs.input_template import TemplateError, templates_of
from orchestrator.programs.placeholders import names_in
from orchestrator.programs.trial_files import is_pattern_within
from orchestrator.spec.document.section import Section, refuse, shown
from orchestrator.spec.sections.command_output import OUTPUT_SCHEMA, read_output
from orchestrator.spec.sections.command_progress import read_progress
from orchestrator.spec.sections.durations import Duration
from orchestrator.spec.sections.stop_when import StopWhen
from orchestrator.spec.sections.trial_files import beside_the_trial
from orchestrator.spelling import listed
from orchestrator.wire.messages import SLOTS_LIMIT

PERSON = "person"
"""The evaluator that is nobody's program: a person does the experiment, and `orchestrator record`s it. A run
has that person among its workers under this name.
"""
_FUNCTION = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


def read_command(value: object) -> list[str]:
    if isinstance(value, str):
        raise refuse(
            'expected a list of arguments, as in `[./simulate, --speed, "{speed}"]`, got text; nothing is run'
            " through a shell"
        )
    if not isinstance(value, list | tuple) or not value or isinstance(value[0], bool | float | int | None):
        raise refuse(f"expected a list of a program and its arguments, got {shown(value)}")
    for argument in value:
        if isinstance(argument, dict):
            raise refuse(
                'expected arguments that are text, got a mapping; in YAML, `"{x}"` needs its quotation marks'
            )
        if not isinstance(argument, str | int | float) or isinstance(argument, bool):
            raise refuse(f"expected arguments that are text, got {shown(argument)}")
    return [str(argument) for argument in value]


def _slots(value: object) -> object:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= SLOTS_LIMIT:
        return value
    raise refuse(
        f"expected how many slots of a worker an evaluation takes, 1 to {SLOTS_LIMIT:,}, or arithmetic of"
        f" parameters that says it, as `ceil(cells / 100)`, got {shown(value)}"
    )


def slots_by(text: str) -> Computed:
    """What is said of slots, as a parameter that is computed, whose name none can have. Raises
    ArithmeticMistake.
    """
    formula = Formula.computing(text, "parameters")
    return Computed("{slots}", text, formula.expression(formula.root))


def _file(value: Mapping[object, object]) -> dict[str, str]:
    return {"file": beside_the_trial(value["file"])}


def _input(value: Any) -> Any:
    if isinstance(value, str) and value.endswith(".json"):
        value = {"file": value}
    match value:
        case "arguments":
            return value
        case {"file": _, **rest} if not rest:
            return _file(value)
        case {"templates": _}:
            try:
                return {"templates": templates_of(value)}
            except TemplateError as error:
                raise refuse(str(error)) from None
    raise refuse(
        "expected `arguments`, {file: the name of a JSON file} or {templates: {the name of a file: the path"
        f" of its template}}}}, got {shown(value)}"
    )


def _discarded(value: object) -> list[str]:
    """Patterns of names as `Path.glob` has them, or one of them."""
    patterns = [value] if isinstance(value, str) else value
    if not isinstance(patterns, list) or not patterns:
        raise refuse(f"expected names of files, or patterns of them as `*.frd`, got {shown(value)}")
    for pattern in patterns:
        if not isinstance(pattern, str) or not is_pattern_within(pattern):
            raise refuse(
                "expected names of files inside the attempt's folder, or patterns of them as `*.frd`, or"
                f" `**/*.frd` at whatever depth, got {shown(pattern)}"
            )
    return patterns


def _said_of_a_command(told: Mapping[str, object]) -> dict[str, object]:
    """What is not as it would be unsaid: all of it holds for the commands that workers bring along, too."""
    unsaid = (("output", "json"), ("input", "arguments"), ("progress", None), ("discard", None))
    return {key: told[key] for key, default in unsaid if told.get(key, default) != default}


_FILE_SCHEMA = {
    "type": "object",
    "properties": {"file": {"type": "string"}},
    "required": ["file"],
    "additionalProperties": False,
}
_TEXT_FILE_SCHEMA = {
    "type": "object",
    "properties": {"file": {"type": "string"}, "pattern": {"type": "string"}},
    "required": ["file"],
    "additionalProperties": False,
}
_TEMPLATES_SCHEMA = {
    "type": "object",
    "properties": {"templates": {"type": "object", "additionalProperties": {"type": "string"}}},
    "required": ["templates"],
    "additionalProperties": False,
}
_PATTERN_SCHEMA = {
    "type": "object",
    "properties": {"pattern": {"type": "string"}},
    "required": ["pattern"],
    "additionalProperties": False,
}


class Evaluation(Section):
    """The evaluator, how long it may take, and how often it is tried.

    A ``command`` is the evaluator `COMMAND_EVALUATOR` with ``command``, ``output``, ``input`` and
    perhaps ``progress`` and ``discard`` among its options; ``output`` is what `read_output` makes of it,
    ``input`` "arguments", {"file": ...} or {"templates": {file: path}}, and ``progress`` "json" or a pattern,
    a file or both.
    """

    command: Annotated[
        list[str] | None,
        BeforeValidator(lambda value: value if value is None else read_command(value)),
        WithJsonSchema({"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1}),
    ] = None
    """Instead of `evaluator`: a program and its arguments, in which `{x}` stands for the parameter x."""
    output: Annotated[
        Any,
        BeforeValidator(read_output),
        WithJsonSchema(OUTPUT_SCHEMA),
    ] = "json"
    """Where a command's value is: JSON on its stdout, a group of a pattern (named `value` or as the
    objective, or the first), there or in a text file it writes, a column of a table there, a pattern, a
    column or a key for each value, or a JSON file it writes, perhaps a key of that, of XML or of arrays; and
    what it says where it failed though it ended well (`fails`)."""
    input: Annotated[
        Any,
        BeforeValidator(_input),
        WithJsonSchema({"anyOf": [{"type": "string"}, _FILE_SCHEMA, _TEMPLATES_SCHEMA]}),
    ] = "arguments"
    """How a command learns the parameters: its arguments, a JSON file, or input files made from templates."""
    progress: Annotated[
        Any,
        BeforeValidator(lambda value: value if value is None else read_progress(value)),
        WithJsonSchema({"anyOf": [{"type": "string"}, _PATTERN_SCHEMA, _TEXT_FILE_SCHEMA]}),
    ] = None
    """What a command's lines say of how it stands while it runs: JSON with a `step`, or a pattern whose named
    groups are quantities, and perhaps `step`; lines that it prints, or those of a file that it writes."""
    discard: Annotated[
        list[str] | None,
        BeforeValidator(lambda value: value if value is None else _discarded(value)),
        WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
    ] = None
    """Which files of an attempt's own folder are removed once it has ended, as `*.frd`."""
    evaluator: str
    """`module:function`, called with the parameters and the options; or `person`."""
    options: Annotated[dict[str, Any], Field(default_factory=dict, validate_default=True)]
    """Given to the evaluator with every point."""
    timeout_s: Annotated[Duration | None, Field(alias="timeout")] = None
    """An evaluation that takes longer is killed, and counts as a failed attempt."""
    takes_s: Annotated[Duration | None, Field(alias="takes")] = None
    """What an evaluation takes by itself, to be weighed against what parameters take to `change`; else that
    is learned."""
    attempts: Annotated[int, Field(ge=1, le=100)] = 3
    """How often a point is tried before it is given up."""
    give_up_after: Annotated[int | None, Field(ge=1)] = 10
    """How many trials may fail, where none has succeeded yet, until the run stops; it can be resumed."""
    approval: bool = False
    """Whether each point waits until a person says `orchestrator approve`."""
    slots: Annotated[
        int | str | None,
        BeforeValidator(lambda value: value if value is None else _slots(value)),
        WithJsonSchema(
            {"anyOf": [{"type": "integer", "minimum": 1, "maximum": SLOTS_LIMIT}, {"type": "string"}]}
        ),
    ] = None
    """How many slots of its worker an evaluation takes, as of a program that runs on as many processors: a
    number, or arithmetic of parameters, as `ceil(cells / 100)`. Left out: each takes one."""
    stop_when: StopWhen | None = None
    """What a running evaluation may report that makes its end not worth waiting for."""

    @model_validator(mode="before")
    @classmethod
    def _command_is_an_evaluator(cls, told: object) -> object:
        if isinstance(told, dict) and told.get("command") is not None:
            return {"evaluator": COMMAND_EVALUATOR} | told
        return told

    @model_validator(mode="after")
    def _discards_of_a_folder_of_its_own(self) -> Evaluation:
        has_templates = isinstance(self.input, dict) and "templates" in self.input
        if self.discard is None or self.command is None or has_templates:
            return self
        named = {name for argument in self.command for name in names_in(argument)}
        if not named & {"directory", "parameters_file", "result_file"}:
            raise refuse(
                "expected `{directory}` in the command, or `input: {templates: ...}`, beside `discard`: only"
                " what lies in the attempt's own folder is removed"
            )
        return self

    @field_validator("evaluator")
    @classmethod
    def _module_and_function(cls, evaluator: str, info: ValidationInfo) -> str:
        if evaluator != PERSON and not _FUNCTION.fullmatch(evaluator):
            raise refuse(
                "expected `module:function`, as in `evaluators.learning:network`, or `person`, got"
                f" {shown(evaluator)}{_meant(evaluator)}"
            )
        if evaluator != COMMAND_EVALUATOR:
            if info.data.get("command") is not None:
                raise refuse("expected either `evaluator` or `command`, got both; leave one out")
            for key in _said_of_a_command(info.data):
                kind = "a person" if evaluator == PERSON else "a Python function"
                raise refuse(f"`{key}` belongs to a `command`, but `evaluator` is {kind}")
        return evaluator

    @field_validator("options")
    @classmethod
    def _with_the_command(cls, options: dict[str, object], info: ValidationInfo) -> dict[str, object]:
        if info.data.get("command") is None:
            own = info.data.get("evaluator") == COMMAND_EVALUATOR
            return options | _said_of_a_command(info.data) if own else options
        others = set(options) - {"command", "output", "input", "progress", "discard"}
        if others:
            raise refuse(f"expected no options beside a `command`, got {listed(sorted(others), 'and')}")
        own = ("command", "output", "input")
        told: dict[str, object] = {key: info.data[key] for key in own if key in info.data}
        # Left out where it is not asked for: workers of before do not know it.
        told |= {key: info.data[key] for key in ("progress", "discard") if info.data.get(key) is not None}
        return options | told


def _meant(evaluator: str) -> str:
    """`` (did you mean `wing.mesh:drag`?)`` of ``wing.mesh.drag``, or ``wing/mesh.py:drag``; or nothing."""
    path, colon, function = evaluator.rpartition(":")
    if evaluator.endswith(".py"):
        path, function = evaluator, "function"
    elif not colon:
        path, _, function = evaluator.rpartition(".")
    meant = f"{path.removeprefix('./').removesuffix('.py').replace('/', '.')}:{function}"
    return f" (did you mean `{meant}`?)" if _FUNCTION.fullmatch(meant) else ""
