"""The options of `orchestrator amend`, apart from the request that they make: help need not load that."""

from __future__ import annotations

import argparse
from pathlib import Path

from orchestrator.values.typed_numbers import typed_trial


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = (
        "Whatever names a parameter, a constraint, a file, a result, a point or a trial may be repeated: "
        "--bounds span=1,2 --bounds sweep=0,20."
    )
    _add_what_may_be_tried(parser)
    _add_how_values_come(parser)
    _add_ends(parser)
    _add_results_and_points(parser)
    parser.add_argument("--reason", default="", help="why, for the record")
    pausing = parser.add_mutually_exclusive_group()
    pausing.add_argument("--pause", action="store_true", help="start nothing new; what runs may finish")
    pausing.add_argument("--continue", dest="go_on", action="store_true", help="end a pause")
    parser.add_argument("--dry-run", action="store_true", help="say what would be so, and change nothing")
    parser.add_argument("--by", default="", metavar="NAME", help="who says so")


def _add_what_may_be_tried(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--bounds", metavar="NAME=LOW,HIGH", action="append", default=[], help="another range for a parameter"
    )
    add(
        "--held",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="where a parameter is from now on, as which batch lies there: it is not chosen any more",
    )
    add("--free", metavar="NAME", action="append", default=[], help="a held parameter to be chosen again")
    add(
        "--block",
        metavar="NAME",
        default="",
        help="which of the spec's blocks trials are of from now on, such as the number of a plate",
    )
    add(
        "--constraint",
        dest="constraints",
        metavar="'A + B <= 3'",
        action="append",
        default=[],
        help="what must hold from now on, between parameters or of outcomes, written as in a spec",
    )
    add(
        "--withdraw",
        metavar="'A + B <= 3'",
        action="append",
        default=[],
        help="a constraint that need not hold any more",
    )
    add(
        "--candidates",
        type=Path,
        metavar="FILE",
        action="append",
        default=[],
        help="further rows that may be tried, as a CSV file with the columns of the spec's candidates",
    )
    add(
        "--travel",
        metavar="NAME=LIMIT",
        action="append",
        default=[],
        help="how far a setting may travel from one trial to the next, or `none` for anywhere",
    )
    add(
        "--stands",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="where the machine stands now, as somebody has put it there",
    )
    add(
        "--change",
        metavar="NAME=TIME",
        action="append",
        default=[],
        help="what it takes to change a setting, as `20 min`, or as a spec has it; or `none` for nothing",
    )


def _add_how_values_come(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--objective",
        metavar="FORMULA",
        help="what a value that is computed from outcomes is from now on, of all trials: 'cost + 2 * mass'",
    )
    add(
        "--spec",
        type=Path,
        metavar="FILE",
        help="the spec as it should have been, where its objective's `value` or `fit`, or the `output` of its"
        " program, was wrong: all values are computed, or read, anew",
    )


def _add_ends(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--trials", metavar="N", help="another budget of trials, in all; `none` lifts it")
    add("--cost", metavar="N", help="another budget of evaluations at full fidelity, or `none`")
    add("--time", metavar="DURATION", help="another budget of time, in all, such as `2 h`, or `none`")
    add("--target", metavar="VALUE", help="another value that is good enough, or `none`")
    add("--patience", metavar="N", help="another number of trials without improvement, or `none`")
    add("--expected-gain", metavar="VALUE", help="another gain not worth going on for, or `none`")
    add("--jobs", metavar="N", help="how many jobs of a queue may wait or run at a time; 0 for none")


def _add_results_and_points(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--known",
        metavar="FILE",
        action="append",
        default=[],
        help="results known from elsewhere, as a CSV file",
    )
    add(
        "--where",
        metavar="X=1",
        action="append",
        default=[],
        help="what all results of these files had in a parameter that they have no column of",
    )
    add("--result", metavar="X=1,Y=2,value=3", action="append", default=[], help="one such result")
    add(
        "--try",
        dest="points",
        metavar="X=1,Y=2",
        action="append",
        default=[],
        help="a point to evaluate next, before what the optimiser asks for, several in their order; or"
        " `best`, `reference` or the number of a trial, perhaps with what is to be otherwise: best,X=1",
    )
    add(
        "--times",
        metavar="N",
        help="how often each of these points is evaluated (1), to see how much values vary",
    )
    add(
        "--retry",
        metavar="TRIAL",
        action="append",
        default=[],
        help="a failed trial to be tried again, or `failed`, all of them: its failure is not to be believed",
    )
    add(
        "--forget",
        metavar="TRIAL",
        type=typed_trial,
        action="append",
        default=[],
        help="a value, failure or forecast not to be believed; of known results the first is 0, the next -1,"
        " and so on",
    )
