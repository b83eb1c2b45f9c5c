"""Ten nights: series of random changes to input files and of runs into one folder, beside a slow model of the folder.

Each night, files of `in/` are added, moved away, moved back, renamed, deleted, rewritten with other columns, cut, or replaced
by garbage. Then `pipeline convert` or `grade` runs with --resume, in some series in two shards, in some nights with --prune,
without --keep-going, by another version of the program, or killed. The model knows for each input whether its part stays,
byte for byte, or is written again, and which rows and which columns it has: a part has the columns of all inputs of the night
on which it was written.

It needs only Python 3.11. A failing series is printed as a log of its nights; `--seed N --number K` repeats it, but a kill can
strike at another place.

Usage: nights.py PIPELINE [--series 100] [--seed 1] [--number K] [--nights 10] [--keep]
"""

import argparse
import collections
import concurrent.futures
import csv
import dataclasses
import gzip
import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NAMES = ["a.csv", "b.csv", "c.csv.gz", "d.csv.gz", "e.ndjson", "f.ndjson", "g.csv", "h.csv.gz", "i j.csv", "k.ndjson"]
# The columns that a file may have. `source` is a column of `grade` too; names that differ in case are one column.
EXTRAS = ["note", "Note", "fetched_at", "rating", "source", "é"]


class Failure(Exception):
    """What is wrong, and the details."""


@dataclasses.dataclass
class File:
    """A version of an input file."""

    number: int
    extras: list
    puzzle_name: str
    has_solutions: bool
    rows: list  # dictionaries with "id", the extras and perhaps "solution"
    rejects: int
    damage: str = ""  # "", "cut" or "garbage"


@dataclasses.dataclass
class Part:
    """What the folder has of an input."""

    file: File
    columns: frozenset  # in lower case, without those of the program
    is_known: bool = True  # whether a later run recognises the version of its input


