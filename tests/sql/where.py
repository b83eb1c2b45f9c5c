"""Compares the rows that --where keeps with those that DuckDB keeps.

Usage: where.py PIPELINE [RANDOM [SEED]]

Runs hand-written conditions and RANDOM random ones (300 by default). A condition that pipeline
refuses has to be of a kind that docs/filter.md lists. Needs pyarrow and duckdb.
"""

import decimal
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pyarrow
import pyarrow.parquet

pipeline = str(pathlib.Path(sys.argv[1]).resolve())
count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
manual = pathlib.Path(__file__).resolve().parents[2] / "docs/filter.md"
manual = " ".join(manual.read_text().split())

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NAN, INF = float("nan"), float("inf")
DAY = 86_400_000_000

# The values of each column, followed by a null. Rows take the values of all columns in turn.
COLUMNS = {
    "i8": (pyarrow.int8(), [0, 1, -1, 127, -128, 5]),
    "i16": (pyarrow.int16(), [0, 2, 32767, -32768, 100, -3, 7]),
    "i32": (pyarrow.int32(), [0, 3, 2**31 - 1, -(2**31), 12, -7, 250]),
    "i64": (pyarrow.int64(), [0, 4, 2**63 - 1, -(2**63), 2**53 + 1, -9, 42, 3]),
    "u8": (pyarrow.uint8(), [0, 1, 255, 5, 128]),
    "u16": (pyarrow.uint16(), [0, 9, 65535, 256]),
    "u32": (pyarrow.uint32(), [0, 2**32 - 1, 8, 2**31]),
    "u64": (pyarrow.uint64(), [0, 2**64 - 1, 2**63, 6, 2**53 + 1]),
    "f32": (pyarrow.float32(), [0.0, -0.0, 0.1, 2.5, NAN, INF, -INF, 16777216.0, -3.5]),
    "f64": (pyarrow.float64(), [0.0, -0.0, 0.1, 1.5, 2.5, -2.5, NAN, INF, -INF, 1e300, 127.5]),
    "d5": (pyarrow.decimal128(5, 2), ["0.00", "1.50", "-1.50", "999.99", "2.50", "0.10"]),
    "d18": (pyarrow.decimal128(18, 6), ["0", "1.5", "2.500001", "-999999999999.999999", "12"]),
    "d38": (pyarrow.decimal128(38, 10), ["0", "1.5", "9999999999999999999999999999.9", "-2.5"]),
    "whole": (pyarrow.decimal128(38, 0), ["0", "2", "-2", "9" * 38]),
    "flag": (pyarrow.bool_(), [True, False]),
    "txt": (pyarrow.string(), ["", "a", "A", "ab", "a%b", "a_b", "a\\b", "é", "Straße", "x\ny", "ÀB"]),
    "num": (pyarrow.string(), ["1", " 2 ", "-3", "2.5", "1e2", "0.125", "300", "+7", "3.5", "1_0"]),
    "mixed": (pyarrow.string(), ["1", "x", "", "nan", "inf", "2.5", "true", "F", "1e400", "0x1F", "-0"]),
    "day": (pyarrow.date32(), [0, 18262, 18321, -1, 20000]),
    "ts": (pyarrow.timestamp("us"), [0, 18262 * DAY, 18262 * DAY + 1, -1, 18321 * DAY - 1]),
    "ts_ns": (pyarrow.timestamp("ns"), [0, 1, 18262 * DAY * 1000, 18262 * DAY * 1000 + 1]),
    "ts_tz": (pyarrow.timestamp("us", "Europe/Berlin"), [0, 18262 * DAY, 18262 * DAY + 1, -1]),
}
ROWS = 60

