"""The Spark job: reads a dataset, grades, solves or converts it, and writes the result.

``python -m sudoku_pipeline.spark`` runs it, or ``spark-submit`` with the path of this file, which
``python -m sudoku_pipeline.spark --path`` prints.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from sudoku_pipeline import PipelineError, __version__
from sudoku_pipeline.spark import frames

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

COMMANDS = {"grade": frames.grade, "solve": frames.solve, "convert": frames.convert}

# : Formats that Spark can read and write without other packages. In the format text, each line is a puzzle.
FORMATS = ["parquet", "csv", "json", "orc", "text"]

EXAMPLES = """\
examples:
  python -m sudoku_pipeline.spark grade puzzles/ -o graded/ --master 'local[*]'
  spark-submit --archives env.tar.gz#environment \\
      $(python -m sudoku_pipeline.spark --path) grade s3a://in/ -o s3a://out/ --rejects s3a://bad/

Records that are not puzzles become rows with the status rejected, unless --rejects names a folder for them."""


def parser() -> argparse.ArgumentParser:
    """The command line of the job."""
    parser = argparse.ArgumentParser(
        prog="python -m sudoku_pipeline.spark",
        description="Grades, solves or converts datasets of Sudoku puzzles on Spark",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--path", action="version", version=__file__, help="print the path of this job for spark-submit")
    parser.add_argument("command", choices=list(COMMANDS))
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files, folders or patterns that Spark reads")
    parser.add_argument("-o", "--output", required=True, help="the folder to write")
    parser.add_argument("--input-format", choices=FORMATS, default="parquet", help="default: parquet")
    parser.add_argument("--format", "--output-format", choices=FORMATS[:-1], default="parquet", help="default: parquet")
    parser.add_argument("--rejects", metavar="FOLDER", help="write records that are not puzzles here instead of as rows")
    parser.add_argument("-f", "--overwrite", action="store_true", help="replace outputs that exist")
    parser.add_argument("--partitions", type=int, metavar="N", help="first divide the rows into N partitions")
    parser.add_argument("--distinct", action="store_true", help="keep one puzzle of each class of isomorphs")
    parser.add_argument("--master", help="Spark's master, if spark-submit does not set it")
    options = parser.add_argument_group("options of the command, as in pipeline COMMAND --help")
    options.add_argument("--puzzle-column", metavar="NAME")
    options.add_argument("--solution-column", metavar="NAME")
    options.add_argument("--keep", metavar="COLUMNS", help="all, none, or names separated by commas")
    options.add_argument("--alphabet", metavar="SYMBOLS")
    options.add_argument("--with", dest="with_", metavar="COLUMNS", help="names separated by commas")
    options.add_argument("--se-max", metavar="RATING")
    options.add_argument("--se-work", type=int, metavar="N")
    options.add_argument("--hodoku-version", metavar="VERSION")
    options.add_argument("--ladder", metavar="LADDER")
    options.add_argument("--max-rank", type=int, metavar="N")
    options.add_argument("--uniqueness", action="store_true", default=None)
    options.add_argument("--solution-limit", type=int, metavar="N")
    options.add_argument("--node-limit", type=int, metavar="N")
    return parser


# : The options of the job that are passed to the functions.
OPTIONS = [
    "puzzle_column",
    "solution_column",
    "keep",
    "alphabet",
    "with_",
    "se_max",
    "se_work",
    "hodoku_version",
    "ladder",
    "max_rank",
    "uniqueness",
    "solution_limit",
    "node_limit",
]


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options that were given, converted to the values that the functions expect."""
    options = {name: getattr(arguments, name) for name in OPTIONS}
    options = {name: value for name, value in options.items() if value is not None}
    for name in ("keep", "with_"):
        if name in options:
            names = [part.strip() for part in options[name].split(",")]
            options[name] = names[0] if names in (["all"], ["none"]) else names
    return options


def read(spark: SparkSession, arguments: argparse.Namespace) -> DataFrame:
    """The rows of the inputs."""
    reader = spark.read.format(arguments.input_format)
    if arguments.input_format == "csv":
        reader = reader.option("header", True)
    frame = reader.load(arguments.inputs)
    if arguments.input_format == "text":
        frame = frame.withColumnRenamed("value", "puzzle")
    return frame.repartition(arguments.partitions) if arguments.partitions else frame


def write(frame: DataFrame, path: str, arguments: argparse.Namespace) -> None:
    """Writes the rows; Spark commits the folder when all tasks have succeeded."""
    writer = frame.write.format(arguments.format)
    writer = writer.mode("overwrite" if arguments.overwrite else "errorifexists")
    if arguments.format == "csv":
        writer = writer.option("header", True)
    writer.save(path)


def run(spark: SparkSession, arguments: argparse.Namespace) -> None:
    """Runs the job in a session."""
    frame = read(spark, arguments)
    options = options_of(arguments)
    work = COMMANDS[arguments.command]
    if arguments.distinct:
        if arguments.command == "convert":
            raise SystemExit("--distinct: convert has no column canonical: use grade or solve")
        options["with_"] = sorted({*options.get("with_", []), "canonical"})
    rows = work(frame, rejects="table" if arguments.rejects else "rows", **options)
    if arguments.distinct:
        # Each row without a min-lex form is a class of its own.
        known = rows.where(rows["canonical"].isNotNull()).dropDuplicates(["canonical"])
        rows = known.unionByName(rows.where(rows["canonical"].isNull()))
    write(rows, arguments.output, arguments)
    if arguments.rejects:
        columns = ("puzzle_column", "solution_column", "keep", "alphabet")
        reading = {name: options[name] for name in columns if name in options}
        write(frames.rejects(frame, **reading), arguments.rejects, arguments)


def main(argv: list[str]) -> int:
    """Runs the job with these arguments, and returns its exit code."""
    arguments = parser().parse_args(argv)
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(f"sudoku-pipeline {arguments.command}")
    if arguments.master:
        builder = builder.master(arguments.master)
    spark = builder.getOrCreate()
    try:
        run(spark, arguments)
    except PipelineError as error:
        print(f"sudoku_pipeline.spark: {error}", file=sys.stderr)
        return error.exit_code
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
