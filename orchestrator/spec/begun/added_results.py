"""Results that come to light while a run goes on: read and checked as those of a spec are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from orchestrator.spec.document.complaint import Complaint, Refusal, refusal
from orchestrator.spec.document.tree import Entry, Node, Place, Source, find_all, positioned
from orchestrator.spec.document.validation import validate
from orchestrator.spec.model import Spec
from orchestrator.spec.points.starting_points import resolve
from orchestrator.spec.results.between_steps import of_lying_between
from orchestrator.spec.results.exact_results import taken_for_exact
from orchestrator.spec.results.known_results import read_known_results
from orchestrator.spec.results.named_files import FILE, KNOWN, WHERE, WHERE_OPTION
from orchestrator.spec.results.results_in_words import results_in_words
from orchestrator.spec.results.roles import WEIGHS
from orchestrator.spec.results.typed_mappings import said_twice, typed_mappings
from orchestrator.spec.sections.initial import Initial, KnownResult
from orchestrator.spec.sections.parameters import computed_of, conditions_of


def read_added_results(
    spec: Spec, files: Sequence[Path], written: Sequence[str], where: Sequence[str] = ()
) -> tuple[list[KnownResult], list[str]]:
    """The results in CSV files, of which all were ``where`` it is written, as ``x2=4``, and those written as
    ``x1=0.3,x2=4,value=7``, with whole parameters; and what was left out of the files, in sentences.

    Raises:
        SpecError: with every error at its place.
    """
    results: list[KnownResult] = []
    remarks: list[str] = []
    complaints: list[Complaint] = []
    of_all = _of_all(spec, where)
    parts = [(_in_file(path, of_all), path) for path in files]
    if written:
        nothing = Node(Place(Source("--result", tuple(written)), 1, 1), ())
        typed, remarks = results_in_words(_tree(spec, nothing), written)
        parts.append((typed, Path()))
    for node, path in parts:
        try:
            read, said = _read(spec, node, path.parent)
            results += read
            remarks += map(str, said)
        except Refusal as error:
            complaints += error.complaints
    if complaints:
        raise refusal(complaints)
    if exact := taken_for_exact(spec, results):
        remarks.append(exact)
    remarks += [*of_lying_between(spec, results), *_outside(spec, results)]
    return results, remarks


def _outside(spec: Spec, results: Sequence[KnownResult]) -> list[str]:
    """That some do not satisfy the constraints, or nobody knows it, look less closely, or are not where
    parameters are held: they are true all the same.
    """
    tied = spec.constraints or computed_of(spec.parameters)
    if not tied and not spec.outcomes and spec.fidelity is None and not spec.held:
        return []
    # Imported here because it is numpy, and most runs have none of these.
    from orchestrator.spec.build import build_fidelity, build_space, build_wanted_outcomes
    from orchestrator.spec.numerical_checks.constrained_points import of_unsatisfying
    from orchestrator.spec.numerical_checks.fidelity import of_less_than_full
    from orchestrator.spec.numerical_checks.held import of_known_elsewhere

    return [
        *of_unsatisfying(build_space(spec), build_wanted_outcomes(spec), results),
        *of_less_than_full(build_fidelity(spec), results),
        *of_known_elsewhere(spec, results),
    ]


def _in_file(path: Path, of_all: Node | None) -> Node:
    place = Place(Source(KNOWN, (str(path),)), 1, 1)
    named = Node(place, path.name)
    if of_all is None:
        return named
    return Node(place, {FILE: Entry(place, named), WHERE: Entry(of_all.place, of_all)})


def _of_all(spec: Spec, where: Sequence[str]) -> Node | None:
    """What is written of all results, in one mapping. Raises SpecError."""
    merged: Node | None = None
    for told in typed_mappings(spec, WHERE_OPTION, where):
        merged = merged or told
        for name, entry in told.mapping.items():
            if merged is not told and name in merged.mapping:
                raise refusal([Complaint(entry.key_place, said_twice(name))])
            merged = merged.having(name, entry)
    return merged


def _read(spec: Spec, results: Node, folder: Path) -> tuple[list[KnownResult], list[Complaint]]:
    tree = _tree(spec, results)
    known = read_known_results(tree, folder)
    resolved = resolve(spec.parameters, known.tree)
    initial = known.tree.get("initial")
    assert initial is not None
    validated = validate(Initial, initial)
    found = [*known.complaints, *validated.complaints, *resolved.complaints]
    if found or validated.value is None:
        raise refusal(found)
    initial_known = resolved.put_into(validated.value)
    if found := _where_they_count(spec, known.tree, initial_known):
        raise refusal(found)
    results_so_far = _with_what_follows(spec, initial_known.results)
    return _with_their_values(spec, known.tree, results_so_far), known.remarks


def _with_their_values(spec: Spec, tree: Node, results: list[KnownResult]) -> list[KnownResult]:
    """Results with their values, where these are computed from outcomes. Raises SpecError."""
    if not spec.objective.is_computed:
        return results
    from orchestrator.spec.numerical_checks.computed_values import valued

    found, complaints = valued(spec, results, find_all(tree, ("initial", "results")))
    if complaints:
        raise refusal(complaints)
    return found


def _where_they_count(spec: Spec, tree: Node, known: Initial) -> list[Complaint]:
    """What is wrong with values of parameters that do not always count, or are computed."""
    if not conditions_of(spec.parameters) and not computed_of(spec.parameters):
        return []
    # Imported here because it is numpy, and in most runs all parameters count.
    from orchestrator.spec.build import build_space
    from orchestrator.spec.numerical_checks.counting_points import check_counting_points

    return check_counting_points(tree, build_space(spec), known)


def _with_what_follows(spec: Spec, results: list[KnownResult]) -> list[KnownResult]:
    """Results with what is computed from the others, which agrees with what was told of it."""
    if not computed_of(spec.parameters):
        return results
    from orchestrator.spec.build import build_space
    from orchestrator.spec.numerical_checks.computed_points import completed_results

    return completed_results(build_space(spec), results)


def _tree(spec: Spec, results: Node) -> Node:
    """As much of a spec's tree as results are read by."""
    place = results.place
    kinds = {
        name: {"type": parameter.type, "values": getattr(parameter, "values", []), "unit": parameter.unit}
        for name, parameter in spec.parameters.items()
    }
    told = {
        "parameters": kinds,
        "objective": {
            "name": spec.objective.name,
            "unit": spec.objective.unit,
            **({"derivatives": list(spec.derivatives_by)} if spec.derivatives_by else {}),
            **({"value": spec.objective.value} if spec.objective.value is not None else {}),
            **({"fit": list(spec.objective.fit)} if spec.objective.fit is not None else {}),
        },
        "objectives": [{"name": one.name, "unit": one.unit} for one in spec.further_objectives],
        "algorithm": {"options": {WEIGHS: spec.algorithm.options.get(WEIGHS)}},
        "columns": spec.columns,
        "factors": spec.factors or [],
        "outcomes": spec.outcomes,
        "blocks": spec.blocks,
    }
    if (listed := spec.candidates) is not None:
        told["candidates"] = {"columns": listed.columns, "given": listed.given}
    initial = positioned({}, place).having("results", Entry(place, results))
    return positioned(told, place).having("initial", Entry(place, initial))
