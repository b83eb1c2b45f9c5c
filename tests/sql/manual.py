"""Runs every statement of docs/sql.md by DuckDB over tables that pipeline writes, and checks the answers.

Usage: manual.py BINARY

Each check computes the answer again with plain Python over the rows of the tables. A statement without a
check fails, and so does a check without a statement. Needs DuckDB, pyarrow and fsspec.
"""

import collections
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

import duckdb
import fsspec
import pyarrow.parquet

binary = str(pathlib.Path(sys.argv[1]).resolve())
page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "sql.md"


def run(*arguments):
    subprocess.run([binary, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)


def rows(name):
    return pyarrow.parquet.read_table(name, partitioning=None).to_pylist()


def make_tables():
    """Makes the tables that the page names, with duplicates, isomorphs, labels and rejects."""
    run("generate", 400, "--seed", 5, "-o", "generated.csv")
    chance = random.Random(5)
    lines = ["puzzle,difficulty"]
    for at, line in enumerate(pathlib.Path("generated.csv").read_text().splitlines()[1:]):
        puzzle = line.split(",")[0]
        lines.append(f"{puzzle},{chance.choice(['easy', 'hard', ''])}")
        if at % 40 == 0:
            lines.append(f"{puzzle},again")
        if at % 50 == 0:
            lines.append(f"{puzzle.translate(str.maketrans('123456789', '987654321'))},")
    lines += ["1" + "." * 80 + ",several", "55" + "." * 79 + ",conflict", "short,", "shorter,"]
    pathlib.Path("puzzles.csv").write_text("\n".join(lines) + "\n")
    run("grade", "puzzles.csv", "-o", "graded.parquet", "--with", "canonical")
    run("grade", "puzzles.csv", "-o", "first.parquet", "--max-rank", 12)
    run("grade", "puzzles.csv", "-o", "second.parquet")
    run("grade", "puzzles.csv", "-o", "part.parquet", "--limit", 300)
    run("grade", "puzzles.csv", "-o", "levels/", "--partition-by", "level")
    pathlib.Path("few.csv").write_text("\n".join(lines[:50]) + "\n")
    run("compare", "few.csv", "-o", "runs.parquet", "--solvers", "lanes,dlx,templates")
    for shard in range(2):
        run("grade", "puzzles.csv", "--skip", 200 * shard, "--limit", 200, "-o", f"s{shard}.parquet",
            "--report", f"shard-{shard}.json")


def graded():
    return rows("graded.parquet")


def groups(table, key):
    found = collections.defaultdict(list)
    for row in table:
        found[row[key]].append(row)
    return found


def levels_and_their_shares():
    table = graded()
    ranks = lambda of: [row["rank"] for row in of if row["rank"] is not None]  # noqa: E731
    by_level = sorted(groups(table, "level").items(), key=lambda pair: min(ranks(pair[1]), default=math.inf))
    return [(level, len(of), round(100 * len(of) / len(table), 1)) for level, of in by_level]


def the_commonest_hardest_techniques():
    counts = collections.Counter(row["technique"] for row in graded() if row["technique"])
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:5]


def the_hardest_puzzles():
    last = lambda number: -1 if number is None else number  # noqa: E731
    table = sorted(graded(), key=lambda row: (-last(row["rank"]), -last(row["effort"]), row["row"]))
    return [(row["puzzle"], row["technique"], row["effort"]) for row in table[:10]]


def quantiles_of_each_level():
    def figures(of):
        clues = [row["clues"] for row in of]
        effort = sorted(row["effort"] for row in of if row["effort"] is not None)
        return min(clues), statistics.median(clues), effort[math.ceil(0.9 * len(effort)) - 1] if effort else None

    by_level = groups([row for row in graded() if row["level"]], "level")
    return [(level, *figures(of)) for level, of in sorted(by_level.items())]


def a_datasets_own_labels_beside_our_levels():
    by_label = groups([row for row in graded() if row["level"]], "difficulty")
    names = ["easy", "medium", "hard", "unfair", "extreme"]
    count = lambda of, name: sum(row["level"] == name for row in of)  # noqa: E731
    ordered = sorted(by_label.items(), key=lambda pair: (pair[0] is None, pair[0]))
    return [(label, *(count(of, name) for name in names)) for label, of in ordered]


def as_many_puzzles_of_each_level_as_of_every_other():
    of_level = collections.Counter(row["level"] for row in graded() if row["status"] == "unique")
    written = rows("balanced.parquet")
    assert collections.Counter(row["level"] for row in written) == {
        level: min(count, 20) for level, count in of_level.items()
    }
    assert set(written[0]) == set(graded()[0])
    run("grade", "balanced.parquet", "-o", "again.parquet", "--keep", "none")
    assert len(rows("again.parquet")) == len(written)
    return [(len(written),)]


