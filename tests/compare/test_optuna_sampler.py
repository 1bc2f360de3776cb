"""The sampler of Optuna's studies: what is chosen together, and what is told of trials, whoever ran them."""

from __future__ import annotations

import pickle

import pytest

optuna = pytest.importorskip("optuna", reason="the extra [compare] is not installed: run `make test-compare`")
from optuna.trial import TrialState, create_trial  # noqa: E402

from orchestrator.elsewhere.optuna_sampler import OrchestratorSampler  # noqa: E402
from orchestrator.errors import UsageError  # noqa: E402

X = {"x": optuna.distributions.FloatDistribution(0.0, 1.0)}
GPS = {"algorithm": "gp-ei", "options": {"start_points": 3}}

SETS_CONSTRAINTS = pytest.mark.skipif(
    not hasattr(optuna.trial.Trial, "set_constraint"), reason="Optuna 4 has constraints_func alone"
)

optuna.logging.set_verbosity(optuna.logging.ERROR)


def studied(objective, trials, *, sampler=None, pruner=None, **study):
    sampler = sampler or OrchestratorSampler(algorithm="sobol", seed=1)
    made = optuna.create_study(sampler=sampler, pruner=pruner, **study)
    made.optimize(objective, n_trials=trials, catch=(ArithmeticError,))
    return made


def told(study):
    """What was learned, after one more trial was begun."""
    study.ask(X) if study.trials[0].distributions == X else study.ask(study.trials[0].distributions)
    return study.sampler.optimiser.results()


def bowl(trial):
    return (trial.suggest_float("x", 0, 1) - 0.3) ** 2


def test_what_is_mistyped_is_said_before_anything_is_evaluated():
    with pytest.raises(UsageError, match="did you mean `seed`"):
        OrchestratorSampler(sed=1)  # type: ignore[call-arg]


def test_it_comes_near_the_best_point():
    study = studied(bowl, 12, sampler=OrchestratorSampler(seed=1, **GPS))
    assert study.best_value < 1e-4


def test_a_study_goes_on_where_every_point_was_tried_though_values_are_exact():
    sampler = OrchestratorSampler(algorithm="random", seed=1, noise=0)
    study = studied(lambda trial: float(trial.suggest_int("n", 1, 3)), 6, sampler=sampler)
    assert len(study.trials) == 6
    assert {trial.params["n"] for trial in study.trials} == {1, 2, 3}


def test_every_kind_of_parameter_is_chosen_in_its_own_terms():
    def objective(trial):
        trial.suggest_float("rate", 1e-4, 1, log=True)
        trial.suggest_float("share", 0, 1, step=0.1)
        trial.suggest_int("width", 2, 17, step=5)
        trial.suggest_int("cells", 1, 10**6)
        trial.suggest_int("depth", 1, 100, log=True)
        trial.suggest_categorical("activation", ["relu", None, True, 2.5])
        trial.suggest_float("same", 3, 3)
        return 1.0

    study = studied(objective, 8)
    (last, *_) = study.sampler.optimiser.results()[::-1]
    assert {name: last[name] for name in study.trials[6].params if name != "same"} == {
        name: value for name, value in study.trials[6].params.items() if name != "same"
    }
    assert len({trial.params["rate"] for trial in study.trials}) == 8
    assert {trial.params["width"] for trial in study.trials} <= {2, 7, 12, 17}


def test_what_not_all_trials_have_is_drawn_one_by_one():
    def objective(trial):
        x = trial.suggest_float("x", 0, 1)
        return trial.suggest_float("more", 0, 1) if trial.number % 2 else x

    study = studied(objective, 6)
    assert all(set(one) >= {"x"} and "more" not in one for one in study.sampler.optimiser.results())


def test_failed_trials_are_learned_from_unless_they_say_nothing():
    def objective(trial):
        return 1 / (trial.suggest_float("x", 0, 1) > 0.5)

    study = studied(objective, 8)
    failed = [trial.params["x"] for trial in study.trials if trial.state == TrialState.FAIL]
    assert 1 < len(failed) < 7
    assert [one["x"] for one in told(study) if one["value"] is None] == failed
    study.sampler = OrchestratorSampler(algorithm="sobol", failures=False)
    assert all(one["value"] == 1.0 for one in told(study))


def test_trials_that_run_elsewhere_are_pending_until_they_are_told():
    storage = optuna.storages.InMemoryStorage()
    here, there = (
        optuna.create_study(
            study_name="one",
            storage=storage,
            load_if_exists=True,
            sampler=OrchestratorSampler(algorithm="sobol", seed=seed),
        )
        for seed in (1, 2)
    )
    here.tell(here.ask(X), 1.0)
    theirs = there.ask(X)
    ours = here.ask(X)
    optimiser = here.sampler.optimiser
    assert len(optimiser.pending) == 2
    there.tell(theirs, 3.0)
    here.tell(ours, 2.0)
    here.ask(X)
    assert [(one["x"], one["value"]) for one in optimiser.results()] == [
        (here.trials[0].params["x"], 1.0),
        (theirs.params["x"], 3.0),
        (ours.params["x"], 2.0),
    ]
    assert len(optimiser.pending) == 1


def test_a_trial_that_was_enqueued_is_where_it_was_and_not_where_it_would_have_been():
    study = studied(bowl, 2)
    study.enqueue_trial({"x": 0.125})
    study.optimize(bowl, n_trials=1)
    study.enqueue_trial({"x": 7.0})
    with pytest.warns(UserWarning, match="out of range"):
        study.optimize(bowl, n_trials=1)
    assert [one["x"] for one in told(study)] == [
        study.trials[0].params["x"],
        study.trials[1].params["x"],
        0.125,
    ]
    assert len(study.sampler.optimiser.pending) == 1


