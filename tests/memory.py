"""Measures the peak memory of every reader and every writer beside --memory-limit.

    python3 tests/memory.py target/release/pipeline                    # 64 MiB, a tenth of the rows: a minute
    python3 tests/memory.py target/release/pipeline --all --table memory.tsv

The inputs are several times larger than the limits, so that a reader or writer that keeps rows shows. It prints a table
of peaks (the resident set, in MiB) for each reader and writer, and writes it as TSV; a peak above the limit is a
failure. Only an input that has to be held as a whole may add to the limit, and the reader says how much: the record
batch of an Arrow file, a page of Parquet.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import zipfile

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
WRITERS = ["csv", "tsv", "ndjson", "parquet", "arrow", "arrows", "txt", "npy", "csv.gz", "csv.zst"]
# The input formats: those of tables with columns, and those with puzzles alone.
TABLES = ["csv", "tsv", "csv.gz", "csv.zst", "csv.zip", "ndjson", "json", "parquet", "arrow", "arrows"]
PUZZLES = ["txt", "sdk", "npy", "npz", "opensudoku"]
# Sizes of texts in bytes, for rows with a medium text and for rows with a very long one.
LONG = {"text": 6_000, "giant": 2_000_000}
NOTE = 400


def run(binary, *options):
    """Runs a command. Returns its exit code, its peak memory in MiB, and its messages."""
    process = subprocess.Popen([binary, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024, said


class Inputs:
    """The same rows in every input format. A file is made when it is first needed."""

    def __init__(self, binary, folder, megabytes, seed):
        self.binary, self.folder, self.bytes = binary, folder, megabytes * 1_000_000
        self.draw = random.Random(seed)

    def path(self, reader):
        path = self.folder / f"in.{reader.replace('-', '.')}"
        if not path.exists():
            self.make(reader, path)
        return path

    def table(self, path, note):
        """A CSV file with a text of about `note` bytes in each row. If `note` is None, it only has puzzles."""
        texts = []
        if note:
            # Random letters out of 36, which compress by a little less than half.
            letters = "abcdefghijklmnopqrstuvwxyz0123456789"
            texts = ["".join(self.draw.choices(letters, k=note)) for _ in range(min(500, 40_000_000 // note))]
        rows = self.bytes // (len(PUZZLE) + 10 + (note or 0))
        with open(path, "w", encoding="ascii") as file:
            file.write("id,puzzle,note\n" if note else "id,puzzle\n")
            for row in range(rows):
                file.write(f"{row},{PUZZLE},{self.draw.choice(texts)}\n" if note else f"{row},{PUZZLE}\n")

    def make(self, reader, path):
        kind, _, ending = reader.rpartition("-")
        if ending == "csv":
            return self.table(path, LONG.get(kind, NOTE))
        if reader == "puzzles":
            return self.table(path, None)
        if reader == "json":
            with open(self.path("ndjson"), encoding="ascii") as lines, open(path, "w", encoding="ascii") as file:
                for row, line in enumerate(lines):
                    file.write(("," if row else "[") + line)
                file.write("]\n")
        elif reader in ["csv.zip", "npz"]:
            members = {"in.csv": "csv"} if reader == "csv.zip" else {"puzzles.npy": "npy", "again.npy": "npy"}
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                for member, source in members.items():
                    archive.write(self.path(source), member)
        elif reader in ["opensudoku", "sdk"]:
            board = "".join(PUZZLE[row * 9 :][:9] + "\n" for row in range(9)) + "\n"
            game = f'<game data="{PUZZLE.replace(".", "0")}"/>\n' if reader == "opensudoku" else board
            with open(path, "w", encoding="ascii") as file:
                file.write("<opensudoku>\n" if reader == "opensudoku" else "")
                for _ in range(self.bytes // len(game)):
                    file.write(game)
                file.write("</opensudoku>\n" if reader == "opensudoku" else "")
        else:
            source = self.path("puzzles" if reader in PUZZLES else f"{kind}-csv" if kind else "csv")
            command = ["convert", source, "--input-format", "csv", "--max-record-bytes", "4MiB", "-o", path, "-q"]
            code, _, said = run(self.binary, *command)
            assert code == 0, (command, said)


def pairs(everything):
    """The pairs of readers and writers that are measured."""
    long = [f"{kind}-{ending}" for kind in LONG for ending in ["csv", "ndjson", "parquet", "arrow", "arrows"]]
    for reader in TABLES + PUZZLES + long:
        for writer in WRITERS:
            is_long = reader in long
            if is_long and writer not in ["csv", "ndjson", "parquet", "arrow", "arrows"]:
                continue
            if everything or writer == "parquet" or reader == "csv":
                yield reader, writer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--all", action="store_true", help="every reader to every writer, and three limits")
    parser.add_argument("--limits", help="values of --memory-limit in MiB: 64, or with --all 64,256,1024")
    parser.add_argument("--megabytes", type=int, help="the size of the inputs as CSV: 120, or with --all 400")
    parser.add_argument("--table", help="a TSV file for the peaks")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="readers, separated by commas")
    asked = parser.parse_args()
    limits = [int(limit) for limit in (asked.limits or ("64,256,1024" if asked.all else "64")).split(",")]
    megabytes = asked.megabytes or (400 if asked.all else 120)
    failures = []
    table = open(asked.table, "w", encoding="ascii") if asked.table else None
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(asked.binary, pathlib.Path(folder), megabytes, asked.seed)
        print(f"{megabytes} MB as CSV, seed {asked.seed}; peaks in MiB by --memory-limit\n")
        print(f"{'reader':<14} {'writer':<8}" + "".join(f"{limit:>8}" for limit in limits), flush=True)
        if table:
            table.write("\t".join(["reader", "writer", *map(str, limits)]) + "\n")
        for reader, writer in pairs(asked.all):
            if asked.only and reader not in asked.only.split(","):
                continue
            peaks = []
            for limit in limits:
                output = pathlib.Path(folder, f"out.{writer}")
                command = ["convert", inputs.path(reader), "-o", output, "-f", "-q", "--memory-limit", f"{limit}MiB"]
                if reader in ["giant-csv", "giant-ndjson"]:
                    command += ["--max-record-bytes", "4MiB"]
                code, peak, said = run(asked.binary, *command)
                if code == 2:
                    # The format cannot store the columns, or the limit is too low for the records. The
                    # command reports this before the work.
                    peaks.append("-")
                    continue
                assert code == 0, (reader, writer, limit, code, said)
                peaks.append(f"{peak:.0f}")
                # The additional memory that is allowed. A record batch is decoded as a whole, which takes 16
                # MiB for these inputs. A row of 2 MB is in memory four or five times in addition to what the
                # limit counts.
                more = 16 if reader.partition("-")[2].startswith("arrow") else 0
                more += 10 if reader.startswith("giant") else 0
                if peak > limit + more:
                    failures.append(f"{reader} to {writer}: {peak:.0f} MiB with a limit of {limit}")
            print(f"{reader:<14} {writer:<8}" + "".join(f"{peak:>8}" for peak in peaks), flush=True)
            if table:
                table.write("\t".join([reader, writer, *peaks]) + "\n")
                table.flush()
    print(f"\n{len(failures)} above the limit")
    for line in failures:
        print(line)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
