"""Judges moves in arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_pipeline import _grids, _native
from sudoku_pipeline._threads import worker_threads
from sudoku_pipeline.options import Ladder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class CheckedMoves(NamedTuple):
    """The verdicts on moves, as arrays with an element for each move."""

    #: ``"implied"``, ``"true"``, ``"possible"``, ``"false"``, ``"repeated"``, ``"illegal"``; ``"no_solution"`` on a board
    #: without a solution, and an empty text where there is no move
    verdict: npt.NDArray[np.str_]
    #: the rank of the technique that an implied move needs, 0 for other moves
    rank: npt.NDArray[np.uint8]


def check_moves(
    boards: Any,
    moves: Any,
    *,
    ladder: Ladder | None = None,
    max_rank: int | None = None,
    threads: int | None = None,
) -> CheckedMoves:
    """Judges moves on many boards, in the process. Needs NumPy.

    :param boards: an array ``(n, 81)`` or ``(n, 9, 9)`` with 0 for an empty cell, or a list or a column of puzzles
    :param moves: an array ``(n, 3)`` with a move for each board: its row and column from 0, and the digit. A positive
        digit is placed, a negative one is eliminated, and 0 is no move. With the shape ``(n, k, 3)``, the k moves of a
        board are judged one after the other, as those of ``evaluate(steps=...)``.
    :param ladder: the techniques that can give a move, as for :meth:`Puzzle.grade`
    :param max_rank: the highest rank of a technique that can give a move
    :param threads: the number of threads; by default one for each core

    >>> import numpy as np
    >>> board = np.zeros((2, 81), dtype=np.uint8)
    >>> board[:, :8] = [1, 2, 3, 4, 5, 6, 7, 8]
    >>> checked = check_moves(board, np.array([[0, 8, 9], [0, 8, -9]]))
    >>> checked.verdict.tolist(), checked.rank.tolist()
    (['implied', 'false'], [1, 0])
    """
    import numpy

    try:
        made = numpy.asarray(moves)
    except ValueError:
        raise TypeError("moves: all boards need as many moves as the longest, with a digit of 0 where there is none") from None
    if made.dtype.kind not in "iu":
        raise TypeError(f"moves: an array of integers is needed, and not one of {made.dtype}")
    is_single = made.ndim == 2
    if is_single:
        made = made[:, None, :]
    boards = _grids.listed(boards)
    if not hasattr(boards, "__array_interface__") and hasattr(boards, "__array__"):
        boards = numpy.asarray(boards)
    count = worker_threads(threads)
    verdicts, ranks = _native.check_moves(boards, made, ladder, max_rank, count)
    names = numpy.array(_native.move_verdicts())
    verdict, rank = names[numpy.asarray(verdicts)], numpy.asarray(ranks)
    return CheckedMoves(verdict[:, 0], rank[:, 0]) if is_single else CheckedMoves(verdict, rank)
