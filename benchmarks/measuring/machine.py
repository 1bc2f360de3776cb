"""What a measurement was made on, in words for a page."""

from __future__ import annotations

import os
import platform
from datetime import date
from importlib.metadata import version
from pathlib import Path


def machine() -> str:
    """Processor, cores, versions and today's date."""
    return (
        f"{_processor()}, {os.cpu_count()} cores that others used as well,"
        f" Python {platform.python_version()}, numpy {version('numpy')},"
        f" scipy {version('scipy')}, {date.today().isoformat()}"
    )


def _processor() -> str:
    told = Path("/proc/cpuinfo")
    if told.exists():
        for line in told.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
