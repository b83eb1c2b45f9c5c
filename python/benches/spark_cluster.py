"""A million rows on a Spark cluster of two executors, one of which is killed in the middle.

    python python/benches/spark_cluster.py [ROWS] [--no-kill]

Reads many Parquet files, grades, writes Parquet. Asserts that the job completes, and that the output
has every row exactly once and equal to the command line's. Then the same rows by the command line on as
many threads, and in Spark without any work, to tell where the time goes.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark

import sudoku_pipeline as sp

FILES = 32


def executors():
    """The executors that this process has started, directly or through other processes."""
    found = []
    parents = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text()
            parents[int(entry.name)] = int(stat.rsplit(")", 1)[1].split()[1])
            if b"CoarseGrainedExecutorBackend" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except (FileNotFoundError, ProcessLookupError):
            continue

    def is_ours(pid):
        while pid > 1:
            if pid == os.getpid():
                return True
            pid = parents.get(pid, 0)
        return False

    return [pid for pid in found if is_ours(pid)]


def kill_one(spark, target):
    """Kills an executor after a quarter of the files has been written."""
    tracker = spark.sparkContext.statusTracker()
    while True:
        time.sleep(0.2)
        for stage in tracker.getActiveStageIds():
            info = tracker.getStageInfo(stage)
            if info and info.numCompletedTasks >= FILES // 4:
                pids = executors()
                if pids:
                    os.kill(pids[0], signal.SIGKILL)
                    print(f"killed executor process {pids[0]} after {info.numCompletedTasks} of {info.numTasks} tasks")
                    return


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    rows = int(arguments[0]) if arguments else 1_000_000
    kills = "--no-kill" not in sys.argv
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    import sudoku_pipeline.spark as on_spark

    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        source = Path(folder) / "in"
        source.mkdir()
        part = pa.table(sp.generate(rows // FILES, seed=6))
        for n in range(FILES):
            ids = pa.array(range(n * part.num_rows, (n + 1) * part.num_rows), pa.int64())
            # Each file has other puzzles: the digits are exchanged.
            digits = str.maketrans("123456789", "123456789"[n % 9 :] + "123456789"[: n % 9])
            texts = [text.translate(digits) for text in part.column("puzzle").to_pylist()]
            pq.write_table(pa.table({"id": ids, "puzzle": texts}), source / f"{n:03}.parquet")
        rows = FILES * part.num_rows

        spark = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", False)
        spark = spark.config("spark.driver.host", "127.0.0.1").config("spark.sql.files.maxPartitionBytes", "2m")
        spark = spark.config("spark.sql.files.openCostInBytes", "2m").getOrCreate()
        frame = spark.read.parquet(str(source))
        # Starts the executors and their Python processes before the measurement.
        on_spark.grade(frame.limit(1000)).count()

        start = time.monotonic()
        frame.mapInArrow(lambda batches: batches, frame.schema).write.parquet(f"{folder}/copied")
        copied = time.monotonic() - start

        killer = threading.Thread(target=kill_one, args=(spark, f"{folder}/out"), daemon=True)
        if kills:
            killer.start()
        start = time.monotonic()
        on_spark.grade(frame).write.parquet(f"{folder}/out")
        took = time.monotonic() - start
        if kills:
            killer.join(timeout=5)
            assert not killer.is_alive(), "no executor was killed"
        spark.stop()

        command = str(Path(sys.executable).parent / "pipeline")
        start = time.monotonic()
        subprocess.run([command, "grade", f"{source}/", "-o", f"{folder}/ours.parquet", "--threads", "2"], check=True, capture_output=True)
        ours = time.monotonic() - start

        expected = pq.read_table(f"{folder}/ours.parquet").drop_columns(["source", "row"])
        found = pq.read_table(f"{folder}/out")
        assert found.num_rows == rows == expected.num_rows, (found.num_rows, rows)
        found = pa.table({name: found.column(name) for name in expected.column_names}).cast(expected.schema)
        found, expected = (table.sort_by("id").combine_chunks() for table in (found, expected))
        assert found.equals(expected), "other rows"
        print(f"{rows} rows, each once and equal to the command line's")
        print(f"Spark, two executors of one core:    {took:6.1f} s  {rows / took:>9,.0f} rows/s")
        print(f"  of which without any work on rows: {copied:6.1f} s")
        print(f"the command line on two threads:     {ours:6.1f} s  {rows / ours:>9,.0f} rows/s")


if __name__ == "__main__":
    main()
