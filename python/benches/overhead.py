"""The Python path beside the command line, on the same rows: wall and processor time in turns, the
largest memory, and whether another thread of Python makes progress meanwhile.

    python python/benches/overhead.py [ROWS] [TURNS] [PUZZLES.parquet]

Both read the same Parquet file and write a Parquet file with the same compression. Without a file, the
puzzles are generated: 500,000, repeated.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OURS = """
import sys, threading, time
import pyarrow.parquet as pq
import pyarrow as pa
import sudoku_pipeline as sp
ticks = 0
def tick():
    global ticks
    while True:
        ticks += 1
        time.sleep(0.001)
threading.Thread(target=tick, daemon=True).start()
start = time.monotonic()
file = pq.ParquetFile(sys.argv[1])
batches = pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(65536))
stream = sp.grade(batches, source="in")
if sys.argv[2] != "-":
    reader = pa.RecordBatchReader.from_stream(stream)
    with pq.ParquetWriter(sys.argv[2], reader.schema, compression="zstd") as out:
        waiting, rows = [], 0
        for batch in reader:
            waiting.append(batch)
            rows += batch.num_rows
            if rows >= 1 << 17:
                out.write_table(pa.Table.from_batches(waiting))
                waiting, rows = [], 0
        if waiting:
            out.write_table(pa.Table.from_batches(waiting))
else:
    for batch in stream:
        pass
print(ticks / (time.monotonic() - start))
"""


def run(arguments):
    """Wall seconds, processor seconds and peak memory of a process, and what it printed."""
    start = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, arguments
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out


def write_puzzles(source, target, rows):
    """Writes ``rows`` puzzles of a file. If the file has fewer, they are repeated from the first."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(source)
    schema = file.schema_arrow.empty_table().select(["puzzle"]).schema
    with pq.ParquetWriter(target, schema, compression="zstd") as out:
        while rows > 0:
            for batch in file.iter_batches(100_000, columns=["puzzle"]):
                batch = batch.slice(0, min(rows, batch.num_rows))
                out.write_batch(batch)
                rows -= batch.num_rows
                if rows == 0:
                    break


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    command = str(Path(sys.executable).parent / "pipeline")
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        puzzles, table = f"{folder}/in.parquet", f"{folder}/out.parquet"
        source = sys.argv[3] if len(sys.argv) > 3 else f"{folder}/generated.parquet"
        if len(sys.argv) <= 3:
            made = str(min(rows, 500_000))
            subprocess.run([command, "generate", made, "--seed", "1", "-o", source], check=True, capture_output=True)
        write_puzzles(source, puzzles, rows)
        ratios, processor = [], []
        for turn in range(turns):
            theirs = run([command, "grade", puzzles, "-o", table, "--overwrite", "--progress", "never"])
            ours = run([sys.executable, "-c", OURS, puzzles, table])
            ratios.append(ours[0] / theirs[0])
            processor.append(ours[1] / theirs[1])
            for name, figures in (("command", theirs), ("python", ours)):
                print(f"{name:8} {rows / figures[0]:>10,.0f} rows/s  {figures[0]:7.2f} s wall  {figures[1]:7.2f} s processor  {figures[2]:6.0f} MiB", flush=True)
            print(f"         another thread of Python ran {float(ours[3]):.0f} times a second")
        print(f"median ratio python / command: wall {statistics.median(ratios):.3f}, processor {statistics.median(processor):.3f}")


if __name__ == "__main__":
    assert resource.RUSAGE_CHILDREN is not None
    main()
