"""Functions over whole datasets run in this process: they start no other, and leave its streams and signals alone."""

import concurrent.futures
import gc
import glob
import os
import pickle
import signal
import subprocess
import tempfile
import warnings

import pytest
from conftest import EASY, SOLVED
from test_process import run

import sudoku_pipeline as sp
from sudoku_pipeline import _data, _datasets, _native

np = pytest.importorskip("numpy")

CALLS = {
    "augment": lambda b, s, **more: sp.augment(b, 2, seed=1, **more),
    "trace": lambda b, s, **more: sp.trace(b, **more),
    "evaluate": lambda b, s, **more: sp.evaluate(b, s, **more),
    "steps": lambda b, s, **more: sp.evaluate(b, steps=[["r1c1=5", "r5c5=5"]] * len(b), **more),
    "dedup": lambda b, s, **more: sp.dedup(b, **more),
    "split": lambda b, s, **more: sp.split(b, {"a": 0.5, "b": 0.5}, **more)["a"],
    "overlap": lambda b, s, **more: sp.overlap(b, b, **more),
    "audit": lambda b, s, **more: sp.audit({"a": b, "b": b[:5]}, **more)["a"],
    "compare": lambda b, s, **more: sp.compare(b, solvers=["lanes"], repeat=1, **more),
    "stats": lambda b, s, **more: sp.stats(b, **more),
    "report": lambda b, s, **more: sp.report(b, **more),
    "generate": lambda b, s, **more: sp.generate(3, near=b[:1], **more),
}


@pytest.fixture(scope="module")
def boards():
    return sp.generate(20, seed=5).to_numpy("puzzle")


@pytest.mark.parametrize("name", CALLS)
def test_a_call_starts_no_process_and_writes_nothing(name, boards, capfd, monkeypatch):
    def started(*_, **__):
        raise AssertionError("a process was started")

    solutions = sp.solve(boards).to_numpy()
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    monkeypatch.setattr(subprocess, "Popen", started)
    monkeypatch.setattr(os, "fork", started, raising=False)
    made = CALLS[name](boards, solutions)
    assert len(str(made)) > 0
    assert capfd.readouterr() == ("", "")
    assert handlers == [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]


def without_times(counts):
    """The counts of a call without what differs from call to call."""
    times = ("wall_seconds", "cpu_seconds", "peak_memory_bytes", "rows_per_second", "threads")
    return {name: value for name, value in counts.items() if name not in times}


ON_THIS_THREAD = [name for name in CALLS if name in (*_datasets._FEW_ROWS, "steps")]


@pytest.mark.parametrize("name", ON_THIS_THREAD)
def test_one_row_starts_no_thread(name, boards, monkeypatch):
    on_caller, call = [], _native.call

    def called(*arguments):
        on_caller.append(arguments[-1])
        return call(*arguments)

    monkeypatch.setattr(_native, "call", called)
    CALLS[name](boards[:1], sp.solve(boards[:1]).to_numpy())
    CALLS[name](np.tile(boards, (60, 1)), np.tile(sp.solve(boards).to_numpy(), (60, 1)))
    assert on_caller == [True, False]


@pytest.mark.parametrize("name", ON_THIS_THREAD)
def test_few_rows_on_this_thread_give_the_tables_of_many_threads(name, boards, monkeypatch):
    few = np.concatenate([boards[:10], boards[:3]])
    solutions = sp.solve(few).to_numpy()

    def called():
        made = CALLS[name](few, solutions)
        return made.to_arrow().to_pylist(), without_times(made.counts), made.text

    on_this_thread = called()
    monkeypatch.setattr(_datasets, "_FEW_ROWS", {})
    assert called() == on_this_thread


def test_rejects_of_few_rows_are_those_of_many_threads(boards, monkeypatch):
    few = [*map(sp.Puzzle, boards[:4]), "12"]
    rejects = sp.dedup(few).rejects.to_pylist()
    monkeypatch.setattr(_datasets, "_FEW_ROWS", {})
    assert len(rejects) == 1 and sp.dedup(few).rejects.to_pylist() == rejects


