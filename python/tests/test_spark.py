"""Spark returns the same rows, also from repeated tasks."""

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sudoku_pipeline as sp

pyspark = pytest.importorskip("pyspark")
# Only one process has the Spark session, even if the tests run on several.
pytestmark = pytest.mark.xdist_group("spark")

import sudoku_pipeline.spark as on_spark  # noqa: E402
from sudoku_pipeline.spark import job  # noqa: E402


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
    session = session.config("spark.sql.shuffle.partitions", 2).config("spark.sql.session.timeZone", "UTC")
    session = session.config("spark.driver.host", "127.0.0.1").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def folder(puzzles, tmp_path_factory):
    """The records in several files."""
    folder = tmp_path_factory.mktemp("puzzles")
    plain = puzzles.set_column(2, "tag", puzzles.column("tag").cast(pa.string()))
    for part in range(4):
        pq.write_table(plain.slice(part * 750, 750), folder / f"part-{part}.parquet")
    return folder


def rows_of(path):
    """The rows of a folder, by their ids."""
    rows = pq.read_table(path).to_pylist()
    return sorted(rows, key=lambda row: row["id"])


def test_rows_are_those_of_the_package(spark, folder, tmp_path):
    frame = on_spark.grade(spark.read.parquet(str(folder)), with_="canonical")
    frame.write.parquet(str(tmp_path / "graded"))
    expected = pa.table(sp.grade(pq.read_table(folder), rejects="rows", with_="canonical")).to_pylist()
    assert rows_of(tmp_path / "graded") == sorted(expected, key=lambda row: row["id"])


def test_ratings_are_those_of_the_package(spark, folder):
    frame = spark.read.parquet(str(folder)).where("id < 60").coalesce(1)
    options = {"with_": ["hodoku", "te"], "hodoku_version": "2.3", "select": ["id", "hodoku_score", "hodoku_level", "te_depth", "te_status"]}
    rows = {row["id"]: row.asDict() for row in on_spark.grade(frame, rejects="table", **options).collect()}
    table = pq.read_table(folder).slice(0, 60)
    expected = {row["id"]: row for row in pa.table(sp.grade(table, **options)).to_pylist()}
    assert rows == expected and len(rows) > 50


def test_large_strings_are_taken(spark, folder):
    setting = "spark.sql.execution.arrow.useLargeVarTypes"
    spark.conf.set(setting, "true")
    try:
        counted = on_spark.grade(spark.read.parquet(str(folder))).groupBy("status").count().collect()
    finally:
        spark.conf.unset(setting)
    assert {row["status"]: row["count"] for row in counted}["rejected"] == 60


def test_rejects_are_apart_where_that_is_asked(spark, folder):
    frame = spark.read.parquet(str(folder))
    assert on_spark.solve(frame, rejects="table").count() == 2940
    bad = on_spark.rejects(frame)
    assert bad.count() == 60
    assert {row["error"] for row in bad.collect()} >= {"wrong_length", "null_value", "conflict"}
    assert "id" in bad.columns and "puzzle" not in bad.columns


def test_options_are_checked_before_the_job(spark, folder):
    frame = spark.read.parquet(str(folder))
    with pytest.raises(sp.UsageError, match="'99' for max_rank="):
        on_spark.grade(frame, max_rank=99)
    with pytest.raises(sp.DataError, match="no column"):
        on_spark.grade(frame, puzzle_column="board")
    with pytest.raises(TypeError, match="every batch is on its own"):
        on_spark.grade(frame, limit=3)
    with pytest.raises(TypeError, match="progress= has no meaning on Spark"):
        on_spark.grade(frame, progress=False)
    with pytest.raises(TypeError, match="laddr"):
        on_spark.grade(frame, laddr="basic")


def test_isomorphs_are_one_class(spark, folder, tmp_path):
    arguments = ["grade", str(folder), "-o", str(tmp_path / "out"), "--distinct", "--rejects", str(tmp_path / "bad")]
    job.run(spark, job.parser().parse_args(arguments))
    expected = pa.table(sp.solve(pq.read_table(folder), with_="canonical")).column("canonical")
    found = pq.read_table(tmp_path / "out").column("canonical").to_pylist()
    assert sorted(found) == sorted(set(expected.to_pylist()))
    assert pq.read_table(tmp_path / "bad").num_rows == 60


def test_the_job_on_a_cluster_with_a_packed_environment(folder, tmp_path):
    """The executors have only the packages of the job, which spark.archives unpacks."""
    pack = Path(sys.executable).parent / "venv-pack"
    if not pack.exists():
        pytest.skip("venv-pack is not installed")
    archive = tmp_path / "environment.tar.gz"
    # The packages that the job needs.
    packages = ["dateutil", "numpy*", "pandas*", "pyarrow*", "pytz*", "six*", "sudoku_pipeline*", "tzdata*"]
    installed = "lib/python*/site-packages"
    chosen = [f"--exclude={installed}/*", *(f"--include={installed}/{name}" for name in packages)]
    packed = subprocess.run(
        [str(pack), "-p", sys.prefix, "-o", str(archive), "--compress-level", "1", *chosen], capture_output=True, text=True
    )
    assert packed.returncode == 0, packed.stderr
    # Executors unpack the archive into a folder of Spark's home.
    home = tmp_path / "spark"
    home.mkdir()
    for part in Path(pyspark.__file__).parent.iterdir():
        (home / part.name).symlink_to(part)
    environment = {
        **os.environ,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYSPARK_PYTHON": "./environment/bin/python",
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        [
            str(home / "bin" / "spark-submit"),
            "--master", "local-cluster[2,1,1024]",
            "--conf", "spark.ui.enabled=false",
            "--conf", "spark.driver.host=127.0.0.1",
            "--archives", f"{archive}#environment",
            job.__file__, "grade", str(folder), "-o", str(tmp_path / "out"), "--partitions", "4",
        ],
        capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=280,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert (tmp_path / "out" / "_SUCCESS").exists()
    assert [row["id"] for row in rows_of(tmp_path / "out")] == list(range(3000))
    assert archive.stat().st_size < 300e6


# A process has either its own session, or is a client of a Spark Connect server. So the client is another
# process.
CONNECT = """
import sys
from pyspark.sql import SparkSession
import sudoku_pipeline.spark as on_spark

spark = SparkSession.builder.remote("local[2]").getOrCreate()
graded = on_spark.grade(spark.read.parquet(sys.argv[1]))
assert "connect" in type(graded).__module__, type(graded)
graded.write.parquet(sys.argv[2])
spark.stop()
"""


def test_a_client_of_spark_connect_has_the_same_rows(folder, tmp_path):
    pytest.importorskip("grpc")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    target = tmp_path / "graded"
    client = subprocess.run(
        [sys.executable, "-c", CONNECT, str(folder), str(target)],
        env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert client.returncode == 0, client.stderr
    expected = pa.table(sp.grade(pq.read_table(folder), rejects="rows")).to_pylist()
    assert rows_of(target) == sorted(expected, key=lambda row: row["id"])
