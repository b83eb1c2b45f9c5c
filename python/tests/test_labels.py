"""The rows of a pandas frame keep their labels, and rejected records shift no rows of a table silently."""

import pickle
import threading
import warnings

import pytest
from conftest import EASY, SOLVED

import sudoku_pipeline as sp

pd = pytest.importorskip("pandas")
np = pytest.importorskip("numpy")

MADE = sp.generate(10, seed=7).to_numpy(["puzzle", "solution"])
TEXTS = ["".join(map(str, board)).replace("0", ".") for board in MADE["puzzle"]]
ANSWERS = ["".join(map(str, board)) for board in MADE["solution"]]
RANKS = sp.grade(TEXTS).to_numpy("rank").tolist()
LETTERS = list("abcdefghij")

INDEXES = {
    "default": pd.RangeIndex(10),
    "from 5": pd.RangeIndex(5, 25, 2),
    "shuffled": pd.Index([3, 1, 4, 0, 5, 9, 2, 6, 8, 7]),
    "named": pd.Index(range(1000, 1010), name="id"),
    "as a column of the result": pd.Index(range(10, 20), name="rank"),
    "texts": pd.Index(LETTERS),
    "dates": pd.date_range("2020-01-01", periods=10, tz="UTC", name="day"),
    "categories": pd.CategoricalIndex(LETTERS),
    "levels": pd.MultiIndex.from_arrays([range(10), LETTERS], names=["id", None]),
}
FRAMES = {name: pd.DataFrame({"puzzle": TEXTS, "answer": ANSWERS, "number": range(10)}, index=index) for name, index in INDEXES.items()}


@pytest.fixture(params=list(FRAMES))
def frame(request):
    return FRAMES[request.param].copy()


def evaluated(data, **options):
    return sp.evaluate(data, prediction_column="answer", **options)


@pytest.mark.parametrize("function", [sp.grade, evaluated])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"select": ["rank"]},
        {"select": "rank"},
        {"select": ["level", "rank"], "keep": "none"},
        {"keep": []},
        {"keep": ["number"]},
        {"keep": "number", "select": ["number", "rank"]},
        {"rename": {"level": "class"}, "keep": ["none"]},
    ],
)
def test_a_result_aligns_with_its_frame_whatever_is_selected(frame, function, options):
    result = function(frame, **options).to_pandas()
    assert result.index.equals(frame.index) and result.index.names == frame.index.names
    frame["got"] = result["rank"]
    assert frame["got"].tolist() == RANKS
    assert not [name for name in result.columns if "position" in name or "index_level" in name]


@pytest.mark.parametrize("options", [{"where": "rank > 4"}, {"skip": 3}, {"limit": 4}, {"skip": 2, "limit": 5, "select": ["rank"]}, {"sample": 0.5, "seed": 1}])
@pytest.mark.parametrize("function", [sp.grade, evaluated])
def test_rows_that_are_left_keep_their_labels(frame, function, options):
    frame["got"] = function(frame, **options).to_pandas()["rank"]
    left = frame["got"].notna()
    assert 0 < left.sum() < 10
    assert frame["got"][left].tolist() == [rank for rank, is_left in zip(RANKS, left) if is_left]


def test_filter_solve_and_convert_keep_labels(frame):
    even = sp.filter(frame, "number % 2 = 0", select=["number"]).to_pandas()
    assert even.index.equals(frame.index[::2]) and even["number"].tolist() == [0, 2, 4, 6, 8]
    assert sp.solve(frame, select=["solution"]).to_pandas().index.equals(frame.index)
    assert sp.convert(frame, keep="none").to_pandas().index.equals(frame.index)


def test_tables_of_datasets_keep_labels(frame):
    doubled = pd.concat([frame, frame.set_axis(frame.index[::-1], axis=0)])
    rows = sp.dedup(doubled, select=["puzzle"])
    assert rows.to_pandas().index.equals(frame.index) and rows.duplicates.to_pandas().index.equals(frame.index[::-1])
    parts = sp.split(frame, {"train": 0.5, "test": 0.5}, seed=2)
    for part in parts.values():
        rows = part.to_pandas()
        assert frame.loc[rows.index, "number"].tolist() == rows["number"].tolist()
    assert sum(map(len, parts.values())) == 10
    cleaned = sp.audit({"train": frame, "test": TEXTS[:3]})
    assert cleaned["train"].to_pandas().index.equals(frame.index[3:])
    assert len(cleaned["test"].to_pandas()) == 3 and "sudoku_pipeline_position" not in cleaned.card + str(cleaned.page)
    assert sp.augment(frame, 2, select=["puzzle"]).to_pandas().index.equals(frame.index.repeat(2))
    assert sp.trace(frame[:3], keep="none").to_pandas().index.equals(frame.index[:3])


