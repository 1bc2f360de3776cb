"""A spec from YAML: every error at once, each at its file:line:column with the line and a caret.

Beside the British spellings the American ones are read, of keys and of values: ``goal: maximize`` or
``minimize``, ``optimizer:``, and those of the algorithms' options (``normalize``, ``neighbors``, ``center``).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from orchestrator.spec.beside_objective import put_into_objective
from orchestrator.spec.candidates import write_out_candidates
from orchestrator.spec.checks.evaluator_options import check_finite, check_options
from orchestrator.spec.checks.travel import check_points_in_reach
from orchestrator.spec.checks.whole_spec import check, check_evaluator, check_new_run
from orchestrator.spec.described_values import write_out_descriptions
from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.text_file import read_text
from orchestrator.spec.document.validation import validate
from orchestrator.spec.document.yaml_tree import read_tree
from orchestrator.spec.equalities import solve_equalities
from orchestrator.spec.fitted_objective import write_out_fit
from orchestrator.spec.kept_tables import with_tables
from orchestrator.spec.misplaced_options import put_under_options
from orchestrator.spec.model import Spec
from orchestrator.spec.parts import valid_parts
from orchestrator.spec.points.clock import at_the_beginning
from orchestrator.spec.points.held import resolve_held
from orchestrator.spec.points.reference import with_reference_first
from orchestrator.spec.points.starting_points import resolve, something_follows
from orchestrator.spec.recorded_in_use import write_out_recorded
from orchestrator.spec.results.headings import Headings
from orchestrator.spec.results.known_results import read_known_results
from orchestrator.spec.results.related_files import read_related_files
from orchestrator.spec.short_forms import write_out

SIZE_LIMIT = 1_000_000
"""Bytes of a spec."""


@dataclass(frozen=True, slots=True)
class LoadedSpec:
    """A spec, the text it was read from, verbatim but for the tables that it names, which stand in it, and
    what of it all has no effect.
    """

    spec: Spec
    text: str
    remarks: tuple[str, ...] = ()


def load_spec(path: Path | str) -> LoadedSpec:
    """The spec in a YAML file, or from a pipe. Known results are looked for from the file's folder; all else
    that it names, keys, programs and evaluators, and of a pipe those too, from where the run is started.

    Raises:
        SpecError: with every error in its text.
    """
    path = Path(path)
    text = read_text(path, SIZE_LIMIT, or_pipe=True)
    return load_spec_text(text, str(path), Path() if path.is_fifo() else path.parent)


def load_spec_text(text: str, name: str, folder: Path | str | None) -> LoadedSpec:
    """The spec in a text. ``name`` is the file's in errors; known results are looked for from ``folder``.

    Without a folder, only the text is judged: neither the file of known results nor the evaluator's module
    nor the algorithm's is looked for. So the spec of a run that was begun can be read wherever and whenever,
    and what its files held is in the journal.

    Raises:
        SpecError: with every error in its text.
    """
    tree = read_tree(text, name)
    if not isinstance(tree.content, dict):
        raise refusal([Complaint(tree.place, "expected a mapping that begins with `experiment: a name`")])
    written_out = write_out(tree)
    called = Headings.in_tree(written_out.tree).called
    candidates = write_out_candidates(written_out.tree, None if folder is None else Path(folder), called)
    if "candidates" in tree.mapping and "candidates" not in candidates.tree.mapping:
        # Without its columns nobody knows what is right of the rest.
        raise refusal([*written_out.complaints, *candidates.complaints])
    recorded = write_out_recorded(candidates.tree, None if folder is None else Path(folder), called)
    without = solve_equalities(recorded.tree)
    tree, complaints = without.tree, [*written_out.complaints, *candidates.complaints, *recorded.complaints]
    complaints += without.complaints
    if folder is not None:
        for put_where_it_belongs in (put_under_options, put_into_objective):
            tree, misplaced = put_where_it_belongs(tree)
            complaints += misplaced
    fitted = write_out_fit(tree, None if folder is None else Path(folder))
    tree = fitted.tree
    complaints += fitted.complaints
    described = write_out_descriptions(tree, None if folder is None else Path(folder))
    tree = described.tree
    complaints += described.complaints
    related = read_related_files(tree, None if folder is None else Path(folder))
    complaints += related.complaints
    known = read_known_results(related.tree, None if folder is None else Path(folder))
    validated = validate(Spec, with_reference_first(known.tree))
    tree, spec = validated.tree, validated.value
    parts = valid_parts(validated)
    complaints += [*known.complaints, *validated.complaints, *check(tree, parts)]
    if "parameters" in parts:
        held = resolve_held(parts["parameters"], tree)
        resolved = resolve(parts["parameters"], tree, {**held.places, **at_the_beginning(parts.get("clock"))})
        complaints += [*held.complaints, *resolved.complaints]
        if spec is not None and not complaints:
            update = {"initial": resolved.put_into(spec.initial), "held": held.places}
            spec = spec.model_copy(update=update)
            complaints += check_points_in_reach(tree, spec)
        if spec is not None and not complaints and something_follows(spec):
            # Imported here because it is numpy, and in most specs nothing follows from a point.
            from orchestrator.spec.numerical_checks.computed_points import with_what_follows

            spec, disagreeing = with_what_follows(tree, spec)
            complaints += disagreeing
        if spec is not None and not complaints and spec.objective.is_computed and spec.initial.results:
            from orchestrator.spec.numerical_checks.computed_values import with_their_values

            spec, unusable = with_their_values(tree, spec)
            complaints += unusable
    if folder is not None:
        complaints += [
            *check_new_run(tree, parts),
            *check_evaluator(tree, parts),
            *check_finite(tree),
            *check_options(tree, parts),
        ]
        # Imported here because algorithms are numpy and scipy, and `--help` must not wait for those.
        from orchestrator.spec.numerical_checks.algorithm import check_algorithm

        with_options = check_algorithm(tree, parts, None if complaints else spec)
        complaints += with_options.complaints
        spec = with_options.spec
    if complaints:
        raise refusal(complaints)
    assert spec is not None
    if folder is None:
        return LoadedSpec(spec, text)
    from orchestrator.spec.remarks import remarks

    said = [*candidates.remarks, *described.remarks, *known.remarks, *remarks(tree, spec)]
    kept = with_tables(
        text,
        [*candidates.tables, *recorded.tables, *fitted.tables, *described.tables, *related.tables],
        SIZE_LIMIT,
    )
    return LoadedSpec(spec, kept, tuple(str(remark) for remark in said))
