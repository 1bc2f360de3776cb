"""What a person is told whose spec says wrongly how points are evaluated."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, under_caret


@pytest.mark.parametrize(
    ("evaluation", "said", "at"),
    [
        (
            "{}",
            "expected `evaluator: module:function` or `command: [program, ...]`, got neither",
            "evaluation: {}",
        ),
        (
            "{evaluator: dumps}",
            "expected `module:function`, as in `evaluators.learning:network`, or `person`, got `dumps`",
            "dumps}",
        ),
        (
            "{evaluator: json.decoder.scanstring}",
            "expected `module:function`, as in `evaluators.learning:network`, or `person`, got"
            " `json.decoder.scanstring` (did you mean `json.decoder:scanstring`?)",
            "json.decoder.scanstring}",
        ),
        (
            "{evaluator: './wing/mesh.py:drag'}",
            "expected `module:function`, as in `evaluators.learning:network`, or `person`, got"
            " `./wing/mesh.py:drag` (did you mean `wing.mesh:drag`?)",
            "'./wing/mesh.py:drag'}",
        ),
        (
            "{evaluator: wing.py}",
            "expected `module:function`, as in `evaluators.learning:network`, or `person`, got `wing.py` (did"
            " you mean `wing:function`?)",
            "wing.py}",
        ),
        (
            "{evaluator: 'json:dumpss'}",
            "expected a function of `json`, got `dumpss`, which is not there (did you mean `dumps`?)",
            "'json:dumpss'}",
        ),
        (
            "{evaluator: 'json.decodr:dumps'}",
            "expected a module that can be imported, got `json.decodr`: there is no"
            " `decodr` in `json` (did you mean `decoder`?)",
            "'json.decodr:dumps'}",
        ),
        (
            "{evaluator: 'nowhere_at_all:f'}",
            "expected a module that can be imported, got `nowhere_at_all`: there is no"
            " `nowhere_at_all`, neither installed nor in ",
            "'nowhere_at_all:f'}",
        ),
        (
            "{evaluator: 'evaluators.command:run'}",
            "expected `command: [program, ...]` in the place of `evaluators.command:run`, which runs",
            "'evaluators.command:run'}",
        ),
        (
            "{evaluator: 'evaluators.command:run', options: {command: 3}}",
            "expected `command: [program, ...]` in the place of `evaluators.command:run`, which runs",
            "'evaluators.command:run', options: {command: 3}}",
        ),
        (
            "{evaluator: 'json:dumps', command: [a, '{x}', '{n}']}",
            "expected either `evaluator` or `command`, got both; leave one out",
            "'json:dumps', command: [a, '{x}', '{n}']}",
        ),
        (
            "{evaluator: 'json:dumps', output: result.json}",
            "`output` belongs to a `command`, but `evaluator` is a Python function",
            "'json:dumps', output: result.json}",
        ),
        (
            "{command: ./simulate --speed 3}",
            'expected a list of arguments, as in `[./simulate, --speed, "{speed}"]`,'
            " got text; nothing is run through a shell",
            "./simulate --speed 3}",
        ),
        (
            "{command: [sim, {x}]}",
            'expected arguments that are text, got a mapping; in YAML, `"{x}"` needs its quotation marks',
            "[sim, {x}]}",
        ),
        (
            "{command: [sim, '{x}']}",
            "expected `{n}` among the arguments, but none names `n`; add what is missing, or"
            " say `input: {file: input.json}`",
            "[sim, '{x}']}",
        ),
        (
            "{command: [sim, '{x}', '{n:.3f}']}",
            "expected `{n}` among the arguments, but none names `n`: `{n:.3f}` is left as it is, for values"
            " come with every digit they have",
            "[sim, '{x}', '{n:.3f}']}",
        ),
        (
            "{command: [sim, '{x}', '{n}', '{nn}']}",
            "expected `{...}` about a parameter, got `{nn}`",
            "'{nn}']}",
        ),
        (
            "{command: [sim, '{{y}}', '{parameters_file}'], options: {a: 1}}",
            "expected no options beside a `command`, got `a`",
            "options: {a: 1}}",
        ),
        (
            "{command: [sim], input: {file: /etc/passwd}}",
            "expected the name of a file inside the trial's folder, got `/etc/passwd`",
            "input: {file: /etc/passwd}}",
        ),
        (
            "{command: [sim, '{x}', '{n}'], output: {pattern: 'a[b'}}",
            "expected a regular expression, got `a[b`: unterminated character set",
            "output: {pattern: 'a[b'}}",
        ),
        (
            "{command: [sim, '{x}', '{n}'], output: {pattern: ab}}",
            "expected a regular expression with a group (...) about the value, got `ab`",
            "output: {pattern: ab}}",
        ),
        (
            "{command: [sim], input: in.json, output: {file: ./in.json, pattern: '(y)'}}",
            "expected another file than `in.json`, from which the program reads the parameters, got",
            "{file: ./in.json, pattern: '(y)'}}",
        ),
        (
            "{command: [sim], input: in.json, output: {fails: {file: in.json, pattern: Severe}}}",
            "expected another file than `in.json`, from which the program reads the parameters, got",
            "{fails: {file: in.json, pattern: Severe}}}",
        ),
        (
            "{command: [sim, '{parameters_file}'], progress: {file: parameters.json}}",
            "expected another file than `parameters.json`, from which the program reads the parameters",
            "{file: parameters.json}}",
        ),
        (
            "{command: [sim, '{result_file}'], input: result.json}",
            "expected another file than `result.json`, from which the program reads the parameters",
            "result.json}",
        ),
        ("{command: [sim, '{x}', '{n}'], output: xml}", "expected `json` (stdout ends with a number", "xml}"),
    ],
)
def test_a_wrong_evaluation(evaluation: str, said: str, at: str) -> None:
    refusal = refusal_with(evaluation=f"evaluation: {evaluation}")
    assert [s[: len(said)] for s in sentences(refusal)] == [said]
    assert under_caret(refusal) == [at]


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("jsno", "got `jsno` (did you mean `json`?)"),
        ("{keys: drag}", "got {`keys`} (did you mean `key`?)"),
        ("{netcdf: wing.nc}", "{key: one of JSON, XML or arrays}"),
    ],
)
def test_of_a_wrong_output_it_is_said_what_may_be_meant(output: str, said: str) -> None:
    refusal = refusal_with(evaluation=f"evaluation: {{command: [sim, '{{x}}', '{{n}}'], output: {output}}}")
    [sentence] = sentences(refusal)
    assert said in sentence
