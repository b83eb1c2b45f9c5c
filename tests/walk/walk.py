"""A random walk: sequences of changes to input files and of runs into one folder, beside a slow model of the rows.

Each sequence adds, removes and rewrites files of `in/` (CSV, NDJSON and Parquet), and converts them into `out/` (or grades
them, for the folders of --partition-by source): with and without --resume, --overwrite, --prune, --shard,
--max-rows-per-file and --partition-by, the inputs spelled in different ways, and some runs killed. Each version of a file has
ids of its own. The model knows which versions of each file the output may hold. After each run it reads the parts itself, and
after each complete one also with `pipeline convert out/`: each id must be there exactly once.

Usage: walk.py PIPELINE [--sequences 100] [--seed 1] [--sequence K] [--plain] [--one-spelling] [--keep]
"""

import argparse
import collections
import concurrent.futures
import csv
import gzip
import json
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NAMES = ["a.csv", "a.ndjson", "a.csv.gz", "b.csv", "b.old.csv", "c d.ndjson", "e=1.csv", "f%20.csv", "g.md.csv", "h.csv.gz"]
NAMES += ["a.parquet", "b.old.parquet", "p q.parquet", "r=2.parquet"]
PLAIN = ["n", "m", "o"]
# Values that a folder's name must escape, or that look like a file to skip once they end the name of a folder.
NASTY = ["c.old", "x.md", "a~", "_a", ".b", "a=b", "a b", "", ".", "..", "a/b", "a%2Fb", "é", "x.csv", "x.gz", "y.tmp", "*"]
COLUMNS = ["k", "k", "k", "_k", ".k", "k=v", "k k", "k.md"]
SPELLINGS = ["in", "./in", "$PWD/in", "in//", "in/../in", "link", "cd", "in/*", "files", "files"]


class Failure(Exception):
    """The kind of a failure and its details."""


