"""The functions over whole datasets return the tables of the commands, and accept all their options."""

import inspect
import json
import re
import subprocess

import pyarrow as pa
import pyarrow.feather as feather
import pytest
from conftest import EASY, SOLVED, same

import sudoku_pipeline as sp
from sudoku_pipeline import _native
from sudoku_pipeline._errors import for_python

# Options without a parameter: files are returned as objects, and log messages are raised as errors.
FILES = {"output", "format", "compression", "overwrite", "rejects", "summary", "metrics", "duplicates", "resume", "prune"}
FILES |= {"extract-report"}
FILES |= {"metrics-task", "max-damaged", "partition-by", "max-rows-per-file", "quiet", "verbose", "log-level", "log-format", "color"}
LEFT_OUT = {
    # sp.stats(stream) returns the statistics.
    "grade": {"report", "memory-limit"},
    # These options are parts of the parameter solver=.
    "solve": {"scheme", "order", "rounds", "memory-limit"},
    # Only the command can make easier versions of puzzles.
    "convert": {"memory-limit", "hints"},
    "validate": {"memory-limit", "keep", "max-wrong", "allow-empty"},
    "generate": {"memory-limit"},
    # rating="se" is equivalent; the row of a table is a value in Python.
    "explain": {"se", "row"},
    "schema": set(),
    # It shortens the text that the command prints.
    "stats": {"brief"},
}
# A pattern with the cells of the clues.
PATTERN = "".join("x" if cell != "." else "." for cell in EASY)
# Commands that are only useful in a shell.
FOR_SHELLS = {"completions", "man", "help"}


def test_every_option_of_every_command_is_a_parameter_or_named_as_none():
    for command, options in json.loads(_native.described()).items():
        if command in FOR_SHELLS:
            continue
        function = getattr(sp, command)
        parameters = {name.rstrip("_") for name in inspect.signature(function).parameters}
        expected = {option.replace("-", "_") for option in set(options) - FILES - LEFT_OUT.get(command, set())}
        assert expected <= parameters, f"sp.{command} lacks {sorted(expected - parameters)}"
        for name, about in options.items():
            if name in LEFT_OUT.get(command, ()) or name in FILES:
                continue
            default = inspect.signature(function).parameters
            default = default.get(name.replace("-", "_"), default.get(name.replace("-", "_") + "_"))
            is_switch = default is not None and default.default is False
            assert is_switch != about["takes_value"] or name in ("progress", "card"), f"{command} --{name}"


@pytest.fixture(scope="module")
def theirs(puzzles, command, tmp_path_factory):
    """Runs a command on the puzzles."""
    folder = tmp_path_factory.mktemp("theirs")
    feather.write_feather(puzzles, folder / "in.arrow", compression="uncompressed")

    def run(name, *arguments, output="out.arrow"):
        words = [command, name, "in.arrow", *arguments, "--overwrite", "-q"]
        words += ["-o", output] if output else []
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout if not output else folder / output

    return run


@pytest.mark.parametrize(
    "name, options, arguments",
    [
        ("dedup", {}, []),
        ("dedup", {"by": "exact", "where": "id > 100", "blank": "0"}, ["--by", "exact", "--where", "id > 100", "--blank", "0"]),
        ("augment", {"copies": 3, "seed": 5, "limit": 50}, ["--copies", "3", "--seed", "5", "--limit", "50"]),
        ("augment", {"copies": 1, "with_original": True, "limit": 9}, ["--copies", "1", "--with-original", "--limit", "9", "--seed", "0"]),
        ("trace", {"limit": 60, "rename": {"id": "n"}}, ["--limit", "60", "--rename", "id=n"]),
    ],
)
def test_tables_are_those_of_the_commands(puzzles, theirs, name, options, arguments):
    expected = feather.read_table(theirs(name, *arguments))
    ours = getattr(sp, name)(puzzles, **options)
    if "source" in expected.column_names:
        expected = expected.drop_columns(["source"])
        assert same(ours.to_arrow().drop_columns(["source"]), expected)
    else:
        assert same(ours.to_arrow(), expected)
    assert len(ours) == expected.num_rows == ours.counts["rows_out"]
    assert same(ours.to_arrow(), ours.to_arrow())
    if not options:
        assert len(ours.rejects) == 60 and len(ours.duplicates) > 0
        assert f"{len(ours):,} rows" in repr(ours) and "<table" in ours._repr_html_()


def without_source(table):
    return table.drop_columns([name for name in table.column_names if "source" in name])


@pytest.fixture(scope="module")
def sets(puzzles, theirs):
    """Two tables that share puzzles, and the folder with their files a.arrow and b.arrow."""
    folder = theirs("dedup").parent
    made = pa.table(sp.generate(300, seed=3))
    both = (made.slice(0, 200), pa.concat_tables([made.slice(150), made.slice(290)]))
    for name, table in zip("ab", both):
        feather.write_feather(table, folder / f"{name}.arrow", compression="uncompressed")
    return (*both, folder)


