//! Parts of drawings that occur several times on a page: the lines of a board, its clues, and rows that stay
//! the same from one wave of steps to the next. Each part is written once, and later drawings refer to it.

use std::collections::HashMap;

/// The parts of drawings that a page has written so far, so that it can refer to them.
pub(super) struct SharedParts {
    id_prefix: String,
    number_by_svg: HashMap<String, usize>,
}

impl SharedParts {
    /// An empty list of parts. The id of each part is `prefix` with a number, so other elements of the page
    /// must not have such ids.
    pub(super) fn new(prefix: &str) -> SharedParts {
        SharedParts {
            id_prefix: prefix.to_owned(),
            number_by_svg: HashMap::new(),
        }
    }

    /// Writes a part as an SVG group with an id, or as a reference if an equal part has been written before.
    pub(super) fn group_or_reference(&mut self, svg: String) -> String {
        if svg.is_empty() {
            return svg;
        }
        if let Some(part_number) = self.number_by_svg.get(&svg) {
            return format!("<use href=\"#{}{part_number}\" />\n", self.id_prefix);
        }
        let part_number = self.number_by_svg.len();
        let group = format!("<g id=\"{}{part_number}\">\n{svg}</g>\n", self.id_prefix);
        self.number_by_svg.insert(svg, part_number);
        group
    }
}

#[cfg(test)]
mod tests {
    use super::SharedParts;

    #[test]
    fn an_equal_part_is_written_once() {
        let mut shared_parts = SharedParts::new("p");
        let first_reference = shared_parts.group_or_reference("<path />\n".to_owned());
        assert_eq!(first_reference, "<g id=\"p0\">\n<path />\n</g>\n");
        assert!(
            shared_parts
                .group_or_reference("<rect />\n".to_owned())
                .contains("id=\"p1\"")
        );
        assert_eq!(
            shared_parts.group_or_reference("<path />\n".to_owned()),
            "<use href=\"#p0\" />\n"
        );
        assert_eq!(shared_parts.group_or_reference(String::new()), "");
    }
}
