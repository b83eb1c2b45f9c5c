"""Writes records as files of every kind, with pyarrow, DuckDB and by hand."""

import gzip
import io
import json

import duckdb
import pyarrow
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet

TYPES = {
    "id": pyarrow.int64(),
    "int": pyarrow.int32(),
    "float": pyarrow.float64(),
    "text": pyarrow.string(),
    "set": pyarrow.string(),
    "flag": pyarrow.bool_(),
    "day": pyarrow.date32(),
    "moment": pyarrow.timestamp("us"),
    "amount": pyarrow.decimal128(9, 2),
    "list": pyarrow.list_(pyarrow.int32()),
}

TEXTS = ["csv", "tsv", "ndjson", "lines", "boards", "xml"]
TYPED = ["parquet", "arrow", "arrows", "duckdb"]


def as_text(kind, value):
    """A value as text files store it."""
    if value is None:
        return None
    if kind == "flag":
        return "true" if value else "false"
    if kind == "moment":
        return value.isoformat(sep="T")
    return str(value)


def quoted(text, delimiter, rng):
    if text is None:
        return ""
    must = text == "" or any(sign in text for sign in (delimiter, '"', "\n", "\r"))
    if must or rng.random() < 0.1:
        return '"' + text.replace('"', '""') + '"'
    return text


def delimited(rng, records, columns, delimiter):
    names = [name for name, _ in columns]
    has_solution = any("solution" in record for record in records)
    header = ["puzzle"] + (["solution"] if has_solution else []) + names
    end = rng.choice(["\n", "\r\n"])
    lines = [delimiter.join(quoted(name, delimiter, rng) for name in header)]
    for record in records:
        fields = [record["text"]] + ([record.get("solution")] if has_solution else [])
        fields += [as_text(kind, record["values"][name]) for name, kind in columns]
        lines.append(delimiter.join(quoted(field, delimiter, rng) for field in fields))
    return end.join(lines) + (end if rng.random() < 0.8 else "")


def json_lines(rng, records, columns):
    lines = []
    ascii = rng.random() < 0.5
    for record in records:
        row = {"puzzle": record["text"]}
        if "solution" in record:
            row["solution"] = record["solution"]
        for name, kind in columns:
            value = record["values"][name]
            if kind in ("day", "moment", "amount"):
                value = as_text(kind, value)
            row[name] = value
        lines.append(json.dumps(row, ensure_ascii=ascii))
    return "\n".join(lines) + "\n"


def board(text):
    return "\n".join(text[row : row + 9] for row in range(0, 81, 9))


def arrow_table(records, columns, rng):
    data = {"puzzle": pyarrow.array([record["text"] for record in records], rng.choice(
        [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()]))}
    if any("solution" in record for record in records):
        data["solution"] = pyarrow.array([record.get("solution") for record in records], pyarrow.string())
    for name, kind in columns:
        values = [record["values"][name] for record in records]
        array = pyarrow.array(values, TYPES[kind])
        if kind == "set" and rng.random() < 0.4:
            array = array.dictionary_encode()
        data[name] = array
    return pyarrow.table(data)


def compress(rng, data, how):
    if how == "gz":
        parts = rng.choice([1, 1, 3])
        size = len(data) // parts + 1
        return b"".join(gzip.compress(data[at : at + size], rng.choice([1, 6])) for at in range(0, max(len(data), 1), size))
    if how == "zst":
        return pyarrow.compress(data, codec="zstd", asbytes=True)
    return data


def write(rng, path, kind, records, columns):
    """Writes a file, and returns its path including its extension."""
    if kind in TYPED:
        table = arrow_table(records, columns, rng)
        if kind == "parquet":
            path += ".parquet"
            pyarrow.parquet.write_table(
                table.cast(pyarrow.schema([
                    pyarrow.field(field.name, pyarrow.string() if field.type == pyarrow.string_view() else field.type)
                    for field in table.schema
                ])),
                path,
                compression=rng.choice(["none", "snappy", "zstd", "gzip", "lz4", "brotli"]),
                row_group_size=rng.choice([1, 100, 1000, 100_000]) if len(records) < 5000 else 10_000,
                use_dictionary=rng.random() < 0.5,
                data_page_version=rng.choice(["1.0", "2.0"]),
                write_page_checksum=rng.random() < 0.3,
                data_page_size=rng.choice([1000, 1 << 20]),
            )
        elif kind == "duckdb":
            path += ".parquet"
            database = duckdb.connect()
            plain = pyarrow.schema([
                pyarrow.field(field.name, pyarrow.string() if field.type in (pyarrow.string_view(), pyarrow.large_string()) else field.type)
                for field in table.schema
            ])
            database.register("records", table.cast(plain))
            database.execute(f"copy records to '{path}' (format parquet, codec '{rng.choice(['zstd', 'snappy'])}')")
        elif kind == "arrow":
            path += ".arrow"
            options = pyarrow.ipc.IpcWriteOptions(compression=rng.choice([None, "lz4", "zstd"]))
            with pyarrow.ipc.new_file(path, table.schema, options=options) as writer:
                writer.write_table(table, max_chunksize=rng.choice([50, 1000, 100_000]))
        else:
            path += ".arrows"
            options = pyarrow.ipc.IpcWriteOptions(compression=rng.choice([None, "lz4", "zstd"]))
            with pyarrow.ipc.new_stream(path, table.schema, options=options) as writer:
                writer.write_table(table, max_chunksize=rng.choice([50, 1000, 100_000]))
        return path
    if kind == "csv":
        text, ending = delimited(rng, records, columns, rng.choice([",", ";", "|"])), "csv"
    elif kind == "tsv":
        text, ending = delimited(rng, records, columns, "\t"), "tsv"
    elif kind == "ndjson":
        text, ending = json_lines(rng, records, columns), "ndjson"
    elif kind == "lines":
        text, ending = "".join(record["text"] + "\n" for record in records), "txt"
        if rng.random() < 0.5:
            text = "# a comment\n\n" + text
    elif kind == "boards":
        title = rng.choice(["Grid {}\n", "\n"])
        boards = (title.format(at) + board(record["text"]) + "\n" for at, record in enumerate(records))
        text, ending = "".join(boards), "sdk"
    else:
        games = "".join(f'<game data="{record["text"]}"/>\n' for record in records)
        text, ending = f'<?xml version="1.0"?>\n<opensudoku>\n{games}</opensudoku>\n', "xml"
    how = rng.choice(["", "", "gz", "zst"])
    path += f".{ending}" + (f".{how}" if how else "")
    with open(path, "wb") as file:
        file.write(compress(rng, text.encode(), how))
    return path
