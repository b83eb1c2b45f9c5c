//! `query`: SQL over tables.

use super::graded;
use crate::util::Place;

#[test]
fn tables_are_asked_in_sql_and_the_answer_is_written_in_any_format() {
    let place = Place::new();
    graded(&place);
    let sql = "SELECT difficulty, count(*) AS n FROM graded GROUP BY difficulty ORDER BY difficulty NULLS LAST";
    let shown = place.succeed(&["query", sql, "graded.parquet"]);
    assert!(
        shown.contains("easy") && shown.contains("difficulty"),
        "{shown}"
    );
    let csv = place.succeed(&[
        "query",
        sql,
        "graded.parquet",
        "-o",
        "-",
        "--output-format",
        "csv",
    ]);
    assert_eq!(csv, "difficulty,n\neasy,22\nhard,22\n");
    place.succeed(&[
        "query",
        "SELECT puzzle, effort FROM graded",
        "graded.parquet",
        "-o",
        "few.parquet",
    ]);
    assert_eq!(place.parquet("few.parquet").num_rows(), 44);
    let joined = "SELECT count(*) AS n FROM graded JOIN few ON graded.puzzle = few.puzzle";
    let csv = place.succeed(&[
        "query",
        joined,
        "graded.parquet",
        "few.parquet",
        "--output-format",
        "csv",
    ]);
    // Three rows have the same puzzle.
    assert_eq!(csv, "n\n50\n");
    let rejects = "SELECT error FROM graded_rejects ORDER BY error";
    let csv = place.succeed(&["query", rejects, "graded.parquet", "--output-format", "csv"]);
    assert_eq!(csv, "error\nconflict\nwrong_length\n");
    let few = place.succeed(&[
        "query",
        "SELECT * FROM graded",
        "graded.parquet",
        "--rows",
        "2",
    ]);
    assert!(few.contains("2 of 44 rows"), "{few}");
    for wrong in [
        "SELEC 1",
        "SELECT nothing FROM graded",
        "SELECT 1 FROM elsewhere",
        "",
    ] {
        let said = place.fail(&["query", wrong, "graded.parquet"], 2);
        assert!(said.contains("graded (source, row"), "{said}");
    }
}
