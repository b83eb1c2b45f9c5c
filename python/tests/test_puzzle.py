"""Single puzzles: how they are made, the results of their methods, and that these agree with the tables."""

import copy
import pickle
import subprocess
import sys
import weakref

import pyarrow as pa
import pytest
from conftest import EASY, SOLVED

import sudoku_pipeline as sp

HARD = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
FOUR = "1.....2..3.....4"


def digits(text):
    return [0 if cell == "." else int(cell, 36) for cell in text]


def rows(text, order=9):
    cells = digits(text)
    return [cells[at : at + order] for at in range(0, len(cells), order)]


@pytest.fixture(scope="module")
def sized():
    """A puzzle of each size."""
    made = {9: EASY}
    for size in (4, 6, 12, 16):
        made[size] = pa.table(sp.generate(1, seed=5, size=size)).column("puzzle")[0].as_py()
    return made


def test_a_puzzle_is_made_from_texts_arrays_and_lists():
    np = pytest.importorskip("numpy")
    flat = np.array(digits(EASY))
    puzzle = sp.Puzzle(EASY)
    for data in [
        EASY.replace(".", "0"),
        "\n".join(EASY[at : at + 9] for at in range(0, 81, 9)),
        EASY.encode(),
        puzzle,
        digits(EASY),
        rows(EASY),
        [EASY[at : at + 9] for at in range(0, 81, 9)],
        [None if digit == 0 else digit for digit in digits(EASY)],
        flat,
        flat.reshape(9, 9).astype(np.int8),
        flat.astype(">u4"),
        np.asfortranarray(flat.reshape(9, 9)),
        np.stack([flat, flat], axis=1)[:, 0],
    ]:
        assert sp.Puzzle(data) == puzzle
    assert sp.Puzzle(np.where(flat == 0, -1, flat), blank=-1) == puzzle
    assert sp.Puzzle(memoryview(bytes(digits(EASY))).tolist()) == puzzle
    torch = sys.modules.get("torch")
    if torch is not None:
        assert sp.Puzzle(torch.tensor(digits(EASY))) == puzzle


@pytest.mark.parametrize(
    "data, error, said",
    [
        ("short", sp.DataError, "5 cells; a puzzle has 81"),
        (EASY[:2] + "5" + EASY[3:], sp.DataError, "5 is in r1c1 and in r1c3"),
        ([1, 2, 3], sp.DataError, "3 cells"),
        ([[10] * 9] * 9, sp.DataError, "10 in r1c1 is neither 0, an empty cell, nor from 1 to 9"),
        (7, TypeError, "and not int"),
        ([1.5] * 81, TypeError, "not float"),
        ("1" + "." * 143, sp.DataError, "alphabet"),
    ],
)
def test_an_invalid_puzzle_is_refused(data, error, said):
    with pytest.raises(error, match=said):
        sp.Puzzle(data)


def test_a_float_array_is_refused_with_advice():
    np = pytest.importorskip("numpy")
    with pytest.raises(TypeError, match='float64: array.astype\\("uint8"\\)'):
        sp.Puzzle(np.zeros((9, 9)))


def test_a_puzzle_is_a_value():
    puzzle = sp.Puzzle(EASY)
    assert str(puzzle) == EASY and repr(puzzle) == f"Puzzle('{EASY}')"
    assert puzzle == sp.Puzzle(EASY.replace(".", "0")) and puzzle != sp.Puzzle(HARD) and puzzle != EASY
    assert len({puzzle, sp.Puzzle(EASY), sp.Puzzle(HARD)}) == 2
    assert sorted([puzzle, sp.Puzzle(HARD), sp.Puzzle(FOUR)]) == [sp.Puzzle(FOUR), sp.Puzzle(HARD), puzzle]
    with pytest.raises(TypeError):
        puzzle < EASY
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(puzzle, protocol)) == puzzle
    assert copy.deepcopy(puzzle) == puzzle
    with pytest.raises(AttributeError):
        puzzle.size = 4
    assert (puzzle.size, puzzle.box_shape, puzzle.clues) == (9, (3, 3), 30)
    assert puzzle[0, 0] == 5 and puzzle[0, 2] == 0 and puzzle.tolist() == rows(EASY)
    assert puzzle[-1, -1] == 9 and puzzle[0] == rows(EASY)[0] and list(puzzle) == rows(EASY) and len(puzzle) == 9
    for place in ((9, 0), (0, -10), 9):
        with pytest.raises(IndexError, match="outside of 9 × 9 cells"):
            puzzle[place]
    with pytest.raises(TypeError):
        puzzle["r1c1"]
    assert f"{puzzle:>83}" == "  " + EASY and f"{puzzle}" == EASY
    assert weakref.ref(puzzle)() is puzzle


