"""Isomorphs of boards in arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_pipeline import _grids, _native
from sudoku_pipeline._threads import worker_threads

if TYPE_CHECKING:
    import numpy
    import numpy.typing


def isomorph(boards: Any, seeds: Any, *, threads: int | None = None) -> numpy.typing.NDArray[numpy.uint8]:
    """Returns an isomorph of each board: digits are renamed, and rows, columns, bands and stacks are permuted. Needs NumPy.

    The map depends only on the seed and on the size of the board, and is the one of :meth:`Puzzle.isomorph`. So puzzles and
    their solutions, with the same seeds, stay puzzles and their solutions. Each digit of a board is mapped, so boards of 9 x 9
    need not be puzzles; smaller ones have no digit twice in a house.

    :param boards: digits in the shape ``(n, 81)`` or ``(n, 9, 9)``, or one board in the shape ``(81,)`` or ``(9, 9)``, with 0
        for an empty cell; or a list or a column of puzzles. Boards of 4 x 4 and 6 x 6 too.
    :param seeds: whole numbers from 0 to 2**63 - 1 in the shape ``(n,)``, one for all boards, or a random generator of NumPy,
        which gives one for each board
    :param threads: the number of threads; by default one for each core
    :returns: the isomorphs as ``uint8`` in the shape of the boards; for a list, in the shape ``(n, 81)``
    :raises DataError: a number is no digit, or there are not as many seeds as boards

    >>> import numpy as np
    >>> import sudoku_pipeline as sp
    >>> puzzles = sp.generate(3, seed=1).to_numpy("puzzle")
    >>> solutions = sp.solve(puzzles).to_numpy("solution")
    >>> seeds = np.arange(3)
    >>> bool((sp.solve(sp.isomorph(puzzles, seeds)).to_numpy() == sp.isomorph(solutions, seeds)).all())
    True
    """
    import numpy

    if isinstance(seeds, numpy.random.Generator):
        is_single = getattr(boards, "ndim", 2) == 1 or getattr(boards, "shape", ()) in ((4, 4), (6, 6), (9, 9))
        seeds = seeds.integers(2**63, size=1 if is_single else len(boards))
    given = seeds if isinstance(seeds, int) else numpy.asarray(seeds)
    if not isinstance(given, int) and given.dtype.kind not in "iu":
        raise TypeError(f"seeds: whole numbers are needed, and not {given.dtype}")
    if not isinstance(given, int) and given.ndim == 0:
        given = int(given)
    boards = _grids.listed(boards)
    shape: Any = None
    if hasattr(boards, "__array__") or hasattr(boards, "__dlpack__"):
        boards = numpy.asarray(boards)
        shape = boards.shape
        # Of square shapes only these are one board: (81, 81), for example, is 81 boards in rows.
        if boards.ndim == 1 or boards.shape in ((4, 4), (6, 6), (9, 9)):
            boards = boards.reshape(1, -1)
        elif boards.ndim == 3:
            boards = boards.reshape(boards.shape[0], boards.shape[1] * boards.shape[2])
    found = numpy.asarray(_native.isomorph(boards, given, worker_threads(threads)))
    return found if shape is None else found.reshape(shape)
