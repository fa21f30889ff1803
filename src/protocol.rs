//! What the page and its workers say to each other. Files travel beside a request, as handles, never as bytes.
//!
//! There are two workers: one recovers, the other looks at bytes, so that the page answers while a recovery runs. Both are this same
//! program. A worker that computes hears nothing: to cancel it is to end it.

use crate::brokers::{Asked, Record};
use crate::decode::FieldTree;
use crate::recovery::{Finding, Place};
use crate::store::ReadError;
use serde::{Deserialize, Serialize};

/// Page and worker must be of one build: a page from a cache and a worker from the net would misunderstand each other.
pub const BUILD: &str = match option_env!("STORESCOPE_BUILD") {
    Some(build) => build,
    None => concat!(env!("CARGO_PKG_VERSION"), "-unnumbered"),
};

/// The names of the dropped files; the handles follow in the same order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dropped {
    /// The folder's name, as a person calls it.
    pub name: String,
    pub files: Vec<String>,
    /// Empty folders among them: an empty queue folder still is a queue to the broker.
    pub dirs: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// The first message to a worker, with the files beside it.
    Open {
        build: String,
        dropped: Dropped,
    },
    Recover {
        asked: Asked,
    },
    /// The result of the other worker's recovery, so that this one can tell records apart.
    Learn {
        outcome: String,
        asked: Asked,
    },
    /// The record at a place, and `length` bytes from `from` on.
    Look {
        id: u32,
        place: Place,
        from: Option<u64>,
        length: u64,
    },
    /// The log around an offset.
    Records {
        id: u32,
        around: i64,
        bytes: u64,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The worker runs, and this is its build.
    Ready {
        build: String,
    },
    Opened(Opened),
    Progress {
        bytes: u64,
        of: u64,
    },
    /// The contract's JSON, the same that the command line prints.
    Recovered {
        outcome: String,
        /// The worker's wasm memory after it, in bytes.
        memory: f64,
    },
    Looked {
        id: u32,
        seen: Result<Seen, ReadError>,
    },
    Records {
        id: u32,
        records: Result<Vec<Record>, ReadError>,
    },
    /// The request could not be understood or carried out; the worker lives.
    Failed {
        why: String,
    },
    /// The worker's last words.
    Died {
        why: String,
    },
}

/// The store that was found in what was dropped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    pub name: String,
    pub files: u64,
    pub bytes: u64,
    pub findings: Vec<Finding>,
}

/// Bytes of a file, and what they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    pub place: Place,
    pub file_size: u64,
    /// The record that holds the place's first byte.
    pub fields: FieldTree,
    /// Where `bytes` begin in the file.
    pub from: u64,
    #[serde(with = "bytes")]
    pub bytes: Vec<u8>,
}

/// As one block, not as a list of numbers.
mod bytes {
    use serde::de::{Deserializer, Visitor};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Vec<u8>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
                Ok(bytes)
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}