def rows_that_repeat_a_puzzle():
    repeated = [(puzzle, of) for puzzle, of in groups(graded(), "puzzle").items() if len(of) > 1]
    repeated.sort(key=lambda pair: (-len(pair[1]), pair[0]))
    return [(puzzle, len(of), sorted(row["row"] for row in of)) for puzzle, of in repeated]


def isomorphs_which_with_canonical_shows():
    table = [row for row in graded() if row["canonical"] is not None]
    return [(len(table), len({row["canonical"] for row in table}), len({row["puzzle"] for row in table}))]


def two_gradings_of_the_same_puzzles():
    second = {(row["source"], row["row"]): row["technique"] for row in rows("second.parquet")}
    pairs = [(row["technique"], second[row["source"], row["row"]]) for row in rows("first.parquet")]
    changed = collections.Counter(pair for pair in pairs if pair[0] != pair[1])
    return [(*pair, count) for pair, count in sorted(changed.items(), key=lambda pair: (-pair[1], pair[0]))]


def puzzles_that_another_table_does_not_have():
    known = {row["puzzle"] for row in rows("part.parquet")}
    return sorted((row["puzzle"],) for row in graded() if row["puzzle"] not in known)


def rejects():
    by_error = groups(rows("graded.rejects.parquet"), "error")
    found = [(error, len(of), min(row["line"] for row in of), of[0]["message"]) for error, of in by_error.items()]
    return sorted(found, key=lambda found: (-found[1], found[0]))


def folders_by_level():
    by_level = groups(graded(), "level")
    return [(level, len(by_level[level]), max(row["clues"] for row in by_level[level])) for level in ["easy", "hard"]]


def several_solvers_on_the_same_puzzles():
    guesses = {name: [row["guesses"] for row in of] for name, of in groups(rows("runs.parquet"), "solver").items()}
    found = [(name, len(of), sum(of) / len(of), statistics.median(of)) for name, of in guesses.items()]
    return sorted(found, key=lambda found: (found[2], found[0]))


def the_statistics_of_many_runs():
    def figures(at):
        table = rows(f"s{at}.parquet")
        clues = sorted(row["clues"] for row in table)
        easy = sum(row["level"] == "easy" for row in table)
        return f"shard-{at}.json", len(table), easy, clues[math.ceil(0.5 * len(clues)) - 1]

    return [figures(at) for at in range(2)]


def object_stores():
    counts = collections.Counter(row["level"] for row in graded())
    return sorted(counts.items(), key=lambda pair: (pair[0] is None, pair[0]))


def python():
    efforts = [row["effort"] for row in graded() if row["level"] == "hard"]
    return [(len(efforts), min(efforts), max(efforts))]


def store():
    """A store in memory that serves addresses with s3://."""
    bucket = fsspec.filesystem("memory")

    class InMemory(type(bucket)):
        protocol = "s3"

        @classmethod
        def _strip_protocol(cls, path):
            return "/" + str(path).removeprefix("s3://").strip("/")

    bucket = InMemory()
    bucket.pipe_file("/sudoku/graded/part-0.parquet", pathlib.Path("graded.parquet").read_bytes())
    return bucket


def statements():
    """The statements of the page. Each has its heading as a function name, its language, and its text."""
    for section in re.split(r"^## ", page.read_text(), flags=re.M)[1:]:
        name = re.sub(r"[^a-z ]", "", section.splitlines()[0].lower()).strip().replace("  ", " ").replace(" ", "_")
        for language, text in re.findall(r"^```(sql|python)\n(.*?)^```", section, flags=re.M | re.S):
            yield name, language, text


def plain(answer):
    return [tuple(float(value) if type(value).__name__ == "Decimal" else value for value in row) for row in answer]


def close(one, other):
    if isinstance(one, float) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-9)
    return one == other


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    make_tables()
    duckdb.register_filesystem(store())
    checked = 0
    for name, language, text in statements():
        expected_of = globals().get(name)
        assert callable(expected_of), f"docs/sql.md: no check is named {name}"
        if language == "python":
            names = {}
            exec(text, names)
            answer = names["answer"]
        else:
            answer = duckdb.sql(text)
            answer = answer.fetchall() if answer is not None else duckdb.sql("FROM 'balanced.parquet' SELECT count(*)").fetchall()
        answer, expected = plain(answer), expected_of()
        same = len(answer) == len(expected) and all(
            len(one) == len(other) and all(map(close, one, other)) for one, other in zip(answer, expected)
        )
        assert answer and same, f"{name}:\nDuckDB {answer[:5]}\nPython {expected[:5]}"
        checked += 1
    os.chdir("/")
print(f"{checked} statements of docs/sql.md: answers as expected")
