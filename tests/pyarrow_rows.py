"""Reads files with pyarrow, for tests/it/fuzz/beside_pyarrow.rs.

A line of JSON on standard input names a file and its format; the answer is a line of JSON with the
number of its rows and a sum over its puzzles, or with what pyarrow refuses it for.
"""

import json
import sys
import zlib

import pyarrow
import pyarrow.csv
import pyarrow.ipc
import pyarrow.json
import pyarrow.parquet


def table_of(path, format, columns, delimiter):
    if format == "parquet":
        file = pyarrow.parquet.ParquetFile(path)
        table = file.read()
        # A damaged footer can point pyarrow to other columns. It does not check the number of their rows.
        if table.num_rows != file.metadata.num_rows:
            raise ValueError(f"{table.num_rows} rows, and {file.metadata.num_rows} by the footer")
        return table
    if format == "arrow":
        with open(path, "rb") as file:
            is_file = file.read(6) == b"ARROW1"
        with pyarrow.OSFile(path) as file:
            reader = pyarrow.ipc.open_file(file) if is_file else pyarrow.ipc.open_stream(file)
            return reader.read_all()
    if format == "csv":
        return pyarrow.csv.read_csv(
            path,
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter or ",", newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types={name: pyarrow.string() for name in columns}, strings_can_be_null=False
            ),
        )
    if format == "ndjson":
        return pyarrow.json.read_json(path)
    raise ValueError(f"pyarrow has no reader for {format or 'this'}")


def sum_of(column):
    """A sum over the texts, with a line end after each; None if a value is not a text."""
    kind = column.type
    if pyarrow.types.is_dictionary(kind):
        kind = kind.value_type
    texts = [pyarrow.types.is_string, pyarrow.types.is_large_string, pyarrow.types.is_string_view]
    if column.null_count or not any(is_text(kind) for is_text in texts):
        return None
    sum = 0
    for text in column.to_pylist():
        if text is None:
            return None
        sum = zlib.crc32(text.encode() + b"\n", sum)
    return sum


def answer(question):
    table = table_of(
        question["path"], question["format"], question["columns"], question["delimiter"]
    )
    table.validate(full=True)
    puzzles = None
    if question["puzzle"] in table.column_names:
        puzzles = sum_of(table.column(table.column_names.index(question["puzzle"])))
    return {"rows": table.num_rows, "puzzles": puzzles}


for line in sys.stdin:
    try:
        said = answer(json.loads(line))
    except Exception as error:
        said = {"refused": f"{type(error).__name__}: {error}"[:300]}
    print(json.dumps(said), flush=True)
