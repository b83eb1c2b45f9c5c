"""Bad input and bad options: exceptions that say what is wrong, and what to do."""

import os
from types import MappingProxyType

import pyarrow as pa
import pytest
from conftest import EASY

import sudoku_pipeline as sp


def test_a_wrong_column_is_named():
    table = pa.table({"name": ["a"], "text": [EASY]})
    with pytest.raises(sp.DataError, match="no puzzle column; its columns are name, text; name one with puzzle_column="):
        sp.grade(table)
    assert pa.table(sp.grade(table, puzzle_column="text")).num_rows == 1
    with pytest.raises(sp.DataError, match='no column "board"'):
        sp.grade(table, puzzle_column="board")


def test_a_wrong_type_is_named():
    with pytest.raises(sp.DataError, match='column "puzzle" holds Float64'):
        sp.grade(pa.table({"puzzle": [1.5]}))
    with pytest.raises(TypeError, match="Arrow interface.*not int"):
        sp.grade(7)
    with pytest.raises(TypeError):
        sp.grade([EASY, 7])


def test_nulls_are_rejects():
    stream = sp.grade([EASY, None])
    assert pa.table(stream).num_rows == 1
    assert pa.table(stream.rejects).column("error").to_pylist() == ["null_value"]


def test_an_empty_stream_has_no_rows():
    empty = pa.table({"puzzle": pa.array([], pa.string()), "id": pa.array([], pa.int8())})
    for data in [empty, empty.schema.empty_table().to_reader(), []]:
        stream = sp.grade(data)
        rows = pa.table(stream)
        assert rows.num_rows == 0 and "technique" in rows.column_names
        assert pa.table(stream.rejects).num_rows == 0


def test_input_without_a_puzzle_is_refused():
    with pytest.raises(sp.DataError, match="none of its 2 records is a puzzle; the first.*allow_empty="):
        list(sp.grade(["a", "b"]))
    assert list(sp.grade(["a", "b"], allow_empty=True)) == []
    assert len(list(sp.grade(["a", "b"], rejects="rows"))[0]) == 2


def test_too_many_rejects_are_refused():
    with pytest.raises(sp.DataError, match="1 of 3 records rejected, but max_rejects= allows"):
        list(sp.grade([EASY, EASY, "a"], max_rejects="10%"))
    assert pa.table(sp.grade([EASY, EASY, "a"], max_rejects=1)).num_rows == 2


@pytest.mark.parametrize(
    "options, said",
    [
        ({"with_": ["canonica"]}, "invalid value .canonica. for with_=: must be one of .*did you mean canonical"),
        ({"ladder": "steep"}, "invalid value 'steep' for ladder="),
        ({"max_rank": 99}, "invalid value '99' for max_rank=: must be a whole number from 1 to"),
        ({"solution_limit": 1}, "invalid value '1' for solution_limit=: must be a whole number from 2 to 4294967295"),
        ({"where": "rank >"}, "where="),
        ({"where": "rank > 1", "rejects": "rows"}, "rejected records are rows of this table"),
        ({"select": ["nothing"]}, "select=.*there is no column nothing"),
        ({"rejects": "somewhere"}, "must be .*table.* or .*rows"),
        ({"max_rejects": "many"}, "max_rejects="),
        ({"se_max": 3.0}, "give with_=.se. too"),
        ({"with_": "se", "se_max": 99}, "invalid value '99' for se_max="),
        ({"threads": 0}, "invalid value '0' for threads=: must be a whole number from 1 to 1024"),
        ({"sample": 1.5}, "invalid value '1.5' for sample=.*from 0 to 1"),
        ({"alphabet": "!"}, "alphabet="),
        ({"max_rank": -1}, "invalid value '-1' for max_rank="),
        ({"skip": 2**64}, "invalid value '18446744073709551616' for skip=.*too large"),
        ({"solution_limit": 2**63}, "invalid value '9223372036854775808' for solution_limit="),
        ({"node_limit": -1}, "invalid value '-1' for node_limit="),
        ({"sample": float("nan")}, "invalid value 'NaN' for sample=.*from 0 to 1"),
        ({"select": []}, "select=.*at least one column"),
        ({"blank": "q"}, "unexpected argument blank="),
    ],
)
def test_options_that_cannot_be_used_are_refused_at_once(options, said):
    with pytest.raises(sp.UsageError, match=said) as raised:
        sp.grade([EASY], **options)
    assert raised.value.exit_code == 2 and isinstance(raised.value, ValueError)


def test_options_of_a_wrong_type_are_refused():
    with pytest.raises(TypeError, match="max_rank"):
        sp.grade([EASY], max_rank="high")
    with pytest.raises(TypeError, match="max_rejects"):
        sp.grade([EASY], max_rejects=[1])
    with pytest.raises(TypeError, match="types"):
        sp.grade([EASY], types=["label=text"])
    with pytest.raises(TypeError, match="node_limits"):
        sp.grade([EASY], node_limits=1)
    with pytest.raises(TypeError, match="node_limits"):
        sp.schema("grade", node_limits=1)


