"""The tables are those of the command line, whichever library the puzzles come from."""

import pyarrow as pa
import pytest
from conftest import EASY, SOLVED, same

import sudoku_pipeline as sp


@pytest.mark.parametrize(
    "name, options, arguments",
    [
        ("grade", {}, []),
        ("grade", {"ladder": "basic", "max_rank": 10}, ["--ladder", "basic", "--max-rank", "10"]),
        ("grade", {"with_": "waves"}, ["--with", "waves"]),
        ("grade", {"uniqueness": True, "keep": "none"}, ["--uniqueness", "--keep", "none"]),
        ("grade", {"with_": ["canonical", "minimal"], "keep": ["id"]}, ["--with", "canonical,minimal", "--keep", "id"]),
        ("grade", {"where": "rank > 2", "select": ["id", "level"]}, ["--where", "rank > 2", "--select", "id,level"]),
        ("grade", {"rename": {"id": "number"}, "skip": 10, "limit": 99}, ["--rename", "id=number", "--skip", "10", "--limit", "99"]),
        ("grade", {"sample": 0.3, "seed": 5}, ["--sample", "0.3", "--seed", "5"]),
        ("grade", {"with_": "se", "se_max": 6.5, "limit": 60}, ["--with", "se", "--se-max", "6.5", "--limit", "60"]),
        ("grade", {"with_": ["hodoku", "te"], "limit": 80}, ["--with", "hodoku,te", "--limit", "80"]),
        (
            "grade",
            {"with_": "hodoku", "hodoku_version": "2.3", "limit": 80},
            ["--with", "hodoku", "--hodoku-version", "2.3", "--limit", "80"],
        ),
        ("solve", {"with_": ["backdoors", "te"], "limit": 40}, ["--with", "backdoors,te", "--limit", "40"]),
        ("solve", {"solution_limit": 50}, ["--solution-limit", "50"]),
        ("solve", {"solver": "backtrack-pairs-fixed"}, ["--solver", "backtrack-pairs-fixed"]),
        ("convert", {}, []),
        ("convert", {"schema": "canonical", "blank": "0"}, ["--schema", "canonical", "--blank", "0"]),
        ("grade", {"with_": sp.with_names(), "limit": 12, "se_work": 10**7}, ["--with", ",".join(sp.with_names()), "--limit", "12", "--se-work", "10000000"]),
    ],
)
def test_tables_are_those_of_the_command_line(puzzles, pipeline, tmp_path, name, options, arguments):
    theirs = pipeline(name, puzzles, *arguments)
    source = {} if name == "convert" else {"source": str(tmp_path / "in.arrow")}
    ours = pa.table(getattr(sp, name)(puzzles, **options, **source))
    assert same(ours, theirs)
    # In files, dictionaries are replaced by their values.
    types = [kind.value_type if pa.types.is_dictionary(kind) else kind for kind in ours.schema.types]
    assert types == theirs.schema.types


def test_rejects_are_those_of_the_command_line(puzzles, pipeline, tmp_path):
    import pyarrow.feather as feather

    pipeline("grade", puzzles)
    theirs = feather.read_table(tmp_path / "rejects.arrow").drop_columns(["source"])
    stream = sp.grade(puzzles)
    rows = pa.table(stream)
    ours = pa.table(stream.rejects).drop_columns(["source"])
    assert same(ours, theirs)
    counts = sp.counts(stream)
    assert (counts["rows"], counts["written"]) == (3000, rows.num_rows)
    assert sum(counts["rejects"].values()) == ours.num_rows == 60


def test_a_wrong_solution_fails_validation():
    table = pa.table({"puzzle": [EASY, EASY, "." * 81], "solution": [SOLVED, SOLVED[::-1], None]})
    failures = pa.table(sp.validate(table)).to_pylist()
    assert [(row["row"], row["why"]) for row in failures] == [(1, "wrong_solution"), (2, "multiple")]
    assert pa.table(sp.validate(table.slice(0, 1))).num_rows == 0


def test_rejects_can_be_rows_in_their_place(puzzles):
    rows = pa.table(sp.grade(puzzles, rejects="rows"))
    assert rows.column("id").to_pylist() == list(range(3000))
    assert rows.column("tag").to_pylist() == puzzles.column("tag").to_pylist()
    apart = sp.grade(puzzles)
    kept = pa.table(apart).to_pylist()
    rejected = {row["row"]: row for row in pa.table(apart.rejects).to_pylist()}
    kept = iter(kept)
    for at, row in enumerate(rows.to_pylist()):
        why = {name: row.pop(name) for name in ("error", "message", "raw")}
        if at in rejected:
            assert row["status"] == "rejected" and row["puzzle"] is None
            assert why == {name: rejected[at][name] for name in why}
        else:
            assert row == next(kept) and set(why.values()) == {None}


