r"""What a program prints while it runs says how it stands, and never costs it its result."""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from worker_lab import Lab, eventually, is_alive, result

from evaluators.command import run
from evaluators.context import Context
from evaluators.errors import EvaluationError
from evaluators.programs import bounded_search
from evaluators.programs.progress import ProgramProgress
from orchestrator.wire.messages import Cancel, Progress

EPOCHS = {"pattern": r"epoch (?P<step>\S+) loss (?P<loss>\S+)"}
Reports = list[tuple[int, dict[str, float]]]


def _hears(
    folder: Path, progress: Any, *command: str, then: Callable[[Reports], None] | None = None, **how: Any
) -> tuple[Any, Reports]:
    """The result of a program, and what it reported; ``then`` is called after each report."""
    heard: Reports = []

    def report(step: int, values: dict[str, float]) -> None:
        heard.append((step, values))
        if then is not None:
            then(heard)

    context = Context(trial=1, attempt=1, seed=0, options={}, directory=folder / "0001", report=report)
    return run({}, command=command, progress=progress, context=context, **how), heard


def _printing(text: str) -> tuple[str, ...]:
    return ("printf", "%s", text)


def test_lines_in_which_a_pattern_is_found_are_reports_and_the_result_is_what_it_was(tmp_path: Path) -> None:
    printed = "reading\nepoch 1 loss 2.5\n[gpu] epoch 2 loss 1.5D-01 (best)\n0.125\n"
    value, heard = _hears(tmp_path, EPOCHS, *_printing(printed))
    assert heard == [(1, {"loss": 2.5}), (2, {"loss": 0.15})]
    assert value == 0.125
    assert (tmp_path / "0001" / "attempt-1.stdout").read_text() == printed


def test_a_comma_behind_a_number_is_the_sentence_s_and_not_the_number_s(tmp_path: Path) -> None:
    _, heard = _hears(tmp_path, EPOCHS, *_printing("epoch 1: loss 2.5, rate 0.1\n0.125\n"))
    assert heard == [(1, {"loss": 2.5})]


def test_without_a_step_the_lines_are_counted_be_their_numbers_none(tmp_path: Path) -> None:
    printed = "loss 4\n\nloss ****\nloss ****\nhalf way\nloss 3\n1\n"
    _, heard = _hears(tmp_path, {"pattern": r"loss (?P<loss>\S+)"}, *_printing(printed))
    assert heard == [(1, {"loss": 4.0}), (4, {"loss": 3.0})]


@pytest.mark.parametrize(
    "line",
    [
        "epoch 1 loss ****",
        "epoch 1.5 loss 1",
        "epoch one loss 1",
        "epoch nan loss 1",
        "epoch 1e300 loss 1",
        f"epoch {'9' * 5000} loss 1",
        f"{'x' * 2000} epoch 1 loss 1",
    ],
)
def test_what_cannot_be_read_is_passed_over(tmp_path: Path, line: str) -> None:
    value, heard = _hears(tmp_path, EPOCHS, *_printing(f"{line}\nepoch 2.0 loss 1\n0.5\n"))
    assert (value, heard) == (0.5, [(2, {"loss": 1.0})])


@pytest.mark.parametrize(
    ("written", "number"),
    [("nan", "nan"), ("-nan,", "nan"), ("1.#QNAN", "nan"), ("-Infinity", "-inf"), ("1e999", "inf")],
)
def test_a_residual_that_diverges_is_reported_as_one(tmp_path: Path, written: str, number: str) -> None:
    _, heard = _hears(tmp_path, EPOCHS, *_printing(f"epoch 1 loss {written}\n0.5\n"))
    assert [(step, str(values["loss"])) for step, values in heard] == [(1, number)]


def test_of_a_line_what_can_be_read_is_reported(tmp_path: Path) -> None:
    pattern = r"(?P<self>\S+) loss (?P<loss>\S+)(?: gain (?P<gain>\S+))?"
    _, heard = _hears(tmp_path, {"pattern": pattern}, *_printing("7 loss **** gain 2\n8 loss 3\n1"))
    assert heard == [(1, {"self": 7.0, "gain": 2.0}), (2, {"self": 8.0, "loss": 3.0})]


