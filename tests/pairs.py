"""Two files whose columns have different types become one table: every pair of types, read by pyarrow, DuckDB and
polars.

Usage: pairs.py PIPELINE
"""

import datetime
import pathlib
import subprocess
import sys
import tempfile
from decimal import Decimal

import duckdb
import polars
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

pipeline = str(pathlib.Path(sys.argv[1]).resolve())
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

DAY = datetime.date(2024, 1, 31)
TIME = datetime.datetime(2024, 1, 31, 12, 30, 15)
UTC = TIME.replace(tzinfo=datetime.timezone.utc)
CLOCK = datetime.time(12, 30, 15)
SPAN = datetime.timedelta(seconds=5)
SPAN_TEXT = "PT5S"

# Groups of types that have a common type. Each type has a value.
SCALARS = [
    (pa.null(), None),
    (pa.int8(), 7),
    (pa.int16(), -300),
    (pa.int32(), 70_000),
    (pa.int64(), 1 << 40),
    (pa.uint8(), 200),
    (pa.uint16(), 60_000),
    (pa.uint32(), 4_000_000_000),
    (pa.uint64(), 1 << 63),
    (pa.float16(), 1.5),
    (pa.float32(), -0.25),
    (pa.float64(), 1e100),
    (pa.bool_(), True),
    (pa.string(), "a text"),
    (pa.large_string(), "a large text"),
    (pa.string_view(), "a view of more than twelve bytes"),
    (pa.dictionary(pa.int8(), pa.string()), "a category"),
    (pa.dictionary(pa.int32(), pa.large_string()), "another category"),
    (pa.dictionary(pa.int16(), pa.int64()), 9),
    (pa.decimal128(5, 2), Decimal("1.50")),
    (pa.decimal128(10, 4), Decimal("-2.2500")),
    (pa.decimal128(10, -2), Decimal("1200")),
    (pa.decimal256(50, 0), Decimal("1" + 45 * "0")),
    (pa.date32(), DAY),
    (pa.date64(), DAY),
    (pa.timestamp("s"), TIME),
    (pa.timestamp("ms"), TIME),
    (pa.timestamp("us"), TIME),
    (pa.timestamp("ns"), TIME),
    (pa.timestamp("us", "UTC"), UTC),
    (pa.timestamp("ms", "+00:00"), UTC),
    (pa.time32("s"), CLOCK),
    (pa.time32("ms"), CLOCK),
    (pa.time64("us"), CLOCK),
    (pa.time64("ns"), CLOCK),
    (pa.duration("s"), SPAN),
    (pa.duration("us"), SPAN),
]
BYTES = [
    (pa.null(), None),
    (pa.binary(), b"ab\xff"),
    (pa.large_binary(), b"large"),
    (pa.binary(4), b"four"),
    (pa.binary_view(), b"a view of more than twelve bytes"),
    (pa.dictionary(pa.int8(), pa.binary()), b"category"),
]
LISTS = [
    (pa.null(), None),
    (pa.list_(pa.int8()), [1, None]),
    (pa.large_list(pa.int64()), [1 << 40]),
    (pa.list_(pa.int32(), 2), [3, 4]),
    (pa.list_(pa.float64(), 3), [0.5, 1.5, None]),
    (pa.list_view(pa.int16()), [5, 6, 7]),
    (pa.large_list_view(pa.uint8()), []),
    (pa.list_(pa.null()), [None]),
]
STRUCTS = [
    (pa.null(), None),
    (pa.struct({"a": pa.int8()}), {"a": 1}),
    (pa.struct({"a": pa.int64(), "b": pa.list_(pa.null())}), {"a": 2, "b": []}),
    (pa.struct({"b": pa.list_(pa.string())}), {"b": ["x"]}),
]
MAPS = [
    (pa.null(), None),
    (pa.map_(pa.string(), pa.int8()), [("a", 1)]),
    (pa.map_(pa.string(), pa.int64()), [("b", 1 << 40)]),
]


