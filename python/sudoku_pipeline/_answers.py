"""Converts the answers of models to what the command reads: moves to texts, and conversations to the answers in them."""

from __future__ import annotations

from typing import Any

from sudoku_pipeline._native import Puzzle, Step

_STEPS = (
    "steps: a sequence of moves for each puzzle is needed: a text, a list of texts such as 'r1c3=4', of moves (row, column, digit) "
    "from 0, of boards or of Step, an array of 325 numbers, or None"
)


def sequences(steps: Any) -> list[Any]:
    """Sequences of moves as texts, numbers and lists, one for each puzzle."""
    try:
        items = list(steps)
    except TypeError:
        raise TypeError(f"{_STEPS}; and not {type(steps).__name__}") from None
    return [_sequence(item, at) for at, item in enumerate(items)]


def _sequence(item: Any, at: int) -> Any:
    found = _plain(item)
    if found is not None and not isinstance(found, (str, list, dict)):
        raise TypeError(f"{_STEPS}; and item {at} is {type(item).__name__}")
    if not isinstance(found, list):
        return found
    if _is_move(found):
        return _moves([found])
    return _moves(found) if found and all(map(_is_move, found)) else found


def _plain(moves: Any) -> Any:
    """Moves as texts, numbers and lists."""
    if isinstance(moves, Step):
        return moves.effect
    if isinstance(moves, Puzzle):
        return str(moves)
    if hasattr(moves, "tolist"):
        return _plain(moves.tolist())
    return [_plain(move) for move in moves] if isinstance(moves, (list, tuple)) else moves


def _is_move(found: Any) -> bool:
    """Whether this is a row and a column from 0, and a digit, as ``check_moves`` takes them."""
    return isinstance(found, list) and len(found) == 3 and all(type(number) is int for number in found)


def _moves(moves: list[list[int]]) -> list[str]:
    """The texts of moves. A digit is placed, a negative one is eliminated, and 0 is no move."""
    return [
        # No cell has the number 0, so that a place beyond the board is an illegal move.
        f"r{max(row + 1, 0)}c{max(column + 1, 0)}{'=' if digit > 0 else '<>'}{abs(digit)}"
        for row, column, digit in moves
        if digit != 0
    ]


def completions(predictions: Any) -> Any:
    """The texts of the answers, if each prediction is a list of messages with ``role`` and ``content``; other data unchanged."""
    if not isinstance(predictions, (list, tuple)):
        return predictions
    first = next((item for item in predictions if item is not None), None)
    if not _is_conversation(first):
        return predictions
    return [_answer(item) if _is_conversation(item) else item for item in predictions]


def _is_conversation(item: Any) -> bool:
    return isinstance(item, (list, tuple)) and len(item) > 0 and all(isinstance(part, dict) and "role" in part for part in item)


def _answer(messages: Any) -> str | None:
    """The text of the last message of the assistant; None if there is none."""
    contents = [message.get("content") for message in messages if message["role"] == "assistant"]
    content = contents[-1] if contents else None
    if isinstance(content, (list, tuple)):
        # Parts such as {"type": "text", "text": ...}.
        return "".join(str(part.get("text") or "") if isinstance(part, dict) else str(part) for part in content)
    return content
