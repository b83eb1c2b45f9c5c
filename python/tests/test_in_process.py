"""Functions over whole datasets run in this process: they start no other, and leave its streams and signals alone."""

import concurrent.futures
import gc
import glob
import os
import signal
import subprocess
import tempfile
import warnings

import pytest
from conftest import EASY, SOLVED
from test_process import run

import sudoku_pipeline as sp

np = pytest.importorskip("numpy")

CALLS = {
    "augment": lambda b, s, **more: sp.augment(b, 2, seed=1, **more),
    "trace": lambda b, s, **more: sp.trace(b, **more),
    "evaluate": lambda b, s, **more: sp.evaluate(b, s, **more),
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
        (lambda: sp.overlap("missing.csv", [EASY]), sp.UsageError, ["missing.csv", "no such file"]),
        (lambda: sp.split([EASY], {"a": 0.3}), sp.UsageError, ["into="]),
    ],
)
def test_errors_are_those_of_the_package(call, kind, words):
    with pytest.raises(sp.PipelineError) as caught:
        call()
    assert type(caught.value) is kind, caught.value
    for word in words:
        assert word in str(caught.value)
    # Nothing of the temporary folder is in the message.
    assert tempfile.gettempdir() + os.sep not in str(caught.value)
