"""Random jobs, each checked against what Python, pyarrow and DuckDB make of the same records.

Usage: soak.py PIPELINE [--minutes M] [--seed S] [--job N]

A job writes random records as random files, runs a random command with random options over them (some
runs are killed and resumed, some have hardly any memory), and compares the tables, the rejects and the
summary with what a plain Python solver and DuckDB say of the records. `--job N` runs that job alone
and keeps its folder. Ten minutes and more end with the quick form of `memory.py`. Needs pyarrow and duckdb.
"""

import argparse
import collections
import csv
import datetime
import decimal
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import conditions
import inputs
import tables
import truth

WORDS = ["", "easy", "a, b", 'say "x"', "line\nend", "naïve", "  spaced ", "7", "null", "NaN", "#", "\t", "漢字"]
SETS = ["red", "green", "blue", None, "a/b", "", "x=y"]
OUTPUTS = ["parquet", "csv", "tsv", "ndjson", "arrow", "arrows", "csv.gz", "csv.zst", "ndjson.gz", "tsv.zst"]


def value(rng, kind, number):
    if kind == "id":
        return number
    if kind == "set":
        return rng.choice(SETS)
    if rng.random() < 0.15:
        return None
    return {
        "int": lambda: rng.choice([0, -1, 7, rng.randrange(-(2**31), 2**31)]),
        "float": lambda: rng.choice([0.0, 1.5, -2.25, 1e300, rng.random(), rng.uniform(-9, 9)]),
        "text": lambda: rng.choice(WORDS),
        "flag": lambda: rng.random() < 0.5,
        "day": lambda: datetime.date(2020, 1, 1) + datetime.timedelta(rng.randrange(-40_000, 40_000)),
        "moment": lambda: datetime.datetime(2020, 1, 1) + datetime.timedelta(microseconds=rng.randrange(-(10**15), 10**15)),
        "amount": lambda: decimal.Decimal(rng.randrange(-(10**8), 10**8)) / 100,
        "list": lambda: [rng.choice([None, 1, 2, 300]) for _ in range(rng.randrange(4))],
    }[kind]()


