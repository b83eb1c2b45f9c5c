//! Tests folders of parts whose inputs gain and lose columns: the columns of the folder are the union of the columns of
//! its parts, and parts that are done stay as they are.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;

use crate::util::{PUZZLE, SOLUTION, TestDir, stderr};

/// The parts of a folder, by their names without the hash.
fn parts(dir: &TestDir, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let tree = dir.tree(folder).into_iter();
    tree.filter(|(name, _)| name.contains("part-"))
        .map(|(name, bytes)| {
            let stem = name.rsplit_once('-').unwrap().0.to_owned();
            (stem, bytes)
        })
        .collect()
}

fn manifest(dir: &TestDir, path: &str) -> serde_json::Value {
    serde_json::from_slice(&dir.read(path)).unwrap()
}

/// The names of the columns that the header of a manifest lists.
fn columns(manifest: &serde_json::Value) -> Vec<&str> {
    let columns = manifest["columns"].as_array().unwrap().iter();
    columns.map(|column| column[0].as_str().unwrap()).collect()
}

/// The entry of an input in a manifest.
fn entry<'a>(manifest: &'a serde_json::Value, input: &str) -> &'a serde_json::Value {
    let mut entries = manifest["inputs"].as_array().unwrap().iter();
    entries.find(|entry| entry["source"] == input).unwrap()
}

fn night(dir: &TestDir, arguments: &str) -> (u64, String) {
    let _ = std::fs::remove_file(dir.path("s.json"));
    let output = dir.run((arguments, &["--summary", "s.json"][..]));
    let message = stderr(&output);
    assert!(output.status.success(), "{message}");
    let summary: serde_json::Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
    (summary["inputs_kept"].as_u64().unwrap_or(0), message)
}

/// Regression test: one new column in one file made a nightly run process all files again.
#[test]
fn a_new_column_leaves_the_parts_that_are_done() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    for name in ["a", "b"] {
        dir.write(
            &format!("in/{name}.csv"),
            format!("puzzle,id\n{PUZZLE},{name}\n"),
        );
    }
    let grade = "grade in -o out/ --partition-by level --resume";
    let (_, message) = night(&dir, grade);
    assert!(
        message.contains("read_parquet('out/**/*.parquet', union_by_name=true)"),
        "{message}"
    );
    let old_parts = parts(&dir, "out");
    dir.write(
        "in/c.csv",
        format!("puzzle,id,fetched_at\n{PUZZLE},c,today\n"),
    );
    dir.write(
        "in/d.csv",
        format!("puzzle,solution,id\n{PUZZLE},{SOLUTION},d\n"),
    );
    let (kept, message) = night(&dir, grade);
    assert_eq!(kept, 2, "{message}");
    assert!(
        message.contains("column fetched_at of in/c.csv is new in the folder"),
        "{message}"
    );
    let new_parts = parts(&dir, "out");
    assert_eq!((old_parts.len(), new_parts.len()), (2, 4));
    for (name, bytes) in &old_parts {
        assert!(new_parts[name] == *bytes, "{name}");
    }
    let second = manifest(&dir, "out/_manifest.json");
    assert!(columns(&second).contains(&"fetched_at"));
    assert_eq!(
        entry(&second, "in/a.csv")["columns"]["lacks"],
        serde_json::json!(["fetched_at", "input_solution"])
    );
    assert!(
        message.contains("column input_solution of in/d.csv is new in the folder"),
        "{message}"
    );
    assert!(entry(&second, "in/c.csv")["columns"].is_null());
    // The parts are read as one table.
    let rows = dir.succeed("convert out -o - --format csv --select id,fetched_at,solution_given");
    let mut rows: Vec<&str> = rows.lines().skip(1).collect();
    rows.sort_unstable();
    assert_eq!(rows, ["a,,", "b,,", "c,today,", "d,,correct"]);
    let (kept, message) = night(&dir, grade);
    assert_eq!(kept, 4);
    assert!(!message.contains("is new"), "{message}");

    // A column that goes away touches no part either.
    std::fs::remove_file(dir.path("in/c.csv")).unwrap();
    dir.write("in/e.csv", format!("puzzle,id\n{PUZZLE},e\n"));
    let (kept, message) = night(&dir, grade);
    assert_eq!(kept, 3, "{message}");
    assert!(
        message.contains(
            "no input of this run has the column, which parts that are done have: fetched_at"
        ),
        "{message}"
    );
    let third = manifest(&dir, "out/_manifest.json");
    assert_eq!(
        entry(&third, "in/e.csv")["columns"]["lacks"],
        serde_json::json!(["fetched_at"])
    );
    assert!(entry(&third, "in/c.csv")["columns"].is_null());
    let (kept, _) = night(&dir, &format!("{grade} --prune"));
    assert_eq!(kept, 4);
    // The part of d.csv was written beside c.csv, and has its column.
    let last = manifest(&dir, "out/_manifest.json");
    assert!(columns(&last).contains(&"fetched_at"));
    std::fs::remove_file(dir.path("in/d.csv")).unwrap();
    night(&dir, &format!("{grade} --prune"));
    let last = manifest(&dir, "out/_manifest.json");
    assert!(!columns(&last).contains(&"fetched_at"));
    // The part of e.csv was written beside d.csv, which has solutions.
    assert_eq!(
        entry(&last, "in/a.csv")["columns"]["lacks"],
        serde_json::json!(["input_solution"])
    );
}

