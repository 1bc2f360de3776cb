"""What a pattern finds in what a program prints, or writes to a text file."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from commands_run import of_python, run_program

from evaluators.child_process.outcome import Outcome, read_outcome
from evaluators.errors import EvaluationError
from evaluators.programs import bounded_search, program_result


def test_a_pattern_finds_its_last_match(tmp_path: Path) -> None:
    program = of_python("print('drag = 3.5'); print('drag = 1.25e-1 N')")
    assert run_program(tmp_path, *program, output={"pattern": r"drag = (\S+)"}) == 0.125


def test_what_is_not_on_standard_output_is_found_on_standard_error(tmp_path: Path) -> None:
    """Encoders, compilers, `time` and `perf` tell there what they measured."""
    encoder = "print('kb/s:645.94\\nSSIM 0.98', file=__import__('sys').stderr)"
    assert run_program(tmp_path, *of_python(encoder), output={"pattern": r"kb/s:(\S+)"}) == 645.94
    both = of_python(f"{encoder}; print('kb/s:3')")
    assert run_program(tmp_path, *both, output={"pattern": r"kb/s:(\S+)"}) == 3.0
    with pytest.raises(EvaluationError, match=r"to print what matches `psnr.*; its last line is 'SSIM 0.98'"):
        run_program(tmp_path, *of_python(encoder), output={"pattern": r"psnr (\S+)"})


def test_a_pattern_may_be_looked_for_in_a_text_file_that_the_program_writes(tmp_path: Path) -> None:
    program = of_python("import sys; open(sys.argv[1], 'w').write('drag = 0.5\\n' * 3000 + 'well done\\n')")
    output = {"file": "wing.log", "pattern": r"drag = (\S+)"}
    assert run_program(tmp_path, *program, "{result_file}", output=output) == 0.5
    output["pattern"] = r"lift = (\S+)"
    words = r"to write to .*wing\.log what matches `lift = .*; its last line is 'well done'"
    with pytest.raises(EvaluationError, match=words):
        run_program(tmp_path, *program, "{result_file}", output=output)
    with pytest.raises(EvaluationError, match=r"to write its result to .*wing\.log; it did not$"):
        run_program(tmp_path, *of_python("print('lift = 3')"), output=output)


def test_a_file_that_was_not_written_is_told_of_with_the_one_that_was_perhaps_meant(tmp_path: Path) -> None:
    program = of_python("import sys; open(sys.argv[1] + '/means.dat', 'w').write('drag = 1')")
    output = {"file": "mean.dat", "pattern": r"drag = (\S+)"}
    with pytest.raises(EvaluationError, match=r"mean\.dat; it did not \(did you mean `means\.dat`\?\)$"):
        run_program(tmp_path, *program, "{directory}", output=output)


THOUSANDS = {
    "a": "1,234.5",
    "b": "1.234,5",
    "c": "-1 234,5",
    "d": "1,234,567",
    "e": "1.234.567",
    "f": "1'234",
}
OF_OTHERS = {
    name: f"; where it does not, `| tr -d {mark}` behind it in a shell takes them out"
    for name, mark in {"a": ",", "d": ",", "f": '"\'"'}.items()
}
"""Valgrind writes them whatever it is told; a decimal comma would be left, and other points go, too."""


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("drag = (.*)", "'1.5e-3 N', whose beginning is one: write `(\\S+)` for what ends at a space"),
        ('x="(.*)"', "'2.5\" y=\"3', whose beginning is one: write `(.*?)` for as little as there may be"),
        ("(drag) =", "'drag'"),
        (
            r"lift = (\S+)",
            "'-0,25', with a comma: `env LC_ALL=C` before the program has most write points",
        ),
        *(
            (
                f"{name} = (.*)",
                f"{number!r}, with thousands set apart: `env LC_ALL=C` before the program has most"
                f" write them without{OF_OTHERS.get(name, '')}",
            )
            for name, number in THOUSANDS.items()
        ),
    ],
)
def test_a_number_that_more_was_found_behind_is_told_of_with_what_to_write(
    tmp_path: Path, pattern: str, said: str
) -> None:
    told = ["lift = -0,25", "drag = 1.5e-3 N", '<wing x="2.5" y="3"/>']
    told += [f"{name} = {number}" for name, number in THOUSANDS.items()]
    program = of_python(f"print(*{told!r}, sep=chr(10))")
    with pytest.raises(EvaluationError) as refused:
        run_program(tmp_path, *program, output={"pattern": pattern})
    assert str(refused.value) == f"expected the pattern `{pattern}` to find a number, it found {said}"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
def test_what_programs_of_windows_write_is_read_in_their_encodings(tmp_path: Path, encoding: str) -> None:
    text = "Schaltung: Verstärker\ndrag = 0.5\n"
    program = of_python(f"import sys; open(sys.argv[1], 'w', encoding={encoding!r}).write({text!r})")
    output = {"file": "wing.log", "pattern": r"(?P<of>\w+)\ndrag = (?P<value>\S+)"}
    found = run_program(tmp_path, *program, "{result_file}", output=output)
    assert found == {"of": "Verstärker", "value": 0.5}
    for text in ('{"of": "Verstärker", "drag": 0.5}', "<wing><of>Verstärker</of><drag>0.5</drag></wing>"):
        program = of_python(f"import sys; open(sys.argv[1], 'w', encoding={encoding!r}).write({text!r})")
        output = {"file": "wing.out", "key": "drag"}
        assert run_program(tmp_path, *program, "{result_file}", output=output) == 0.5


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
def test_what_programs_of_windows_say_of_a_failure_is_read_in_their_encodings(
    tmp_path: Path, encoding: str
) -> None:
    said = "NOT CONVERGED by step 3\ndrag = 0.5\nfloat error: residual\n"
    program = f"import sys; sys.stdout.buffer.write({said!r}.encode({encoding!r}))"
    output = {"pattern": r"drag = (\S+)", "fails": "^NOT CONVERGED"}
    with pytest.raises(EvaluationError, match=r"printed 'NOT CONVERGED by step 3', by which it failed$"):
        run_program(tmp_path, *of_python(program), output=output)
    with pytest.raises(
        EvaluationError, match=r"exit code 3: float error: residual\nNOT CONVERGED by step 3\n"
    ):
        run_program(tmp_path, *of_python(f"{program}; sys.exit(3)"))
    with pytest.raises(EvaluationError, match=r"its last line is 'float error: residual'$"):
        run_program(tmp_path, *of_python(program))


@pytest.mark.parametrize("form", [{}, {"key": "drag"}, {"pattern": "(.)"}])
def test_of_a_file_that_a_program_opened_and_never_wrote_it_is_said_that_it_is_empty(
    tmp_path: Path, form: dict[str, str]
) -> None:
    program = of_python("import sys; open(sys.argv[1], 'w').close()")
    with pytest.raises(EvaluationError, match=r"the file is empty$"):
        run_program(tmp_path, *program, "{result_file}", output={"file": "wing.json"} | form)


def test_of_a_log_that_is_larger_than_is_read_a_pattern_is_looked_for_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A simulator that writes a line a step writes hundreds of MB, and its result last."""
    monkeypatch.setattr(program_result, "_LARGEST_RESULT", 1_000)
    program = of_python(
        "import sys; open(sys.argv[1], 'w').write('lift = 1\\n' + 'step\\n' * 200 + 'drag = 0.5\\n')"
    )
    output = {"file": "wing.log", "pattern": r"drag = (\S+)"}
    assert run_program(tmp_path, *program, "{result_file}", output=output) == 0.5
    output["pattern"] = r"lift = (\S+)"
    words = r"to write to .*wing\.log, within the last 1,000 of its 1,020 bytes, what matches `lift = .*"
    with pytest.raises(EvaluationError, match=words):
        run_program(tmp_path, *program, "{result_file}", output=output)


