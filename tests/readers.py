"""Reads a table of ours back with pyarrow, DuckDB and polars: types, values and metadata.

Usage: readers.py PIPELINE
"""

import pathlib
import subprocess
import sys
import tempfile

import duckdb
import polars
import pyarrow.parquet

pipeline = str(pathlib.Path(sys.argv[1]).resolve())
data = pathlib.Path(__file__).resolve().parent.parent / "data"

with tempfile.TemporaryDirectory() as folder:
    graded = f"{folder}/graded.parquet"
    subprocess.run([pipeline, "grade", data / "sample.csv.gz", "-o", graded], check=True)

    file = pyarrow.parquet.ParquetFile(graded)
    types = {field.name: str(field.type) for field in file.schema_arrow}
    assert types["puzzle"] == types["technique"] == types["status"] == "string", types
    assert types["row"] == "uint64" and types["rank"] == "uint8", types
    assert types["effort"] == "uint32" and types["waves"] == "uint16", types
    assert file.schema_arrow.metadata[b"pipeline.command"] == b"grade"
    metadata = file.metadata.metadata
    assert metadata[b"pipeline.ladder_version"] == b"2", metadata
    assert metadata[b"pipeline.techniques"].startswith(b"full_house,"), metadata
    table = file.read()
    assert table.num_rows == 2000

    query = f"""select count(*), count(rank), min(clues),
                       count(*) filter (solution_given = 'correct'), max(row)
                from '{graded}'"""
    expected = (2000, 2000, min(table["clues"].to_pylist()), 2000, 1999)
    database = duckdb.connect()
    counted = database.execute(query).fetchone()
    assert counted == expected, counted
    query = f"select name, type from parquet_schema('{graded}')"
    types = dict(database.execute(query).fetchall())
    assert types["puzzle"] == "BYTE_ARRAY" and types["row"] == "INT64", types

    frame = polars.read_parquet(graded)
    assert frame.schema["rank"] == polars.UInt8 and frame.schema["level"] == polars.String
    assert frame["rank"].to_list() == table["rank"].to_pylist()
    waves = [name for name in frame.columns if name.startswith("waves_")]
    summed = frame.select(polars.sum_horizontal(waves)).to_series().to_list()
    assert summed == frame["waves"].to_list()

print("pyarrow, DuckDB and polars read the table: 3 passed, 0 failed")
