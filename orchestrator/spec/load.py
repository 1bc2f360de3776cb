"""A spec from YAML: every error at once, each at its file:line:column with the line and a caret.

Beside the British spellings the American ones are read, of keys and of values: ``goal: maximize`` or
``minimize``, ``optimizer:``, and those of the algorithms' options (``normalize``, ``neighbors``, ``center``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from orchestrator.errors import SpecError
from orchestrator.search_files.beginning import instead_of, is_search_file
from orchestrator.spec.beside_objective import put_into_objective
from orchestrator.spec.candidates import write_out_candidates
from orchestrator.spec.checks.evaluator_options import check_finite, check_options
from orchestrator.spec.checks.travel import check_points_in_reach
from orchestrator.spec.checks.whole_spec import check, check_evaluator, check_new_run
from orchestrator.spec.described_values import write_out_descriptions
from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.text_file import read_text
from orchestrator.spec.document.tree import Node
from orchestrator.spec.document.validation import validate
from orchestrator.spec.document.yaml_tree import tree_as_far_as_right
from orchestrator.spec.drawn_priors import write_out_drawn
from orchestrator.spec.equalities import solve_equalities
from orchestrator.spec.fitted_objective import write_out_fit
from orchestrator.spec.kept_tables import with_tables
from orchestrator.spec.misplaced_options import put_under_options
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import parts_among
from orchestrator.spec.parts import Parts, valid_parts
from orchestrator.spec.points.clock import at_the_beginning
from orchestrator.spec.points.held import resolve_held
from orchestrator.spec.points.reference import with_reference_first
from orchestrator.spec.points.starting_points import resolve, something_follows
from orchestrator.spec.recorded_in_use import write_out_recorded
from orchestrator.spec.results.headings import Headings
from orchestrator.spec.results.known_results import read_known_results
from orchestrator.spec.results.related_files import read_related_files
from orchestrator.spec.rewritten import Rewritten
from orchestrator.spec.sections.parameters import travels_of
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
    if is_search_file(path):
        raise SpecError(instead_of("a spec", path))
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
    folder = None if folder is None else Path(folder)
    written = _written_out(Rewritten(*tree_as_far_as_right(text, name)), folder)
    validated = validate(Spec, with_reference_first(written.tree))
    tree, parts = validated.tree, valid_parts(validated)
    complaints = [*written.complaints, *validated.complaints, *check(tree, parts)]
    spec = _with_points(validated.value, tree, parts, complaints)
    if folder is not None:
        spec = _of_a_new_run(spec, tree, parts, folder, complaints)
    if complaints:
        raise refusal(complaints)
    assert spec is not None
    if folder is None:
        return LoadedSpec(spec, text)
    from orchestrator.spec.remarks import remarks

    said = tuple(str(remark) for remark in (*written.remarks, *remarks(tree, spec)))
    return LoadedSpec(spec, with_tables(text, written.tables, SIZE_LIMIT), said)


def _written_out(written: Rewritten, folder: Path | None) -> Rewritten:
    """The tree as the model has it, and what was wrong. Raises SpecError where nothing else can be judged."""
    if not isinstance(written.tree.content, dict):
        sentence = "expected a mapping that begins with `experiment: a name`"
        raise refusal([*written.complaints, Complaint(written.tree.place, sentence)])
    written.further(write_out)
    called, named = Headings.in_tree(written.tree).called, "candidates" in written.tree.mapping
    written.further(lambda tree: write_out_candidates(tree, folder, called))
    if named and "candidates" not in written.tree.mapping:
        # Without its columns nobody knows what is right of the rest.
        raise refusal(written.complaints)
    written.further(lambda tree: write_out_recorded(tree, folder, called))
    written.further(lambda tree: write_out_drawn(tree, folder, called))
    if folder is not None:
        written.further(put_under_options)
        written.further(put_into_objective)
    written.further(partial(write_out_fit, folder=folder))
    before = _choices_of_values(written.tree)
    written.further(partial(write_out_descriptions, folder=folder))
    if before - _choices_of_values(written.tree):
        # Nobody knows what is right of the rest where it names those of a choice.
        raise refusal(written.complaints)
    written.further(solve_equalities)
    for write_out_tables in (read_related_files, read_known_results):
        written.further(partial(write_out_tables, folder=folder))
    return written


def _choices_of_values(tree: Node) -> set[str]:
    """The names of the choices of which it is said what their values are."""
    parameters = tree.get("parameters")
    told = {} if parameters is None else parameters.mapping
    return {name for name, entry in told.items() if {"values", "described"} & entry.node.mapping.keys()}


def _with_points(spec: Spec | None, tree: Node, parts: Parts, complaints: list[Complaint]) -> Spec | None:
    """With the points that it begins with, and what follows from them, as far as nothing is wrong so far;
    what is wrong with them joins the ``complaints``.
    """
    if "parameters" not in parts:
        return spec
    held = resolve_held(parts["parameters"], tree)
    # One that is no parameter is told where it stands.
    clock = at_the_beginning(name) if (name := parts.get("clock")) in parts["parameters"] else {}
    resolved = resolve(parts["parameters"], tree, {**held.places, **clock})
    complaints += [*held.complaints, *resolved.complaints]
    if spec is not None and not complaints:
        update = {"initial": resolved.put_into(spec.initial), "held": held.places}
        spec = spec.model_copy(update=update)
        if travels_of(spec.parameters):
            complaints += check_points_in_reach(tree, spec, parts_among(spec))
    if spec is not None and not complaints and something_follows(spec):
        # Imported here because it is numpy, and in most specs nothing follows from a point.
        from orchestrator.spec.numerical_checks.computed_points import with_what_follows

        spec, disagreeing = with_what_follows(tree, spec)
        complaints += disagreeing
    if spec is not None and not complaints and spec.objective.is_computed and spec.initial.results:
        from orchestrator.spec.numerical_checks.computed_values import with_their_values

        spec, unusable = with_their_values(tree, spec)
        complaints += unusable
    return spec


def _of_a_new_run(
    spec: Spec | None, tree: Node, parts: Parts, folder: Path, complaints: list[Complaint]
) -> Spec | None:
    """With its algorithm's options, as a run that begins has them; what is wrong for one joins the
    ``complaints``.
    """
    complaints += [
        *check_new_run(tree, parts),
        *check_evaluator(tree, parts, folder),
        *check_finite(tree),
        *check_options(tree, parts),
    ]
    # Imported here because algorithms are numpy and scipy, and `--help` must not wait for those.
    from orchestrator.spec.numerical_checks.algorithm import check_algorithm

    with_options = check_algorithm(tree, parts, None if complaints else spec)
    complaints += with_options.complaints
    return with_options.spec
