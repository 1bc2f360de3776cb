"""What lies outside of amended bounds, and that what does not count at a point is nowhere."""

from orchestrator.scheduler.rules.bounds import outside, outside_words

BOUNDS = {"span": (1.0, 9.0), "restart": (5, 50)}


def test_a_point_lies_outside_by_each_parameter_that_does() -> None:
    assert outside(BOUNDS, {"span": 1.0, "restart": 50}) == ()
    assert outside(BOUNDS, {"span": 0.5, "restart": 51, "sweep": 99}) == ("span", "restart")
    words = "outside the amended bounds: span = 0.5 is not in [1, 9], restart = 51 is not in [5, 50]"
    assert outside_words(BOUNDS, {"span": 0.5, "restart": 51}) == words


def test_a_parameter_that_the_point_does_not_have_is_not_outside() -> None:
    assert outside(BOUNDS, {"span": 2.0}) == ()