FIXED = """
i32 > 2 or i32 is null
not (i32 > 2)
i32 <> 3 and f64 > 1
f64 is null
f64 is not null
f64 = 'nan'
f64 > 'inf'
f64 >= f64
f64 = f64
f64 = -0.0
f32 = 0.1
f32 = f64
f64 = 0.1
f64 in (0.1, 'nan')
f64 > 0 and 1.48504282030121037 = 1.48504282030121037e0
f64 > 0 and 9687028782490601.1 = 9687028782490601.1e0
f64 > 0 and cast(1.82994191 as float) = 1.82994191e0::float
d38::double = f64
whole::double > 99999999999999999999999999999999999997e0
f64 between 1 and 'nan'
f64 not between 0 and 2
f64 in (1.5, null)
f64 not in (1.5, null)
i32 in (3, null)
i32 not in (3, null)
i32 between null and 2
i32 not between null and 2
i32 between 2 and null
i32 not between 5 and null
null
null is null
null = null
null is not distinct from null
not null
flag
not flag
flag = true
flag is true
flag is not true
flag is false
flag or null
flag and null
flag > false
flag = 'true'
i32 is distinct from 3
i32 is not distinct from null
cast(f64 as bigint) = 2
try_cast(f64 as bigint) = 2
try_cast(f64 as bigint) is null
try_cast(f64 as tinyint) = 127
try_cast(f64 as utinyint) = 128
try_cast(f64 as tinyint) = -2
try_cast(f32 as integer) = 2
try_cast(f32 as integer) = -4
try_cast(f64 as decimal(5,1)) = 2.5
try_cast(f64 as decimal(5,0)) = 3
try_cast(f64 as decimal(5,0)) = -3
try_cast(f64 as decimal(4,2)) is null
try_cast(f64 as float) is null
try_cast(f64 as float) = f32
try_cast(i32 as tinyint) = 12
cast(i32 as tinyint) = 12
cast(i64 as integer) = 4
cast(i64 as double) = 9007199254740992
cast(i64 as float) > 1
i64 = 9007199254740993
cast(d5 as integer) = 2
cast(d5 as integer) = -2
cast(d5 as decimal(4,1)) = 1.5
cast(d5 as decimal(3,1)) = 1.5
try_cast(d5 as decimal(3,1)) is null
cast(d18 as decimal(18,1)) = 2.5
try_cast(d18 as smallint) is null
cast(d38 as double) > 1
cast(d38 as float) > 1
cast(whole as double) = 2
try_cast(num as integer) = 3
try_cast(num as integer) = 100
try_cast(num as integer) = 4
try_cast(num as tinyint) is null
try_cast(num as integer) = 10
try_cast(num as double) = 2.5
try_cast(num as decimal(4,1)) = 2.5
try_cast(num as decimal(4,2)) = 0.13
try_cast(num as decimal(18,3)) = 0.125
try_cast(num as utinyint) is null
try_cast(mixed as double) is null
try_cast(mixed as double) = 'nan'
try_cast(mixed as double) = 'inf'
try_cast(mixed as integer) is not null
try_cast(mixed as integer) = 31
try_cast(mixed as utinyint) is not null
try_cast(mixed as boolean)
not try_cast(mixed as boolean)
try_cast(mixed as float) > 1
try_cast(mixed as decimal(5,2)) is null
cast(num as double) > 2
cast(mixed as double) > 2
cast(flag as integer) = 1
cast(flag as double) = 0
cast(flag as decimal(3,1)) = 1
num::double > 2
-num::double < 0
i32::bigint * 2 > 5
i8 + 1 > 0
i8 + 1 > 0 and i8 < 100
i8 < 100 and i8 + 1 > 0
i8 = 127 or i8 + 1 > 0
i8::smallint + 1 > 100
i8 + 1000 > 1100
i8 - 1 < 0
i8 * 2 = 10
-i8 = 128
i16 + i8 > 0
i32 + 1 > 0
i64 + 1 > 0
i64 - 1 < 0
u8 - 1 >= 0
u8 - 1 >= 0 and u8 > 0
u8 > 0 and u8 - 1 >= 0
u8 + i8 > 250
u8 + u16 > 300
u32 + i32 > 0
u64 + i64 > 0
u64 + 1 > 0
u64 > i64
u64 = i64
u64 = 18446744073709551615
u64 > -1
u8 > -1
u8 = 256
i8 < 1000
i64 < 9223372036854775808
i64 = -9223372036854775808
-u8 = 0
i32 / 2 = 1.5
i32 / 0 > 1
f64 / 0 = 'inf'
0 / f64 = 'nan'
i32 // 2 = 6
i32 // 0 = 1
i32 <> 0 and 12 // i32 = 4
i32 = 0 or 12 // i32 = 4
12 // i32 = 4
i8 // -1 = 5
-7 // 2 = -3
i32 % 5 = 2
i32 % 5 = -2
i32 % 0 = 1
f64 % 2 = 0.5
f64 % 0 = 'nan'
d5 % 2 = 0.5
d5 % 0 = 0.5
d5 + 1 = 2.5
d5 + 0.005 = 1.505
d5 * d5 = 2.25
d5 * 1.5 = 2.25
d5 / 2 = 0.75
d5 - d18 = 0
d18 * d18 > 1
d18 * d38 > 1
d38 + 1 > 1
d38 * 10000000000 > 1
d38 * d38 > 1
d38 = d18
d38 = i64
d38 > i64
d5 = i64
d5 > f64
d5 = 1.5
d5 = 1.500001
d5 = 1.5e0
d5 = f32
d5 = '1.5'
d5 = '1.505'
whole = 1.5
whole in (1.5, 2)
whole between 1.5 and 2.5
whole < 99999999999999999999999999999999999999 and whole = 1.5
whole < 10 and whole in (1.5, 2)
whole < 10 and whole between 1.5 and 2.5
whole = 2.4
whole > d5
whole + 1 > 0
whole > i64
whole = f64
i64 = 4.0
i64 > 3.5
i64 > 3.5e0
i64 = f64
i64 = f32
i64 in (4, 42.0)
i64 in (4.5, 3)
i64 between 3.5 and 42.5
i32 = '3'
i32 = '2.5'
i32 = 'x'
i8 = '1000'
f64 = '1.5'
f64 > 'x'
0.1 + 0.2 = 0.3
0.1e0 + 0.2e0 = 0.3
1e308 * f64 = 'inf'
3 = 3.0
123456789012345678901234567890 > i64
i64 + 123456789012345678901234567890 > 0
12345678901234567890.123456789 > d38
0.12345678901234567890 < f64
txt = 'a'
txt < 'b'
txt >= 'é'
txt in ('a', 'ab', null)
txt between 'A' and 'a'
txt like 'a%'
txt like 'A%'
txt ilike 'A%'
txt like '_'
txt like 'a_b'
txt like 'a!_b' escape '!'
txt like 'a!%b' escape '!'
txt like 'a\\b'
txt like 'a\\%b'
txt like 'a\\%b' escape '\\'
txt like '%\\%'
txt like ''
txt like '%'
txt not like 'a%'
txt ilike 'straSSe'
txt ilike 'STRAßE'
txt ilike 'É'
txt like 'x_y'
txt like 'a.b'
txt ilike 'àb'
lower(txt) = 'àb'
length(txt) = 1
length(txt) > 2
length(txt) - 3 < 0
coalesce(txt, 'none') = 'none'
coalesce(i8, 7) = 7
coalesce(i8, 1000) = 1000
coalesce(i8, 1.5) = 1.5
coalesce(i8, u8) + 1 > 0
coalesce(null, i32, 1 // i32) = 3
coalesce(f64, 0) = 0
coalesce(null, null) is null
day = '2020-01-01'
day > date '2020-01-01'
day >= '2020-02-29'
day = ts
ts = '2020-01-01'
ts > '2020-01-01'
ts > timestamp '2020-01-01 00:00:00'
ts = '2020-01-01 00:00:00.000001'
ts = '2020-01-01 00:00:00.0000019'
ts < day
ts between '2020-01-01' and '2020-02-29'
ts in ('2020-01-01', null)
cast(ts as date) = '2020-01-01'
cast(ts as date) = '1969-12-31'
cast(day as timestamp) = ts
ts_ns > '2020-01-01'
ts_ns = '2020-01-01 00:00:00.000000001'
ts_ns > ts
ts_ns > day
ts_tz = '2020-01-01'
ts_tz = '2020-01-01 01:00:00+01:00'
ts_tz > '2019-12-31T23:59:59Z'
ts_tz = ts
ts_tz >= day
ts_tz > timestamptz '2020-01-01 00:00:00+00'
cast(ts_tz as date) = '2020-01-01'
cast(ts_tz as timestamp) = ts
cast(ts as timestamptz) = ts_tz
coalesce(ts, day) = '2020-01-01'
day = 'yesterday'
"Txt" = 'a' or TXT = 'A'
(i32 + 1::bigint) * 2 > 7 and not (f64 < 1 or d5 is null)
i32 = 3 and f64 < 1 or txt = 'a'
not i32 = 3 or f64 is null
true and not false
- - i32 = 3
+ i32 = 3
2 * i32 + 1 = 7
2 * (i32 + 1) = 8
-i32 % 5 = -2
10 - 3 - 2 = 5
100 // 10 // 2 = 5
'it''s' = 'it''s'
1 == 1 and 1 != 2
.5 = 0.5 and 5. = 5
""".strip().splitlines()

