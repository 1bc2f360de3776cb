"""`orchestrator spread`: how values are spread where parameters are uncertain."""

from __future__ import annotations

import argparse

from orchestrator.command_line.asked_priors import priors_asked
from orchestrator.command_line.files import write_found
from orchestrator.command_line.modelling import (
    ask_for_patience,
    run_and_settings,
    run_with_limits,
    scaled_by_a_fit,
)
from orchestrator.values.typed_pairs import name_and_value


def spread(parsed: argparse.Namespace) -> int:
    """Over what is known of parameters, or is plausible by a fit."""
    from orchestrator.report.models.spread import AskedSpread, run_spread
    from orchestrator.report.tables.spread import spread_json, spread_table, spread_words

    parsed.run, settings = run_and_settings(parsed)
    scaled, run = scaled_by_a_fit(parsed), run_with_limits(parsed)
    exact = [name_and_value(text, run.spec.parameters)[0] for text in settings]
    priors = priors_asked(parsed, run, exact)
    ask_for_patience()
    asked = AskedSpread(settings, priors, parsed.limit, parsed.of, parsed.posterior, scaled)
    return write_found(run_spread(run, asked), parsed, spread_words, spread_table, spread_json)
