"""Isomorphs of boards in arrays have the maps of ``Puzzle.isomorph``, the same for a puzzle and its solution."""

import pytest
from conftest import EASY, SOLVED

import sudoku_pipeline as sp

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def pairs():
    puzzles = sp.generate(300, seed=2).to_numpy("puzzle")
    return puzzles, sp.solve(puzzles).to_numpy("solution")


def test_puzzles_and_solutions_stay_together(pairs):
    puzzles, solutions = pairs
    seeds = np.random.default_rng(1).integers(2**63, size=len(puzzles))
    images = sp.isomorph(puzzles, seeds)
    assert (sp.solve(images).to_numpy() == sp.isomorph(solutions, seeds)).all()
    for puzzle, seed, image in zip(puzzles, seeds, images):
        assert (np.asarray(sp.Puzzle(puzzle).isomorph(int(seed))).ravel() == image).all()


def test_the_maps_stay_those_of_this_version():
    """Data that was augmented with a seed can be made again."""
    assert str(sp.Puzzle(EASY).isomorph(7)) == GOLDEN
    assert (sp.isomorph([EASY, SOLVED], 7)[0] == np.asarray(sp.Puzzle(GOLDEN)).ravel()).all()


GOLDEN = ".1..5.7...2..3.8..4.6.895.1.......6....4...19254...3.8...8.2.4.179.43......1....."


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_the_number_of_threads_changes_nothing(pairs, threads):
    boards = np.tile(pairs[0], (40, 1))
    seeds = np.arange(len(boards))
    one = sp.isomorph(boards, seeds, threads=1)
    assert (sp.isomorph(boards, seeds, threads=threads) == one).all()
    assert (sp.isomorph(boards[:7], 9, threads=threads) == sp.isomorph(boards[:7], np.full(7, 9))).all()


SHAPES = {
    "(n, 81)": lambda b: b,
    "(n, 9, 9)": lambda b: b.reshape(-1, 9, 9),
    "one board (81,)": lambda b: b[0],
    "one board (9, 9)": lambda b: b[0].reshape(9, 9),
    "no board": lambda b: b[:0],
    "int64": lambda b: b.astype(np.int64),
    "Fortran order": np.asfortranarray,
    "every second board": lambda b: b[::2],
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_result_has_the_shape_of_the_boards(pairs, name):
    boards = SHAPES[name](pairs[0])
    image = sp.isomorph(boards, 3)
    assert image.shape == boards.shape and image.dtype == np.uint8 and image.flags.writeable
    plain = np.ascontiguousarray(boards).reshape(-1, 81)
    assert (image.reshape(-1, 81) == sp.isomorph(plain, np.full(len(plain), 3))).all()


@pytest.mark.parametrize("size", [4, 6, 9])
def test_as_many_boards_as_cells_are_not_taken_for_one_board(size):
    cells = size * size
    boards = np.eye(cells, dtype=int)
    images = sp.isomorph(boards, np.arange(cells))
    assert images.shape == (cells, cells)
    assert all((image == sp.isomorph(board, seed)).all() for seed, (board, image) in enumerate(zip(boards, images)))


@pytest.mark.parametrize("size", [4, 6])
def test_puzzles_of_other_sizes_stay_with_their_solutions(size):
    puzzles = sp.generate(40, size=size, seed=3).to_numpy("puzzle")
    solutions = sp.solve(puzzles).to_numpy("solution")
    for seeds in (np.arange(40), np.random.default_rng(2).integers(2**63, size=40)):
        images = sp.isomorph(puzzles, seeds)
        assert (sp.solve(images).to_numpy() == sp.isomorph(solutions, seeds)).all()
        assert (sp.solve(images, select=["status"]).to_numpy("status") == "unique").all()
    # Some of the maps are not the identity.
    assert (images != puzzles).any()


def test_other_sizes_and_boards_that_are_no_puzzles():
    small = np.array([[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]])
    assert sorted(sp.isomorph(small, 1)[0].tolist()) == sorted(small[0].tolist())
    board = np.full((1, 81), 5)
    assert len(set(sp.isomorph(board, 1).ravel().tolist())) == 1


@pytest.mark.parametrize(
    ("boards", "seeds", "kind", "words"),
    [
        (np.zeros((2, 81), int), np.arange(3), sp.DataError, ["seeds", "[3]", "(2,)"]),
        (np.zeros((2, 81), int), np.array([1, -1]), sp.DataError, ["-1", "2**63"]),
        (np.zeros((2, 81), int), 1.5, TypeError, ["seeds", "float64"]),
        (np.full((2, 81), 10), 1, sp.DataError, ["boards[0]", "10"]),
        (np.zeros((2, 80), int), 1, sp.DataError, ["80 cells"]),
        (np.zeros((1, 144), int), 1, sp.DataError, ["4 × 4"]),
        (["?"], 1, sp.DataError, ["cells"]),
        (np.ones((1, 36), int), 1, sp.DataError, ["r1c1", "r1c2"]),
    ],
)
def test_errors_say_what_is_wrong(boards, seeds, kind, words):
    with pytest.raises(kind) as caught:
        sp.isomorph(boards, seeds)
    assert all(word in str(caught.value) for word in words), caught.value
