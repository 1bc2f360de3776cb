"""What a person is told who wrote something wrong."""

from __future__ import annotations

import pytest
from spec_texts import refusal_of, refusal_with, sentences, text_with, under_caret


def test_an_error_shows_its_place_the_line_and_a_caret() -> None:
    assert refusal_with(objective="objective: {name: drag, goal: minimse}") == (
        "wing.yaml:2:31: expected `maximise` or `minimise`, got `minimse` (did you mean `minimise`?)\n"
        "  objective: {name: drag, goal: minimse}\n"
        "                                ^"
    )


def test_every_error_is_said_at_once_in_the_order_of_the_text() -> None:
    refusal = refusal_with(
        experiment="experiment: ../../etc",
        budget="budget: {trials: 0, tme: 2 h}",
        factors="factors: [[x, m]]",
        evaluation="evaluation: {evaluator: 'json:dumpz', timeout: soon, attempts: 2.5}",
        algorithm="algorithm: {name: randm}",
        seed="seed: true",
    )
    assert under_caret(refusal) == [
        "../../etc",
        "randm}",
        "0, tme: 2 h}",
        "tme: 2 h}",
        "soon, attempts: 2.5}",
        "2.5}",
        "factors: [[x, m]]",
        "m]]",
        "true",
    ]
    lines = [int(head.split(":")[1]) for head in refusal.split("\n") if head.startswith("wing.yaml:")]
    assert lines == [1, 4, 5, 5, 6, 6, 7, 7, 8]