def test_an_unknown_table_is_refused_with_the_names_of_the_tables():
    """Regression test: the messages were about subcommands, and ``--help`` showed the help of another program."""
    for table in ("nope", "help", "--help", "validate"):
        for function in (sp.schema, sp.columns):
            with pytest.raises(sp.UsageError, match=f"table='{table}': must be one of grade, solve, .*failures, rejects"):
                function(table)


def test_an_exception_in_the_producer_is_passed_on():
    schema = pa.schema({"puzzle": pa.string()})

    def batches():
        yield pa.record_batch({"puzzle": [EASY] * 3})
        raise ValueError("out of paper")

    with pytest.raises(sp.ReadError, match="cannot read data: .*out of paper") as raised:
        list(sp.grade(pa.RecordBatchReader.from_batches(schema, batches())))
    assert raised.value.exit_code == 1
    with pytest.raises((OSError, pa.ArrowInvalid), match="out of paper"):
        pa.table(sp.grade(pa.RecordBatchReader.from_batches(schema, batches())))


def test_a_stream_is_read_once_and_says_so():
    stream = sp.grade([EASY])
    assert pa.table(stream).num_rows == 1
    with pytest.raises(ValueError, match="read already"):
        pa.table(stream)
    with pytest.raises(ValueError, match="read already"):
        next(stream)


READERS = {
    "to_numpy": lambda stream: stream.to_numpy("puzzle"),
    "to_arrow": lambda stream: stream.to_arrow(),
    "to_pandas": lambda stream: stream.to_pandas(),
    "to_polars": lambda stream: stream.to_polars(),
    "write": lambda stream: stream.write(os.devnull, format="csv", overwrite=True),
    "loop": lambda stream: [batch for batch in stream],
    "table": pa.table,
}


@pytest.mark.parametrize("second", READERS)
@pytest.mark.parametrize("first", READERS)
def test_a_second_reader_of_a_stream_never_gets_nothing(first, second, tmp_path):
    stream = sp.solve([EASY, EASY])
    if first == "write":
        stream.write(tmp_path / "rows.csv")
    else:
        READERS[first](stream)
    with pytest.raises(ValueError, match="has been read already: call the function again"):
        READERS[second](stream)


def test_a_wrong_column_does_not_read_the_stream_and_a_closed_one_says_so(tmp_path):
    stream = sp.solve([EASY])
    with pytest.raises(sp.UsageError, match="there is no column puzzles"):
        stream.to_numpy("puzzles")
    assert stream.to_numpy("puzzle").shape == (1, 81)
    closed = sp.solve([EASY])
    closed.close()
    with pytest.raises(ValueError, match="was closed"):
        closed.to_numpy()


def test_rejected_rows_never_shift_a_frame_silently():
    """Three of six records are no puzzles: the frames say where the others were."""
    records = ["a", EASY, EASY[::-1][:80], EASY, "b", EASY]
    with pytest.warns(sp.RejectsWarning, match="3 records were rejected.*column row"):
        arrow = sp.solve(records).to_arrow()
    assert arrow.column("row").to_pylist() == [1, 3, 5]
    with pytest.warns(sp.RejectsWarning, match="column row"):
        polars = sp.solve(records).to_polars()
    assert polars["row"].to_list() == [1, 3, 5] and polars.columns[0] == "row"
    with pytest.warns(sp.RejectsWarning, match="the index has"):
        pandas = sp.solve(records).to_pandas()
    assert pandas.index.tolist() == [1, 3, 5]
    for convert in (lambda s: s.to_arrow(rejects="null").to_pylist(), lambda s: s.to_polars(rejects="null").to_dicts()):
        rows = convert(sp.solve(records))
        assert [row["puzzle"] for row in rows] == [None, EASY, None, EASY, None, EASY]
    frame = sp.solve(records).to_pandas(rejects="null")
    assert frame["puzzle"].notna().tolist() == [False, True] * 3
    with pytest.warns(sp.RejectsWarning):
        assert sp.solve(records, skip=2).to_polars()["row"].to_list() == [3, 5]
    assert sp.solve(records, skip=2).to_polars(rejects="null")["puzzle"].to_list() == [None, EASY, None, EASY]
    stream = sp.solve(records)
    with pytest.warns(sp.RejectsWarning):
        stream.to_polars()
    assert pa.table(stream.rejects).column("row").to_pylist() == [0, 2, 4]


def test_rejects_of_several_files_give_no_wrong_positions(tmp_path):
    """The records of each file are numbered from 0, so the rejects alone do not tell the positions."""
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{EASY}\nbad\n{EASY}\n")
    assert sp.solve(tmp_path).to_arrow().column("row").to_pylist() == [0, 2, 0, 2]
    assert sp.solve(tmp_path).to_pandas().index.tolist() == [0, 1, 2, 3]
    with pytest.raises(sp.UsageError, match="several files"):
        sp.solve(tmp_path).to_polars(rejects="null")
    one = tmp_path / "a.txt"
    assert sp.solve(one).to_polars()["row"].to_list() == [0, 2]
    assert sp.solve(one).to_polars(rejects="null")["puzzle"].to_list() == [EASY, None, EASY]


