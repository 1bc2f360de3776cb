"""What other programs call types of parameters, and what they say of one, in the words of this one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

TYPES = ("float", "int", "choice", "ordered", "fixed", "computed")
"""Of parameters, as people write them here."""
_WRITTEN: Sequence[tuple[Mapping[str, object], Sequence[str]]] = (
    ({"type": "choice", "values": [False, True]}, ("bool", "boolean", "switch", "flag")),
    ({"type": "int"}, ("integer", "randint", "uniformint", "uniforminteger", "discretedesignrange")),
    ({"type": "int"}, ("normalint", "normalinteger")),
    ({"type": "int", "step": 2}, ("qrandint", "quniformint")),
    ({"type": "int", "scale": "log"}, ("lograndint", "loguniformint", "logint")),
    ({"type": "float"}, ("real", "double", "continuous", "range", "uniform", "number", "rand")),
    ({"type": "float"}, ("randn", "normal", "qnormal", "qrandn", "continuousdesign", "numericalcontinuous")),
    ({"type": "float"}, ("uniformfloat", "normalfloat", "scalar")),
    ({"type": "float", "step": 0.1}, ("quniform", "quantised")),
    ({"type": "float", "scale": "log"}, ("loguniform", "log", "lognormal", "qloguniform", "qlognormal")),
    ({"type": "choice"}, ("categorical", "category", "enum", "discrete", "string", "str")),
    ({"type": "ordered"}, ("ordinal", "numericaldiscrete", "gridsearch", "grid")),
    ({"type": "fixed"}, ("constant",)),
    ({"type": "computed", "value": "2 * x"}, ("derived", "samplefrom", "expression")),
)
"""Each with what others call it."""
_TYPES = {name: meant for meant, names in _WRITTEN for name in names}
_ORDERED = "`type: ordered` is of values whose order means something"
_FIRST = "what is tried first is a point of all parameters, among the `points`"
_SEVERAL = "several that are alike are parameters by names of their own, as x1 and x2"
_BELIEVED = "where the best is believed to lie is a point to try first, among the `points`"
_KEYS: Mapping[str, str] = {
    **dict.fromkeys(("isordered", "ordered", "sortvalues", "sort"), _ORDERED),
    **dict.fromkeys(("default", "init", "initial", "initialvalue", "start", "guess", "x0"), _FIRST),
    **dict.fromkeys(
        ("isfidelity", "fidelity", "targetvalue"),
        "`fidelity`, beside the parameters, names the one that it is",
    ),
    **dict.fromkeys(("shape", "dim", "dims", "dimension", "size", "length"), _SEVERAL),
    **dict.fromkeys(("mu", "sigma", "mean", "weights"), _BELIEVED),
    **dict.fromkeys(("istask", "context", "contextual"), "what is not chosen is held, beside the parameters"),
}


def type_elsewhere(told: object) -> Mapping[str, object] | None:
    """What is written here where others write this type; None where it is none of theirs."""
    return _TYPES.get(_folded(told)) if isinstance(told, str) else None


def in_a_spec(meant: Mapping[str, object]) -> str:
    """As YAML has it: ``type: float``, or in braces where that is not all."""
    told = ", ".join(f"{key}: {_in_yaml(value)}" for key, value in meant.items())
    return told if len(meant) == 1 else f"{{{told}}}"


def in_python(meant: Mapping[str, object]) -> str:
    """As Python has it."""
    return repr(dict(meant)).replace("'", '"')


def key_elsewhere(key: object) -> str:
    """``; `type: ordered` is of values ...``, of what others say of a parameter and nothing here is near to;
    or nothing.
    """
    said = _KEYS.get(_folded(key)) if isinstance(key, str) else None
    return "" if said is None else f"; {said}"


def _in_yaml(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _folded(word: str) -> str:
    """Whatever its case, and whichever way its words are joined."""
    folded = word.casefold().replace("_", "").replace("-", "").replace("quantized", "quantised")
    return folded.removesuffix("parameter").removesuffix("hyper") or folded
