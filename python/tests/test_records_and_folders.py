"""Predictions and rows in any container, and folders that are written whole or not at all."""

import numpy as np
import pytest

import sudoku_pipeline as sp

PUZZLES = [str(puzzle) for puzzle in sp.generate(6, seed=4).to_dict()["puzzle"]]
SOLUTIONS = [str(solution) for solution in sp.solve(PUZZLES).to_dict()["solution"]]


def predictions():
    ids = list(range(6))
    rows = [{"id": at, "prediction": SOLUTIONS[at]} for at in reversed(ids)]
    columns = {"id": ids[::-1], "prediction": SOLUTIONS[::-1]}
    yield "dictionary", columns
    yield "rows", rows
    yield "generator", iter(rows)
    try:
        import pandas
    except ImportError:
        return
    yield "pandas", pandas.DataFrame(columns)


@pytest.mark.parametrize("kind,given", list(predictions()), ids=lambda value: value if isinstance(value, str) else "")
def test_predictions_have_a_key_in_every_container(kind, given):
    judged = sp.evaluate({"id": list(range(6)), "puzzle": PUZZLES}, given, key="id")
    assert judged.to_dict()["verdict"] == ["solution"] * 6, kind


def test_one_column_of_predictions_needs_no_name():
    judged = sp.evaluate(PUZZLES, {"puzzle": SOLUTIONS})
    assert judged.to_dict()["verdict"] == ["solution"] * 6


def test_rows_have_the_columns_of_all_of_them():
    converted = sp.convert([{"puzzle": PUZZLES[0]}, {"puzzle": PUZZLES[1], "id": 7}])
    assert converted.to_dict()["id"] == [None, 7]


@pytest.mark.parametrize("values", [(None, "text"), (None, 3), (1, 2.5), (1, None)], ids=str)
def test_the_type_of_a_column_may_show_late(values):
    first, last = values
    rows = [{"puzzle": PUZZLES[0], "value": first}] * 5000 + [{"puzzle": PUZZLES[1], "value": last}]
    column = sp.convert(rows).to_dict()["value"]
    assert (column[0], column[-1], len(column)) == (first, last, 5001)


def test_a_key_that_comes_too_late_in_an_iterator_is_an_error_that_names_it():
    rows = ({"puzzle": PUZZLES[0], **({"late": 1} if at > 5000 else {})} for at in range(6000))
    with pytest.raises(sp.PipelineError, match="'late'"):
        sp.convert(rows).to_arrow()


def test_parts_are_written_whole_or_not_at_all(tmp_path):
    parts = sp.split(PUZZLES, into={"train": 0.5, "test": 0.5}, seed=1)
    (tmp_path / "test.parquet").write_text("mine")
    with pytest.raises(sp.PipelineError, match="exists already"):
        parts.write(tmp_path)
    assert not (tmp_path / "train.parquet").exists()
    with pytest.raises(sp.PipelineError):
        parts.write(tmp_path / "new", format="foo")
    assert not (tmp_path / "new").exists()


def test_an_audit_replaces_no_file_of_the_user_and_its_card_is_true(tmp_path):
    audit = sp.audit({"train": {"puzzle": PUZZLES[:4]}, "test": {"puzzle": PUZZLES[3:]}})
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(sp.PipelineError, match="exists already"):
        audit.write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    audit.write(tmp_path, overwrite=True)
    card = (tmp_path / "README.md").read_text()
    assert 'load_dataset("parquet", data_files={"train": "train.parquet"' in card
    assert "/sudoku-pipeline-" not in card


def test_numbers_of_numpy_are_numbers():
    assert sp.generate(1, seed=1, hodoku_score=(np.int64(0), np.int64(5000))).to_arrow().num_rows == 1


def test_isomorphs_of_nothing_and_of_no_threads():
    assert sp.isomorph(np.zeros((0, 9, 9), np.uint8), 1).shape == (0, 9, 9)
    with pytest.raises(sp.UsageError, match="threads=-1"):
        sp.isomorph(np.zeros((1, 81), np.uint8), 1, threads=-1)


def test_ids_with_sixteen_digits_are_no_boards():
    table = sp.dedup([{"puzzle": PUZZLES[0], "uid": "1234123412341234"}])
    assert list(table.to_numpy("uid")) == ["1234123412341234"]
    assert table.to_numpy("puzzle").shape == (1, 81)
