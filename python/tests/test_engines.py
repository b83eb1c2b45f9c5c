"""Every installed engine returns the same table."""

import pyarrow as pa
import pytest
from conftest import same

import sudoku_pipeline as sp


@pytest.fixture(scope="module")
def plain(puzzles):
    """The records with types that every engine supports."""
    return puzzles.set_column(2, "tag", puzzles.column("tag").cast(pa.string()))


@pytest.fixture(scope="module")
def expected(plain):
    return pa.table(sp.grade(plain))


def as_ours(table, expected):
    """Converts the table's types to those of the package, for engines with other types."""
    return pa.table({name: table.column(name) for name in expected.column_names}).cast(expected.schema)


def test_polars(plain, expected):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(plain)
    graded = pl.DataFrame(sp.grade(frame))
    assert same(as_ours(graded.to_arrow(), expected), expected)
    assert pl.DataFrame(sp.solve(frame["puzzle"])).height == expected.num_rows


def test_polars_expressions(plain):
    pl = pytest.importorskip("polars")
    import sudoku_pipeline.polars  # noqa: F401

    frame = pl.DataFrame(plain)
    rows = pl.DataFrame(sp.grade(frame.select("puzzle"), rejects="rows", with_="canonical"))
    eager = frame.select(pl.col("puzzle").sudoku.grade(with_="canonical").alias("g")).unnest("g")
    assert eager.equals(rows)
    lazy = frame.lazy().with_columns(pl.col("puzzle").sudoku.solve().alias("s"))
    status = lazy.select(pl.col("s").struct.field("status")).collect()
    assert status["status"].to_list() == rows["status"].to_list()
    canonical = frame.select(pl.col("puzzle").sudoku.canonical())
    assert canonical.to_series().to_list() == rows["canonical"].to_list()
    assert frame.select(pl.col("puzzle").sudoku.convert()).to_series().to_list() == rows["puzzle"].to_list()
    with pytest.raises(sp.UsageError, match="'99' for max_rank="):
        pl.col("puzzle").sudoku.grade(max_rank=99)


def test_pandas(plain, expected):
    pd = pytest.importorskip("pandas")
    graded = pa.table(sp.grade(plain.to_pandas()))
    assert same(as_ours(graded, expected), expected)
    if hasattr(pd.DataFrame, "from_arrow"):
        assert len(pd.DataFrame.from_arrow(sp.grade(plain))) == expected.num_rows


def test_duckdb(plain, expected):
    duckdb = pytest.importorskip("duckdb")
    # A result that is still being read blocks its connection, so the rows are written through another one.
    puzzles, connection = duckdb.connect(), duckdb.connect()
    stream = sp.grade(puzzles.sql("from plain order by id"))
    graded = connection.sql("from stream").to_arrow_table()
    assert same(as_ours(graded, expected), expected)
    stream = sp.grade(puzzles.sql("from plain order by id"))
    levels = connection.sql("select level, count(*) from stream where status = 'unique' group by all").fetchall()
    table = expected.to_pylist()
    for level, count in levels:
        assert count == len([row for row in table if row["level"] == level and row["status"] == "unique"])


def test_ray(plain, expected):
    ray = pytest.importorskip("ray")
    import ray.data

    ray.init(num_cpus=2, include_dashboard=False, ignore_reinit_error=True, log_to_driver=False)
    try:
        ray.data.DataContext.get_current().execution_options.preserve_order = True
        rows = ray.data.from_arrow(plain).repartition(4)
        graded = rows.map_batches(
            lambda batch: pa.table(sp.grade(batch, threads=1)), batch_format="pyarrow", batch_size=512
        )
        tables = ray.get(graded.to_arrow_refs())
        table = pa.concat_tables([pa.table(part) for part in tables if part.num_rows]).sort_by("id")
        assert same(as_ours(table, expected), expected)
    finally:
        ray.shutdown()
