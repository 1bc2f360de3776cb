"""Earlier results that are texts, as of a file that csv has read, told to the Python interface."""

import csv

import pytest

from orchestrator import Optimiser
from orchestrator.errors import UsageError

OVEN = {
    "heat": (0.0, 1.0),
    "shelf": {"type": "int", "bounds": [1, 4]},
    "fan": {"type": "choice", "values": ["on", "off"]},
}
ROW = {"heat": 0.9, "shelf": 2, "fan": "off", "value": 3.0}


def read(*lines: str) -> csv.DictReader:
    return csv.DictReader(lines)


def test_a_file_that_csv_has_read_is_learned_though_its_numbers_are_texts() -> None:
    optimiser = Optimiser(OVEN, outcomes=["crust"], noise="reported")
    told = read(
        "trial,heat,shelf,fan,value,variance,crust,state",
        "1,0.25,2,off,1e1,0.5,3,completed",
        "2, .5 ,4.0,off,,,,failed",
        "3,1,1,off,nan,,,failed",
    )
    assert optimiser.learn_all(told) == 3
    first, *failed = optimiser.results()
    assert {name: first[name] for name in ("heat", "shelf", "fan", "value", "variance", "crust")} == {
        "heat": 0.25,
        "shelf": 2,
        "fan": "off",
        "value": 10.0,
        "variance": 0.5,
        "crust": 3.0,
    }
    assert [row["value"] for row in failed] == [None, None]


def test_what_a_text_names_is_itself_before_what_is_written_so() -> None:
    choices = ["1", 1, True, None, "None", 1.5, ""]
    optimiser = Optimiser({"x": (0, 1), "kind": {"type": "choice", "values": choices}}, algorithm="random")
    kinds = ("1", "true", "None", "1.50", "")
    assert optimiser.learn_all(read("x,kind,value", *(f"0.5,{kind},1" for kind in kinds))) == len(kinds)
    assert [row["kind"] for row in optimiser.results()] == ["1", True, "None", 1.5, ""]
    others = Optimiser({"x": (0, 1), "kind": {"type": "choice", "values": [1, None]}}, algorithm="random")
    others.learn_all(read("x,kind,value", "0.5,1,1", "0.5,,2"))
    assert [row["kind"] for row in others.results()] == [1, None]


@pytest.mark.parametrize("line", ["0,5,1,on,3", "0.5,1"])
def test_a_row_that_has_more_cells_than_its_header_or_fewer_is_refused(line: str) -> None:
    with pytest.raises(UsageError, match=r"row 1: expected 4 cells, as many as the header has, got (5|2)"):
        Optimiser(OVEN).learn_all(read("heat,shelf,fan,value", "0.5,1,on,3", line))


@pytest.mark.parametrize("text", ["0,5", "1_000", "0x1", "5 V", "inf", "1.2.3"])
def test_a_text_that_may_be_another_number_is_refused_and_it_is_said_how_it_becomes_one(text: str) -> None:
    for name in ("heat", "value"):
        with pytest.raises(UsageError, match=r"got '.*\nNumbers are texts there that can be read in more"):
            Optimiser(OVEN).learn_all([{**ROW, name: text}])


def test_the_name_of_a_file_is_not_its_rows() -> None:
    with pytest.raises(UsageError, match=r"got 'known.csv'; of a file, what pandas.read_csv returns"):
        Optimiser(OVEN).learn_all("known.csv")
