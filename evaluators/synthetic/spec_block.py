"""A function's parameters and factors as the lines of a spec."""

from __future__ import annotations

from evaluators.synthetic.definition import SyntheticFunction


def parameters_block(function: SyntheticFunction) -> str:
    """The ``parameters:`` block of a spec: x1, x2, ... with their bounds."""
    width = len(f"x{function.dimension}:")
    lines = ["parameters:"]
    rows = zip(function.bounds, function.box.kinds, strict=True)
    for number, ((lower, upper), kind) in enumerate(rows, start=1):
        if kind == "float":
            entry = f"{{type: float, bounds: [{float(lower)!r}, {float(upper)!r}]}}"
        elif kind == "int":
            entry = f"{{type: int, bounds: [{int(lower)}, {int(upper)}]}}"
        else:
            values = ", ".join(str(value) for value in range(int(lower), int(upper) + 1))
            entry = f"{{type: choice, values: [{values}]}}"
        lines.append(f"  {f'x{number}:':<{width}} {entry}")
    return "\n".join(lines) + "\n"


def factors_block(function: SyntheticFunction) -> str:
    """The ``factors:`` block of a spec; empty for a function without a decomposition."""
    if function.factors is None:
        return ""
    lines = [f"  - [{', '.join(f'x{i + 1}' for i in factor)}]" for factor in function.factors]
    return "\n".join(["factors:", *lines]) + "\n"
