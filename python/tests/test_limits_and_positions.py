"""Results say whether a limit cut them, and steps and texts lead back to a position."""

import copy
import json
import pickle
import warnings

import pytest
from conftest import EASY, SOLVED

import sudoku_pipeline as sp

HARD = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
EMPTY = "." * 81


@pytest.mark.parametrize(
    ("text", "limit", "number", "exact"),
    [
        (EASY, None, 1, True),
        (EASY, 1, 1, True),
        (EASY, 2, 1, True),
        (SOLVED, 1, 1, True),
        (EMPTY, 1, 1, False),
        (EMPTY, 700, 700, False),
        ("." * 16, 288, 288, True),
        ("." * 16, 287, 287, False),
        ("." * 16, None, 288, True),
        (EMPTY, None, 1000, False),
        (EASY[:2] + "1" + EASY[3:], 5, 0, True),
    ],
)
def test_a_count_and_a_list_say_whether_the_limit_cut_them(text, limit, number, exact):
    puzzle = sp.Puzzle(text)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        counted, found = puzzle.count(limit), puzzle.solutions(limit)
    assert (counted, counted.exact) == (number, exact)
    assert (len(found), found.exact) == (number, exact) and len(set(found)) == number
    # Only the default limit warns.
    assert len(warned) == (2 if limit is None and not exact else 0)
    assert isinstance(counted, int) and isinstance(found, list)


def test_counts_and_lists_are_those_of_python():
    counted, found = sp.Puzzle(EMPTY).count(3), sp.Puzzle(EMPTY).solutions(3)
    for copied in (pickle.loads(pickle.dumps(counted)), copy.deepcopy(counted)):
        assert (copied, copied.exact) == (3, False)
    for copied in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert (copied, copied.exact) == (found, False)
    assert json.dumps(counted) == "3" and f"{counted:03}" == "003" and counted + 1 == 4


@pytest.mark.parametrize("text", [EASY, HARD, "...34....2..1...", "....5....2..5..3..1.6...31.5.6......"])
def test_what_a_puzzle_writes_is_read(text):
    puzzle = sp.Puzzle(text)
    for written in (puzzle.board(), str(puzzle), repr(puzzle)[8:-2], sp.explain(puzzle), str(puzzle.tolist())):
        assert sp.Puzzle(written) == puzzle


def test_the_pencil_marks_of_an_explanation_are_read():
    for step in sp.Puzzle(HARD).steps()[5:25:5]:
        assert sp.Puzzle(sp.explain(step.puzzle)).candidates.tolist() == step.candidates.tolist()


def test_a_step_leads_to_the_next_step():
    steps = sp.Puzzle(HARD).steps()
    for step in steps[:-1:7]:
        assert (step.puzzle.candidates == step.candidates).all()
        assert step.puzzle.board() == step.board.board()
    # Where the technique of a wave goes on, its next step is the hint.
    after = steps[5].puzzle
    assert after.hint() != steps[5] and after.solve() == sp.Puzzle(HARD).solve()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (EMPTY, "no technique finds a step, and the puzzle has more than one solution"),
        ("12" + "." * 79, "no technique finds a step, and the puzzle has more than one solution"),
        ("12345678." + "........9" + "." * 63, "the puzzle has no solution"),
    ],
)
def test_a_board_without_a_hint_says_why(text, words):
    with pytest.raises(sp.DataError, match=words):
        sp.Puzzle(text).hint()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sp.grade([EASY], ladder=5), "ladder: a text or a list of texts is needed, and not int"),
        (lambda: sp.Puzzle(EASY).grade(ladder=5), "ladder: a text or a list of texts is needed, and not int"),
        (lambda: sp.grade([EASY], where=5), "where: a text is needed, and not int"),
        (lambda: sp.grade([EASY], keep_going="x"), "keep_going: True or False is needed, and not str"),
        (lambda: sp.grade([EASY], types=5), "types: a dictionary is needed, and not int"),
        (lambda: sp.grade([EASY], sample="x"), "sample: a number is needed, and not str"),
        (lambda: sp.grade([EASY], max_rank="x"), "max_rank: a whole number is needed, and not str"),
        (lambda: sp.generate(3, minimal="x"), "minimal: True or False is needed, and not str"),
        (lambda: sp.Puzzle(EASY).check("a", 1), "cell: a pair of row and column from 0 is needed, and not str"),
    ],
)
def test_an_option_of_another_type_says_what_is_needed(call, words):
    with pytest.raises(TypeError) as caught:
        call()
    assert words in str(caught.value)


def test_a_list_of_techniques_is_a_ladder():
    ladder = ["naked_single", "hidden_single_box"]
    puzzle = sp.Puzzle(HARD)
    assert puzzle.grade(ladder=ladder) == puzzle.grade(ladder=",".join(ladder))
    assert sp.grade([EASY], ladder=ladder).to_dict()["technique"] == ["naked_single"]


@pytest.mark.parametrize("share", [0.75, 1.0, "75%"])
def test_a_share_of_rejects_can_be_a_float(share):
    data = [EASY] * 10 + ["bad"] * 20
    with pytest.warns(sp.RejectsWarning):
        assert sp.grade(data, max_rejects=share).to_arrow().num_rows == 10
    assert len(sp.dedup(data, max_rejects=share)) == 1


