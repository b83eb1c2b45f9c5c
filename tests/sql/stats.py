"""Compares every figure of `pipeline stats --format json` with DuckDB's SQL over the same file.

Usage: stats.py BINARY [TABLE.parquet [REJECTS.parquet]]

Without a table, one is made: generated puzzles with labels, duplicates, isomorphs, wrong solutions,
puzzles without one solution, and rejects. Needs DuckDB's Python package.
"""

import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import duckdb

binary = sys.argv[1]
checked = 0


def run(*arguments):
    done = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{arguments}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def made(folder):
    """A graded table with every kind of row, and its rejects table."""
    rows = run("generate", 1500, "--seed", 11, "-o", "-", "--format", "csv").splitlines()[1:]
    chance = random.Random(11)
    lines = ["puzzle,solution,difficulty,rating,note,stars"]
    for at, row in enumerate(rows):
        puzzle, solution = row.split(",")
        label = chance.choice(["easy", "medium", "hard", "expert", ""])
        note = chance.choice(["", f"note {at}", "the same"])
        lines.append(f"{puzzle},{solution},{label},{chance.random() * 9:.2f},{note},{chance.randint(1, 5)}")
        if at % 50 == 0:
            lines.append(f"{puzzle},{solution},hard,1.25,again,1")
        if at % 70 == 0:
            swapped = str.maketrans("123456789", "987654321")
            lines.append(f"{puzzle.translate(swapped)},,easy,2.5,relabelled,2")
        if at % 90 == 0:
            wrong = solution.translate(str.maketrans("12", "21"))
            lines.append(f"{puzzle},{wrong},medium,,wrong,")
    lines += ["1" + "." * 80 + ",,easy,0,several,1", "55" + "." * 79 + ",,,,conflict,", "short,,,,,"] * 3
    source = folder / "set.csv"
    source.write_text("\n".join(lines) + "\n")
    table = folder / "graded.parquet"
    run("grade", source, "-o", table, "--with", "canonical,waves", "--infer-types=all", "--max-rank", 33)
    return table, folder / "graded.rejects.parquet"


def close(one, other):
    if isinstance(one, float) or isinstance(other, float):
        return one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other


def same(what, ours, theirs):
    global checked
    checked += 1
    if not close(ours, theirs):
        sys.exit(f"{what}: pipeline {ours!r}, DuckDB {theirs!r}")


def counts(what, ours, sql):
    """Compares the counts in an object with the two columns of a query."""
    theirs = {str(key): count for key, count in connection.execute(sql).fetchall()}
    same(f"{what}: keys", sorted(ours), sorted(theirs))
    for key, count in ours.items():
        same(f"{what}: {key}", count, theirs[key])


def one(sql):
    return connection.execute(sql).fetchone()


def histogram(what, ours, column, where="TRUE"):
    expected = one(
        f"""SELECT count({column}), coalesce(sum({column}), 0)::UBIGINT, min({column}),
            quantile_disc({column}, 0.25), quantile_disc({column}, 0.5), quantile_disc({column}, 0.75),
            quantile_disc({column}, 0.9), quantile_disc({column}, 0.99), max({column}), avg({column})
            FROM rows WHERE {where}"""
    )
    names = ["count", "sum", "min", "q25", "median", "q75", "q90", "q99", "max", "mean"]
    for name, figure in zip(names, expected):
        same(f"{what}: {name}", ours[name], figure)
    values = connection.execute(
        f"SELECT {column}, count(*) FROM rows WHERE {where} AND {column} IS NOT NULL GROUP BY 1 ORDER BY 1"
    ).fetchall()
    same(f"{what}: values", [tuple(pair) for pair in ours["values"]], values)


def uses(what, ours, where="TRUE"):
    techniques = [name.removeprefix("waves_") for name in columns if name.startswith("waves_")]
    if not techniques:
        return same(what, ours, {})
    sums = ", ".join(f"count(*) FILTER (waves_{id} > 0), sum(waves_{id})" for id in techniques)
    figures = one(f"SELECT {sums} FROM rows WHERE {where}")
    theirs = {
        id: {"puzzles": figures[2 * at], "waves": int(figures[2 * at + 1] or 0)}
        for at, id in enumerate(techniques)
        if figures[2 * at]
    }
    same(what, ours, theirs)


