"""Any program as an evaluator: real ones, that print, fail, crash and leave things behind."""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from commands_run import of_python, run_program
from worker_lab import Lab, eventually, failure, is_alive, result

from evaluators.child_process.outcome import Outcome, read_outcome
from evaluators.errors import EvaluationError


def test_parameters_arrive_as_arguments_and_a_json_object_comes_back(tmp_path: Path) -> None:
    program = (
        "import sys, json\nprint('chatter')\n"
        "print(json.dumps({'value': float(sys.argv[1]), 'all': sys.argv[1:]}, indent=2))"
    )
    arguments = ("{x}", "--n={n}", "{mode}", "{seed}", "{trial}", "{attempt}", "{{x}}", "$(date); *")
    answer = run_program(tmp_path, *of_python(program), *arguments)
    assert answer == {
        "value": 0.25,
        "all": ["0.25", "--n=4", "fast", "7", "3", "2", "{x}", "$(date); *"],
    }


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("0.5", 0.5),
        ("step 1\nstep 2\n0.5\n", 0.5),
        ("0.1\n{'no': json}\n-5e-1\ndone in 3 s\n", -0.5),
        ('{"value": 1}\n{"value": 2}\n\n', {"value": 2}),
        ('{"value": 1,\n "nested": {\n "a": [\n1\n]}}\n', {"value": 1, "nested": {"a": [1]}}),
        ('3 files read\n{"value": 1} and more\n7\n', 7),
        ("3 files read\n   1.5D-03\n", 0.0015),
        ('{"value": 1}\n+5\n', {"value": 1}),
    ],
)
def test_the_last_json_on_stdout_counts(tmp_path: Path, printed: str, value: object) -> None:
    program = of_python("import sys; sys.stdout.write(sys.argv[1])")
    assert run_program(tmp_path, *program, "{text}", parameters={"text": printed}) == value


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("os.mkdir(path)", "what is there is no file"),
        ("os.mkfifo(path)", "what is there is no file"),
        ("os.symlink('/dev/zero', path)", "what is there is no file"),
        ("os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 1 << 34)", "what is there has 17,179,869,184"),
    ],
)
def test_a_result_without_an_end_is_not_waited_for_and_fills_no_memory(
    tmp_path: Path, made: str, said: str
) -> None:
    program = of_python(f"import os, sys; path = sys.argv[1]; {made}")
    with pytest.raises(EvaluationError, match=said):
        run_program(tmp_path, *program, "{result_file}", output={"file": "result.json"})


@pytest.mark.parametrize("line", ["Iteration 12", "-- step 3", '{"step": 3, "loss": nan}'])
def test_a_long_log_of_lines_that_begin_as_json_does_is_read_in_one_pass(tmp_path: Path, line: str) -> None:
    def cost(lines: int) -> float:
        # Not Python, which without buffers forgets the rest of what a pipe took in part when it was stopped.
        program = ("sh", "-c", 'yes -- "$0" | head -n "$1"; echo 0.5')
        began = time.process_time()
        assert run_program(tmp_path, *program, "{line}", "{n}", parameters={"line": line, "n": lines}) == 0.5
        return time.process_time() - began

    few = min(cost(4_000) for _ in range(5))
    # What else is computed slows now the one down and now the other.
    in_proportion = any(cost(40_000) < 30 * few for _ in range(4))
    assert in_proportion, "ten times as many lines; read again for each, a hundred times as long"


def test_parameters_may_have_hyphens_and_spaces_in_their_names(tmp_path: Path) -> None:
    program = of_python("import sys, json; print(json.dumps({'value': 1, 'all': sys.argv[1:]}))")
    parameters = {"step-size": 0.5, "wing span": 3}
    arguments = ("{step-size}", "--span={wing span}", "awk '{print $1}'", '{"a": 1}')
    answer = run_program(tmp_path, *program, *arguments, parameters=parameters)
    assert answer["all"] == ["0.5", "--span=3", "awk '{print $1}'", '{"a": 1}']


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (b"#!/bin/sh\r\necho 1\r\n", "asks for an interpreter called `/bin/sh\\r`"),
        (
            b"#!/no/such/interpreter -x\necho 1\n",
            "that its first line names is not: #!/no/such/interpreter -x",
        ),
    ],
)
def test_a_script_that_is_there_without_its_interpreter_is_not_called_missing(
    tmp_path: Path, script: bytes, words: str
) -> None:
    path = tmp_path / "simulate.sh"
    path.write_bytes(script)
    path.chmod(0o755)
    with pytest.raises(EvaluationError) as failed:
        run_program(tmp_path, str(path))
    assert f"`{path}` is there, " in str(failed.value)
    assert words in str(failed.value)


