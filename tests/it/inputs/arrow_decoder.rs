//! Damaged inputs that arrow-ipc's `StreamDecoder` accepts, but the reader of this program refuses. Each test
//! checks both. If a test fails because the decoder has improved, the corresponding part of
//! `src/read/columnar/arrow` can be removed.
//!
//! Two inputs are not tested, because the decoder would end the process of the test: a compressed buffer that
//! states a size of 2^40 bytes, and buffers that decompress to more than the memory of the machine.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow::array::{RecordBatch, StringArray};
use arrow::buffer::Buffer;
use arrow::error::ArrowError;
use arrow::ipc::reader::StreamDecoder;
use arrow::ipc::writer::StreamWriter;

use crate::util::TestDir;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// A stream with two record batches of one puzzle each, and the length of the stream's end mark.
fn stream() -> (Vec<u8>, usize) {
    let puzzles = Arc::new(StringArray::from(vec![PUZZLE]));
    let batch = RecordBatch::try_from_iter([("puzzle", puzzles as _)]).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    (writer.into_inner().unwrap(), 8)
}

/// The number of batches that the decoder returns.
fn decode(stream: &[u8]) -> Result<usize, ArrowError> {
    let mut decoder = StreamDecoder::new();
    let mut buffer = Buffer::from(stream);
    let mut batches = 0;
    while !buffer.is_empty() {
        batches += usize::from(decoder.decode(&mut buffer)?.is_some());
    }
    decoder.finish()?;
    Ok(batches)
}

fn error_of_this_program(stream: &[u8]) -> String {
    let dir = TestDir::new();
    dir.write("in.arrows", stream);
    dir.fail("convert in.arrows -o out.csv", 3)
}

#[test]
fn a_stream_without_its_end_mark_is_complete_for_the_decoder() {
    let (stream, end_mark) = stream();
    assert_eq!(decode(&stream).unwrap(), 2);
    let without_end_mark = &stream[..stream.len() - end_mark];
    assert_eq!(decode(without_end_mark).unwrap(), 2);
    let message = error_of_this_program(without_end_mark);
    assert!(message.contains("stops without its end mark"), "{message}");
}

#[test]
fn the_decoder_panics_on_changed_descriptions() {
    let (stream, _) = stream();
    // The description of the schema follows the first two 32-bit words.
    let length = u32::from_le_bytes(stream[4..8].try_into().unwrap()) as usize;
    let changes = (8..8 + length).flat_map(|at| [0x02, 0x41, 0xff].map(|bits| (at, bits)));
    let panics = changes.filter(|(at, bits)| {
        let mut changed_stream = stream.clone();
        changed_stream[*at] ^= bits;
        catch_unwind(AssertUnwindSafe(|| decode(&changed_stream))).is_err()
    });
    assert!(panics.count() > 0, "all changes are reported as errors");
}

#[test]
fn the_decoder_collects_a_body_of_any_length() {
    let (stream, _) = stream();
    // The first record batch follows the schema, whose body is empty.
    let schema = 8 + u32::from_le_bytes(stream[4..8].try_into().unwrap()) as usize;
    let description_start = schema + 8;
    let length =
        u32::from_le_bytes(stream[schema + 4..description_start].try_into().unwrap()) as usize;
    let message =
        arrow::ipc::root_as_message(&stream[description_start..description_start + length])
            .unwrap();
    let body_length = message.bodyLength().to_le_bytes();
    let mut changed_stream = stream[..description_start + length].to_vec();
    let length_offset = (description_start..description_start + length - 8)
        .find(|at| changed_stream[*at..*at + 8] == body_length);
    let length_offset = length_offset.expect("the description states the length of the body");
    changed_stream[length_offset..length_offset + 8].copy_from_slice(&(1_i64 << 40).to_le_bytes());
    changed_stream.resize(changed_stream.len() + (8 << 20), 0);
    let mut decoder = StreamDecoder::new();
    let mut buffer = Buffer::from(changed_stream.as_slice());
    assert!(decoder.decode(&mut buffer).unwrap().is_none());
    assert!(buffer.is_empty(), "all bytes are kept");
    let message = error_of_this_program(&changed_stream);
    assert!(message.contains("takes 1099511627776 bytes"), "{message}");
}
