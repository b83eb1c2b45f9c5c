"""Data as people have it: arrays, lists, puzzles and paths all give the same rows."""

import array
import io
import subprocess
import sys
import textwrap

import pyarrow as pa
import pytest
from conftest import EASY, SOLVED, same

import sudoku_pipeline as sp

np = pytest.importorskip("numpy")


def boards(texts):
    """Texts as an array of the shape (n, 81)."""
    return np.array([[int(cell) if cell != "." else 0 for cell in text] for text in texts])


@pytest.fixture(scope="module")
def texts():
    return pa.table(sp.generate(200, seed=4)).column("puzzle").to_pylist()


@pytest.fixture(scope="module")
def expected(texts):
    return pa.table(sp.grade(texts))


def test_arrays_of_every_integer_type_and_layout(texts, expected):
    flat = boards(texts)
    for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">u8"):
        assert same(pa.table(sp.grade(flat.astype(kind))), expected)
        assert same(pa.table(sp.grade(flat.astype(kind).reshape(-1, 9, 9))), expected)
    wide = np.zeros((len(texts), 162), np.uint8)
    wide[:, ::2] = flat
    for array in (np.asfortranarray(flat), wide[:, ::2], flat[::-1][::-1], np.moveaxis(np.ascontiguousarray(flat.T), 0, 1)):
        assert same(pa.table(sp.grade(array)), expected)
    unaligned = np.frombuffer(b"\0" + flat.astype("<i8").tobytes(), np.uint8)[1:].view("<i8").reshape(flat.shape)
    assert same(pa.table(sp.grade(unaligned)), expected)
    assert same(pa.table(sp.grade(np.where(flat == 0, -1, flat), blank=-1)), expected)
    assert same(pa.table(sp.grade(np.ma.masked_equal(flat, 0))), expected)
    assert same(pa.table(sp.grade(np.array(texts))), expected)
    assert same(pa.table(sp.grade(np.array(texts, object))), expected)


def test_lists_iterators_and_puzzles(texts, expected):
    flat = boards(texts)
    for data in (
        [row.tolist() for row in flat],
        [row.reshape(9, 9).tolist() for row in flat],
        list(flat),
        tuple(flat.reshape(-1, 9, 9)),
        [sp.Puzzle(text) for text in texts],
        [sp.Puzzle(text) if at % 2 else text for at, text in enumerate(texts)],
        (text for text in texts),
        map(sp.Puzzle, texts),
    ):
        assert same(pa.table(sp.grade(data)), expected)


def test_iterators_of_digits_are_read_as_they_are_needed(texts, expected):
    flat = boards(texts).astype(np.uint8)
    for data in (
        (row.tolist() for row in flat),
        (row.reshape(9, 9) for row in flat),
        (flat[at : at + 7] for at in range(0, len(flat), 7)),
        [flat[:150], flat[150:].reshape(-1, 9, 9)],
        (list(text) for text in texts),
    ):
        assert same(pa.table(sp.grade(data)), expected)
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield flat[0]

    with sp.solve(endless()) as stream:
        next(stream)
        assert 4096 <= len(taken) < 40 * 4096
    with pytest.raises(ZeroDivisionError):
        sp.solve(1 / 0 for _ in range(3))
    assert pa.table(sp.solve(map(int, EASY.replace(".", "0")))).num_rows == 1


def test_characters_are_cells(texts, expected):
    characters = np.array([list(text) for text in texts])
    for data in (characters, characters.reshape(-1, 9, 9), [list(text) for text in texts], characters.astype(object)):
        assert same(pa.table(sp.grade(data)), expected)
    one = pa.table(sp.solve([EASY]))
    rows = [EASY[at : at + 9] for at in range(0, 81, 9)]
    for data in (list(EASY), np.array(list(EASY)), rows, [list(row) for row in rows], bytearray(EASY.encode())):
        assert same(pa.table(sp.solve(data)), one)
    cells = bytes(boards([EASY])[0].astype(np.uint8))
    for data in (memoryview(cells), memoryview(cells).cast("B", (9, 9)), array.array("B", cells)):
        assert same(pa.table(sp.solve(data)), one)
    # Sixteen texts of sixteen characters are as many puzzles.
    assert pa.table(sp.solve(["1" + "." * 15] * 16)).num_rows == 16


def test_empty_cells_have_no_number():
    flat = boards([EASY, SOLVED])
    expected = pa.table(sp.solve([EASY, SOLVED]))
    none = [[None if digit == 0 else digit for digit in row] for row in flat.tolist()]
    for blank in (0, -1):
        assert same(pa.table(sp.solve(none, blank=blank)), expected)
        assert same(pa.table(sp.solve(np.ma.masked_equal(flat, 0), blank=blank)), expected)
        assert same(pa.table(sp.solve(np.array(none, object), blank=blank)), expected)


