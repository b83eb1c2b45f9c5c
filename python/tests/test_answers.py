"""Answers of models as they come: repeated, as conversations, as moves of numbers, as arrays of other numbers."""

import numpy as np
import pytest

import sudoku_pipeline as sp


@pytest.fixture(scope="module")
def boards():
    return sp.generate(12, seed=7).to_numpy("puzzle")


@pytest.fixture(scope="module")
def solutions(boards):
    return sp.solve(boards).to_numpy("solution")


def verdicts(table):
    return table.to_arrow().column("verdict").to_pylist()


def test_a_model_that_repeats_its_answer_gets_its_verdicts(boards, solutions):
    repeated = np.repeat(solutions[:1], len(boards), axis=0)
    with pytest.warns(sp.DataWarning, match="only 1 different grid"):
        judged = sp.evaluate(boards, repeated)
    assert verdicts(judged).count("solution") == 1
    with pytest.raises(sp.DataError, match="not in the same order"):
        sp.evaluate(boards, np.roll(solutions, 1, axis=0))


def test_the_last_message_of_a_conversation_is_the_answer(boards, solutions):
    texts = ["".join(map(str, row)) for row in solutions.tolist()]
    conversations = [[{"role": "user", "content": "Solve it."}, {"role": "assistant", "content": text}] for text in texts]
    conversations[3] = [{"role": "assistant", "content": [{"type": "text", "text": texts[3]}]}]
    conversations[4] = None
    judged = verdicts(sp.evaluate(boards, conversations))
    assert judged == ["solution"] * 4 + ["missing"] + ["solution"] * 7


def test_moves_can_be_numbers(boards, solutions):
    cells = [int(np.flatnonzero(board == 0)[0]) for board in boards]
    moves = np.array([(cell // 9, cell % 9, solution[cell]) for cell, solution in zip(cells, solutions)])
    texts = [[f"r{row + 1}c{column + 1}={digit}"] for row, column, digit in moves.tolist()]
    expected = sp.evaluate(boards, steps=texts).to_arrow()
    for steps in (moves, moves[:, None, :], [[tuple(move)] for move in moves.tolist()], moves.tolist()):
        assert sp.evaluate(boards, steps=steps).to_arrow().column("reward").equals(expected.column("reward"))
    for steps in ([5] * 12, [float("nan")] * 12, 5):
        with pytest.raises(TypeError, match="steps: a sequence of moves"):
            sp.evaluate(boards, steps=steps)


def test_numbers_of_predictions_are_tokens_only_with_evidence_and_a_warning(boards, solutions):
    with pytest.warns(sp.DataWarning, match="prediction.token.offset"):
        assert set(verdicts(sp.evaluate(boards, solutions + 1))) == {"solution"}
    wrong = solutions.copy()
    wrong[:, 0] = 10
    with pytest.warns(sp.DataWarning, match="no grid"):
        assert set(verdicts(sp.evaluate(boards, wrong))) == {"unparsable"}


def test_fewer_predictions_of_the_other_model_are_refused(boards, solutions):
    with pytest.raises(sp.PipelineError, match="against="):
        sp.evaluate(boards, solutions, against=solutions[:5])


def test_puzzles_without_copies_stay(boards):
    large = sp.generate(1, seed=1, size=16).to_arrow().column("puzzle").to_pylist()
    with pytest.warns(sp.DataWarning, match="1 puzzle has no copies"):
        rows = sp.augment([*large, "".join(map(str, boards[0].tolist()))], 2).to_arrow().column("puzzle").to_pylist()
    assert len(rows) == 3 and rows.count(large[0]) == 1
