"""Which line of what a program printed is told of its failure."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from commands_run import of_python, run_program

from evaluators.errors import EvaluationError


@pytest.mark.parametrize(
    ("stderr", "stdout", "words"),
    [
        (
            "At line 7 of file duct.f90\nFortran runtime error: Cannot open file\n\n"
            "Error termination. Backtrace:\n#0  0x7f3a in ???\n"
            "#1  0x7f3b in __libc_start_main_impl\n\tat ../csu/libc-start.c:360\n",
            "iteration 3\n",
            "Fortran runtime error: Cannot open file",
        ),
        (" ERROR: the solution diverged\nSTOP 3\n", "iteration 3\n", "ERROR: the solution diverged"),
        ("STOP 3\n", "iteration 3\nno mesh\n ======\n", "no mesh"),
        ("STOP 3\n", "", "STOP 3"),
        # As R, LAMMPS under MPI, SUMO, GROMACS, OpenFOAM, CalculiX and Octave say it.
        (
            "Error in f(x) : object 'k' not found\nExecution halted\n",
            "",
            "Error in f(x) : object 'k' not found",
        ),
        (
            "MPI_ABORT was invoked on rank 0\n",
            "ERROR: Unknown pair style (src/force.cpp:275)\nLast command: pair_style lk/cut 9.0\n",
            "ERROR: Unknown pair style (src/force.cpp:275)",
        ),
        (
            "Error: The edge 'A0' is not known.\nQuitting (on error).\n",
            "",
            "Error: The edge 'A0' is not known.",
        ),
        (
            "Fatal error:\nNo such moleculetype ARG\n\nFor more information see the\nwebsite at http://a.org\n",
            "",
            "Fatal error: No such moleculetype ARG",
        ),
        (
            "ERROR 1 [file md.mdp]:\n  The cut-off is too long\n\nNOTE 1 [file md.mdp]:\n  no\n"
            + "some\n" * 9
            + "Fatal error:\nThere was 1 error in input file(s)\n\nFor more see\nhttp://a.org\n",
            "",
            "ERROR 1 [file md.mdp]: The cut-off is too long",
        ),
        ("Fatal error:\nThere were 2 errors in input\n", "", "Fatal error: There were 2 errors in input"),
        (
            "duct.f90:3:1: Fehler: Datei fehlt\nKompilierung beendet.\n",
            "",
            "duct.f90:3:1: Fehler: Datei fehlt",
        ),
        ("Erreur : pas de maillage\nFin\n", "", "Erreur : pas de maillage"),
        (
            "--> FOAM FATAL IO ERROR: \nkeyword nu is undefined\n\nfile: case/nu at line 17.\nFOAM exiting\n",
            "Time = 3\n",
            "--> FOAM FATAL IO ERROR: keyword nu is undefined",
        ),
        (
            "",
            "*ERROR in gen3delem. The structure\n   is not plane at node 2\n",
            "*ERROR in gen3delem. The structure",
        ),
        (
            "error: 'k' undefined\nerror: called from\n    fit at line 3 column 1\n",
            "",
            "error: 'k' undefined",
        ),
        (
            "ERROR: once more\nTraceback (most recent call last):\n  line 3, in f\nmesh.NoMesh: at cell 7\n",
            "",
            "mesh.NoMesh: at cell 7",
        ),
        ("\x1b[1;31mwing.in:3:7: error\x1b[0m: no such key\nbye\n", "", "wing.in:3:7: error: no such key"),
        (
            "2026-03-01 12:00:00,120 ERROR no mesh\nException in f: g\n\tat a.B.c(B.java:3)\n",
            "",
            "2026-03-01 12:00:00,120 ERROR no mesh",
        ),
        (
            "Exception in f: no mesh\n\tat a.B.c(B.java:3)\n\tat a.D(Native Method)\n",
            "",
            "Exception in f: no mesh",
        ),
        # What is measured is no failure.
        ("error = 0.3\nno convergence\n", "", "no convergence"),
        ("L2 error: 0.3\nno convergence\n", "", "no convergence"),
        ("", "Errors: 0\nno convergence\n", "no convergence"),
    ],
)
def test_of_a_failure_the_line_is_told_that_says_most(
    tmp_path: Path, stderr: str, stdout: str, words: str
) -> None:
    program = "import sys; sys.stderr.write(sys.argv[1]); sys.stdout.write(sys.argv[2]); sys.exit(3)"
    with pytest.raises(EvaluationError) as failed:
        run_program(
            tmp_path, *of_python(program), "{err}", "{out}", parameters={"err": stderr, "out": stdout}
        )
    first, *others = str(failed.value).splitlines()
    assert first == f"`{sys.executable}` ended with exit code 3: {words}"
    assert not [line for line in others if line.startswith("#")]


def test_a_program_behind_env_is_told_of_and_not_env(tmp_path: Path) -> None:
    failing = of_python("import os, sys; sys.exit(os.environ['WING'])")
    with pytest.raises(EvaluationError) as failed:
        run_program(tmp_path, "env", "WING=no mesh", *failing)
    assert str(failed.value) == f"`{sys.executable}` ended with exit code 1: no mesh"
