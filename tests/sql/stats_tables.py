"""Compares `pipeline stats` with DuckDB over random tables: of others and of ours, of many types, with
nulls, empty, of one row, in several files, folders and formats.

Usage: stats_tables.py BINARY [TABLES [SEED]]

Each table is also counted with other numbers of threads and with little memory, and from its parts: the
figures have to be the same. Needs DuckDB's Python package and pyarrow.
"""

import datetime
import decimal
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import duckdb
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

binary = str(pathlib.Path(sys.argv[1]).resolve())
tables = int(sys.argv[2]) if len(sys.argv) > 2 else 60
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
chance = random.Random(seed)
checked = 0

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

INTEGERS = {
    pa.int8(): (-(2**7), 2**7 - 1),
    pa.int16(): (-(2**15), 2**15 - 1),
    pa.int32(): (-(2**31), 2**31 - 1),
    pa.int64(): (-(2**63), 2**63 - 1),
    pa.uint8(): (0, 2**8 - 1),
    pa.uint16(): (0, 2**16 - 1),
    pa.uint32(): (0, 2**32 - 1),
    pa.uint64(): (0, 2**64 - 1),
}


def run(*arguments, code=0):
    done = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != code:
        sys.exit(f"seed {seed}: {arguments}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def stats(*arguments):
    return in_order(json.loads(run("stats", *arguments, "--format", "json")))


def in_order(figures):
    """Sorts groups by name. Their order follows the columns, which differs between tables."""
    if "by" in figures:
        figures["by"].sort(key=lambda groups: groups["column"])
    return figures


def integer(least, most):
    few = lambda: chance.randint(max(least, -3), min(most, 9))  # noqa: E731
    any_of = lambda: chance.choice([least, most, 0, chance.randint(least, most)])  # noqa: E731
    return few if chance.random() < 0.5 else any_of


def text():
    words = ["", "a", "é", "Zürich", "x" * 300, "00123", "true", "NaN", "<b>", "a|b", "line\nend", "☃"]
    return lambda: chance.choice(words) + (str(chance.randrange(1000)) if chance.random() < wide else "")


def column(rows):
    """A random column: its type and its values."""
    global wide
    wide = chance.choice([0, 0, 0.5, 1])
    kind = chance.choice(["integer"] * 5 + ["float", "float", "text", "text", "boolean", "date", "timestamp", "decimal", "list", "binary", "null", "dictionary", "time"])
    if kind == "integer":
        data_type = chance.choice(list(INTEGERS))
        value = integer(*INTEGERS[data_type])
    elif kind == "float":
        data_type = chance.choice([pa.float32(), pa.float64()])
        specials = [0.0, -0.0, 1.5, -2.25] + ([math.inf, -math.inf, math.nan] if chance.random() < 0.3 else [])
        value = lambda: chance.choice(specials) if chance.random() < 0.5 else chance.randint(-4000, 4000) / 8  # noqa: E731
    elif kind in ["text", "dictionary"]:
        data_type = pa.string() if kind == "text" else pa.dictionary(pa.int32(), pa.string())
        value = text()
    elif kind == "boolean":
        data_type, value = pa.bool_(), lambda: chance.random() < 0.3
    elif kind == "date":
        data_type, value = pa.date32(), lambda: datetime.date(2000, 1, 1) + datetime.timedelta(chance.randrange(-40000, 40000))
    elif kind == "timestamp":
        data_type = pa.timestamp(chance.choice(["us", "ms"]))
        value = lambda: datetime.datetime(2000, 1, 1) + datetime.timedelta(chance.randrange(9000), chance.randrange(86400))  # noqa: E731
    elif kind == "time":
        data_type, value = pa.time64("us"), lambda: datetime.time(chance.randrange(24), chance.randrange(60))
    elif kind == "decimal":
        data_type = pa.decimal128(chance.choice([9, 18, 38]), 3)
        value = lambda: decimal.Decimal(chance.randint(-99999, 99999)).scaleb(-3)  # noqa: E731
    elif kind == "list":
        data_type, value = pa.list_(pa.int64()), lambda: [1, 2]
    elif kind == "binary":
        data_type, value = pa.binary(), lambda: b"\xff\x00"
    else:
        data_type, value = pa.null(), lambda: None
    nulls = chance.choice([0, 0, 0.1, 0.9, 1])
    values = [None if chance.random() < nulls else value() for _ in range(rows)]
    return pa.array(values, data_type)


def same(what, ours, theirs):
    global checked
    checked += 1
    numbers = [value for value in (ours, theirs) if isinstance(value, float)]
    if numbers and ours is not None and theirs is not None and not isinstance(ours, str):
        equal = math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    else:
        equal = ours == theirs
    if not equal:
        sys.exit(f"seed {seed}: {what}: pipeline {ours!r}, DuckDB {theirs!r}")


def plain(value):
    """A value of DuckDB, in the form that pipeline writes."""
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return value + 0.0
    if isinstance(value, datetime.datetime):
        text = value.isoformat()
        return text
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return value


def is_number(data_type):
    return pa.types.is_integer(data_type) or pa.types.is_floating(data_type) or pa.types.is_decimal(data_type)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def check_column(connection, table, ours, data_type, what):
    name = quoted(ours["name"])
    what = f"{what}: {ours['name']} {data_type}"
    one = lambda sql: connection.execute(sql).fetchone()  # noqa: E731
    same(f"{what}: nulls", ours["nulls"], one(f"SELECT count(*) - count({name}) FROM {table}")[0])
    if pa.types.is_list(data_type) or pa.types.is_binary(data_type):
        same(f"{what}: distinct", ours["distinct"], None)
        return
    if pa.types.is_null(data_type):
        same(f"{what}: distinct", ours["distinct"], 0)
        return
    distinct, least, most = one(f"SELECT count(DISTINCT {name}), min({name}), max({name}) FROM {table}")
    same(f"{what}: distinct", ours["distinct"], distinct)
    same(f"{what}: min", ours["min"], plain(least))
    same(f"{what}: max", ours["max"], plain(most))
    values = connection.execute(
        f"SELECT {name}, count(*) FROM {table} WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY 1"
    ).fetchall()
    if ours["values"] is not None:
        listed = [(plain(value), count) for value, count in values]
        if pa.types.is_floating(data_type):
            ours_listed = [(value if isinstance(value, str) else float(value), count) for value, count in ours["values"]]
            same(f"{what}: values", ours_listed, listed)
        else:
            same(f"{what}: values", [tuple(pair) for pair in ours["values"]], listed)
    else:
        same(f"{what}: more than 100 values", len(values) > 100, True)
    if is_number(data_type):
        quartiles = one(f"SELECT {', '.join(f'quantile_disc({name}, {q})' for q in [0.25, 0.5, 0.75])} FROM {table}")
        for key, value in zip(["q25", "median", "q75"], quartiles):
            same(f"{what}: {key}", ours[key], plain(value))
        if pa.types.is_integer(data_type):
            # DuckDB sums integers as doubles, which loses digits of 64-bit integers.
            total, count = one(f"SELECT sum({name}::HUGEINT), count({name}) FROM {table}")
            mean = int(total) / count if count else None
        else:
            # If there are infinities or NaNs, there is no mean.
            (mean,) = one(f"SELECT avg({name}::DOUBLE) FROM {table}")
        mean = None if mean is None or not math.isfinite(mean) else mean
        same(f"{what}: mean", ours["mean"], mean)


def random_table(names):
    rows = chance.choice([0, 1, 2, 17, 300, 3000, 9000])
    return pa.table({name: column(rows) for name in names})


def check_table(folder, number):
    names = chance.sample(
        ["id", "a b", "clues", "rank", "nodes", "effort", "level", "waves", "status", "Größe", 'quo"te', "x<y", "row", "note"],
        chance.randint(1, 7),
    )
    table = random_table(names)
    files = chance.choice([1, 1, 2, 3])
    ending = chance.choice(["parquet", "arrow"])
    paths = []
    for part in range(files):
        start, end = len(table) * part // files, len(table) * (part + 1) // files
        path = folder / f"t{number}" / f"part-{part}.{ending}"
        path.parent.mkdir(exist_ok=True)
        rows = table.slice(start, end - start)
        if ending == "parquet":
            pq.write_table(rows, path, row_group_size=chance.choice([100, 100000]))
        else:
            pa.feather.write_feather(rows, path, compression=chance.choice(["lz4", "zstd", "uncompressed"]))
        paths.append(path)
    what = f"table {number}"
    ours = stats(*paths)
    same(f"{what}: rows", ours["rows"], len(table))
    same(f"{what}: columns", [column["name"] for column in ours["columns"]], names)
    connection = duckdb.connect()
    plain_types = pa.table({name: table[name].cast(pa.string()) if pa.types.is_dictionary(table[name].type) else table[name] for name in names})
    connection.register("t", plain_types)
    for column_of in ours["columns"]:
        check_column(connection, "t", column_of, plain_types.schema.field(column_of["name"]).type, what)
    # The output has the same bytes with other threads and little memory, and the same figures for a folder.
    few = stats(*paths, "--threads", 1, "--memory-limit", "100MiB")
    same(f"{what}: threads", few, ours)
    whole = stats(paths[0].parent)
    same(f"{what}: folder", whole["columns"], ours["columns"])


def check_conversions(folder):
    """A table of this program has the same figures in every format, in parts, and in the report of its run."""
    run("generate", 400, "--seed", seed, "-o", folder / "g.csv")
    lines = (folder / "g.csv").read_text().splitlines()
    text = "puzzle,solution,difficulty,se\n" + "".join(
        f"{line},{chance.choice(['easy', 'hard', ''])},{chance.choice(['1.5', '2.0', '7.25'])}\n" for line in lines[1:]
    )
    text += text.splitlines()[1] + "\n" + "short,,,\n" + "11" + "." * 79 + ",,,\n" + f"{PUZZLE},,,,,,\n"
    (folder / "set.csv").write_text(text)
    run("grade", folder / "set.csv", "-o", folder / "g.parquet", "--report", folder / "run.json", "--infer-types=all", "--with", "waves")
    of_run = in_order(json.loads((folder / "run.json").read_text()))
    of_table = stats(folder / "g.parquet")
    counted = ["rows", "status", "solution_given", "level", "technique", "uses", "clues", "effort", "waves", "nodes",
               "technique_by_clues", "cells", "rejects", "examples", "by"]
    for key in counted:
        same(f"run and table: {key}", of_table[key], of_run[key])
    of_input = stats(folder / "set.csv")
    for key in ["rows", "rejects", "clues", "cells"]:
        same(f"run and input: {key}", of_input[key], of_run[key])
    for name in ["g.csv.gz", "g.ndjson", "g.tsv.zst", "g.arrow", "g.arrows"]:
        run("convert", folder / "g.parquet", "-o", folder / name)
        of_copy = stats(folder / name, folder / "g.rejects.parquet")
        for key in counted + ["duplicates"]:
            same(f"{name}: {key}", of_copy[key], of_table[key])
    run("grade", folder / "set.csv", "-o", f"{folder}/levels/", "--partition-by", "level,technique", "--infer-types=all", "--with", "waves")
    of_folder = stats(folder / "levels")
    for key in [key for key in counted if key not in ["examples"]]:
        same(f"hive: {key}", of_folder[key], of_table[key])
    # One input has only rejects, and another has no records.
    (folder / "bad.csv").write_text("puzzle,n\nshort,1\nx,2\n")
    bad = stats(folder / "bad.csv")
    same("all rejected", (bad["rows"], sum(of["rows"] for of in bad["rejects"].values())), (0, 2))
    (folder / "none.csv").write_text("puzzle,n\n")
    same("none", stats(folder / "none.csv")["rows"], 0)


with tempfile.TemporaryDirectory() as name:
    os.environ["TZ"] = "UTC"
    folder = pathlib.Path(name)
    check_conversions(folder)
    for number in range(tables):
        check_table(folder, number)
print(f"seed {seed}: {checked:,} figures of {tables} random tables are those of DuckDB")