def test_dictionaries_and_frames_of_digits(texts, expected):
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    frame = pd.DataFrame(boards(texts))
    for data in (
        {"puzzle": texts},
        frame,
        pd.DataFrame({"puzzle": texts}, dtype="category"),
        pd.Series(texts, dtype="string"),
        pl.DataFrame(boards(texts)),
        pl.LazyFrame({"puzzle": texts}),
        pl.Series(texts, dtype=pl.Categorical),
        pa.chunked_array([texts[:10], [], texts[10:]]).dictionary_encode(),
    ):
        assert same(pa.table(sp.grade(data)), expected)
    frame = pd.DataFrame({"puzzle": texts, "n": range(200)})
    odd = frame[frame["n"] % 2 == 1]
    for some in (odd, frame[10:20], frame.sample(9, random_state=1), frame):
        rows = sp.solve(some).to_pandas()
        assert rows.index.tolist() == some.index.tolist() and rows.index.name is None and "__index_level_0__" not in rows
        assert sp.dedup(some).to_pandas().index.tolist() == some.index.tolist()
    assert "id" in sp.solve(odd.set_index("n").rename_axis("id")).schema.names


def test_columns_without_a_type_are_empty_or_null():
    pl = pytest.importorskip("polars")
    for data, nulls in [
        (pl.DataFrame({"puzzle": []}), 0),
        (pl.Series([None, None]), 2),
        (pa.nulls(2), 2),
        (pa.table({"puzzle": pa.nulls(3), "n": pa.nulls(3)}), 3),
    ]:
        stream = sp.solve(data, allow_empty=True)
        assert pa.table(stream).num_rows == 0
        assert pa.table(stream.rejects).column("error").to_pylist() == ["null_value"] * nulls


def test_one_puzzle_is_one_row():
    one = pa.table(sp.solve([EASY]))
    cells = boards([EASY])[0]
    for data in (EASY, sp.Puzzle(EASY), cells, cells.reshape(9, 9), cells.tolist(), cells.reshape(9, 9).tolist()):
        assert same(pa.table(sp.solve(data)), one)
    lines = "\n".join(EASY[at : at + 9] for at in range(0, 81, 9))
    assert same(pa.table(sp.solve(lines)), one)


def test_other_sizes_have_other_shapes():
    made = pa.table(sp.generate(3, seed=1, size=16)).column("puzzle").to_pylist()
    expected = pa.table(sp.solve(made))
    cells = np.array([[int(cell, 36) if cell != "." else 0 for cell in text] for text in made])
    for data in (cells, cells.reshape(-1, 16, 16), cells.astype(np.uint8)):
        assert same(pa.table(sp.solve(data, with_="size")), pa.table(sp.solve(made, with_="size")))
    assert expected.num_rows == 3
    with pytest.raises(sp.DataError, match=r"\(16, 16\) can be one puzzle"):
        sp.solve(cells[0].reshape(16, 16))
    four = np.array([[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]])
    assert pa.table(sp.solve(four)).num_rows == pa.table(sp.solve(four.reshape(16))).num_rows == 1


def test_arrays_of_other_shapes_and_types_are_refused():
    for shape in ((3, 80), (2, 9, 8), (80,), (2, 3, 9, 9), (0, 7)):
        with pytest.raises(sp.DataError, match="holds no puzzles: the shapes are"):
            sp.solve(np.zeros(shape, int))
    with pytest.raises(TypeError, match='array.astype\\("uint8"\\)'):
        sp.solve(np.zeros((2, 81), bool))
    with pytest.raises(TypeError, match="item 1 is or holds float, and not a text"):
        sp.solve([EASY, 1.5])
    for nothing in ([[float("nan")] * 81], [[5.0] * 81], (row for row in [[1.5] * 81])):
        with pytest.raises((TypeError, OSError), match="item 0 is or holds float, and not digits"):
            list(sp.solve(nothing))
    with pytest.raises(ValueError, match="an array without axes is one number"):
        sp.solve(np.array(5))
    with pytest.raises(sp.UsageError, match="an empty text is neither a puzzle nor a path"):
        sp.solve("")
    with pytest.raises(TypeError, match="blank=1.5: a whole number is needed"):
        sp.solve(np.zeros((2, 81), int), blank=1.5)
    assert pa.table(sp.solve(np.zeros((0, 81), int))).num_rows == 0


