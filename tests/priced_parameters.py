"""Parameters of every kind, and what a choice of them costs: what the Python interface is tried with."""

PARAMETERS = {
    "x1": (0.0, 1.0),
    "x2": {"type": "int", "bounds": [2, 9]},
    "kind": {"type": "choice", "values": ["a", "b"]},
    "steps": {"type": "fixed", "value": 7},
}


def cost(parameters) -> float:
    return (parameters["x1"] - 0.3) ** 2 + 0.1 * abs(parameters["x2"] - 6) + (parameters["kind"] == "b")
