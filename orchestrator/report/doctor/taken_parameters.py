"""Whether a spec has the parameters that its evaluator takes, where that is one of ours and says so."""

from __future__ import annotations

from evaluators.readiness.taken_parameters import function_amiss, taken_by
from orchestrator.spec.model import Spec
from orchestrator.spelling import did_you_mean

_NAMED = 6


def parameters_amiss(spec: Spec) -> str:
    """Why every trial would fail, in a sentence; empty where none would for its parameters' names, or that of
    a synthetic function.

    Of a parameter that does not always count nothing is presumed: it may never come.
    """
    if amiss := function_amiss(spec.evaluation.evaluator, spec.evaluation.options):
        return f"every trial would fail: {amiss}"
    taken = taken_by(spec.evaluation.evaluator, spec.evaluation.options)
    if taken is None:
        return ""
    known = (*taken.needed, *taken.perhaps)
    missing = [name for name in taken.needed if name not in spec.parameters]
    unknown = [
        name
        for name, parameter in spec.parameters.items()
        if name not in known and getattr(parameter, "when", None) is None
    ]
    if not missing and not unknown:
        return ""
    # Where a name was misspelt, it is near to one that is missing.
    near = did_you_mean(unknown[0], missing or known) if unknown else ""
    got = [f"none of {_few(missing)}"] if missing else []
    got += [f"{_few(unknown)}, which it does not know{near}"] if unknown else []
    perhaps = f", and perhaps {_few(taken.perhaps)}" if taken.perhaps else ""
    return (
        f"expected the parameters {_few(taken.needed)}{perhaps} of `{spec.evaluation.evaluator}`, got "
        f"{', but '.join(got)}: every trial would fail"
    )


def _few(names: tuple[str, ...] | list[str]) -> str:
    shown = [f"`{name}`" for name in names]
    if len(shown) > _NAMED:
        shown = [*shown[: _NAMED - 2], "…", shown[-1]]
    return ", ".join(shown)
