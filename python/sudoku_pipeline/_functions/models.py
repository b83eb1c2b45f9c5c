# Made by python/signatures/make.py from models.py.in: change those.
"""Functions for the training and the tests of models, and for the comparison of solvers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Mapping, Sequence, overload

from sudoku_pipeline import _datasets
from sudoku_pipeline._table import Table
from sudoku_pipeline.options import ColumnType, HodokuVersion, InputFormat, With

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@overload
def trace(
    data: Any,
    *,
    node_limit: int | None = None,
    template: None = None,
    format: Literal["table"] = "table",
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    blank: int = 0,
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table: ...


@overload
def trace(
    data: Any,
    *,
    node_limit: int | None = None,
    template: None = None,
    format: Literal["chat"],
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    blank: int = 0,
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> list[dict[str, Any]]: ...


@overload
def trace(
    data: Any,
    *,
    node_limit: int | None = None,
    template: None = None,
    format: Literal["steps-npy"],
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    blank: int = 0,
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> npt.NDArray[np.uint8]: ...


@overload
def trace(
    data: Any,
    *,
    node_limit: int | None = None,
    template: Mapping[str, str],
    format: Literal["table", "chat"] = "table",
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    blank: int = 0,
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> list[dict[str, str]]: ...


def trace(
    data: Any,
    *,
    node_limit: int | None = None,
    template: Mapping[str, str] | None = None,
    format: Literal["table", "chat", "steps-npy"] = "table",
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    blank: int = 0,
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Any:
    """Returns the verified steps that solve each puzzle, as nested columns.

    :param data: as for :func:`grade`
    :param template: texts with the placeholders ``{puzzle}``, ``{solution}`` and ``{steps}``: the result is a list of
        dictionaries with these texts, as in ``{"prompt": "Solve {puzzle}", "answer": "{steps}"}``
    :param format: ``"table"``; ``"chat"`` for a list of messages for training, a dictionary for each puzzle; or
        ``"steps-npy"`` for a NumPy array ``(n, 325)``, which :func:`evaluate` takes as ``steps``
    :param node_limit: give up a puzzle after this many search nodes
    :param where: an SQL condition over the columns of the result: only the rows that fulfil it are returned, such as ``"rank
        >= 12"``
    :param select: the columns to return, in this order
    :param rename: new names of columns of the result, by their old names
    :param keep: which other columns to copy to the rows: ``"all"``, ``"none"`` or a list of names
    :param puzzle_column: the column with the puzzles; the default is found by well-known names
    :param solution_column: the column with the solutions; the default is found by well-known names
    :param alphabet: the symbols of 12 x 12, 16 x 16 or 25 x 25 grids in order, such as ``"1-9A-G"``
    :param blank: the number that stands for an empty cell in arrays and lists of digits
    :param input_format: the format of files; the default is recognised from their first bytes
    :param delimiter: the character between the fields of CSV files
    :param max_record_bytes: the longest record of a text file in bytes, such as ``"4MiB"``; longer ones are rejected
    :param infer_types: whether the types of columns of files are inferred: ``"auto"`` for JSON only, ``"all"``, ``"none"``
    :param types: the types of columns of CSV or JSON files, such as ``{"id": "int64"}``
    :param token_offset: the number of an empty cell in ``.npy`` files and columns of lists of numbers; the numbers of the
        digits follow it
    :param shard: the share of the input files to read, such as ``"0/4"``
    :param keep_going: read damaged files as far as possible
    :param skip: the number of records to leave out first
    :param limit: the number of records after which reading ends
    :param sample: the probability from 0 to 1 with which each record is taken
    :param seed: the seed of random choices
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error

    >>> import sudoku_pipeline as sp
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> sp.trace([puzzle], format="steps-npy").shape
    (1, 325)
    """
    return _datasets.trace(locals())


def evaluate(
    data: Any,
    predictions: Any = None,
    *,
    prediction_column: str | None = None,
    prediction_format: InputFormat | None = None,
    prediction_token_offset: int | None = None,
    key: str | None = None,
    extract: bool = False,
    steps: Any = None,
    max_rank: int | None = None,
    moves: bool = False,
    against: Any = None,
    min_exact: int | float | str | None = None,
    solution_limit: int | None = None,
    node_limit: int | None = None,
    with_: With = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: HodokuVersion | None = None,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = "all",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    blank: int = 0,
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Judges the predictions of a model. The table has a row for each puzzle. ``table.counts["evaluation"]`` has the
    figures, and ``table.text`` shows them as tables.

    :param data: the puzzles, as for :func:`grade`
    :param predictions: the predictions row by row, as arrays, texts, conversations (lists of messages with ``role`` and
        ``content``) or a table, one for each puzzle, with None where the model gave none; without it they are a column of ``data``
    :param prediction_column: the column with the predictions; the default is found by well-known names
    :param prediction_format: the format of a file of predictions
    :param prediction_token_offset: the number of an empty cell in arrays of predictions, if it is not that of the puzzles; the
        numbers of the digits follow it, so that 1 reads the tokens 2 to 10 as the digits
    :param key: the column that both have in common: its values say which prediction belongs to which puzzle
    :param min_exact: fail if fewer predictions solve their puzzle: a number, a share, or a percentage such as ``"95%"``
    :param extract: whether predictions are texts of a language model, in which the answer is searched; the columns
        ``answer_form`` and ``answer_rule`` say how it was found, and ``counts["evaluation"]["by_answer"]`` counts them
    :param steps: the predictions are sequences of moves, and each move is judged: the sequences themselves, row by row
        (texts, lists of texts such as ``"r1c3=4"``, moves of numbers as :func:`check_moves` takes them, arrays of 325 numbers,
        lists of boards or of :class:`Step`), or the name of a column with them
    :param max_rank: with ``steps``, the highest rank of a technique that can give a move
    :param moves: with ``steps``, whether to add the column ``judged_moves``, a list of the moves with their verdicts
    :param against: the predictions of another model
    :param solution_limit: count at most this many solutions of a puzzle
    :param node_limit: give up a puzzle after this many search nodes; its status is then ``gave_up``
    :param with_: additional columns, which take extra time to compute: see :func:`with_names`
    :param se_max: with ``with_="se"``, the highest rating to compute; the default is 9.0
    :param se_work: with ``with_="se"``, the work after which a rating is given up
    :param hodoku_version: with ``with_="hodoku"``, the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    :param where: an SQL condition over the columns of the result: only the rows that fulfil it are returned, such as ``"rank
        >= 12"``
    :param select: the columns to return, in this order
    :param rename: new names of columns of the result, by their old names
    :param keep: which other columns to copy to the rows: ``"all"``, ``"none"`` or a list of names
    :param puzzle_column: the column with the puzzles; the default is found by well-known names
    :param solution_column: the column with the solutions; the default is found by well-known names
    :param alphabet: the symbols of 12 x 12, 16 x 16 or 25 x 25 grids in order, such as ``"1-9A-G"``
    :param blank: the number that stands for an empty cell in arrays and lists of digits
    :param input_format: the format of files; the default is recognised from their first bytes
    :param delimiter: the character between the fields of CSV files
    :param max_record_bytes: the longest record of a text file in bytes, such as ``"4MiB"``; longer ones are rejected
    :param infer_types: whether the types of columns of files are inferred: ``"auto"`` for JSON only, ``"all"``, ``"none"``
    :param types: the types of columns of CSV or JSON files, such as ``{"id": "int64"}``
    :param token_offset: the number of an empty cell in ``.npy`` files and columns of lists of numbers; the numbers of the
        digits follow it
    :param shard: the share of the input files to read, such as ``"0/4"``
    :param keep_going: read damaged files as far as possible
    :param skip: the number of records to leave out first
    :param limit: the number of records after which reading ends
    :param sample: the probability from 0 to 1 with which each record is taken
    :param seed: the seed of random choices
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param threads: the number of worker threads; the default is one per core
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error

    >>> import sudoku_pipeline as sp
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> judged = sp.evaluate([puzzle], sp.solve(puzzle).to_numpy("solution"))
    >>> judged.counts["evaluation"]["exact"]
    1
    >>> sp.evaluate([puzzle], steps=["r5c5=5, r1c3=2"]).counts["evaluation"]["steps"]["false"]
    1
    """
    return _datasets.evaluate(locals())