def test_files_carry_parameters_in_and_results_out(tmp_path: Path) -> None:
    program = (
        "import sys, json; p = json.load(open(sys.argv[1]));"
        "json.dump({'value': p['x'] * p['n']}, open(sys.argv[2], 'w'))"
    )
    answer = run_program(tmp_path, *of_python(program), "{parameters_file}", "{result_file}")
    assert answer == {"value": 1.0}
    named = run_program(
        tmp_path,
        *of_python(program),
        "{directory}/in.json",
        "{directory}/out.json",
        input={"file": "in.json"},
        output={"file": "out.json"},
    )
    assert named == answer
    assert json.loads((tmp_path / "0003" / "in.json").read_text())["mode"] == "fast"


def test_what_it_printed_is_kept_with_the_trial(tmp_path: Path) -> None:
    run_program(tmp_path, *of_python("import sys; print(1); print('warned', file=sys.stderr)"))
    assert (tmp_path / "0003" / "attempt-2.stdout").read_text() == "1\n"
    assert (tmp_path / "0003" / "attempt-2.stderr").read_text() == "warned\n"


@pytest.mark.parametrize(
    ("command", "how", "kind", "words"),
    [
        (("no-such-program-anywhere",), {}, "error", "found no `no-such-program-anywhere` on the PATH"),
        (("./no-such-program",), {}, "error", "found no `./no-such-program` in "),
        (("/etc/passwd",), {}, "error", "may not be executed"),
        ((*of_python("pass"), "{xx}"), {}, "error", "did you mean {x}?"),
        (
            of_python("print(1); raise SystemExit('out of licences')"),
            {},
            "error",
            "exit code 1: out of licences",
        ),
        (
            of_python("print('x', file=__import__('sys').stderr); raise SystemExit('no mesh')"),
            {},
            "error",
            "exit code 1: no mesh\nx\nno mesh",
        ),
        (of_python("import os; os.kill(os.getpid(), 11)"), {}, "killed", "killed by SIGSEGV"),
        (of_python("pass"), {}, "invalid", "it printed nothing"),
        (
            of_python("print(1, file=__import__('sys').stderr)"),
            {},
            "invalid",
            "it printed to standard error alone",
        ),
        (of_python("print('all done')"), {}, "invalid", "its last line is 'all done'"),
        (
            of_python("print('  drag =  0.5 N  (1st)')"),
            {},
            "invalid",
            r"(1st)'; if 0.5 is meant, say `output: {pattern: 'drag = +(\S+)'}`",
        ),
        (
            ("sh", "-c", 'echo "Cd(x\'s) 1e-3, done"'),
            {},
            "invalid",
            r"""if 1e-3 is meant, say `output: {pattern: 'Cd\(x''s\) +([-+.\dDdEe]+)'}`""",
        ),
        (of_python("print('3.4 m')"), {}, "invalid", r"say `output: {pattern: '^ *(\S+)'}`"),
        (of_python("print('0,5')"), {}, "invalid", "'0,5', with a comma: `env LC_ALL=C` before"),
        (of_python("import os; os.write(1, bytes(range(128, 256)))"), {}, "invalid", "its last line is"),
        (
            of_python("print('x')"),
            {"output": {"pattern": "y=(.*)"}},
            "invalid",
            "to print what matches `y=(.*)`",
        ),
        (of_python("print('y=abc')"), {"output": {"pattern": "y=(.*)"}}, "invalid", "it found 'abc'"),
        (
            of_python("print('drag =   0.5 N')"),
            {"output": {"pattern": r"drag = (\S+)"}},
            "invalid",
            "its last line is 'drag =   0.5 N'; it would match with ` +`",
        ),
        (of_python("print(1)"), {"output": {"file": "r.json"}}, "invalid", "Pass it {result_file}"),
        (
            (*of_python("open(__import__('sys').argv[1], 'w')"), "{result_file}"),
            {"output": {"file": "wing.log", "pattern": "y=(.*)"}},
            "invalid",
            "what matches `y=(.*)`; the file is empty",
        ),
        (
            of_python("print('[' + '0.5, ' * 300_000 + '0.5]')"),
            {},
            "invalid",
            "among the last 1,048,576 bytes that it prints, which alone are read; its last line is longer"
            " than 8,000 characters, and ends with ' 0.5, 0.5,",
        ),
        (
            of_python("print('{\"value\": 3, \"all\": [\\n' + '0.5,\\n' * 300_000 + '0.25\\n]}')"),
            {},
            "invalid",
            "among the last 1,048,576 bytes that it prints, which alone are read; its last line is ']}'",
        ),
        (
            (*of_python("print(1)"), "{parameters_file}"),
            {"output": {"file": "parameters.json"}},
            "error",
            "expected another file than `parameters.json`, from which the program reads the parameters",
        ),
        ((*of_python("print(1)"), "a\0b"), {}, "error", "contains a zero byte"),
        # What any text beyond ASCII is to a worker whose locale is of long ago.
        (
            (*of_python("print(1)"), "\ud800"),
            {},
            "error",
            r"got '\ud800': start the worker with LC_ALL=C.UTF-8",
        ),
        (of_python("print(1)"), {"input": {"file": "../../x"}}, "error", "inside the trial's directory"),
        (
            of_python("print(1)"),
            {"input": {"file": "n" * 300}},
            "error",
            "evaluation's files: File name too long",
        ),
        (
            (*of_python("open(__import__('sys').argv[1], 'w').write('[')"), "{result_file}"),
            {},
            "invalid",
            "JSON in",
        ),
    ],
)
def test_what_goes_wrong_is_said_in_words(
    tmp_path: Path, command: tuple[str, ...], how: dict[str, Any], kind: str, words: str
) -> None:
    with pytest.raises(EvaluationError) as refused:
        run_program(tmp_path, *command, **how)
    assert refused.value.kind == kind
    assert words in str(refused.value)


