"""Moves on puzzles: verdicts, the puzzle after a move, the steps on a board, and moves in arrays."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import EASY, SOLVED

import sudoku_pipeline as sp

HARD = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
UNSOLVABLE = EASY[:2] + "1" + EASY[3:]


@pytest.mark.parametrize(
    "cell, digit, options, verdict, technique",
    [
        ((4, 4), 5, {}, "implied", "naked_single"),
        ((0, 2), 4, {"max_rank": 4}, "true", None),
        ((0, 2), 4, {"ladder": "basic"}, "implied", "naked_pair"),
        ((0, 2), 1, {}, "false", None),
        ((0, 2), 6, {}, "illegal", None),
        ((0, 0), 5, {}, "repeated", None),
        ((0, -1), 2, {"max_rank": 1}, "true", None),
        ((0, 2), 1, {"eliminate": True}, "implied", "hidden_single_line"),
        ((0, 2), 4, {"eliminate": True}, "false", None),
        ((0, 2), 3, {"eliminate": True}, "repeated", None),
    ],
)
def test_a_move_has_a_verdict(cell, digit, options, verdict, technique):
    checked = sp.Puzzle(EASY).check(cell, digit, **options)
    assert (checked.verdict, checked.technique) == (verdict, technique)
    rank = None if technique is None else sp.techniques().index(technique) + 1
    assert (checked.rank, checked.level is None) == (rank, rank is None)
    assert pickle.loads(pickle.dumps(checked)) == checked and len({checked, checked}) == 1


def test_moves_make_new_puzzles():
    puzzle = sp.Puzzle(EASY)
    placed = puzzle.place((4, 4), 5)
    assert placed[4, 4] == 5 and puzzle[4, 4] == 0
    eliminated = placed.eliminate((0, 2), 1)
    assert eliminated.check((0, 2), 1).verdict == "false"
    # The cell has one candidate, and is empty until it is filled.
    assert placed.eliminate((0, 2), 1).eliminate((0, 2), 2).check((0, 2), 4).technique == "naked_single"
    assert eliminated.clues == placed.clues == 31
    assert eliminated.place((0, 2), 4)[0, 2] == 4
    assert not eliminated.candidates[0, 2, 0] and placed.candidates[0, 2, 0]
    for one in (placed, eliminated, eliminated.place((0, 2), 4)):
        copy = pickle.loads(pickle.dumps(one))
        assert copy == one and copy.clues == one.clues and str(copy) == str(one)
    assert eliminated.solve() == sp.Puzzle(SOLVED)
    four = sp.Puzzle("1.....2..3.....4").place((0, 1), 2)
    assert four[0, 1] == 2


@pytest.mark.parametrize(
    "make, error, said",
    [
        (lambda: sp.Puzzle(EASY).place((0, 0), 3), sp.DataError, "r1c1 has the digit 5"),
        (lambda: sp.Puzzle(EASY).place((0, 2), 3), sp.DataError, "3 is in r1c2 and in r1c3"),
        (lambda: sp.Puzzle(EASY).eliminate((0, 2), 1).place((0, 2), 1), sp.DataError, "1 is not a candidate of r1c3"),
        (lambda: sp.Puzzle(EASY).eliminate((0, 2), 3), sp.DataError, "3 is not a candidate of r1c3"),
        (lambda: sp.Puzzle(EASY).eliminate((0, 0), 5), sp.DataError, "r1c1 has the digit 5"),
        (lambda: sp.Puzzle(EASY).place((9, 0), 3), IndexError, "9 is outside"),
        (lambda: sp.Puzzle(EASY).check((0, 2), 10), sp.UsageError, "digit=10: must be from 1 to 9"),
        (lambda: sp.Puzzle(EASY).hint(technique="xwing"), sp.UsageError, "there is no technique xwing"),
        (lambda: sp.Puzzle(EASY).moves(technique="x_wing", max_rank=3), sp.UsageError, "only technique"),
        (lambda: sp.Puzzle(UNSOLVABLE).check((0, 3), 2), sp.DataError, "no solution"),
        (lambda: sp.Puzzle(UNSOLVABLE).hint(), sp.DataError, "no solution"),
        (lambda: sp.Puzzle(UNSOLVABLE).moves(max_rank=4), sp.DataError, "no solution"),
        (lambda: sp.Puzzle("." * 16).check((0, 0), 1), sp.DataError, "9 × 9"),
    ],
)
def test_what_cannot_be_done_is_an_error(make, error, said):
    with pytest.raises(error, match=said):
        make()


def test_hints_and_moves_are_those_of_the_ladder():
    puzzle = sp.Puzzle(HARD)
    moves = puzzle.moves(max_rank=15)
    ranks = [step.rank for step in moves]
    assert ranks == sorted(ranks) and len(set(ranks)) > 1
    for name in {step.technique for step in moves}:
        alone = puzzle.moves(technique=name)
        assert [step.effect for step in alone] == [step.effect for step in moves if step.technique == name]
        assert puzzle.hint(technique=name).technique == name
    for step in moves:
        for row, column, digit in step.placements:
            assert puzzle.check((row, column), digit, max_rank=15).rank <= step.rank
        for row, column, digit in step.eliminations:
            assert puzzle.check((row, column), digit, eliminate=True, max_rank=15).rank <= step.rank
            assert not step.candidates[row, column, digit - 1]
    assert puzzle.hint(max_rank=15).effect == puzzle.hint().effect
    assert sp.Puzzle(HARD).hint(technique="jellyfish") is None
    assert sp.Puzzle(SOLVED).moves() == [] and sp.Puzzle(SOLVED).hint(max_rank=4) is None
    for step in (moves[0], moves[-1], puzzle.hint(technique="locked_pointing")):
        assert str(pickle.loads(pickle.dumps(step))) == str(step)


def test_arrays_of_moves_have_the_verdicts_of_single_moves():
    np = pytest.importorskip("numpy")
    rng = np.random.default_rng(58)
    texts = [EASY, HARD, EASY.replace("5", "."), EASY[:40] + "." * 41, UNSOLVABLE]
    chosen = rng.integers(0, len(texts), 300)
    boards = np.array([[0 if cell == "." else int(cell) for cell in texts[at]] for at in chosen], dtype=np.uint8)
    moves = np.stack([rng.integers(0, 9, 300), rng.integers(0, 9, 300), rng.integers(-9, 10, 300)], axis=1)
    checked = sp.check_moves(boards.reshape(-1, 9, 9), moves, max_rank=15, threads=2)
    for at, (row, column, digit) in enumerate(moves.tolist()):
        if digit == 0:
            expected = ("", 0)
        elif texts[chosen[at]] == UNSOLVABLE:
            expected = ("no_solution", 0)
        else:
            puzzle = sp.Puzzle(texts[chosen[at]])
            single = puzzle.check((row, column), abs(digit), eliminate=digit < 0, max_rank=15)
            expected = (single.verdict, single.rank or 0)
        assert (checked.verdict[at], checked.rank[at]) == expected, (texts[chosen[at]], row, column, digit)
    assert set(checked.verdict) >= {"implied", "true", "possible", "false", "repeated", "illegal", "no_solution", ""}
    puzzles = [sp.Puzzle(text) for text in texts[:2]]
    in_order = sp.check_moves(puzzles, [[[4, 4, 5], [4, 4, 5], [4, 4, 2]], [[0, 0, 4], [9, 0, 1], [0, 1, 0]]])
    assert in_order.verdict.tolist() == [["implied", "repeated", "illegal"], ["repeated", "illegal", ""]]
    assert sp.check_moves(boards[:0], moves[:0]).verdict.shape == (0,)
    for wrong, said in [((boards, moves[:3]), "300 boards need"), ((boards[:, :80], moves), "not \\(n, 81\\)")]:
        with pytest.raises(sp.DataError, match=said):
            sp.check_moves(*wrong)
    with pytest.raises(TypeError, match="integers"):
        sp.check_moves(boards, moves / 2)


def test_sequences_are_judged_in_every_form():
    np = pytest.importorskip("numpy")
    puzzle = sp.Puzzle(EASY)
    steps = puzzle.steps()
    boards = [step.board for step in steps]
    array = np.zeros(325, dtype=np.uint8)
    clues = [(row, column) for row in range(9) for column in range(9) if puzzle[row, column]]
    placed = [(row, column, digit) for step in steps for row, column, digit in step.placements]
    array[0] = len(clues)
    array[1:] = [n for row, column in clues for n in (row, column, puzzle[row, column], 0)] + [n for move in placed for n in (*move, 1)]
    texts = [step.effect for step in steps]
    sequences = [steps, boards, array, texts, ", ".join(texts), array.tolist(), [], None]
    judged = sp.evaluate([EASY] * len(sequences), steps=sequences, moves=True).to_arrow().to_pylist()
    for row, form in zip(judged, ["list", "boards", "array", "list", "moves", "array"]):
        assert (row["steps_form"], row["verdict"], row["reward"]) == (form, "solution", 1.0)
        assert len(row["judged_moves"]) == row["move_count"] == 51
    assert [row["verdict"] for row in judged[-2:]] == ["incomplete", "missing"]
    arrays = sp.trace([EASY, HARD, "." * 81], format="steps-npy")
    assert arrays.shape == (2, 325) and arrays.dtype == np.uint8
    rewards = sp.evaluate([EASY, HARD], steps=arrays).to_arrow()["reward"].to_pylist()
    assert rewards == [1.0, 1.0]
    with pytest.raises(sp.UsageError, match="template="):
        sp.trace([EASY], format="steps-npy", template={"a": "{steps}"})
    frame = pa.table({"puzzle": [EASY], "answer": [["r5c5=5", "r1c3=1"]]})
    (row,) = sp.evaluate(frame, steps="answer", max_rank=4).to_arrow().to_pylist()
    assert (row["first_wrong_move"], row["is_solvable"], row["reward"]) == (2, False, 0)
    (row,) = sp.evaluate([EASY], frame, steps="answer").to_arrow().to_pylist()
    assert row["move_count"] == 2
    with pytest.raises(sp.UsageError, match="give no predictions"):
        sp.evaluate([EASY], [EASY], steps=[["r5c5=5"]])


def test_several_techniques_are_a_ladder_of_their_own():
    puzzle = sp.Puzzle(HARD)
    names = ["hidden_single_box", "hidden_single_line", "naked_single"]
    several = puzzle.moves(technique=names)
    assert {step.effect for step in several} == {step.effect for name in names for step in puzzle.moves(technique=name)}
    assert puzzle.hint(technique=names).rank == min(step.rank for step in several)
    for call in (puzzle.moves, puzzle.hint):
        with pytest.raises(sp.UsageError, match="did you mean x_wing"):
            call(technique=["naked_single", "xwing"])
        with pytest.raises(TypeError, match="technique: a text or a list of texts is needed, and not int"):
            call(technique=3)


def test_truth_values_are_pencil_marks():
    np = pytest.importorskip("numpy")
    step = sp.Puzzle(HARD).steps()[0]
    position = sp.Puzzle(step.candidates)
    assert (position.candidates == step.candidates).all() and position.solve() == sp.Puzzle(HARD).solve()
    with pytest.raises(sp.DataError, match=r"\(9, 9, 9\)"):
        sp.Puzzle(np.ones((9, 9), dtype=bool))


def test_the_reward_function_of_the_cookbook_runs(tmp_path):
    cookbook = (Path(__file__).parents[2] / "docs" / "cookbook.md").read_text()
    (program,) = re.findall(r"## A reward function for RL\n.*?```python\n(.*?)```", cookbook, re.DOTALL)
    script = tmp_path / "reward.py"
    script.write_text(program)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    first, *others = done.stdout.splitlines()
    assert first == f"[{1 / 51}, {0.0}, -1.0]" and len(others) == 3 and "implied" in others[0]
