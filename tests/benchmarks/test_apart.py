"""Measurements in a process of their own."""

import os

import pytest

from benchmarks.measuring.apart import apart


def test_its_linear_algebra_has_one_thread_whatever_this_process_has():
    assert apart(os.getpid) != os.getpid()
    assert apart(os.getenv, "OMP_NUM_THREADS") == "1"
    assert apart(os.getenv, "OPENBLAS_NUM_THREADS") == "1"


def test_this_process_keeps_its_own_number(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    apart(os.getpid)
    assert os.environ["OMP_NUM_THREADS"] == "3"


def test_what_it_raises_is_raised_here():
    with pytest.raises(ZeroDivisionError):
        apart(divmod, 1, 0)