def compare(
    data: Any,
    *,
    solvers: str | Sequence[str] | None = None,
    label: str | None = None,
    guess_limit: int | None = None,
    solution_limit: int | None = None,
    repeat: int | None = None,
    parallel_runs: int | None = None,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    blank: int = 0,
    input_format: InputFormat | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: Literal["auto", "all", "none"] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | float | str | None = None,
    max_wrong: int | float | str | None = None,
    allow_empty: bool = False,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Compares the guesses and times of several solvers. The table has a row for each run; ``table.text`` has the summary.

    :param data: as for :func:`grade`
    :param solvers: ``"all"``, or names such as ``["lanes", "dlx", "backtrack-pairs-mrv"]``
    :param label: a column that groups the puzzles
    :param guess_limit: end a run after this many guesses
    :param solution_limit: count at most this many solutions of a puzzle
    :param repeat: time each run this many times, and keep the shortest time
    :param parallel_runs: do this many runs at a time, whose times are then longer; the default is 1
    :param puzzle_column: the column with the puzzles; the default is found by well-known names
    :param solution_column: the column with the solutions; the default is found by well-known names
    :param alphabet: the symbols of 12 x 12, 16 x 16 or 25 x 25 grids in order, such as ``"1-9A-G"``
    :param blank: the number that stands for an empty cell in arrays and lists of digits
    :param input_format: the format of files; the default is recognised from their first bytes
    :param delimiter: the character between the fields of CSV files
    :param max_record_bytes: the longest record of a text file in bytes, such as ``"4MiB"``; longer ones are rejected
    :param infer_types: whether the types of columns of files are inferred: ``"auto"`` for JSON only, ``"all"``, ``"none"``
    :param types: the types of columns of CSV or JSON files, such as ``{"id": "int64"}``
    :param token_offset: the number of an empty cell in ``.npy`` files and columns of lists of numbers; the numbers of the
        digits follow it
    :param shard: the share of the input files to read, such as ``"0/4"``
    :param keep_going: read damaged files as far as possible
    :param skip: the number of records to leave out first
    :param limit: the number of records after which reading ends
    :param sample: the probability from 0 to 1 with which each record is taken
    :param seed: the seed of random choices
    :param max_rejects: fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to
        1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with
        ``rejects="rows"``
    :param max_wrong: fail if more records have a wrong solution in the input: a number, a share or a percentage
    :param allow_empty: whether input in which no record is a puzzle is accepted
    :param memory_limit: the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it
        is
    :param progress: whether to show a bar on standard error

    >>> import sudoku_pipeline as sp
    >>> sp.compare(sp.generate(2, seed=1).to_numpy("puzzle"), solvers=["lanes", "dlx"]).num_rows
    4
    """
    return _datasets.table("compare", locals())
