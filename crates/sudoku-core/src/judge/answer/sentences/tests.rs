use super::*;

#[test]
fn the_words_before_a_grid_give_the_rule() {
    for (lead, gap, rule) in [
        ("**Final answer:**", "", &FINAL_ANSWER),
        ("The final grid is", "", &FINAL_ANSWER),
        ("Solution:", "", &SOLUTION),
        ("Here is the solved puzzle", "", &SOLUTION),
        ("Thus we get", "", &SOLUTION),
        ("", "", &UNMARKED),
        ("as seen", "", &UNMARKED),
        ("Earlier draft (wrong):", "", &DRAFT),
        ("The original puzzle was", "", &DRAFT),
        ("This is not the solution:", "", &DRAFT),
        ("The corrected grid:", "", &CORRECTION),
        ("That was a draft. Here is the result:", "", &SOLUTION),
        ("It is", "Wait, there is a mistake. It is", &CORRECTION),
        // A draft stands behind the solution, or is a part of its name.
        ("My previous solution:", "", &DRAFT),
        ("My earlier final answer was:", "", &DRAFT),
        ("A first attempt at the solution:", "", &DRAFT),
        ("The final answer (wrong):", "", &DRAFT),
        ("The answer is incorrect:", "", &DRAFT),
        ("The answer isn't:", "", &DRAFT),
        ("This isn’t the right answer:", "", &DRAFT),
        (
            "After fixing column 3, the final answer is:",
            "",
            &FINAL_ANSWER,
        ),
        (
            "That attempt is wrong: the final answer is",
            "",
            &FINAL_ANSWER,
        ),
        ("The final answer, after two attempts:", "", &FINAL_ANSWER),
        ("Final attempt:", "", &FINAL_ANSWER),
        (
            "Final answer (the first attempt was wrong):",
            "",
            &FINAL_ANSWER,
        ),
        ("The answer (previously wrong in row 3) is:", "", &SOLUTION),
        ("My answer, which was wrong:", "", &DRAFT),
        ("My first try:", "", &DRAFT),
        ("Let me try again, the solution is:", "", &SOLUTION),
        ("Corrected draft:", "", &CORRECTION),
        (
            "Since the first guess is wrong, the answer is:",
            "",
            &SOLUTION,
        ),
        ("Unlike the previous attempt, this works:", "", &SOLUTION),
        ("I swap columns 2 and 3:", "", &SOLUTION),
        ("Columns 2 and 3 swapped:", "", &SOLUTION),
        (
            "The answer, if I have not made an error, is:",
            "",
            &SOLUTION,
        ),
        ("I am not sure, but the answer is:", "", &SOLUTION),
        ("The answer is not complicated:", "", &SOLUTION),
        ("Nothing is wrong here:", "", &SOLUTION),
        ("My first attempt failed, this one works:", "", &DRAFT),
        ("but that is wrong, so it is", "", &SOLUTION),
        ("Here is a grid that does not work:", "", &DRAFT),
        ("Rejected candidate:", "", &DRAFT),
        ("Mein erster Versuch war:", "", &DRAFT),
        ("之前的草稿：", "", &DRAFT),
        ("Here it is:", "On second thought. Here it is:", &CORRECTION),
    ] {
        assert_eq!(
            rule_for_words(lead.as_bytes(), gap.as_bytes(), true),
            rule,
            "{lead}"
        );
    }
    let lead = "Hmm, let me double-check: r1c3 should be 7.";
    assert_eq!(rule_for_words(lead.as_bytes(), b"", false), &CORRECTION);
    for lead in [
        "Given this, the repaired grid is:",
        "Starting over gives this grid:",
    ] {
        assert_eq!(
            rule_for_words(lead.as_bytes(), b"", false),
            &SOLUTION,
            "{lead}"
        );
        assert_eq!(rule_for_words(lead.as_bytes(), b"", true), &DRAFT, "{lead}");
    }
}

#[test]
fn other_lines_than_rows_are_named() {
    for lead in [
        "By columns:",
        "Columns:",
        "\"columns\": ",
        "Transposed:",
        "Answer (columns):",
        "As columns:",
        "Read column by column:",
        "Here are the columns from left to right:",
        "The solution by boxes:",
    ] {
        assert!(has_other_lines(lead.as_bytes()), "{lead}");
    }
    for lead in [
        "The solution:",
        "Columns 1-9:",
        "Columns 2 and 3 swapped:",
        "After fixing column 3, the final answer is:",
        "Each row, column and box has all digits, so the answer is:",
        "All rows, columns, and boxes are valid:",
        "Checked by columns, the solution is:",
        "Verified by columns.",
        "Answer (boxes checked):",
        "Rows\nColumns: 9",
    ] {
        assert!(!has_other_lines(lead.as_bytes()), "{lead}");
    }
}
