"""Random conditions for `--where`, and the rows for which they are true according to DuckDB."""

import duckdb
import pyarrow

import inputs

COMPARISONS = ["=", "<>", "<", "<=", ">", ">="]


def literal(kind, value):
    if value is None:
        return "null"
    if kind in ("text", "set"):
        return "'" + value.replace("'", "''") + "'"
    if kind == "flag":
        return "true" if value else "false"
    return repr(value) if kind == "float" else str(value)


def simple(rng, name, kind, values):
    """A condition over one column."""
    some = [value for value in values if value is not None]
    column = f'"{name}"' if rng.random() < 0.3 else name
    if rng.random() < 0.15 or not some:
        return f"{column} is {rng.choice(['', 'not '])}null"
    pick = lambda: literal(kind, rng.choice(some))
    if kind == "flag":
        return rng.choice([column, f"not {column}", f"{column} = {pick()}", f"{column} is not true"])
    shape = rng.randrange(6)
    negated = rng.choice(["", "not "])
    if shape == 0:
        return f"{column} {negated}in ({pick()}, {pick()}, {pick()})"
    if shape == 1:
        return f"{column} {negated}between {pick()} and {pick()}"
    if shape == 2 and kind in ("text", "set"):
        return f"{column} {negated}like {rng.choice(['%', 'a%', '%e%', '_', '_e%', ''])!r}".replace('"', "'")
    if shape == 3 and kind == "float":
        return f"{column} * 2 - 1 {rng.choice(COMPARISONS)} {pick()}"
    if shape == 4 and kind in ("text", "set"):
        return f"length({column}) {rng.choice(COMPARISONS)} {rng.randrange(6)}"
    return f"{column} {rng.choice(COMPARISONS)} {pick()}"


def choose(rng, rows, keep, kinds, is_typed, command):
    """A condition, and the records that it keeps; None if no column can be compared."""
    names = [name for name in keep if kinds[name] in ("id", "int", "float", "text", "set", "flag")]
    if not is_typed:
        names = [name for name in names if kinds[name] in ("text", "set")]
    if not names:
        return None, rows
    columns, parts = {}, []
    for name in names:
        values = [record["values"][name] for record in rows]
        columns[name] = pyarrow.array(values, inputs.TYPES[kinds[name]])
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice(names)
        parts.append("(" + simple(rng, name, kinds[name], [record["values"][name] for record in rows]) + ")")
    condition = parts[0]
    for part in parts[1:]:
        condition = rng.choice([f"{condition} and {part}", f"{condition} or {part}", f"not ({condition}) and {part}"])
    columns["place"] = pyarrow.array(range(len(rows)), pyarrow.int64())
    database = duckdb.connect()
    database.register("records", pyarrow.table(columns))
    found = database.execute(f"select place from records where {condition} order by place").fetchall()
    return condition, [rows[place] for (place,) in found]
