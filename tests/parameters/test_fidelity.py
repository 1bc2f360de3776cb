"""One parameter may say how closely an evaluation looks, and what that costs."""

import numpy as np
import pytest

from orchestrator.errors import SpecError
from orchestrator.parameters.fidelity import MOST_LEVELS, Fidelity
from orchestrator.parameters.space import Space

SPACE = Space.from_description(
    {
        "x": (0.0, 1.0),
        "cells": {"type": "int", "bounds": [20, 400], "scale": "log"},
        "mesh": {"type": "ordered", "values": ["coarse", "medium", "fine"]},
        "tolerance": {"type": "float", "bounds": [1e-8, 1e-2], "scale": "log"},
        "runs": {"type": "int", "bounds": [10, 50], "step": 10},
        "solver": {"type": "choice", "values": ["cg", "direct"]},
        "restart": {"type": "int", "bounds": [1, 9], "when": {"solver": "cg"}},
        "load": {"type": "fixed", "value": 3},
    }
)


def test_an_evaluation_costs_as_a_part_of_what_it_costs_at_full_fidelity():
    cells = Fidelity.of(SPACE, "cells", "cells ** 2")
    assert cells.cost({"cells": 400}) == 1.0
    assert cells.cost({"cells": 100, "x": 0.3}) == 1 / 16
    assert cells.is_full({"cells": 400})
    assert not cells.is_full({"cells": 399})


def test_values_may_each_have_their_own_cost():
    mesh = Fidelity.of(SPACE, "mesh", {"coarse": 1, "medium": 5, "fine": 40})
    assert [mesh.cost({"mesh": value}) for value in ("coarse", "medium", "fine")] == [0.025, 0.125, 1.0]
    assert mesh.full == "fine"


def test_full_fidelity_may_be_the_first_value():
    tolerance = Fidelity.of(SPACE, "tolerance", "log(1 / tolerance)", full=1e-8)
    assert tolerance.levels.full == 0.0
    assert tolerance.cost({"tolerance": 1e-4}) == pytest.approx(0.5)
    assert tolerance.condition == "tolerance = 1e-08"


@pytest.mark.parametrize(
    ("name", "full", "value", "cost"),
    [
        ("cells", None, 20, 0.05),
        ("mesh", None, "coarse", 1 / 3),
        ("mesh", "coarse", "fine", 1 / 3),
        ("runs", 10, 50, 0.2),
        ("x", None, 0.0, 1 / MOST_LEVELS),
        ("tolerance", 1e-8, 1e-2, 0.01),
    ],
)
def test_before_costs_are_learned_they_are_in_proportion_to_the_value_and_never_next_to_nothing(
    name, full, value, cost
):
    fidelity = Fidelity.of(SPACE, name, None, full)
    assert fidelity.cost({name: value}) == pytest.approx(cost)
    assert fidelity.cost({name: fidelity.full}) == 1.0
    assert fidelity.levels.learned
    assert fidelity.learning() is not None
    assert Fidelity.of(SPACE, "x", "1 + x").learning() is None


@pytest.mark.parametrize(
    ("name", "cost", "levels"),
    [("cells", "cells", MOST_LEVELS), ("runs", "runs", 5), ("x", "0.1 + x", MOST_LEVELS)],
)
def test_the_levels_to_choose_from_are_values_of_the_parameter_with_full_fidelity_last(name, cost, levels):
    fidelity = Fidelity.of(SPACE, name, cost)
    parameter, found = fidelity.parameter, fidelity.levels
    assert len(found.positions) == levels
    assert parameter.decode(found.full) == fidelity.full
    values = [parameter.decode(float(position)) for position in found.positions]
    assert [parameter.encode(value) for value in values] == found.positions.tolist()
    assert found.costs.tolist() == [fidelity.cost({name: value}) for value in values]
    assert found.costs[-1] == 1.0


def test_points_between_levels_cost_what_lies_between():
    levels = Fidelity.of(SPACE, "tolerance", "log(1 / tolerance)", full=1e-8).levels
    points = np.full((3, 7), 0.5)
    points[:, levels.coordinate] = [0.0, 0.5, 1.0]
    assert levels.costs_of(points) == pytest.approx([1.0, 0.625, 0.25], abs=1e-6)
    assert levels.are_full(points).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (("cels", "cels"), "got `cels` (did you mean `cells`?)"),
        (
            ("load", "load"),
            "expected a parameter that varies to choose fidelity by, got `load`, which is fixed",
        ),
        (("solver", {"cg": 1, "direct": 2}), "got `solver`, a choice; with `type: ordered`"),
        (("restart", "restart"), "expected a parameter that always counts"),
        (("cells", "cells", 100), "expected full fidelity at one end of `cells`, 20 or 400, got 100"),
        (("cells", "x"), "expected a cost that depends on `cells` alone, got `x`"),
        (
            ("cells", "cells *"),
            "as arithmetic of `cells`, as `cells ** 2`, got `cells *`, which cannot be read",
        ),
        (("cells", "cells < 3"), "expected arithmetic of numbers"),
        (("cells", 3), "expected the cost of an evaluation as arithmetic of `cells`"),
        (
            ("mesh", "mesh"),
            "expected the cost of an evaluation for each value of `mesh`, as {coarse: 1, fine: 40}",
        ),
        (("mesh", {"coarse": 1, "fine": 2}), "got none where it is medium"),
        (("cells", "cells - 20"), "expected a cost above 0 wherever `cells` may be, got 0 where it is 20"),
        (
            ("cells", "1 / cells"),
            "expected an evaluation to cost most at full fidelity, where `cells` is 400",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(told, sentence):
    with pytest.raises(SpecError) as refused:
        Fidelity.of(SPACE, *told)
    assert sentence in str(refused.value)


def test_what_goes_on_pays_the_difference_and_never_nothing():
    fidelity = Fidelity.of(SPACE, "runs", "runs", continues=True)
    few, many = fidelity.values[0], fidelity.values[-1]
    assert fidelity.levels.continues
    left = fidelity.cost({"runs": many}) - fidelity.cost({"runs": few})
    assert fidelity.rest({"runs": many}, {"runs": few}) == pytest.approx(left)
    assert fidelity.rest({"runs": few}, {"runs": few}) == 1e-3
    assert not Fidelity.of(SPACE, "runs", "runs").levels.continues
    assert Fidelity.of(SPACE, "runs", None, continues=True).levels.continues


def test_where_evaluations_go_on_each_closer_look_costs_more():
    with pytest.raises(SpecError, match="cost more the more closely it looks, where it `continues`"):
        Fidelity.of(SPACE, "x", "1 + (x - 0.3) ** 2", continues=True)