# Conditions that pipeline refuses; docs/filter.md gives the reasons.
REFUSED = """
txt || 'x' = 'ax'
case when flag then true else false end
i32 in (select 1)
exists (select 1)
sqrt(i32) = 2
substr(txt, 1) = 'a'
i32 = 3 -- comment
txt ~ 'a'
txt.x = 1
i32 & 1 = 1
i32 ^ 2 = 4
i32 = 3 = true
flag is null is null
true = not flag
i32
txt
num > 2
i32 = txt
i32 like '1'
length(i32) = 1
flag = 1
flag + 1 = 1
day + 1 = day
day - day = 0
day > 1
f64 // 2 = 1
d5 // 2 = 1
cast(f64 as varchar) = '1.5'
cast(i32 as varchar) like '2%'
flag is unknown
abs(i8) = 5
upper(txt) = 'A'
cast(d5 as varchar) = '1.5'
cast(day as varchar) = '2020-01-01'
cast(txt as date) = '2020-01-01'
cast(ts_ns as date) = '2020-01-01'
cast(i32 as boolean)
cast(txt as blob) = 'a'
txt like txt
txt like 'a' escape 'ab'
txt similar to 'a'
1_000 = 1000
0x10 = 16
txt[1] = 'a'
ts > now()
i32 = ?
`i32` = 1
'abc' > 1 and i32 is not null
""".strip().splitlines()

