"""The parts of a spec that are right, whatever is wrong with the others."""

from __future__ import annotations

from typing import TypedDict, cast

from pydantic import TypeAdapter, ValidationError

from orchestrator.spec.document.tree import Node, plain
from orchestrator.spec.document.validation import Validated
from orchestrator.spec.model import AlgorithmChoice, Budget, Mode, Spec
from orchestrator.spec.sections.candidates import CandidateTable
from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.spec.sections.fidelity import FidelityChoice
from orchestrator.spec.sections.initial import Initial
from orchestrator.spec.sections.objective import FurtherObjective, Objective
from orchestrator.spec.sections.parameter_keys import Scalar
from orchestrator.spec.sections.parameters import Parameter
from orchestrator.spec.sections.workers import Workers


class Parts(TypedDict, total=False):
    """Those of `Spec`, by the same names; what is wrong, or of something that is wrong, is not there."""

    experiment: str
    objective: Objective
    further_objectives: list[FurtherObjective]
    parameters: dict[str, Parameter]
    candidates: CandidateTable | None
    columns: dict[str, str]
    outcomes: list[str]
    constraints: list[str]
    fidelity: FidelityChoice | None
    held: dict[str, Scalar]
    clock: str | None
    blocks: str | None
    factors: list[list[str]] | None
    algorithm: AlgorithmChoice
    budget: Budget
    evaluation: Evaluation
    workers: Workers
    mode: Mode
    seed: int
    initial: Initial


def right_parameters(tree: Node) -> tuple[dict[str, Parameter], tuple[str, ...]]:
    """Of parameters of which some are wrong those that are right, and the names of the others."""
    adapter: TypeAdapter[Parameter] = TypeAdapter(Parameter)
    right: dict[str, Parameter] = {}
    wrong: list[str] = []
    parameters = tree.get("parameters")
    for name, entry in parameters.mapping.items() if parameters is not None else ():
        try:
            right[name] = adapter.validate_python(plain(entry.node))
        except ValidationError:
            wrong.append(name)
    return right, tuple(wrong)


def parameters_among(tree: Node, parts: Parts) -> tuple[dict[str, Parameter], tuple[str, ...]]:
    """Those that are right, and the names of the others; none of these where all are right together."""
    parameters = parts.get("parameters")
    return right_parameters(tree) if parameters is None else (parameters, ())


def valid_parts(validated: Validated[Spec]) -> Parts:
    """The parts in which pydantic found nothing wrong, defaults included."""
    if validated.value is not None:
        return cast(Parts, dict(validated.value))
    tree, wrong = validated.tree, validated.wrong
    parts: dict[str, object] = {}
    for name, field in Spec.model_fields.items():
        key = field.alias or name
        node = tree.get(key)
        if key in wrong:
            continue
        if node is not None:
            parts[name] = TypeAdapter(field.rebuild_annotation()).validate_python(plain(node))
        elif not field.is_required():
            parts[name] = field.get_default(call_default_factory=True)
    return cast(Parts, parts)
