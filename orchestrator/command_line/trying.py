"""The command that evaluates one point of a spec, to see whether all of it is read as it is meant."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.command_line.files import DONE, FAILED, say, say_remarks, write
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.expressions.counts import in_words

if TYPE_CHECKING:
    from orchestrator.spec.load import LoadedSpec


def try_spec(parsed: argparse.Namespace) -> int:
    """Evaluate one point of a spec here, apart from any run, and say what was printed and what is read."""
    from orchestrator.command_line.tried_point import point_to_try, try_point
    from orchestrator.report.doctor.readiness import refuse_unless_ready
    from orchestrator.report.words import tried
    from orchestrator.report.words.wording import parameter_words
    from orchestrator.scheduler.events import ResultArrived
    from orchestrator.scheduler.rules.places import away, away_words
    from orchestrator.spec.build import build_space
    from orchestrator.values.printable import printable

    loaded = _loaded(Path(parsed.spec))
    say_remarks(loaded.remarks)
    spec = loaded.spec
    point = point_to_try(spec, parsed.settings)
    space = build_space(spec)
    if sentence := space.no_row(point):
        raise UsageError(sentence)
    refuse_unless_ready(spec, Path(parsed.spec).parent)
    where = ", ".join(f"{name} = {text}" for name, text in parameter_words(spec, point, 8))
    say(f"trying {where}\n", sys.stderr)
    if broken := space.broken_by(point):
        texts = [printable(in_words(text)) for text in broken]
        say_remarks([f"it breaks `{'`, `'.join(texts)}`, and so would not be asked for"])
    if away(spec.held, point):
        say_remarks([f"it lies {printable(away_words(spec.held, point))}, and so would not be asked for"])
    folder = _scratch()
    try:
        found = try_point(spec, point, folder, lambda sentence: say(f"{sentence}\n", sys.stderr))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    lines = [
        *tried.printed(found.folder),
        *tried.reported(spec.evaluation, found.reports, found.last, found.quantities),
        *tried.came(spec, found.came),
        *tried.amid_the_rest(spec.evaluation, found.folder, found.came),
    ]
    write("".join(f"{line}\n" for line in lines), None)
    if found.folder.is_dir():
        say(f"its files are in {found.folder}, and no run knows of it\n", sys.stderr)
    else:
        folder.rmdir()
    return DONE if isinstance(found.came, ResultArrived) else FAILED


def _loaded(path: Path) -> LoadedSpec:
    """The spec in a file; that of a run without files of known results, which lie where it was started."""
    from orchestrator.runtime.folder.run_folder import RunFolder
    from orchestrator.spec.document.text_file import read_text
    from orchestrator.spec.load import SIZE_LIMIT, load_spec, load_spec_text

    run = RunFolder(path.parent)
    if path.name != run.spec.name or not run.journal.is_file():
        return load_spec(path)
    return load_spec_text(read_text(path, SIZE_LIMIT), str(path), None)


def _scratch() -> Path:
    import tempfile

    try:
        return Path(tempfile.mkdtemp(prefix="orchestrator-try-"))
    except OSError as error:
        raise OrchestratorError(
            f"expected a folder for temporary files that can be written, got: {error.strerror}; name one: "
            "TMPDIR=DIR orchestrator try ..."
        ) from None