# What the messages of refusals say, and the sentence of the manual that each stands for.
DOCUMENTED = {
    r"is not supported": "Other SQL is refused",
    r"are not compared with each other": "Other pairs of types cannot be compared",
    r"is needed": "Operators and functions do not convert their operands",
    r"stands where .* is expected": "Other SQL is refused",
}


def table():
    columns = {"id": pyarrow.array(range(ROWS), pyarrow.int32()), "puzzle": [PUZZLE] * ROWS}
    shuffle = random.Random(1)
    for name, (kind, values) in COLUMNS.items():
        if pyarrow.types.is_decimal(kind):
            with decimal.localcontext(prec=50):
                scale = decimal.Decimal(1).scaleb(-kind.scale)
                values = [decimal.Decimal(value).quantize(scale) for value in values]
        cells = [[None, *values][row % (len(values) + 1)] for row in range(ROWS)]
        shuffle.shuffle(cells)
        columns[name] = pyarrow.array(cells, kind)
    return pyarrow.table(columns)


INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
DECIMALS = ["d5", "d18", "d38", "whole"]
TIMES = ["day", "ts", "ts_tz"]


def number(rng, depth):
    pick = rng.choice
    if depth == 0 or rng.random() < 0.3:
        literals = ["0", "1", "-1", "2", "3", "255", "1.5", "0.10", "-2.5", "2e0", "1000", "null"]
        return pick([pick(INTEGERS), pick(INTEGERS), pick(DECIMALS), "f32", "f64", pick(literals)])
    part = lambda: number(rng, depth - 1)
    whole = lambda: pick(INTEGERS + ["2", "7", "-3"])
    kinds = ["double", "float", "bigint", "integer", "tinyint", "utinyint", "decimal(9,2)", "hugeint"]
    return pick([
        lambda: f"({part()} {pick(['+', '-', '*', '/', '+', '-'])} {part()})",
        lambda: f"({part()} % {part()})",
        lambda: f"({whole()} // {whole()})",
        lambda: f"(- {part()})",
        lambda: f"coalesce({part()}, {part()})",
        lambda: f"{pick(['try_cast', 'try_cast', 'cast'])}({part()} as {pick(kinds)})",
        lambda: f"try_cast({pick(['num', 'any'])} as {pick(kinds)})",
        lambda: f"length({text(rng, 1)})",
    ])()


def text(rng, depth):
    pick = rng.choice
    if depth == 0 or rng.random() < 0.5:
        return pick(["txt", "num", "mixed", "'a'", "''", "'é'", "null", "'ab'"])
    part = lambda: text(rng, depth - 1)
    return pick([
        lambda: f"lower({part()})",
        lambda: f"coalesce({part()}, {part()})",
    ])()


def time(rng):
    literals = ["'2020-01-01'", "'1970-01-01 00:00:00'", "date '2020-02-29'", "null"]
    casts = ["cast(ts as date)", "cast(day as timestamp)", "cast(ts_tz as timestamp)"]
    return rng.choice(TIMES + TIMES + literals + casts + ["coalesce(day, ts)"])