@pytest.mark.parametrize(
    ("line", "said", "at"),
    [
        (
            "budget: {trails: 8}",
            "expected one of the keys `trials`, `cost`, `time`, `target`, `patience` or `expected_gain`, got"
            " `trails` (did you mean `trials`?)",
            "trails: 8}",
        ),
        (
            "budget: {}",
            "expected at least one of `trials`, `cost`, `time`, `target`, `patience` and `expected_gain`,"
            " got none",
            "budget: {}",
        ),
        ("budget: {target: .nan}", "expected a finite number, got nan", ".nan}"),
        (
            "budget: {trials: '8'}",
            "expected a whole number, got `8`; it is text: leave out its quotes",
            "'8'}",
        ),
        (
            "budget: {trials: 1e3}",
            "expected a whole number, written without a point or an exponent: 1000",
            "1e3}",
        ),
        ("budget: 1,000", "expected a whole number, got `1,000`", "1,000"),
        ("budget: 30 trials", "expected a whole number, got `30 trials`", "30 trials"),
        ("budget: 30 minuts", "expected a duration above 0, such as `60 s`, `5 min`, `2 h`", "30 minuts"),
        ("budget: {trials: 1e30}", "expected a whole number, got 1e+30", "1e30}"),
        (
            "budget: {time: 60 sek}",
            "expected a duration above 0, such as `60 s`, `5 min`, `2 h` or `1 d`, got `60 sek`",
            "60 sek}",
        ),
        ("budget: [8]", "expected a mapping", "[8]"),
        (
            "objective: drag",
            "expected a mapping, as `objective: {name: drag, goal: minimise}`, got `drag`",
            "drag",
        ),
        (
            "evaluation: wing:drag",
            'expected a mapping, as `evaluation: {evaluator: "wing:drag"}`, got `wing:drag`',
            "wing:drag",
        ),
        (
            "mode: async",
            "expected `asynchronous`, `synchronous` or `sequential`, got `async` (did you mean"
            " `asynchronous`?)",
            "async",
        ),
        (
            "mode: {sync: 4}",
            "expected `asynchronous`, `synchronous` or `sequential`, got `sync` (did you mean"
            " `synchronous`?)",
            "sync: 4}",
        ),
        ("mode: {synchronous: 25}", "expected batches no larger than the budget of 24 trials, got 25", "25}"),
        (
            "mode: synchronous",
            "expected the size of a batch, as in `mode: {synchronous: 4}`, got none",
            "mode: synchronous",
        ),
        (
            "objective: {name: x, goal: minimise}",
            "expected a name that no parameter has, got `x`: if that is meant, have evaluations return it by",
            "x, goal: minimise}",
        ),
        (
            "objective: {name: drag, goal: minimise, noise: -1}",
            "expected `unknown`, `reported` or a standard deviation of at least 0, got -1",
            "-1}",
        ),
        (
            "objective: {goal: maximise, name: 3}",
            "expected text, got 3; in quotation marks it is text",
            "3}",
        ),
        (
            "objective: {name: drag}",
            "expected the key `goal` in `objective`, but it is missing",
            "objective: {name: drag}",
        ),
        ("workers: {local: -1}", "expected a number of at least 0, got -1", "-1}"),
        ("listen: 5555", "expected text, got 5555; in quotation marks it is text", "5555"),
        (
            "listen: http://here:1",
            "expected an address such as `tcp://127.0.0.1:5555` (or port *), got `http://here:1`",
            "http://here:1",
        ),
        (
            "algorithm: {name: random, options: {nodes: 4}}",
            "expected no keys here, got `nodes`",
            "nodes: 4}}",
        ),
        ("algorithm: {name: randm}", "expected an algorithm (`", "randm}"),
        ("initial: {count: 0}", "expected a number of at least 1, got 0", "0}"),
        ("seed: -1", "expected a number of at least 0, got -1", "-1"),
        ("colour: red", "expected one of the keys `experiment`", "colour: red"),
    ],
)
def test_a_wrong_line(line: str, said: str, at: str) -> None:
    refusal = refusal_with(**{line.split(":")[0]: line})
    assert [s[: len(said)] for s in sentences(refusal)] == [said]
    assert under_caret(refusal) == [at]


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("approval: true", "`approval`, which is a key of `evaluation`: write it there"),
        ("local: 2", "`local`, which is a key of `workers`: write it there"),
        ("patience: 9", "`patience`, which is a key of `budget`: write it there"),
        ("quantity: loss", "`quantity`, which is a key of `evaluation.stop_when`: write it there"),
        ("budget: {trials: 8, attempts: 2}", "`attempts`, which is a key of `evaluation`: write it there"),
        ("workers: {seed: 3}", "`seed`, which stands at the top of a spec, in no section: write it there"),
        ("color: red", "`color`"),
    ],
)
def test_a_key_that_another_section_takes_is_said_to_belong_there(line: str, where: str) -> None:
    refusal = refusal_with(**{line.split(":")[0]: line})
    assert [sentence.partition("got ")[2] for sentence in sentences(refusal)] == [where]


def test_noise_of_a_further_objective_is_not_sent_to_a_section_that_cannot_stand_beside_it() -> None:
    (told,) = sentences(
        refusal_with(
            objective="objectives: [{name: y, goal: minimise, noise: 0}, {name: z, goal: minimise, noise: 0}]"
        )
    )
    assert told.partition("got `noise`, ")[2].startswith("which is said of the first objective alone")


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ("{typ: float, bounds: [0, 1]}", ["but `type` is missing (is it `typ`?)"]),
        ("{bounds: [0, 1]}", ["but `type` is missing"]),
        ("{type: float, bounds: [1, 2], log: true}", ["got `log` (did you mean `scale`?)"]),
        ("{type: float, low: 0, high: 1}", ["got `low` and `high` (did you mean `bounds`?)"]),
        ("{type: float, low: 0, bounds: [0, 1]}", ["got `low` (did you mean `bounds`?)"]),
        ("{type: float, bounds: 0, 1}", ["[low, high], got 0; is it `bounds: [0, 1]`?"]),
        ("{type: float, bounds: 0, 1, scale: log}", ["[low, high], got 0; is it `bounds: [0, 1]`?"]),
        ("{type: choice, values: a, b, c}", ["is it `values: [a, b, c]`?"]),
        ("{type: float, bounds: 0, 1, fine: 2}", ["is it `bounds: [0, 1]`?", "got `fine`"]),
        ("{type: float, bounds: 0,1}", ["[low, high], got 0; is it `bounds: [0, 1]`?"]),
    ],
)
def test_what_was_meant_of_a_parameter_is_said_in_the_words_of_others(
    parameter: str, said: list[str]
) -> None:
    sentences_ = sentences(refusal_with(parameters=f"parameters: {{x: {parameter}}}"))
    assert len(sentences_) == len(said)
    assert all(part in sentence for part, sentence in zip(said, sentences_, strict=True))


