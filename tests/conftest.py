"""What holds for every test."""

import gc
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings
from remembered_fits import RememberedFits

from orchestrator.runtime.interrupts import interrupts_as_before
from orchestrator.sensitivity import fitted_mixture, held_out

# Processes that tests start, wherever they are, have the packages of this project, and not others installed.
os.environ["PYTHONPATH"] = os.pathsep.join(
    path for path in (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")) if path
)
# What is ignored is so in all that is started: under `nohup` nothing would hear of a terminal that is closed.
in_main_thread = threading.current_thread() is threading.main_thread()
if in_main_thread and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)
# Numerical libraries that start a thread for each core fight each other for the cores.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(variable, "1")
# Whose home cannot be written, as that of a container's user, keeps what is compiled with temporary files.
if "XDG_CACHE_HOME" not in os.environ and not os.access(os.path.expanduser("~"), os.W_OK):
    os.environ["XDG_CACHE_HOME"] = str(Path(tempfile.gettempdir(), f"orchestrator-cache-of-{os.getuid()}"))
# The same examples each time, and none fails for having taken long: no draw and no busy machine decides.
settings.load_profile("ci")
# Collected tests stay to the end: nothing of them is garbage, and there is too much to look through it often.
gc.disable()


@pytest.fixture(autouse=True)
def interrupts_are_what_they_were() -> Iterator[None]:
    """A command that a test runs in this process ignores them up to its end, which here is not near."""
    with interrupts_as_before() if in_main_thread else nullcontext():
        yield


@pytest.fixture(scope="session")
def remembered() -> RememberedFits:
    return RememberedFits()


@pytest.fixture(scope="module")
def fits_remembered(remembered: RememberedFits) -> Iterator[None]:
    """Models of the same results are fitted once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitted_mixture, "AutoRefit", remembered)
        yield


@pytest.fixture(scope="module")
def stretched_to_twice() -> Iterator[None]:
    """Models are twice as unsure as they say: by how much they really are takes fits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(2.0))
        yield


@pytest.fixture(scope="module")
def walked_briefly() -> Iterator[None]:
    """What is plausible of a fit is drawn by the likeliest models, and walks of a hundred steps: enough to
    see where they go.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("orchestrator.sensitivity.composed.MOST_DRAWN", 1)
        patch.setattr("orchestrator.sensitivity.calibration.MOST_STEPS", 100)
        patch.setattr("orchestrator.sensitivity.calibration.FEWER_STEPS", 100)
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What reproduces a paper, or asks other projects' optimisers, takes as long as it takes. Where several
    processes share the suite, files that wait and files that compute are mixed, so that no core is ever idle.
    """
    for item in items:
        if item.get_closest_marker("papers") or item.path.parent.name == "compare":
            item.add_marker(pytest.mark.timeout(0))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: crc32(str(item.path.relative_to(config.rootpath)).encode()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Before the first test, and in the process that gives tests to others, which collects none."""
    gc.freeze()
    gc.enable()
