"""What of a spec has no effect is said at its place; whatever has one is passed over in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import text_with

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Options, Problem
from orchestrator.spec.load import load_spec_text

FACTORS = "factors: [[x], [n]]"


def remarks_on(**lines: str) -> list[str]:
    return list(load_spec_text(text_with(**lines), "wing.yaml", Path()).remarks)


def algorithm(name: str, options: str = "") -> str:
    return f"algorithm: {{name: {name}, options: {{{options}}}}}"


def test_factors_that_an_algorithm_does_not_look_at_are_remarked_on_where_they_stand() -> None:
    (said,) = remarks_on(algorithm=algorithm("gp-ei"), factors=FACTORS)
    assert said.startswith("wing.yaml:7:1: `factors` have no effect with `gp-ei`\n  factors: [[x], [n]]\n  ^")
    assert remarks_on(algorithm=algorithm("dumbo"), factors=FACTORS) == []
    assert remarks_on(algorithm=algorithm("auto"), factors=FACTORS) == []


@pytest.mark.parametrize("result", ["{x: 0, n: 3, drag: 1, %s}", "{parameters: {x: 0, n: 3}, value: 1, %s}"])
def test_what_factors_gave_is_of_no_use_where_none_are_known(result: str) -> None:
    given = result % "factors: [0.5, 0.5]"
    results = f"initial: {{results: [{{x: 1, n: 3, drag: 2}}, {given}, {given}]}}"
    (said,) = remarks_on(algorithm=algorithm("dumbo"), initial=results)
    assert ": `factors` of known results have no effect: the spec names no factors\n" in said
    assert said.splitlines()[-1].index("^") == said.splitlines()[-2].index("factors:")
    assert remarks_on(algorithm=algorithm("dumbo"), initial=results, factors=FACTORS) == []


def test_a_start_design_is_not_promised_by_an_algorithm_without_one() -> None:
    (said,) = remarks_on(algorithm=algorithm("direct"), initial="initial: {count: 4}")
    assert "`count` has no effect with `direct`, which has no start design" in said
    for name in ("egp-ts", "cma-es", "nsga-ii", "auto"):
        assert remarks_on(algorithm=algorithm(name), initial="initial: {count: 4}") == []


def test_known_results_that_are_taken_for_exact_are_counted_where_noise_is_reported() -> None:
    reported = "objective: {name: drag, goal: minimise, noise: reported}"
    results = "initial: {results: [{x: 0, n: 3, drag: 1}, {x: 1, n: 3, drag: 2, variance: 0.1}]}"
    (said,) = remarks_on(objective=reported, initial=results)
    assert "1 of 2 known results have no `variance`, and count as exact: `noise` is `reported`" in said
    assert remarks_on(initial=results) == []
    one = "initial: {results: [{x: 0, n: 3, drag: 1}]}"
    (said,) = remarks_on(objective=reported, initial=one)
    assert "the known result has no `variance`, and counts as exact" in said


def test_a_person_is_given_no_options_and_not_hurried() -> None:
    said = remarks_on(
        evaluation="evaluation: {evaluator: person, options: {a: 1}, timeout: 1 h, attempts: 2}"
    )
    assert ["`options` has no effect" in said[0], "`timeout` has no effect" in said[1], len(said)] == [
        True,
        True,
        2,
    ]
    assert remarks_on(evaluation="evaluation: {evaluator: person}") == []


def test_a_person_who_is_given_a_round_in_parts_is_told_how_to_have_all_of_it() -> None:
    person, rounds = "evaluation: {evaluator: person}", "mode: {synchronous: 4}"
    for workers in ("workers: {local: 1}", "workers: {local: 0}"):
        (said,) = remarks_on(evaluation=person, mode=rounds, workers=workers)
        assert "a person is given 1 of the 4 at a time" in said
        assert "say `workers: {local: 4}`" in said
    assert remarks_on(evaluation=person, mode=rounds, workers="workers: {local: 4}") == []


def test_a_first_round_that_the_points_listed_do_not_fill_is_remarked_on() -> None:
    rounds, point = "mode: {synchronous: 4}", "{x: 0.5, n: 3}"
    for initial in (f"{{reference: {point}}}", f"{{points: [{point}]}}"):
        (said,) = remarks_on(mode=rounds, initial=f"initial: {initial}")
        assert "the first round is what `initial` lists and no more, 1 of 4 trials" in said
        assert "list 3 more `points`" in said
    whole = f"initial: {{points: [{point}, {point}, {point}, {point}]}}"
    assert remarks_on(mode=rounds, initial=whole) == remarks_on(mode=rounds) == []


def test_points_listed_that_are_rounds_of_their_own_are_remarked_on() -> None:
    rounds, points = "mode: {synchronous: 2, sharing: [n]}", [f"{{x: 0.5, n: {n}}}" for n in (3, 4, 3, 4)]
    (said,) = remarks_on(mode=rounds, initial=f"initial: {{points: [{', '.join(points[:3])}]}}")
    assert "points that do not share `n`, and so are rounds of 2, 1 and not 2 trials" in said
    assert remarks_on(mode=rounds, initial=f"initial: {{points: [{', '.join(points)}]}}") == []
    (said,) = remarks_on(mode=rounds, initial=f"initial: {{points: [{points[0]}]}}")
    assert "the first round is what `initial` lists and no more, 1 of 2 trials" in said


def test_how_many_are_expected_elsewhere_is_idle_where_the_mode_says_how_many_at_a_time() -> None:
    fleet = "workers: {local: 0, remote: 8}"
    (said,) = remarks_on(workers=fleet, mode="mode: {synchronous: 4}")
    assert "`remote` has no effect: `mode` says how many run at a time" in said
    assert len(remarks_on(workers=fleet, mode="mode: sequential")) == 1
    assert remarks_on(workers=fleet) == []


def test_a_worker_beside_jobs_that_nobody_spoke_of_is_remarked_on() -> None:
    beside = "listen: 'tcp://0.0.0.0:5556', keys: keys, jobs: {queue: slurm, script: job.sh, at_most: 4}"
    (said,) = remarks_on(workers=f"workers: {{{beside}}}")
    assert "one worker evaluates here, too, beside the jobs" in said
    assert remarks_on(workers=f"workers: {{local: 1, {beside}}}") == []


def test_an_address_that_no_job_of_another_machine_reaches_is_remarked_on() -> None:
    jobs = "jobs: {queue: slurm, script: job.sh, at_most: 4}"
    (said,) = remarks_on(workers=f"workers: {{local: 0, listen: 'tcp://127.0.0.1:5556', {jobs}}}")
    assert "this machine alone is reached so: a job on another one finds no run there" in said
    assert "say an address that the nodes reach, as `tcp://0.0.0.0:5556`" in said
    assert (
        remarks_on(workers=f"workers: {{local: 0, listen: 'tcp://0.0.0.0:5556', keys: keys, {jobs}}}") == []
    )


def test_of_two_sizes_of_the_start_design_the_one_that_counts_is_named() -> None:
    (said,) = remarks_on(algorithm=algorithm("gp-ei", "start_points: 3"), initial="initial: {count: 4}")
    assert "`start_points` has no effect: `count` of `initial` says how many" in said


def test_a_start_design_that_leaves_the_algorithm_no_trial_is_remarked_on() -> None:
    def remarks_of_a_design(initial: str) -> list[str]:
        return remarks_on(algorithm=algorithm("gp-ei"), budget="budget: {trials: 4}", initial=initial)

    (said,) = remarks_of_a_design("initial: {count: 4}")
    assert "the start design takes all 4 trials: `gp-ei` never gets to choose" in said
    assert remarks_of_a_design("initial: {count: 3}") == []
    assert remarks_of_a_design("initial: {count: 4, results: [{x: 0, n: 3, drag: 1}]}") == []


def test_so_is_the_design_that_nobody_spoke_of_where_it_takes_all_trials() -> None:
    def remarks_of(trials: int, initial: str = "initial: {}", name: str = "gp-ei") -> list[str]:
        budget = f"budget: {{trials: {trials}}}"
        return remarks_on(algorithm=algorithm(name), budget=budget, initial=initial)

    (said,) = remarks_of(8)
    assert said.startswith("wing.yaml:5:10: the start design of 10 trials takes all 8: `gp-ei` never gets")
    assert "as `initial: {count: 4}`, or more trials" in said
    assert len(remarks_of(10)) == 1
    assert remarks_of(11) == []
    # A look, points of one's own throughout, results that are known already, and no model to come.
    assert remarks_of(1) == []
    assert remarks_of(2, "initial: {points: [{x: 0, n: 3}, {x: 0, n: 3}]}") == []
    known = ", ".join(f"{{x: 0, n: {n}, drag: {n}}}" for n in range(1, 4))
    assert remarks_of(8, f"initial: {{results: [{known}]}}") == []
    at_one_point = ", ".join(f"{{x: 0, n: 1, drag: {value}}}" for value in range(3))
    assert len(remarks_of(8, f"initial: {{results: [{at_one_point}]}}")) == 1
    assert remarks_of(8, name="sobol") == []
    # It spreads a part of few trials alone.
    assert remarks_of(8, name="auto") == []


def test_the_design_of_what_stands_for_an_algorithm_is_its_own() -> None:
    slopes = "objective: {name: drag, goal: minimise, derivatives: true}"
    eight = "budget: {trials: 8}"
    assert remarks_on(objective=slopes, algorithm=algorithm("auto"), budget=eight) == []


@pytest.mark.parametrize(
    ("name", "options", "idle"),
    [
        ("add-gp-ucb", "group_size: 2, exchanges: 5", ["group_size", "exchanges"]),
        ("add-mes", "group_size: 2", ["group_size"]),
        ("dec-hbo", "maximum_factor_size: 2, evidences: 9", ["maximum_factor_size", "evidences"]),
        ("dumbo", "decompositions: 4", ["decompositions"]),
    ],
)
def test_how_to_learn_a_structure_is_idle_where_it_is_known(name: str, options: str, idle: list[str]) -> None:
    said = remarks_on(algorithm=algorithm(name, options), factors=FACTORS)
    assert len(said) == len(idle)
    for option, sentence in zip(idle, said, strict=True):
        assert f"`{option}` has no effect: the factors are known" in sentence
    assert remarks_on(algorithm=algorithm(name, options)) == []


@pytest.mark.parametrize(
    ("options", "idle", "needs"),
    [
        ("failure: 0.2", "failure", "beta: theoretical"),
        ("beta: theoretical, beta_dimension: 1", "beta_dimension", "beta: practical"),
        ("beta: theoretical, deviations: summed", "deviations", "beta: practical"),
        ("evaluations: 50", "evaluations", "maximiser: direct"),
    ],
)
def test_an_option_of_another_choice_names_that_choice(options: str, idle: str, needs: str) -> None:
    (said,) = remarks_on(algorithm=algorithm("add-gp-ucb", options))
    assert f"`{idle}` has no effect: only `{needs}` has it" in said


def test_outputs_of_factors_are_learned_from_where_factors_are_known_only() -> None:
    dumbo = algorithm("dumbo", "decomposed_outputs: true")
    (said,) = remarks_on(algorithm=dumbo)
    assert "`decomposed_outputs` has no effect: no factors are known" in said
    assert remarks_on(algorithm=dumbo, factors=FACTORS) == []


def test_where_constraints_tie_parameters_no_group_is_maximised_by_itself_and_how_is_idle() -> None:
    direct = algorithm("add-gp-ucb", "maximiser: direct, evaluations: 50")
    said = remarks_on(algorithm=direct, constraints='constraints: ["x < n"]')
    assert len(said) == 2
    for option, sentence in zip(["maximiser", "evaluations"], said, strict=True):
        assert f"`{option}` has no effect: constraints tie parameters" in sentence
    assert remarks_on(algorithm=direct) == []


def test_another_packages_algorithm_speaks_for_its_options_and_nobody_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Forest:
        class Options(Options):
            trees: int = 10

            def without_effect(self, problem: Problem) -> dict[str, str]:
                return {"trees": "two parameters need none"} if problem.domain.dimension == 2 else {}

    monkeypatch.setattr(registry, "load", {"forest": Forest}.__getitem__)
    monkeypatch.setattr(registry, "names", lambda: ("forest",))
    (said,) = remarks_on(algorithm=algorithm("forest", "trees: 3"), factors=FACTORS)
    assert "`trees` has no effect: two parameters need none" in said


def test_nothing_is_remarked_on_a_run_that_has_begun_whose_text_alone_is_read() -> None:
    text = text_with(algorithm=algorithm("random"), factors=FACTORS)
    assert load_spec_text(text, "wing.yaml", None).remarks == ()


def test_a_batch_of_a_sequential_run_is_said_to_have_no_effect_and_measured_by_nothing() -> None:
    (said,) = remarks_on(mode="mode: {sequential: 4}", budget="budget: {trials: 2}")
    assert "the batch of 4 has no effect: `sequential` is one trial at a time" in said


def command(*words: str) -> str:
    return f"evaluation: {{command: [./sim, '{{x}}', '{{n}}', {', '.join(words)}]}}"


@pytest.mark.parametrize(("written", "given"), [("1.10", "1.1"), ("007", "7"), ("1e5", "100000.0")])
def test_an_argument_that_yaml_reads_as_another_number_is_said_to_be_given_as_that(
    written: str, given: str
) -> None:
    (said,) = remarks_on(evaluation=command("--tag", written))
    assert f"the program is given `{given}`: if `{written}` is no number, put quotation marks" in said
    assert remarks_on(evaluation=command("--tag", f"'{written}'", "7", "0.5")) == []


def choice(*values: str) -> str:
    return f"parameters: {{n: {{type: choice, values: [{', '.join(values)}]}}}}"


@pytest.mark.parametrize(("written", "shown"), [("1.10", "1.1"), ("007", "7"), ("0x1f", "31")])
def test_a_choice_that_yaml_reads_as_another_number_is_said_to_be_that(written: str, shown: str) -> None:
    (said,) = remarks_on(parameters=choice("2", written, "3"))
    sentence = f"the choice `{written}` is the number {shown}: if it is none, put quotation marks about it"
    assert said.startswith(f"wing.yaml:3:44: {sentence}\n")
    assert remarks_on(parameters=choice("1.9", "1.0", "1e-3", "2e5", "-3", "true", f"'{written}'")) == []


def test_numbers_of_candidates_that_are_a_choice_are_not_said_to_be_numbers() -> None:
    rows = "candidates: [{lot: 7, span: 1}, {lot: 3, span: 2}, {lot: 7, span: 3}]"
    assert remarks_on(parameters=f"parameters: {{lot: {{type: choice}}}}\n{rows}") == []


def test_numbers_that_ascend_as_a_choice_are_said_to_have_no_order() -> None:
    (said,) = remarks_on(parameters=choice("1", "2", "4", "8"))
    sentence = (
        "the order of `n` means nothing, as it is a choice: where neighbours are alike, say `type: ordered`"
    )
    assert said.startswith(f"wing.yaml:3:32: {sentence}\n")
    for values in (["1", "2"], ["1", "4", "2"], ["a", "b", "c"], ["'1'", "'2'", "'4'"], ["1", "2", "true"]):
        assert remarks_on(parameters=choice(*values)) == []


def test_a_value_with_a_format_is_said_to_be_given_as_it_stands() -> None:
    (said,) = remarks_on(evaluation=command("'--label={x:.3f}'"))
    assert "the program is given `{x:.3f}` as it stands: `{x}` is the value, with all its digits" in said
    assert remarks_on(evaluation=command("'{print $1}'")) == []


@pytest.mark.parametrize(
    ("argument", "line"),
    [("<", "--x={x} --n={n} < a"), ("$HOME/wing.msh", ""), ("~/wing.msh", ""), ("2>&1", "")],
)
def test_what_only_a_shell_would_understand_is_said_to_be_given_as_it_stands(
    argument: str, line: str
) -> None:
    told = f"evaluation: {{command: [./wing, '--x={{x}}', '--n={{n}}', '{argument}', a]}}"
    (said,) = remarks_on(evaluation=told)
    sentence = (
        f"the program is given `{argument}` as it stands, for no shell reads a command; to have one read"
    )
    assert sentence in said
    assert f'[sh, -c, "./wing {line}' in said
    meant = "[awk, '$1 < 3', '{x}', '{n}', '$HOME is home', sh, -c, './wing < a | tail']"
    assert remarks_on(evaluation=f"evaluation: {{command: {meant}}}") == []


def test_what_a_shell_reads_is_not_and_what_stands_beside_that_is() -> None:
    for line in ("sh, -c, $RUN", "srun, /bin/bash, -euo, pipefail, -c, ~/wing.sh", "sh, -c, './wing > a'"):
        assert remarks_on(evaluation=f"evaluation: {{command: [{line}, '{{x}}', '{{n}}']}}") == []
    (said,) = remarks_on(evaluation="evaluation: {command: [sh, -c, $RUN, '{x}', '{n}', '>', a]}")
    assert "the shell is given `>` as it stands, beside the line that it reads\n" in said
    (said,) = remarks_on(evaluation="evaluation: {command: [bash, wing.sh, -c, $RUN, '{x}', '{n}']}")
    assert "the program is given `$RUN` as it stands, for no shell reads a command" in said


def test_a_switch_that_may_be_empty_is_said_to_be_an_argument_all_the_same() -> None:
    kinds = "{x: {type: float, bounds: [0, 1]}, fast: {type: choice, values: ['', --fast]}}"
    fast = f"parameters: {kinds}"
    arguments = "'{x}', '{fast}'"
    (said,) = remarks_on(parameters=fast, evaluation=f"evaluation: {{command: [./wing, {arguments}]}}")
    assert "where `fast` is an empty text, the program is given an empty argument" in said
    assert "[sh, -c, 'exec ./wing ... {fast} ...']" in said
    for fine in (f"[sh, run.sh, {arguments}]", "[./wing, '{x}', '--mode={fast}']"):
        assert remarks_on(parameters=fast, evaluation=f"evaluation: {{command: {fine}}}") == []


@pytest.mark.parametrize(
    "how",
    [
        "output: {file: '{SCRATCH}/wing.json'}",
        "input: {file: '{directory}/in.json'}",
        "progress: {file: '{x}.csv'}",
    ],
)
def test_a_files_name_is_not_filled_in_and_who_thinks_so_is_told(how: str) -> None:
    name = how.partition("{")[2].partition("{")[2].partition("}")[0]
    command = "command: [sim, '{x}', '{n}', '{directory}']"
    (said,) = remarks_on(evaluation=f"evaluation: {{{command}, {how}}}")
    assert f"`{{{name}}}` is not filled in here: this is the name of a file in `{{directory}}`" in said
    plain = how.replace(f"{{{name}}}", "of-x")
    assert remarks_on(evaluation=f"evaluation: {{{command}, {plain}}}") == []


@pytest.mark.parametrize(
    ("how", "file"),
    [
        ("input: {file: in.json}", "in.json"),
        ("output: {file: wing.log, pattern: '(.)'}", "wing.log"),
        ("output: {patterns: {drag: {file: a.csv, column: 1}}}", "a.csv"),
        ("progress: {file: now.json}", "now.json"),
        ("output: {fails: {file: wing.err, pattern: Severe}}", "wing.err"),
    ],
)
def test_a_program_that_is_not_told_where_its_files_lie_is_said_to_be_started_elsewhere(
    how: str, file: str
) -> None:
    (said,) = remarks_on(evaluation=f"evaluation: {{command: [sim, '{{x}}', '{{n}}'], {how}}}")
    assert (
        f"`{file}` is a file in the trial's folder, and the program is started elsewhere: name it in an arg"
        in said
    )
    assert f"as `{{directory}}/{file}`, or go there by `[sh, -c, 'cd \"{{directory}}\" && exec ...']`" in said
    for told in ("'{directory}/a'", "'{result_file}'", "'{parameters_file}'"):
        assert remarks_on(evaluation=f"evaluation: {{command: [sim, '{{x}}', '{{n}}', {told}], {how}}}") == []


@pytest.mark.parametrize(("kind", "values"), [("choice", "[0,5, 1,2]"), ("ordered", "[0,5, 6,25]")])
def test_values_that_decimals_with_commas_were_torn_into_are_counted(kind: str, values: str) -> None:
    told = f"parameters: {{x: {{type: {kind}, values: {values}}}, n: {{type: int, bounds: [0, 9]}}}}"
    said = [one.splitlines()[0] for one in remarks_on(parameters=told)]
    words = "`x` has 4 values; if `0,5` is one number, write it with a point: 0.5"
    assert sum(words in one for one in said) == 1
    for fine in ("[0,5,6,9]", "[0, 5, 6, 9]", "[0.5, 1.2]", '["0,5", "1,2"]'):
        other = told.replace(values, fine)
        assert not [one for one in remarks_on(parameters=other) if "one number" in one]
