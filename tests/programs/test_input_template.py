"""Which braces of an input file are placeholders, and that everything else of it stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from orchestrator.programs.fixed_width import NoRoomForValue
from orchestrator.programs.input_template import TemplateError, read_template

VALUES = {"x": 0.1, "span": 1e-300, "n": 2**60, "mode": "fast {n}", "step-size": 2.0, "seed": 7}


def made_of(path: Path, values: Mapping[str, object]) -> bytes:
    return b"".join(read_template(str(path)).filled(values))


@pytest.mark.parametrize(
    ("written", "filled"),
    [
        ("{x}", "0.1"),
        ("{span} {n} {mode}", "1e-300 1152921504606846976 fast {n}"),
        ("{step-size};{seed}", "2.0;7"),
        ("{{x}, {n}}", "{0.1, 1152921504606846976}"),
        ("{{x}}", "{0.1}"),
        ('{"a":{"b":{x}}}', '{"a":{"b":0.1}}'),
        ("int f() { return {n}; }", "int f() { return 1152921504606846976; }"),
        (r"\begin{figure}\frac{1}{ x }{x}", r"\begin{figure}\frac{1}{ x }0.1"),
        ("${x} $((1)) ${x:-1} {x}", "${x} $((1)) ${x:-1} 0.1"),
        ("{x", "{x"),
        ("{\nx}", "{\nx}"),
        ("{} {0} {1,2} {a b} {x;}", "{} {0} {1,2} {a b} {x;}"),
    ],
)
def test_exactly_a_known_name_in_braces_is_a_placeholder(tmp_path: Path, written: str, filled: str) -> None:
    path = tmp_path / "template"
    path.write_text(written)
    assert made_of(path, VALUES).decode() == filled


@pytest.mark.parametrize(
    ("braces", "value", "written"),
    [
        ("{x:8}", 0.25, "    0.25"),
        ("{x:<8}", 0.25, "0.25    "),
        ("{x:08}", -0.25, "-0000.25"),
        ("{x:8}", 123456.789, "123456.8"),
        ("{x:8}", -0.123456789, "-0.12346"),
        ("{x:8}", 12345678.9, "1.2346e7"),
        ("{x:8}", 1.23456789e-5, "1.235e-5"),
        ("{x:10}", 1e-5, "     1.e-5"),
        ("{x:5}", 3.0, "  3.0"),
        ("{x:2}", 3.0, "3."),
        ("{x:20}", 0.1 + 0.2, " 0.30000000000000004"),
        ("{x:3}{x:02}", 7, "  707"),
        ("{x:6}|", "fast", "fast  |"),
        ("{x:06}|", "fast", "fast  |"),
        ("{x:6}|", True, "true  |"),
        ("{x: 3} {y:3} {x:3:4}", 7, "{x: 3} {y:3} {x:3:4}"),
    ],
)
def test_a_width_behind_a_name_fills_columns(
    tmp_path: Path, braces: str, value: object, written: str
) -> None:
    path = tmp_path / "template"
    path.write_text(braces)
    template = read_template(str(path))
    template.check(("x",))
    assert template.names(("x",)) == (set() if written == braces else {"x"})
    assert made_of(path, {"x": value}).decode() == written


@pytest.mark.parametrize(("braces", "value"), [("{x:3}", 1234), ("{x:3}", 1e-5), ("{x:3}", "fast")])
def test_what_has_no_room_in_its_columns_is_refused(tmp_path: Path, braces: str, value: object) -> None:
    path = tmp_path / "template"
    path.write_text(braces)
    with pytest.raises(NoRoomForValue, match=r"has no room in the 3 characters of `\{x:3\}`"):
        made_of(path, {"x": value})


def test_bytes_that_are_no_text_and_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "template"
    path.write_bytes(b"\xef\xbb\xbfa\r\n{x}\r\xff\xfe{mode}\n\nno end")
    made = made_of(path, {"x": 1, "mode": "Ü"})
    assert made == b"\xef\xbb\xbfa\r\n1\r\xff\xfe\xc3\x9c\n\nno end"


def test_a_large_one_is_made_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "template"
    mesh = "GRID 0,1 é\n" * 120_000
    path.write_bytes(f"{mesh}{{x}}{mesh}".encode() + b"\xff")
    pieces = list(read_template(str(path)).filled({"x": 0.5}))
    assert b"".join(pieces) == f"{mesh}0.5{mesh}".encode() + b"\xff"
    assert max(map(len, pieces)) < len(mesh)


@pytest.mark.parametrize(
    ("written", "line", "braces", "meant"),
    [
        ("{span}\n{spn}", 2, "spn", "{span}"),
        ("{x}\r\n\r\n{Span}", 3, "Span", "{span}"),
        ("{X}", 1, "X", "{x}"),
        ("{spna}", 1, "spna", "{span}"),
        ("{step_size}", 1, "step_size", "{step-size}"),
        ("{x} {sed}", 1, "sed", "{seed}"),
        ("{spna:8}", 1, "spna:8", "{span:8}"),
        ("{span:8} {Span:<8}", 1, "Span:<8", "{span:<8}"),
    ],
)
def test_what_is_nearly_a_name_is_refused_with_its_line(
    tmp_path: Path, written: str, line: int, braces: str, meant: str
) -> None:
    path = tmp_path / "template"
    path.write_bytes(written.encode())
    with pytest.raises(TemplateError) as refused:
        read_template(str(path)).check(tuple(VALUES))
    said = str(refused.value)
    assert said.startswith(
        f"line {line} of the template `{path}` has {{{braces}}}, which names no parameter;"
    )
    assert f"did you mean {meant}? " in said


@pytest.mark.parametrize(
    "format", ["", "0", "-1", "+8", "100", "10000", ">8", "^8", "8.3", "08.3f", "F8.3", "%8.3f", ".3f", "e"]
)
def test_a_format_behind_a_name_that_is_no_width_is_refused_with_what_a_width_is(
    tmp_path: Path, format: str
) -> None:
    path = tmp_path / "template"
    path.write_text(f"{{span:8}}{{span:{format}}}")
    with pytest.raises(TemplateError) as refused:
        read_template(str(path)).check(tuple(VALUES))
    assert f"has {{span:{format}}}, which names no parameter; did you mean {{span}}, or" in str(refused.value)
    assert "or {span:10} for ten columns, of up to 99?" in str(refused.value)


@pytest.mark.parametrize(
    "own", ["{ span }", "${spn}", "{document}", "{span;}", "{x: 3}", "{x:mm}", "{a span of time}"]
)
def test_what_only_a_language_of_braces_would_write_is_left_alone(tmp_path: Path, own: str) -> None:
    path = tmp_path / "template"
    path.write_text("{x} " + own)
    template = read_template(str(path))
    template.check(tuple(VALUES))
    assert made_of(path, {"x": 1, "span": 2}).decode() == "1 " + own


def test_a_path_that_is_none_is_refused_in_a_sentence() -> None:
    with pytest.raises(TemplateError, match="expected the path of a template"):
        read_template("a\0b")
    with pytest.raises(TemplateError, match="got something else"):
        read_template("/dev/null")
