"""What an algorithm believes, as a notebook shows it."""

from orchestrator.algorithms.base import BelievedBest, Insight, Prediction

BELIEVED = Insight(
    weights={"joint rbf": 0.125, "pairs matern-5/2": 0.875},
    decomposition=[[0, 2], [1]],
    probability=0.875,
    hyperparameters={
        "joint rbf": {"length_scales": [0.42701, 3.0], "detail": {"variance": 1.2345, "kernel": "rbf"}},
        "pairs matern-5/2": {"length_scales": [0.1] * 40},
    },
    notes=["refit 4, from 13 results"],
    believed_best=BelievedBest(7, Prediction(1.23456789, 0.0123)),
)


def test_it_is_lines_of_which_none_is_long():
    assert repr(BELIEVED).splitlines()[:6] == [
        "pairs matern-5/2   87.5 %",
        "joint rbf          12.5 %",
        "these act together (88 %): 0, 2; 1",
        "trial 7 is believed best: 1.2346 ± 0.012",
        "refit 4, from 13 results",
        "joint rbf: length_scales [0.427, 3]; detail (variance 1.23; kernel rbf)",
    ]
    assert max(map(len, repr(BELIEVED).splitlines())) <= 100
    assert str(BELIEVED) == repr(BELIEVED)


def test_before_there_is_a_model_it_is_what_is_waited_for():
    assert repr(Insight(notes=["start design: 1 of 10 results told"])) == "start design: 1 of 10 results told"