def condition(rng, depth):
    pick = rng.choice
    if depth > 0 and rng.random() < 0.5:
        part = lambda: condition(rng, depth - 1)
        return pick([
            lambda: f"({part()} and {part()})",
            lambda: f"({part()} or {part()})",
            lambda: f"(not {part()})",
            lambda: f"({part()} is {pick(['', 'not '])}{pick(['true', 'false', 'null'])})",
        ])()
    value, another = pick([
        (lambda: number(rng, 2), lambda: number(rng, 1)),
        (lambda: number(rng, 1), lambda: number(rng, 1)),
        (lambda: text(rng, 2), lambda: text(rng, 1)),
        (lambda: time(rng), lambda: time(rng)),
    ])
    negation = pick(["", "not "])
    return pick([
        lambda: f"({value()} {pick(['=', '<>', '<', '<=', '>', '>='])} {another()})",
        lambda: f"({value()} {negation}in ({another()}, {another()}, {another()}))",
        lambda: f"({value()} {negation}between {another()} and {another()})",
        lambda: f"({value()} is {negation}null)",
        lambda: f"({value()} is {negation}distinct from {another()})",
        lambda: f"({text(rng, 1)} {negation}{pick(['like', 'ilike'])} {pick(PATTERNS)})",
        lambda: pick(["flag", "flag is null", "try_cast(mixed as boolean)"]),
    ])()


PATTERNS = ["'a%'", "'%b'", "'_'", "'%'", "''", "'a!_%' escape '!'", "'%\\%'", "'%e%'", "'_b'"]


def duckdb_answer(condition, optimizer=True):
    database = duckdb.connect()
    database.execute("set TimeZone = 'UTC'")
    if not optimizer:
        database.execute("pragma disable_optimizer")
    try:
        found = database.execute(f"select id from '{source}' where {condition}").fetchall()
        return sorted(id for (id,) in found)
    except duckdb.Error as error:
        return "error: " + str(error).splitlines()[0]


def our_answer(place, condition):
    output = f"{folder}/{place}.parquet"
    arguments = [pipeline, "convert", source, "-o", output, "--keep", "all", "--where", condition]
    run = subprocess.run(arguments, capture_output=True, text=True)
    if run.returncode == 0:
        return sorted(pyarrow.parquet.read_table(output, columns=["id"])["id"].to_pylist())
    message = run.stderr.strip().splitlines()[-1]
    if run.returncode not in (2, 3) or not re.search(r"--where, (line \d+, )?column \d+: ", message):
        return f"crash: {run.returncode} {message}"
    if run.returncode == 2 and any(re.search(known, message) for known in DOCUMENTED):
        return "refused: " + message
    return "error: " + message


def is_same(ours, theirs):
    return ours == theirs or ours[:6] == theirs[:6] == "error:"


def compare(case):
    place, condition, must_refuse = case
    ours = our_answer(place, condition)
    if ours[:8] == "refused:":
        reasons = [known for known in DOCUMENTED if re.search(known, ours)]
        is_documented = all(DOCUMENTED[reason] in manual for reason in reasons)
        return ("refused" if is_documented else "wrong"), condition, ours, ""
    theirs = duckdb_answer(condition)
    fails = ours[:6] == "error:"
    if must_refuse and not fails:
        return "wrong", condition, ours, theirs
    # Its optimizer removes calculations, and with them their errors.
    if is_same(ours, theirs) or is_same(ours, duckdb_answer(condition, optimizer=False)):
        return ("both fail" if fails else "same"), condition, ours, theirs
    # Which operands are evaluated, where others decide, is documented in docs/filter.md.
    decides = re.search(r"\b(and|or|coalesce|null|try_cast)\b", condition)
    one_fails = fails != (theirs[:6] == "error:")
    return ("one fails" if decides and one_fails else "wrong"), condition, ours, theirs


rng = random.Random(seed)
cases = [(text, False) for text in FIXED] + [(text, True) for text in REFUSED]
cases += [(condition(rng, rng.randrange(3)), False) for _ in range(count)]
with tempfile.TemporaryDirectory() as folder:
    source = f"{folder}/source.parquet"
    pyarrow.parquet.write_table(table(), source)
    with ThreadPoolExecutor(2) as threads:
        numbered = [(place, *case) for place, case in enumerate(cases)]
        results = list(threads.map(compare, numbered))

verdicts = [verdict for verdict, *_ in results]
for verdict, text, ours, theirs in results:
    if verdict == "wrong" or "--verbose" in sys.argv:
        print(f"{verdict}: {text}\n  pipeline {ours}\n  DuckDB   {theirs}")
print(
    f"{len(cases)} conditions beside DuckDB {duckdb.__version__}, seed {seed}: "
    + ", ".join(f"{verdicts.count(kind)} {kind}" for kind in ["same", "both fail", "one fails", "refused", "wrong"])
)
sys.exit("wrong" in verdicts)
