//! Options and commands of other tools, each with what does the same here.

/// Options that users of other tools may try. Each entry has the option's names, the commands for which there is a hint
/// (an empty list means all), and the hint.
pub(super) const MISTAKEN_OPTIONS: &[(&[&str], &[&str], &str)] = &[
    (
        &["--difficulty", "--level"],
        &["generate"],
        "--level hard makes puzzles of a level",
    ),
    (
        &["--difficulty", "--level"],
        &[],
        "to keep the puzzles of a level, write --where \"level = 'hard'\"",
    ),
    (
        &["--input", "-i", "--in", "--file", "--infile", "--from-file"],
        &[],
        "inputs have no option: pipeline grade in.csv -o out.parquet",
    ),
    (
        &["--strict"],
        &["validate"],
        "validate already fails if any record does",
    ),
    (
        &["-c", "--cols"],
        &[],
        "--select puzzle,level chooses the columns of the output",
    ),
    (
        &["--blank", "--empty", "--zero", "--zeros", "--empty-cell"],
        &["grade", "solve", "dedup", "split", "evaluate"],
        "pipeline convert FILE -o OUTPUT --blank 0 writes empty cells as 0",
    ),
    (
        &["--count", "--number", "--num", "-n"],
        &["generate"],
        "the number has no option: pipeline generate 100",
    ),
    (
        &["--train", "--test", "--ratio", "--test-size"],
        &["split"],
        "the parts have one option: --into train=0.9,test=0.1",
    ),
    (
        &["--train-size", "--fraction", "--fractions"],
        &["split"],
        "the parts have one option: --into train=0.9,test=0.1",
    ),
    (
        &["--line", "--index", "-n", "--record", "--id", "--nth"],
        &["explain"],
        "--row 16 explains a row of the file, counted from 0",
    ),
    (
        &["--predictions", "--answers"],
        &["evaluate"],
        "the predictions have no option: pipeline evaluate test.csv predictions.txt",
    ),
    (
        &["--solution", "--solutions-column"],
        &["generate"],
        "the table always has the solutions in the column solution",
    ),
    (
        &["--version"],
        &[],
        "the program has it, not its commands: pipeline, then the option",
    ),
    (
        &["--no-header", "--no-headers", "--noheader"],
        &[],
        "a file without names of columns is recognised: write the command without this",
    ),
    (
        &["--head", "--first", "--rows", "--top", "--take"],
        &["generate"],
        "the number has no option: pipeline generate 100",
    ),
    (
        &["--head", "--first", "--rows", "--top", "--take"],
        &[],
        "--limit 5 reads only the first records",
    ),
    (&["--offset"], &[], "--skip 5 leaves out the first records"),
    (
        &["--filter", "--query", "--if"],
        &[],
        "--where \"rank >= 12\" keeps the rows for which a condition holds",
    ),
    (
        &["--sep", "--separator"],
        &[],
        "--delimiter names the character between the columns of CSV",
    ),
    (
        &["--to", "--out-format", "--output-format"],
        &[],
        "-o table.parquet chooses the format by its extension; --format names it",
    ),
    (
        &["--max-solutions", "--solutions"],
        &["solve", "grade"],
        "--solution-limit 10 counts up to this many solutions",
    ),
    (
        &["--json"],
        &["stats"],
        "--format json writes the statistics as JSON",
    ),
    (
        &["--json"],
        &[
            "overlap", "evaluate", "grade", "solve", "convert", "dedup", "split", "validate",
        ],
        "--summary - prints the counts as JSON",
    ),
    (
        &["--timeout", "--time-limit"],
        &[],
        "--node-limit bounds the search for each puzzle, the same on every machine",
    ),
    (
        &["--columns", "--column", "--fields"],
        &[],
        "--select puzzle,level chooses the columns of the output",
    ),
    (
        &["--jobs", "--workers", "--cores"],
        &[],
        "--threads sets the number of threads",
    ),
    (
        &["--on", "--join", "--id", "--by"],
        &["evaluate"],
        "--key id names the column that both files have in common",
    ),
    (
        &["--empty", "--zero", "--zeros", "--empty-cell"],
        &[],
        "--blank 0 writes empty cells as 0",
    ),
    (
        &["--sort", "--sort-by", "--order-by"],
        &[],
        "rows are written in the order in which they are read: sort the table with DuckDB or polars",
    ),
    (
        &["--dry-run"],
        &[],
        "pipeline inspect FILE shows what would be read, and -n 1000 processes only the first records",
    ),
    (
        &["--force", "--replace"],
        &[],
        "--overwrite replaces an output that exists",
    ),
];