def test_a_series_and_a_frame_of_digits_keep_labels():
    index = pd.Index(LETTERS, name="rank")
    for data in (pd.Series(TEXTS, index), pd.DataFrame(MADE["puzzle"], index)):
        ranks = sp.grade(data, where="rank > 4").to_pandas()["rank"]
        assert ranks.to_dict() == {letter: rank for letter, rank in zip(LETTERS, RANKS) if rank > 4}
        assert sp.dedup(data).to_pandas().index.equals(index)


def test_rejected_records_keep_their_labels(frame):
    frame.iloc[[2, 6], frame.columns.get_loc("puzzle")] = ["bad", None]
    for function in (sp.grade, evaluated):
        filled = function(frame, select=["rank"]).to_pandas(rejects="null")
        assert filled.index.equals(frame.index) and filled["rank"].isna().tolist() == [at in (2, 6) for at in range(10)]
        part = function(frame, skip=1, limit=4).to_pandas(rejects="null")
        assert part.index.equals(frame.index[1:5]) and part["puzzle"].isna().tolist() == [False, True, False, False]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sp.RejectsWarning)
            assert function(frame, keep="none").to_pandas().index.equals(frame.index.delete([2, 6]))
    assert sp.grade(frame, rejects="rows", select=["status"]).to_pandas().index.equals(frame.index)


def test_levels_of_the_index_are_columns_only_if_they_are_named():
    frame = FRAMES["named"]
    assert "id" not in sp.grade(frame).to_pandas() and "id" not in sp.dedup(frame).to_pandas()
    assert sp.grade(frame, select=["id", "rank"]).to_pandas().columns.tolist() == ["id", "rank"]
    assert sp.grade(frame, where="id > 1004", rename={"id": "n"}).to_pandas()["n"].tolist() == [1005, 1006, 1007, 1008, 1009]
    ranked = sp.grade(FRAMES["as a column of the result"]).to_pandas()
    assert ranked["rank"].tolist() == RANKS and "input_rank" not in ranked
    default = pd.DataFrame({"puzzle": TEXTS}, index=pd.RangeIndex(10, name="rank"))
    assert sp.grade(default).to_pandas()["rank"].tolist() == RANKS
    assert sp.grade(frame.set_index("puzzle")).to_pandas()["puzzle"].tolist() == TEXTS


def test_other_conversions_of_a_frame_have_the_columns_that_are_named(tmp_path):
    frame = FRAMES["shuffled"]
    for rows in (sp.grade(frame, select=["rank"]), sp.dedup(frame, select=["number"])):
        names = rows.schema.names
        assert len(names) == 1 and rows.to_arrow().column_names == names
    table = sp.dedup(frame, keep=["number"])
    assert table.to_polars().columns == table.schema.names == list(table.to_dict()) == ["puzzle", "answer", "number"]
    assert "position" not in repr(table) and table.write(tmp_path / "t.csv") == 10
    assert (tmp_path / "t.csv").read_text().splitlines()[0] == "puzzle,answer,number"
    assert table["number"].tolist() == list(range(10))
    with pytest.raises(sp.UsageError, match="there is no column"):
        table.to_numpy("__sudoku_pipeline_position__")
    stream = sp.grade(frame, select=["rank"], progress=True)
    stream.to_pandas()
    assert stream.schema.names == ["rank"] and "position" not in repr(stream) and stream.counts["rows"] == 10
    with pytest.raises(sp.DataError) as caught:
        sp.dedup(pd.DataFrame({0: [1], 1: [2]}))
    assert "position" not in str(caught.value)


def test_a_stream_of_a_frame_is_read_once_and_is_that_of_the_frame_at_the_call():
    frame = FRAMES["texts"].copy()
    stream = sp.grade(frame)
    repr(stream)
    frame["more"] = 1
    frame.drop(index=LETTERS[:5], inplace=True)
    rows = stream.to_pandas()
    assert rows.index.tolist() == LETTERS and "more" not in rows
    for read in (stream.to_pandas, stream.to_arrow, stream.to_numpy):
        with pytest.raises(ValueError):
            read()
    closed = sp.grade(FRAMES["texts"])
    closed.close()
    with pytest.raises(ValueError):
        closed.to_pandas()


def test_a_table_of_a_frame_can_be_pickled_and_read_by_threads():
    frame = FRAMES["levels"]
    table = sp.dedup(frame, keep="none")
    found = []
    threads = [threading.Thread(target=lambda: found.append((table.to_pandas(), table.schema.names))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(table))))
    found.append((again.to_pandas(), again.schema.names))
    assert len(found) == 7 and all(rows.index.equals(frame.index) and names == ["puzzle", "answer"] for rows, names in found)


BAD = {"text": "hello", "None": None, "conflict": "55" + "." * 79}


