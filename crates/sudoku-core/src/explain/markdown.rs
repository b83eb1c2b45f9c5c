//! Splits the documentation of a technique into headings, paragraphs and lists.

/// A block of a technique's documentation: a heading, a paragraph or an item of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MarkdownBlock {
    Heading(String),
    Paragraph(String),
    Item(String),
}

/// Splits documentation in Markdown into its blocks. Marks for emphasis and code are removed.
pub(super) fn parse_blocks(markdown: &str) -> Vec<MarkdownBlock> {
    let mut blocks = Vec::new();
    let mut is_open = false;
    for line in markdown.lines().map(str::trim) {
        let text = || line.replace(['`', '*'], "");
        if line.is_empty() {
            is_open = false;
        } else if line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim();
            blocks.push(MarkdownBlock::Heading(heading.to_owned()));
            is_open = false;
        } else if let Some(item) = line.strip_prefix("- ") {
            blocks.push(MarkdownBlock::Item(item.replace(['`', '*'], "")));
            is_open = true;
        } else if let (true, Some(MarkdownBlock::Paragraph(last) | MarkdownBlock::Item(last))) =
            (is_open, blocks.last_mut())
        {
            last.push(' ');
            last.push_str(&text());
        } else {
            blocks.push(MarkdownBlock::Paragraph(text()));
            is_open = true;
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_into_parts() {
        let text = " One\n `two`.\n\n # Why\n\n - a\n   b\n - c\n\n Three.\n";
        let expected = [
            MarkdownBlock::Paragraph("One two.".into()),
            MarkdownBlock::Heading("Why".into()),
            MarkdownBlock::Item("a b".into()),
            MarkdownBlock::Item("c".into()),
            MarkdownBlock::Paragraph("Three.".into()),
        ];
        assert_eq!(parse_blocks(text), expected);
    }
}
