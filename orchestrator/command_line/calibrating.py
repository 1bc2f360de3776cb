"""`orchestrator posterior`: how well a fit determines its parameters."""

from __future__ import annotations

import argparse

from orchestrator.command_line.files import columns_for, write, write_table
from orchestrator.command_line.looking import ask_for_patience, priors_asked, run_with_values


def posterior(parsed: argparse.Namespace) -> int:
    """Which settings are plausible, by what the objective is fitted to."""
    from orchestrator.report.models.posterior import run_posterior
    from orchestrator.report.tables.posterior import (
        draws_table,
        posterior_json,
        posterior_table,
        posterior_words,
    )
    from orchestrator.sensitivity.calibration import DRAWS

    priors = priors_asked(parsed)
    run = run_with_values(parsed)
    ask_for_patience()
    told = run_posterior(run, DRAWS if parsed.draws is None else parsed.draws, priors)
    if parsed.draws is not None:
        return write_table(draws_table(told), parsed)
    if parsed.format == "json":
        return write(posterior_json(told), parsed.output)
    if parsed.format == "csv":
        return write_table(posterior_table(told), parsed)
    return write(posterior_words(told, columns_for(parsed)), parsed.output)
