"""The same rows through the command line and every engine, compared row by row.

    python python/benches/engines.py [ROWS]

Engines that are not installed are left out, and named.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import sudoku_pipeline as sp


def with_pyarrow(path):
    return pa.table(sp.grade(pq.ParquetFile(path).read()))


def with_polars(path):
    import polars as pl

    return pl.DataFrame(sp.grade(pl.read_parquet(path))).to_arrow()


def with_polars_expressions(path):
    import polars as pl

    import sudoku_pipeline.polars  # noqa: F401

    graded = pl.scan_parquet(path).with_columns(pl.col("puzzle").sudoku.grade().alias("grade"))
    graded = graded.drop("puzzle").unnest("grade").filter(pl.col("status") != "rejected").collect()
    return graded.to_arrow()


def with_duckdb(path):
    import duckdb

    stream = sp.grade(duckdb.connect().sql(f"from '{path}' order by id"))  # noqa: F841
    return duckdb.sql("from stream").to_arrow_table()


def with_pandas(path):
    import pandas as pd

    return pa.table(sp.grade(pd.read_parquet(path)))


def with_ray(path):
    import ray
    import ray.data

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        graded = ray.data.read_parquet(path).map_batches(
            lambda batch: pa.table(sp.grade(batch, threads=1)), batch_format="pyarrow", batch_size=4096
        )
        return pa.concat_tables([pa.table(part) for part in ray.get(graded.to_arrow_refs()) if part.num_rows])
    finally:
        ray.shutdown()


def with_spark(path):
    from pyspark.sql import SparkSession

    import sudoku_pipeline.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
    spark = spark.config("spark.driver.host", "127.0.0.1").getOrCreate()
    try:
        target = path.replace("in.parquet", "spark")
        frame = sudoku_pipeline.spark.grade(spark.read.parquet(path).repartition(8), rejects="table")
        frame.write.parquet(target)
        return pq.read_table(target)
    finally:
        spark.stop()


ENGINES = {
    "pyarrow": with_pyarrow,
    "polars": with_polars,
    "polars expressions": with_polars_expressions,
    "DuckDB": with_duckdb,
    "pandas": with_pandas,
    "Ray": with_ray,
    "Spark": with_spark,
}


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    command = str(Path(sys.executable).parent / "pipeline")
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/in.parquet", f"{folder}/out.parquet"
        puzzles = pa.table(sp.generate(rows, seed=4)).column("puzzle").to_pylist()
        for at in range(0, rows, 97):
            puzzles[at] = "." * 40 + puzzles[at][40:] if at % 2 else "no puzzle"
        pq.write_table(pa.table({"id": range(rows), "puzzle": puzzles}), source, row_group_size=20_000)
        subprocess.run([command, "grade", source, "-o", target], check=True, capture_output=True)
        expected = pq.read_table(target).drop_columns(["source", "row"])
        print(f"the command line: {expected.num_rows} rows, {expected.num_columns} columns")
        for name, engine in ENGINES.items():
            start = time.monotonic()
            try:
                found = engine(source)
            except ImportError as error:
                print(f"{name}: not installed ({error})")
                continue
            seconds = time.monotonic() - start
            found = pa.table({column: found.column(column) for column in expected.column_names})
            found = found.cast(expected.schema).sort_by("id").combine_chunks()
            assert found.equals(expected.sort_by("id").combine_chunks()), f"{name}: other rows"
            print(f"{name}: {found.num_rows} rows equal, {seconds:.1f} s")


if __name__ == "__main__":
    main()