def run_in(folder, command, *words):
    overwrite = [] if words[0] == "inspect" else ["--overwrite", "-q"]
    done = subprocess.run([command, *words, *overwrite], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pairs_sets_and_judgements_are_those_of_the_commands(sets, command):
    a, b, folder = sets
    run_in(folder, command, "overlap", "a.arrow", "b.arrow", "--by", "exact", "-o", "pairs.arrow")
    pairs = sp.overlap(a, b, by="exact")
    assert len(pairs) == 50
    assert same(without_source(pairs.to_arrow()), without_source(feather.read_table(folder / "pairs.arrow")))

    run_in(folder, command, "evaluate", "a.arrow", "--prediction-column", "solution", "-o", "judged.arrow")
    judged = sp.evaluate(a, prediction_column="solution")
    assert same(without_source(judged.to_arrow()), without_source(feather.read_table(folder / "judged.arrow")))

    run_in(folder, command, "audit", "train=a.arrow", "test=b.arrow", "-o", "audit", "--format", "arrow", "--title", "T")
    found = sp.audit({"train": a, "test": b}, title="T")
    for name in ("train", "test"):
        assert same(found[name].to_arrow(), feather.read_table(folder / "audit" / f"{name}.arrow"))
    removed = feather.read_table(folder / "audit" / "_removed.arrow")
    assert same(without_source(found.removed.to_arrow()), without_source(removed))


def test_figures_and_pages_are_those_of_the_commands(sets, command):
    a, b, folder = sets
    # Without waves, the page names the option that writes them, in Python's spelling.
    feather.write_feather(pa.table(sp.grade(a, with_="waves")), folder / "graded.arrow", compression="uncompressed")
    graded = folder / "graded.arrow"
    figures = json.loads(run_in(folder, command, "stats", str(graded), "--format", "json"))
    assert dict(sp.stats(graded)) == figures
    assert {**sp.stats(pa.table(sp.grade(a, with_="waves"))), "inputs": figures["inputs"]} == figures
    run_in(folder, command, "report", str(graded), "-o", "page.html", "--title", "T")
    page = sp.report(graded, title="T")
    assert page == for_python((folder / "page.html").read_text(), "grade|audit|explain")
    # The comment with the version of the command is left.
    assert "<code>explain()</code>" in page and len(re.findall(r"\bpipeline [a-z]+", page)) == 1
    assert "grade()" in sp.report([EASY]) and "pipeline grade" not in sp.report([EASY])
    described = json.loads(run_in(folder, command, "inspect", str(graded), "--format", "json"))
    described.pop("path", None), described.pop("source", None)
    assert {name: value for name, value in sp.inspect(graded).items() if name in described} == described
    run_in(folder, command, "trace", "a.arrow", "--limit", "3", "--format", "chat", "-o", "chat.ndjson")
    chat = [json.loads(line) for line in (folder / "chat.ndjson").read_text().splitlines()]
    assert sp.trace(folder / "a.arrow", limit=3, format="chat") == chat


@pytest.mark.parametrize(
    "options, columns",
    [
        ({"keep": ["a,b"]}, ["puzzle", "a,b"]),
        ({"keep": ["id", "all"]}, ["id", "puzzle", "all"]),
        ({"keep": ["all"]}, ["id", "puzzle", "a,b", "all"]),
        ({"keep": ("none",)}, ["puzzle"]),
        ({"keep": []}, ["puzzle"]),
        ({"keep": "all"}, ["id", "puzzle", "a,b", "all"]),
        ({"select": ["a,b", "id"]}, ["a,b", "id"]),
        ({"rename": {"all": "x,id=q"}}, ["id", "puzzle", "a,b", "x,id=q"]),
        ({"rename": {"a,b": 'say "b"'}}, ["id", "puzzle", 'say "b"', "all"]),
        ({"rename": "id=n"}, ["n", "puzzle", "a,b", "all"]),
    ],
)
def test_names_of_columns_may_have_any_characters(options, columns):
    """Regression test: names with a comma or an equals sign were several names, and an empty list kept all columns."""
    table = pa.table({"id": [1], "puzzle": [EASY], "a,b": [2], "all": ["x"]})
    assert sp.convert(table, **options).to_arrow().column_names == columns
    assert sp.dedup(table, **options).to_arrow().column_names == columns


def test_failures_and_filtered_rows_are_those_of_the_commands(puzzles, theirs, command):
    folder = theirs("convert", "--where", "id > 2000", output="kept.arrow").parent
    assert same(sp.filter(puzzles, "id > 2000").to_arrow(), feather.read_table(folder / "kept.arrow"))
    done = subprocess.run([command, "validate", "in.arrow"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 3
    theirs = re.findall(r"^in\.arrow, row (\d+)[^:]*: (\w+):", done.stdout + done.stderr, re.MULTILINE)
    ours = [(str(row["row"]), row["why"]) for row in sp.validate(puzzles).to_arrow().to_pylist()]
    assert len(ours) > 100 and ours[: len(theirs)] == theirs and len(theirs) == 10, done.stderr[:300]


@pytest.mark.parametrize(
    "options, words",
    [
        ({"pattern": PATTERN}, ["--pattern", PATTERN]),
        ({"from_": "grids"}, ["--from", "grids.csv"]),
        ({"near": "grids", "swap": 1, "where": "rank >= 2"}, ["--near", "minimal.csv", "--swap", "1", "--where", "rank >= 2"]),
        ({"near": "grids", "count": 3, "swap": 2}, ["3", "--near", "minimal.csv", "--swap", "2"]),
        ({"mix": "easy=0.5,medium=0.5"}, ["--mix", "easy=0.5,medium=0.5"]),
        ({"hodoku_level": "easy", "hodoku_version": "2.3"}, ["--hodoku-level", "easy", "--hodoku-version", "2.3"]),
        ({"clues": 30, "symmetry": "rotational", "minimal": False}, ["--clues", "30", "--symmetry", "rotational"]),
        ({"size": 6, "skip": 5}, ["--size", "6", "--skip", "5"]),
        ({"solutions": 2, "max_attempts": 500}, ["--solutions", "2", "--max-attempts", "500"]),
        ({"se": "1.0..2.5"}, ["--se", "1.0..2.5"]),
    ],
)
def test_made_puzzles_are_those_of_the_command(sets, command, options, words):
    folder = sets[2]
    puzzle = sp.generate(1, seed=4).to_arrow().column("puzzle")[0].as_py()
    (folder / "grids.csv").write_text(f"puzzle\n{SOLVED}\n{EASY}\n")
    (folder / "minimal.csv").write_text(f"puzzle\n{puzzle}\n")
    count = [] if "near" in options else ["6"]
    run_in(folder, command, "generate", *count, *words, "--seed", "9", "-o", "made.arrow")
    expected = feather.read_table(folder / "made.arrow")
    data = {"from_": [SOLVED, EASY], "near": [sp.Puzzle(puzzle)]}
    options = {name: data.get(name, value) for name, value in options.items()}
    made = sp.generate(options.pop("count", 6 if count else None), seed=9, **options)
    assert expected.num_rows > 0 and same(made.to_arrow(), expected)


def test_parts_share_no_puzzle(puzzles, theirs):
    parts = sp.split(puzzles, {"train": 0.8, "test": "rest"}, seed=7)
    folder = theirs("split", "--into", "train=0.8,test=rest", "--seed", "7", "--format", "arrow", output="parts/")
    for name in ("train", "test"):
        assert same(parts[name].to_arrow(), feather.read_table(folder / f"{name}.arrow"))
    assert sum(map(len, parts.values())) + len(parts.rejects) == 3000 and "train: " in repr(parts)
    pairs = sp.overlap(parts["train"], parts["test"])
    assert len(pairs) == 0 and pairs.counts["twins"] == 0
    assert list(sp.split(puzzles, folds=3)) == ["fold_1", "fold_2", "fold_3"]
    with pytest.raises(sp.DataError):
        sp.overlap(parts["train"], parts["train"], max=0)


def test_sets_are_audited(puzzles):
    made = pa.table(sp.generate(40, seed=2))
    found = sp.audit({"train": made, "test": made.slice(0, 5)}, title="A test")
    assert (len(found["train"]), len(found["test"]), len(found.removed)) == (35, 5, 5)
    assert "A test" in found.card and found.page.startswith("<!DOCTYPE html") and found.counts
    assert len(sp.audit({"all": puzzles}, max_rejects="50%").rejected) == 60


def test_solvers_are_compared():
    runs = sp.compare(sp.generate(20, seed=1), solvers=["lanes", "backtrack-pairs-fixed"], repeat=1)
    assert len(runs) == 40 and set(runs.to_arrow().column("solver").to_pylist()) == {"lanes", "backtrack-pairs-fixed"}
    assert "microseconds" in runs.text and runs.counts["runs"] == 40


def test_predictions_are_judged():
    np = pytest.importorskip("numpy")
    made = pa.table(sp.generate(50, seed=2))
    puzzles = sp.solve(made).to_numpy("puzzle")
    solutions = sp.solve(puzzles).to_numpy("solution")
    judged = sp.evaluate(puzzles, solutions)
    assert judged.counts["evaluation"]["exact"] == 50 and "100.00 %" in judged.text
    wrong = solutions.copy()
    wrong[:10, np.flatnonzero(puzzles[0] == 0)[0]] = 0
    judged = sp.evaluate(puzzles, wrong, against=solutions, with_="waves")
    assert judged.counts["evaluation"]["exact"] < 50 and len(judged) == 50
    assert any(name.startswith("waves_") for name in judged.schema.names)
    column = sp.evaluate(made, prediction_column="solution")
    assert column.counts["evaluation"]["exact"] == 50
    with pytest.raises(sp.DataError, match="min_exact="):
        sp.evaluate(puzzles, wrong, min_exact="95%")


def test_statistics_and_reports_show_themselves(puzzles, theirs, tmp_path):
    graded = pa.table(sp.grade(puzzles))
    figures = sp.stats(graded)
    assert figures["rows"] == graded.num_rows and sum(figures["level"].values()) > 0
    assert "Level" in str(figures) or "level" in str(figures)
    assert "<pre" in figures._repr_html_()
    page = sp.report(graded, title="Puzzles of a test")
    assert isinstance(page, str) and page.startswith("<!DOCTYPE html") and "Puzzles of a test" in page
    assert "srcdoc=" in page._repr_html_() and len(repr(page)) < 80
    page.write(str(tmp_path / "page.html"))
    assert sp.report(figures, title="Puzzles of a test") == sp.report(figures, title="Puzzles of a test")
    assert sp.report(graded, card=True).startswith(("#", "---"))
    assert sp.stats(graded, by="level")["rows"] == graded.num_rows
    grouped = sp.stats(sp.grade(puzzles, where="rank > 2"))
    assert 0 < grouped["rows"] < figures["rows"]


def test_files_are_described(tmp_path):
    (tmp_path / "a.csv").write_text(f"id;puzzle\n1;{EASY}\n")
    found = sp.inspect(tmp_path / "a.csv")
    assert found["format"] == "csv" and "puzzle" in str(found)


def test_steps_are_messages_for_training():
    chat = sp.trace([EASY], format="chat")
    assert len(chat) == 1 and "messages" in chat[0]
    texts = sp.trace([EASY], template={"prompt": "Solve {puzzle}", "answer": "{solution}"})
    assert texts[0]["prompt"] == f"Solve {EASY}" and texts[0]["answer"] == str(sp.Puzzle(EASY).solve())
    with pytest.raises(sp.UsageError, match='must be "table", "chat" or "steps-npy"'):
        sp.trace([EASY], format="letter")


def test_puzzles_near_others_are_found():
    table = sp.generate(near=sp.generate(2, seed=1), swap=1)
    assert len(table) > 0 and "near" in table.schema.names
    assert all(sp.Puzzle(text).is_minimal for text in table.to_arrow().column("puzzle").to_pylist()[:20])
    with pytest.raises(sp.UsageError, match="near="):
        sp.generate(3, swap=2)
    with pytest.raises(sp.UsageError, match="cannot be used together"):
        sp.generate(3, near=[EASY], from_=[EASY])


def test_errors_are_those_of_the_commands():
    with pytest.raises(sp.UsageError, match="must be one of exact"):
        sp.dedup([EASY], by="moon")
    with pytest.raises(sp.DataError, match="its only record is not a puzzle.*allow_empty="):
        sp.dedup(["short"])
    with pytest.raises(sp.UsageError, match="no such file"):
        sp.stats("nowhere.parquet")
    with pytest.raises(sp.UsageError, match="at least one column"):
        sp.dedup([EASY], select=[])


def test_variables_of_the_command_change_nothing(monkeypatch):
    monkeypatch.setenv("PIPELINE_LIMIT", "1")
    assert len(sp.dedup(sp.generate(5, seed=1))) == 5
    assert sp.solve(sp.generate(5, seed=1)).to_arrow().num_rows == 5


def test_filters_keep_rows():
    table = pa.table({"puzzle": [EASY, "." * 81], "id": [1, 2]})
    assert sp.filter(table, "id > 1").to_arrow().to_pylist() == [{"puzzle": "." * 81, "id": 2}]


def test_nothing_is_left_on_disk(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    import gc
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", None)
    table = sp.dedup([EASY])
    assert list(tmp_path.iterdir())
    assert len(table) == 1
    del table
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_temporary_files_are_named_without_their_folder(capfd):
    for table in (sp.dedup([EASY], progress=True), sp.augment([EASY], copies=1, progress=True)):
        assert "sudoku-pipeline-" not in json.dumps(table.counts)
    assert "sudoku-pipeline-" not in capfd.readouterr().err


def test_ctrl_c_ends_a_command():
    from test_process import run

    code, _, err, took = run(
        """
        import sudoku_pipeline as sp
        data = sp.generate(2000, seed=1).to_arrow()
        print("ready", flush=True)
        sp.augment(data, 50_000)
        """,
        interrupt_after=1.5,
    )
    assert code != 0 and "KeyboardInterrupt" in err and took < 10
