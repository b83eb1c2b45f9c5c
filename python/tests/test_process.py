"""The effects of a stream on its process: threads, memory, signals, and exit."""

import concurrent.futures
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pyarrow as pa
import pytest
from conftest import EASY

import sudoku_pipeline as sp


def resident():
    """The memory of this process, in bytes."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def os_threads():
    """The number of threads of this process, those of Rust included."""
    return len(os.listdir("/proc/self/task"))


def endless(count, rows=4096):
    """Batches from a Python generator, and a list that counts how many were requested."""
    batch = pa.record_batch({"puzzle": [EASY] * rows})

    def batches():
        while True:
            count.append(1)
            yield batch

    return pa.RecordBatchReader.from_batches(batch.schema, batches())


def test_other_threads_run_meanwhile():
    puzzles = pa.table(sp.generate(30_000, seed=2)).column("puzzle")
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    pa.table(sp.grade(puzzles))
    took = time.monotonic() - start
    done.set()
    thread.join()
    assert len([at for at in ticks if at > start]) > took / 0.002 / 20


def test_nothing_is_read_far_ahead():
    count = []
    stream = sp.grade(endless(count), threads=2)
    for _ in range(3):
        next(stream)
    time.sleep(1)
    before = len(count)
    assert before < 40
    stream.close()
    with pytest.raises(StopIteration):
        next(stream)
    time.sleep(0.2)
    assert len(count) <= before + 1


def test_memory_does_not_grow_with_the_input():
    stream = sp.solve(endless([]), threads=2, with_="size")
    for _ in range(20):
        next(stream)
    start = resident()
    for _ in range(200):
        next(stream)
    assert resident() - start < 48 << 20
    stream.close()


def test_calls_leak_nothing():
    table = pa.table({"puzzle": [EASY] * 20, "id": list(range(20))})

    def calls(times):
        for _ in range(times):
            pa.table(sp.grade(table, threads=1))
            next(sp.grade(table, threads=1))
            with pytest.raises(sp.DataError):
                sp.grade(table, puzzle_column="none")
        gc.collect()
        time.sleep(0.2)

    calls(40)
    start, threads, tasks = resident(), threading.active_count(), os_threads()
    calls(120)
    assert resident() - start < 8 << 20
    assert threading.active_count() == threads
    # Other libraries of this process, such as those of table formats, keep pools of threads of their own.
    assert os_threads() < tasks + 20


def run(code, *, interrupt_after=None):
    """Runs a script. Sends it SIGINT, like Ctrl-C, this many seconds after its first line."""
    script = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" + textwrap.dedent(code)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if interrupt_after is not None:
        assert process.stdout.readline() == "ready\n"
        time.sleep(interrupt_after)
        process.send_signal(signal.SIGINT)
    start = time.monotonic()
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err, time.monotonic() - start


ENDLESS = f"""
    import pyarrow as pa, sudoku_pipeline as sp
    batch = pa.record_batch({{"puzzle": ["{EASY}"] * 1000}})
    def batches():
        while True:
            yield batch
    stream = sp.grade(pa.RecordBatchReader.from_batches(batch.schema, batches()))
    print("ready", flush=True)
