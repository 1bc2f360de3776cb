"""A search that a file keeps: what ended it, and how it goes on."""

import errno
import fcntl
import json
import math
import os
import pickle
import signal
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from msgspec import Raw
from priced_parameters import PARAMETERS, cost
from quick_options import quick_options

from orchestrator import Optimiser, minimise
from orchestrator.errors import StoreError, UsageError
from orchestrator.runtime.folder.journal import Header, encode_line
from orchestrator.search_files.events import Opened
from orchestrator.search_files.file import StoreFile
from orchestrator.system.checked_lines import Record, checked_line
from orchestrator.system.disk import DISK

OPENED = Opened("2026-11-28T12:00:00+00:00", "lab", 17)
BOX = {"x": (0.0, 1.0), "n": {"type": "int", "bounds": [1, 5]}}


class Killed(BaseException):
    """Stands for what ends a process: nothing is done about it."""


def bowl(parameters):
    return (parameters["x"] - 0.3) ** 2 + abs(parameters["n"] - 3)


class KilledAt:
    """A function whose process ends at some of its calls, counted from 1."""

    def __init__(self, calls, function=bowl):
        self.calls, self.function = calls, function
        self.made = []

    def __call__(self, parameters):
        self.made.append(parameters)
        if len(self.made) in self.calls:
            raise Killed
        return self.function(parameters)


def events(path, kind):
    lines = map(json.loads, path.read_text().splitlines())
    return [line["data"] for line in lines if line["event"] == kind]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "search.jsonl"


@pytest.mark.parametrize("name", ["gp-ei", "boo"])
def test_one_that_is_killed_goes_on_as_one_that_was_not(name, path):
    terms = {"algorithm": name, "options": quick_options(name), "seed": 3}
    whole = minimise(cost, PARAMETERS, 12, **terms)
    fragile = KilledAt({1, 5, 11}, cost)
    for _ in range(3):
        with pytest.raises(Killed):
            minimise(fragile, PARAMETERS, 12, **terms, store=path)
    found = minimise(fragile, PARAMETERS, 12, **terms, store=path)
    assert list(found.results()) == list(whole.results())
    assert fragile.made[4] == fragile.made[5]
    again = Optimiser(PARAMETERS, goal="minimise", **terms, store=str(path))
    assert again.ask()[0].parameters == whole.ask()[0].parameters


def test_the_same_call_evaluates_nothing_twice_and_more_trials_go_on(path):
    fragile = KilledAt(())
    for trials in (5, 5, 8):
        found = minimise(fragile, BOX, trials, algorithm="random", store=path)
        assert (found.told, len(fragile.made)) == (trials, trials)
    assert found.store == path
    assert len(events(path, "Opened")) == 3


def test_what_runs_at_a_time_is_begun_again(path):
    def fragile(parameters):
        if len(events(path, "TrialTold")) > 4:
            raise Killed
        return bowl(parameters)

    with ThreadPoolExecutor(3) as executor:
        with pytest.raises(Killed):
            minimise(fragile, BOX, 12, algorithm="random", executor=executor, store=path)
        left = Optimiser(BOX, goal="minimise", algorithm="random", store=path).pending
        assert left
        found = minimise(bowl, BOX, 12, algorithm="random", executor=executor, store=path)
    assert sorted(row["trial"] for row in found.results()) == list(range(1, 13))
    assert len(events(path, "TrialsAsked")[-1]["trials"]) >= 1


def test_an_interrupt_leaves_the_trial_for_the_next_time(path):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupted(parameters):
        if len(made) == 3:
            signal.raise_signal(signal.SIGINT)
        made.append(parameters)
        return bowl(parameters)

    made = []
    try:
        with pytest.warns(RuntimeWarning, match="interrupted after 3 of 5 trials"):
            found = minimise(interrupted, BOX, 5, algorithm="random", store=path)
    finally:
        signal.signal(signal.SIGINT, before)
    assert found.pending == (4,)
    assert len(minimise(bowl, BOX, 5, algorithm="random", store=path).results()) == 5


def test_a_function_that_is_wrong_in_a_new_kernel_costs_no_trial(path):
    minimise(bowl, BOX, 4, algorithm="random", store=path)
    with pytest.raises(ZeroDivisionError):
        minimise(lambda _: 1 / 0, BOX, 8, algorithm="random", store=path)
    found = minimise(bowl, BOX, 8, algorithm="random", store=path)
    assert [row["state"] for row in found.results()] == ["completed"] * 8


