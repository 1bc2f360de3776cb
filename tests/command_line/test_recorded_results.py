"""Results of many trials that a person read off an instrument, recorded from the rows of a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from recorded_plate import BEGUN, BY_PLATE, PLATE, interrupted_run, read

from orchestrator.cli import main
from orchestrator.command_line import decisions
from orchestrator.errors import SpecError
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import Record, RecordFailure, Refuse, Verdict
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import BlockBegan
from orchestrator.spec.load import load_spec_text


def recorded(trial: int, value: float) -> ev.ResultArrived:
    return ev.ResultArrived(
        at=2.0, worker="person", lease=f"{trial}.1", value=value, extras={"waste": 1.0, "price": 30.0}
    )


def test_rows_come_in_any_order_and_beside_columns_of_others(tmp_path: Path) -> None:
    table = "well,price,trial,state,waste,gain,failed\nB1,30,3,running,1.5,61,\nA1,,1,running,,,bubble\n"
    found = read(tmp_path, table)
    assert found.decisions == (
        Record(3, 61.0, extras={"waste": 1.5, "price": 30.0}),
        RecordFailure(1, "bubble"),
    )


def test_a_row_whose_state_says_that_it_failed_has_failed_as_export_writes_it(tmp_path: Path) -> None:
    table = (
        "trial,state,gain,acid,waste,price,message\n1,completed,61.0,0.2,1.0,30.0,\n2,failed,,0.2,,,no gain\n"
        "3,failed,,0.2,,,\n4,queued,,0.2,,,\n"
    )
    found = read(tmp_path, table)
    assert found.decisions == (
        Record(1, 61.0, extras={"waste": 1.0, "price": 30.0}),
        RecordFailure(2, "no gain"),
        RecordFailure(3, "failed, as a table of results says"),
    )
    assert found.unmeasured == 1
    failed = [ev.TrialRefused(at=2.0, trial=trial, reason="no gain") for trial in (2, 3)]
    again = read(tmp_path, table, recorded(1, 61.0), *failed)
    assert (again.decisions, again.known) == ((), 3)


def test_what_was_measured_and_lost_counts_whatever_the_state_was_before(tmp_path: Path) -> None:
    table = "trial,state,gain,waste,price,lost\n1,failed,61,1,30,\n2,failed,,,,spilt\n"
    assert read(tmp_path, table).decisions == (
        Record(1, 61.0, extras={"waste": 1.0, "price": 30.0}),
        Refuse(2, "spilt", forget=True),
    )


def test_a_well_that_was_lost_is_refused_and_forgotten_beside_what_is_recorded(tmp_path: Path) -> None:
    found = read(tmp_path, "trial,gain,waste,price,lost\n1,61,1,30,\n2,,,,pipette clogged\n4,,,,spilt\n")
    assert found.decisions == (
        Record(1, 61.0, extras={"waste": 1.0, "price": 30.0}),
        Refuse(2, "pipette clogged", forget=True),
        Refuse(4, "spilt", forget=True),
    )
    lost = ev.TrialRefused(at=2.0, trial=2, reason="pipette clogged", forgotten=True)
    assert read(tmp_path, "trial,lost\n2,pipette clogged\n", lost).known == 1


def test_what_failed_is_not_lost_before_it_is_forgotten(tmp_path: Path) -> None:
    failed = ev.TrialRefused(at=2.0, trial=2, reason="no gain")
    how = (
        r"trial 2 is failed already; for nothing to follow from that: orchestrator amend --forget 2 --reason"
    )
    with pytest.raises(SpecError, match=how):
        read(tmp_path, "trial,lost\n2,pipette clogged\n", failed)
    forgotten = ev.ObservationsForgotten(at=3.0, trials=(2,), reason="pipette clogged")
    assert read(tmp_path, "trial,lost\n2,pipette clogged\n", failed, forgotten).known == 1


def test_what_is_said_to_have_failed_of_a_trial_that_was_abandoned_was_not_recorded_before(
    tmp_path: Path,
) -> None:
    amended = ev.BoundsAmended(at=2.0, bounds={"acid": (0.5, 1.0)})
    with pytest.raises(SpecError, match="trial 4 is abandoned already"):
        read(tmp_path, "trial,failed\n4,spilt\n", amended)


def test_a_spreadsheet_s_semicolons_and_decimal_commas_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, "trial;gain;waste;price;variance\n1;61,5;1,5;30;0,2\n")
    assert found.decisions == (Record(1, 61.5, 0.2, extras={"waste": 1.5, "price": 30.0}),)


def test_a_plate_is_the_same_however_its_number_is_written(tmp_path: Path) -> None:
    rows = "trial;Gewinn (dB);Plate\n1;61,5;7\n2;62;7,0\n3;60;A 7\n"
    found = read(tmp_path, rows, spec=BY_PLATE)
    said = [one.extras for one in found.decisions if isinstance(one, Record)]
    assert said == [{"plate": "7"}, {"plate": "7"}, {"plate": "A 7"}]
    before = ev.ResultArrived(at=2.0, worker="person", lease="1.1", value=61.5, extras={"plate": "7"})
    for cell in ("7", "7.0", ""):
        assert read(tmp_path, f"trial,gain,plate\n1,61.5,{cell}\n", before, spec=BY_PLATE).known == 1


def test_a_row_of_the_plate_that_its_trial_is_of_anyway_is_passed_over(tmp_path: Path) -> None:
    begun = [*BEGUN[:1], BlockBegan(at=0.5, block="7"), *BEGUN[1:]]
    as_amended = ev.ResultArrived(at=2.0, worker="person", lease="1.1", value=3.5)
    as_a_number = ev.ResultArrived(at=2.0, worker="person", lease="2.1", value=4.5, extras={"plate": 8.0})
    known = "trial,plate,gain\n1,7,3.5\n2,8,4.5\n"
    assert read(tmp_path, known, as_amended, as_a_number, spec=BY_PLATE, begun=begun).known == 2
    with pytest.raises(SpecError, match="trial 1 is completed already"):
        read(tmp_path, "trial,plate,gain\n1,8,3.5\n", as_amended, spec=BY_PLATE, begun=begun)


def test_that_a_column_may_be_the_plate_s_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, "trial,gain,plates\n1,61,7\n", spec=BY_PLATE)
    assert [one.partition("; if it is")[0] for one in found.remarks] == ["the column `plates` is left alone"]
    with pytest.raises(SpecError, match="expected each column once, got `plate` 2 times"):
        read(tmp_path, "trial,gain,plate,plate\n1,61,7,8\n", spec=BY_PLATE)


def test_an_instrument_s_own_headings_are_read_and_misspelt_ones_are_told_of(tmp_path: Path) -> None:
    text = f'{PLATE}columns: {{Well: trial, "Gain / dB": gain}}\n'
    table = "Well,Gain / dB,waste,price,Failed,varience,position\n1,61,1,30,,0.2,B1\n"
    found = read(tmp_path, table, spec=load_spec_text(text, "plate.yaml", None).spec)
    assert found.decisions == (Record(1, 61.0, extras={"waste": 1.0, "price": 30.0}),)
    assert [said.partition("; if it is")[::2] for said in found.remarks] == [
        ("the column `Failed` is left alone", " `failed`, rename it, or say so under `columns`"),
        ("the column `varience` is left alone", " `variance`, rename it, or say so under `columns`"),
    ]


def test_a_row_that_was_corrected_since_is_passed_over_like_those_recorded_before(tmp_path: Path) -> None:
    outcomes = {"waste": 1.0, "price": 30.0}
    known = ev.KnownResult(parameters={"acid": 0.2}, value=62.0, outcomes=outcomes)
    corrected = (
        ev.ResultsAdded(at=3.0, results=(known,), request="corrected"),
        ev.ObservationsForgotten(at=3.0, trials=(1,), reason="mistyped", request="corrected"),
    )
    table = "trial,gain,waste,price\n1,62,1,30\n4,50,1,30\n"
    found = read(tmp_path, table, recorded(1, 61.0), *corrected)
    assert [decision.trial for decision in found.decisions] == [4]
    assert found.known == 1


def test_an_instrument_s_wells_that_are_of_no_trial_are_passed_over(tmp_path: Path) -> None:
    found = read(tmp_path, "well,trial,gain,waste,price\nA1,,12,0.1,\nA2,1,61,1,30\nA3, ,OVER,,\n")
    assert found.decisions == (Record(1, 61.0, extras={"waste": 1.0, "price": 30.0}),)
    assert found.of_no_trial == 2


def test_rows_that_are_not_measured_or_recorded_before_are_passed_over(tmp_path: Path) -> None:
    table = "trial,gain,waste,price\n1,61,1,30\n2,,,\n3,nan,,\n4,50,1,30\n"
    found = read(tmp_path, table, recorded(1, 61.0))
    assert [decision.trial for decision in found.decisions] == [4]
    assert (found.unmeasured, found.known) == (2, 1)


def test_a_row_with_another_variance_than_was_recorded_is_not_passed_over(tmp_path: Path) -> None:
    table, before = "trial,gain,waste,price,variance\n1,61,1,30,0.2\n", recorded(1, 61.0)
    same = replace(before, variance=0.2)
    assert read(tmp_path, table, same).known == 1
    other = replace(before, variance=0.1)
    with pytest.raises(SpecError, match="with 61; if that was typed wrongly, say --correct"):
        read(tmp_path, table, other)
    assert len(read(tmp_path, table, other, correct=True).decisions) == 1


@pytest.mark.parametrize(
    ("rows", "at", "said"),
    [
        (
            "3,OVER,1,30\n",
            "2:3",
            "expected a finite number, got `OVER`; where there is none, leave the row empty",
        ),
        ('3,"6,5",1,30\n', "2:3", "got `6,5`; decimals come after a point"),
        ("3,,1,30\n", "2:3", "expected a value beside what else was measured, got none"),
        ("3,61,,30\n", "2:6", "expected `waste` beside the value, got none"),
        ("3,<0.5,1,30\n", "2:3", "got `<0.5`; of what lies beyond what can be measured, write that limit"),
        ("3,61 g,1,30\n", "2:3", "got `61 g`; write the number alone, without a unit or another sign"),
        ("3,85%,1,30\n", "2:3", "got `85%`; write the number alone"),
        (
            "Mean,61,1,30\n",
            "2:1",
            "the number of a trial: expected a whole number above 0, got Mean; leave that cell empty in rows"
            " of no trial",
        ),
        (
            "3,61,1,30\n3,62,1,30\n",
            "3:1",
            "expected each trial once, got trial 3 again; rows of replicates are read",
        ),
        ("9,61,1,30\n", "2:1", "expected a trial from 1 to 4, got 9"),
        ("3,61,1,30,,spilt\n", "2:12", "expected one of a value, `failed` and `lost`, got several"),
        ("3,,,,bubble,spilt\n", "2:13", "expected one of a value, `failed` and `lost`, got several"),
        ("1,62,1,30\n", "2:1", "trial 1 is completed already, with 61; if that was typed wrongly, say"),
        ("4,61,1,30\n3,OVER,1,30\n", "3:3", "expected a finite number"),
    ],
)
def test_what_cannot_be_recorded_is_said_at_its_place_and_nothing_is(
    tmp_path: Path, rows: str, at: str, said: str
) -> None:
    header = "trial,gain,waste,price" + (",failed,lost" if "spilt" in rows else "")
    with pytest.raises(SpecError) as refused:
        read(tmp_path, f"{header}\n{rows}", recorded(1, 61.0))
    assert f"read.csv:{at}: " in str(refused.value)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("0,2;gel", None),
        ("0,1987654;gel", None),
        ("0,19877;", None),
        ("02. Jan;Gelee", None),
        (";", None),
        (
            "0,21;gel",
            "2:16: expected acid = 0.1987654, as of trial 1, got `0.21`; mend the number of the trial, or",
        ),
        ("0,1987655;gel", "got `0.1987655`"),
        ("0,2;none", "2:20: expected medium = gel, as of trial 1, got `none`"),
    ],
)
def test_a_row_with_the_settings_of_another_trial_is_refused(
    tmp_path: Path, settings: str, said: str | None
) -> None:
    text = PLATE.replace("}}\n", "}, medium: {type: choice, values: [gel, none]}}\n", 1)
    spec = load_spec_text(text, "plate.yaml", None).spec
    begun = [replace(BEGUN[0], points=({"acid": 0.1987654, "medium": "gel"},)), BEGUN[1]]
    table = f"trial;gain;waste;price;acid;medium\n1;61,5;1,25;30;{settings}\n"
    if said is None:
        assert len(read(tmp_path, table, spec=spec, begun=begun).decisions) == 1
    else:
        with pytest.raises(SpecError) as refused:
            read(tmp_path, table, spec=spec, begun=begun)
        assert said in str(refused.value)
        table = f"trial;gain;waste;price;acid;medium;lost\n1;;;;{settings};dosed otherwise\n"
        assert read(tmp_path, table, spec=spec, begun=begun).decisions == (
            Refuse(1, "dosed otherwise", forget=True),
        )


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("Trial,gain,waste,price", "expected a column `trial`, got none (is it `Trial`?)"),
        (
            "trial,gian,waste,price",
            "expected a column named `gain`, `value`, `failed` or `lost`, got none (is it",
        ),
        ("trial,gain,price", "expected a column `waste`, got none"),
        ("trial,gain,gain,waste,price", "expected each column once, got `gain` 2 times"),
    ],
)
def test_a_column_that_is_missing_or_twice_is_named(tmp_path: Path, header: str, said: str) -> None:
    with pytest.raises(SpecError) as refused:
        read(tmp_path, f"{header}\n{','.join('1' for _ in header.split(','))}\n")
    assert said in str(refused.value)


def test_what_nobody_is_at_waits_for_a_run_that_nobody_works_on(tmp_path: Path) -> None:
    table = "trial,gain,waste,price\n4,61,1,30\n"
    assert read(tmp_path, table, held=False).decisions != ()
    with pytest.raises(SpecError, match="but trial 4 is queued"):
        read(tmp_path, table)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That of a run that nobody works on."""
    monkeypatch.chdir(tmp_path)
    return interrupted_run(tmp_path / "logs")