def test_of_what_is_printed_a_pattern_is_looked_for_in_the_end_and_that_is_said(tmp_path: Path) -> None:
    program = of_python("print('drag = 0.5'); print('chatter ' * 200_000)")
    with pytest.raises(EvaluationError, match=r"to print, within the last 1,048,576 bytes, what matches"):
        run_program(tmp_path, *program, output={"pattern": r"drag = (\S+)"})


def test_a_pattern_that_is_looked_for_without_end_fails_its_attempt_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_search, "TICK_S", 0.01)
    with pytest.raises(EvaluationError, match="write the pattern so that it can be found") as failed:
        run_program(
            tmp_path, *of_python("print('drag =', '1' * 100)"), output={"pattern": r"drag = ((\d+)+) N"}
        )
    assert failed.value.kind == "invalid"
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_a_pattern_may_name_what_it_finds_as_a_standard_deviation_beside_the_value(tmp_path: Path) -> None:
    program = of_python("print('run A1: converged'); print('loss = 1.5D+00 +/- 0.5 after 17 steps')")
    pattern = r"loss = (?P<value>\S+) \+/- (?P<deviation>\S+) after (?P<steps>\d+)(?P<warnings> warned)?"
    answer = run_program(tmp_path, *program, output={"pattern": pattern})
    assert answer == {"value": 1.5, "variance": 0.25, "steps": 17.0}
    named_elsewhere = r"run (?P<mesh>\w+): (?P<state>\w+)\nloss = (?P<value>\S+) \+/- (?P<variance>\S+)"
    answer = run_program(tmp_path, *program, output={"pattern": named_elsewhere})
    assert answer == {"mesh": "A1", "state": "converged", "value": 1.5, "variance": 0.5}


def test_a_pattern_may_name_the_objective_wherever_it_stands(tmp_path: Path) -> None:
    program = of_python("print('lift = 2.5 drag = 1.5D+00 +/- 0.5')")
    pattern = r"lift = (?P<lift>\S+) drag = (?P<drag>\S+) \+/- (?P<deviation>\S+)"
    answer = run_program(tmp_path, *program, objective="drag", output={"pattern": pattern})
    assert read_outcome(answer, "drag") == Outcome(1.5, 0.25, None, {"lift": 2.5})
    # The first group is the value where none is named so.
    assert run_program(tmp_path, *program, objective="cost", output={"pattern": pattern})["value"] == 2.5
    with pytest.raises(EvaluationError, match=r"to find a number, it found 'drag'"):
        run_program(tmp_path, *program, objective="word", output={"pattern": r"lift = (\S+) (?P<word>\w+)"})


@pytest.mark.parametrize("group", ["value", "deviation", "variance"])
def test_what_a_pattern_names_as_a_number_must_be_one(tmp_path: Path, group: str) -> None:
    texts = {"value": "1", "deviation": "1", "variance": "1"} | {group: "****"}
    program = of_python(f"print({' '.join(texts.values())!r})")
    pattern = r"(?P<value>\S+) (?P<deviation>\S+) (?P<variance>\S+)"
    with pytest.raises(EvaluationError, match=r"to find a number, it found '\*\*\*\*'") as refused:
        run_program(tmp_path, *program, output={"pattern": pattern})
    assert refused.value.kind == "invalid"
