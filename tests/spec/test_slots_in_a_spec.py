"""How many slots of a worker an evaluation takes: read as it is meant, each mistake said where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.report.words.spec import spec_words
from orchestrator.spec.build import build_problem, build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.sections.workers import LocalProcesses

RANKS = """parameters:
  x: {type: float, bounds: [0, 1]}
  n: {type: int, bounds: [1, 16]}
  ranks: {type: fixed, value: 3}
  wide: {type: computed, value: 2 * n}
  mesh: {type: choice, values: [rough, fine]}
  extra: {type: int, bounds: [0, 4], when: n >= 8}
  more: {type: int, bounds: [0, 4], when: n >= 8, otherwise: 0}"""


def _with(slots: object, workers: str = "workers: 16") -> dict[str, str]:
    evaluation = f"evaluation: {{evaluator: 'json:dumps', slots: {slots}}}"
    return {"parameters": RANKS, "evaluation": evaluation, "workers": workers}


@pytest.mark.parametrize(
    ("slots", "taken"),
    [
        ("4", 4),
        ("n", 5),
        ('"ceil(n / 2)"', 3),
        ('"n / 2"', 3),
        ('"n + more"', 7),
        ('"wide + ranks"', 13),
        ('"2 * ranks"', 6),
    ],
)
def test_it_is_a_number_or_arithmetic_of_parameters(slots: str, taken: int) -> None:
    spec = spec_with(**_with(slots))
    point = build_space(spec).counted({"x": 0.5, "n": 5, "mesh": "fine", "more": 2})
    assert policy_of(spec).evaluations.slots_of({**point, "more": 2}) == taken


def test_where_it_is_of_fixed_parameters_alone_all_take_the_same() -> None:
    same = [policy_of(spec_with(**_with(slots))).evaluations.slots for slots in ("4", '"2 * ranks"', '"n"')]
    assert [None if needed is None else needed.same for needed in same] == [4, 6, None]
    assert policy_of(spec_with()).evaluations.slots is None


def test_the_rules_of_a_spec_that_is_read_twice_are_the_same() -> None:
    assert policy_of(spec_with(**_with('"ceil(n / 2)"'))) == policy_of(spec_with(**_with('"ceil(n / 2)"')))


@pytest.mark.parametrize(
    ("workers", "most", "sentence"),
    [
        ("workers: 16", 16, "it takes 20 slots, and this machine has 16"),
        ("workers: {local: 16, remote: 8}", 1_024, ""),
        ("workers: {local: 0}", 1_024, ""),
        (
            "workers: {local: 16, listen: 'tcp://0.0.0.0:5555', insecure: true}",
            16,
            "it takes 20 slots, and this machine has 16",
        ),
    ],
)
def test_what_no_worker_can_have_hangs_on_who_may_join(workers: str, most: int, sentence: str) -> None:
    needed = policy_of(spec_with(**_with("n", workers))).evaluations.slots
    assert needed is not None
    assert (needed.most, needed.why_not(20)) == (most, sentence)


@pytest.mark.parametrize(
    ("slots", "said", "at"),
    [
        ("0", "expected how many slots of a worker an evaluation takes, 1 to 1,024", "0"),
        ("true", "expected how many slots of a worker", "true"),
        ("2.5", "expected how many slots of a worker", "2.5"),
        ("32", "expected at most as many as this machine's, `workers: {local: 16}`, got 32; say", "32"),
        ('"32"', "expected at most as many as some worker has: it takes 32 slots, and this machine", "32"),
        ('"6 * ranks"', "it takes 18 slots, and this machine has 16", "6 * ranks"),
        ('"ranks - 3"', "expected `slots` of a worker, 1 or more, got none", "ranks - 3"),
        ('"ceil(m / 2)"', "got `m`", "m / 2"),
        ('"n <= 4"', "expected arithmetic of parameters, got `n <= 4`", "n <= 4"),
        ('"mesh"', "got `mesh`, which has the values", "mesh"),
        ('"n + extra"', "expected a value of `extra` for where it does not count", "extra"),
    ],
)
def test_mistakes_are_said_where_they_stand(slots: str, said: str, at: str) -> None:
    error = refusal_with(**_with(slots))
    assert any(said in sentence for sentence in sentences(error)), str(error)
    assert any(text.lstrip('"').startswith(at) for text in under_caret(error))


def test_a_person_has_no_slots_to_take() -> None:
    told = _with("2")
    told["evaluation"] = "evaluation: {evaluator: person, slots: 2}"
    assert "expected no `slots` where a person evaluates" in str(refusal_with(**told))


def test_what_people_compare_takes_a_place_each() -> None:
    objective = "objective: {name: y, told: by comparison}"
    error = refusal_with(objective=objective, **_with("2"))
    assert "expected no `slots` beside `told: by comparison`" in str(error)


@pytest.mark.parametrize(
    ("slots", "workers", "parallel"),
    [
        ("4", "workers: 16", 4),
        ("5", "workers: {local: 16, remote: 9}", 4),
        ("ranks", "workers: {local: 0, remote: 16}", 5),
        ("n", "workers: 16", 1),
        ('"ceil(n / 4)"', "workers: 16", 6),
    ],
)
def test_as_many_evaluations_at_a_time_are_planned_for_as_fit_on_average(
    slots: str, workers: str, parallel: int
) -> None:
    assert build_problem(spec_with(**_with(slots, workers))).parallel == parallel


def test_one_local_worker_has_all_slots_of_the_machine_each_with_its_own() -> None:
    each = {"GPU": ["0", "1"]}
    workers = spec_with(**_with("n", "workers: {local: 2, each: {GPU: [0, 1]}}")).workers
    assert workers.processes(several_slots=True) == LocalProcesses(1, 2, {"local-1": each})
    assert workers.processes(several_slots=False) == LocalProcesses(
        2, 1, {"local-1": {"GPU": ["0"]}, "local-2": {"GPU": ["1"]}}
    )


def test_who_evaluates_is_said_with_its_slots() -> None:
    assert spec_words(spec_with(**_with("n"))).endswith("on a local worker with 16 slots")


def test_a_command_may_name_how_many_it_has_where_that_is_said() -> None:
    plain = "parameters: {x: {type: float, bounds: [0, 1]}}"
    command = "evaluation: {command: [mpirun, -n, '{slots}', ./sim, '{x}']"
    said = {"parameters": plain, "workers": "workers: 4"}
    assert spec_with(evaluation=f"{command}, slots: 2}}", **said).evaluation.slots == 2
    assert "got `{slots}`" in str(refusal_with(evaluation=f"{command}}}", **said))
    taken = "parameters: {x: {type: float, bounds: [0, 1]}, slots: {type: int, bounds: [1, 4]}}"
    spec_with(evaluation=f"{command}, slots: slots}}", parameters=taken, workers="workers: 4")


@pytest.mark.parametrize(
    ("slots", "workers", "said"),
    [
        ("n", "workers: 4", "of all points an evaluation takes up to 16 slots, and this machine has 4: it"),
        ('"n - 8"', "workers: 16", "of all points `slots` comes to no number of 1 or more"),
        ("n", "workers: 16", ""),
        ("n", "workers: {local: 4, remote: 16}", ""),
        ("4", "workers: 4", ""),
    ],
)
def test_where_some_points_fit_nowhere_that_is_remarked_on(slots: str, workers: str, said: str) -> None:
    remarks = load_spec_text(text_with(**_with(slots, workers)), "wing.yaml", Path()).remarks
    about = [remark for remark in remarks if "slots" in remark]
    assert len(about) == bool(said)
    assert all(said in remark for remark in about)


def test_that_larger_workers_may_join_has_an_effect_however_few_run_at_a_time() -> None:
    told = {**_with("n", "workers: {local: 4, remote: 16}"), "mode": "mode: sequential"}
    assert not load_spec_text(text_with(**told), "wing.yaml", Path()).remarks


OF_N = {"parameters": "parameters: {n: {type: int, bounds: [1, 32]}, x: {type: float, bounds: [0, 1]}}"}
FOUR_FEWER = {**_with('"n - 4"', "workers: 16"), **OF_N}


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("{n: 21, x: 0.5}", "it takes 17 slots, and this machine has 16"),
        ("{n: 4, x: 0.5}", "expected `slots` of a worker, 1 or more, got none"),
    ],
)
def test_a_point_to_begin_with_that_no_worker_can_have_is_refused_where_it_stands(
    point: str, said: str
) -> None:
    within = f"initial: {{points: [{{n: 20, x: 0.5}}, {{x: 0.1}}, {point}]}}"
    error = refusal_with(**FOUR_FEWER, initial=within)
    (sentence,) = sentences(error)
    assert sentence.startswith("expected a point that some worker can have: ")
    assert said in sentence
    assert under_caret(error)[0].startswith(point)
    spec_with(
        **{**FOUR_FEWER, "workers": "workers: {local: 0}"}, initial="initial: {points: [{n: 21, x: 0.5}]}"
    )


@pytest.mark.parametrize("key", ["travel", "change"])
@pytest.mark.parametrize(
    ("workers", "count"),
    [
        ("workers: 16", 1),
        ("workers: {local: 0, remote: 16}", 1),
        ("workers: {local: 16, remote: 8}", 2),
    ],
)
def test_a_machine_of_several_slots_is_one(key: str, workers: str, count: int) -> None:
    told = {
        **_with("16", workers),
        "parameters": f"parameters: {{x: {{type: float, bounds: [0, 9], {key}: 1}}}}",
        "mode": "mode: sequential",
        "initial": "initial: {points: [{x: 4}]}",
    }
    if count == 1:
        spec_with(**told)
    else:
        assert f"expected one worker beside `{key}`, got 2" in str(refusal_with(**told))


@pytest.mark.parametrize(
    ("slots", "said"),
    [
        ("n", "it takes 16 slots or more at full fidelity, and this machine has 8"),
        ('"n + 15 * x"', "it takes 17 slots or more at full fidelity"),
        ('"n - 16"', "expected `slots` of a worker, 1 or more, got none"),
        ('"n / 2"', ""),
        ('"n - 15 * x"', ""),
    ],
)
def test_where_nothing_would_be_evaluated_at_full_fidelity_that_is_refused(slots: str, said: str) -> None:
    told = {
        **_with(slots, "workers: 8"),
        "fidelity": "fidelity: {parameter: n, cost: n}",
        "budget": "budget: {cost: 9}",
        "algorithm": "algorithm: auto",
    }
    if said:
        error = refusal_with(**told)
        assert said in str(error)
        assert under_caret(error)[0].strip('"').startswith(slots.strip('"'))
    else:
        spec_with(**told)


def test_where_nothing_would_be_evaluated_anywhere_that_is_refused() -> None:
    assert "it takes 17 slots or more, and this machine has 8" in str(
        refusal_with(**_with('"16 + n"', "workers: 8"))
    )
