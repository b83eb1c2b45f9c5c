"""The number of threads of functions over arrays."""

from __future__ import annotations

import operator
import os
from typing import Any

from sudoku_pipeline._errors import UsageError

_MOST = 1024


def worker_threads(threads: Any) -> int:
    """The number of threads for the option ``threads``; by default one for each core."""
    if threads is None:
        return os.cpu_count() or 1
    try:
        count = operator.index(threads)
    except TypeError:
        raise TypeError(f"threads: a whole number is needed, and not {type(threads).__name__}") from None
    if not 1 <= count <= _MOST:
        raise UsageError(f"threads={count}: must be from 1 to {_MOST}")
    return count