/// Commands of other tools, each with what does the same here.
pub(super) const MISTAKEN_COMMANDS: &[(&[&str], &str)] = &[
    (
        &["clean", "check", "fix"],
        "audit FILE -o FOLDER/ finds invalid, repeated and wrong rows, and writes the file without them",
    ),
    (
        &["count", "summary", "describe", "profile", "frequency"],
        "stats counts the rows of a table",
    ),
    (
        &["list", "levels", "techniques", "ladder", "columns"],
        "schema lists the columns and their values, with all techniques and levels",
    ),
    (
        &["create", "make", "new"],
        "generate 1000 -o puzzles.csv makes puzzles",
    ),
    (
        &["plot", "chart", "page", "html"],
        "report TABLE draws a page with charts",
    ),
    (
        &["merge", "concat", "join", "union"],
        "convert a.csv b.csv -o all.parquet writes several files as one table",
    ),
    (
        &["sort", "order"],
        "convert keeps the order of the rows: sort the table with DuckDB or polars",
    ),
    (&["version"], "--version prints the version"),
    (
        &["eval", "score", "judge"],
        "evaluate test.csv predictions.txt judges the answers of a model",
    ),
    (
        &["diff", "cmp", "difference"],
        "report new.parquet --against old.parquet compares two tables; overlap counts what two sets share",
    ),
    (
        &["headers", "header", "names", "fields"],
        "inspect shows the columns of a file",
    ),
    (
        &["sql", "query"],
        "convert FILE -o OUTPUT --where CONDITION keeps some of the rows; for SQL, read the Parquet with DuckDB",
    ),
    (
        &["slice", "skip"],
        "convert FILE -o OUTPUT --skip 5 -n 10 takes some of the rows",
    ),
    (
        &["completion", "complete"],
        "completions prints completions for a shell",
    ),
    (
        &["test"],
        "validate checks that each record is a puzzle with one solution",
    ),
    (
        &["head", "cat", "show", "view", "info"],
        "inspect shows the head of a file, and convert FILE -o - -n 10 its rows",
    ),
    (
        &["sample"],
        "convert FILE -o OUTPUT --sample 0.01 takes a random part of the rows",
    ),
    (
        &["filter", "select", "where"],
        "convert FILE -o OUTPUT --where CONDITION keeps some of the rows",
    ),
    (
        &["rate", "difficulty"],
        "grade --with se,hodoku rates each puzzle",
    ),
    (
        &["verify"],
        "validate checks that each record is a puzzle with one solution",
    ),
    (
        &["unique", "deduplicate"],
        "dedup removes puzzles that are equal or isomorphic",
    ),
    (
        &["partition"],
        "grade FILE -o FOLDER/ --partition-by level writes a folder for each level",
    ),
    (
        &["resume", "update"],
        "grade FOLDER/ -o GRADED/ --resume grades only what is new",
    ),
    (
        &["leak", "leaks", "leakage", "contamination", "intersect"],
        "overlap train.csv test.csv counts what two sets share; audit writes them without it",
    ),
    (
        &["bench", "benchmark"],
        "compare FILE -o runs.parquet runs solvers over the puzzles of a file",
    ),
    (
        &["rename"],
        "convert FILE -o OUTPUT --rename old=new renames a column",
    ),
    (
        &["shuffle"],
        "augment --copies 1 writes a random isomorph of each puzzle; rows keep their order",
    ),
];
