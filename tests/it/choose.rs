//! `--where`, `--select`, `--rename`.

use crate::util::{PUZZLE, Place, SOLUTION, numbers, stderr, texts};

/// Puzzles of three techniques with notes, one of them no puzzle and one without a solution.
fn dataset(place: &Place) {
    let naked_pair =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";
    let none = SOLUTION.replacen("53", "55", 1).replacen("678", "...", 1);
    let impossible = format!("12345678.........9{}", ".".repeat(63));
    place.write(
        "in.csv",
        format!(
            "id,clues,puzzle,rating,note\n\
             0,x,{PUZZLE},1.5,an easy one\n\
             1,,{naked_pair},7.2,\n\
             2,,{none},,conflict\n\
             3,y,{impossible},n/a,nothing\n\
             4,,{PUZZLE},2.5,another\n"
        ),
    );
}

fn kept(condition: &str) -> Vec<String> {
    let place = Place::new();
    dataset(&place);
    place.succeed(&["grade", "in.csv", "-o", "out.parquet", "--where", condition]);
    let ids = texts(&place.parquet("out.parquet"), "id");
    ids.into_iter().flatten().collect()
}

#[test]
fn where_keeps_the_rows_that_fulfil_it() {
    assert_eq!(kept("status = 'unique'"), ["0", "1", "4"]);
    assert_eq!(
        kept("technique = 'naked_single' and clues >= 30"),
        ["0", "4"]
    );
    assert_eq!(kept("cast(rating as double) between 2 and 8"), ["1", "4"]);
    assert_eq!(kept("rating > '2'"), ["1", "3", "4"]);
    assert_eq!(kept("note like 'an%' or note is null"), ["0", "1", "4"]);
    assert_eq!(kept("not (rank > 2)"), ["0", "4"], "null is not true");
    assert_eq!(kept("rank is null"), ["3"]);
    assert_eq!(kept("input_clues is not null"), ["0", "3"]);
    assert_eq!(
        kept("\"row\" % 2 = 0 AND upper(level) = 'EASY'"),
        ["0", "4"]
    );
    assert_eq!(kept("false"), [""; 0]);
}

#[test]
fn rows_that_are_left_out_are_counted_apart() {
    let place = Place::new();
    dataset(&place);
    let arguments = ["grade", "in.csv", "-o", "out.csv", "--summary", "s.json"];
    let arguments = [&arguments[..], &["--where", "rank = 2"]].concat();
    let output = place.run(&arguments);
    let said = stderr(&output);
    assert!(said.contains("5 rows in"), "{said}");
    assert!(
        said.contains("2 written to out.csv, 2 unique, 2 filtered out, 1 rejected"),
        "{said}"
    );
    let summary: serde_json::Value = serde_json::from_slice(&place.read("s.json")).unwrap();
    for (name, count) in [
        ("rows_in", 5),
        ("rows_out", 2),
        ("rejected", 1),
        ("filtered", 2),
    ] {
        assert_eq!(summary[name], count, "{name}");
    }
    assert_eq!(summary["technique"]["naked_single"], 2);
    assert_eq!(
        summary["status"]["none"], 0,
        "the counts are of the rows written"
    );
}

#[test]
fn a_condition_that_cannot_be_is_refused_before_any_work() {
    let place = Place::new();
    dataset(&place);
    for (condition, words) in [
        (
            "rung > 3",
            &[
                "character 1",
                "no column rung",
                "rank",
                "input_clues",
                "rating",
            ][..],
        ),
        ("rating > 3", &["rating is text", "cast(rating as double)"]),
        ("rank >", &["found: the end"]),
        ("canonical = 'x'", &["no column canonical"]),
    ] {
        let said = place.fail(
            &["grade", "in.csv", "-o", "out.csv", "--where", condition],
            2,
        );
        for word in words {
            assert!(said.contains(word), "{word}: {said}");
        }
        assert_eq!(place.files(), ["in.csv"]);
    }
}

