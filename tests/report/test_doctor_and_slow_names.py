"""`doctor --connect` says what it knows by then, however long a name server takes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = """\
#include <unistd.h>
struct addrinfo;
int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found) {
    for (;;) sleep(60);
}
"""
ASKED = """\
from orchestrator.report.doctor.reachability import why_unreachable
print(why_unreachable("tcp://arm.example:25555", None, 0.2))
"""


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="made by a C compiler")
def test_a_name_server_that_never_answers_is_told_of_and_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "slow.c").write_text(SLOW)
    library = tmp_path / "slow.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "slow.c"], check=True, timeout=300)
    # It fails by its timeout where names are waited for.
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "`arm.example`" in done.stdout
    assert "has not been found out within 0.2 s" in done.stdout
