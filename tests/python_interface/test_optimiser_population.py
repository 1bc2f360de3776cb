"""From Python, too, a population is trained: what goes on from what another left has settings of its own."""

import pickle
from itertools import pairwise

import pytest

from orchestrator import Optimiser, Plan
from orchestrator.errors import SpecError

BOX = {
    "rate": {"type": "float", "bounds": [0.001, 1.0], "scale": "log"},
    "kind": {"type": "choice", "values": ["plain", "nested"]},
    "epochs": {"type": "int", "bounds": [5, 20]},
}
SAID = {
    "algorithm": "pb2",
    "fidelity": {"parameter": "epochs", "cost": "epochs", "continues": True},
    "options": {"population": 4, "pieces": 4},
    "noise": 0,
    "plan": Plan(cost=5.0),
}


def trained(optimiser, trials, losses, upto):
    """Trials until there are so many, each told before the next is asked for."""
    while len(trials) < upto:
        (asked,) = optimiser.ask()
        trials[asked.trial] = asked
        tell(optimiser, asked, trials, losses)


def tell(optimiser, asked, trials, losses):
    loss = 1.0 if asked.continues is None else losses[asked.continues]
    done = 0 if asked.continues is None else trials[asked.continues].parameters["epochs"]
    for step in range(done, asked.parameters["epochs"]):
        loss *= 1.0 - 0.3 * asked.parameters["rate"] * (1.0 - loss * step / 40.0)
    losses[asked.trial] = loss
    optimiser.tell(asked.trial, loss)


@pytest.fixture(scope="module")
def searched():
    optimiser, trials, losses = Optimiser(BOX, goal="minimise", **SAID), {}, {}
    trained(optimiser, trials, losses, 20)
    return optimiser, trials, losses


def settings(asked):
    return {name: value for name, value in asked.parameters.items() if name != "epochs"}


def test_trials_go_on_from_others_with_the_same_settings_and_with_other_ones(searched):
    optimiser, trials, losses = searched
    went_on = [asked for asked in trials.values() if asked.continues is not None]
    same = [asked for asked in went_on if settings(asked) == settings(trials[asked.continues])]
    assert same
    assert len(same) < len(went_on)
    assert all(asked.cost == pytest.approx(0.25) for asked in trials.values())
    assert optimiser.best().value == min(
        losses[number] for number, asked in trials.items() if asked.parameters["epochs"] == 20
    )


def test_a_search_that_is_kept_and_one_that_is_pickled_train_as_they_would_have(searched, tmp_path):
    _, whole, _ = searched
    trials, losses = {}, {}
    kept = Optimiser(BOX, goal="minimise", store=tmp_path / "search.jsonl", **SAID)
    other = next(
        number
        for number, one in whole.items()
        if one.continues and settings(one) != settings(whole[one.continues])
    )
    trained(kept, trials, losses, other - 1)
    (left,) = kept.ask()
    kept.close()
    again = Optimiser(BOX, goal="minimise", store=tmp_path / "search.jsonl", **SAID)
    (asked,) = again.ask()
    assert (asked.parameters, asked.continues, asked.cost) == (left.parameters, left.continues, left.cost)
    trials[asked.trial] = asked
    tell(again, asked, trials, losses)
    trained(again, trials, losses, 20)
    again.close()
    copied, others = pickle.loads(pickle.dumps(Optimiser(BOX, goal="minimise", **SAID))), {}
    trained(copied, others, {}, 20)
    for number, one in whole.items():
        for same in (trials[number], others[number]):
            assert (same.parameters, same.continues) == (one.parameters, one.continues)


def test_its_page_has_how_the_settings_of_the_best_changed_on_the_way(searched, tmp_path):
    optimiser, title = Optimiser(BOX, goal="minimise", **SAID), "How its settings changed on the way"
    trained(optimiser, {}, {}, 14)
    searched[0].report(tmp_path / "same.html")
    optimiser.report(tmp_path / "changed.html")
    chain = [searched[1][optimiser.best().trial]]
    while chain[0].continues is not None:
        chain.insert(0, searched[1][chain[0].continues])
    (told,) = (tmp_path / "changed.html").read_text().split(f"<h2>{title}</h2>")[1:]
    rows = told.partition("</table>")[0].split("<tr>")[2:]
    settings_in_turn = [settings(one) for one in chain]
    assert len(rows) == 1 + sum(one != other for one, other in pairwise(settings_in_turn)) > 1
    assert title not in (tmp_path / "same.html").read_text(), "the last training began as it ended"


def test_without_a_fidelity_that_continues_it_is_said_what_is_wanted():
    with pytest.raises(SpecError, match="trainings that go on in pieces"):
        Optimiser(BOX, algorithm="pb2")
