//! The files that a start reads, with lengths and checksums: what a report is about, so that somebody else can tell whether he has the
//! same files.

use crate::decode::num::{u64_of, usize_of};
use crate::recovery::outcome::{Fate, FileFate};
use crate::recovery::{Outcome, Progress};
use crate::store::{ReadAt, ReadError, Store, StorePath};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    pub path: StorePath,
    pub length: u64,
    /// Of the whole file, in hex.
    pub sha256: String,
}

/// Reads the files that the start read, or trusted without reading, from front to back.
pub fn read(
    store: &Store,
    outcome: &Outcome,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Input>, ReadError> {
    let files: Vec<(&FileFate, &std::rc::Rc<dyn ReadAt>)> = outcome
        .files
        .iter()
        .filter(|file| file.before.is_some() && file.fate != Fate::Ignored)
        .filter_map(|file| Some((file, store.get(&file.path)?)))
        .collect();
    let mut told = Progress {
        bytes: 0,
        of: files
            .iter()
            .fold(0, |sum, (_, data)| sum.saturating_add(data.size())),
    };
    let mut inputs = Vec::with_capacity(files.len());
    let mut buffer = Vec::new();
    for (file, data) in files {
        let mut hash = Sha256::new();
        let (mut at, size) = (0, data.size());
        while at < size {
            let len = u64_of(data.block()).min(size.saturating_sub(at));
            buffer.resize(usize_of(len), 0);
            data.read_exact_at(at, &mut buffer)
                .map_err(|error| error.in_file(file.path.as_str()))?;
            hash.update(&buffer);
            at = at.saturating_add(len);
            told.bytes = told.bytes.saturating_add(len);
            progress(told);
        }
        inputs.push(Input {
            path: file.path.clone(),
            length: size,
            sha256: hex(&hash.finalize()),
        });
    }
    Ok(inputs)
}

/// One checksum for all: of the lines `sha256 length`, in the order of the list. Names are not in it, so a report with names and one
/// without have the same.
pub fn digest(inputs: &[Input]) -> String {
    let mut hash = Sha256::new();
    for input in inputs {
        hash.update(format!("{} {}\n", input.sha256, input.length));
    }
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