def test_grades_and_ratings_are_values():
    for text in (EASY, HARD):
        puzzle = sp.Puzzle(text)
        for one, again in [
            (puzzle.grade(), puzzle.grade()),
            (puzzle.grade(max_rank=1), puzzle.grade(max_rank=1)),
            (puzzle.rating(), puzzle.rating()),
            (puzzle.rating(se_max=1.0), puzzle.rating(se_max=1.0)),
        ]:
            assert one == again and hash(one) == hash(again)
            for copied in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
                assert copied == one and repr(copied) == repr(one)
    assert pickle.loads(pickle.dumps(puzzle.grade())).waves == puzzle.grade().waves
    assert sp.Puzzle(EASY).grade() != puzzle.grade() and sp.Puzzle(EASY).rating() != puzzle.rating()


def test_steps_and_schemas_are_pickled(sized):
    """A pool of processes returns pickled steps and schemas."""
    for text in (EASY, HARD, FOUR, sized[16]):
        puzzle = sp.Puzzle(text)
        steps = puzzle.steps()
        for step in (steps[0], steps[len(steps) // 2], steps[-1], puzzle.hint()):
            for copied in (pickle.loads(pickle.dumps(step)), copy.deepcopy(step)):
                assert str(copied) == str(step) and copied.svg() == step.svg() and copied.board == step.board
    # A puzzle with several solutions has a hint, but no list of steps.
    hint = sp.Puzzle(EASY[:40] + "." * 41).hint()
    assert str(pickle.loads(pickle.dumps(hint))) == str(hint)
    schema = sp.schema("grade")
    copied = pickle.loads(pickle.dumps(schema))
    assert copied.names == schema.names and copied.types == schema.types


def test_every_size_is_a_puzzle(sized):
    for size, text in sized.items():
        alphabet = {12: "1-9A-C", 16: "1-9A-G"}.get(size)
        puzzle = sp.Puzzle(text, alphabet=alphabet)
        assert (puzzle.size, str(puzzle)) == (size, text)
        assert pickle.loads(pickle.dumps(puzzle)) == puzzle and sp.Puzzle(rows(text, size)) == puzzle
        solution = puzzle.solve()
        assert solution.is_solved and puzzle.is_unique and puzzle.count() == 1
        assert puzzle.solutions() == [solution]
        steps = puzzle.steps()
        assert steps[-1].board == solution
        if size <= 9:
            assert puzzle.isomorph(3).canonical() == puzzle.canonical() and puzzle.automorphisms >= 1
            assert puzzle.isomorph(3).grid_class == puzzle.grid_class
        else:
            with pytest.raises(sp.DataError, match="min-lex"):
                puzzle.canonical()
        assert "<svg" in puzzle.svg("solution") and "data:image/svg+xml" in steps[0]._repr_html_()


def test_arrays_come_out():
    np = pytest.importorskip("numpy")
    puzzle = sp.Puzzle(EASY)
    board = np.asarray(puzzle)
    assert board.dtype == np.uint8 and board.tolist() == rows(EASY)
    assert board.flags.writeable and not np.shares_memory(board, np.asarray(puzzle))
    candidates = puzzle.candidates
    assert candidates.shape == (9, 9, 9) and candidates.dtype == bool
    assert [digit + 1 for digit in np.flatnonzero(candidates[0, 2])] == [1, 2, 4]
    assert candidates[0, 0].tolist() == [digit == 5 for digit in range(1, 10)]
    # The array has memory of its own.
    del puzzle
    assert board.sum() == sum(digits(EASY))


def test_answers_are_those_of_the_tables(puzzles):
    texts = [text for text in puzzles.column("puzzle").to_pylist() if text and len(text) == 81 and "@" not in text][:300]
    table = pa.table(sp.grade(texts, with_=["canonical", "minimal", "automorphisms", "se"], rejects="rows")).to_pylist()
    assert len({row["status"] for row in table}) > 1
    for text, row in zip(texts, table):
        if row["status"] == "rejected":
            with pytest.raises(sp.DataError):
                sp.Puzzle(text)
            continue
        puzzle = sp.Puzzle(text)
        assert str(puzzle.canonical()) == row["canonical"] and puzzle.automorphisms == row["automorphisms"]
        assert puzzle.count(2) == row["solutions"] and puzzle.is_unique == (row["status"] == "unique")
        if row["status"] != "unique":
            with pytest.raises(sp.DataError, match="more than one solution"):
                puzzle.grade()
            continue
        assert str(puzzle.solve()) == row["solution"] and puzzle.is_minimal == row["minimal"]
        grade, rating = puzzle.grade(), puzzle.rating()
        assert (grade.technique, grade.rank, grade.level, grade.effort, grade.first_rank) == tuple(
            row[name] for name in ("technique", "rank", "level", "effort", "first_rank")
        )
        assert (rating.er, rating.ep, rating.ed) == (row["se"], row["se_pearl"], row["se_diamond"])


def test_a_grade_beyond_the_ladder_has_what_tables_have():
    grade = sp.Puzzle(HARD).grade(max_rank=1)
    (row,) = sp.grade([HARD], max_rank=1).to_pylist()
    assert (grade.technique, grade.rank, grade.level, grade.effort) == ("beyond", None, None, None)
    assert [row[name] for name in ("technique", "rank", "level", "effort")] == ["beyond", None, None, None]
    assert grade.to_dict()["effort"] is None and repr(grade).endswith("effort=None)")


def test_steps_lead_to_the_solution():
    np = pytest.importorskip("numpy")
    for text in (EASY, HARD, "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."):
        puzzle = sp.Puzzle(text)
        steps = puzzle.steps()
        solution = puzzle.solve()
        board, candidates = np.asarray(puzzle).copy(), puzzle.candidates.copy()
        for step in steps:
            for row, column, digit in step.placements:
                assert board[row, column] == 0 and solution[row, column] == digit
                board[row, column] = digit
            for row, column, digit in step.eliminations:
                assert solution[row, column] != digit and not step.candidates[row, column, digit - 1]
            assert (np.asarray(step.board) == board).all()
            assert (step.candidates <= candidates).all()
            candidates = step.candidates
            assert step.words and step.name and step.effect and step.rank >= 1
        assert steps[-1].board == solution
        grade = puzzle.grade()
        assert max(step.rank for step in steps) == grade.rank
        hint = puzzle.hint()
        assert (hint.technique, hint.effect, hint.words) == (steps[0].technique, steps[0].effect, steps[0].words)
    assert sp.Puzzle(SOLVED).hint() is None and sp.Puzzle(SOLVED).steps() == []


def test_solutions_are_counted_and_listed():
    puzzle = sp.Puzzle(".." + SOLVED[2:9] + "." * 72)
    found = puzzle.solutions(50)
    assert len(found) == len(set(found)) == 50 == puzzle.count(50)
    assert all(solution.is_solved and str(solution).startswith(SOLVED[:1]) is not None for solution in found)
    assert sp.Puzzle("." * 16).count(1000) == len(sp.Puzzle("." * 16).solutions()) == 288
    none = sp.Puzzle("12345678." + "........9" + "." * 63)
    assert none.solve() is None and none.solutions() == [] and none.count() == 0 and not none.is_unique
    with pytest.raises(sp.DataError, match="no solution"):
        none.steps()


def test_what_the_solutions_have_in_common():
    numpy = pytest.importorskip("numpy")
    for text, limit in [(SOLVED.translate({49: ".", 50: "."}), 1000), ("12343412........", 100), (EASY, 10)]:
        puzzle = sp.Puzzle(text)
        solutions = [str(solution) for solution in puzzle.solutions(limit)]
        assert len(solutions) < limit
        cells = ["".join(sorted(set(cell))) for cell in zip(*solutions)]
        assert str(puzzle.backbone()) == "".join(cell if len(cell) == 1 else "." for cell in cells)
        flags = numpy.asarray(puzzle.solution_candidates()).reshape(len(text), puzzle.size)
        found = ["".join(str(digit + 1) for digit in numpy.flatnonzero(cell)) for cell in flags]
        assert found == cells
    # The empty grid has 6.67e21 solutions.
    assert sp.Puzzle("." * 81).backbone() == sp.Puzzle("." * 81)
    none = sp.Puzzle("12345678." + "........9" + "." * 63)
    for call in (none.backbone, none.solution_candidates):
        with pytest.raises(sp.DataError, match="no solution"):
            call()


def test_options_are_checked():
    puzzle = sp.Puzzle(EASY)
    for call, said in [
        (lambda: puzzle.count(0), "limit=0: must be from 1 to"),
        (lambda: puzzle.count(2**40), "limit=1099511627776: must be from 1"),
        (lambda: puzzle.isomorph(-1), "seed=-1: must be from 0"),
        (lambda: puzzle.grade(ladder="steep"), "no technique is called"),
        (lambda: puzzle.grade(max_rank=99), "max_rank=99: must be from 1 to"),
        (lambda: puzzle.rating(se_max=99), "se_max=99"),
        (lambda: puzzle.svg("everything"), 'must be "givens"'),
    ]:
        with pytest.raises(sp.UsageError, match=said):
            call()
    with pytest.raises(TypeError, match="limit"):
        puzzle.count("many")


def test_pictures_stand_alone():
    puzzle = sp.Puzzle(EASY)
    for svg in (puzzle.svg(), puzzle.svg("candidates"), puzzle.svg("solution"), sp.Puzzle(HARD).hint().svg()):
        assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg"') and svg.count("<style>") == 1
        assert "prefers-color-scheme: dark" in svg
        import xml.etree.ElementTree as tree

        assert tree.fromstring(svg).tag.endswith("svg")
    shown = puzzle._repr_html_()
    # Inside an image, the styles of the notebook and of the picture do not affect each other.
    assert shown.startswith("<img ") and "<style" not in shown


def test_ctrl_c_stops_a_long_count():
    code = (
        "import signal, threading, time, sudoku_pipeline as sp\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT)).start()\n"
        "start = time.monotonic()\n"
        "try:\n    sp.Puzzle('.' * 81).count(2**32 - 1)\n"
        "except KeyboardInterrupt:\n    print(time.monotonic() - start < 5)\n"
        "import os; os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr
