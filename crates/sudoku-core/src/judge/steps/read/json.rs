//! A small reader for JSON: what it needs of a text that another program has written.

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Text(String),
    Number(f64),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
    /// `true`, `false` or `null`.
    Other,
}

/// Deeper values are refused, so that no text exhausts the stack.
const MOST_LEVELS: usize = 32;

impl Json {
    /// The value of a field of an object.
    pub(super) fn field(&self, name: &str) -> Option<&Json> {
        let Json::Object(fields) = self else {
            return None;
        };
        let mut fields = fields.iter();
        fields.find(|(own, _)| own == name).map(|(_, value)| value)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value in a few words, for messages.
    pub(super) fn excerpt(&self) -> String {
        match self {
            Json::Text(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
            Json::Number(number) => number.to_string(),
            Json::List(_) => "a list".to_owned(),
            Json::Object(_) => "an object".to_owned(),
            Json::Other => "null".to_owned(),
        }
    }
}

/// Reads a text that is one value; `None` if it is anything else.
pub(super) fn parse(text: &str) -> Option<Json> {
    let mut reader = Reader {
        text,
        rest: text.as_bytes(),
    };
    let value = reader.value(0)?;
    reader.skip_space();
    reader.rest.is_empty().then_some(value)
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn skip(&mut self, token: &[u8]) -> Option<()> {
        self.skip_space();
        self.rest = self.rest.strip_prefix(token)?;
        Some(())
    }

    fn value(&mut self, level: usize) -> Option<Json> {
        if level > MOST_LEVELS {
            return None;
        }
        self.skip_space();
        Some(match self.rest.first()? {
            b'"' => Json::Text(self.string()?),
            b'[' => Json::List(self.list(level)?),
            b'{' => Json::Object(self.object(level)?),
            b't' | b'f' | b'n' => {
                let words: [&[u8]; 3] = [b"true", b"false", b"null"];
                words.iter().find_map(|word| self.skip(word))?;
                Json::Other
            }
            _ => Json::Number(self.number()?),
        })
    }

    fn list(&mut self, level: usize) -> Option<Vec<Json>> {
        self.skip(b"[")?;
        let mut items = Vec::new();
        if self.skip(b"]").is_some() {
            return Some(items);
        }
        loop {
            items.push(self.value(level + 1)?);
            if self.skip(b",").is_none() {
                self.skip(b"]")?;
                return Some(items);
            }
        }
    }

    fn object(&mut self, level: usize) -> Option<Vec<(String, Json)>> {
        self.skip(b"{")?;
        let mut fields = Vec::new();
        if self.skip(b"}").is_some() {
            return Some(fields);
        }
        loop {
            self.skip_space();
            let name = self.string()?;
            self.skip(b":")?;
            fields.push((name, self.value(level + 1)?));
            if self.skip(b",").is_none() {
                self.skip(b"}")?;
                return Some(fields);
            }
        }
    }

    fn number(&mut self) -> Option<f64> {
        let is_number = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = self.rest.iter().take_while(is_number).count();
        let (number, rest) = self.rest.split_at(length);
        self.rest = rest;
        std::str::from_utf8(number).ok()?.parse().ok()
    }

    fn string(&mut self) -> Option<String> {
        self.rest = self.rest.strip_prefix(b"\"")?;
        let mut string = String::new();
        loop {
            let plain = self
                .rest
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\'))?;
            let start = self.text.len() - self.rest.len();
            string.push_str(self.text.get(start..start + plain)?);
            let is_end = self.rest[plain] == b'"';
            self.rest = &self.rest[plain + 1..];
            if is_end {
                return Some(string);
            }
            string.push(self.escaped()?);
        }
    }

    /// The character after a backslash.
    fn escaped(&mut self) -> Option<char> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(match first {
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let unit = self.code_unit()?;
                // Two code units make a character outside of the basic plane.
                let units = if (0xd800..0xdc00).contains(&unit) {
                    self.rest = self.rest.strip_prefix(b"\\u")?;
                    vec![unit, self.code_unit()?]
                } else {
                    vec![unit]
                };
                char::decode_utf16(units).next()?.ok()?
            }
            other => char::from(*other),
        })
    }

    fn code_unit(&mut self) -> Option<u16> {
        let (digits, rest) = self.rest.split_at_checked(4)?;
        self.rest = rest;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_other_texts_are_not() {
        let value = parse(
            r#" {"a": [1, -2.5e1, "x\n\u00e9\ud83d\ude00\"é"], "b": null, "c": {}, "d": []} "#,
        )
        .unwrap();
        let list = value.field("a").unwrap();
        let text = Json::Text("x\né😀\"é".to_owned());
        assert_eq!(
            *list,
            Json::List(vec![Json::Number(1.0), Json::Number(-25.0), text])
        );
        assert_eq!(value.field("b"), Some(&Json::Other));
        assert_eq!(value.field("c"), Some(&Json::Object(Vec::new())));
        for text in [
            "",
            "[1",
            "[1,]",
            "[1] 2",
            "{\"a\"}",
            "\"a",
            "[nul]",
            "\"\\ud800\"",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&"[".repeat(100_000)), None);
    }
}
