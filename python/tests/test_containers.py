"""Every container that holds puzzles gives the same rows, and rows turn into every container."""

import json
import pickle
import sys
import types

import pyarrow as pa
import pytest
from conftest import EASY

import sudoku_pipeline as sp

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def boards():
    return sp.generate(40, seed=4).to_numpy("puzzle")


@pytest.fixture(scope="module")
def texts(boards):
    return sp.convert(boards).to_dict()["puzzle"]


class Tensor:
    """A tensor as torch has it, for tests without torch: DLPack, types that are not NumPy's, and no array interface."""

    def __init__(self, array, grad=False):
        self.array, self.grad, self.shape = array, grad, array.shape
        self.dtype = f"torch.{array.dtype}"

    def detach(self):
        return Tensor(self.array)

    def float(self):
        return Tensor(self.array.astype(np.float32))

    def __array__(self, dtype=None, copy=None):
        assert not self.grad, "the tensor needs gradients: detach it first"
        return self.array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def one_hot(boards, classes, empty="first", axis="last"):
    """One-hot digits of 9 or 10 classes."""
    digits = boards.astype(int)
    if classes == 9:
        vectors = np.concatenate([np.zeros((1, 9)), np.eye(9)])[digits]
    else:
        vectors = np.eye(10)[digits if empty == "first" else (digits - 1) % 10]
    vectors = vectors.reshape(len(boards), 9, 9, classes)
    return vectors if axis == "last" else np.moveaxis(vectors, 3, 1)


def with_nan(boards):
    return np.where(boards == 0, np.nan, boards)


ARRAYS = {
    "float64": lambda b: b.astype(float),
    "float32 (n, 9, 9)": lambda b: b.astype(np.float32).reshape(-1, 9, 9),
    "float16 with NaN for empty cells": lambda b: with_nan(b).astype(np.float16),
    "float64 with NaN, Fortran order": lambda b: np.asfortranarray(with_nan(b)),
    "Fortran order": np.asfortranarray,
    "not contiguous": lambda b: np.repeat(b, 2, axis=1)[:, ::2],
    "reversed twice": lambda b: np.ascontiguousarray(b[::-1])[::-1],
    "one-hot (n, 9, 9, 9)": lambda b: one_hot(b, 9),
    "one-hot (n, 9, 9, 10), empty first": lambda b: one_hot(b, 10).astype(np.uint8),
    "one-hot (n, 9, 9, 10), empty last": lambda b: one_hot(b, 10, "last").astype(bool),
    "one-hot (n, 9, 9, 9) on the first axis": lambda b: one_hot(b, 9, axis="first"),
    "one-hot (n, 10, 9, 9)": lambda b: one_hot(b, 10, "last", "first").astype(np.float32),
    "one-hot (n, 81, 9)": lambda b: one_hot(b, 9).reshape(-1, 81, 9),
    "one-hot (n, 729)": lambda b: one_hot(b, 9).reshape(-1, 729).astype(int),
}
IN_FILES = [name for name in ARRAYS if "16" not in name and "reversed" not in name and "not contiguous" not in name]


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_other_forms_are_taken(name, boards, texts):
    array = ARRAYS[name](boards)
    assert sp.convert(array).to_dict()["puzzle"] == texts
    assert sp.convert(Tensor(array, grad=True)).to_dict()["puzzle"] == texts
    assert len(sp.dedup(array, by="exact")) == len(texts)


@pytest.mark.parametrize("name", IN_FILES)
def test_an_array_means_in_memory_what_it_means_in_a_file(name, boards, tmp_path):
    """The twin of the conversion is the reader of .npy files."""
    array = ARRAYS[name](boards)
    np.save(tmp_path / "a.npy", array)
    assert sp.convert(tmp_path / "a.npy").to_dict()["puzzle"] == sp.convert(array).to_dict()["puzzle"]