@pytest.mark.parametrize(
    ("line", "report"),
    [
        ('{"step": 3, "loss": 0.2}', (3, {"loss": 0.2})),
        (
            ' {"step": 3.0, "loss": 1, "done": true, "state": "well", "of": [1], "or": null} ',
            (3, {"loss": 1}),
        ),
        ('{"loss": 0.2}', None),
        ('{"step": 3}', None),
        ('{"step": true, "loss": 0.2}', None),
        ('{"step": "3", "loss": 0.2}', None),
        ('{"step": 3.5, "loss": 0.2}', None),
        ('{"step": 3, "loss": Infinity}', (3, {"loss": math.inf})),
        ('{"step": 3, "loss": -1' + "0" * 400 + "}", (3, {"loss": -math.inf})),
        ('{"step": NaN, "loss": 0.2}', None),
        ('{"step": 3, "loss": 1' + "0" * 5000 + "}", None),
        ('{"step": 3, "\\ud800": 1, "\\u001b[2J": 1, "": 1}', None),
        ('{"step": 3, "loss": 0.2', None),
        ('{"a":' * 1500 + "1" + "}" * 1500, None),
        ('[{"step": 3, "loss": 0.2}]', None),
        ('at last {"step": 3, "loss": 0.2}', None),
        ('{"step": 3, "loss": 1, "log": "' + "x" * 20_000 + '"}', None),
    ],
)
def test_a_line_that_is_json_with_a_step_and_a_number_is_a_report(
    tmp_path: Path, line: str, report: tuple[int, dict[str, float]] | None
) -> None:
    value, heard = _hears(tmp_path, "json", *_printing(f'{line}\n{{"value": 0.5, "flow": 2}}\n'))
    assert heard == ([] if report is None else [report])
    assert value == {"value": 0.5, "flow": 2}


def test_a_report_of_very_many_quantities_holds_no_more_than_are_taken(tmp_path: Path) -> None:
    many = ", ".join(f'"q{i}": {i}' for i in range(500))
    _, ((_, quantities),) = _hears(tmp_path, "json", *_printing(f'{{"step": 1, {many}}}\n1\n'))
    assert quantities == {f"q{i}": i for i in range(100)}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
def test_what_programs_of_windows_print_is_read_in_their_encodings(tmp_path: Path, encoding: str) -> None:
    told = "".join(f'{{"step": {i}, "loss": {i}.5}}\r\n' for i in (1, 2))
    told += "0.5\r\n"
    program = (sys.executable, "-c", f"import sys; sys.stdout.buffer.write({told!r}.encode({encoding!r}))")
    _, heard = _hears(tmp_path, "json", *program)
    assert [step for step, _ in heard] == [1, 2]


def test_both_streams_are_read_and_lines_that_are_written_over_and_the_last_without_an_end(
    tmp_path: Path,
) -> None:
    script = "echo 0.5; printf '\\repoch 1 loss 3\\repoch 2 loss 2\\r\\nepoch 3 loss 1' >&2"
    value, heard = _hears(tmp_path, EPOCHS, "sh", "-c", script)
    assert (value, heard) == (0.5, [(1, {"loss": 3.0}), (2, {"loss": 2.0}), (3, {"loss": 1.0})])


@pytest.mark.parametrize("form", [{"pattern": r"^(?P<step>\d+),(?P<loss>[^,]+)"}, {}])
def test_a_file_that_it_writes_may_say_it_instead_of_what_it_prints(
    tmp_path: Path, form: dict[str, str]
) -> None:
    """While it waits for the first line to be heard; what an earlier attempt left there is not read."""
    os.mkfifo(tmp_path / "go on")
    (tmp_path / "0001").mkdir()
    (tmp_path / "0001" / "history").write_text('9,9,9\n{"step": 9, "loss": 9}\n')
    lines = ["1,3,x\n", "2,2,x\n"] if form else ['{"step": 1, "loss": 3}\n', '{"step": 2, "loss": 2}\n']
    script = (
        'printf %s \'step,loss,rest\n\' "$1" >> "$0"/history; echo 7,7,7; echo \'{"step": 7, "loss": 7}\'; '
        'read -r line < "$3"; printf %s "$2" >> "$0"/history; echo 0.5'
    )

    def go_on(heard: Reports) -> None:
        if len(heard) == 1:
            (tmp_path / "go on").write_text("on\n")

    command = ("sh", "-c", script, "{directory}", *lines, str(tmp_path / "go on"))
    value, heard = _hears(tmp_path, {"file": "history", **form}, *command, then=go_on)
    assert (value, heard) == (0.5, [(1, {"loss": 3.0}), (2, {"loss": 2.0})])


def test_a_file_elsewhere_is_not_followed(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="expected a file inside the trial's directory"):
        _hears(tmp_path, {"file": "../../journal.jsonl"}, *_printing("1\n"))


