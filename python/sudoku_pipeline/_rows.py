"""Rows that can be converted to the tables of other libraries."""

from __future__ import annotations

from typing import Any


class Rows:
    """Rows with the Arrow interface, which can be converted to the tables of other libraries."""

    def to_arrow(self) -> Any:
        """The rows as a ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> Any:
        """The rows as a ``pandas.DataFrame``."""
        return framed(self.to_arrow())

    def to_polars(self) -> Any:
        """The rows as a ``polars.DataFrame``."""
        import polars

        # polars takes any object with the Arrow interface, which its types do not say.
        rows: Any = self
        return polars.DataFrame(rows)


def framed(table: Any) -> Any:
    """Converts a pyarrow table to a pandas frame. If the input was a frame, its index is restored."""
    made = table.to_pandas()
    # pyarrow gives this name to levels of an index without a name.
    levels = [name for name in made.columns if str(name).startswith("__index_level_")]
    return made.set_index(levels).rename_axis([None] * len(levels)) if levels else made
