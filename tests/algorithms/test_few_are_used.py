"""A search where only so many components are used finds which, and how much of them."""

from __future__ import annotations

from orchestrator.python_interface.optimiser import Optimiser

NAMES = "abcdef"
BEST = {"b": 30.0, "e": 20.0}


def lost(mixture: dict[str, float]) -> float:
    """0 where two of six are used that do something together only."""
    apart = sum((mixture[name] - BEST.get(name, 0.0)) ** 2 for name in NAMES) / 400
    return apart + (0.0 if mixture["b"] and mixture["e"] else 0.5)


def test_two_of_six_are_found_and_no_trial_has_more() -> None:
    parameters = {name: {"type": "float", "bounds": [0, 60], "least": 2} for name in NAMES}
    optimiser = Optimiser(
        {"solvent": (0.0, 100.0), **parameters},
        goal="minimise",
        constraints=["solvent + a + b + c + d + e + f == 100", "count(a, b, c, d, e, f) <= 2"],
        algorithm="gp-ei",
        seed=0,
    )
    values = []
    for _ in range(22):
        (suggestion,) = optimiser.ask()
        mixture = suggestion.parameters
        assert sum(mixture[name] != 0 for name in NAMES) <= 2
        values.append(lost(mixture))
        optimiser.tell(suggestion.trial, values[-1])
    # Of as many points at random the best loses more than 1 mostly.
    assert min(values) < 0.05