def test_all_of_a_file_is_left_for_a_run_that_nobody_works_on(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "read.csv").write_text("trial,gain,waste,price\n2,50,1,30\n1,61,1,30\n3,,,\n")
    assert main(["record", "--results", "read.csv"]) == 0
    said = capsys.readouterr().err
    assert said.count("nobody works on plate-1 now") == 1
    assert said.endswith("read.csv: 2 results; passed over: 1 row not measured\n")
    assert [one.request.trial for one in Desk(RunFolder(folder)).waiting() if one.request] == [2, 1]
    with (tmp_path / "read.csv").open("a") as more:
        more.write("4,48,1,30\n")
    assert main(["record", "--results", "read.csv"]) == 0
    said = capsys.readouterr().err
    assert said.endswith("read.csv: 1 result; passed over: 1 row not measured, 2 rows recorded before\n")
    assert main(["record", "--results", "read.csv", "--extra", "x=1"]) == 2
    assert "all else is in the file" in capsys.readouterr().err


def test_what_is_recorded_anew_before_it_is_taken_up_replaces_what_was_mistyped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = ["--extra", "waste=1", "--extra", "price=30"]
    assert main(["record", "2", "--value", "480", *outcomes]) == 0
    assert main(["record", "2", "--value", "48", *outcomes]) == 0
    assert "no longer: trial 2 is to be recorded with 480\n" in capsys.readouterr().err
    assert main(["record", "3", "--failed", "spilt"]) == 0
    (folder.parent.parent / "read.csv").write_text("trial,gain,waste,price\n2,47,1,30\n3,51,1,30\n")
    assert main(["record", "--results", "read.csv"]) == 0
    left = [waiting.request for waiting in Desk(RunFolder(folder)).waiting()]
    told = {"waste": 1.0, "price": 30.0}
    assert left == [Record(2, 47.0, extras=told), Record(3, 51.0, extras=told)]


def test_a_refusal_does_not_replace_what_was_recorded(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "2", "--failed", "spilt"]) == 0
    assert main(["refuse", "2", "--reason", "lost"]) == 2
    assert "expected one decision at a time on trial 2" in capsys.readouterr().err


def test_what_was_recorded_of_many_is_counted_and_what_was_refused_is_said_one_by_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = RunFolder(Path("logs/plate-1"))
    both = [Record(1, 61.0), Record(2, 50.0), Record(3, 40.0)]
    said = [Verdict(True, "trial 1 is recorded"), Verdict(False, "trial 2 is queued"), Verdict(True, "3")]
    assert decisions._say_answers(both, said, folder) == 1
    assert capsys.readouterr().err == "2 results are recorded\ntrial 2 is queued\n"
    assert decisions._say_answers(both[:1], said[:1], folder) == 0
    assert capsys.readouterr().err == "trial 1 is recorded\n"