def duplicates(what, ours, column):
    expected = one(
        f"""SELECT coalesce(sum(n), 0)::UBIGINT, count(*), coalesce(sum(n) - count(*), 0)::UBIGINT,
            count(*) FILTER (n > 1), coalesce(max(n), 0)
            FROM (SELECT count(*) AS n FROM rows WHERE {column} IS NOT NULL GROUP BY {column})"""
    )
    for name, figure in zip(["rows", "distinct", "repeating", "repeated_values", "most"], expected):
        same(f"{what}: {name}", ours[name], figure)
    first = connection.execute(
        f"""SELECT n, places FROM (SELECT count(*) AS n, list(place ORDER BY place)[:3] AS places FROM numbered
            WHERE {column} IS NOT NULL GROUP BY {column}) WHERE n > 1 ORDER BY n DESC, places LIMIT 3"""
    ).fetchall()
    same(f"{what}: examples", [(found["count"], found["rows"]) for found in ours["examples"]], first)
    for found in ours["examples"]:
        rows = ",".join(map(str, found["rows"]))
        puzzles = connection.execute(f"SELECT puzzle FROM numbered WHERE place IN ({rows}) ORDER BY place").fetchall()
        same(f"{what}: puzzles", found["puzzles"], [puzzle for (puzzle,) in puzzles])


def plain(value):
    return float(value) if type(value).__name__ == "Decimal" else value


def summary(ours):
    name = ours["name"]
    column = '"' + name + '"'
    figures = one(
        f"SELECT count(*) - count({column}), count(DISTINCT {column}), min({column}), max({column}) FROM rows"
    )
    for key, figure in zip(["nulls", "distinct", "min", "max"], figures):
        same(f"column {name}: {key}", ours[key], plain(figure))
    # Texts have no quantiles, and a column of nulls has no values.
    if figures[2] is None or isinstance(figures[2], (str, bool)):
        for key in ["q25", "median", "q75", "mean"]:
            same(f"column {name}: {key}", ours[key], None)
        return
    figures = one(
        f"""SELECT quantile_disc({column}, 0.25), quantile_disc({column}, 0.5),
            quantile_disc({column}, 0.75), avg({column}) FROM rows"""
    )
    for key, figure in zip(["q25", "median", "q75", "mean"], figures):
        same(f"column {name}: {key}", ours[key], plain(figure))


def values(ours):
    if ours["values"] is None:
        return
    column = '"' + ours["name"] + '"'
    theirs = connection.execute(
        f"SELECT {column}, count(*) FROM rows WHERE {column} IS NOT NULL GROUP BY 1 ORDER BY 1"
    ).fetchall()
    listed = [(plain(value), count) for value, count in theirs]
    same(f"column {ours['name']}: values", [tuple(pair) for pair in ours["values"]], listed)


def breakdown(ours):
    name = ours["column"]
    column = '"' + name + '"'
    theirs = connection.execute(f"SELECT {column}, count(*) FROM rows GROUP BY 1 ORDER BY 1 NULLS LAST").fetchall()
    same(f"by {name}: groups", [(g["value"], g["rows"]) for g in ours["groups"]], [(plain(v), n) for v, n in theirs])
    for group in ours["groups"]:
        value = group["value"]
        text = "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"
        where = f"{column} IS NOT DISTINCT FROM {text}"
        what = f"by {name}: {value}"
        for kind in ["level", "technique"]:
            counts(
                f"{what}: {kind}",
                group[kind],
                f"SELECT {kind}, count(*) FROM rows WHERE {where} AND {kind} IS NOT NULL GROUP BY 1",
            )
        histogram(f"{what}: clues", group["clues"], "clues", where)
        for kind in ["effort", "nodes"]:
            expected = one(f"SELECT count({kind}), coalesce(sum({kind}), 0)::UBIGINT FROM rows WHERE {where}")
            same(f"{what}: {kind}", (group[kind]["count"], group[kind]["sum"]), expected)
        uses(f"{what}: uses", group["uses"], where)