def memory_of(process):
    """The largest memory that the process has used so far."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    lines = [line.split() for line in status.splitlines() if line.startswith("VmHWM:")]
    # Before the program starts, the process is a copy of this Python process.
    is_begun = not status.startswith("Name:\tpython")
    return int(lines[0][1]) * 1024 if lines and is_begun else 0


def together(summaries):
    """Adds up the counts of several shards, to compare them with those of a single run."""
    whole = dict(summaries[0])
    for summary in summaries[1:]:
        for name in ["rows_in", "rows_out", "rejected", "filtered"]:
            whole[name] += summary[name]
        whole["rejects"] = collections.Counter(whole["rejects"]) + collections.Counter(summary["rejects"])
        whole["rejects_output"] = whole["rejects_output"] or summary["rejects_output"]
    return whole


class Job:
    def __init__(self, seed, number, pipeline, pool, folder):
        self.rng = random.Random(f"{seed}-{number}")
        self.pipeline, self.pool, self.folder = pipeline, pool, folder
        self.log = []
        self.word = ""

    # Inputs.

    def make_inputs(self):
        rng = self.rng
        typed = rng.random() < 0.45
        kinds = inputs.TYPED if typed else inputs.TEXTS
        kind = rng.choice(kinds)
        self.bare = kind in ("lines", "boards", "xml")
        possible = ["int", "float", "text", "set", "flag", "day", "moment", "amount"]
        if typed:
            possible.append("list")
        chosen = [] if self.bare else sorted(rng.sample(possible, rng.randrange(len(possible) + 1)))
        self.columns = [] if self.bare else [("c_id", "id")] + [(f"c_{kind}", kind) for kind in chosen]
        self.with_solutions = not self.bare and rng.random() < 0.4
        self.typed = typed
        self.is_json = kind == "ndjson"
        os.makedirs(f"{self.folder}/in")
        self.paths, self.records = [], []
        count = rng.choice([1, 1, 2, 5])
        for at in range(count):
            rows = rng.choice([0, 1, 30, 300, 300, 2000]) if rng.random() < 0.96 else 40_000
            if kind in ("ndjson", "lines", "boards", "xml"):
                rows = max(rows, 1)
            before = sum(len(records) for records in self.records)
            records = [self.record(before + row, kind) for row in range(rows)]
            if kind in ("csv", "tsv", "parquet", "arrow", "arrows", "duckdb", "ndjson") and rng.random() < 0.2:
                other = rng.choice([k for k in kinds if k not in ("lines", "boards", "xml")]) if records else kind
                is_mixed = not typed and "ndjson" in (other, kind)
                kind_of_file = kind if is_mixed else other
            else:
                kind_of_file = kind
            path = inputs.write(rng, f"{self.folder}/in/{at}-{rng.choice('ab')}", kind_of_file, records, self.columns)
            for row, record in enumerate(records):
                record["source"], record["row"] = os.path.relpath(path, self.folder), row
            self.paths.append(os.path.relpath(path, self.folder))
            self.records.append(records)
            self.log.append(f"{self.paths[-1]}: {kind_of_file}, {rows} records")
        order = sorted(range(count), key=lambda at: self.paths[at])
        self.paths = [self.paths[at] for at in order]
        self.records = [self.records[at] for at in order]
        self.kind = kind

    def record(self, number, kind):
        rng = self.rng
        puzzle = rng.choice(self.pool)
        record = {"text": puzzle.text, "puzzle": puzzle, "error": None}
        # Damaged boards are covered by other tests.
        if kind not in ("boards",) and rng.random() < 0.05 and self.bad:
            record["text"], record["error"] = truth.bad_text(rng, puzzle)
        elif rng.random() < 0.3:
            record["text"] = puzzle.text.replace(".", rng.choice("0*_"))
        if not self.bare and self.bad and rng.random() < 0.01:
            record["text"], record["error"] = None, "null_value"
        if kind == "xml" and record["error"] == "bad_character":
            record["text"], record["error"] = puzzle.text, None
        if self.with_solutions:
            given = rng.choice([None, "right", "right", "wrong"])
            solution = puzzle.any_solution
            if given is None or solution is None:
                record["solution"], record["given"] = None, None
            elif given == "right":
                record["solution"] = solution
                record["given"] = "correct" if puzzle.status == "unique" else "not_the_only_one"
            else:
                at = rng.randrange(81)
                digit = rng.choice([d for d in "123456789" if d != solution[at]])
                record["solution"] = solution[:at] + digit + solution[at + 1 :]
                record["given"] = "wrong"
        record["values"] = {name: value(rng, kind, number) for name, kind in self.columns}
        return record

    # Commands.

    def run(self, arguments, kill_after=None):
        self.log.append(" ".join(arguments))
        environment = {"PATH": os.environ["PATH"], "RUST_BACKTRACE": "0"}
        with open(f"{self.folder}/stderr", "wb") as stderr:
            child = subprocess.Popen(
                [self.pipeline, *arguments], cwd=self.folder, stderr=stderr, stdout=subprocess.DEVNULL, env=environment
            )
            end = time.monotonic() + kill_after if kill_after is not None else None
            peak = 0
            while child.poll() is None:
                peak = max(peak, memory_of(child.pid))
                if end is not None and time.monotonic() > end:
                    child.kill()
                time.sleep(0.003)
        said = pathlib.Path(f"{self.folder}/stderr").read_text(errors="replace")
        assert "panicked" not in said, said
        self.log.append(f"  exit code {child.returncode}: {said.strip()[-300:]}")
        return child.returncode, said, peak

    def go(self):
        rng = self.rng
        self.bad = rng.random() < 0.7
        self.make_inputs()
        command = rng.choice(["convert"] * 4 + ["solve"] * 2 + ["grade"] + ["validate"])
        arguments = [command, *(["in"] if rng.random() < 0.5 else self.paths)]
        everything = [record for records in self.records for record in records]
        if command == "grade":
            arguments += ["--ladder", "basic"]
        keep = [name for name, _ in self.columns]
        if self.bare:
            arguments += ["--keep", "none"]
        elif rng.random() < 0.25:
            keep = rng.choice([[], [name for name in keep if name == "c_id" or rng.random() < 0.5]])
            arguments += ["--keep", ",".join(keep) or "none"]
        taken = everything
        if len(self.paths) == 1 and rng.random() < 0.3:
            skip, limit = rng.randrange(len(everything) + 2), rng.randrange(1, len(everything) + 2)
            arguments += ["--skip", str(skip), "--limit", str(limit)]
            taken = everything[skip : skip + limit]
        arguments += ["--threads", str(rng.choice([1, 2, 3]))]
        limit = None
        if rng.random() < 0.35:
            limit = rng.choice([16, 32, 63, 64, 64, 80, 128, 256])
            arguments += ["--memory-limit", f"{limit}MiB"]
        arguments += ["--summary", "summary.json", "--progress", "never"]
        if not all(any(record["error"] is None for record in records) for records in [taken, *self.records]):
            arguments += self.allow_empty
        self.word = f"{command} {self.kind}"
        if command == "validate":
            return self.validate(arguments, taken, limit)
        self.table(command, arguments, keep, taken, limit)

    # Expected results.

    def finish(self, arguments, limit, expected_code=0):
        code, said, peak = self.run(arguments)
        if limit is not None and limit < 64:
            assert code == 2 and "at least 64" in said, f"{limit} MiB: exit code {code}"
            self.word += " refused"
            return None
        assert code == expected_code, f"exit code {code}, expected {expected_code}"
        with open(f"{self.folder}/summary.json", encoding="utf-8") as file:
            summary = json.load(file)
        if limit is not None:
            assert peak < limit << 20, f"{peak} bytes, more than {limit} MiB"
            assert summary["peak_memory_bytes"] < limit << 20
        return summary

    def validate(self, arguments, taken, limit):
        bad = [
            record
            for record in taken
            if record["error"] or record["puzzle"].status != "unique" or record.get("given") == "wrong"
        ]
        summary = self.finish(arguments, limit, 3 if bad else 0)
        if summary:
            self.check_counts(summary, taken, 0)

    def check_counts(self, summary, taken, filtered):
        rejects = collections.Counter(record["error"] for record in taken if record["error"])
        assert summary["rows_in"] == len(taken), (summary["rows_in"], len(taken))
        assert summary["rejected"] == sum(rejects.values())
        assert summary["filtered"] == filtered
        assert summary["rows_in"] == summary["rows_out"] + summary["rejected"] + summary["filtered"]
        told = {name: count for name, count in summary["rejects"].items() if count}
        assert told == dict(rejects), (told, rejects)

    def table(self, command, arguments, keep, taken, limit):
        rng = self.rng
        ending = rng.choice(OUTPUTS + (["txt", "txt.gz"] if command != "grade" else []))
        is_grids = ending.startswith("txt")
        kinds = dict(self.columns)
        text_output = ending.split(".")[0] in ("csv", "tsv")
        if text_output and "c_list" in keep and self.typed:
            keep = [name for name in keep if name != "c_list"]
            if "--keep" in arguments:
                at = arguments.index("--keep")
                del arguments[at : at + 2]
            arguments += ["--keep", ",".join(keep) or "none"]
        rows = [record for record in taken if record["error"] is None]
        filtered = 0
        if not is_grids and keep and rng.random() < 0.4:
            condition, kept = conditions.choose(rng, rows, keep, kinds, self.typed, command)
            if condition:
                arguments += ["--where", condition]
                filtered = len(rows) - len(kept)
                rows = kept
        renamed = {}
        if not is_grids and "c_id" in keep and rng.random() < 0.2:
            renamed = {"c_id": "number"}
            arguments += ["--rename", "c_id=number"]
        is_folder = rng.random() < 0.45
        partition = False
        if is_folder:
            output = "out/"
            format = {"arrow": "arrow", "arrows": "arrow-stream", "txt": "lines"}
            first, _, packed = ending.partition(".")
            arguments += ["--format", format.get(first, first)]
            if packed:
                arguments += ["--compression", {"gz": "gzip", "zst": "zstd"}[packed]]
            if not is_grids and "c_set" in keep and rng.random() < 0.4:
                partition = True
                arguments += ["--partition-by", "c_set"]
            if rng.random() < 0.3:
                arguments += ["--max-rows-per-file", str(rng.choice([1, 50, 1000]) if len(taken) < 1000 else 1000)]
        else:
            output = f"out.{ending}"
        arguments += ["-o", output]
        shards = [[]]
        if is_folder and len(self.paths) > 1 and rng.random() < 0.2:
            shards = [["--shard", "0/2"], ["--shard", "1/2"]]
        if is_folder and "--skip" not in arguments and rng.random() < 0.5:
            arguments.append("--resume")
            self.kill_some(arguments + shards[0])
        elif shards == [[]] and rng.random() < 0.3:
            arguments.append("--overwrite")
            self.kill_some(arguments)
            if not is_folder and os.path.exists(f"{self.folder}/{output}"):
                # The run was complete when it was killed, and the next run replaces its output.
                tables.rows_of(f"{self.folder}/{output}")
        summaries = []
        for shard in shards:
            if os.path.exists(f"{self.folder}/summary.json") and "--overwrite" not in arguments:
                os.remove(f"{self.folder}/summary.json")
            summaries.append(self.finish(arguments + shard, limit))
        if None in summaries:
            return
        summary = together(summaries)
        self.check_counts(summary, taken, filtered)
        self.check_leftovers(is_folder)
        self.word += f" {'folder of ' if is_folder else ''}{ending}"
        path = f"{self.folder}/{output}"
        got = tables.parts(path) if is_folder else tables.rows_of(path)
        if is_grids:
            assert sorted(row["puzzle"] for row in got) == sorted(record["puzzle"].text for record in rows)
            return
        assert len(got) == len(rows), f"{len(got)} rows, expected {len(rows)}"
        if is_folder:
            key = lambda row: (row.get("number" if renamed else "c_id") is None, int(row.get("number" if renamed else "c_id") or 0), row["puzzle"])
            got.sort(key=key)
            rows = sorted(rows, key=lambda record: (
                "c_id" not in keep, record["values"]["c_id"] if "c_id" in keep else 0, record["puzzle"].text))
        for record, row in zip(rows, got):
            self.check_row(command, record, row, keep, kinds, renamed, partition, is_folder and "c_id" not in keep)
        self.check_rejects(summary, taken)

    def check_row(self, command, record, row, keep, kinds, renamed, partition, is_unordered):
        puzzle = record["puzzle"]
        assert row["puzzle"] == puzzle.text, (row["puzzle"], puzzle.text)
        for name in keep if not is_unordered else []:
            kind, expected, got = kinds[name], record["values"][name], row[renamed.get(name, name)]
            if not self.typed and expected is not None and kind != "list":
                if not self.is_json:
                    kind, expected = "text", inputs.as_text(kind, expected)
            if partition and name == "c_set" and expected in ("", None) and got in ("", None):
                continue
            assert tables.is_same(kind, expected, got), (name, expected, got)
        if command == "convert":
            return
        assert row["status"] == puzzle.status, (row["status"], puzzle.status)
        assert int(row["clues"]) == puzzle.clues
        if puzzle.status == "unique":
            assert row["solution"] == puzzle.solution
        if "given" in record and not is_unordered:
            assert row["solution_given"] == record["given"], (row["solution_given"], record["given"])

    def check_rejects(self, summary, taken):
        expected = [
            (record["source"], record["row"], record["error"]) for record in taken if record["error"]
        ]
        if not expected:
            return
        place = f"{self.folder}/{summary['rejects_output']}"
        if os.path.isdir(place):
            got = []
            for path in sorted(pathlib.Path(place).rglob("part-*")):
                got += tables.rows_of(str(path))
        else:
            got = tables.rows_of(place)
        got = [(row["source"], int(row["row"]), row["error"]) for row in got]
        assert sorted(got) == sorted(expected), "the rejects table"

    def kill_some(self, arguments):
        for _ in range(self.rng.randrange(3)):
            code, _, _ = self.run(arguments, self.rng.choice([0.005, 0.02, 0.05, 0.1, 0.3]))
            self.word += " killed" if code == -9 else ""
            if code == -9 and os.path.exists(f"{self.folder}/summary.json"):
                os.remove(f"{self.folder}/summary.json")

    def check_leftovers(self, is_folder):
        left = [str(path) for path in pathlib.Path(self.folder).rglob("*.tmp")]
        assert not left, f"temporary files are left: {left}"
        assert not is_folder or list(pathlib.Path(f"{self.folder}/out").glob("_SUCCESS*"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pipeline")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--job", type=int)
    parser.add_argument("--jobs", type=int)
    options = parser.parse_args()
    pipeline = str(pathlib.Path(options.pipeline).resolve())
    print(f"seed {options.seed}", flush=True)
    generated = subprocess.run(
        [pipeline, "generate", "120", "--seed", str(options.seed), "-o", "-", "--format", "csv"],
        check=True, stdout=subprocess.PIPE, text=True,
    ).stdout
    rows = list(csv.DictReader(generated.splitlines()))
    pool = truth.pool(random.Random(options.seed), [row["puzzle"] for row in rows])
    for row, puzzle in zip(rows, pool):
        assert puzzle.solution == row["solution"], f"{puzzle.text}: not the solution"
    said = subprocess.run([pipeline, "convert", "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    Job.allow_empty = ["--allow-empty"] if "--allow-empty" in said else []
    start, number, failed = time.monotonic(), options.job or 0, 0
    words = collections.Counter()
    while True:
        folder = tempfile.mkdtemp(prefix="soak-")
        job = Job(options.seed, number, pipeline, pool, folder)
        try:
            job.go()
            if options.job is None:
                shutil.rmtree(folder)
            else:
                print("\n".join(job.log), folder)
        except Exception:
            failed += 1
            print(f"job {number} of seed {options.seed} failed: {folder}\n" + "\n".join(job.log))
            traceback.print_exc(limit=-2, file=sys.stdout)
            sys.stdout.flush()
        for word in job.word.split():
            words[word] += 1
        number += 1
        is_over = time.monotonic() - start > options.minutes * 60
        if is_over or options.job is not None or number == options.jobs:
            break
    if options.job is None and options.minutes >= 10:
        # Memory limits of readers and writers are measured separately, because their inputs are too large
        # for a job.
        measured = [sys.executable, pathlib.Path(__file__).parents[1] / "memory.py", pipeline, "--megabytes", "60"]
        failed += subprocess.run(measured).returncode != 0
    told = ", ".join(f"{count} {word}" for word, count in words.most_common())
    print(f"seed {options.seed}: {number} jobs in {(time.monotonic() - start) / 60:.1f} minutes, {failed} failed ({told})")
    sys.exit(1 if failed else 0)


main()