def test_a_report_arrives_while_the_program_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go on")
    script = 'echo "epoch 1 loss 3"; read -r line < "$0"; echo "epoch 2 loss $line"; echo 0.5'

    def answer(heard: Reports) -> None:
        if heard[-1][0] == 1:
            (tmp_path / "go on").write_text("2\n")

    command = ("sh", "-c", script, str(tmp_path / "go on"))
    value, heard = _hears(tmp_path, EPOCHS, *command, then=answer)
    assert (value, heard) == (0.5, [(1, {"loss": 3.0}), (2, {"loss": 2.0})])


def test_after_many_lines_at_once_the_newest_arrives_although_the_program_is_silent(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go on")
    program = (
        "import sys\nfor i in range(1, 301): print('epoch', i, 'loss', 1 / i)\n"
        "sys.stdout.flush()\nopen(sys.argv[1]).read()\nprint(0.5)"
    )

    def answer(heard: Reports) -> None:
        if heard[-1][0] == 300:
            (tmp_path / "go on").write_text("\n")

    command = (sys.executable, "-Sc", program, str(tmp_path / "go on"))
    value, heard = _hears(tmp_path, EPOCHS, *command, then=answer)
    assert value == 0.5
    assert heard[-1] == (300, {"loss": 1 / 300})
    assert len(heard) < 200, "some twenty, and twenty more for each second that this takes"


ENDLESS = {"pattern": r"loss (?P<loss>(\d+)+);"}
"""In a row of digits without a semicolon it is looked for in as many ways as they can be grouped."""
FOREVER = f"loss {'1' * 100}\n"


def test_a_line_over_which_a_pattern_takes_for_ever_is_given_up_and_the_next_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_search, "TICK_S", 0.01)
    printed = f"loss 3;\n{FOREVER}loss 2;\n0.125\n"
    value, heard = _hears(tmp_path, ENDLESS, *_printing(printed))
    assert (value, heard) == (0.125, [(1, {"loss": 3.0}), (2, {"loss": 2.0})])
    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_after_some_such_lines_nothing_is_looked_for_and_it_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bounded_search, "TICK_S", 0.01)
    printed = f"loss 3;\n{FOREVER * 500}loss 2;\n0.125\n"
    value, heard = _hears(tmp_path, ENDLESS, *_printing(printed))
    assert (value, heard) == (0.125, [(1, {"loss": 3.0})])
    said = capsys.readouterr().err
    assert said.count("nothing more is reported") == 1
    assert "took too long in 3 lines" in said


def test_what_a_program_that_fails_had_reported_was_heard(tmp_path: Path) -> None:
    heard: Reports = []
    with pytest.raises(EvaluationError, match="exit code 3: epoch 1 loss 9"):
        _hears(tmp_path, EPOCHS, "sh", "-c", "echo epoch 1 loss 9 >&2; exit 3", then=heard.extend)
    assert heard == [(1, {"loss": 9.0})]


def test_a_line_without_an_end_takes_no_more_room_however_long_it_grows() -> None:
    heard: Reports = []
    progress = ProgramProgress(EPOCHS, lambda step, values: heard.append((step, values)))
    for piece in (b"epoch 1 lo", b"ss 3 ", *(b"x" * 65536 for _ in range(100)), b"epoch 2 loss 3\n"):
        progress.take(0, piece)
        assert len(progress._streams[0]._begun) <= 10_000
    progress.take(0, "epoch 3 loss 1 \N{SNOWMAN}\xff".encode()[:-1] + b"\n")
    assert heard == [(1, {"loss": 3.0}), (3, {"loss": 1.0})]


def test_through_a_worker_an_evaluation_that_reports_poorly_can_be_stopped(lab: Lab) -> None:
    script = 'echo "{\\"step\\": $$, \\"loss\\": $0}"; test "$0" = 0 || exec sleep 600; echo 7'
    wire = lab.orchestrator("evaluators.command:run", options={"command": ["theirs"], "progress": "json"})
    lab.start(wire.address, "--command", "sh", "-c", script, "{loss}")
    wire.greet()
    wire.evaluate("poor", {"loss": 9}, trial=1)
    told = wire.expect(Progress)
    assert (told.lease, told.values) == ("poor", {"loss": 9.0})
    wire.send(Cancel(lease="poor"))
    eventually(lambda: not is_alive(told.step))
    wire.evaluate("good", {"loss": 0}, trial=2)
    assert wire.expect(Progress).values == {"loss": 0.0}
    assert result(wire, "good").value == 7.0
