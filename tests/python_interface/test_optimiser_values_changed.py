"""What the Python interface hands out is the caller's own, to change at will."""

import pytest

from orchestrator import Optimiser

NETWORKS = {
    "layers": {"type": "choice", "values": [[64, 64], [128]]},
    "head": {"type": "choice", "values": [{"sizes": [8]}, ({"sizes": [16]}, "wide")]},
    "ends": {"type": "fixed", "value": ["in", "out"]},
    "rate": (0.0, 1.0),
}


def spoil(parameters) -> None:
    """As whoever builds a network of them may."""
    parameters["layers"].append(10)
    parameters["ends"].clear()
    head = parameters["head"]
    (head if isinstance(head, dict) else head[0])["sizes"].append(1)
    del parameters["rate"]


def test_choices_stay_what_they_were_whatever_is_done_with_those_suggested():
    optimiser = Optimiser(NETWORKS, algorithm="random")
    for asked in optimiser.ask(20):
        assert asked.parameters["layers"] in ([64, 64], [128])
        assert asked.parameters["head"] in ({"sizes": [8]}, ({"sizes": [16]}, "wide"))
        assert asked.parameters["ends"] == ["in", "out"]
        spoil(asked.parameters)
        optimiser.tell(asked.trial, 1.0)
    optimiser.learn({"layers": [64, 64], "head": {"sizes": [8]}, "rate": 0.5}, 2.0)
    assert optimiser.best().parameters == {
        "layers": [64, 64],
        "head": {"sizes": [8]},
        "rate": pytest.approx(0.5),
        "ends": ["in", "out"],
    }


def test_so_does_the_best():
    optimiser = Optimiser(NETWORKS, algorithm="random")
    optimiser.tell(optimiser.ask()[0].trial, 1.0)
    for found in (optimiser.best, lambda: optimiser.front()[0]):
        before = str(found())
        spoil(found().parameters)
        assert str(found()) == before


def test_and_the_front_with_its_outcomes():
    optimiser = Optimiser(NETWORKS, algorithm="random", outcomes=["heat"])
    optimiser.tell(optimiser.ask()[0].trial, 1.0, outcomes={"heat": 3.0})
    optimiser.best().outcomes["heat"] = 4.0
    assert optimiser.best().outcomes == {"heat": 3.0}

    optimiser = Optimiser({"x": (0.0, 1.0)}, objectives={"heat": "minimise"})
    optimiser.tell(optimiser.ask()[0].trial, 1.0, outcomes={"heat": 3.0})
    optimiser.front()[0].parameters.clear()
    assert list(optimiser.front()[0].parameters) == ["x"]
