"""Keeps the index of a pandas frame or series that is the data, for the rows of the result.

The data gets a column with the position of each row. The result has this column too, whatever the options select, and
the labels of its rows are those at these positions.
"""

from __future__ import annotations

import os
import threading
from typing import Any, Mapping

from sudoku_pipeline import _data, _grids
from sudoku_pipeline._errors import PipelineError

# The column with the positions. No result of a function has it.
COLUMN = "__sudoku_pipeline_position__"
# Columns of results that are made from the columns of the input with these names.
_READ = ("puzzle", "solution")


class Labels:
    """The labels of the rows of a frame or series."""

    def __init__(self, index: Any) -> None:
        self.index = index
        # Whether the result has the levels of the index as columns, only because it has all columns.
        self._is_copied = False

    @staticmethod
    def of_data(data: Any, options: Mapping[str, Any]) -> Labels | None:
        """The labels of data; None if it is no frame or series of pandas."""
        if type(data).__module__.partition(".")[0] != "pandas":
            return None
        import pandas

        # A column cannot be added by one name to columns with several levels.
        is_frame = isinstance(data, pandas.DataFrame) and data.columns.nlevels == 1
        if not is_frame and not isinstance(data, pandas.Series):
            return None
        labels = Labels(data.index)
        # Columns of digits are an array, which has no index.
        has_index = is_frame and data.shape[1] not in _data.CELLS and not labels.are_positions
        has_all = options.get("select") is None and options.get("keep") in (None, "all", ["all"], ("all",))
        labels._is_copied = has_index and has_all
        return labels

    @property
    def are_positions(self) -> bool:
        """Whether the labels are the positions of the rows."""
        import pandas

        index = self.index
        return isinstance(index, pandas.RangeIndex) and (index.start, index.step) == (0, 1)

    def label(self, frame: Any, positions: Any) -> Any:
        """The frame with the labels at these positions as its index. Columns that only repeat the index are left out."""
        index = self.index.take(positions)
        # pyarrow gives this name to levels of an index without a name.
        repeated = [name for name in frame.columns if str(name).startswith("__index_level_")]
        if self._is_copied:
            repeated += [self._copy(frame, index.get_level_values(at), str(name)) for at, name in enumerate(index.names)]
        return frame.drop(columns=[name for name in repeated if name in frame.columns]).set_axis(index, axis=0)

    def _copy(self, frame: Any, level: Any, name: str) -> str:
        """The name of the column that repeats the level of the index with this name, if there is one."""
        import pandas

        # A column of the input with the name of a column of the result gets this prefix.
        prefixed = f"input_{name}"
        if prefixed in frame.columns and level.equals(pandas.Index(frame[prefixed])):
            return prefixed
        return "" if name in _READ else name


def numbered(data: Any, blank: Any = 0) -> Any:
    """The table of a frame or series, with the positions of its rows as a column."""
    import numpy
    import pandas
    import pyarrow

    if isinstance(data, pandas.Series):
        data = pandas.DataFrame({"puzzle": data.array})
    ready = _data.prepared(data, blank)
    if isinstance(ready, pandas.DataFrame):
        table = pyarrow.table(ready)
    else:
        # A column of digits for each cell is an array.
        table = pyarrow.table({"puzzle": _grids.column(ready, blank)})
    return table.append_column(COLUMN, pyarrow.array(numpy.arange(len(data))))


def with_positions(options: Mapping[str, Any], is_command_line: bool) -> dict[str, Any]:
    """The options, with which the result has the positions.

    :param is_command_line: whether a text can be several names, as on the command line
    """
    names = {name: options[name] for name in ("keep", "select") if options.get(name) is not None}
    return {**options, **{name: _added(name, value, is_command_line) for name, value in names.items()}}


def _added(option: str, value: Any, is_command_line: bool) -> Any:
    if option == "keep":
        if value in ("all", ["all"], ("all",)):
            return value
        if value in ("none", [], (), ["none"], ("none",)):
            return [COLUMN]
    if isinstance(value, str):
        return f'{value},"{COLUMN}"' if is_command_line else [value, COLUMN]
    return [*value, COLUMN]


def hide(error: PipelineError) -> None:
    """Takes the column with the positions out of the message of an error, which lists the columns."""
    message = str(error)
    if COLUMN in message:
        error.args = (message.replace(f", such as {COLUMN}", "").replace(f", {COLUMN}", ""),)


def without_positions(table: Any) -> Any:
    """A pyarrow table without the positions."""
    return table.drop_columns([COLUMN]) if COLUMN in table.column_names else table


def copy_without_positions(path: str) -> str:
    """Copies the table in an Arrow file without its positions. Returns the path of the copy."""
    import pyarrow

    # Other threads, and forked children, have the same folder.
    target = f"{path}.{os.getpid()}.{threading.get_ident()}.arrow"
    with pyarrow.OSFile(path) as file, pyarrow.ipc.open_file(file) as reader:
        at = reader.schema.get_field_index(COLUMN)
        if at < 0:
            return path
        schema = reader.schema.remove(at)
        options = pyarrow.ipc.IpcWriteOptions(compression="lz4")
        with pyarrow.OSFile(target, "wb") as sink, pyarrow.ipc.new_file(sink, schema, options=options) as writer:
            for number in range(reader.num_record_batches):
                columns = reader.get_batch(number).columns
                writer.write_batch(pyarrow.RecordBatch.from_arrays(columns[:at] + columns[at + 1 :], schema=schema))
    return target
