//! Tests `report` on the tables that `compare` writes.

use crate::util::{PUZZLE, TestDir};

use super::HARD_PUZZLE;

#[test]
fn a_table_of_runs_has_a_page_that_compares_the_solvers() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle,difficulty\n{PUZZLE},easy\n{HARD_PUZZLE},hard\n{PUZZLE},\n"),
    );
    for runs in ["runs.parquet", "runs.csv"] {
        dir.succeed(&format!("compare in.csv -o {runs} --label difficulty"));
        let page = format!("{runs}.html");
        dir.succeed(&["report", runs, "-o", &page, "--title", "By <hand>"]);
        let page = String::from_utf8(dir.read(&page)).unwrap();
        assert!(page.contains("<h1>Sudoku solvers: By &lt;hand&gt;</h1>"));
        assert!(page.contains("3 puzzles, 14 solvers."));
        for section in ["solvers", "labels", "clues", "rules"] {
            assert!(
                page.contains(&format!("<section id=\"{section}\"")),
                "{section}"
            );
        }
        // Regression test: the names in the legend of the drawing touched each other, and the table of rules, with a
        // column for each rule, was three times as wide as its card.
        let legend = page.split("<ul class=\"legend\">").nth(1).unwrap();
        let legend = legend.split("</ul>").next().unwrap();
        // A solver that solves no puzzle has no line.
        assert!(legend.matches("<li>").count() > 10, "{legend}");
        assert!(page.contains("<th scope=\"col\"><span>rule</span></th>"));
        assert!(page.contains("<td>naked single</td><td class=\"number\">"));
        // The page shows the same figures as `compare` prints: the easy puzzles have 30 clues on average.
        assert!(page.contains("<td>easy</td><td class=\"number\">1</td><td class=\"number\">30"));
        assert!(page.contains("backtrack-triples-mrv") && page.contains("naked single"));
        assert!(!page.contains("<script") && page.len() < 300_000);
        // Options that only apply to datasets are refused before anything is written.
        let message = dir.fail(&format!("report {runs} -o x.html --card card.md"), 2);
        assert!(
            message.contains("--card: it is about datasets"),
            "{message}"
        );
        assert!(!dir.path("x.html").exists() && !dir.path("card.md").exists());
    }
    // Without labels, the page only has the charts that compare the solvers.
    dir.succeed("compare in.csv -o plain.parquet --solvers lanes,dlx");
    dir.succeed("report plain.parquet -o plain.html");
    let page = String::from_utf8(dir.read("plain.html")).unwrap();
    assert!(!page.contains("<section id=\"labels\">") && !page.contains("<section id=\"rules\">"));
    assert!(!page.contains("by label"));
    // The error names a solver that this version does not have.
    let text = String::from_utf8(dir.read("runs.csv")).unwrap();
    dir.write("new.csv", text.replace("templates", "crystal-ball"));
    let message = dir.fail("report new.csv -o new.html", 3);
    assert!(message.contains("crystal-ball"), "{message}");
}
