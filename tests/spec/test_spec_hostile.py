"""Files that are no specs: each ends in a sentence, soon, and nothing in them is run."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest
from spec_texts import refusal_of, refusal_with, sentences, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.load import load_spec


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a spec, got an empty document"),
        ("# nothing but a comment", "expected a spec, got an empty document"),
        ("just text", "expected a mapping that begins with `experiment: a name`"),
        ("- a\n- list", "expected a mapping that begins with `experiment: a name`"),
        ("a: 1\n---\nb: 2", "expected one YAML document, got the start of another"),
        ("a: &a [*a]", "expected an anchor that does not contain itself, got a loop of aliases"),
        ("a: *b", "expected YAML, got an error: found undefined alias 'b'"),
        (
            "a: !!python/object/apply:os.system ['true']",
            "expected a plain value, got the tag `!!python/object/apply:os.system`; tags are not read",
        ),
        (
            "a:\n\tb: 1",
            "expected YAML, got an error while scanning for the next token: found character '\\t' that"
            " cannot start any token; YAML is indented with spaces, not tabs",
        ),
        (
            "a: 'b",
            "expected YAML, got an error while scanning a quoted scalar: found unexpected end of stream",
        ),
        (
            "a:\n  b: {c: 1}\n   d: 2",
            "expected YAML, got an error while parsing a block mapping that begins on line 2: expected"
            " <block end>, but found '<block mapping start>'; keys of one mapping need one indentation, and"
            " quotation marks come in pairs",
        ),
        (
            "a: {b: 1\nc:\n  d: 2",
            "expected YAML, got an error while parsing a flow mapping that begins on line 1: expected ',' or"
            " '}', but got ':'",
        ),
        (
            "a: {key: @drag}",
            "expected YAML, got an error while scanning for the next token: found character '@' that cannot"
            " start any token; a text that begins so needs quotation marks",
        ),
        (
            "a: {key: *.drag}",
            "expected YAML, got an error while scanning an alias: expected alphabetic or numeric character,"
            " but found '.'; a text that begins so needs quotation marks",
        ),
        (
            "a: {key: trip[@id='b']/@drag}",
            "expected YAML, got an error while parsing a flow mapping: expected ',' or '}', but got '[';"
            " a text with brackets or braces in it needs quotation marks",
        ),
        (
            "a: ['b != 'c' or d']",
            "expected YAML, got an error while parsing a flow sequence: expected ',' or ']', but got"
            " '<scalar>'; a text with quotation marks in it, of which one would end it, needs the other kind"
            " around it",
        ),
        (
            'a:\n  - "c" == b or d',
            "expected YAML, got an error while parsing a block collection: expected <block end>, but found"
            " '<scalar>'; a text with quotation marks in it, of which one would end it, needs the other kind"
            " around it",
        ),
        ("a: \x1b[2J", "expected text, got the control character U+001B"),
        ("[" * 100_000, "expected at most 40 levels of nesting, got more"),
        ("a: [" + "1," * 25_000 + "]", "expected at most 20000 values in a spec, got more"),
        (text_with(budget="budget: " + "9" * 5_000), "expected a whole number, got inf"),
    ],
    ids=lambda value: value[:20].encode("unicode_escape").decode(),
)
def test_a_text_that_is_no_spec(text: str, said: str) -> None:
    assert sentences(refusal_of(text)) == [said]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("experiment: again", "expected each key once, got `experiment` again (first on line 1)"),
        ("[1, 2]: 3", "expected a name before the colon, got a list or mapping"),
    ],
)
def test_what_leaves_a_tree_is_said_with_all_else_that_is_wrong(line: str, said: str) -> None:
    refusal = sentences(refusal_with(budget="budget: {trails: 8}", more=line))
    assert said in refusal
    assert any("did you mean `trials`?" in one for one in refusal)


def test_a_bomb_of_aliases_goes_off_in_a_sentence() -> None:
    levels = ["a0: &a0 [boom, boom, boom, boom, boom, boom, boom, boom, boom]"]
    levels += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    assert sentences(refusal_of("\n".join(levels))) == [
        "expected at most 20000 values once aliases are followed, got more"
    ]


@pytest.mark.parametrize(
    ("key", "line", "said"),
    [
        (
            "parameters",
            "parameters: {x: {type: float, bounds: [0, NUMBER]}, n: 3}",
            "expected two finite numbers",
        ),
        (
            "parameters",
            "parameters: {x: {type: choice, values: [0, NUMBER]}, n: 3}",
            "expected text, a finite",
        ),
        (
            "parameters",
            "parameters: {x: {type: float, bounds: [0, 1]}, n: NUMBER}",
            "expected text, a finite",
        ),
        ("budget", "budget: {time: NUMBER}", "expected a duration above 0"),
        (
            "objective",
            "objective: {name: drag, goal: minimise, noise: NUMBER}",
            "expected `unknown`, `reported`",
        ),
        ("initial", "initial: {points: [{x: NUMBER, n: 3}]}", "expected text, a finite number"),
        ("initial", "initial: {results: [{x: 0, n: 3, value: NUMBER}]}", "expected a number"),
    ],
)
def test_a_whole_number_that_no_float_can_hold_is_no_number(key: str, line: str, said: str) -> None:
    for written in ("1" + 320 * "0", "0x1" + 300 * "0"):
        refusal = refusal_with(**{key: line.replace("NUMBER", written)})
        assert sentences(refusal)[0].startswith(said)
        assert "a whole number of 3" in refusal


@pytest.mark.parametrize("text", ['a: "\\ud83d\\ude00"', '{"\\ud83d": 1}', 'a: [b, {c: "-\\ud83d-"}]'])
def test_half_a_character_is_refused_where_it_stands(text: str) -> None:
    refusal = refusal_of(text)
    came = "got `\\ud83d`, which is half of one; write the character itself"
    assert sentences(refusal) == [f"expected text of whole characters, {came}"]
    assert under_caret(refusal)[0].startswith('"')


def test_what_a_terminal_would_obey_is_not_printed() -> None:
    refusal = refusal_with(experiment='experiment: "\\e]0;mine\\a"')
    assert "\x1b" not in refusal
    assert "\x07" not in refusal


def test_the_place_of_a_control_character() -> None:
    assert under_caret(refusal_of("a: 1\nbc: \x00d")) == ["\ufffdd"]


@pytest.mark.parametrize("line", ["budget, 30", "budget:30"])
def test_a_key_without_a_colon_and_a_space_is_shown_and_not_the_line_below(line: str) -> None:
    refusal = refusal_of(f"experiment: wing\n{line}\nseed: 0\n")
    assert under_caret(refusal) == [line]
    assert sentences(refusal) == ["expected a key, a colon and a space, as in `budget: 30`, got text alone"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"none\.yaml: expected a file, got nothing there"):
        load_spec(tmp_path / "none.yaml")
    with pytest.raises(SpecError, match="got a folder"):
        load_spec(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(text_with())
    (tmp_path / "spec.yaml").chmod(0)
    with pytest.raises(SpecError, match="Permission denied"):
        load_spec(tmp_path / "spec.yaml")


def test_a_file_over_a_megabyte(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_bytes(b"# " + b"x" * 1_000_000)
    with pytest.raises(SpecError, match="expected at most 1,000,000 bytes"):
        load_spec(tmp_path / "spec.yaml")


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_bytes(b"experiment: wing\n# r\xe9sum\xe9\n")
    with pytest.raises(SpecError, match="got the byte 0xe9 on line 2; save it as UTF-8"):
        load_spec(tmp_path / "spec.yaml")
    (tmp_path / "spec.yaml").write_text(text_with(), encoding="utf-16")
    with pytest.raises(SpecError, match="expected UTF-8"):
        load_spec(tmp_path / "spec.yaml")


def test_a_byte_order_mark_and_windows_line_ends_are_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_bytes(b"\xef\xbb\xbf" + text_with().replace("\n", "\r\n").encode())
    assert load_spec(tmp_path / "spec.yaml").spec.experiment == "wing"


@pytest.mark.parametrize("name", ["../secret.csv", "inner/../../secret.csv", "{outside}", "link.csv"])
def test_a_path_that_escapes_is_not_read(tmp_path: Path, name: str) -> None:
    folder, secret = tmp_path / "lab", tmp_path / "secret.csv"
    (folder / "inner").mkdir(parents=True)
    secret.write_text("pass,word\n1,2\n")
    (folder / "link.csv").symlink_to(secret)
    name = name.format(outside=secret)
    refusal = refusal_with(folder, initial=f"initial: {{results: {name}}}")
    assert sentences(refusal) == [
        f"expected a CSV file in the folder of the spec, got {name}, which lies elsewhere: put it beside the"
        " spec"
    ]
    assert "pass,word" not in refusal


def test_a_name_that_no_file_can_have_is_refused_where_it_stands() -> None:
    refusal = refusal_with(initial='initial: {results: "known\\0.csv"}')
    assert sentences(refusal) == ["expected the name of a CSV file, got one with a null character"]
    assert under_caret(refusal) == ['"known\\0.csv"}']


@pytest.mark.parametrize("pattern", ["(a{99999999999})", "(" * 5_000 + ")" * 5_000])
@pytest.mark.parametrize("key", ["output", "progress"])
def test_a_pattern_that_is_too_much_to_compile_is_none(key: str, pattern: str) -> None:
    command = f"command: [./wing, '{{x}}', '{{n}}'], {key}: '{pattern}'"
    (sentence,) = sentences(refusal_with(evaluation=f"evaluation: {{{command}}}"))
    assert sentence.startswith("expected a regular expression, got")


@pytest.mark.parametrize("name", ["spec.yaml", "known.csv"])
def test_a_file_of_a_hundred_megabytes_costs_next_to_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "spec.yaml").write_text(text_with(initial="initial: {results: known.csv}"))
    with (tmp_path / name).open("ab") as file:
        file.truncate(100_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(SpecError, match=r"expected at most (20|1),000,000 bytes"):
            load_spec(tmp_path / "spec.yaml")
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_nothing_in_a_table_is_run(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    cells = [f"__import__('os').system('touch {proof}')", f"=cmd|'touch {proof}'!A1", f"$(touch {proof})"]
    for cell in cells:
        (tmp_path / "known.csv").write_text(f'x,n,drag\n"{cell}",1,1\n')
        assert "expected a number" in refusal_with(tmp_path, initial="initial: {results: known.csv}")
    assert not proof.exists()