def test_all_that_may_be_said_in_a_loop_of_one_s_own_is_kept(path):
    parameters = {
        **BOX,
        "k": {"type": "choice", "values": ["a", None, (8, 8), True]},
        "site": {"type": "fixed", "value": {"a": 1}},
    }
    terms = {"algorithm": "gp-ei", "options": {"start_points": 3}, "outcomes": ["heat"]}
    plain, kept = Optimiser(parameters, **terms), Optimiser(parameters, **terms, store=path)
    for one in (plain, kept):
        one.learn({"x": np.float32(0.25), "n": 2.4, "k": (8, 8)}, 1.0, outcomes={})
        one.learn_all([{"x": 0.5, "n": 1, "k": None, "value": 2.0, "heat": 3.0}])
        mine = one.attach({"x": np.float64(0.125), "n": np.int64(5), "k": True})
        one.tell(mine.trial, np.float32(1.5), variance=0.25, outcomes={"heat": np.float64(2.0)})
        for asked in one.ask(4, held={"n": np.int64(4)}):
            if asked.trial < 4:
                one.tell(
                    asked.trial, None if asked.trial == 2 else asked.parameters["x"], outcomes={"heat": 1.0}
                )
        one.abandon(4)
        one.recommend(held={"n": 4})
    again = Optimiser(parameters, **terms, store=path)
    assert again.results() == plain.results()
    assert again.pending == (5,)
    assert again.told == 3
    (left,) = again.ask(held={"n": 4})
    assert left.trial == 5
    for one in (plain, again):
        one.tell(5, 0.5, outcomes={"heat": 1.0})
    assert again.ask()[0] == plain.ask()[0]


def test_what_was_asked_while_other_parameters_were_held_waits(path):
    room = Optimiser(BOX, algorithm="gp-ei", store=path)
    room.ask(held={"n": 2})
    room = Optimiser(BOX, algorithm="gp-ei", store=path)
    assert [asked.trial for asked in room.ask(2, held={"n": 3})] == [2, 3]
    assert [asked.trial for asked in room.ask(2, held={"n": 2})] == [1, 4]


def test_a_trial_within_reach_is_asked_for_again(path):
    magnet = {"x": {"type": "float", "bounds": (0, 100), "travel": 5}}
    machine = Optimiser(magnet, algorithm="random", store=path)
    machine.tell(machine.attach({"x": 20}).trial, 1.0)
    (asked,) = machine.ask()
    machine = Optimiser(magnet, algorithm="random", store=path)
    (again,) = machine.ask()
    assert again == asked
    machine.tell(again.trial, 2.0)
    assert abs(machine.ask()[0].parameters["x"] - again.parameters["x"]) <= 5.0 + 1e-6


def test_another_problem_is_refused_with_what_differs(path):
    minimise(bowl, BOX, 2, algorithm="random", store=path)
    before = path.read_bytes()
    other = {"x": (0.0, 2.0), "m": {"type": "int", "bounds": [1, 5]}}
    with pytest.raises(
        StoreError, match=r"`x` is .*\[0.0, 1.0\].* there, and .*\[0.0, 2.0\].* here; parameter `n`"
    ):
        minimise(bowl, other, 2, algorithm="random", store=path)
    with pytest.raises(StoreError, match="`seed` is 0 there, and 1 here"):
        minimise(bowl, BOX, 2, algorithm="random", seed=1, store=path)
    with pytest.raises(StoreError, match="`goal` is 'minimise' there, and 'maximise' here"):
        Optimiser(BOX, algorithm="random", store=path)
    with pytest.raises(StoreError, match="the order of the parameters is x, n there, and n, x here"):
        minimise(bowl, dict(reversed(BOX.items())), 2, algorithm="random", store=path)
    assert path.read_bytes() == before


def test_from_which_amount_on_a_parameter_is_used_is_kept(path):
    x = {"type": "float", "bounds": [0, 9], "least": 2}
    Optimiser({"x": x}, algorithm="random", store=path).close()
    (began,) = events(path, "Began")
    assert began["problem"]["constraints"] == ["2 * count(x) <= x"]
    with pytest.raises(StoreError, match=r"3 \* count\(x\) <= x'\] here"):
        Optimiser({"x": x | {"least": 3}}, algorithm="random", store=path)


def test_a_file_of_something_else_is_left_alone(path):
    path.write_text("my notes")
    with pytest.raises(StoreError, match=r"got another one. Nothing was changed"):
        minimise(bowl, BOX, 2, algorithm="random", store=path)
    assert path.read_text() == "my notes"


def test_the_journal_of_a_run_is_no_search_of_a_later_version(path):
    path.write_bytes(encode_line(0, Header(1, "orchestrator 0.1.0", "experiment: wing")))
    journal = path.read_bytes()
    with pytest.raises(StoreError, match=r"got the journal of a run. Nothing was changed. Name another file"):
        minimise(bowl, BOX, 2, algorithm="random", store=path)
    assert path.read_bytes() == journal


