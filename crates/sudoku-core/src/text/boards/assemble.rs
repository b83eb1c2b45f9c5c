//! Collects the rows of one board from the lines of a text, starting with the board's first row.

use super::block::{BOARD_CELLS, Block};
use super::board_line::LONGEST_ROW;
use super::line_scan::{CellRow, LineKind};
use super::segments::resolve_fill;
use super::text_line::{BoardText, Line, NeedMoreText};
use crate::board::Size;

/// Whether a line is the rule below the first row of a table in Markdown.
fn is_markdown_rule(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"|")
        && line.contains(&b'-')
        && line
            .iter()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
}

impl BoardText<'_> {
    /// Collects the lines of a board from its first row on. `title` is the text above the board.
    pub(super) fn block(
        &self,
        first_line: Line,
        first_row: CellRow,
        title: Option<Block>,
    ) -> Result<Block, NeedMoreText> {
        let title = title.and_then(|text| text.rows.first().copied());
        let wrapping = first_row.wrapping;
        let mut block = Block {
            start: title.map_or(first_line.start, |title| title.start),
            end: first_line.next,
            title: title.map(|title| (title.start, title.end)),
            rows: Vec::with_capacity(9),
            size: match first_row.cells {
                BOARD_CELLS => 1,
                cells if Size::ORDERS.contains(&cells) => cells,
                _ => 9,
            },
            has_text: false,
        };
        block.push(&first_line, first_row);
        // The character that stands for empty cells; `None` until a row with an empty cell is found.
        let mut blank = first_row.blank;
        let mut segment_rows = 1;
        let mut segment_length = None;
        let mut offset = first_line.next;
        while block.rows.len() < block.size {
            let Some(line) = self.line(offset)? else {
                break;
            };
            match resolve_fill(line.kind, blank) {
                LineKind::Row(row) if row.cells == BOARD_CELLS => break,
                // This row has another decoration than the first row, so the board is damaged.
                LineKind::Row(row) if row.wrapping != wrapping => {
                    block.push(&line, CellRow::default());
                    block.has_text = true;
                    segment_rows += 1;
                    offset = line.next;
                }
                LineKind::Row(row) => {
                    block.push(&line, row);
                    blank = blank.or(row.blank);
                    segment_rows += 1;
                    offset = line.next;
                }
                LineKind::Text {
                    resembles_row: true,
                } => {
                    block.push(&line, CellRow::default());
                    block.has_text = true;
                    segment_rows += 1;
                    offset = line.next;
                }
                LineKind::Comment if line.is_whole && line.next - block.end <= LONGEST_ROW => {
                    offset = line.next;
                }
                LineKind::Comment | LineKind::Section { .. } => break,
                LineKind::Text { .. } => {
                    if line.is_whole {
                        self.add_rows_below_text(&line, &mut block)?;
                    }
                    break;
                }
                LineKind::Blank | LineKind::Rule | LineKind::Fill(..) => {
                    let gap = &self.bytes[line.start..line.end];
                    let Some((line, row)) = self.skip_gap(offset)? else {
                        break;
                    };
                    if block.rows.len() == 1 && is_markdown_rule(gap) && row.wrapping == wrapping {
                        let rows_below = self.count_rows(line.start, block.size, block.size)?;
                        if rows_below + 1 >= block.size {
                            block.push(&line, row);
                            blank = blank.or(row.blank);
                            segment_rows += 1;
                            offset = line.next;
                            continue;
                        }
                    }
                    let length = *segment_length.get_or_insert(segment_rows);
                    let rows_below = self.count_rows(line.start, 2 * length + 1, block.size)?;
                    // The first segment of the next board may follow the last of this one.
                    let is_last = block.rows.len() + length == block.size;
                    let is_wrapped =
                        (1..=length).contains(&rows_below) || is_last && rows_below == 2 * length;
                    let is_wrapped = is_wrapped && row.wrapping == wrapping;
                    if !block.size.is_multiple_of(length) || segment_rows != length || !is_wrapped {
                        break;
                    }
                    block.push(&line, row);
                    blank = blank.or(row.blank);
                    segment_rows = 1;
                    offset = line.next;
                }
            }
        }
        Ok(block)
    }

    /// Continues a board below a line of text that interrupts it. Adds the rows below the text if they complete the
    /// board. Also adds them if exactly one row is still missing, because the text then stands in place of that row.
    /// Otherwise adds nothing.
    fn add_rows_below_text(&self, text: &Line, block: &mut Block) -> Result<(), NeedMoreText> {
        let rows_below = self.count_rows(text.next, block.size, block.size)?;
        let rows_so_far = block.rows.len() + rows_below;
        if rows_below == 0 || (rows_so_far != block.size && rows_so_far + 1 != block.size) {
            return Ok(());
        }
        block.has_text = true;
        let mut offset = text.next;
        for _ in 0..rows_below {
            let Some(line) = self.line(offset)? else {
                break;
            };
            block.push(&line, CellRow::default());
            offset = line.next;
        }
        Ok(())
    }
}