def test_numbers_that_are_no_digits_are_rejects():
    cells = boards([EASY] * 3)
    cells[1, 7] = 11
    stream = sp.solve(cells)
    assert pa.table(stream).num_rows == 2
    assert pa.table(stream.rejects).to_pylist()[0]["row"] == 1
    with pytest.raises(OSError, match="puzzle 0 has a 0, but blank=7"):
        pa.table(sp.solve(cells, blank=7))


def test_the_memory_of_an_array_is_borrowed():
    cells = np.zeros((200_000, 81), np.uint8)
    cells[:] = boards([EASY])[0]
    stream = sp.solve(cells)
    # The stream holds the array: it is not copied, and lives as long as it is read.
    held = sys.getrefcount(cells)
    del stream
    assert sys.getrefcount(cells) <= held
    big = cells.view()
    reader = sp.solve(big, select=["solution"])
    big = None
    assert pa.table(reader).num_rows == 200_000


def test_nothing_is_copied_that_need_not_be():
    """The memory of the process: the result, and not a second time the input."""
    code = """
        import sys, numpy as np, sudoku_pipeline as sp
        def peak():
            return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) << 10
        cells = np.tile(np.frombuffer(bytes.fromhex(sys.argv[1]), np.uint8), (600_000, 1))
        sp.solve(cells[:20_000]).to_numpy()
        before = peak()
        stream = sp.solve(cells, select="solution")
        started = peak()
        solutions = stream.to_numpy()
        assert solutions.shape == cells.shape and not solutions.flags.owndata and (solutions[-1] > 0).all()
        print(cells.nbytes, started - before, peak() - before)
    """
    cells = boards([EASY])[0].astype(np.uint8).tobytes().hex()
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), cells], capture_output=True, text=True, check=True)
    size, at_start, at_end = map(int, done.stdout.split())
    # A few batches are on the way.
    assert at_start < size // 4 and at_end < size + size // 2 + (32 << 20), done.stdout


def test_torch_tensors_are_taken():
    torch = pytest.importorskip("torch", reason="NOT RUN: torch is not installed (its wheel is larger than all others)")
    flat = torch.from_numpy(boards([EASY, SOLVED]))
    expected = pa.table(sp.solve([EASY, SOLVED]))
    for tensor in (flat, flat.to(torch.uint8), flat.reshape(-1, 9, 9), torch.stack([flat, flat], 2)[:, :, 0]):
        assert same(pa.table(sp.solve(tensor)), expected)