@pytest.mark.parametrize(
    ("array", "kind", "words"),
    [
        (np.full((2, 81), 0.5), TypeError, ["whole numbers", "0.5", "[0, 0]"]),
        (np.full((2, 81), np.inf), TypeError, ["whole numbers", "inf"]),
        (np.ones((2, 9, 9, 9)), sp.DataError, ["one-hot", "ambiguous"]),
        (np.ones((2, 9, 9, 10)), sp.DataError, ["board 0"]),
        (np.zeros((2, 7)), sp.DataError, ["(2, 7)", "(n, 81)"]),
    ],
)
def test_arrays_that_hold_no_boards_are_refused(array, kind, words):
    with pytest.raises(kind) as caught:
        sp.convert(array)
    assert all(word in str(caught.value) for word in words), caught.value


def test_a_number_for_empty_cells_is_that_of_the_result():
    board = np.array([[float(cell) if cell != "." else np.nan for cell in EASY]])
    assert sp.convert(board).to_dict()["puzzle"] == [EASY]
    assert sp.grade(board, blank=-1).to_numpy("level").tolist() == ["easy"]


def rows_of(texts):
    return [{"puzzle": text, "id": at} for at, text in enumerate(texts)]


def hugging_face(texts):
    return pytest.importorskip("datasets").Dataset.from_list(rows_of(texts))