#[test]
fn select_and_rename_shape_the_table() {
    let place = Place::new();
    dataset(&place);
    place.succeed(&[
        "grade",
        "in.csv",
        "-o",
        "out.csv",
        "--select",
        "technique, input_clues,puzzle,id",
        "--rename",
        "puzzle=board,id=number",
        "--where",
        "rank = 2 and note is not null",
    ]);
    let expected = format!(
        "technique,input_clues,board,number\nnaked_single,x,{PUZZLE},0\nnaked_single,,{PUZZLE},4\n"
    );
    assert_eq!(String::from_utf8(place.read("out.csv")).unwrap(), expected);

    // Names can be exchanged, by the environment too.
    let arguments = ["convert", "in.csv", "-o", "c.parquet", "--keep", "id,note"];
    let output = place
        .command(&arguments)
        .env("PIPELINE_RENAME", "id=note,note=id")
        .env("PIPELINE_SELECT", "id,note")
        .env("PIPELINE_WHERE", "id > '0'")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let table = place.parquet("c.parquet");
    assert_eq!(table.schema().field(0).name(), "note");
    let ids: Vec<_> = texts(&table, "note").into_iter().flatten().collect();
    assert_eq!(ids, ["1", "3", "4"]);
}

#[test]
fn columns_are_the_same_whether_selected_or_not() {
    let place = Place::new();
    dataset(&place);
    place.succeed(&[
        "grade",
        "in.csv",
        "-o",
        "all.parquet",
        "--with",
        "canonical",
    ]);
    place.succeed(&[
        "grade",
        "in.csv",
        "-o",
        "some.parquet",
        "--with",
        "canonical",
        "--select",
        "waves,canonical,row",
        "--where",
        "status <> 'none'",
    ]);
    let (all, some) = (place.parquet("all.parquet"), place.parquet("some.parquet"));
    let names: Vec<_> = some
        .schema()
        .fields()
        .iter()
        .map(|f| f.name().clone())
        .collect();
    assert_eq!(names, ["waves", "canonical", "row"]);
    let kept = [0, 1, 3];
    let rows = numbers(&all, "row");
    assert_eq!(numbers(&some, "row"), kept.map(|at| rows[at]));
    let canonical = texts(&all, "canonical");
    assert_eq!(
        texts(&some, "canonical"),
        kept.map(|at| canonical[at].clone())
    );
    let waves = numbers(&all, "waves");
    assert_eq!(numbers(&some, "waves"), kept.map(|at| waves[at]));
}

#[test]
fn columns_that_are_not_there_are_refused_with_those_that_are() {
    let place = Place::new();
    dataset(&place);
    for (arguments, words) in [
        (
            &["--select", "puzzle,rung"][..],
            &["--select", "no column rung", "technique"][..],
        ),
        (
            &["--select", "puzzle,rank,puzzle"],
            &["puzzle is there twice"],
        ),
        (&["--select", ""], &["--select", "no column"]),
        (
            &["--rename", "rung=step"],
            &["--rename", "no column rung", "technique"],
        ),
        (
            &["--rename", "id=puzzle"],
            &["two columns would be called puzzle"],
        ),
        (&["--rename", "id=a,id=b"], &["id is there twice"]),
        (&["--rename", "id="], &["id needs a new name"]),
        (&["--rename", "id"], &["OLD=NEW"]),
        (
            &["--select", "rank", "--rename", "id=a"],
            &["no column id in the output"],
        ),
    ] {
        let arguments = [&["grade", "in.csv", "-o", "out.csv"], arguments].concat();
        let said = place.fail(&arguments, 2);
        for word in words {
            assert!(said.contains(word), "{word}: {said}");
        }
        assert_eq!(place.files(), ["in.csv"]);
    }
    let said = place.fail(
        &["solve", "in.csv", "-o", "out.txt", "--select", "solution"],
        2,
    );
    assert!(said.contains("lines need the column puzzle"), "{said}");
}