def test_a_line_that_is_torn_did_not_happen_and_one_that_is_damaged_is_named(path):
    minimise(bowl, BOX, 3, algorithm="random", store=path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    assert minimise(bowl, BOX, 3, algorithm="random", store=path).told == 3
    path.write_bytes(whole[:20])
    assert minimise(bowl, BOX, 3, algorithm="random", store=path).told == 3
    lines = whole.splitlines(keepends=True)
    lines[3] = lines[3].replace(b"trial", b"TRIAL")
    path.write_bytes(b"".join(lines))
    with pytest.raises(StoreError, match="line 4 is damaged: its checksum does not match"):
        minimise(bowl, BOX, 3, algorithm="random", store=path)


def test_a_line_of_a_later_version_is_no_damage(path):
    minimise(bowl, BOX, 1, algorithm="random", store=path)
    number = len(path.read_bytes().splitlines())
    with path.open("ab") as file:
        file.write(checked_line(Record(number, "TrialDreamt", Raw(b"{}"))))
    with pytest.raises(StoreError, match=r"holds a TrialDreamt, .* Use the version that wrote it"):
        minimise(bowl, BOX, 3, algorithm="random", store=path)


def test_a_second_process_is_kept_out_and_told_who_is_in(path):
    optimiser = Optimiser(BOX, algorithm="random", store=path)
    child = os.fork()
    if not child:
        # Only what is locked by another process keeps one out.
        try:
            optimiser.ask()
        except StoreError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    optimiser.close()
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match=f"is being written by process {os.getpid()} on "):
            Optimiser(BOX, algorithm="random", store=path)
    assert Optimiser(BOX, algorithm="random", store=path).pending == ()


def test_who_only_looks_whether_it_is_written_keeps_nobody_out(path):
    Optimiser(BOX, algorithm="random", store=path).close()
    looker = path.open("rb")
    fcntl.flock(looker, fcntl.LOCK_SH)
    threading.Timer(0.05, looker.close).start()
    assert Optimiser(BOX, algorithm="random", store=path).store == path


def test_a_cell_that_is_run_again_takes_the_file_over(path):
    first = Optimiser(BOX, algorithm="random", store=path)
    (asked,) = first.ask()
    second = Optimiser(BOX, algorithm="random", store=path)
    with pytest.raises(StoreError, match=r"let go of.* Open it anew"):
        first.tell(asked.trial, 1.0)
    assert second.ask() == [asked]
    second.close()
    with pytest.raises(StoreError, match="let go of"):
        second.tell(asked.trial, 1.0)
    assert second.pending == (asked.trial,)


def test_a_copy_is_kept_by_no_file(path):
    optimiser = Optimiser(BOX, algorithm="random", store=path)
    copy = pickle.loads(pickle.dumps(optimiser))
    copy.tell(copy.ask()[0].trial, 1.0)
    assert copy.store is None
    assert optimiser.told == 0


def test_what_cannot_be_written_did_not_happen(path, monkeypatch):
    def full(descriptor, block):
        os.write(descriptor, block[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    optimiser = Optimiser(BOX, algorithm="random", store=path)
    (asked,) = optimiser.ask()
    with monkeypatch.context() as patched:
        patched.setattr(DISK, "append", full)
        with pytest.raises(StoreError, match=r"No space left on device. Make room"):
            optimiser.tell(asked.trial, 1.0)
    assert optimiser.pending == (asked.trial,)
    optimiser.tell(asked.trial, 1.0)
    assert Optimiser(BOX, algorithm="random", store=path).told == 1


def test_a_file_that_is_deleted_meanwhile_is_put_back(path):
    def careless(parameters):
        path.unlink(missing_ok=True)
        return bowl(parameters)

    with pytest.raises(StoreError, match=r"was deleted.* goes on from there by the same arguments"):
        minimise(careless, BOX, 3, algorithm="random", store=path)
    assert minimise(bowl, BOX, 3, algorithm="random", store=path).told == 3
    assert len(events(path, "TrialTold")) == 3


@pytest.mark.parametrize(("place", "words"), [("none/a.jsonl", "Make its folder"), ("", "Name a file in it")])
def test_where_nothing_can_be_kept_is_said(tmp_path, place, words):
    with pytest.raises(StoreError, match=words):
        Optimiser(BOX, store=tmp_path / place)


def test_what_a_file_cannot_hold_is_refused(path):
    for values in ([len, max], ["tea", "caf\udce9"], [1.0, math.inf], [(1, -math.inf), (2, 3)]):
        with pytest.raises(UsageError, match=r"choices that a file can hold .* give it a name"):
            Optimiser({"f": {"type": "choice", "values": values}}, store=path)
    for place in (True, "a\0b"):
        with pytest.raises(UsageError, match="expected the path of a file as `store`"):
            Optimiser(BOX, store=place)
    with pytest.raises(UsageError, match=r"got 'sqlite:///a.db', an address: a search is kept in a file"):
        Optimiser(BOX, store="sqlite:///a.db")
    with pytest.raises(UsageError, match="`store` names a file that keeps it"):
        minimise(bowl, BOX, 3, storage="sqlite:///a.db")  # type: ignore[call-arg]
    assert not path.exists()


def test_a_kind_of_text_of_the_caller_s_own_is_kept_as_the_text(path):
    class Solver(str):
        pass

    solver = {"type": "choice", "values": [Solver("cg"), Solver("lu")]}
    steps = {"type": "float", "bounds": [0, 1], "when": {"solver": Solver("cg")}}
    for _ in range(2):
        Optimiser({"solver": solver, "steps": steps}, store=path).close()


def test_a_file_that_nobody_holds_any_more_is_free(path):
    file = StoreFile(path, {"parameters": {}}, OPENED)
    del file
    with path.open("rb") as other, warnings.catch_warnings():
        warnings.simplefilter("error")
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
