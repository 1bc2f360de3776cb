"""From an evaluator's name and the spec's options to something that can be called.

The convention: ``def network(parameters, *, dataset, context)``. The first argument is a dict of the
trial's parameters by name; each option of the spec becomes a keyword; a parameter named ``context``
receives the `Context`; so ``def network(parameters)`` is enough. It may be ``async def``.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable
from typing import Any

from evaluators.child_process.awaiting import Awaiting
from evaluators.context import Context
from evaluators.errors import EvaluatorNotLoaded
from orchestrator.values.signatures import signature_of

Call = Callable[[dict[str, Any], Context], object]


def load_evaluator(name: str, options: dict[str, Any]) -> Call:
    """The evaluator called ``module:function`` bound to its options, its signature inspected once.

    Raises `EvaluatorNotLoaded` with a sentence if it cannot be imported, is no function, or does not take
    the options.
    """
    module_name, _, path = name.partition(":")
    if not module_name or not path:
        raise EvaluatorNotLoaded(
            f"evaluator `{name}`: expected module:function, such as simulators.wing:drag"
        )
    function: Any = _import(name, module_name)
    for part in path.split("."):
        if not hasattr(function, part):
            raise EvaluatorNotLoaded(f"evaluator `{name}`: {_nothing_called(part, function)}")
        function = getattr(function, part)
    if not callable(function):
        kind = type(function).__name__
        article = "an" if kind[0] in "aeiou" else "a"
        raise EvaluatorNotLoaded(f"evaluator `{name}`: expected a function, got {article} {kind}")
    result = Awaiting().result
    wants_context = _check_signature(name, function, options)
    if wants_context:
        return lambda parameters, context: result(function(parameters, **options, context=context))
    if options:
        return lambda parameters, _: result(function(parameters, **options))
    return lambda parameters, _: result(function(parameters))


def _import(name: str, module_name: str) -> object:
    here = os.getcwd()
    # What comes with the project needs nothing from there, and might find that instead of what it does need.
    if here not in sys.path and not module_name.startswith("evaluators."):
        sys.path.insert(0, here)
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name == error.name or module_name.startswith(error.name + ".")):
            raise EvaluatorNotLoaded(
                f"evaluator `{name}`: no module named {error.name}; expected one that can be imported in "
                f"this worker's environment ({sys.prefix}) or from the directory it was started in ({here})"
            ) from None
        raise EvaluatorNotLoaded(
            f"evaluator `{name}`: importing {module_name} needs the module {error.name}, which this worker's "
            f"environment ({sys.prefix}) does not have; install it there"
        ) from None
    except (Exception, SystemExit) as error:
        raise EvaluatorNotLoaded(
            f"evaluator `{name}`: importing {module_name} raised {type(error).__name__}: {error}"
        ) from error


def _nothing_called(part: str, owner: object) -> str:
    import difflib

    offered = (
        [known for known in vars(owner) if not known.startswith("_")] if hasattr(owner, "__dict__") else []
    )
    near = difflib.get_close_matches(part, offered, 1)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    where = f" ({file})" if (file := getattr(owner, "__file__", None)) else ""
    return f"{getattr(owner, '__name__', type(owner).__name__)}{where} has nothing called `{part}`{hint}"


def _check_signature(name: str, function: Callable[..., object], options: dict[str, Any]) -> bool:
    """Whether the function wants the context. Raises `EvaluatorNotLoaded` if the options do not fit."""
    try:
        parameters = list(signature_of(function).parameters.values())
    except (TypeError, ValueError):  # a builtin without a signature
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if not any(p.kind in positional or p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        raise EvaluatorNotLoaded(
            f"evaluator `{name}`: expected a function whose first argument takes the parameters, "
            f"as in `def {getattr(function, '__name__', 'f')}(parameters)`"
        )
    if parameters[0].kind is not inspect.Parameter.VAR_POSITIONAL:
        parameters = parameters[1:]
    keywords = {
        p.name: p
        for p in parameters
        if p.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    }
    wants_context = keywords.pop("context", None) is not None
    if "context" in options:
        raise EvaluatorNotLoaded(f"evaluator `{name}`: an option cannot be called `context`; rename it")
    takes_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
    known = ", ".join(f"`{keyword}`" for keyword in keywords) or "no options"
    unknown = [option for option in options if option not in keywords]
    if unknown and not takes_any:
        raise EvaluatorNotLoaded(f"evaluator `{name}` has no option `{unknown[0]}`; it takes {known}")
    for keyword, parameter in keywords.items():
        if parameter.default is inspect.Parameter.empty and keyword not in options:
            raise EvaluatorNotLoaded(
                f"evaluator `{name}` needs the option `{keyword}`: add it to `evaluation.options`; if it is "
                f"a parameter, it comes with the others in the first argument, a mapping, as in "
                f"`def {getattr(function, '__name__', 'f')}(parameters)`"
            )
    return wants_context
