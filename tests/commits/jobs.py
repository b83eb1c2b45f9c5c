"""The jobs of tests/commits/commits.py: every command that writes, into a new and over an old set of files."""

import os
import re

PUZZLES = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
]

TEXTS = ("s.json", "m.prom")

# Files that no run of the program has written, and that every run has to keep.
FOREIGN = ("mine.txt", ".other.csv.a1B2c3.tmp", ".out.new/thesis.doc")


class Job:
    """A command, the files that exist before it, and the marker whose presence says that its set is complete."""

    def __init__(self, name, arguments, marker, before=(), code=0, normalise=None):
        self.name, self.arguments, self.marker, self.code = name, arguments, marker, code
        # Commands that run before the job, in this order.
        self.before = before
        # Removes the parts of a file that differ between equal runs.
        self.normalise = normalise or (lambda data: data)

    @property
    def replaces(self):
        return "--overwrite" in self.arguments or "--resume" in self.arguments


def without_times(data):
    """The runs of solvers without their times in nanoseconds, and their number of rows."""
    lines = data.decode(errors="replace").splitlines()
    return "\n".join(re.sub(r",\d+((?:,\d*){9})$", r",TIME\1", line) for line in lines).encode()


def old(arguments):
    """The commands that write the old set. It is made from other inputs, so all bytes differ."""
    return [argument.replace("raw", "old") for argument in arguments]


def of_file(name, arguments, marker, before=None, **more):
    """Jobs that write files: without an old set, and over one made from other inputs."""
    yield Job(f"{name} new", arguments, marker, **more)
    yield Job(f"{name} over", [*arguments, "--overwrite"], marker, [before or old(arguments)], **more)


def of_folder(name, arguments):
    """Jobs that write a folder: without an old set, over one made from other inputs, and resuming one."""
    marker = "out/_SUCCESS"
    first = [arguments[0], "raw/a.csv", *arguments[2:]]
    yield from of_file(name, arguments, marker)
    yield Job(f"{name} resume", [*arguments, "--resume"], marker, [first])
    # Other options, so that each part is written again.
    other = [*arguments, "--select", "puzzle,level"]
    yield Job(f"{name} resume changed", [*arguments, "--resume"], marker, [other])
    # The old set also has parts of inputs that are gone.
    gone = [arguments[0], "raw/a.csv", "old/b.csv", *arguments[2:]]
    yield Job(f"{name} resume prune", [*arguments, "--resume", "--prune"], marker, [gone])


