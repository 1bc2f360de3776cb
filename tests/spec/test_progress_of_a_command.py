r"""What of a command's output is progress, as a spec says it, and what `stop_when` may ask of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.spec.load import load_spec_text

LOSS = r"'loss (?P<loss>\S+)'"
NO_GROUP = "expected a regular expression with a named group for each quantity"
NO_PATTERN = "expected a regular expression, got "
NEITHER = (
    "expected `json` (lines that are JSON objects with a `step`) or {pattern: a regular expression with a"
    " named group for each quantity}, or {file: the name of a file that is written}, alone or with a pattern,"
    " got "
)
NO_QUANTITY = "expected a quantity beside `step`, got `step`; `after` is the first step that counts"


def evaluation(more: str) -> str:
    return f"evaluation: {{command: [./sim, '{{x}}', '{{n}}'], {more}}}"


def remarks_on(line: str) -> list[str]:
    return list(load_spec_text(text_with(evaluation=line), "wing.yaml", Path()).remarks)


@pytest.mark.parametrize(
    ("written", "progress"),
    [
        ("json", "json"),
        (LOSS, {"pattern": r"loss (?P<loss>\S+)"}),
        (f"{{pattern: {LOSS}}}", {"pattern": r"loss (?P<loss>\S+)"}),
        (f"{{file: wing.log, pattern: {LOSS}}}", {"file": "wing.log", "pattern": r"loss (?P<loss>\S+)"}),
        ("{file: history.jsonl}", {"file": "history.jsonl"}),
    ],
)
def test_it_is_an_option_of_the_command(written: str, progress: object) -> None:
    options = spec_with(evaluation=evaluation(f"progress: {written}")).evaluation.options
    assert options == {
        "command": ["./sim", "{x}", "{n}"],
        "output": "json",
        "input": "arguments",
        "progress": progress,
    }


def test_what_is_left_empty_is_not_said() -> None:
    assert spec_with(evaluation=evaluation("progress: ")).evaluation.progress is None


def test_where_it_is_not_said_workers_that_do_not_know_of_it_are_not_told() -> None:
    assert "progress" not in spec_with(evaluation=evaluation("output: json")).evaluation.options


@pytest.mark.parametrize(
    ("written", "said", "at"),
    [
        (
            r"'loss (\S+)'",
            NO_GROUP + r", as in `loss (?P<loss>\S+)`, got `loss (\S+)`",
            r"'loss (\S+)'}",
        ),
        (
            r"{pattern: '(?P<step>\d+)'}",
            NO_GROUP + r" beside `step`, as in `loss (?P<loss>\S+)`, got `(?P<step>\d+)`",
            r"progress: {pattern: '(?P<step>\d+)'}}",
        ),
        (
            "'(?P<loss>'",
            NO_PATTERN + "`(?P<loss>`: missing ), unterminated subpattern at position 0",
            "'(?P<loss>'}",
        ),
        (
            r"'(?<loss>\S+)'",
            NO_PATTERN + r"`(?<loss>\S+)`: unknown extension ?<l at position 1; a named group is"
            " `(?P<name>...)`",
            r"'(?<loss>\S+)'}",
        ),
        (
            "jsno",
            NEITHER + "`jsno`",
            "jsno}",
        ),
        (
            "{patern: '(?P<loss>.)'}",
            NEITHER + "a mapping",
            "progress: {patern: '(?P<loss>.)'}}",
        ),
        (
            "{file: ../wing.log}",
            "expected the name of a file inside the trial's folder, got `../wing.log`",
            "progress: {file: ../wing.log}}",
        ),
        (
            "{file: wing.log, pattern: loss}",
            NO_GROUP + r", as in `loss (?P<loss>\S+)`, got `loss`",
            "progress: {file: wing.log, pattern: loss}}",
        ),
    ],
)
def test_what_it_cannot_be_is_refused_where_it_stands(written: str, said: str, at: str) -> None:
    refusal = refusal_with(evaluation=evaluation(f"progress: {written}"))
    assert sentences(refusal) == [said]
    assert under_caret(refusal) == [at]


@pytest.mark.parametrize(("evaluator", "kind"), [("json:dumps", "a Python function"), ("person", "a person")])
def test_it_belongs_to_a_command(evaluator: str, kind: str) -> None:
    refusal = refusal_with(evaluation=f"evaluation: {{evaluator: '{evaluator}', progress: json}}")
    assert sentences(refusal) == [f"`progress` belongs to a `command`, but `evaluator` is {kind}"]


def test_a_key_that_is_nearly_it_is_recognised() -> None:
    assert "got `progres` (did you mean `progress`?)" in refusal_with(evaluation=evaluation("progres: json"))


@pytest.mark.parametrize(
    ("progress", "quantity", "said"),
    [
        (
            LOSS,
            "los",
            "expected a group of the pattern of `progress` (`loss`), got `los` (did you mean `loss`?)",
        ),
        (
            r"'(?P<step>\d+) (?P<loss>\S+) (?P<gain>\S+)'",
            "step",
            NO_QUANTITY,
        ),
        (
            r"'(?P<loss>\S+) (?P<gain>\S+)'",
            "temperature",
            "expected a group of the pattern of `progress` (`loss` or `gain`), got `temperature`",
        ),
        ("json", "step", NO_QUANTITY),
    ],
)
def test_stopping_on_what_is_never_reported_is_refused_at_the_name(
    progress: str, quantity: str, said: str
) -> None:
    rule = f"stop_when: {{quantity: {quantity}, above: 2}}, progress: {progress}"
    refusal = refusal_with(evaluation=evaluation(rule))
    assert sentences(refusal) == [said]
    (shown,) = under_caret(refusal)
    assert shown.startswith(f"{quantity}, above: 2}}")


@pytest.mark.parametrize("progress", [LOSS, "json"])
def test_stopping_on_what_may_be_reported_is_taken_in_silence(progress: str) -> None:
    assert remarks_on(evaluation(f"stop_when: {{quantity: loss, above: 2}}, progress: {progress}")) == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            evaluation("stop_when: {quantity: loss, above: 2}"),
            "a `command` reports nothing without `progress`, such as `progress: json`",
        ),
        (
            "evaluation: {evaluator: person, stop_when: {quantity: loss, above: 2}}",
            "of what a person does nothing is reported on the way",
        ),
    ],
)
def test_stopping_where_nothing_is_reported_is_said_to_have_no_effect(line: str, why: str) -> None:
    (said,) = remarks_on(line)
    assert f": `stop_when` has no effect: {why}\n" in said
    assert under_caret(said)[0].startswith("stop_when: {")
