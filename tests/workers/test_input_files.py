"""Programs that read input files: real workers make them from templates, and real programs read them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from commands_run import of_python, run_program
from worker_lab import PATIENCE_S, Lab, failure, result

from evaluators.errors import EvaluationError
from orchestrator.wire.messages import Acknowledge, Evaluate, Goodbye, Result
from orchestrator.wire.scripted import ScriptedOrchestrator

COMMAND = "evaluators.command:run"
PRINTS_X = (sys.executable, "-c", "print(float(open('x.in').read().split()[-1]))")


def _spec(command: tuple[str, ...], templates: Any) -> dict[str, Any]:
    return {"command": list(command), "input": {"templates": templates}}


def _serve(
    lab: Lab, options: dict[str, Any], parameters: list[str], *arguments: str, name: str = "w"
) -> ScriptedOrchestrator:
    """A worker that has everything from the spec, and is welcome."""
    wire = lab.orchestrator(COMMAND, options=options, parameters=parameters)
    lab.start(wire.address, *arguments, "--evaluator", COMMAND, name=name)
    wire.greet()
    return wire


def _refusal(lab: Lab, options: dict[str, Any], parameters: list[str], *arguments: str) -> str:
    """What a worker says that gives up on a run before its first trial."""
    wire = lab.orchestrator(COMMAND, options=options, parameters=parameters)
    worker = lab.start(wire.address, *(arguments or ("--evaluator", COMMAND)))
    wire.greet()
    reason = wire.expect(Goodbye).reason
    assert worker.wait(PATIENCE_S) == 2
    assert reason in lab.said()
    assert "Traceback" not in lab.said()
    return reason


def test_a_program_reads_its_values_to_the_last_digit_from_a_file_full_of_braces(lab: Lab) -> None:
    (lab.directory / "deck.template").write_text(
        '{"wing": {"span": {span}, "ribs": {ribs}, "skin": "{skin}", "name": "{no name}"},\n'
        ' "of": [{"a": {"b": {"seed": {seed}}}}, {}], "shell": "${span}", "where": "{directory}"}\n'
    )
    program = (
        "import json; deck = json.load(open('deck.json'));"
        "print(json.dumps({'value': deck['wing']['span'], 'deck': deck}))"
    )
    options = _spec((sys.executable, "-c", program), {"deck.json": "deck.template"})
    wire = _serve(lab, options, ["span", "ribs", "skin"])
    wire.evaluate("L1", {"span": 0.1 + 0.2, "ribs": 12, "skin": "Übermaß"}, trial=17)
    told = result(wire, "L1")
    assert told.value == 0.1 + 0.2
    assert told.extras["deck"] == {
        "wing": {"span": 0.1 + 0.2, "ribs": 12, "skin": "Übermaß", "name": "{no name}"},
        "of": [{"a": {"b": {"seed": 17}}}, {}],
        "shell": "${span}",
        "where": str(lab.trial_file(17, "attempt-1").resolve()),
    }
    kept = lab.trial_file(17, "attempt-1/deck.json").read_text(encoding="utf-8")
    assert '"span": 0.30000000000000004, "ribs": 12,' in kept, "what was run can be looked at"
    assert lab.trial_file(17, "attempt-1.stdout").exists()


def test_two_at_a_time_share_no_file_not_even_attempts_at_one_trial(lab: Lab) -> None:
    (lab.directory / "in.template").write_text("{x}\n")
    # Each writes a file of the same name, waits until the other has, and only then reads what is there.
    program = (
        "import os, sys, time\n"
        "open('out.dat', 'w').write(open('x.in').read())\n"
        "open(sys.argv[1] + '/' + sys.argv[2] + '.begun', 'w').close()\n"
        "while sum(f.endswith('.begun') for f in os.listdir(sys.argv[1])) < 2: time.sleep(0.01)\n"
        "print(float(open('x.in').read()) + float(open('out.dat').read()))"
    )
    command = (sys.executable, "-c", program, "{started_in}", "{x}")
    wire = _serve(lab, _spec(command, {"x.in": "in.template"}), ["x"], "--slots", "2")
    for attempt in (1, 2):
        parameters = {"x": float(attempt)}
        wire.send(
            Evaluate(
                run=wire.run, lease=f"L{attempt}", trial=1, attempt=attempt, parameters=parameters, seed=1
            )
        )
    values = {}
    while len(values) < 2:
        told = wire.expect(Result)
        wire.send(Acknowledge(lease=told.lease))
        values[told.lease] = told.value
    assert values == {"L1": 2.0, "L2": 4.0}


def test_files_of_an_attempt_that_was_made_before_are_left_as_they_are(lab: Lab) -> None:
    (lab.directory / "in.template").write_text("{x}\n")
    leftover = "import os; print(len(os.listdir('.'))); open('big.out', 'w').close()"
    options = _spec((sys.executable, "-c", leftover), {"x.in": "in.template"})
    for time in (1, 2):
        wire = _serve(lab, options, ["x"])
        wire.evaluate("L1", {"x": float(time)}, trial=1)
        assert result(wire, "L1").value == 1.0, "it sees its own input file and nothing older"
        lab.workers[-1].terminate()
        lab.workers[-1].wait(PATIENCE_S)
    assert lab.trial_file(1, "attempt-1/x.in").read_text() == "1.0\n"
    assert lab.trial_file(1, "attempt-1-2/x.in").read_text() == "2.0\n"


def test_a_script_that_is_a_template_stays_executable_and_finds_the_file_in_its_subfolder(lab: Lab) -> None:
    script = lab.directory / "run.template"
    script.write_text(
        '#!/bin/sh\n# {attempt} of {trial}\nscale={scale}\nread x < case/x.in\necho "${x}e${scale}"\n'
    )
    script.chmod(0o750)
    (lab.directory / "x.template").write_text("{x}\n")
    templates = {"run.sh": "run.template", "case/x.in": str(lab.directory / "x.template")}
    wire = _serve(lab, _spec(("./run.sh",), templates), ["x", "scale"])
    wire.evaluate("L1", {"x": 1.5, "scale": 3}, trial=4)
    assert result(wire, "L1").value == 1500.0
    made = lab.trial_file(4, "attempt-1/run.sh")
    assert made.stat().st_mode & 0o777 == 0o750
    assert "# 1 of 4\nscale=3\n" in made.read_text()


def test_a_program_beside_the_spec_is_found_though_it_is_started_elsewhere(lab: Lab) -> None:
    program = lab.directory / "simulate"
    program.write_text("#!/bin/sh\npwd >&2\ncat x.in\n")
    program.chmod(0o755)
    (lab.directory / "x.template").write_text("{x}")
    wire = _serve(lab, _spec(("./simulate",), {"x.in": "x.template"}), ["x"])
    wire.evaluate("L1", {"x": 0.25}, trial=1)
    assert result(wire, "L1").value == 0.25
    ran_in = lab.trial_file(1, "attempt-1.stderr").read_text().strip()
    assert Path(ran_in) == lab.trial_file(1, "attempt-1").resolve()


def test_a_folder_is_a_template_as_all_the_files_in_it_are_and_one_may_be_made_of_another(lab: Lab) -> None:
    case = lab.directory / "case"
    (case / "0").mkdir(parents=True)
    (case / "0" / "U").write_text("uniform ({lid} 0 0)")
    (case / "mesh.bin").write_bytes(b"\xff\x00{lid}{lib}")
    (case / "run").write_text("#!/bin/sh\ncat 0/U\nod -An -c mesh.bin\nprintf '\\n%s\\n' $(cat system/nu)\n")
    (case / "run").chmod(0o755)
    (lab.directory / "nu.template").write_text("{nu}")
    wire = _serve(lab, _spec(("./run",), {".": "case", "system/nu": "nu.template"}), ["lid", "nu"])
    wire.evaluate("L1", {"lid": 2.5, "nu": 0.01}, trial=1)
    assert result(wire, "L1").value == 0.01
    assert lab.trial_file(1, "attempt-1/0/U").read_text() == "uniform (2.5 0 0)"
    assert lab.trial_file(1, "attempt-1/mesh.bin").read_bytes() == b"\xff\x00{lid}{lib}"
    assert (case / "0" / "U").read_text() == "uniform ({lid} 0 0)"


def test_a_json_result_and_a_file_of_parameters_lie_beside_the_input_files(lab: Lab) -> None:
    (lab.directory / "x.template").write_text("{parameters_file}\n{result_file}\n")
    program = (
        "import json; given, result = open('paths.in').read().splitlines();"
        "json.dump({'value': json.load(open(given))['x'], 'where': result}, open(result, 'w'))"
    )
    wire = _serve(lab, _spec((sys.executable, "-c", program), {"paths.in": "x.template"}), ["x"])
    wire.evaluate("L1", {"x": 0.25}, trial=1)
    told = result(wire, "L1")
    assert told.value == 0.25
    assert told.extras["where"] == str(lab.trial_file(1, "attempt-1/result.json").resolve())


@pytest.mark.parametrize(
    ("templates", "words"),
    [
        ({"x.in": "nowhere.template"}, "expected a template, found no `nowhere.template` in "),
        ({"x.in": "folder"}, "expected files in the template `folder`, got an empty folder"),
        ({"x.in": "slip.template"}, "line 2 of the template `slip.template` has {spam}, which names no"),
        ({"x.in": "slip.template"}, "did you mean {span}? If the braces are the file's own, put a space in"),
        ({"x.in": "none.template"}, "expected a parameter among the arguments and templates, such as {span}"),
        ({"x.in": "seed.template"}, "expected a parameter among the arguments and templates, such as {span}"),
        ({"../x.in": "right.template"}, "a file inside the evaluation's folder, got `../x.in`"),
        ({"/tmp/x.in": "right.template"}, "a file inside the evaluation's folder, got `/tmp/x.in`"),
        ({"a": "right.template", "./a/b": "right.template"}, "lie beside each other, got `a` and `./a/b`"),
        ({"x.in": 3}, "expected files to be written and the templates that they are made of"),
        ({}, "expected files to be written and the templates that they are made of"),
    ],
)
def test_templates_that_cannot_be_meant_are_refused_before_they_cost_a_trial(
    lab: Lab, templates: Any, words: str
) -> None:
    (lab.directory / "folder").mkdir()
    (lab.directory / "slip.template").write_text("span = {span}\nagain = {spam}\n")
    (lab.directory / "none.template").write_text("span = 3\n")
    (lab.directory / "seed.template").write_text("seed = {seed}\n")
    (lab.directory / "right.template").write_text("span = {span}\n")
    assert words in _refusal(lab, _spec(PRINTS_X, templates), ["span"])


def test_a_script_that_is_not_executable_and_a_file_left_behind_are_refused_with_what_to_do(lab: Lab) -> None:
    (lab.directory / "run.template").write_text("#!/bin/sh\necho {x}\n")
    (lab.directory / "mesh.dat").write_text("1 2 3\n")
    templates = {"run.sh": "run.template"}
    assert "try chmod +x ./run.template" in _refusal(lab, _spec(("./run.sh",), templates), ["x"])
    (lab.directory / "run.template").chmod(0o755)
    refused = _refusal(lab, _spec(("./run.sh", "mesh.dat"), templates), ["x"])
    assert "the argument `mesh.dat` is a file in " in refused
    assert "say `{started_in}/mesh.dat`, or `{directory}/mesh.dat`" in refused


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_template_that_may_not_be_read_is_refused(lab: Lab) -> None:
    (lab.directory / "x.template").write_text("{x}")
    (lab.directory / "x.template").chmod(0)
    refused = _refusal(lab, _spec(PRINTS_X, {"x.in": "x.template"}), ["x"])
    assert "the template `x.template` cannot be read: Permission denied" in refused


def test_files_that_cannot_be_written_or_read_any_more_cost_an_attempt_and_are_told_in_a_sentence(
    lab: Lab,
) -> None:
    template = lab.directory / "x.template"
    template.write_text("{x}")
    too_long = "n" * 300
    wire = _serve(lab, _spec(PRINTS_X, {"x.in": "x.template", f"{too_long}/y": "x.template"}), ["x"])
    wire.evaluate("L1", {"x": 1.0}, trial=1)
    told = failure(wire, "L1")
    assert told.kind == "error"
    assert told.message.startswith(f"cannot write the input file `{too_long}/y`: File name too long")

    lab.trial_file(2, "").write_text("a file where the trial's folder should be")
    wire.evaluate("L2", {"x": 1.0}, trial=2)
    assert "cannot make a directory for the evaluation's files: File exists" in failure(wire, "L2").message

    template.unlink()
    wire.evaluate("L3", {"x": 1.0}, trial=3)
    assert "expected a template, found no `x.template`" in failure(wire, "L3").message
    template.write_text("{x} {xs}".replace("xs", "X"))
    wire.evaluate("L4", {"x": 1.0}, trial=4)
    assert "has {X}, which names no parameter; did you mean {x}?" in failure(wire, "L4").message

    assert not lab.trial_file(3, "attempt-1").exists()
    assert "Traceback" not in lab.said()


def test_a_worker_elsewhere_has_a_program_and_templates_of_its_own(lab: Lab) -> None:
    (lab.directory / "here.template").write_text("= {x}")
    theirs = _spec(("there", "{x}"), {"x.in": "/not/on/this/machine"})
    wire = lab.orchestrator(COMMAND, options=theirs, parameters=["x"])
    lab.start(wire.address, "--template", "x.in=here.template", "--command", *PRINTS_X)
    wire.greet()
    wire.evaluate("L1", {"x": 0.5})
    assert result(wire, "L1").value == 0.5


def test_a_worker_elsewhere_has_a_folder_of_its_own_in_the_place_of_the_runs_and_of_a_file_beside_it(
    lab: Lab,
) -> None:
    (lab.directory / "case").mkdir()
    (lab.directory / "case" / "x.in").write_text("= {x}")
    theirs = _spec(("there", "{x}"), {".": "not/on/this/machine", "x.in": "neither"})
    wire = lab.orchestrator(COMMAND, options=theirs, parameters=["x"])
    lab.start(wire.address, "--template", ".=case", "--command", *PRINTS_X)
    wire.greet()
    wire.evaluate("L1", {"x": 0.5})
    assert result(wire, "L1").value == 0.5


def test_a_worker_with_a_program_and_no_templates_is_told_which_the_run_needs(lab: Lab) -> None:
    theirs = _spec(("there", "{x}"), {"x.in": "/etc/hostname"})
    refused = _refusal(lab, theirs, ["x"], "--command", *PRINTS_X, "{x}")
    assert "the run's program reads `x.in`, made from templates; expected where" in refused
    assert "--template x.in=PATH before --command" in refused


def test_a_worker_that_has_some_of_the_templates_is_told_which_it_lacks(lab: Lab) -> None:
    (lab.directory / "here.template").write_text("= {x}")
    theirs = _spec(("there", "{x}"), {"x.in": "/not/here", "mesh/x.geo": "/not/here", "x.msh": "/not/here"})
    offered = ("--template", "./x.in=here.template", "--template", "x.mesh=here.template")
    refused = _refusal(lab, theirs, ["x"], *offered, "--command", *PRINTS_X)
    assert "the run's program reads `mesh/x.geo`, `x.msh`, made from templates; expected where" in refused
    assert "--template mesh/x.geo=PATH before --command" in refused


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--template", "x.in"],
            "expected --template FILE=PATH, such as wing.in=wing.in.template, got `x.in`",
        ),
        (
            ["--template", "x.in=x.template", "--evaluator", "m:f"],
            "expected --command program … after --template",
        ),
        (["--template", "../x=x.template", "--command", "sim"], "inside the evaluation's folder, got `../x`"),
        (
            ["--template", "x=nowhere", "--command", "sim"],
            "--template: expected a template, found no `nowhere`",
        ),
        (
            ["--template", "x=x.template", "--template", "x=x.template", "--command", "sim"],
            "expected each FILE of --template FILE=PATH once",
        ),
    ],
)
def test_a_wrong_template_on_the_command_line_ends_in_a_sentence(
    lab: Lab, arguments: list[str], words: str
) -> None:
    (lab.directory / "x.template").write_text("{x}")
    worker = lab.start("tcp://127.0.0.1:1", *arguments)
    assert worker.wait(PATIENCE_S) == 2
    assert words in lab.said()
    assert "Traceback" not in lab.said()


def test_columns_of_a_fixed_width_are_filled_and_what_has_no_room_fails_its_attempt(tmp_path: Path) -> None:
    (tmp_path / "0003").mkdir()
    (tmp_path / "deck.template").write_text("SPAN{x:8}{n:03}\n")
    how = {
        "input": {"templates": {"deck.in": str(tmp_path / "deck.template")}},
        "output": {"pattern": "(.+)"},
    }
    reads = of_python("line = open('deck.in').read(); print(float(line[4:12]) + int(line[12:15]))")
    assert run_program(tmp_path, *reads, parameters={"x": 1 / 3, "n": 7}, **how) == 7.333333
    with pytest.raises(EvaluationError, match=r"the input file `deck\.in`: 1000 has no room in the 3 char"):
        run_program(tmp_path, *reads, parameters={"x": 0.5, "n": 1000}, **how)
