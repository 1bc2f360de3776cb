"""Several wells of a trial make one result, the mean, whose variance is pooled over the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_plate import BY_PLATE, read

from orchestrator.command_line.replicates import pooled_variance
from orchestrator.errors import SpecError
from orchestrator.runtime.requests.kinds import Record, RecordFailure, Refuse
from orchestrator.scheduler import events as ev

HEAD = "well,trial,gain,waste,price,failed,lost\n"


def test_the_mean_of_a_trial_s_wells_counts_with_its_variance(tmp_path: Path) -> None:
    wells = "A1,1,60,1,30,,\nA2,2,50,2,20,,\nA3,1,62,1,32,,\nA4,1,64,1,34,,\nA5,3,40,1,30,,\n"
    found = read(tmp_path, HEAD + wells, replicates=True)
    assert found.decisions == (
        Record(1, 62.0, 4.0 / 3, extras={"waste": 1.0, "price": 32.0}),
        Record(2, 50.0, 4.0, extras={"waste": 2.0, "price": 20.0}),
        Record(3, 40.0, 4.0, extras={"waste": 1.0, "price": 30.0}),
    )


def test_a_variance_is_pooled_over_trials_and_unknown_where_none_has_two_wells() -> None:
    assert pooled_variance([[1.0, 3.0], [10.0, 10.0], [5.0]]) == 1.0
    assert pooled_variance([[1.0], [5.0]]) is None


def test_of_wells_that_differ_by_more_than_a_float_squared_can_hold_it_is_said(tmp_path: Path) -> None:
    wells = "A1,1,1e200,1,30,,\nA2,1,62,1,32,,\n"
    with pytest.raises(SpecError, match=r"2:4: expected a variance of at least 0, got inf"):
        read(tmp_path, HEAD + wells, replicates=True)


def test_the_mean_of_wells_is_a_number_though_their_sum_is_none(tmp_path: Path) -> None:
    wells = "A1,1,1e308,1,30,,\nA2,1,1e308,1,32,,\n"
    (one,) = read(tmp_path, HEAD + wells, replicates=True).decisions
    assert one == Record(1, 1e308, 0.0, extras={"waste": 1.0, "price": 31.0})


def test_a_well_that_was_lost_does_not_count_and_a_trial_may_have_lost_or_failed_in_all(
    tmp_path: Path,
) -> None:
    wells = "A1,1,,,,,clogged\nA2,1,60,1,30,,\nB1,2,,,,dead,\nB2,2,,,,dead,\nC1,3,,,,,spilt\nC2,3,,,,,spilt\n"
    assert read(tmp_path, HEAD + wells, replicates=True).decisions == (
        Record(1, 60.0, extras={"waste": 1.0, "price": 30.0}),
        RecordFailure(2, "dead"),
        Refuse(3, "spilt", forget=True),
    )


def test_wells_that_were_recorded_are_passed_over_though_more_of_the_plate_says_how_they_vary(
    tmp_path: Path,
) -> None:
    recorded = ev.ResultArrived(
        at=2.0, worker="person", lease="1.1", value=61.0, variance=1.0, extras={"waste": 1.0, "price": 31.0}
    )
    wells = "A1,1,60,1,30,,\nA2,1,62,1,32,,\nB1,2,40,1,30,,\nB2,2,50,1,30,,\n"
    found = read(tmp_path, HEAD + wells, recorded, replicates=True)
    assert [(one.trial, one.value) for one in found.decisions if isinstance(one, Record)] == [(2, 45.0)]
    assert found.known == 2


def test_replicates_are_of_one_block_which_each_or_the_first_of_them_says(tmp_path: Path) -> None:
    wells = "trial,gain,plate\n1,60,7\n1,62,7.0\n2,50,\n2,51,8\n3,40,\n3,41,\n"
    found = read(tmp_path, wells, spec=BY_PLATE, replicates=True)
    blocks = [one.extras for one in found.decisions if isinstance(one, Record)]
    assert blocks == [{"plate": "7"}, {"plate": "8"}, {}]
    with pytest.raises(SpecError, match=r"3:6: expected the replicates of trial 1 to be of one block.*got 8"):
        read(tmp_path, "trial,gain,plate\n1,60,7\n1,62,8\n", spec=BY_PLATE, replicates=True)


def test_a_failure_beside_values_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        SpecError, match="got trial 1 again; where one of its replicates does not count, say why"
    ):
        read(tmp_path, f"{HEAD}A1,1,60,1,30,,\nA2,1,,,,dead,\n", replicates=True)
    with pytest.raises(SpecError, match="expected no column `variance` beside --replicates"):
        read(tmp_path, "trial,gain,waste,price,variance\n1,60,1,30,2\n", replicates=True)