@pytest.mark.parametrize("function", [sp.grade, sp.dedup])
@pytest.mark.parametrize("share", [0.5, 1.5, -0.1])
def test_a_share_of_rejects_has_a_range(function, share):
    with pytest.raises(sp.PipelineError, match="max_rejects=" if share != 0.5 else "20 of 30"):
        result = function([EASY] * 10 + ["bad"] * 20, max_rejects=share)
        result.to_arrow()


def test_rows_for_rejects_have_no_limit():
    data = [EASY] + ["bad"] * 30
    assert sp.solve(data, rejects="rows").to_dict()["status"] == ["unique"] + ["rejected"] * 30
    assert sp.solve(["bad"] * 30, rejects="rows").to_arrow().num_rows == 30


def test_messages_name_functions_and_values_of_python(tmp_path):
    with pytest.raises(sp.UsageError, match=r"grade\(data, where=...\) has it"):
        sp.filter([EASY], "level = 'easy'")
    with pytest.raises(sp.UsageError, match=r"\{'train': 0.9, 'test': 0.2\} for into="):
        sp.split([EASY], {"train": 0.9, "test": 0.2})
    assert "grade() writes them" in sp.stats([EASY] * 3).text and "pipeline " not in sp.stats([EASY] * 3).text
    shown = sp.inspect([EASY] * 3)
    assert "input       input," in shown.text and shown["source"] == "input" and "/tmp" not in str(dict(shown))
    with pytest.raises(sp.UsageError, match=r"solve\(\) adds the column solution"):
        sp.convert([EASY]).write(tmp_path / "hrm", format="hrm")


def test_predictions_can_have_an_offset_of_their_own():
    pytest.importorskip("numpy")
    boards = sp.generate(30, seed=4).to_numpy("puzzle")
    solved = sp.solve(boards).to_numpy()
    exact = [sp.evaluate(boards, solved + 4, prediction_token_offset=4), sp.evaluate(boards, solved)]
    assert [table.counts["evaluation"]["exact"] for table in exact] == [30, 30]


def test_files_of_predictions_without_a_byte_are_refused(tmp_path):
    path = tmp_path / "model.ndjson"
    path.write_bytes(b"")
    for options in ({}, {"prediction_column": "reply"}, {"extract": True}):
        with pytest.raises(sp.DataError, match=r"model.ndjson: it is empty \(0 bytes\).*allow_empty="):
            sp.evaluate([EASY], path, **options)
    judged = sp.evaluate([EASY], path, allow_empty=True)
    assert judged.counts["evaluation"]["missing"] == 1


@pytest.mark.parametrize("container", ["dask", "dask series", "ray"])
def test_frames_of_other_engines_are_data(container):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": range(9), "puzzle": [EASY] * 9})
    if container == "ray":
        ray = pytest.importorskip("ray", reason="NOT RUN: ray is not installed")
        ray.init(num_cpus=1, include_dashboard=False, ignore_reinit_error=True, log_to_driver=False)
        data = ray.data.from_pandas(frame)
    else:
        dask = pytest.importorskip("dask.dataframe", reason="NOT RUN: dask is not installed")
        data = dask.from_pandas(frame, npartitions=3)
        data = data if container == "dask" else data["puzzle"]
    assert sp.grade(data).to_arrow().num_rows == 9 and len(sp.dedup(data)) == 1
    if container != "dask series":
        assert sp.grade(data).to_dict()["id"] == list(range(9))


def test_torch_takes_a_puzzle():
    torch = pytest.importorskip("torch", reason="NOT RUN: torch is not installed")
    puzzle = sp.Puzzle(EASY)
    assert torch.tensor(puzzle).tolist() == puzzle.tolist() and torch.tensor([puzzle, puzzle]).shape == (2, 9, 9)


def test_a_puzzle_is_a_sequence_of_rows():
    """So torch.tensor(puzzle) and torch.tensor([puzzle]) work."""
    puzzle = sp.Puzzle(EASY)
    assert len(puzzle) == 9 and list(puzzle) == puzzle.tolist() and puzzle[-1] == puzzle.tolist()[-1]
    assert [puzzle[row] for row in range(len(puzzle))] == puzzle.tolist()


def test_a_table_has_columns_by_name_and_a_stream_says_how_it_is_read():
    pytest.importorskip("numpy")
    table = sp.augment([EASY], 3)
    assert (table["puzzle"] == table.to_numpy("puzzle")).all() and table["puzzle"].shape == (3, 81)
    stream = sp.solve([EASY])
    assert stream
    for call, words in [
        (lambda: table[0], "to_pylist"),
        (lambda: table[:3], "to_pandas"),
        (lambda: iter(table), "to_pylist"),
        (lambda: len(stream), "to_arrow"),
        (lambda: stream["puzzle"], "to_numpy"),
        (lambda: stream[0], "to_pylist"),
    ]:
        with pytest.raises(TypeError, match=words):
            call()
    assert stream.to_numpy().shape == (1, 81)


@pytest.mark.parametrize("shape", [(5, 81), (5, 9, 9), (81,), (9, 9)])
def test_a_random_generator_gives_a_seed_for_each_board(shape):
    np = pytest.importorskip("numpy")
    boards = np.resize(sp.generate(5, seed=1).to_numpy("puzzle"), shape)
    count = shape[0] if shape in ((5, 81), (5, 9, 9)) else 1
    seeds = np.random.default_rng(3).integers(2**63, size=count)
    assert (sp.isomorph(boards, np.random.default_rng(3)) == sp.isomorph(boards, seeds)).all()