class Sequence:
    """A folder, the files in it, and the model of its output."""

    def __init__(self, options, number, folder):
        self.options, self.folder = options, folder
        self.random = random.Random(f"{options.seed}/{number}")
        self.out = folder / "out"
        self.log = [f"mkdir in; ln -s in link; P='{PUZZLE}'"]
        self.versions = {}  # the version's number -> its file, and its ids with the values of their column
        self.files = {}  # a file of in/ -> its version
        self.allowed = {}  # a file -> the versions that the output may hold; None is "no row of it"
        self.complete = False  # the last runs into the output were complete, so that only some runs may change it
        self.torn = False  # a run was killed and may have left names half changed
        self.values = PLAIN if options.plain else self.random.sample(NASTY, 3) + PLAIN[:1]
        self.column = "k" if options.plain else self.random.choice(COLUMNS)
        self.ends = collections.Counter()  # how the runs ended
        (folder / "in").mkdir()
        (folder / "link").symlink_to("in")
        self.shape = self.draw_shape()

    # Steps

    def walk(self):
        for _ in range(self.random.randint(1, 4)):
            self.write()
        for _ in range(self.random.randint(3, 8)):
            step = self.random.choices([self.write, self.remove, self.convert], [3, 1, 6])[0]
            step()
        self.convert()

    def write(self):
        """Adds a file, or replaces one by another version."""
        name = self.random.choice(NAMES)
        version = len(self.versions) + 1
        rows = {f"{version}-{i}": self.random.choice(self.values) for i in range(self.random.randint(1, 4))}
        is_parquet = name.endswith(".parquet")
        if ".ndjson" in name or is_parquet:
            lines = [json.dumps({"puzzle": PUZZLE, "id": i, self.column: k}, ensure_ascii=False) for i, k in rows.items()]
        else:
            lines = [f"puzzle,id,{self.column}"] + [f"{PUZZLE},{i},{k}" for i, k in rows.items()]
        data = "".join(line + "\n" for line in lines).encode()
        path = self.folder / "in" / name
        if is_parquet:
            self.write_parquet(data, path)
        else:
            path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        self.versions[version] = (name, rows)
        self.files[name] = version
        shown = " ".join(shlex.quote(line).replace(PUZZLE, "'$P'" if "'" in shlex.quote(line) else "$P") for line in lines)
        place = shlex.quote("in/" + name)
        if is_parquet:
            self.log.append(f"printf '%s\\n' {shown} > new.ndjson; pipeline -q convert new.ndjson -o {place} -f")
            return
        zip_ = "| gzip " if name.endswith(".gz") else ""
        self.log.append(f"printf '%s\\n' {shown} {zip_}> {place}")

    def write_parquet(self, lines, path):
        """Writes an input in Parquet. Plain Python cannot, so the program does it."""
        new = self.folder / "new.ndjson"
        new.write_bytes(lines)
        command = [self.options.pipeline, "-q", "convert", new, "-o", path, "-f"]
        made = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if made.returncode != 0:
            raise Failure("no Parquet input", f"exit code {made.returncode}: {made.stderr}")

    def remove(self):
        if len(self.files) > 1:
            name = self.random.choice(sorted(self.files))
            del self.files[name]
            (self.folder / "in" / name).unlink()
            self.log.append(f"rm {shlex.quote('in/' + name)}")

    def draw_shape(self):
        draw = self.random
        partition = draw.choice([None, None, "column", "column", "source"])
        shards, most = draw.choice([0, 0, 0, 2, 3]), draw.choice([None, None, None, "1", "2"])
        return draw.choice(["csv", "ndjson"]), partition, shards, most

    def spell(self):
        """Returns the run's folder, its inputs, and the files that they name."""
        how = "in" if self.options.one_spelling else self.random.choice(SPELLINGS)
        here = str(self.folder)
        if how == "cd":
            return self.folder / "in", ["."], set(self.files)
        if how == "files":
            names = self.random.sample(sorted(self.files), self.random.randint(1, len(self.files)))
            ways = ["in/", "./in/", f"{here}/in/", "in//", "link/"]
            return self.folder, [self.random.choice(ways) + name for name in names], set(names)
        return self.folder, [how.replace("$PWD", here)], set(self.files)

    def convert(self):
        """Runs `convert`, or all shards of it, and moves the model on."""
        draw = self.random
        if draw.random() < 0.2:
            self.shape = self.draw_shape()
        form, partition, shards, most = self.shape
        mode = draw.choices(["resume", "prune", "overwrite", "none"], [5, 2, 2, 2])[0]
        folder, inputs, chosen = self.spell()
        # Only `grade` has a column with the input of each row.
        name = "grade" if partition == "source" else "convert"
        command = ["--format", form]
        command += ["--partition-by", self.column if partition == "column" else partition] if partition else []
        command += ["--max-rows-per-file", most] if most else []
        command += {"resume": ["--resume"], "prune": ["--resume", "--prune"], "overwrite": ["--overwrite"], "none": []}[mode]
        turns = draw.sample(range(shards), shards) if shards else [None]
        deadlines = [draw.uniform(0.001, 0.040) if draw.random() < 0.25 else None for _ in turns]
        codes = []
        for turn, deadline in zip(turns, deadlines):
            shard = [] if turn is None else ["--shard", f"{turn}/{shards}"]
            if turn is not None and draw.random() < 0.3:
                # Shards of one set may spell their inputs differently.
                other_folder, other_inputs, others = self.spell()
                folder, inputs = (other_folder, other_inputs) if others == chosen else (folder, inputs)
            out = "out/" if folder == self.folder else "../out/"
            before = self.tree()
            code, message = self.run(["-q", name, *inputs, "-o", out, *command, *shard], folder, deadline)
            codes.append(code)
            if code == -9:
                self.torn = True
            elif code not in (0, 4):
                raise Failure("exit code", f"{code}: {message}")
            elif code == 4 and not self.torn and self.tree() != before:
                raise Failure("a refused run changed the folder", message)
        self.move_on(mode, chosen, codes)

    def move_on(self, mode, chosen, codes):
        """Says what the output may hold after these runs, and compares."""
        done = all(code == 0 for code in codes)
        if done and mode == "none" and self.complete and not self.torn:
            raise Failure("silent overwrite", "a run without --overwrite and --resume replaced the folder")
        if all(code == 4 for code in codes):
            return
        gone_stay = mode in ("resume", "none")
        for name in set(self.allowed) | chosen:
            old = self.allowed.get(name, {None})
            new = {self.files[name]} if name in chosen else old if gone_stay else {None}
            self.allowed[name] = new if done else old | new
        if done:
            self.torn = False
            # A run can only be complete beside the parts of another number of shards if it replaced them.
            self.complete = True
        if done or not self.torn or (self.out / "_SUCCESS").exists() and len(codes) == 1:
            found = self.compare(collections.Counter(self.raw_ids()), "the parts", learn=done)
            if done and found:
                self.read_back(found)

    def compare(self, ids, place, learn):
        """Fails unless each file has all rows of one version that it may have."""
        doubles = sorted(i for i, count in ids.items() if count > 1)
        if doubles:
            raise Failure("rows twice", f"{place} have {doubles} twice")
        held = collections.defaultdict(set)
        for i in ids:
            held[int(i.split("-")[0])].add(i)
        by_file = collections.defaultdict(set)
        for version, found in held.items():
            name, rows = self.versions[version]
            by_file[name].add(version)
            if found != set(rows):
                raise Failure("rows lost", f"{place} have {sorted(found)} of {name}, without {sorted(set(rows) - found)}")
        for name, allowed in self.allowed.items():
            versions = by_file.pop(name, {None})
            if len(versions) > 1:
                raise Failure("rows twice", f"{place} have the versions {sorted(versions)} of {name}, not one of {allowed}")
            if not versions <= allowed:
                kind = "rows lost" if versions == {None} else "rows stale"
                raise Failure(kind, f"{place} have version {versions} of {name}, not one of {allowed}")
            if learn:
                self.allowed[name] = versions
        if by_file:
            raise Failure("rows stale", f"{place} have rows of {sorted(by_file)}")
        return set(ids)

    def read_back(self, expected):
        code, message = self.run(["-q", "convert", "out/", "-o", "back.csv", "-f"], self.folder, None)
        if code != 0:
            raise Failure("not read back", f"exit code {code}: {message}")
        with open(self.folder / "back.csv", newline="", encoding="utf-8") as file:
            rows = [(row["id"], row.get(self.column)) for row in csv.DictReader(file)]
        counts = collections.Counter(i for i, _ in rows)
        right = {i: k for _, values in self.versions.values() for i, k in values.items()}
        if set(counts) != expected or len(rows) != len(expected):
            lost = sorted((i, right[i]) for i in expected - set(counts))
            more = sorted(i for i, count in counts.items() if count > 1 or i not in expected)
            raise Failure("not read back", f"lost (id, value): {lost}; too often: {more}")
        wrong = [(i, k, right[i]) for i, k in rows if k != right[i]]
        if wrong:
            raise Failure("values read back wrongly", f"(id, value, right value): {wrong}")

    # Files and processes

    def run(self, command, folder, deadline):
        shown = shlex.join(command).replace(str(self.folder), '"$PWD"')
        line = f"pipeline {shown}" if folder == self.folder else f"(cd in; pipeline {shown})"
        env = dict(os.environ, PIPELINE_THREADS="2")
        process = subprocess.Popen(
            [self.options.pipeline, *command], cwd=folder, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        if deadline is not None:
            time.sleep(deadline)
            process.kill()
        try:
            message = process.communicate(timeout=60)[1].strip()
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.log.append(line)
            raise Failure("hangs", "no end within 60 s") from None
        code = process.returncode
        self.ends["killed" if code == -9 else str(code)] += 1
        note = f", killed after {deadline * 1000:.1f} ms" if code == -9 else ""
        self.log.append(f"{line}  # {code}{note}")
        return code, message

    def tree(self):
        """The visible files of the output, with their bytes."""
        files = {}
        for root, folders, names in os.walk(self.out):
            folders[:] = [name for name in folders if "=" in name or not name.startswith(".")]
            for name in names:
                if not name.startswith("."):
                    path = pathlib.Path(root, name)
                    files[path] = path.read_bytes()
        return files

    def raw_ids(self):
        for path, data in self.tree().items():
            if path.name.startswith("part-"):
                lines = data.decode().splitlines()
                rows = map(json.loads, lines) if path.suffix == ".ndjson" else csv.DictReader(lines)
                yield from (row["id"] for row in rows)


def play(options, number):
    """Returns the kind of the failure of a sequence, if it has one, its text, and how its runs ended."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"walk-{options.seed}-{number}-")).resolve()
    sequence = Sequence(options, number, folder)
    try:
        sequence.walk()
        return None, "", sequence.ends
    except Failure as failure:
        kind, detail = failure.args
        log = "\n".join("    " + line for line in sequence.log)
        switches = (" --plain" if options.plain else "") + (" --one-spelling" if options.one_spelling else "")
        again = f"--seed {options.seed} --sequence {number}{switches}"
        place = f"\n  kept in {folder}" if options.keep else ""
        return kind, f"FAILED: {kind} ({again}){place}\n  {' '.join(detail.split())}\n{log}\n", sequence.ends
    finally:
        if not options.keep:
            shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline", type=lambda name: str(pathlib.Path(name).resolve()))
    parser.add_argument("--sequences", type=int, default=100, help="how many sequences")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sequence", type=int, help="only this sequence")
    parser.add_argument("--plain", action="store_true", help="only plain values in the column of --partition-by")
    parser.add_argument("--one-spelling", action="store_true", help="spell the inputs always as in")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the sequences")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    numbers = range(1, options.sequences + 1) if options.sequence is None else [options.sequence]
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