def text(value):
    """The text that a value has in a column that becomes text."""
    match value:
        case bool():
            return str(value).lower()
        case datetime.datetime():
            return value.isoformat().replace("+00:00", "Z")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case datetime.timedelta():
            return SPAN_TEXT
        case float() if abs(value) >= 1e16:
            return repr(value).replace("+", "")
        case _:
            return str(value)


def same(written, value):
    """Whether the written value equals the value, or its text."""
    if value is None or written is None:
        return value is written
    if isinstance(written, str) and not isinstance(value, str):
        is_number = isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
        # A date64 can have a time of day.
        return written in [text(value), text(value) + "T00:00:00"] or is_number and Decimal(written) == Decimal(str(value))
    if isinstance(written, datetime.datetime) and not isinstance(value, datetime.datetime):
        return written == datetime.datetime.combine(value, datetime.time())
    if isinstance(value, dict):
        return all(same(written[key], value.get(key)) for key in written)
    return written == value


def table(types):
    columns = {f"c{at}": pa.array([value, None], kind) for at, (kind, value) in enumerate(types)}
    return pa.table({"puzzle": [PUZZLE, PUZZLE], **columns})


def plain(value):
    """A value of another library, converted to pyarrow's form."""
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime()
    if isinstance(value, datetime.datetime) and value.tzinfo:
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if isinstance(value, polars.Series):
        return value.to_list()
    return value


def check(folder, group, shift):
    """Checks a file with the types of a group, and a second file whose columns have the same types in another
    order."""
    first, second = group, group[shift:] + group[:shift]
    for name, types in [("a", first), ("b", second)]:
        pa.feather.write_feather(table(types), f"{folder}/{name}.arrow", compression="lz4")
    for ending in ["parquet", "arrow"]:
        arguments = [pipeline, "convert", f"{folder}/a.arrow", f"{folder}/b.arrow", "--overwrite"]
        subprocess.run([*arguments, "--log-level", "error", "-o", f"{folder}/o.{ending}"], check=True)
    tables = {
        "Parquet": pa.parquet.read_table(f"{folder}/o.parquet"),
        "Arrow": pa.feather.read_table(f"{folder}/o.arrow", memory_map=False),
    }
    pairs = 0
    for at, ((one, value), (other, second_value)) in enumerate(zip(first, second)):
        for kind, read in tables.items():
            column = read[f"c{at}"]
            found = column.to_pylist()
            ok = same(found[0], value) and same(found[2], second_value)
            ok = ok and found[1] is None and found[3] is None
            assert ok, (kind, one, value, other, second_value, str(column.type), found)
        pairs += 1
    parquet = tables["Parquet"]
    rows = parquet.to_pylist()
    # DuckDB has no decimals of more than 38 digits, and no durations in Parquet. polars has no maps.
    is_theirs = lambda kind: not pa.types.is_decimal256(kind) and not pa.types.is_duration(kind)
    theirs = [field.name for field in parquet.schema if is_theirs(field.type)]
    found = duckdb.sql(f"select {', '.join(theirs)} from '{folder}/o.parquet'").to_arrow_table()
    for row, found in zip(rows, found.to_pylist()):
        for name in theirs:
            assert plain(found[name]) == plain(row[name]), ("DuckDB", name, found[name], row[name])
    theirs = [name for name in theirs if not pa.types.is_map(parquet.schema.field(name).type)]
    frame = polars.read_parquet(f"{folder}/o.parquet", columns=theirs)
    for row, found in zip(rows, frame.to_dicts()):
        for name in theirs:
            assert plain(found[name]) == plain(row[name]), ("polars", name, found[name], row[name])
    return pairs


with tempfile.TemporaryDirectory() as folder:
    pairs = 0
    for group in [SCALARS, BYTES, LISTS, STRUCTS, MAPS]:
        for shift in range(len(group)):
            pairs += check(folder, group, shift)
print(f"pyarrow, DuckDB and polars read {pairs} pairs of types in one table: {pairs} passed, 0 failed")