def correlation(text, name, order):
    """Spearman's correlation as the text prints it, computed as the correlation of average ranks."""
    column = '"' + name + '"'
    (rho,) = one(
        f"""WITH graded AS (
              SELECT {order} AS label, CASE technique WHEN 'beyond' THEN 43 ELSE rank END AS rank
              FROM rows WHERE {column} IS NOT NULL AND technique IS NOT NULL),
            ranked AS (SELECT rank() OVER (ORDER BY label) + (count(*) OVER (PARTITION BY label) - 1) / 2 AS a,
              rank() OVER (ORDER BY rank) + (count(*) OVER (PARTITION BY rank) - 1) / 2 AS b FROM graded)
            SELECT corr(a, b) FROM ranked"""
    )
    expected = f"Rank correlation (Spearman) of {name} and hardest technique: {rho:.3f}:"
    plain_text = " ".join(text.split())
    same(f"correlation with {name}", expected in plain_text, True)


def rows(ours):
    same("rows", ours, one("SELECT count(*) FROM rows")[0])


def technique_by_clues(ours):
    crossed = {}
    for technique, clues, count in connection.execute(
        "SELECT technique, clues, count(*) FROM rows WHERE technique IS NOT NULL GROUP BY ALL"
    ).fetchall():
        crossed.setdefault(technique, {})[str(clues)] = count
    same("technique by clues", ours, crossed)


def cells(ours):
    nine = "length(puzzle) = 81"
    same("cells: puzzles", ours["puzzles"], one(f"SELECT count(*) FROM rows WHERE {nine}")[0])
    found = connection.execute(
        f"""SELECT cell, substr(puzzle, cell, 1) AS digit, count(*)
            FROM rows, (SELECT unnest(range(1, 82)) AS cell) WHERE {nine} GROUP BY ALL"""
    ).fetchall()
    expected = [[0] * 9 for _ in range(81)]
    for cell, digit, count in found:
        if digit in "123456789":
            expected[cell - 1][int(digit) - 1] = count
    same("cells", ours["digits"], expected)


def rejects(ours, table):
    theirs = connection.execute(f"SELECT error, count(*) FROM '{table}' GROUP BY 1").fetchall()
    same("rejects", {e: r["rows"] for e, r in ours.items()}, dict(theirs))
    for error, found in ours.items():
        first = connection.execute(
            f"SELECT row, line, message FROM '{table}' WHERE error = ? ORDER BY row LIMIT 3", [error]
        ).fetchall()
        same(f"rejects: {error}", [(r["row"], r["line"], r["message"]) for r in found["first"]], first)


with tempfile.TemporaryDirectory() as folder:
    if len(sys.argv) > 2:
        table, rejected = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    else:
        table, rejected = made(pathlib.Path(folder))
    arguments = ["stats", table] + ([rejected] if rejected and len(sys.argv) > 3 else [])
    stats = json.loads(run(*arguments, "--by", "clues", "--format", "json"))
    connection = duckdb.connect()
    connection.execute(f"CREATE VIEW rows AS SELECT * FROM '{table}'")
    connection.execute(f"CREATE VIEW numbered AS SELECT *, file_row_number AS place FROM read_parquet('{table}', file_row_number = true)")
    columns = [row[0] for row in connection.execute("DESCRIBE rows").fetchall()]

    rows(stats["rows"])
    for kind in ["status", "solution_given", "level", "technique"]:
        counts(kind, stats[kind], f"SELECT {kind}, count(*) FROM rows WHERE {kind} IS NOT NULL GROUP BY 1")
    for kind in ["clues", "effort", "waves", "nodes"]:
        histogram(kind, stats[kind], kind)
    uses("uses", stats["uses"])
    technique_by_clues(stats["technique_by_clues"])
    cells(stats["cells"])
    duplicates("duplicates", stats["duplicates"], "puzzle")
    if "canonical" in columns:
        duplicates("isomorphs", stats["isomorphs"], "canonical")
    if rejected and rejected.exists():
        rejects(stats["rejects"], rejected)
    for column in stats["columns"]:
        summary(column)
        values(column)
    for group in stats["by"]:
        breakdown(group)
    text = run(*arguments)
    words = "CASE difficulty WHEN 'easy' THEN 1 WHEN 'medium' THEN 2 WHEN 'hard' THEN 3 ELSE 4 END"
    if len(sys.argv) == 2:
        correlation(text, "difficulty", words)
        correlation(text, "stars", "stars")
    print(f"{checked:,} figures of {stats['rows']:,} rows are those of DuckDB")
