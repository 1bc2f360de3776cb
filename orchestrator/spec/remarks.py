"""What of a valid spec changes nothing, or is not taken as one may think, so that nobody believes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from orchestrator.algorithms import registry
from orchestrator.programs.input_template import templates_of
from orchestrator.programs.placeholders import before_format, is_word, names_in
from orchestrator.programs.trial_files import failing_file, file_of, result_files
from orchestrator.scheduler.rules.places import away
from orchestrator.spec.build import build_fidelity, build_problem, build_space, build_wanted_outcomes
from orchestrator.spec.checks.candidates import of_candidates
from orchestrator.spec.checks.periodic import of_periodic
from orchestrator.spec.checks.priors import of_priors, of_priors_without_a_fit
from orchestrator.spec.checks.promising import of_promising
from orchestrator.spec.checks.related import of_related
from orchestrator.spec.checks.shell_words import of_empty_arguments, of_shell_words
from orchestrator.spec.checks.stop_when import of_stop_when
from orchestrator.spec.checks.units import of_units
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.decimal_commas import decimal_comma_hint
from orchestrator.spec.document.tree import Node, find, find_all, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.numerical_checks.constrained_points import of_constraints
from orchestrator.spec.numerical_checks.counting_points import of_conditions
from orchestrator.spec.numerical_checks.fidelity import of_fidelity
from orchestrator.spec.numerical_checks.held import of_held
from orchestrator.spec.numerical_checks.points_to_try import of_points_to_try
from orchestrator.spec.numerical_checks.promising_points import of_promising_points
from orchestrator.spec.numerical_checks.start_design import of_the_start_design
from orchestrator.spec.partial_points import wholes_of
from orchestrator.spec.results.between_steps import of_lying_between
from orchestrator.spec.results.exact_results import taken_for_exact
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.spec.sections.parameters import ChoiceParameter, OrderedParameter
from orchestrator.spec.slots_needed import why_some_fail
from orchestrator.spelling import listed
from orchestrator.values.finite import is_number
from orchestrator.values.named import Values
from orchestrator.values.ordered import mistake_in
from orchestrator.wire.addresses import is_loopback

SIZES_SAID = 5
"""Of rounds that differ in size."""
FEWEST_IN_ORDER = 3
"""Of two values there is no order that a model could miss."""


def remarks(tree: Node, spec: Spec) -> list[Complaint]:
    """One for each such part, in no order. Of other packages' algorithms it is known of the
    options alone, where they say so.
    """
    of_all = [
        *_of_mode(tree, spec),
        *_of_numbers_in_the_command(tree),
        *_of_numbers_of_each(tree, spec),
        *_of_numbers_among_choices(tree, spec),
        *_of_order_among_choices(tree, spec),
        *_of_commas_among_values(tree, spec),
        *_of_descriptions(tree, spec),
        *_of_formats_in_the_command(tree, spec),
        *_of_nothing_to_go_on_from(tree, spec),
        *of_shell_words(tree, spec.evaluation),
        *of_empty_arguments(tree, spec.evaluation, spec.parameters),
        *_of_braces_in_names_of_files(tree),
        *of_units(tree, spec),
        *_of_files_elsewhere(tree, spec),
        *of_stop_when(tree, spec.evaluation),
        *of_fidelity(tree, spec, build_fidelity(spec)),
        *of_held(tree, spec),
        *of_points_to_try(tree, spec),
        *_of_a_person(tree, spec),
        *_of_workers(tree, spec),
        *_of_slots(tree, spec),
        *_of_known_results(tree, spec),
        *of_related(tree, spec),
        *_of_options(tree, spec),
        *of_periodic(tree, spec),
        *of_candidates(tree, spec),
        *of_priors(tree, spec),
        *of_promising(tree, spec),
        *of_promising_points(tree, spec),
        *of_conditions(tree, build_space(spec)),
        *of_constraints(tree, build_space(spec), build_wanted_outcomes(spec), spec),
    ]
    if not registry.ours(spec.algorithm.name):
        return of_all
    of_ours = [_of_factors, _of_outcomes, of_the_start_design, of_priors_without_a_fit]
    return [*(one for remarks_of in of_ours for one in remarks_of(tree, spec)), *of_all]


def _of_mode(tree: Node, spec: Spec) -> Iterator[Complaint]:
    if spec.mode.kind == "sequential" and (spec.mode.batch or 1) > 1:
        sentence = f"the batch of {spec.mode.batch} has no effect: `sequential` is one trial at a time"
        yield Complaint(find_key(tree, ("mode", "batch")), sentence)
    batch, first = spec.mode.batch, len(wholes_of(spec))
    together = _of_one_round(spec)
    if len(together) > 1 and any(number % (batch or 1) for number in together):
        sizes = ", ".join(str(number) for number in together[:SIZES_SAID])
        more = ", …" if len(together) > SIZES_SAID else ""
        sentence = (
            f"`initial` lists points that do not share {listed(spec.mode.sharing, 'and')}, and so are rounds "
            f"of {sizes}{more} and not {batch} trials: list as many of each as fill one"
        )
        yield Complaint(find_key(tree, ("initial",)), sentence)
    elif spec.mode.kind == "synchronous" and batch is not None and 0 < first < batch:
        # A person's plate would go through with most of its wells empty.
        in_full = " in full" if first < len(spec.initial.points) else ""
        sentence = (
            f"the first round is what `initial` lists{in_full} and no more, {first} of {batch} trials: for a "
            f"whole one, list {batch - first} more `points`"
        )
        yield Complaint(find_key(tree, ("initial",)), sentence)


def _of_one_round(spec: Spec) -> list[int]:
    """How many of the points to begin with are alike in what trials of a round share, if they are."""
    kinds: list[Values] = []
    numbers: list[int] = []
    for point in wholes_of(spec) if spec.mode.sharing else ():
        kind = next((number for number, one in enumerate(kinds) if not away(one, point)), len(kinds))
        if kind == len(kinds):
            kinds.append({name: point[name] for name in spec.mode.sharing if name in point})
            numbers.append(0)
        numbers[kind] += 1
    return numbers


def _of_numbers_in_the_command(tree: Node) -> Iterator[Complaint]:
    return _of_numbers_as_text(find_all(tree, ("evaluation", "command")), "the program is")


def _of_numbers_of_each(tree: Node, spec: Spec) -> Iterator[Complaint]:
    for name in spec.workers.each:
        yield from _of_numbers_as_text(find_all(tree, ("workers", "each", name)), "evaluations are")


def _of_numbers_as_text(nodes: Iterable[Node], who: str) -> Iterator[Complaint]:
    """YAML makes 7 of 007, and 1.1 of a version 1.10."""
    for node in nodes:
        if isinstance(node.content, int | float) and node.written != (given := str(node.content)):
            sentence = (
                f"{who} given `{given}`: if `{node.written}` is no number, put quotation marks about it"
            )
            yield Complaint(node.place, sentence)


def _of_numbers_among_choices(tree: Node, spec: Spec) -> Iterator[Complaint]:
    for name, parameter in spec.parameters.items():
        for node in find_all(tree, ("parameters", name, "values") if parameter.type == "choice" else ()):
            is_number = isinstance(node.content, int | float) and not isinstance(node.content, bool)
            # Who writes an exponent means a number, and knows it when it is shown without.
            # What columns of candidates have is written there, and not here.
            otherwise = bool(node.written) and node.written != str(node.content)
            if is_number and otherwise and "e" not in node.written.lower():
                sentence = (
                    f"the choice `{node.written}` is the number {node.content}: if it is none, put quotation "
                    "marks about it"
                )
                yield Complaint(node.place, sentence)


def _of_order_among_choices(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Numbers one after another: as choices, any two of them are as far apart as any others."""
    for name, parameter in spec.parameters.items():
        if parameter.type != "choice" or len(parameter.values) < FEWEST_IN_ORDER or parameter.described:
            continue
        if all(map(is_number, parameter.values)) and not mistake_in(parameter.values, "linear"):
            sentence = (
                f"the order of `{name}` means nothing, as it is a choice: where neighbours are alike, say"
                " `type: ordered`"
            )
            yield Complaint(find_key(tree, ("parameters", name, "values")), sentence)