def test_everything_with_the_arrow_interface_is_taken():
    texts = [EASY, EASY]
    expected = pa.table(sp.solve(texts))
    column = pa.array(texts)
    table = pa.table({"puzzle": column})
    for data in [
        table,
        table.to_batches()[0],
        table.to_reader(),
        column,
        pa.chunked_array([column.slice(0, 1), column.slice(1)]),
        column.cast(pa.large_string()),
        column.cast(pa.string_view()),
        column.cast(pa.binary()),
        column.dictionary_encode(),
        pa.array([[int(cell) if cell != "." else 0 for cell in text] for text in texts]),
        sp.convert(texts),
        tuple(texts),
    ]:
        assert same(pa.table(sp.solve(data)), expected)


def test_an_iterated_stream_has_the_same_rows(puzzles):
    stream = sp.grade(puzzles)
    batches = [pa.record_batch(batch) for batch in stream]
    assert all(len(batch) <= 4096 for batch in batches)
    assert same(pa.Table.from_batches(batches), pa.table(sp.grade(puzzles, threads=1)))


def test_a_schema_is_that_of_the_table(puzzles):
    for name, options in [("grade", {"with_": ["size"]}), ("solve", {}), ("convert", {"keep": "none"})]:
        made = pa.table(getattr(sp, name)(puzzles, **options)).schema
        assert pa.schema(sp.schema(name, puzzles, **options)) == made
        assert pa.schema(sp.schema(name, puzzles.schema, **options)) == made
    # Regression test: options of the functions that do not concern the columns were refused.
    assert sp.schema("grade", progress=False).names == sp.schema("grade", progress=True).names == sp.schema("grade").names
    assert sp.columns("solve", progress=False) == sp.columns("solve")
    rejects = sp.columns("rejects")
    assert [column["name"] for column in rejects] == sp.schema("rejects").names
    assert all(column["doc"] for column in sp.columns("grade", uniqueness=True, with_=sp.with_names()))


def test_generated_puzzles_are_those_of_the_command_line(command, tmp_path):
    import subprocess

    path = tmp_path / "made.txt"
    arguments = ["generate", "20", "--seed", "9", "--level", "medium", "--skip", "3", "-o", str(path)]
    subprocess.run([command, *arguments], check=True, capture_output=True)
    ours = pa.table(sp.generate(20, seed=9, level="medium", skip=3)).column("puzzle").to_pylist()
    assert ours == path.read_text().split()


def test_other_sizes_are_taken():
    made = pa.table(sp.generate(5, seed=1, size=16))
    rows = pa.table(sp.grade(made, with_="size")).to_pylist()
    assert [(row["size"], row["status"], row["solution_given"]) for row in rows] == [(16, "unique", "correct")] * 5


def test_explanations_come_as_text_html_and_data():
    assert "naked single" in sp.explain(EASY, brief=True).lower()
    assert sp.explain(EASY, format="html").lstrip().lower().startswith("<!doctype html")
    assert sp.explain(EASY, format="json")["technique"] == "naked_single"
    assert "2.3" in sp.explain(EASY, rating="hodoku", hodoku_version="2.3")
    assert "X-wing" in sp.explain(technique="x_wing")


def test_arrays_without_a_column_are_the_puzzles_and_the_solutions_of_solve():
    np = pytest.importorskip("numpy")
    both = sp.generate(5, seed=1).to_numpy(["puzzle", "solution"])
    puzzles, solutions = both["puzzle"], both["solution"]
    assert (puzzles == 0).any() and (solutions > 0).all()
    for rows in (sp.generate(5, seed=1), sp.grade(puzzles), sp.convert(puzzles), sp.dedup(puzzles)):
        assert np.array_equal(rows.to_numpy(), puzzles)
    assert np.array_equal(sp.solve(puzzles).to_numpy(), solutions)
    assert np.array_equal(sp.grade(puzzles, select=["solution"]).to_numpy(), solutions)
    with pytest.raises(sp.UsageError, match="there is no column puzzle"):
        sp.grade(puzzles, select=["level"]).to_numpy()