/// Moved inputs once led to a message whose only ways out were to delete data or to begin anew.
#[test]
fn the_parts_of_moved_inputs_stay_beside_other_columns() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    dir.write("in/a.csv", format!("puzzle,id,old\n{PUZZLE},a,1\n"));
    let convert = "convert in -o out/ --resume";
    night(&dir, convert);
    std::fs::remove_file(dir.path("in/a.csv")).unwrap();
    dir.write("in/b.csv", format!("puzzle,id,new\n{PUZZLE},b,2\n"));
    let (_, message) = night(&dir, convert);
    assert!(
        message.contains("in/a.csv; their parts stay; --prune removes"),
        "{message}"
    );
    assert_eq!(
        dir.succeed("convert out -o - --format csv --select id,old,new"),
        "id,old,new\na,1,\nb,,2\n"
    );
    // Solutions are a new column too.
    dir.write(
        "in/c.csv",
        format!("puzzle,id,solution\n{PUZZLE},c,{SOLUTION}\n"),
    );
    let (kept, message) = night(&dir, convert);
    assert_eq!(kept, 1, "{message}");
    assert!(
        message.contains("column solution of in/c.csv is new"),
        "{message}"
    );
    std::fs::remove_file(dir.path("in/c.csv")).unwrap();
    night(&dir, &format!("{convert} --prune"));
    night(&dir, convert);
    dir.write("in/a.csv", format!("puzzle,id,old\n{PUZZLE},a,1\n"));
    night(&dir, convert);
    std::fs::remove_file(dir.path("in/a.csv")).unwrap();
    // The parts also stay if an option changes the columns.
    let (_, message) = night(&dir, &format!("{convert} --rename new=newer"));
    assert!(message.contains("rename: was not given"), "{message}");
    assert_eq!(
        dir.succeed("convert out -o - --format csv --select id,old,newer"),
        "id,old,newer\na,1,\nb,,2\n"
    );
    night(&dir, &format!("{convert} --rename new=newer --prune"));
    assert_eq!(
        dir.succeed("convert out -o - --format csv --select id,newer"),
        "id,newer\nb,2\n"
    );
}

/// The output of `convert` has the names of the input's columns. A new file with another name for its puzzles must not
/// give the folder two columns of puzzles.
#[test]
fn puzzles_keep_the_name_that_the_folder_has_for_them() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    dir.write("in/m.csv", format!("quiz,Id\n{PUZZLE},m\n"));
    let convert = "convert in -o out/ --resume";
    night(&dir, convert);
    // The other name comes first, then beside the old one, then alone; the last file has no names.
    for (number, (name, text)) in [
        ("in/a.csv", format!("puzzle,id\n{PUZZLE},a\n")),
        ("in/z.csv", format!("board,ID\n{PUZZLE},z\n")),
        ("in/t.txt", format!("{PUZZLE}\n")),
    ]
    .into_iter()
    .enumerate()
    {
        if number > 0 {
            std::fs::remove_dir_all(dir.path("in")).unwrap();
            std::fs::create_dir(dir.path("in")).unwrap();
        }
        dir.write(name, text);
        let (_, message) = night(&dir, convert);
        assert!(
            message.contains("is called quiz, as in the parts"),
            "{message}"
        );
        let manifest = manifest(&dir, "out/_manifest.json");
        let mut names = columns(&manifest);
        names.sort_unstable();
        names.retain(|column| *column != "comment");
        assert_eq!(names, ["Id", "quiz"], "{name}");
    }
    let rows = dir.succeed("convert out -o - --format csv");
    assert_eq!(rows.lines().count(), 5);
}