class Series:
    def __init__(self, options, number, folder):
        self.options, self.folder = options, folder
        self.random = random.Random(f"{options.seed}/{number}")
        self.log = []
        self.files = {}  # the files of in/ by name
        self.away = {}  # files that were moved away
        self.parts = {}  # the parts of the folder by the name of their input
        self.pending = collections.defaultdict(list)  # columns of parts that an unfinished run may have left
        self.puzzle_name = None  # the name of the puzzle column in the folder
        self.versions = 0
        self.ends = collections.Counter()
        self.command = self.random.choice(["convert", "convert", "grade"])
        self.format = self.random.choice(["csv", "ndjson", "parquet"])
        self.shards = self.random.choice([0, 0, 0, 2])
        for name in ["in", "away"]:
            (folder / name).mkdir()

    # Changes of the inputs

    def write(self, name=None, damage=""):
        draw = self.random
        name = name or draw.choice(NAMES)
        self.versions += 1
        extras = [extra for extra in EXTRAS if draw.random() < 0.3]
        if {"note", "Note"} <= set(extras):
            extras.remove("Note")
        is_gzip = name.endswith(".gz")
        # Parquet has types. There, the ratings of a file are integers or floats, which only JSON tells from texts.
        number = draw.choice([int, float]) if self.format == "parquet" else None
        if number and ".ndjson" not in name:
            extras = [extra for extra in extras if extra != "rating"]
        if damage and not is_gzip:
            damage = ""
        has_solutions = draw.random() < 0.3
        puzzle_name = "quiz" if self.command == "convert" and draw.random() < 0.15 else "puzzle"
        count = 300 if damage == "cut" else draw.randint(1, 4)
        rows = []
        for index in range(count):
            row = {"id": f"v{self.versions}-{index}"}
            row |= {extra: f"{extra}{draw.randint(0, 99)}x" for extra in extras}
            if number and "rating" in row:
                row["rating"] = number(draw.randint(0, 99)) + number(0.5)
            if has_solutions:
                row["solution"] = draw.choice([SOLUTION, SOLUTION, "no grid", SOLUTION[1:]])
            rows.append(row)
        rejects = draw.choice([0, 0, 0, 1])
        records = [{puzzle_name: PUZZLE} | row for row in rows]
        bad = {key: "bad" if isinstance(value, str) else None for key, value in rows[0].items()}
        records += [{puzzle_name: "bad"} | bad] * rejects
        if ".ndjson" in name:
            text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        else:
            out = io.StringIO()
            writer = csv.DictWriter(out, records[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(records)
            text = out.getvalue()
        data = gzip.compress(text.encode()) if is_gzip else text.encode()
        if damage == "cut":
            data, rejects = data[: draw.randint(len(data) * 6 // 10, len(data) * 9 // 10)], 0
        elif damage == "garbage":
            data = b"\x1f\x8b" + bytes(draw.randrange(256) for _ in range(40))
        (self.folder / "in" / name).write_bytes(data)
        self.files[name] = File(self.versions, extras, puzzle_name, has_solutions, rows, rejects, damage)
        columns = ",".join(records[0])
        self.log.append(f"write {name} v{self.versions}: {columns}, {count} rows{' and a bad one' * rejects}, {damage or 'whole'}")

    def change(self):
        draw = self.random
        kinds = ["new", "rewrite", "delete", "move", "back", "rename", "cut", "garbage", "touch"]
        kind = draw.choices(kinds, [5, 2, 1, 2, 2, 1, 1, 1, 1])[0]
        names = sorted(self.files)
        whole = [name for name in names if not self.files[name].damage]
        if kind in ("cut", "garbage"):
            self.write(draw.choice([name for name in NAMES if name.endswith(".gz")]), kind)
        elif kind == "new" or not names:
            self.write()
        elif kind == "rewrite":
            self.write(draw.choice(names))
        elif kind == "touch":
            # The same rows with another time are another version.
            name = draw.choice(names)
            (self.folder / "in" / name).touch()
            self.files[name] = dataclasses.replace(self.files[name], number=-abs(self.files[name].number) - self.versions)
            self.log.append(f"touch {name}")
        elif kind == "back" and self.away:
            name = draw.choice(sorted(self.away))
            (self.folder / "away" / name).rename(self.folder / "in" / name)
            self.files[name] = self.away.pop(name)
            self.log.append(f"move {name} back")
        elif len(whole) > 1:
            # At least one whole file stays.
            name = draw.choice(whole)
            path, file = self.folder / "in" / name, self.files.pop(name)
            free = [other for other in NAMES if other not in self.files and pathlib.Path(other).suffix == path.suffix]
            if kind == "delete":
                path.unlink()
            elif kind == "rename" and free:
                other = draw.choice(free)
                path.rename(self.folder / "in" / other)
                self.files[other] = file
                self.log.append(f"rename {name} to {other}")
                return
            else:
                path.rename(self.folder / "away" / name)
                self.away[name] = file
                kind = "move"
            self.log.append(f"{kind} {name}{' away' * (kind == 'move')}")
        if not any(not file.damage for file in self.files.values()):
            self.write("a.csv")

    # Runs

    def night(self):
        draw = self.random
        for _ in range(draw.randint(0, 3) if self.parts else 3):
            self.change()
        if self.parts and draw.random() < 0.08:
            self.change_version()
        prunes = draw.random() < 0.15
        goes_on = bool(self.shards) or draw.random() < 0.8
        options = ["--resume", "--format", self.format, "--allow-empty", "--max-rejects", "100%"]
        options += ["--prune"] if prunes else []
        options += ["--keep-going"] if goes_on else []
        before = self.visible()
        was_killed = draw.random() < 0.2
        if was_killed:
            for shard in self.shard_names():
                self.run(options, shard, draw.uniform(0.001, 0.050))
            self.remember_pending()
            # If a run has published its files before it was killed, the night goes on with another run.
            if draw.random() < 0.5 and self.visible() == before:
                return
        damaged = [name for name, file in self.files.items() if file.damage]
        codes = [self.run(options, shard) for shard in self.shard_names()]
        if damaged and not goes_on:
            if codes != [3]:
                raise Failure("exit code", f"{codes} instead of 3 with damaged inputs")
            self.remember_pending()
            if not was_killed and self.visible() != before:
                raise Failure("a failed run has changed the folder", "")
            return
        if sorted(set(codes)) not in ([[5], [0, 5]] if damaged else [[0]]):
            raise Failure("exit code", f"{codes} with the damaged inputs {damaged}")
        self.move_on(prunes, before)

    def shard_names(self):
        return [f"{index}/{self.shards}" for index in range(self.shards)] if self.shards else [None]

    def remember_pending(self):
        columns = self.columns_of_night()
        for name, file in self.files.items():
            self.pending[name].append((file.number, columns))

    def change_version(self):
        for path in (self.folder / "out").glob("_manifest*.json"):
            manifest = json.loads(path.read_text())
            manifest["options"] = [[key, "0.9.9" if key == "pipeline.version" else value] for key, value in manifest["options"]]
            path.write_text(json.dumps(manifest, indent=2) + "\n")
        for name in set(self.parts) - set(self.files):
            self.parts[name].is_known = False
        for name in self.files:
            if name in self.parts:
                self.parts[name].is_known = False
        self.pending["*"] = True
        self.log.append("the folder is one of another version")

    def columns_of_night(self):
        readable = [file for file in self.files.values() if file.damage != "garbage"]
        columns = {extra.lower() for file in readable for extra in file.extras} | {"id"}
        if any(file.has_solutions for file in readable):
            columns.add("solution" if self.command == "convert" else "input_solution")
        return frozenset(columns)

    def move_on(self, prunes, before):
        """Moves the model on by a run that succeeded, and compares it with the folder."""
        columns = self.columns_of_night()
        parts = {} if prunes else {name: part for name, part in self.parts.items() if name not in self.files}
        kept = []
        for name, file in self.files.items():
            part = self.parts.get(name)
            if part and part.is_known and part.file.number == file.number:
                parts[name] = part
                kept.append(name)
            else:
                parts[name] = Part(file, columns)
        names = {file.puzzle_name for file in self.files.values() if file.damage != "garbage"}
        if self.puzzle_name is None and names:
            self.puzzle_name = names.pop() if len(names) == 1 else "puzzle"
        summaries = [json.loads(path.read_text()) for path in self.folder.glob("summary.*.json")]
        counts = {name: sum(summary[name] for summary in summaries) for name in ("inputs_kept", "inputs_damaged")}
        # Parts of an unfinished run can be kept too.
        if counts["inputs_kept"] != len(kept) and not (self.pending and counts["inputs_kept"] > len(kept)):
            raise Failure("inputs kept", f"{counts['inputs_kept']}, not {sorted(kept)}")
        damaged = sum(bool(file.damage) for file in self.files.values())
        if counts["inputs_damaged"] != damaged:
            raise Failure("inputs damaged", f"{counts['inputs_damaged']}, not {damaged}")
        self.compare(parts, kept, before)
        self.parts = parts
        self.pending.clear()

    # Comparisons

    def compare(self, parts, kept, before):
        out = self.folder / "out"
        entries, unions = {}, []
        for path in sorted(out.glob("_manifest*.json")):
            manifest = json.loads(path.read_text())
            union = dict(manifest["columns"])
            unions.append((union, manifest["inputs"]))
            for entry in manifest["inputs"]:
                name = entry["source"].removeprefix("in/")
                if name in entries:
                    raise Failure("an input is listed twice", name)
                entries[name] = (entry, union)
        if set(entries) != set(parts):
            raise Failure("other inputs", f"the manifest lists {sorted(entries)}, not {sorted(parts)}")
        after = self.visible()
        expected = {}
        listed = set()
        for name, part in parts.items():
            entry, union = entries[name]
            files = [file["path"] for file in entry["parts"]]
            listed |= {*files, *([entry["rejects"]["path"]] if entry["rejects"] else [])}
            if part.file.damage == "garbage":
                if any(file["rows"] for file in entry["parts"]):
                    raise Failure("rows of garbage", name)
                continue
            lacks = set(entry.get("columns", {}).get("lacks", []))
            if not lacks <= set(union):
                raise Failure("lacks what the folder has not", f"{name}: {lacks - set(union)}")
            columns = self.carried(set(union) - lacks)
            allowed = [part.columns] + [cols for number, cols in self.pending_of(name) if number == part.file.number]
            if columns not in allowed:
                raise Failure("columns", f"the part of {name} has {sorted(columns)}, not {[sorted(one) for one in allowed]}")
            part.columns = columns
            if name in kept and "*" not in self.pending:
                for file in files:
                    if before.get(file) != after.get(file):
                        raise Failure("a kept part has changed", f"{name}: {file}")
            rows = self.rows_of(part)
            if self.format != "parquet":
                found = [row for file in files for row in self.read(out / file, after[file], columns, name)]
                self.compare_rows(found, rows, part, name)
            if part.file.damage == "cut":
                if entry["damage"] is None:
                    raise Failure("no damage is listed", name)
                continue
            if entry["damage"] is not None:
                raise Failure("damage is listed", name)
            rejects = entry["rejects"]["rows"] if entry["rejects"] else 0
            if rejects != part.file.rejects:
                raise Failure("rejects", f"{name} has {rejects}, not {part.file.rejects}")
            expected[name] = rows
        more = {path for path in after if not path.startswith("_")} - listed
        if more:
            raise Failure("files that no manifest lists", str(sorted(more)))
        for union, inputs in unions:
            self.compare_union(union, inputs)
        self.read_back(parts, expected)

    def compare_union(self, union, inputs):
        """The columns of the folder are those of its parts. Names that differ only in case are one column."""
        lower = [name.lower() for name in union]
        if len(set(lower)) < len(lower):
            raise Failure("a column twice", str(sorted(union)))
        for name in union:
            entries = [entry for entry in inputs if entry["parts"]]
            if entries and all(name in entry.get("columns", {}).get("lacks", []) for entry in entries):
                # The columns of tonight's inputs are there even if each input's part was kept.
                if not self.carried({name}) <= self.columns_of_night():
                    raise Failure("a column of no part", name)

    def pending_of(self, name):
        return self.pending.get(name, [])

    def carried(self, names):
        """The columns that the inputs brought, in lower case, with their names in the inputs."""
        known = {extra.lower() for extra in EXTRAS} | {"id"}
        found = set()
        for name in names:
            lower = name.lower()
            if self.command == "grade" and lower == "input_solution":
                found.add(lower)
            elif self.command == "grade" and lower.startswith("input_"):
                found.add(lower.removeprefix("input_"))
            elif lower in known and not (self.command == "grade" and lower == "source"):
                found.add(lower)
            elif self.command == "convert" and lower == "solution":
                found.add(lower)
        return frozenset(found)

    def rows_of(self, part):
        rows = []
        for row in part.file.rows:
            values = {column: None for column in part.columns}
            values |= {key.lower(): value for key, value in row.items() if key != "solution"}
            if isinstance(values.get("rating"), (int, float)):
                values["rating"] = str(float(values["rating"]))
            if "solution" in row and self.command == "convert":
                values["solution"] = row["solution"]
            if "input_solution" in part.columns:
                text = row.get("solution")
                values["input_solution"] = text if text not in (None, SOLUTION) else None
            rows.append(values)
        return rows

    def read(self, path, data, columns, name):
        text = data.decode()
        if path.suffix == ".ndjson":
            records = [json.loads(line) for line in text.splitlines()]
        else:
            records = list(csv.DictReader(io.StringIO(text)))
        for record in records:
            if self.carried(record) != columns:
                raise Failure("columns of a file", f"{name}: {sorted(self.carried(record))}, not {sorted(columns)}")
            yield self.values(record)

    def values(self, record):
        values = {}
        for key, value in record.items():
            lower = key.lower()
            if self.command == "grade" and lower.startswith("input_") and lower != "input_solution":
                values[lower.removeprefix("input_")] = value or None
            elif self.command == "convert" and lower == (self.puzzle_name or "puzzle"):
                if value != PUZZLE:
                    raise Failure("a wrong puzzle", str(record))
            elif self.carried({key}):
                is_number = self.format == "parquet" and lower == "rating"
                values[lower] = str(float(value)) if is_number and value else value or None
        return values

    def compare_rows(self, found, rows, part, name):
        expected = rows[: len(found)] if part.file.damage == "cut" else rows
        if found != expected:
            wrong = next((pair for pair in zip(found, expected) if pair[0] != pair[1]), (len(found), len(expected)))
            raise Failure("rows", f"the part of {name} has {wrong[0]}, not {wrong[1]}")

    def read_back(self, parts, expected):
        command = [self.options.pipeline, "-q", "convert", "out/", "-o", "back.csv", "-f", "--allow-empty"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure("not read back", f"{done.returncode}: {done.stderr}")
        with open(self.folder / "back.csv", newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            rows = collections.Counter(tuple(sorted(self.read_values(row).items())) for row in reader)
        cut = {row["id"] for part in parts.values() if part.file.damage == "cut" for row in part.file.rows}
        whole = collections.Counter()
        for rows_of_part in expected.values():
            for row in rows_of_part:
                whole[tuple(sorted((key, value) for key, value in row.items() if value))] += 1
        found = collections.Counter({row: count for row, count in rows.items() if dict(row).get("id") not in cut})
        if found != whole:
            raise Failure("read back", f"too much: {list((found - whole).items())[:3]}, too little: {list((whole - found).items())[:3]}")

    def read_values(self, row):
        """The values of a row that was read back, without nulls."""
        values = {key: value for key, value in self.values(row).items() if value}
        if self.command == "grade" and row.get("solution") and "solution" in values:
            del values["solution"]
        return values

    # Files and processes

    def run(self, options, shard, deadline=None):
        summary = f"summary.{(shard or 'all').replace('/', '-')}.json"
        command = [self.command, "in", "-o", "out/", *options, "--summary", summary, *(["--shard", shard] if shard else [])]
        process = subprocess.Popen(
            [self.options.pipeline, "-q", *command],
            cwd=self.folder,
            env=dict(os.environ, PIPELINE_THREADS="2"),
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        if deadline is not None:
            time.sleep(deadline)
            process.kill()
        try:
            message = process.communicate(timeout=120)[1].strip()
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failure("hangs", " ".join(command)) from None
        code = process.returncode
        self.ends["killed" if code == -9 else str(code)] += 1
        self.log.append(f"pipeline {' '.join(command)}  # {code}")
        if code not in (-9, 0, 3, 5) or "panicked" in message:
            raise Failure("exit code", f"{code}: {message}")
        self.message = message
        return code

    def visible(self):
        """The files of the folder that readers see, with their bytes, by their path."""
        out, files = self.folder / "out", {}
        for root, folders, names in os.walk(out):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                if not name.startswith("."):
                    path = pathlib.Path(root, name)
                    files[path.relative_to(out).as_posix()] = path.read_bytes()
        return files


def play(options, number):
    """Returns the kind of the failure of a series, if it has one, its text, and how its runs ended."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"nights-{options.seed}-{number}-")).resolve()
    series = Series(options, number, folder)
    try:
        for night in range(options.nights):
            series.log.append(f"-- night {night + 1}")
            series.night()
        return None, "", series.ends
    except Failure as failure:
        kind, detail = failure.args
        log = "\n".join("    " + line for line in series.log)
        place = f"\n  kept in {folder}" if options.keep else ""
        again = f"--seed {options.seed} --number {number}"
        return kind, f"FAILED: {kind} ({again}){place}\n  {' '.join(detail.split())}\n{log}\n", series.ends
    finally:
        if not options.keep:
            shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline", type=lambda name: str(pathlib.Path(name).resolve()))
    parser.add_argument("--series", type=int, default=100, help="how many series")
    parser.add_argument("--nights", type=int, default=10, help="how many nights a series has")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, help="only this series")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the series")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    numbers = range(1, options.series + 1) if options.number is None else [options.number]
    kinds, ends = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for kind, text, these in pool.map(lambda number: play(options, number), numbers):
            kinds[kind] += 1
            ends += these
            if kind:
                print(text, flush=True)
    print("runs by exit code: " + ", ".join(f"{end}: {count}" for end, count in sorted(ends.items())))
    failed = kinds.total() - kinds[None]
    for kind, count in sorted((kind, count) for kind, count in kinds.items() if kind):
        print(f"{count} × {kind}")
    print(f"{kinds[None]} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