def test_what_the_command_would_warn_about_is_a_warning_here(boards):
    solutions = sp.solve(boards).to_numpy()
    with pytest.warns(sp.DataWarning, match="20 predictions are no grid.*prediction_error says why") as caught:
        judged = sp.evaluate(boards, solutions - 1)
    assert caught[0].filename == __file__ and "0 to 8" in judged.to_dict()["prediction_error"][0]
    with pytest.raises(sp.DataError, match="solutions of other puzzles.*key="):
        sp.evaluate(boards, solutions % 9 + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sp.evaluate(boards, solutions)
        # Some answers of a model have no moves.
        sp.evaluate(boards[:2], steps=["I do not know", "r1c1=5"])
        sp.evaluate(boards[:1], [None])
        sp.dedup(boards)


def test_few_rows_are_told_from_many(boards):
    most = _data.most_rows
    assert most(boards) == 20 and most(boards.reshape(-1, 9, 9)) == 20 and most({"puzzle": boards}) == 20
    assert most([EASY] * 7) == 7 and most(EASY) == 1 and most(sp.dedup(boards)) == 20
    for unknown in ("puzzles.csv", iter([EASY]), sp.solve(boards), [boards]):
        assert most(unknown) == float("inf")


def test_progress_is_on_standard_error(boards, capfd):
    sp.dedup(boards, progress=True)
    out, err = capfd.readouterr()
    assert out == "" and "dedup: 20 rows" in err


def test_environment_variables_of_the_command_have_no_effect(boards, monkeypatch, tmp_path):
    monkeypatch.setenv("PIPELINE_OUTPUT", str(tmp_path / "elsewhere.csv"))
    monkeypatch.setenv("PIPELINE_LIMIT", "1")
    assert len(sp.dedup(boards)) == 20 and not list(tmp_path.iterdir())


def test_temporary_files_go_with_their_table(boards, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = sp.augment(boards, 1)
        assert len(glob.glob(str(tmp_path / "*"))) == 1
        assert len(table) == 20
        del table
        with pytest.raises(sp.UsageError):
            sp.augment(boards, 0)
        sp.trace(boards, format="chat")
        gc.collect()
    assert not list(tmp_path.iterdir())


def test_rows_name_the_argument_they_come_from(boards):
    assert set(sp.overlap(boards, boards).to_arrow().column("source").to_pylist()) == {"b"}
    assert set(sp.evaluate(boards, boards).to_arrow().column("source").to_pylist()) == {"input"}


def test_counts_name_the_arguments_too(boards):
    counts = sp.overlap(boards, boards).counts
    assert [row["source"] for row in counts["inputs"]] == ["a", "b"] and counts["output"] == "output"


def test_an_audit_makes_its_texts_when_they_are_used(boards, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    audit = sp.audit({"train": boards, "test": boards[:5]})
    (folder,) = tmp_path.glob("*/audit")
    assert sorted(os.listdir(folder)) == ["_removed.arrow", "test.arrow", "train.arrow"]
    copied = pickle.loads(pickle.dumps(audit))
    assert "pipeline audit" in audit.card and "<svg" in audit.page and str(tmp_path) not in audit.card + audit.page
    assert (copied.card, copied.page, copied.counts) == (audit.card, audit.page, audit.counts)


def test_answers_that_are_none_are_missing(boards):
    solutions = [str(sp.Puzzle(board).solve()) for board in boards[:3]]
    judged = sp.evaluate(boards[:3], [solutions[0], None, solutions[2]])
    assert judged.to_dict()["verdict"] == ["solution", "missing", "solution"]
    assert sp.evaluate(boards, solutions, limit=3).to_dict()["verdict"] == ["solution"] * 3


def test_calls_in_threads_do_not_mix(boards):
    def work(at):
        part = boards[at % 10 : at % 10 + 3]
        return sp.augment(part, 1, seed=at).to_numpy().tolist(), sp.overlap(part, boards).text

    expected = [work(at) for at in range(12)]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert list(pool.map(work, range(12))) == expected


@pytest.mark.parametrize(
    "call",
    ["sp.augment([puzzle] * 2000, 60_000)", "sp.dedup(endless())", "sp.trace([puzzle] * 3_000_000, format='chat')"],
)
def test_ctrl_c_raises_one_keyboard_interrupt(call):
    code, out, err, took = run(
        f"""
        import glob, sudoku_pipeline as sp, tempfile
        puzzle = "{EASY}"
        def endless():
            while True:
                yield puzzle
        tempfile.tempdir = tempfile.mkdtemp()
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt as error:
            print(repr(error), error.__context__)
        print(glob.glob(tempfile.tempdir + "/*"), len(sp.dedup([puzzle] * 3)))
        """,
        interrupt_after=0.7,
    )
    assert (code, out) == (0, "KeyboardInterrupt() None\n[] 1\n"), err
    assert took < 30


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: sp.augment([EASY], 0), sp.UsageError, ["copies=", "1 to"]),
        (lambda: sp.dedup(["x"] * 30), sp.DataError, ["none of its 30 records"]),
        (lambda: sp.dedup([EASY], by="colour"), sp.UsageError, ["by=", "colour", "isomorph"]),
        (lambda: sp.dedup([EASY], where="nothing > 1"), sp.UsageError, ["nothing"]),
        (lambda: sp.evaluate([EASY], [SOLVED, SOLVED]), sp.DataError, ["prediction"]),
        (lambda: sp.evaluate([EASY] * 2, [SOLVED]), sp.DataError, ["1 predictions for 2 puzzles", "None", "key="]),
        (lambda: sp.evaluate([EASY] * 2, steps=[["r1c3=4"]]), sp.DataError, ["1 sequences of steps for 2 puzzles"]),
        (lambda: sp.dedup([EASY], by="isomorphs"), sp.UsageError, ["by=: must be one of exact,", "did you mean isomorph?"]),
        (lambda: sp.overlap("missing.csv", [EASY]), sp.UsageError, ["missing.csv", "no such file"]),
        (lambda: sp.split([EASY], {"a": 0.3}), sp.UsageError, ["into="]),
    ],
)
def test_errors_are_those_of_the_package(call, kind, words, monkeypatch):
    with pytest.raises(sp.PipelineError) as caught:
        call()
    assert type(caught.value) is kind, caught.value
    for word in words:
        assert word in str(caught.value)
    monkeypatch.setattr(_datasets, "_FEW_ROWS", {})
    with pytest.raises(kind) as on_threads:
        call()
    assert str(on_threads.value) == str(caught.value)
    # Nothing of the temporary folder is in the message.
    assert tempfile.gettempdir() + os.sep not in str(caught.value)
