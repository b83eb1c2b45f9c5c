"""Arrays for people: NumPy's where it is installed."""

from __future__ import annotations

from typing import Any


def array(cells: Any) -> Any:
    """The cells as an array of NumPy, in the same memory; without NumPy, as they are."""
    try:
        import numpy
    except ImportError:
        return cells
    return numpy.asarray(cells)
