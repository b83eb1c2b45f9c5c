"""Implements the function ``generate``."""

from __future__ import annotations

import numbers
import os
import random
from typing import Any, Mapping

from sudoku_pipeline import _datasets, _native
from sudoku_pipeline._errors import UsageError
from sudoku_pipeline._run import Run
from sudoku_pipeline._stream import Stream
from sudoku_pipeline._table import Table

# Arguments of the function that are not options of a series.
_OTHERS = ("count", "near", "swap", "where", "progress")


def _range(value: Any) -> Any:
    """A number or a pair of bounds, of which one can be None, as the text of a range; other values unchanged."""
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return "..".join("" if bound is None else str(bound) for bound in value)
    return str(value) if isinstance(value, numbers.Number) and not isinstance(value, bool) else value


def _mix(value: Any) -> Any:
    """A dictionary of shares as a text; other values unchanged."""
    if isinstance(value, Mapping):
        return ",".join(f"{name}={share}" for name, share in value.items())
    return value


def generate(arguments: Mapping[str, Any]) -> Stream | Table:
    given = dict(arguments)
    if given["seed"] is None:
        given["seed"] = random.SystemRandom().getrandbits(63)
    given.update(se=_range(given["se"]), hodoku_score=_range(given["hodoku_score"]), mix=_mix(given["mix"]))
    if given["pattern"] is not None:
        given["pattern"] = os.fspath(given["pattern"])
    if sum(given[name] is not None for name in ("from_", "pattern", "near")) > 1:
        raise UsageError("from_=, pattern= and near= cannot be used together")
    if given["near"] is not None:
        return _datasets.near(given)
    if given["swap"] is not None or given["where"] is not None:
        raise UsageError("swap= and where= are about the puzzles of near=")
    options = {name: value for name, value in given.items() if name not in _OTHERS}
    if given["from_"] is None:
        return Stream(_native.generate(given["count"], options), progress=given["progress"], total=given["count"])
    # The grids are read before the function returns, so their file is not needed later.
    run = Run("generate")
    options["from_"] = run.one_input(given["from_"], "from")
    return Stream(_native.generate(given["count"], options), progress=given["progress"])