def _of_commas_among_values(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """YAML makes two numbers of one that has a comma before its decimals."""
    for name, parameter in spec.parameters.items():
        if not isinstance(parameter, ChoiceParameter | OrderedParameter):
            continue
        if all(map(is_number, parameter.values)):
            place = find(tree, ("parameters", name, "values")).place
            if hint := decimal_comma_hint(place):
                count = len(parameter.values)
                yield Complaint(place, f"`{name}` has {count} values{hint}")


def _of_descriptions(tree: Node, spec: Spec) -> Iterator[Complaint]:
    for name, parameter in spec.parameters.items():
        description = parameter.description if parameter.type == "choice" else None
        if description is not None and description.constant:
            said = listed(description.constant, "and")
            sentence = f"{said} of `{name}` says nothing to the model: every value has the same"
            yield Complaint(find_key(tree, ("parameters", name, "described")), sentence)


def _of_formats_in_the_command(tree: Node, spec: Spec) -> Iterator[Complaint]:
    for i, argument in enumerate(spec.evaluation.command or ()):
        for told in names_in(argument):
            name = before_format(told)
            if name != told and name in spec.parameters:
                sentence = (
                    f"the program is given `{{{told}}}` as it stands: `{{{name}}}` is the value, with all its"
                    " digits"
                )
                yield Complaint(find(tree, ("evaluation", "command", i)).place, sentence)


def _of_nothing_to_go_on_from(tree: Node, spec: Spec) -> Iterator[Complaint]:
    if spec.fidelity is not None and spec.fidelity.continues:
        return
    for i, argument in enumerate(spec.evaluation.command or ()):
        if "continued_from" in names_in(argument):
            sentence = (
                "`{continued_from}` is empty in each evaluation: one goes on from another only where"
                " `fidelity` says `continues: true`"
            )
            yield Complaint(find(tree, ("evaluation", "command", i)).place, sentence)


def _of_braces_in_names_of_files(tree: Node) -> Iterator[Complaint]:
    """Of what a program writes, only files of its trial's folder are read, by the names that they have."""
    parts = [find(tree, ("evaluation",)).get(key) for key in ("output", "input", "progress")]
    patterns = find(tree, ("evaluation", "output")).get("patterns")
    parts += [entry.node for entry in patterns.mapping.values()] if patterns is not None else []
    for told in parts:
        file = None if told is None else told.get("file")
        if file is None or not isinstance(file.content, str):
            continue
        for name in names_in(file.content):
            if is_word(name):
                sentence = (
                    f"`{{{name}}}` is not filled in here: this is the name of a file in `{{directory}}`, and"
                    " nothing else"
                )
                yield Complaint(file.place, sentence)


def _of_files_elsewhere(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Of a program that is started where its worker was, and not told in which folder its files lie."""
    evaluation = spec.evaluation
    if evaluation.command is None or templates_of(evaluation.input):
        return
    named = {name for argument in evaluation.command for name in names_in(argument)}
    if named & {"directory", "parameters_file", "result_file"}:
        return
    files = [
        ("input", file_of(evaluation.input)),
        *(("output", file) for file in result_files(evaluation.output, named)),
        ("output", failing_file(evaluation.output)),
        ("progress", file_of(evaluation.progress)),
    ]
    for part, file in files:
        if file is not None:
            sentence = (
                f"`{file}` is a file in the trial's folder, and the program is started elsewhere: name it in"
                f' an argument, as `{{directory}}/{file}`, or go there by `[sh, -c, \'cd "{{directory}}" &&'
                " exec ...']`"
            )
            yield Complaint(find_key(tree, ("evaluation", part)), sentence)
            return


def _of_a_person(tree: Node, spec: Spec) -> Iterator[Complaint]:
    if spec.evaluation.evaluator != PERSON:
        return
    for key, why in (("options", "nothing is called"), ("timeout", "nobody is hurried")):
        if find(tree, ("evaluation",)).get(key) is not None:
            place = find_key(tree, ("evaluation", key))
            yield Complaint(place, f"`{key}` has no effect: where a person evaluates, {why}")
    # Of no local workers a person is one all the same.
    at_a_time, batch = max(1, spec.workers.local), spec.mode.batch
    if spec.mode.kind == "synchronous" and batch is not None and at_a_time < batch:
        sentence = (
            f"a person is given {at_a_time} of the {batch} at a time, as `workers` says: for all of them "
            f"together, say `workers: {{local: {batch}}}`"
        )
        yield Complaint(find_key(tree, ("mode",)), sentence)


def _of_workers(tree: Node, spec: Spec) -> Iterator[Complaint]:
    # Where evaluations take several slots, it says as well that larger workers may join.
    if spec.workers.remote and spec.mode.kind != "asynchronous" and spec.evaluation.slots is None:
        sentence = "`remote` has no effect: `mode` says how many run at a time"
        yield Complaint(find_key(tree, ("workers", "remote")), sentence)
    jobs, at_a_time = spec.workers.jobs, {"sequential": 1}.get(spec.mode.kind, spec.mode.batch)
    if jobs is not None and at_a_time is not None and at_a_time < jobs.at_most and not spec.workers.local:
        sentence = f"no more than {at_a_time} of the {jobs.at_most} jobs will be submitted: `mode` says so"
        yield Complaint(find_key(tree, ("workers", "jobs", "at_most")), sentence)
    if jobs is not None and "local" not in spec.workers.model_fields_set:
        sentence = "one worker evaluates here, too, beside the jobs; where that may not be, say `local: 0`"
        yield Complaint(find_key(tree, ("workers", "jobs")), sentence)
    if jobs is not None and is_loopback(spec.workers.listen):
        sentence = (
            "this machine alone is reached so: a job on another one finds no run there, and dials in vain;"
            " say an address that the nodes reach, as `tcp://0.0.0.0:5556`, which is all of this machine's"
        )
        yield Complaint(find_key(tree, ("workers", "listen")), sentence)


def _of_slots(tree: Node, spec: Spec) -> Iterator[Complaint]:
    if spec.evaluation.slots is not None and (sentence := why_some_fail(spec, build_space(spec))):
        yield Complaint(find_key(tree, ("evaluation", "slots")), sentence)


def _of_known_results(tree: Node, spec: Spec) -> Iterator[Complaint]:
    known = spec.initial.results
    for sentence in filter(None, [taken_for_exact(spec, known), *of_lying_between(spec, known)]):
        yield Complaint(find_key(tree, ("initial", "results")), sentence)


def _of_factors(tree: Node, spec: Spec) -> Iterator[Complaint]:
    name = spec.algorithm.name
    if spec.factors is not None and not registry.options(name).takes_factors:
        yield Complaint(find_key(tree, ("factors",)), f"`factors` have no effect with `{name}`")
    elif spec.factors is not None and name == "auto" and build_space(spec).domain.embedding.is_described:
        sentence = f"`factors` have no effect with `{name}` beside a choice that is described"
        yield Complaint(find_key(tree, ("factors",)), sentence)
    if spec.factors is None:
        rows = find_all(tree, ("initial", "results"))
        # Only of those written inline: a column of a file that nobody asks for is left alone.
        places = [row.mapping["factors"].key_place for row in rows if "factors" in row.mapping]
        if places:
            yield Complaint(places[0], "`factors` of known results have no effect: the spec names no factors")


def _of_outcomes(tree: Node, spec: Spec) -> Iterator[Complaint]:
    name = spec.algorithm.name
    if build_problem(spec).outcome_constraints and not registry.options(name).learns_outcomes:
        sentence = (
            f"`{name}` has no model of outcomes: to it, what does not satisfy constraints on them has failed"
        )
        yield Complaint(find_key(tree, ("outcomes",)), sentence)


def _of_options(tree: Node, spec: Spec) -> Iterator[Complaint]:
    given = registry.options(spec.algorithm.name).model_validate(spec.algorithm.options)
    for option, reason in given.without_effect(build_problem(spec)).items():
        sentence = f"`{option}` has no effect: {reason}"
        yield Complaint(find_key(tree, ("algorithm", "options", option)), sentence)