fn write_parquet(dir: &TestDir, name: &str, rating: ArrayRef) {
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; rating.len()]));
    let batch = RecordBatch::try_from_iter([("puzzle", puzzles), ("rating", rating)]).unwrap();
    let file = std::fs::File::create(dir.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// A part is kept if readers can read its type as that of the new parts. If not, nothing is written.
#[test]
fn a_column_with_another_type_is_widened_or_refused() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    let integers = || Arc::new(Int64Array::from(vec![1])) as ArrayRef;
    let floats = || Arc::new(Float64Array::from(vec![1.5])) as ArrayRef;
    let texts = || Arc::new(StringArray::from(vec!["one"])) as ArrayRef;
    let convert = "convert in -o out/ --resume";
    write_parquet(&dir, "in/a.parquet", integers());
    night(&dir, convert);
    write_parquet(&dir, "in/b.parquet", floats());
    let (kept, message) = night(&dir, convert);
    assert_eq!(kept, 1, "{message}");
    let widened = manifest(&dir, "out/_manifest.json");
    assert!(
        widened["columns"]
            .to_string()
            .contains(r#"["rating","Float64"]"#)
    );
    assert_eq!(
        entry(&widened, "in/a.parquet")["columns"]["types"]["rating"],
        "Int64"
    );
    // Integers that come later are written with the type of the folder.
    for name in ["a", "b"] {
        std::fs::remove_file(dir.path(&format!("in/{name}.parquet"))).unwrap();
    }
    write_parquet(&dir, "in/c.parquet", integers());
    night(&dir, convert);
    let third = manifest(&dir, "out/_manifest.json");
    assert!(
        entry(&third, "in/c.parquet")["columns"].is_null(),
        "{third}"
    );

    write_parquet(&dir, "in/d.parquet", texts());
    let tree = dir.tree("out");
    let message = dir.fail(convert, 2);
    for part in [
        "column rating",
        "in/d.parquet",
        "float64 in the parts of in/c.parquet",
        "--keep",
        "--overwrite",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(dir.tree("out") == tree);
    // If the numbers are not in the folder any more, the texts fit.
    std::fs::remove_file(dir.path("in/c.parquet")).unwrap();
    night(&dir, &format!("{convert} --prune"));
    // The numbers that follow texts become texts.
    std::fs::remove_file(dir.path("in/d.parquet")).unwrap();
    write_parquet(&dir, "in/e.parquet", integers());
    night(&dir, convert);
    let rows = dir.succeed("convert out -o - --format csv --select rating");
    assert_eq!(rows, "rating\none\n1\n");
    // CSV has no types, so that nothing has to be refused.
    night(&dir, "convert in -o texts/ --format csv --resume");
    write_parquet(&dir, "in/f.parquet", texts());
    let (kept, _) = night(&dir, "convert in -o texts/ --format csv --resume");
    assert_eq!(kept, 1);
}

/// A shard was refused with exit code 4 when the inputs had gained a column since another shard had run.
#[test]
fn shards_may_see_different_columns() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    for name in ["a", "b", "c", "d"] {
        dir.write(
            &format!("in/{name}.csv"),
            format!("puzzle,id\n{PUZZLE},{name}\n"),
        );
    }
    dir.succeed("convert in -o out/ --shard 0/2");
    for name in ["e", "f", "g", "h"] {
        dir.write(
            &format!("in/{name}.csv"),
            format!("puzzle,id,note\n{PUZZLE},{name},n\n"),
        );
    }
    dir.succeed("convert in -o out/ --shard 1/2");
    let old_parts = parts(&dir, "out");
    for shard in ["0/2", "1/2"] {
        night(
            &dir,
            &format!("convert in -o out/ --resume --shard {shard}"),
        );
    }
    let new_parts = parts(&dir, "out");
    assert_eq!(new_parts.len(), 8);
    assert!(
        old_parts
            .iter()
            .all(|(name, bytes)| new_parts[name] == *bytes)
    );
    let rows = dir.succeed("convert out -o - --format csv --select id,note");
    let mut rows: Vec<&str> = rows.lines().skip(1).collect();
    rows.sort_unstable();
    assert_eq!(rows, ["a,", "b,", "c,", "d,", "e,n", "f,n", "g,n", "h,n"]);
}

/// A run that was killed is continued with its parts, even if a new column has come since then.
#[test]
fn a_new_column_leaves_the_parts_of_an_unfinished_run() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    dir.write("in/a.csv", format!("puzzle,id\n{PUZZLE},a\n"));
    dir.write("in/b.csv.gz", "not gzip");
    dir.fail("convert in -o out/", 3);
    std::fs::remove_file(dir.path("in/b.csv.gz")).unwrap();
    dir.write("in/c.csv", format!("puzzle,id,note\n{PUZZLE},c,n\n"));
    for arguments in ["convert in -o out/", "convert in -o out/ --resume"] {
        night(&dir, arguments);
    }
    assert_eq!(
        dir.succeed("convert out -o - --format csv --select id,note"),
        "id,note\na,\nc,n\n"
    );
}

/// A night without a file changes nothing, and needs `--allow-empty`.
#[test]
fn an_empty_night_leaves_the_folder() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    dir.write("in/a.csv", format!("quiz,id\n{PUZZLE},a\n"));
    let convert = "convert in/*.csv -o out/ --resume";
    dir.fail("convert in/*.txt -o out/ --resume", 3);
    night(&dir, convert);
    let tree = dir.tree("out");
    std::fs::remove_file(dir.path("in/a.csv")).unwrap();
    dir.fail(convert, 3);
    night(&dir, &format!("{convert} --allow-empty"));
    assert!(dir.tree("out") == tree);
    night(&dir, &format!("{convert} --allow-empty --prune"));
    assert!(parts(&dir, "out").is_empty());
    dir.write("in/b.csv", format!("quiz,id\n{PUZZLE},b\n"));
    night(&dir, &format!("{convert} --allow-empty"));
    assert_eq!(parts(&dir, "out").len(), 1);
}