def test_conversions_without_rejects_are_plain():
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "row" not in sp.solve([EASY]).to_arrow().column_names
        assert "row" not in sp.solve([EASY, "?"], rejects="rows").to_polars().columns
        assert sp.solve([EASY]).to_polars(rejects="null").height == 1
    with pytest.raises(sp.UsageError, match="where= leaves out records"):
        sp.solve([EASY, "?"], where="clues > 1").to_polars(rejects="null")
    with pytest.raises(sp.UsageError, match="validate has no such rows"):
        sp.validate([EASY, "?"]).to_polars(rejects="null")
    with pytest.raises(sp.UsageError, match="rejects='rows'"):
        sp.solve([EASY]).to_arrow(rejects="rows")


def test_count_and_solutions_say_when_they_stop():
    many = sp.Puzzle("." * 81)
    with pytest.warns(sp.LimitWarning, match=r"more than 1000 solutions.*count\(limit=N\)"):
        assert many.count() == 1000
    with pytest.warns(sp.LimitWarning, match="solutions"):
        assert len(many.solutions()) == 1000
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert many.count(1000) == 1000 and sp.Puzzle(EASY).count() == 1 and len(sp.Puzzle("." * 16).solutions()) == 288


def test_a_board_without_a_solution_has_no_hint():
    wrong = sp.Puzzle("1" + EASY[1:])
    for board in (wrong, sp.Puzzle("12.." + "..3." + "...." + "...4")):
        assert board.count() == 0
        with pytest.raises(sp.DataError, match="the puzzle has no solution"):
            board.hint()


def test_rejects_are_known_at_the_end():
    stream = sp.grade([EASY])
    with pytest.raises(ValueError, match="not been read to its end"):
        stream.rejects
    list(stream)
    assert pa.table(stream.rejects).num_rows == 0


def test_puzzles_that_do_not_exist_are_not_made():
    with pytest.raises(sp.UsageError, match="17 to 81 clues"):
        sp.generate(1, seed=1, clues=3)
    with pytest.raises(sp.UsageError, match="level=.*must be one of easy"):
        sp.generate(1, seed=1, level="wild")
    with pytest.raises(sp.PipelineError, match="found 0 of 3 puzzles.*max_attempts="):
        list(sp.generate(3, seed=1, clues=17, max_attempts=1))


def test_numbers_of_puzzles_are_checked():
    for count in (-1, 2**64):
        with pytest.raises(sp.UsageError, match=f"count={count}: must be from 0 to 18446744073709551615"):
            sp.generate(count, seed=1)
    with pytest.raises(sp.UsageError, match="seed=-1: must be from 0"):
        sp.generate(1, seed=-1)
    with pytest.raises(sp.UsageError, match="size=3: must be from 4 to 25"):
        sp.generate(1, seed=1, size=3)
    with pytest.raises(TypeError, match="count"):
        sp.generate(1.5, seed=1)


def test_explaining_an_invalid_puzzle_is_an_error():
    with pytest.raises(sp.DataError):
        sp.explain("no puzzle")
    with pytest.raises(sp.UsageError, match="no technique y_wingo"):
        sp.explain(technique="y_wingo")
    for rating, version in ((None, "2.3"), ("hodoku", "2.4")):
        with pytest.raises(sp.UsageError, match="hodoku_version="):
            sp.explain("." * 81, rating=rating, hodoku_version=version)


def test_messages_spell_options_as_python_does_and_leave_other_programs_alone(tmp_path):
    """Regression test: flags were replaced in messages of other programs, so ``zstd -d --long=31`` became
    ``zstd -d long=31``."""
    wide = tmp_path / "wide.csv.zst"
    # A zstd frame with a window of 2 GiB, and an empty last block.
    wide.write_bytes(bytes.fromhex("28b52ffd00a8010000"))
    with pytest.raises(sp.PipelineError, match="zstd -d --long=31"):
        list(sp.convert(str(wide)))
    table = tmp_path / "table.csv"
    table.write_text(f"puzzle,label\n{EASY},x\n")
    with pytest.raises(sp.DataError, match='types="label=text" reads it as text.*infer_types="none"'):
        list(sp.grade(str(table), types={"label": "int64"}))
    # Regression test: streams refused what the message recommends.
    for types in ("label=text", MappingProxyType({"label": "text"})):
        assert pa.table(sp.grade(str(table), types=types)).num_rows == 1
    # Commands that run as subprocesses write options in the same way.
    with pytest.raises(sp.UsageError, match="invalid value 'nope' for by=: "):
        sp.dedup(str(table), by="nope")
    with pytest.raises(sp.DataError, match='no column "nope".*with keep='):
        sp.dedup(str(table), keep=["nope"])
