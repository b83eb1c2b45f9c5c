"""Reads tables of ours back with pyarrow, DuckDB and polars: types, values and metadata.

Usage: readers.py PIPELINE
"""

import glob
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

import duckdb
import polars
import pyarrow.csv
import pyarrow.dataset
import pyarrow.feather
import pyarrow.ipc
import pyarrow.json
import pyarrow.parquet

pipeline = str(pathlib.Path(sys.argv[1]).resolve())
data = pathlib.Path(__file__).resolve().parent.parent / "data"

with tempfile.TemporaryDirectory() as folder:
    graded = f"{folder}/graded.parquet"
    grade = [pipeline, "grade", data / "sample.csv.gz", "--with", "waves", "-o"]
    subprocess.run([*grade, graded], check=True)

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

    # The other formats have the same rows.
    others = {}
    for ending in ["arrow", "arrows", "ndjson", "ndjson.gz", "tsv", "csv.zst"]:
        others[ending] = f"{folder}/graded.{ending}"
        subprocess.run([*grade, others[ending]], check=True)

    for name, read in {
        "arrow": pyarrow.feather.read_table(others["arrow"], memory_map=False),
        "arrows": pyarrow.ipc.open_stream(others["arrows"]).read_all(),
    }.items():
        assert read.schema.equals(file.schema_arrow, check_metadata=False), name
        assert read.equals(table), name
        assert read.schema.metadata[b"pipeline.command"] == b"grade", name
    assert polars.read_ipc(others["arrow"]).equals(frame)
    assert polars.read_ipc_stream(others["arrows"]).equals(frame)

    rows = table.to_pylist()
    with open(others["ndjson"], encoding="utf-8") as lines:
        assert [json.loads(line) for line in lines] == rows
    with gzip.open(others["ndjson.gz"], "rt", encoding="utf-8") as lines:
        assert [json.loads(line) for line in lines] == rows
    assert pyarrow.json.read_json(others["ndjson"]).to_pylist() == rows
    query = f"select puzzle, rank from read_ndjson('{others['ndjson']}')"
    expected = list(zip(table["puzzle"].to_pylist(), table["rank"].to_pylist()))
    assert database.execute(query).fetchall() == expected
    assert polars.read_ndjson(others["ndjson"])["rank"].to_list() == frame["rank"].to_list()

    types = {name: table.schema.field(name).type for name in table.column_names}
    tabs = pyarrow.csv.ParseOptions(delimiter="\t")
    nulls = pyarrow.csv.ConvertOptions(column_types=types, strings_can_be_null=True)
    read = pyarrow.csv.read_csv(others["tsv"], parse_options=tabs, convert_options=nulls)
    assert read.to_pylist() == rows
    read = pyarrow.csv.read_csv(others["csv.zst"], convert_options=nulls)
    assert read.to_pylist() == rows
    query = f"select count(*), sum(rank) from read_csv('{others['tsv']}', delim = '\t')"
    assert database.execute(query).fetchone() == (2000, sum(table["rank"].to_pylist()))

    # Reads the tables of other libraries, in which several types hold the grids.
    def graded_again(name):
        arguments = [pipeline, "grade", f"{folder}/{name}", "-o", f"{folder}/again.parquet"]
        subprocess.run([*arguments, "--overwrite"], check=True)
        again = pyarrow.parquet.read_table(f"{folder}/again.parquet")
        for column in ["puzzle", "solution", "rank", "effort", "solution_given"]:
            assert again[column].equals(table[column]), (name, column)

    cells = [[0 if cell == "." else int(cell) for cell in text] for text in table["puzzle"].to_pylist()]
    nested = [[row[start : start + 9] for start in range(0, 81, 9)] for row in cells]
    columns = {
        "string": table["puzzle"].combine_chunks(),
        "string_view": table["puzzle"].cast(pyarrow.string_view()).combine_chunks(),
        "dictionary": table["puzzle"].dictionary_encode().combine_chunks(),
        "flat": pyarrow.array(cells, pyarrow.list_(pyarrow.uint8(), 81)),
        "nested": pyarrow.array(nested),
    }
    for kind, puzzles in columns.items():
        given = pyarrow.table({"grid": puzzles, "answer": table["solution"]})
        pyarrow.parquet.write_table(given, f"{folder}/{kind}.parquet", compression="zstd")
        graded_again(f"{kind}.parquet")
        for codec in ["lz4", "zstd", "uncompressed"]:
            pyarrow.feather.write_feather(given, f"{folder}/{kind}.arrow", compression=codec)
            graded_again(f"{kind}.arrow")
        with pyarrow.ipc.new_stream(f"{folder}/{kind}.arrows", given.schema) as stream:
            stream.write_table(given, max_chunksize=300)
        graded_again(f"{kind}.arrows")
    given = frame.select("puzzle", "solution")
    given.write_ipc(f"{folder}/polars.arrow", compression="zstd")
    given.write_parquet(f"{folder}/polars.parquet")
    graded_again("polars.arrow")
    graded_again("polars.parquet")
    database.execute(f"copy (select puzzle, solution from '{graded}') to '{folder}/duckdb.parquet'")
    graded_again("duckdb.parquet")

    # A folder whose inputs gain a column, by the calls that docs/operations.md lists.
    puzzle = table["puzzle"][0].as_py()
    for night, columns, row in [("a", "puzzle,id", "1"), ("b", "puzzle,id,note", "2,x")]:
        pathlib.Path(f"{folder}/in").mkdir(exist_ok=True)
        pathlib.Path(f"{folder}/in/{night}.csv").write_text(f"{columns}\n{puzzle},{row}\nbad,{row}\n", encoding="utf-8")
        for more in [[], ["--partition-by", "level"]]:
            out = f"{folder}/parts{len(more)}/"
            subprocess.run([pipeline, "-q", "grade", f"{folder}/in", "-o", out, "--resume", *more], check=True)
    for out in [f"{folder}/parts0/", f"{folder}/parts2/"]:
        pattern = f"{out}**/*.parquet"
        expected = [("1", None), ("2", "x")]
        query = f"select id, note from read_parquet('{pattern}', union_by_name = true) order by id"
        assert database.execute(query).fetchall() == expected
        parts = [polars.scan_parquet(path, hive_partitioning=True) for path in sorted(glob.glob(pattern, recursive=True))]
        frame = polars.concat(parts, how="diagonal_relaxed").sort("id").collect()
        assert frame.select("id", "note").rows() == expected, frame
        frame = polars.scan_parquet(
            pattern, hive_partitioning=True, missing_columns="insert", extra_columns="ignore"
        ).collect()
        assert len(frame) == 2 and frame["level"].null_count() == 0, frame
        parts = pyarrow.dataset.dataset(out, partitioning="hive")
        schemas = [parts.schema] + [part.physical_schema for part in parts.get_fragments()]
        parts = parts.replace_schema(pyarrow.unify_schemas(schemas, promote_options="permissive"))
        read = parts.to_table().sort_by("id")
        assert list(zip(read["id"].to_pylist(), read["note"].to_pylist())) == expected, read
        assert read["level"].null_count == 0

print("pyarrow, DuckDB and polars read our tables, and we read theirs: 3 passed, 0 failed")