class Packed:
    """A library with DLPack and without the array interface."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__()


def test_dlpack_is_taken():
    flat = boards([EASY, SOLVED])
    expected = pa.table(sp.solve([EASY, SOLVED]))
    for array in (flat, flat.astype(np.uint8), flat.reshape(-1, 9, 9), np.asfortranarray(flat)):
        assert same(pa.table(sp.solve(Packed(array))), expected)
    with pytest.raises(TypeError, match="integers"):
        sp.solve(Packed(flat.astype(float)))


def test_paths_are_read_by_the_tools_own_readers(puzzles, pipeline, tmp_path):
    theirs = pipeline("grade", puzzles)
    path = tmp_path / "in.arrow"
    for data in (path, str(path), [path], str(tmp_path / "in.*")):
        assert same(pa.table(sp.grade(data)), theirs)
    assert pa.schema(sp.schema("grade", path)).names == theirs.column_names
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.csv").write_text(f"id;puzzle\n1;{EASY}\n")
    (folder / "b.csv").write_text(f"id;puzzle\n2;{EASY}\n")
    rows = pa.table(sp.solve(folder)).to_pylist()
    assert [(row["source"].rpartition("/")[2], row["row"], row["id"]) for row in rows] == [("a.csv", 0, "1"), ("b.csv", 0, "2")]
    typed = pa.table(sp.solve(folder, infer_types="all", delimiter=";"))
    assert typed.column("id").to_pylist() == [1, 2]
    assert pa.table(sp.solve(folder, types={"id": "float64"})).column("id").type == pa.float64()
    with pytest.raises(sp.UsageError, match="no_such_file.csv: there is no such file"):
        sp.solve("no_such_file.csv")
    with pytest.raises(sp.UsageError, match="papyrus"):
        sp.solve(folder, input_format="papyrus")
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(sp.DataError):
        list(sp.solve(tmp_path / "empty.txt"))


def test_a_text_is_a_puzzle_or_a_path(tmp_path, monkeypatch):
    from sudoku_pipeline._data import is_puzzle

    for text in (EASY, EASY.replace(".", "0"), "." * 81, "1" * 81, "." * 16, "A" * 256, "1 2 3 4\n" * 4, "12.\n" * 27, "?" * 36):
        assert is_puzzle(text), text
    for text in ("puzzles.csv", "data/*.parquet", "s3://bucket/" + "a" * 69, "a" * 81, "0123456789abcdef", "."):
        assert not is_puzzle(text), text
    monkeypatch.chdir(tmp_path)
    (tmp_path / ("1" * 16)).write_text(EASY + "\n")
    assert not is_puzzle("1" * 16) and pa.table(sp.solve("1" * 16)).num_rows == 1


def test_results_convert_to_numpy_arrow_and_files(texts, tmp_path):
    flat = boards(texts).astype(np.uint8)
    solutions = sp.solve(flat).to_numpy("solution")
    assert solutions.dtype == np.uint8 and solutions.shape == (200, 81) and solutions.flags.writeable
    assert (np.sort(solutions, axis=1) == np.repeat(np.arange(1, 10), 9)).all()
    assert (solutions[flat > 0] == flat[flat > 0]).all()
    assert sp.solve(texts).to_arrow().num_rows == 200
    rows = sp.grade(texts).write(tmp_path / "graded.parquet")
    import pyarrow.parquet as pq

    assert rows == 200 and pq.read_table(tmp_path / "graded.parquet").num_rows == 200
    with pytest.raises(sp.PipelineError, match="exists") as raised:
        sp.grade(texts).write(tmp_path / "graded.parquet")
    assert raised.value.exit_code == 4
    sp.grade(texts).write(tmp_path / "graded.parquet", overwrite=True)
    sp.grade(texts, select="puzzle").write(tmp_path / "graded", format="csv")
    assert (tmp_path / "graded").read_text().splitlines() == ["puzzle", *texts]
    with pytest.raises(sp.UsageError, match="extension"):
        sp.grade(texts).write(tmp_path / "graded.xyz")
    assert [path.name for path in tmp_path.iterdir() if "tmp" in path.name] == []
    pd = pytest.importorskip("pandas")
    assert isinstance(sp.solve(texts).to_pandas(), pd.DataFrame)
    pl = pytest.importorskip("polars")
    assert isinstance(sp.solve(texts).to_polars(), pl.DataFrame)


def test_an_array_has_a_row_for_each_row_of_the_input():
    cells = boards([EASY, EASY, "." * 81])
    cells[1, 7] = 11
    with pytest.raises(sp.DataError, match='1 record was rejected.*give rejects="rows"'):
        sp.solve(cells).to_numpy("solution")
    solutions = sp.solve(cells, rejects="rows").to_numpy("solution")
    assert solutions.shape == (3, 81) and solutions[1].sum() == 0 and solutions[0].sum() == 405
    with pytest.raises(sp.UsageError, match="there is no column solved; the columns are"):
        sp.solve(cells).to_numpy("solved")
    assert sp.solve([EASY]).to_numpy("solutions").tolist() == [1]
    with pytest.raises(sp.DataError, match="grids of 81 and of 16 cells"):
        sp.solve([EASY, "1.....2..3.....4"]).to_numpy("puzzle")


def test_a_stream_shows_itself_and_can_still_be_read(texts, expected):
    stream = sp.grade(texts)
    shown = repr(stream)
    assert texts[0][:20] in shown and "technique" in shown and "utf8" in shown.lower() and "unique" in shown
    page = stream._repr_html_()
    assert page.count("<img ") == 3 and "<table" in page and texts[0] in page
    assert same(pa.table(stream), expected)
    assert "another library reads" in repr(stream)
    assert stream.counts["rows"] == 200 and pa.table(stream.rejects).num_rows == 0
    assert "no rows" in repr(sp.grade([]))
    failing = sp.grade(["a", "b"])
    assert "no rows" in repr(failing)
    with pytest.raises(sp.DataError, match="none of its 2 records"):
        list(failing)


def test_progress_is_shown(texts, monkeypatch):
    for name in ("tqdm", "tqdm.auto"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    stream = sp.solve(texts, progress=True)
    assert len(pa.table(stream)) == 200
    stream._watch._thread.join(10)
    assert "200 of 200 (100%) puzzles" in sys.stderr.getvalue()


def test_generation_goes_on_without_a_count():
    first = pa.table(sp.generate(3000, seed=6)).column("puzzle").to_pylist()
    with sp.generate(seed=6) as stream:
        found = []
        for batch in stream:
            found += pa.record_batch(batch).column("puzzle").to_pylist()
            if len(found) >= 3000:
                break
    assert found[:3000] == first
    one, other = (pa.table(sp.generate(1)).column("puzzle")[0].as_py() for _ in range(2))
    assert one != other
