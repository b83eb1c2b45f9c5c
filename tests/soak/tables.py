"""Reads the tables of a run back, with pyarrow and by hand, and compares values."""

import datetime
import decimal
import glob
import gzip
import json
import math
import os
import urllib.parse

import pyarrow
import pyarrow.ipc
import pyarrow.parquet


def csv_rows(text, delimiter):
    """The fields of a CSV text. A field without quotes and text is None."""
    rows, row, at = [], [], 0
    while at < len(text):
        if text[at] == '"':
            parts, at = [], at + 1
            while True:
                end = text.index('"', at)
                parts.append(text[at:end])
                at = end + 1
                if text[at : at + 1] != '"':
                    break
                parts.append('"')
                at += 1
            row.append("".join(parts))
        else:
            end = at
            while end < len(text) and text[end] not in (delimiter, "\n"):
                end += 1
            row.append(text[at:end].removesuffix("\r") or None)
            at = end
        if text[at : at + 1] == "\r":
            at += 1
        if at >= len(text) or text[at] == "\n":
            rows.append(row)
            row = []
        elif at == len(text) - 1:
            row.append(None)
            rows.append(row)
        at += 1
    return rows


def read_bytes(path):
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".gz"):
        return gzip.decompress(data)
    if path.endswith(".zst"):
        with pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd") as stream:
            return stream.read()
    return data


def rows_of(path):
    """The rows of a table as dictionaries. If it only has grids, the lines of the text."""
    name = path.removesuffix(".gz").removesuffix(".zst")
    ending = name.rsplit(".", 1)[-1]
    if ending == "parquet":
        return pyarrow.parquet.ParquetFile(path).read().to_pylist()
    if ending == "arrow":
        with pyarrow.OSFile(path) as file:
            return pyarrow.ipc.open_file(file).read_all().to_pylist()
    if ending == "arrows":
        with pyarrow.OSFile(path) as file:
            return pyarrow.ipc.open_stream(file).read_all().to_pylist()
    text = read_bytes(path).decode()
    if ending == "ndjson":
        return [json.loads(line) for line in text.splitlines()]
    if ending in ("csv", "tsv"):
        rows = csv_rows(text, "\t" if ending == "tsv" else ",")
        header = rows[0]
        assert all(len(row) == len(header) for row in rows), "a row has another number of fields"
        return [dict(zip(header, row)) for row in rows[1:]]
    return [{"puzzle": line.split(",")[0]} for line in text.splitlines()]


def parts(folder):
    """The rows of all parts in a folder, ordered by name, including partition columns."""
    rows = []
    for path in sorted(glob.glob(f"{folder}/**/part-*", recursive=True)):
        if os.path.relpath(path, folder).startswith("_"):
            continue
        named = {}
        for name in os.path.relpath(path, folder).split("/")[:-1]:
            column, value = name.split("=", 1)
            value = urllib.parse.unquote(value)
            named[urllib.parse.unquote(column)] = None if value == "__HIVE_DEFAULT_PARTITION__" else value
        rows += [row | named for row in rows_of(path)]
    return rows


def is_same(kind, expected, got):
    """Whether a value in a table, typed or as text, equals the expected one."""
    if expected is None or got is None:
        return expected is None and got is None
    if kind in ("id", "int", "number"):
        return int(got) == expected
    if kind == "float":
        number = float(got)
        return number == expected or (math.isnan(number) and math.isnan(expected))
    if kind == "flag":
        return got is expected or got == ("true" if expected else "false")
    if kind == "day":
        got = got if isinstance(got, datetime.date) else datetime.date.fromisoformat(got)
        return got == expected
    if kind == "moment":
        got = got if isinstance(got, datetime.datetime) else datetime.datetime.fromisoformat(got)
        return got == expected
    if kind == "amount":
        return decimal.Decimal(str(got)) == expected
    return got == expected