@pytest.mark.parametrize("bad", BAD.values(), ids=list(BAD))
def test_arrays_of_judgements_with_rejected_puzzles_are_refused(bad):
    data, answers = [bad, *TEXTS[:2]], ["x", *ANSWERS[:2]]
    for judged, column in [
        (sp.evaluate(data, answers), "is_exact"),
        (sp.evaluate(data, steps=[[]] * 3), "reward"),
        (sp.trace(data), "steps"),
        (sp.evaluate(data, answers, where="is_exact"), "is_exact"),
    ]:
        for read in (lambda: judged[column], lambda: judged.to_numpy(["puzzle", column]), judged.to_numpy):
            with pytest.raises(sp.DataError, match=r"1 record was rejected.*to_numpy\(\[\"row\", '.*.rejects has the errors"):
                read()
        assert judged.to_numpy(["row", column])["row"].tolist() == [1, 2]
        assert judged.rejects.to_dict()["row"] == [0]
    with pytest.raises(sp.DataError, match=r"to_pandas\(rejects=\"null\"\)\['is_exact'\] has a null"):
        sp.evaluate(data, answers, select=["is_exact"])["is_exact"]
    assert sp.evaluate(TEXTS[:2], ["x", ANSWERS[1]])["is_exact"].tolist() == [False, True]


def test_tables_of_judgements_have_the_positions_of_their_rows():
    data, answers = ["hello", TEXTS[0], None, TEXTS[1]], ["x", ANSWERS[0], "x", "x"]

    def judged(**options):
        return sp.evaluate(data, answers, select=["is_exact"], **options)

    with pytest.warns(sp.RejectsWarning, match="2 records were rejected.*the index has their positions.*.rejects has"):
        assert judged().to_pandas()["is_exact"].to_dict() == {1: True, 3: False}
    with pytest.warns(sp.RejectsWarning, match="column row"):
        assert judged().to_arrow().to_pydict() == {"row": [1, 3], "is_exact": [True, False]}
    with pytest.warns(sp.RejectsWarning, match="column row"):
        assert judged().to_polars().to_dicts() == [{"row": 1, "is_exact": True}, {"row": 3, "is_exact": False}]
    with pytest.warns(sp.RejectsWarning):
        assert judged(skip=1).to_pandas().index.tolist() == [1, 3]
    filled = [None, True, None, False]
    assert judged().to_arrow(rejects="null")["is_exact"].to_pylist() == judged().to_polars(rejects="null")["is_exact"].to_list() == filled
    assert judged().to_pandas(rejects="null")["is_exact"].tolist() == filled
    again = pickle.loads(pickle.dumps(judged()))
    assert again.to_arrow(rejects="null")["is_exact"].to_pylist() == filled
    # The column row has the positions without a warning.
    with warnings.catch_warnings():
        warnings.simplefilter("error", sp.RejectsWarning)
        assert sp.evaluate(data, answers).to_arrow()["row"].to_pylist() == [1, 3]
        sp.evaluate(TEXTS, ANSWERS).to_pandas()
    with pytest.raises(sp.UsageError, match="where= leaves out records"):
        judged(where="is_exact").to_pandas(rejects="null")
    with pytest.raises(sp.UsageError, match="has no such rows"):
        sp.dedup(TEXTS).to_arrow(rejects="null")


def test_judgements_of_files_have_positions_if_it_is_one_file(tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{EASY}\nbad\n{EASY}\n")
    one = sp.trace(tmp_path / "a.txt", select=["status"])
    assert one.to_polars(rejects="null")["status"].to_list() == ["unique", None, "unique"]
    several = sp.trace(tmp_path, select=["status"])
    assert several.to_pandas().index.tolist() == [0, 1, 2, 3]
    with pytest.raises(sp.UsageError, match="several files"):
        several.to_pandas(rejects="null")


@pytest.mark.parametrize(
    "function", [sp.dedup, lambda data: sp.split(data, {"a": 0.5, "b": 0.5}), lambda data: sp.augment(data, 2)], ids=["dedup", "split", "augment"]
)
def test_datasets_without_rejected_records_say_so(function):
    with pytest.warns(sp.RejectsWarning, match=r"2 records were rejected and are not in the result of \w+\(\); .rejects has") as warned:
        result = function(["bad", *TEXTS, None])
    assert len(warned) == 1 and warned[0].filename == __file__ and result.rejects.to_dict()["row"] == [0, 11]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function(TEXTS)


@pytest.mark.parametrize("make", [lambda: sp.solve([EASY]), lambda: sp.dedup([EASY])], ids=["stream", "table"])
def test_rows_of_several_columns_are_no_array(make):
    for convert in (np.asarray, np.array, pd.DataFrame):
        with pytest.raises(TypeError, match=r"to_numpy\(column\)"):
            convert(make())
    if hasattr(pd.DataFrame, "from_arrow"):
        assert pd.DataFrame.from_arrow(make())["puzzle"].tolist() == [EASY]
    assert sp.solve([EASY]).to_numpy().shape == (1, 81) and SOLVED