def jobs():
    texts = ["--summary", "s.json", "--metrics", "m.prom"]
    into = ["--into", "train=0.5,test=0.5", "--seed", "1"]
    other_into = ["--into", "train=0.3,dev=0.3,test=0.4", "--seed", "2"]
    over = ["--overwrite"]
    bad = ["--rejects", "bad.csv"]

    yield from of_file("convert", ["convert", "raw/a.csv", "-o", "out.csv", *bad, *texts], "out.csv")
    yield from of_file("convert alone", ["convert", "raw/b.csv", "-o", "out.ndjson"], "out.ndjson")
    # The old set has rejects, and the new set has none.
    clean = ["convert", "raw/b.csv", "-o", "out.csv", *bad]
    yield Job("convert over rejects", clean + over, "out.csv", [["convert", "old/a.csv", *clean[2:]]])
    # A run with too many rejects keeps them, and writes no table.
    strict = ["convert", "raw/a.csv", "-o", "out.csv", *bad, "--max-rejects", "0"]
    lenient = ["convert", "old/a.csv", "-o", "out.csv", *bad]
    yield Job("rejects new", strict, "out.csv", code=3)
    yield Job("rejects over", strict + over, "out.csv", [lenient], code=3)
    yield Job("convert after rejects", strict[:-2], "out.csv", [strict])
    yield from of_file("grade", ["grade", "raw", "-o", "out.parquet", *texts], "out.parquet")
    yield from of_file("grade report", ["grade", "raw", "-o", "out.parquet", "--report", "page.html"], "out.parquet")
    yield from of_file("solve", ["solve", "raw", "-o", "out.arrow", *texts], "out.arrow")
    yield from of_file("validate", ["validate", "raw/b.csv", "-o", "out.csv"], "out.csv")
    yield from of_file("augment", ["augment", "raw/b.csv", "-o", "out.csv", "--copies", "2"], "out.csv")
    yield from of_file("trace", ["trace", "raw/b.csv", "-o", "out.ndjson"], "out.ndjson")
    generate = ["generate", "20", "--seed", "2", "-o", "out.csv"]
    yield from of_file("generate", generate, "out.csv", ["generate", "20", "--seed", "1", "-o", "out.csv"])
    dedup = ["dedup", "raw", "-o", "out.parquet", "--by", "exact", "--duplicates", "twice.csv", *texts]
    yield from of_file("dedup", dedup, "out.parquet")
    overlap = ["overlap", "raw/a.csv", "raw/b.csv", "-o", "out.csv", "--by", "exact", *texts]
    yield from of_file("overlap", overlap, "out.csv")
    evaluate = ["evaluate", "raw/b.csv", "tables/raw.txt", "-o", "out.csv", *texts]
    yield from of_file("evaluate", evaluate, "out.csv")
    compare = ["compare", "raw", "-o", "out.csv", "--solvers", "lanes", *bad]
    yield from of_file("compare", compare, "out.csv", normalise=without_times)
    yield from of_file("stats", ["stats", "tables/raw.csv", "-o", "out.csv"], "out.csv")
    yield from of_file("report", ["report", "tables/raw.csv", "-o", "page.html", "--card", "card.md"], "page.html")
    yield from of_file("card", ["report", "tables/raw.csv", "--card", "card.md"], "card.md")
    split = ["split", "raw", "-o", "out/", *into, *texts]
    yield from of_file("split", split, "out/_SUCCESS", ["split", "old", "-o", "out/", *other_into, *texts])
    audit = ["audit", "raw/a.csv", "raw/b.csv", "-o", "out/", *texts]
    yield from of_file("audit", audit, "out/_SUCCESS")
    solved = [["solve", f"{name}/a.csv", "-o", f"{name}.csv", "--select", "puzzle,solution", "--where", "solutions = 1"]
              for name in ("raw", "old")]
    arrays = ["convert", "raw.csv", "-o", "out", "--format", "hrm", *texts]
    yield Job("arrays new", arrays, "out/_SUCCESS", [solved[0]])
    yield Job("arrays over", [*arrays, "--overwrite"], "out/_SUCCESS", [*solved, old(arrays)])
    yield from of_folder("folder", ["convert", "raw", "-o", "out/", *texts])
    yield from of_folder("partitions", ["convert", "raw", "-o", "out/", "--partition-by", "level", "--format", "csv", *texts])
    yield from of_file("grade folder", ["grade", "raw", "-o", "out/", "--max-rows-per-file", "4"], "out/_SUCCESS")
    strict = ["convert", "raw", "-o", "out/", "--max-rejects", "0"]
    yield Job("folder rejects new", strict, "out/_SUCCESS", code=3)
    yield Job("folder rejects over", strict + over, "out/_SUCCESS", [["convert", "old", "-o", "out/"]], code=3)
    yield Job("folder after rejects", strict[:-2], "out/_SUCCESS", [strict])
    shard = ["convert", "raw", "-o", "out/", "--shard", "0/2", *texts]
    marker = "out/_SUCCESS.0-of-2"
    other = ["convert", "raw", "-o", "out/", "--shard", "1/2"]
    changed = [*shard, "--select", "puzzle"]
    yield Job("shard new", shard, marker)
    yield Job("shard beside", shard, marker, [other])
    yield Job("shard over", shard + over, marker, [changed])
    yield Job("shard resume", shard + ["--resume"], marker, [changed])
    yield Job("folder over shards", ["convert", "raw", "-o", "out/", *over], "out/_SUCCESS", [shard, other])


# One job of each kind. The others differ only in the kind of output.
IN_CI = {"convert over", "dedup new", "split over", "folder over", "folder resume", "partitions new", "shard over"}


def inputs(place):
    for name in ("raw", "old"):
        (place / name).mkdir()
        for file in ("a", "b", "c"):
            rows = [f"{puzzle},{'easy' if at % 2 else 'hard'}" for at, puzzle in enumerate(PUZZLES)]
            rows = rows[1:] if name == "old" else rows
            bad = "" if file == "b" else f"bad{name},easy\n"
            (place / name / f"{file}.csv").write_text("puzzle,level\n" + bad + "\n".join(rows * 3) + "\n")
            # A resumed run compares the modification times of inputs.
            os.utime(place / name / f"{file}.csv", (1_700_000_000, 1_700_000_000))
    (place / "tables").mkdir()
    for name, level in ("raw", "easy"), ("old", "hard"):
        count = len(PUZZLES) - (name == "old")
        (place / "tables" / f"{name}.txt").write_text("".join(f"{puzzle}\n" for puzzle in PUZZLES[:count] * 3))
        rows = "".join(f"{puzzle},unique,26,{level}\n" for puzzle in PUZZLES)
        (place / "tables" / f"{name}.csv").write_text("puzzle,status,clues,level\n" + rows)
    (place / "mine.txt").write_text("mine")
    (place / ".other.csv.a1B2c3.tmp").write_text("another's")
    (place / ".out.new").mkdir()
    (place / ".out.new" / "thesis.doc").write_text("precious")
    (place / ".out.rejects").mkdir()
