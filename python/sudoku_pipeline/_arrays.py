"""Arrays and frames for people."""

from __future__ import annotations

from typing import Any


def array(cells: Any) -> Any:
    """The cells as an array of NumPy where that is installed, in the same memory; else as they are."""
    try:
        import numpy
    except ImportError:
        return cells
    return numpy.asarray(cells)


def frame(table: Any) -> Any:
    """A table of pyarrow as a frame of pandas. The index of a frame that went in is the index again."""
    made = table.to_pandas()
    # pyarrow names the levels of an index without names like this.
    levels = [name for name in made.columns if str(name).startswith("__index_level_")]
    return made.set_index(levels).rename_axis([None] * len(levels)) if levels else made
