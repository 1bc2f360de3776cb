"""What is left for a slow thread: the last of it counts, and nothing once it is closed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from orchestrator.system.latest import Latest


def test_of_what_comes_meanwhile_the_last_is_taken() -> None:
    latest: Latest[int] = Latest()
    latest.leave(1)
    latest.leave(2)
    taking = iter(latest)
    assert next(taking) == 2
    latest.leave(3)
    assert next(taking) == 3


def test_it_is_waited_for() -> None:
    latest: Latest[str] = Latest()
    with ThreadPoolExecutor(1) as other:
        taken = other.submit(next, iter(latest))
        latest.leave("a view")
        assert taken.result(60.0) == "a view"


def test_once_it_is_closed_nothing_is_taken_nor_what_was_left_last() -> None:
    latest: Latest[str] = Latest()
    latest.leave("a view")
    latest.close()
    assert list(latest) == []


def test_who_waits_for_more_is_told_that_none_comes() -> None:
    latest: Latest[str] = Latest()
    with ThreadPoolExecutor(1) as other:
        taken = other.submit(list, latest)
        latest.close()
        assert taken.result(60.0) == []