@pytest.mark.parametrize("section", ["results", "points"])
def test_one_result_or_point_that_is_in_no_list_is_shown_in_one(section: str) -> None:
    (said,) = sentences(refusal_with(initial=f"initial: {{{section}: {{x: 0.2, value: 3}}}}"))
    assert said == f"expected a list, got a mapping; one alone is a list as well: `{section}: [{{x: ...}}]`"


def test_an_address_that_others_can_reach_is_refused_unless_the_spec_says_so() -> None:
    (said,) = sentences(refusal_with(listen="listen: tcp://0.0.0.0:5555"))
    assert said.startswith(
        "expected a loopback address such as `tcp://127.0.0.1:5555`, got `tcp://0.0.0.0:5555`"
    )
    assert said.endswith("say `workers: {insecure: true}`")


def test_what_is_missing_at_the_top_is_said_at_the_top() -> None:
    refusal = refusal_of("experiment: wing")
    assert sentences(refusal) == [
        f"expected the key `{key}`, but it is missing"
        for key in ("objective", "parameters", "budget", "evaluation")
    ]
    assert "wing.yaml:1:1: " in refusal


def test_the_caret_stands_under_the_column_after_tabs_and_wide_characters() -> None:
    refusal = refusal_with(objective="objective: {name: '抵抗\t', goal: minimse}")
    _, line, caret = refusal.split("\n")
    assert line == "  objective: {name: '抵抗\t', goal: minimse}"
    # Two columns a wide character, and the tab kept a tab, so that both lines move alike.
    before = "  objective: {name: '" + "...." + "\t" + "', goal: "
    assert caret == "".join("\t" if c == "\t" else " " for c in before) + "^"


def test_of_a_very_long_line_the_part_about_the_caret_is_shown() -> None:
    refusal = refusal_with(budget="budget: {trials: 8," + " " * 5000 + "tme: 3}")
    _, line, _ = refusal.split("\n")
    assert len(line) < 120
    assert under_caret(refusal) == ["tme: 3}"]


def test_thirty_errors_are_shown_and_the_rest_counted() -> None:
    refusal = refusal_of(text_with() + "".join(f"\nkey_{i}: 1" for i in range(40)))
    assert len(sentences(refusal)) == 30
    assert refusal.endswith("and 10 more errors")


def test_what_is_wrong_with_a_value_that_stands_in_several_places_is_said_once() -> None:
    refusal = refusal_with(parameters="parameters: {x: &same {type: float, bounds: [0, one]}, n: *same}")
    assert sentences(refusal) == ["expected two finite numbers, [low, high], got [0, one]"]


@pytest.mark.parametrize("written", ["budget: {trials: %s}", "budget: {trials: 9, patience: %s}"])
def test_a_count_of_more_digits_than_programs_hold_is_refused(written: str) -> None:
    refusal = refusal_with(budget=written % 10**18)
    assert f"of at most {10**18 - 1}, got {10**18}" in refusal


def test_a_start_design_of_more_points_than_programs_count_is_refused_in_short() -> None:
    huge = f"1{'0' * 350}"
    refusal = refusal_with(initial=f"initial: {{count: {huge}}}")
    assert "initial" in refusal
    assert huge not in refusal
