//! Templates for texts, such as prompts for language models and their answers. Each text becomes a column.

use std::sync::Arc;

use arrow::error::ArrowError;
use serde_json::Value;

use crate::table::columns::column_group::{ColumnGroup, OutcomeColumn, OutputColumn};
use crate::table::columns::traces;
use crate::table::outcome::Outcome;
use arrow::array::StringArray;
use arrow::datatypes::DataType;

/// A template: the name of each column that it adds, and the column's text with placeholders.
///
/// ```
/// use sudoku_pipeline::table::template::Template;
///
/// let template = Template::parse(r#"{"prompt": "Solve {puzzle}", "completion": "{solution}"}"#)?;
/// assert_eq!(template.names().collect::<Vec<_>>(), ["prompt", "completion"]);
/// # Ok::<(), sudoku_pipeline::table::template::TemplateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Template(Vec<(String, Arc<[TemplatePart]>)>);

/// A part of a template's text: literal text, or a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePart {
    Text(String),
    Puzzle,
    Solution,
    Steps,
}

/// The reason why a text is not a template.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The text is not a JSON object.
    #[error(
        "it is no JSON object, such as {{\"prompt\": \"Solve {{puzzle}}\", \"answer\": \"{{solution}}\"}}"
    )]
    NoObject,
    /// The value of a column is not text.
    #[error("the value of {0:?} is no text")]
    NoText(String),
    /// A text has a placeholder that does not exist.
    #[error(
        "there is no placeholder {{{0}}}: they are {{puzzle}}, {{solution}} and {{steps}}; write {{{{ for a brace"
    )]
    Unknown(String),
    /// A brace is not closed.
    #[error("{0:?}: a brace is not closed; write {{{{ for a brace")]
    Open(String),
    /// No column has a placeholder.
    #[error("it has no placeholder: they are {{puzzle}}, {{solution}} and {{steps}}")]
    NoPlaceholder,
}

impl Template {
    /// Parses a JSON object whose values are texts with placeholders.
    ///
    /// # Errors
    ///
    /// The text is not a JSON object, or has a placeholder that does not exist.
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        let value: Value = serde_json::from_str(text).map_err(|_| TemplateError::NoObject)?;
        let object = value.as_object().ok_or(TemplateError::NoObject)?;
        let columns = object.iter().map(|(name, value)| {
            let text = value.as_str();
            let text = text.ok_or_else(|| TemplateError::NoText(name.clone()))?;
            Ok((name.clone(), split_parts(text)?.into()))
        });
        let columns: Vec<(String, Arc<[TemplatePart]>)> = columns.collect::<Result<_, _>>()?;
        let is_text = |part: &TemplatePart| matches!(part, TemplatePart::Text(_));
        if columns.iter().all(|(_, parts)| parts.iter().all(is_text)) {
            Err(TemplateError::NoPlaceholder)
        } else {
            Ok(Template(columns))
        }
    }

    /// The names of the columns that the template adds to the table.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The columns that the template adds to the table.
    pub(crate) fn columns(&self) -> Vec<OutputColumn> {
        let column = |(name, parts): &(String, Arc<[TemplatePart]>)| {
            let template_parts = parts.clone();
            let doc = "A text of the template.";
            OutcomeColumn::new(name, DataType::Utf8, doc, move |rows| {
                let texts = rows
                    .items
                    .iter()
                    .map(|row| fill_parts(&template_parts, row));
                let texts: Vec<Option<String>> = texts.collect::<Result<_, _>>()?;
                Ok(Arc::new(StringArray::from(texts)))
            })
            .in_group(ColumnGroup::Chat)
        };
        self.0.iter().map(column).collect()
    }
}

/// Splits a text into literal parts and placeholders. `{{` and `}}` stand for braces.
fn split_parts(text: &str) -> Result<Vec<TemplatePart>, TemplateError> {
    let mut template_parts = Vec::new();
    let mut plain_text = String::new();
    let mut remaining_text = text;
    while let Some(at) = remaining_text.find(['{', '}']) {
        plain_text += &remaining_text[..at];
        let brace = &remaining_text[at..=at];
        remaining_text = &remaining_text[at + 1..];
        if let Some(after) = remaining_text.strip_prefix(brace) {
            plain_text += brace;
            remaining_text = after;
            continue;
        }
        if brace == "}" {
            plain_text += brace;
            continue;
        }
        let Some((name, after)) = remaining_text.split_once('}') else {
            return Err(TemplateError::Open(text.to_owned()));
        };
        if !plain_text.is_empty() {
            template_parts.push(TemplatePart::Text(std::mem::take(&mut plain_text)));
        }
        template_parts.push(match name {
            "puzzle" => TemplatePart::Puzzle,
            "solution" => TemplatePart::Solution,
            "steps" => TemplatePart::Steps,
            _ => return Err(TemplateError::Unknown(name.to_owned())),
        });
        remaining_text = after;
    }
    plain_text += remaining_text;
    if !plain_text.is_empty() {
        template_parts.push(TemplatePart::Text(plain_text));
    }
    Ok(template_parts)
}

/// Replaces the placeholders of a text by the values of a row. `None` if the row does not have a value for one of them.
fn fill_parts(parts: &[TemplatePart], row: &Outcome) -> Result<Option<String>, ArrowError> {
    let mut text = String::new();
    for part in parts {
        let value = match part {
            TemplatePart::Text(plain) => Some(plain.clone()),
            TemplatePart::Puzzle => Some(row.puzzle.text().to_owned()),
            TemplatePart::Solution => {
                let solution = row.solution_text();
                solution.map(|text| String::from_utf8_lossy(text).into_owned())
            }
            TemplatePart::Steps => traces::steps_text(row)?,
        };
        let Some(value) = value else {
            return Ok(None);
        };
        text += &value;
    }
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_braces_are_told_apart() {
        let text = |text: &str| TemplatePart::Text(text.to_owned());
        assert_eq!(
            split_parts("a {puzzle}{solution} {{x}} } b").unwrap(),
            [
                text("a "),
                TemplatePart::Puzzle,
                TemplatePart::Solution,
                text(" {x} } b")
            ]
        );
        for (wrong, why) in [
            ("[]", "no JSON object"),
            ("nothing", "no JSON object"),
            (r#"{"a": 1}"#, "is no text"),
            (r#"{"a": "{puzle}"}"#, "no placeholder {puzle}"),
            (r#"{"a": "{puzzle"}"#, "not closed"),
            (r#"{"a": "b"}"#, "no placeholder"),
        ] {
            let error = Template::parse(wrong).unwrap_err().to_string();
            assert!(error.contains(why), "{wrong}: {error}");
        }
    }
}
