"""Converts results to NumPy arrays."""

from __future__ import annotations

from typing import Any


def array(cells: Any) -> Any:
    """A NumPy array that shares the memory of the cells. Without NumPy, the cells themselves."""
    try:
        import numpy
    except ImportError:
        return cells
    return numpy.asarray(cells)