def test_a_program_that_reads_input_files_is_called_what_the_spec_calls_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "duct").write_text("#!/bin/sh\necho no mesh\nexit 3\n")
    (tmp_path / "duct").chmod(0o755)
    (tmp_path / "duct.template").write_text("x = {x}, n = {n}, mode = {mode}\n")
    with pytest.raises(EvaluationError, match=r"^`\./duct` ended with exit code 3: no mesh$"):
        run_program(tmp_path, "./duct", input={"templates": {"duct.in": "duct.template"}})


def test_a_disk_that_does_not_take_what_the_program_reads_is_told_with_the_file(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, before[1]))
    try:
        with pytest.raises(EvaluationError, match=r"files: File too large, .*in\.json$"):
            run_program(tmp_path, *of_python("print(1)"), input={"file": "in.json"})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_not_a_number_is_read_and_then_refused_as_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="finite number, got nan"):
        read_outcome(run_program(tmp_path, *of_python("print(float('nan'), 'is no result'); print('NaN')")))


def test_a_result_left_by_an_earlier_attempt_is_not_taken_for_this_ones(tmp_path: Path) -> None:
    (tmp_path / "0003").mkdir()
    (tmp_path / "0003" / "result.json").write_text("1.0")
    with pytest.raises(EvaluationError, match="it did not"):
        run_program(tmp_path, *of_python("pass"), "{result_file}")


@pytest.mark.parametrize(
    "written",
    [
        {"output": {"file": "./in.json"}},
        {"output": {"file": "in.json", "pattern": "(1)"}},
        {"progress": {"file": "in.json"}},
    ],
)
def test_what_a_program_writes_is_not_read_from_the_file_of_its_parameters(
    tmp_path: Path, written: dict[str, Any]
) -> None:
    with pytest.raises(EvaluationError, match=r"expected another file than `in\.json`, from which"):
        run_program(tmp_path, *of_python("print(1)"), input={"file": "in.json"}, **written)


