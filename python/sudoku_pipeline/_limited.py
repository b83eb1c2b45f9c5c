"""Results up to a limit, which say whether the limit cut them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    from sudoku_pipeline._native import Puzzle

    _Puzzles = list[Puzzle]
else:
    _Puzzles = list


class Count(int):
    """A number of solutions. ``exact`` is false if the search stopped at its limit, so that there may be more."""

    exact: bool

    def __new__(cls, number: int, exact: bool = True) -> Count:
        made = super().__new__(cls, number)
        made.exact = exact
        return made

    def __getnewargs__(self) -> Any:
        return int(self), self.exact


class Solutions(_Puzzles):
    """A list of solutions. ``exact`` is false if the search stopped at its limit, so that there may be more."""

    def __init__(self, puzzles: Iterable[Puzzle] = (), exact: bool = True) -> None:
        super().__init__(puzzles)
        self.exact = exact