def test_while_a_trial_runs_of_which_a_part_was_enqueued_it_is_pending_where_it_is():
    both = {**X, "y": optuna.distributions.FloatDistribution(0.0, 1.0)}
    study = optuna.create_study(sampler=OrchestratorSampler(algorithm="sobol", seed=1))
    study.tell(study.ask(both), 1.0)
    study.enqueue_trial({"x": 0.125})
    study.ask(both)
    study.ask(both)
    optimiser = study.sampler.optimiser
    assert len(optimiser.pending) == 2
    assert optimiser._trials.attached[optimiser.pending[0]]["x"] == 0.125


def test_trials_of_before_are_learned_by_a_sampler_that_comes_later():
    study = optuna.create_study()
    for x in (0.1, 0.2):
        study.add_trial(create_trial(params={"x": x}, distributions=X, value=x))
    study.sampler = OrchestratorSampler(algorithm="sobol")
    assert [(one["x"], one["value"]) for one in told(study)] == [(0.1, 0.1), (0.2, 0.2)]


def curve(trial):
    loss = 1.0
    for epoch in range(1, 11):
        loss = (trial.suggest_float("x", 0, 1) - 0.3) ** 2 + 1 / epoch
        trial.report(loss, epoch)
        if trial.number > 7 and epoch == 3:
            raise optuna.TrialPruned
    return loss


def test_a_pruned_trial_is_told_as_what_it_would_have_come_to():
    study = studied(curve, 10)
    study.ask(X)
    optimiser = study.sampler.optimiser
    # Foreseen of both: neither is among the results, nor pending.
    assert len(optimiser.results()) == 8
    assert len(optimiser.pending) == 1
    followed = study.sampler._followed
    seen = {one.parameters["x"]: one.value for one in followed.optimiser._told_results.results}
    for trial in study.trials[8:10]:
        x = trial.params["x"]
        assert seen[x] == pytest.approx((x - 0.3) ** 2 + 0.1, abs=0.02)


def test_until_the_curves_can_tell_its_place_is_not_asked_for_again():
    study = studied(curve, 0)
    for x, state in ((0.5, TrialState.COMPLETE), (0.75, TrialState.PRUNED)):
        value = 1.0 if state == TrialState.COMPLETE else None
        study.add_trial(
            create_trial(
                state=state, params={"x": x}, distributions=X, value=value, intermediate_values={1: 2.0}
            )
        )
    study.ask(X)
    assert len(study.sampler.optimiser.pending) == 2


@SETS_CONSTRAINTS
def test_nor_is_it_where_nobody_can_foresee_what_constraints_come_to():
    def constrained(trial):
        trial.set_constraint("heat", 0.0)
        return curve(trial)

    study = studied(constrained, 10)
    told(study)
    assert len(study.sampler.optimiser.pending) == 3


def test_brackets_of_hyperband_are_one_study():
    pruner = optuna.pruners.HyperbandPruner(min_resource=1, max_resource=10)
    study = studied(curve, 8, pruner=pruner)
    optimiser = study.sampler.optimiser
    told(study)
    assert study.sampler.optimiser is optimiser


def test_one_pruned_before_it_reported_anything_has_failed():
    def objective(trial):
        if trial.suggest_float("x", 0, 1) < 0.5:
            raise optuna.TrialPruned
        return 1.0

    study = studied(objective, 8)
    pruned = [trial.params["x"] for trial in study.trials if trial.state == TrialState.PRUNED]
    assert pruned
    assert [one["x"] for one in told(study) if one["value"] is None] == pruned


def test_several_objectives_have_a_front():
    def objective(trial):
        x = trial.suggest_float("x", 0, 1)
        return x, (x - 0.7) ** 2

    study = studied(objective, 6, directions=["maximize", "minimize"])
    results = told(study)
    assert [(one["value"], one["objective_1"]) for one in results] == [
        tuple(t.values) for t in study.trials[:6]
    ]
    front = {one.value for one in study.sampler.optimiser.front()}
    assert front == {trial.values[0] for trial in study.best_trials}


def heat(trial):
    return [trial.params["x"] - 0.5]


def heated(trial):
    trial.set_constraint("heat", trial.suggest_float("x", 0, 1) - 0.5)
    return -trial.params["x"]


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize(
    ("objective", "constraints"),
    [
        pytest.param(heated, {}, marks=SETS_CONSTRAINTS),
        (lambda trial: -trial.suggest_float("x", 0, 1), {"constraints_func": heat}),
    ],
)
def test_what_breaks_a_constraint_is_no_best(objective, constraints):
    study = studied(objective, 8, sampler=OrchestratorSampler(algorithm="sobol", seed=1, **constraints))
    told(study)
    best = study.sampler.optimiser.best()
    assert best.parameters["x"] == max(t.params["x"] for t in study.trials[:8] if t.params["x"] <= 0.5)


def test_threads_share_one_sampler():
    study = optuna.create_study(sampler=OrchestratorSampler(algorithm="sobol", seed=1))
    study.optimize(bowl, n_trials=12, n_jobs=3)
    assert len({trial.params["x"] for trial in study.trials}) == 12
    assert len(told(study)) == 12


def test_one_that_was_pickled_goes_on_by_what_is_in_the_study():
    study = studied(bowl, 4)
    study.sampler = pickle.loads(pickle.dumps(study.sampler))
    assert study.sampler.optimiser is None
    assert [one["value"] for one in told(study)] == [trial.value for trial in study.trials[:4]]


def test_another_study_is_another_problem():
    sampler = OrchestratorSampler(algorithm="sobol", seed=1)
    studied(bowl, 4, sampler=sampler)
    assert len(told(studied(bowl, 2, sampler=sampler))) == 2
