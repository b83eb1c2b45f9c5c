"""Every conversion raises the exceptions of the package, with the exception of the producer as their cause."""

import itertools
import warnings

import pyarrow as pa
import pytest
from conftest import EASY

import sudoku_pipeline as sp

CONVERSIONS = {
    "to_arrow": lambda rows: rows.to_arrow(),
    "to_pandas": lambda rows: rows.to_pandas(),
    "to_polars": lambda rows: rows.to_polars(),
    "to_numpy": lambda rows: rows.to_numpy("puzzle"),
    "to_dict": lambda rows: rows.to_dict(),
    "loop": list,
}


def failing(kind):
    """Puzzles that end with an exception after the first batch."""
    for _ in range(5000):
        yield EASY
    raise kind("mine")


def failing_batches():
    yield pa.record_batch({"puzzle": [EASY]})
    raise ValueError("mine")


@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_conversions_raise_the_errors_of_the_package(conversion):
    convert = CONVERSIONS[conversion]
    with pytest.raises(sp.DataError, match="40 of 40 records rejected|none of its 40 records"):
        convert(sp.grade(["bad"] * 40))
    with pytest.raises(sp.ReadError, match="ValueError: mine") as caught:
        convert(sp.solve(failing(ValueError)))
    cause = caught.value.__cause__
    assert isinstance(cause, ValueError) and cause.__traceback__.tb_frame.f_code.co_name == "failing"
    with pytest.raises(sp.PipelineError, match="found 0 of 3 puzzles"):
        convert(sp.generate(3, seed=1, clues=17, max_attempts=1))
    with pytest.raises(KeyboardInterrupt):
        convert(sp.solve(failing(KeyboardInterrupt)))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (lambda: failing(ValueError), sp.ReadError),
        (lambda: itertools.chain([EASY], [{}]), sp.ReadError),
        (lambda: pa.RecordBatchReader.from_batches(pa.schema({"puzzle": pa.string()}), failing_batches()), sp.ReadError),
        (lambda: [[1] + [0] * 80], sp.DataError),
        (lambda: iter([[1] + [0] * 80]), sp.DataError),
        (lambda: sp.grade(["bad"] * 40), sp.DataError),
        (lambda: sp.grade(failing(ValueError)), sp.ReadError),
    ],
)
def test_the_same_data_raises_the_same_error_in_every_function(data, kind):
    errors = []
    for function in (lambda data: sp.convert(data, blank=9).to_arrow(), lambda data: sp.dedup(data, blank=9)):
        with pytest.raises(sp.PipelineError) as caught:
            function(data())
        errors.append((type(caught.value), str(caught.value), repr(caught.value.__cause__)))
    assert errors[0] == errors[1] and errors[0][0] is kind, errors


def test_functions_over_datasets_raise_them_too():
    for function in (sp.dedup, lambda data: sp.augment(data, 1)):
        with pytest.raises(sp.ReadError, match="cannot read data: ValueError: mine") as caught:
            function(failing(ValueError))
        assert isinstance(caught.value.__cause__, ValueError)
        with pytest.raises(KeyboardInterrupt):
            function(failing(KeyboardInterrupt))


@pytest.mark.parametrize(
    ("call", "question"),
    [
        (lambda: sp.generate(1, technique="xwing"), "no technique xwing; did you mean x_wing"),
        (lambda: sp.explain(technique="hiden_single"), "did you mean hidden_single"),
        (lambda: sp.Puzzle(EASY).hint(technique="xwing"), "did you mean x_wing"),
        (lambda: sp.grade([EASY], select=["levl"]), "did you mean level"),
        (lambda: sp.grade([EASY]).write("a.x", format="parqet"), "parquet"),
        (lambda: sp.grade([EASY], with_="canonicl"), "canonical"),
        (lambda: sp.grade([EASY], ladder="ful"), "full"),
    ],
)
def test_misspelt_names_are_answered_with_a_question(call, question):
    with pytest.raises(sp.UsageError, match=question):
        call()


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"se": 2.3}, {"se": "2.3"}),
        ({"se": (2.0, 2.5)}, {"se": "2.0..2.5"}),
        ({"se": (None, 2.3)}, {"se": "..2.3"}),
        ({"hodoku_score": (200, None)}, {"hodoku_score": "200.."}),
        ({"mix": {"easy": 0.5, "medium": 0.5}}, {"mix": "easy=0.5,medium=0.5"}),
    ],
)
def test_ranges_and_shares_are_numbers_too(given, text):
    made = [sp.generate(4, seed=1, **options).to_dict() for options in (given, text)]
    assert made[0] == made[1]


def test_nothing_is_said_about_temporary_folders():
    """Regression test: each table and each failed call gave a ResourceWarning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sp.dedup([EASY])
        with pytest.raises(sp.UsageError):
            sp.dedup([EASY], by="x")


def test_progress_ends_with_the_rows(capfd, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm", None)
    stream = sp.solve([EASY] * 5000, progress=True)
    assert pa.table(stream.to_arrow()).num_rows == 5000
    assert "5,000 of 5,000 (100%)" in capfd.readouterr().err.rpartition("\r")[2]
