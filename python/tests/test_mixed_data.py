"""Data as users have it at hand: frames with odd values, several tables, names of files, sets without names."""

import pathlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import EASY, SOLVED

import sudoku_pipeline as sp


@pytest.fixture(scope="module")
def texts():
    return sp.generate(12, seed=5).to_arrow().column("puzzle").to_pylist()


def test_an_audit_takes_the_data_of_one_set(texts):
    frame = pd.DataFrame({"puzzle": texts})
    arrays = {"puzzle": sp.solve(texts).to_numpy("puzzle"), "solution": sp.solve(texts).to_numpy("solution")}
    for data in (frame, frame["puzzle"], pl.DataFrame(frame), pa.table(frame), texts, tuple(texts), sp.dedup(texts), arrays):
        found = sp.audit(data)
        assert list(found) == ["data"] and len(found["data"]) == len(texts), type(data)
    parts = sp.split(texts, {"a": 0.5, "b": 0.5})
    assert sum(map(len, sp.audit(parts).values())) == len(texts)
    for none, error in (({}, sp.UsageError), (None, TypeError), ({"a b": texts}, sp.UsageError)):
        with pytest.raises(error, match="sets"):
            sp.audit(none)


def test_values_of_different_types_are_judged_one_by_one(texts):
    values = [*texts[:3], 5.0, sp.Puzzle(texts[3]), None, float("nan"), list(map(int, texts[4].replace(".", "0")))]
    frame = pd.DataFrame({"puzzle": pd.Series(values, dtype=object), "id": pd.Series(range(8), dtype=object)})
    frame.loc[2, "id"] = "two"
    for data in (frame, frame["puzzle"]):
        solved = sp.solve(data, rejects="rows", max_rejects="100%").to_pandas()
        assert (solved["status"] == "unique").tolist() == [True, True, True, False, True, False, False, True]
    puzzles = pd.DataFrame({"puzzle": [sp.Puzzle(text) for text in texts]})
    assert sp.solve(puzzles).to_pandas()["status"].eq("unique").all()
    with pytest.raises(sp.UsageError, match="two columns have the name 'puzzle'"):
        sp.solve(pd.concat([puzzles, puzzles], axis=1))
    with pytest.raises(sp.UsageError, match="complex"):
        sp.solve(puzzles.assign(z=1j))
    for missing in (None, float("nan")):
        assert len(sp.solve([*texts, missing], rejects="rows").to_arrow()) == len(texts) + 1


def test_rows_that_are_dictionaries_can_be_missing(texts):
    rows = [{"puzzle": texts[0]}, None, {"puzzle": texts[1]}]
    solved = sp.solve(rows, rejects="rows").to_arrow()
    assert solved.column("status").to_pylist() == ["unique", "rejected", "unique"]
    with pytest.raises(TypeError, match="int"):
        sp.solve([{"puzzle": texts[0]}, 5])


def test_tables_one_after_the_other_are_one_table(texts, tmp_path):
    table = pa.table({"puzzle": texts})
    path = tmp_path / "puzzles.csv"
    table.to_pandas().to_csv(path, index=False)
    several = [
        table.to_batches(max_chunksize=5),
        [table, table.slice(0, 0)],
        [table.to_pandas()],
        [pl.DataFrame(table)],
        pd.read_csv(path, chunksize=5, dtype=str),
    ]
    for data in several:
        assert sp.solve(data).to_arrow().column("puzzle").to_pylist() == texts


def test_a_list_of_names_of_files_is_their_rows(texts, tmp_path):
    for name, part in (("a.csv", texts[:5]), ("b.csv", texts[5:])):
        pd.DataFrame({"puzzle": part}).to_csv(tmp_path / name, index=False)
    names = sorted(map(str, tmp_path.glob("*.csv")))
    assert sp.solve(names).to_arrow().column("puzzle").to_pylist() == texts
    with open(names[0], encoding="utf-8") as file, pytest.raises(TypeError, match="a path is needed"):
        sp.solve(file)
    assert pathlib.Path(names[0]).exists()


def test_a_text_of_nearly_81_cells_is_no_path():
    with pytest.raises(sp.DataError, match="80 cells; a puzzle has 81"):
        sp.solve("." * 80).to_arrow()


def test_pairs_and_parts_are_refused_by_their_names(texts):
    for pairs in (list(zip(texts, texts)), zip(texts, texts), [[EASY, SOLVED]]):
        with pytest.raises(sp.UsageError, match='"solution"'):
            sp.solve(pairs)
    with pytest.raises(sp.UsageError, match=r"parts a, b: give one of them, such as data\['a'\]"):
        sp.augment(sp.split(texts, {"a": 0.5, "b": 0.5}), 2)


def test_boards_and_moves_of_series_and_columns(texts):
    expected = sp.isomorph(texts, 3)
    moves = np.array([[0, 0, 1]] * len(texts))
    for boards in (pd.Series(texts), pl.Series(texts), pa.array(texts), np.array(texts), np.array(texts, dtype=object)):
        assert (sp.isomorph(boards, 3) == expected).all()
        assert (sp.check_moves(boards, moves).verdict == sp.check_moves(texts, moves).verdict).all()
    with pytest.raises(TypeError, match="as many moves"):
        sp.check_moves(texts[:2], [[(0, 1, 5)], [(0, 1, 5), (0, 2, 3)]])


def test_messages_name_the_arguments_and_no_temporary_files(texts):
    bad = pd.DataFrame({"a": [1]})
    calls = {
        "data": lambda: sp.dedup(bad),
        "b": lambda: sp.overlap(texts, bad),
        "train": lambda: sp.audit({"train": bad}),
        "against": lambda: sp.evaluate(texts, texts, against=pd.concat([bad] * len(texts))),
    }
    for name, call in calls.items():
        with pytest.raises(sp.DataError, match=f"^{name}: no ") as caught:
            call()
        assert caught.value.exit_code == 3