"""


def test_ctrl_c_ends_a_loop_over_an_endless_stream():
    script = "import signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" + textwrap.dedent(ENDLESS)
    script += "try:\n    for _ in stream: pass\nexcept KeyboardInterrupt:\n    print(time.monotonic(), flush=True)\n"
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    heard = float(process.communicate(timeout=60)[0])
    print(f"{heard - sent:.2f} s from the signal to the exception")


def test_eight_threads_get_the_same_results():
    np = pytest.importorskip("numpy")
    made = sp.generate(3000, seed=8)
    boards = made.to_numpy("puzzle")
    texts = sp.convert(boards, select="puzzle").to_arrow().column("puzzle").to_pylist()[:300]

    def work(_):
        solutions = sp.solve(boards, select="solution").to_numpy()
        levels = sp.grade(boards, select="level", threads=2).to_arrow().column("level").to_pylist()
        one_by_one = [(puzzle.solve(), puzzle.grade(), puzzle.hint().effect, np.asarray(puzzle).sum()) for puzzle in shared]
        return solutions, levels, one_by_one

    shared = [sp.Puzzle(text) for text in texts]
    expected = work(None)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for solutions, levels, one_by_one in pool.map(work, range(16)):
            assert (solutions == expected[0]).all() and levels == expected[1] and one_by_one == expected[2]


def test_ten_thousand_calls_leak_nothing():
    np = pytest.importorskip("numpy")
    cells = np.array([int(cell) for cell in EASY.replace(".", "0")], np.uint8).reshape(1, 81)
    steps = sp.Puzzle(EASY).steps()

    def calls(times):
        for at in range(times):
            puzzle = sp.Puzzle(cells[0] if at % 2 else EASY)
            puzzle.solve(), puzzle.count(2), puzzle.grade(), puzzle.hint(), puzzle.candidates, np.asarray(puzzle), puzzle.isomorph(at)
            steps[at % len(steps)]._repr_html_()
            with pytest.raises(sp.DataError):
                sp.Puzzle("no puzzle")
            if at % 20 == 0:
                sp.solve(cells).to_numpy()
                repr(sp.solve(iter([EASY])))
        gc.collect()

    calls(1000)
    start = resident()
    calls(10_000)
    assert resident() - start < 8 << 20


def test_ctrl_c_stops_an_iteration():
    code, _, err, took = run(ENDLESS + "    for _ in stream: pass", interrupt_after=0.5)
    assert code != 0 and "KeyboardInterrupt" in err and took < 10


def test_ctrl_c_stops_a_library_that_reads_the_stream():
    code, _, err, took = run(
        ENDLESS + "    r = pa.RecordBatchReader.from_stream(stream)\n    n = sum(map(len, iter(r.read_next_batch, None)))",
        interrupt_after=0.5,
    )
    assert code != 0 and "KeyboardInterrupt" in err and took < 10
    code, _, err, took = run(ENDLESS + "    pa.table(stream)", interrupt_after=0.5)
    assert code != 0 and "KeyboardInterrupt" in err and took < 10


def test_ctrl_c_stops_a_hard_search():
    code, _, err, took = run(
        """
        import sudoku_pipeline as sp
        print("ready", flush=True)
        for _ in sp.generate(1000, seed=1, clues=17, max_attempts=2**31): pass
        """,
        interrupt_after=0.5,
    )
    assert code != 0 and "KeyboardInterrupt" in err and took < 30


def test_a_process_ends_that_leaves_a_stream_unread():
    code, out, err, took = run(ENDLESS + "    next(stream)\n    print('end')")
    assert (code, out, err) == (0, "ready\nend\n", "") and took < 20


FORK = f"""
    import os, sys, time
    import pyarrow as pa, sudoku_pipeline as sp
    puzzle = "{EASY}"
    unread, half_read, taken = (sp.grade([puzzle] * 50_000) for _ in range(3))
    next(half_read)
    reader = pa.RecordBatchReader.from_stream(taken)
    reader.read_next_batch()
    child = os.fork()
    if child == 0:
        for call in (
            lambda: next(unread), lambda: next(half_read), lambda: pa.table(unread), lambda: unread.counts,
            lambda: unread.close(), lambda: repr(unread), lambda: unread.to_numpy(), reader.read_next_batch,
        ):
            try:
                call()
                os._exit(1)
            except (sp.UsageError, pa.ArrowException, OSError) as error:
                if "belongs to the process" not in str(error):
                    os._exit(2)
        del unread, half_read, taken, reader
        if len(pa.table(sp.grade([puzzle] * 3))) != 3:
            os._exit(3)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), len(pa.table(unread)), sum(map(len, half_read)) < 50_000)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_stream_of_the_parent_is_refused_in_a_forked_child():
    """Finding query 7: such a stream hung in the child for ever."""
    code, out, err, took = run(FORK)
    assert (code, out) == (0, "0 50000 True\n"), err
    assert took < 50


def test_a_stream_is_shown_while_another_thread_reads_it():
    stream = sp.grade([EASY] * 50_000)
    rows = []
    reader = threading.Thread(target=lambda: rows.extend(len(batch) for batch in stream))
    reader.start()
    for _ in range(20):
        assert "Stream with" in repr(stream)
    reader.join(60)
    assert sum(rows) == 50_000
