"""How deep the tree searches go: no deeper than points are told apart."""

from orchestrator import Optimiser


def test_a_top_in_a_corner_does_not_grow_a_tree_whose_cells_are_all_one_point():
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="imgpo", noise=0.0)
    for _ in range(38):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, asked.parameters["x"])
    (size,) = (note for note in optimiser.insight().notes if note.startswith("a tree of"))
    assert size.endswith("13 levels deep")