TABLES = {
    "a list of dictionaries": rows_of,
    "an iterator of dictionaries": lambda t: iter(rows_of(t)),
    "a list of dictionaries of lists": lambda t: [
        {"puzzle": [int(c) for c in text.replace(".", "0")], "id": at} for at, text in enumerate(t)
    ],
    "a dictionary of arrays": lambda t: {"puzzle": sp.convert(t).to_numpy("puzzle"), "id": np.arange(len(t))},
    "a dictionary of float arrays": lambda t: {
        "puzzle": with_nan(sp.convert(t).to_numpy("puzzle").reshape(-1, 9, 9)),
        "id": np.arange(len(t)),
    },
    "a dictionary of tensors": lambda t: {"puzzle": Tensor(sp.convert(t).to_numpy("puzzle")), "id": list(range(len(t)))},
    "Dataset": hugging_face,
    "Dataset with a format": lambda t: hugging_face(t).with_format("numpy"),
    "Dataset shuffled and sorted": lambda t: hugging_face(t).shuffle(seed=1).sort("id"),
    "IterableDataset": lambda t: hugging_face(t).to_iterable_dataset(),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_keep_their_columns(name, texts):
    made = sp.convert(TABLES[name](texts)).to_dict()
    assert made["puzzle"] == texts and made["id"] == list(range(len(texts)))
    assert len(sp.dedup(TABLES[name](texts), by="exact")) == len(texts)


def test_parts_of_a_dataset_are_named(texts):
    parts = pytest.importorskip("datasets").DatasetDict({"train": hugging_face(texts[:30]), "test": hugging_face(texts[20:])})
    with pytest.raises(sp.UsageError, match=r"the parts train, test: give one of them, such as data\['train'\]"):
        sp.grade(parts)
    cleaned = sp.audit(parts)
    assert (len(cleaned["train"]), len(cleaned["test"])) == (20, 20)


def test_pairs_of_puzzles_and_solutions(boards):
    solutions = sp.solve(boards).to_numpy()
    pair = {"puzzle": boards, "solution": solutions}
    for data in (pair, np.stack([boards, solutions], 1), np.stack([boards, solutions], 1).reshape(-1, 2, 9, 9)):
        rows = sp.convert(data).to_numpy(["puzzle", "solution"])
        assert (rows["puzzle"] == boards).all() and (rows["solution"] == solutions).all()
    # Regression test: the solutions became puzzles.
    with pytest.raises(sp.UsageError, match="puzzles with their solutions.*concatenate"):
        sp.split((boards, solutions), {"a": 0.5, "b": 0.5})
    with pytest.raises(sp.DataError, match="the columns make no table"):
        sp.convert({"puzzle": boards, "solution": solutions[:3]})


def test_rows_turn_into_arrays_and_dictionaries(boards):
    stream = sp.grade(boards)
    both = stream.to_numpy(["puzzle", "rank", "level"])
    assert both["puzzle"].shape == (40, 81) and both["rank"].dtype == np.uint8 and set(both["level"]) <= set(sp.levels())
    table = sp.dedup(boards)
    assert table.to_numpy("puzzle").flags.writeable and table.to_dict()["puzzle"] == [r["puzzle"] for r in table.to_pylist()]
    unsolvable = "11" + "." * 79
    assert sp.solve(["." * 79 + "12"], solution_limit=2).to_numpy("solutions").tolist() == [2]
    with pytest.raises(sp.UsageError, match="there is no column rnk; the columns are"):
        sp.grade(boards).to_numpy(["puzzle", "rnk"])
    assert sp.grade([unsolvable, EASY], rejects="rows").to_numpy("status").tolist() == ["rejected", "unique"]


def test_one_puzzle_turns_into_json_arrays_and_lines():
    puzzle = sp.Puzzle(EASY)
    assert json.loads(json.dumps(puzzle.grade().to_dict()))["technique"] == "naked_single"
    assert set(puzzle.rating().to_dict()) == {"er", "ep", "ed", "status"}
    array = np.asarray(puzzle)
    array[0, 0] = 9
    assert puzzle[0, 0] == 5 and puzzle[:, 0].tolist() == [5, 6, 0, 8, 4, 7, 0, 0, 0] and puzzle[0:2, 0].tolist() == [5, 6]
    assert np.array(puzzle, dtype=float).dtype == float
    assert puzzle.board().splitlines()[0] == "5 3 . | . 7 . | . . ." and len(puzzle.board().splitlines()) == 11
    assert sp.Puzzle(puzzle.board()) == puzzle and str(puzzle) == EASY


def test_tables_are_pickled_and_streams_say_why_not(boards):
    table = pickle.loads(pickle.dumps(sp.dedup(boards.tolist() + boards[:1].tolist())))
    assert len(table) == 40 and len(table.duplicates) == 1 and table.counts == sp.dedup(boards.tolist() + boards[:1].tolist()).counts | table.counts
    parts = pickle.loads(pickle.dumps(sp.split(boards, {"a": 0.5, "b": 0.5})))
    assert sum(map(len, parts.values())) == 40
    with pytest.raises(TypeError, match="cannot be pickled: pickle its table, stream.to_arrow"):
        pickle.dumps(sp.grade(boards))


def torch_that_takes(kinds, monkeypatch):
    """A module like torch, whose tensors are arrays of these types only."""

    def from_numpy(array):
        if array.dtype.str[1:] not in kinds:
            raise TypeError(f"can't convert np.ndarray of type {array.dtype}")
        return array

    module = types.ModuleType("torch")
    module.from_numpy = from_numpy
    monkeypatch.setitem(sys.modules, "torch", module)


def test_every_column_of_numbers_is_a_tensor(boards, monkeypatch):
    torch_that_takes({"u1", "i1", "i2", "i4", "i8", "b1", "f2", "f4", "f8"}, monkeypatch)
    columns = ["puzzle", "rank", "effort", "clues", "minimal"]
    graded = sp.grade(boards, with_="minimal", select=columns).to_torch(columns)
    expected = sp.grade(boards, with_="minimal", select=columns).to_numpy(columns)
    assert all((graded[name] == expected[name]).all() for name in columns)
    assert expected["effort"].dtype == "uint32" and graded["effort"].dtype == "int64"
    large = sp.dedup({"puzzle": boards, "id": np.full(len(boards), 2**64 - 1, np.uint64)})
    with pytest.raises(sp.DataError, match="column id has numbers above"):
        large.to_torch("id")


def test_a_column_of_texts_is_no_tensor(boards, monkeypatch):
    torch_that_takes({"u1"}, monkeypatch)
    with pytest.raises(sp.UsageError, match="column level has no numbers"):
        sp.grade(boards).to_torch("level")


def test_tensors_of_torch(boards):
    torch = pytest.importorskip("torch", reason="NOT RUN: torch is not installed (its wheel is larger than all others)")
    graded = sp.grade(torch.from_numpy(boards)).to_torch(["solution", "effort"])
    assert graded["solution"].dtype == torch.uint8 and graded["effort"].dtype == torch.int64
    judged = sp.evaluate(torch.from_numpy(boards), graded["solution"])
    assert judged.to_torch("is_exact").float().mean() == 1
