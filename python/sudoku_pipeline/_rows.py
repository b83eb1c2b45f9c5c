"""Rows that can be converted to the arrays, tables and dictionaries of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence, overload

from sudoku_pipeline._errors import DataError, UsageError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas
    import polars
    import pyarrow
    import torch

# Columns of grids, in which a column without any text is one of empty grids.
GRIDS = ("puzzle", "solution", "canonical", "input_solution", "prediction")


class Rows:
    """Rows with the Arrow interface, which can be converted to the tables of other libraries."""

    def _collect(self) -> Any:
        """All rows in memory. Errors while the rows are computed are raised here, and not by another library."""
        raise NotImplementedError

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self._collect())

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a ``pandas.DataFrame``."""
        made: pandas.DataFrame = framed(Rows.to_arrow(self))
        return made

    def to_polars(self) -> polars.DataFrame:
        """The rows as a ``polars.DataFrame``."""
        import polars

        return polars.DataFrame(self._collect())

    @overload
    def to_numpy(self, column: str | None = ...) -> npt.NDArray[Any]: ...

    @overload
    def to_numpy(self, column: list[str] | tuple[str, ...]) -> dict[str, npt.NDArray[Any]]: ...

    def to_numpy(self, column: str | Sequence[str] | None = None) -> Any:
        """A column as an array, or several as a dictionary of arrays."""
        raise NotImplementedError

    @overload
    def to_torch(self, column: str | None = ...) -> torch.Tensor: ...

    @overload
    def to_torch(self, column: list[str] | tuple[str, ...]) -> dict[str, torch.Tensor]: ...

    def to_torch(self, column: str | Sequence[str] | None = None) -> Any:
        """A column of grids or of numbers as a tensor, or several as a dictionary of tensors: those of :meth:`to_numpy`,
        whose memory they share. Unsigned numbers of more than 8 bits become signed ones of the next size, because torch
        computes with no others."""
        arrays: Any = self.to_numpy(column)  # type: ignore[arg-type]
        if isinstance(arrays, dict):
            return {name: _tensor(array, name) for name, array in arrays.items()}
        return _tensor(arrays, column)

    def __array__(self, dtype: object = None, copy: object = None) -> Any:
        """Not an array, since the rows have several columns."""
        raise TypeError(
            f"a {type(self).__name__} has several columns: to_numpy(column) is one of them as an array, and to_pandas() a frame of all"
        )

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as a dictionary of lists. Needs pyarrow."""
        found: dict[str, list[Any]] = self.to_arrow().to_pydict()
        return found

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows as dictionaries. Needs pyarrow."""
        found: list[dict[str, Any]] = self.to_arrow().to_pylist()
        return found


def arrays(rows: Any, column: str | Sequence[str]) -> Any:
    """A column of rows in memory as an array, or several as a dictionary of arrays."""
    if isinstance(column, str):
        return _array(rows, column)
    return {name: _array(rows, name) for name in column}


def _array(rows: Any, column: str) -> Any:
    from sudoku_pipeline._arrays import array

    has_grids = rows._has_grids(column)
    if has_grids or (has_grids is None and column in GRIDS):
        return array(rows._digits(column))
    import pyarrow

    values = pyarrow.table(rows).column(column).to_numpy()
    return values if values.flags.writeable else values.copy()


# The signed types for unsigned numbers in tensors, by the kind and the bytes of NumPy's types.
_SIGNED = {"u2": "i4", "u4": "i8", "u8": "i8"}
_MOST_SIGNED = 2**63 - 1


def _tensor(array: Any, column: Any) -> Any:
    """The tensor of an array of numbers or truth values."""
    import torch

    if array.dtype.kind not in "biuf":
        raise UsageError(f"column {column} has no numbers, and a tensor holds nothing else: use to_numpy")
    signed = _SIGNED.get(array.dtype.str[1:])
    if signed == "i8" and array.size and int(array.max()) > _MOST_SIGNED:
        raise DataError(f"column {column} has numbers above {_MOST_SIGNED}, which no tensor holds")
    return torch.from_numpy(array if signed is None else array.astype(signed))


def framed(table: Any) -> Any:
    """Converts a pyarrow table to a pandas frame. If the input was a frame, its index is restored."""
    made = table.to_pandas()
    # pyarrow gives this name to levels of an index without a name.
    levels = [name for name in made.columns if str(name).startswith("__index_level_")]
    return made.set_index(levels).rename_axis([None] * len(levels)) if levels else made
