"""Who calls an argument as other libraries do is told what is meant by it here."""

import pytest

from orchestrator import Optimiser, Plan, Preferences, minimise
from orchestrator.errors import UsageError

BOX = {"x": (0.0, 1.0), "n": {"type": "int", "bounds": [1, 5]}}


def bowl(parameters):
    return (parameters["x"] - 0.3) ** 2


def test_a_search_in_one_call_refuses_settings_that_there_are_none_of():
    with pytest.raises(UsageError, match=r"`noise`.*, got `n_trials` \(did you mean `trials`\?\)"):
        minimise(bowl, BOX, n_trials=5)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"expected a setting .*, got `goal`; .* `minimise` or `maximise`"):
        minimise(bowl, BOX, 5, goal="maximise")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"got `direction`; the function that is called says it, `minimise`"):
        minimise(bowl, BOX, 5, direction="minimize")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r'got `timeout`; `until` may end it, as until=Enough\(time="1 h"\)'):
        minimise(bowl, BOX, 5, timeout=60)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"got `target`; `until` may end it, as until=Enough\(target=0.1\)"):
        minimise(bowl, BOX, 5, target=0.1)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"got `patience`; `until` may end it, as until=Enough\(patience=20"):
        minimise(bowl, BOX, 5, patience=9)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"got `verbose`; until=print has a line after each result"):
        minimise(bowl, BOX, 5, verbose=True)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r'got `n_initial_points`; .* `options` may say so, as \{"start'):
        minimise(bowl, BOX, 5, n_initial_points=4)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"got `callbacks`; `until` is called with the Optimiser"):
        minimise(bowl, BOX, 5, callbacks=[print])  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="expected as `until` a function of the Optimiser, got 3"):
        minimise(bowl, BOX, 5, until=3)
    with pytest.raises(UsageError, match=r"got `n_jobs`; an `executor` says how many"):
        minimise(bowl, BOX, 5, n_jobs=4)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"expected a setting .*, got `plan`; `trials`, `cost` and `para"):
        minimise(bowl, BOX, plan=Plan(5))  # type: ignore[call-arg]


def test_nor_does_an_optimiser_take_what_others_call_otherwise_and_it_says_what_is_meant():
    with pytest.raises(UsageError, match=r"\(`parameters`, `goal`, .*, got `direction` \(did you .*`goal`"):
        Optimiser(BOX, direction="minimize")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"got `sampler`; `algorithm` names one"):
        Optimiser(BOX, sampler="tpe")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"got `n_trials`; a loop of your own says when it is over, and"):
        Optimiser(BOX, n_trials=40)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"expected an argument \(`parameters`, `seed`, .*, got `goal`$"):
        Preferences(BOX, goal="maximise")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda _: Plan(n_trials=40), "got `n_trials`; `trials` says how many"),  # type: ignore[call-arg]
        (lambda _: Plan(n_jobs=4), "got `n_jobs`; `parallel` says how many run at a time"),  # type: ignore[call-arg]
        (lambda _: Plan(timeout=60), "got `timeout`; a plan is in trials, or in what they cost"),  # type: ignore[call-arg]
        (lambda _: Plan(trails=40), "expected an argument (`trials`, `parallel` or `cost`), got `trails` "),  # type: ignore[call-arg]
        (lambda one: one.ask(n_points=4), "got `n_points`; `n` says how many at a time, as ask(4)"),
        (lambda one: one.ask(fixed_features={"x": 1.0}), "got `fixed_features`; `held` has what is not to"),
        (lambda one: one.ask(hold={"x": 1.0}), "`held` or `sharing`), got `hold` (did you mean `held`?)"),
        (lambda one: one.tell(0, values=[1.0]), "got `values`; `value` is what was found, or a mapping"),
        (lambda one: one.tell(params={"x": 1.0}, value=1.0), "got `params`; `trial` is the number of what"),
        (lambda one: one.tell(trial_index=0, raw_data=1.0), "got `trial_index` (did you mean `trial`?)"),
        (lambda one: one.tell(0, state="FAIL"), "got `state`; of one that failed no value is told"),
        (lambda one: one.tell(0, 1.0, study=one), "got `study`; an Optimiser is a study itself"),
        (lambda one: one.learn({"x": 1.0}, 1.0, sem=0.1), "got `sem`; `variance` is that of the noise"),
    ],
)
def test_nor_do_a_plan_and_what_is_asked_and_told(call, sentence):
    with pytest.raises(UsageError) as refused:
        call(Optimiser(BOX))
    assert sentence in str(refused.value)
