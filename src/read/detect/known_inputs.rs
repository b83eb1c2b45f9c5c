//! The inputs that an earlier run has recognised.

use std::collections::HashMap;

use crate::read::{InputFormat, ReadOptions, RecognisedInput, Recognition};
use crate::store::{FileMetadata, Location, listed_metadata};

/// The inputs that an earlier run has recognised, by address: the version of each, and its recognition.
#[derive(Clone, Debug, Default)]
pub struct KnownInputs {
    inputs: HashMap<String, KnownInput>,
    last_recognition: Option<Recognition>,
}

#[derive(Clone, Debug)]
struct KnownInput {
    bytes: Option<u64>,
    state: String,
    recognition: Recognition,
}

impl KnownInputs {
    /// Adds an input. `state` is its version as manifests state it.
    pub fn add(
        &mut self,
        source: String,
        bytes: Option<u64>,
        state: String,
        recognition: Recognition,
    ) {
        let recognition = recognition.shared_with(self.last_recognition.as_ref());
        self.last_recognition = Some(recognition.clone());
        let known = KnownInput {
            bytes,
            state,
            recognition,
        };
        self.inputs.insert(source, known);
    }

    /// The recognition of an object that has not changed since, and its version in the listing that found it.
    /// `find_format` returns the format with an id.
    pub(crate) fn find(
        &self,
        path: &str,
        options: &ReadOptions,
        find_format: fn(&str) -> Option<InputFormat>,
    ) -> Option<(RecognisedInput, Recognition, FileMetadata)> {
        if self.inputs.is_empty() {
            return None;
        }
        let location = Location::parse(path).ok()?;
        let Location::Remote(url) = &location else {
            return None;
        };
        let source = location.to_string();
        let known = self.inputs.get(&source)?;
        let metadata = listed_metadata(url)?;
        let state = metadata.version()?;
        if known.state != state || known.bytes != metadata.bytes {
            return None;
        }
        let recognised =
            (known.recognition).to_recognised(options, source, metadata.bytes, find_format)?;
        Some((recognised, known.recognition.clone(), metadata))
    }
}