def test_the_file_of_parameters_may_be_called_as_a_result_is_where_none_is_written(tmp_path: Path) -> None:
    program = "import json, sys; print(json.load(open(sys.argv[1] + '/result.json'))['x'])"
    assert run_program(tmp_path, *of_python(program), "{directory}", input={"file": "result.json"}) == 0.25


def test_more_output_than_is_kept_costs_nothing_but_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluators.programs.program.KEPT_ON_DISK", 1 << 20)
    program = "import sys\nfor _ in range(80): sys.stdout.write('x' * 65535 + chr(10))\nprint(0.5)"
    assert run_program(tmp_path, *of_python(program)) == 0.5
    kept = (tmp_path / "0003" / "attempt-2.stdout").read_bytes()
    assert len(kept) < (1 << 20) + 100
    assert kept.endswith(b"[the rest was not kept]\n")


def test_a_daemon_that_holds_the_output_open_is_not_waited_for(tmp_path: Path) -> None:
    program = "import subprocess; print(subprocess.Popen(['sleep', '600']).pid)"
    pid = int(run_program(tmp_path, *of_python(program)))
    assert is_alive(pid)
    os.kill(pid, signal.SIGKILL)


def test_through_a_worker_a_program_is_killed_at_the_timeout_after_a_chance_to_end(lab: Lab) -> None:
    note, ended = lab.directory / "note", lab.directory / "ended"
    program = (
        "import os, signal, sys, time\n"
        "def end(*_): open(sys.argv[2], 'w').close(); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "open(sys.argv[1] + '.draft', 'w').write(str(os.getpid()))\n"
        "os.rename(sys.argv[1] + '.draft', sys.argv[1])\n"
        "time.sleep(float(sys.argv[3]))\nprint(1.5)"
    )
    wire = lab.orchestrator("evaluators.command:run", options={"command": ["the", "worker's", "own", "wins"]})
    lab.start(wire.address, "--command", *of_python(program), str(note), str(ended), "{nap}")
    wire.greet()
    wire.evaluate("quick", {"nap": 0}, trial=1)
    assert result(wire, "quick").value == 1.5
    assert lab.trial_file(1, "attempt-1.stdout").read_text() == "1.5\n"
    note.unlink()
    for timeout_s in (1.0, 5.0, 12.0, 48.0):
        wire.evaluate(f"{timeout_s}", {"nap": 600}, timeout_s=timeout_s, trial=2)
        assert failure(wire, f"{timeout_s}").kind == "timeout"
        if note.exists():
            break
    assert ended.exists()
    eventually(lambda: not is_alive(int(note.read_text())))


def test_a_file_that_is_no_text_is_said_to_be_none_and_what_to_do(tmp_path: Path) -> None:
    program = of_python("import sys; open(sys.argv[1], 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n')")
    with pytest.raises(
        EvaluationError, match=r"out\.png, which is no text: have a script print what matters"
    ):
        run_program(tmp_path, *program, "{result_file}", output={"file": "out.png"})


def test_a_file_may_hold_the_objective_under_its_name(tmp_path: Path) -> None:
    program = of_python("import sys; open(sys.argv[1], 'w').write('{\"drag\": 1.5, \"lift\": 2}')")
    answer = run_program(tmp_path, *program, "{result_file}", objective="drag", output={"file": "r.json"})
    assert read_outcome(answer, "drag") == Outcome(1.5, extras={"lift": 2})


def test_a_program_whose_work_people_compare_need_print_nothing(tmp_path: Path) -> None:
    assert run_program(tmp_path, "true", compared=True) is None
    assert run_program(tmp_path, "echo", '{"speed": 1.5}', compared=True) == {"speed": 1.5}
    with pytest.raises(EvaluationError, match="exit code 1"):
        run_program(tmp_path, "false", compared=True)


def test_a_pattern_has_to_be_found_in_it_and_need_find_no_number(tmp_path: Path) -> None:
    output = {"pattern": r"walked (?P<far>\S+) on (?P<ground>\w+)"}
    told = run_program(tmp_path, "echo", "walked 3.5 on sand", compared=True, output=output)
    assert told == {"far": 3.5, "ground": "sand"}
    with pytest.raises(EvaluationError, match="matches"):
        run_program(tmp_path, "echo", "fell", compared=True, output=output)
