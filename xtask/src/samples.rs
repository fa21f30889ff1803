//! `cargo xtask samples`: the sample stores of the page, from cases that the real broker made.
//!
//! A sample is one file: the length of a JSON header (four bytes, big-endian), the header with every path and size, then the
//! files' bytes one after the other. `index.json` lists them.

use crate::{Result, cases::case, workspace};
use case::{Case, Unpacked};
use serde_json::json;
use std::fs;

/// Sample and case, in the order in which the page offers them.
const SAMPLES: [(&str, &str); 9] = [
    ("torn-tail", "crash-torn-tail-body"),
    ("flipped-byte", "crash-crc-first-file-rescan"),
    ("queues-behind", "crash-lag"),
    ("hole-in-the-middle", "crash-middle-file-missing"),
    ("start-that-hangs", "clean-middle-file-missing-queues-lost"),
    ("index-lost", "crash-intact"),
    ("queues-ahead", "crash-cq-ahead"),
    ("refused", "crash-last-file-empty"),
    ("clean-stop", "clean-shutdown"),
];

const RELEASE: &str = "4.9.3";

pub fn make() -> Result<()> {
    let folder = workspace::root().join("static/samples");
    let mut index = Vec::new();
    for (id, name) in SAMPLES {
        let case = Case::open(
            &case::cases_folder(workspace::root())
                .join(RELEASE)
                .join(name),
        );
        let store = case.store();
        let bytes = pack(&store)?;
        fs::write(folder.join(format!("{id}.store")), &bytes)?;
        println!(
            "{id}: {name}, {} files, {} bytes",
            store.files.len(),
            bytes.len()
        );
        index.push(json!({
            "id": id,
            "release": format!("rocketmq-{RELEASE}"),
            "files": store.files.len(),
            "bytes": bytes.len(),
        }));
    }
    fs::write(
        folder.join("index.json"),
        serde_json::to_string_pretty(&index)? + "\n",
    )?;
    Ok(())
}

fn pack(store: &Unpacked) -> Result<Vec<u8>> {
    let files: Vec<_> = store
        .files
        .iter()
        .map(|(path, bytes)| json!({"path": path, "size": bytes.len()}))
        .collect();
    let header = json!({"name": "store", "files": files, "dirs": store.dirs}).to_string();
    let mut packed = u32::try_from(header.len())?.to_be_bytes().to_vec();
    packed.extend_from_slice(header.as_bytes());
    packed.extend(store.files.values().flatten());
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_store_can_be_taken_apart_by_its_header() -> Result<()> {
        let files = [("a".to_owned(), vec![1, 2]), ("b/c".to_owned(), vec![3])];
        let packed = pack(&Unpacked {
            files: files.into(),
            dirs: vec!["b".to_owned()],
        })?;
        let (length, rest) = packed.split_at(4);
        let length = u32::from_be_bytes(length.try_into()?);
        let (header, bytes) = rest.split_at(usize::try_from(length)?);
        let header: serde_json::Value = serde_json::from_slice(header)?;
        assert_eq!(header["files"][1], json!({"path": "b/c", "size": 1}));
        assert_eq!(bytes, [1, 2, 3]);
        Ok(())
    }

    #[test]
    fn the_samples_of_the_page_are_those_of_the_cases() -> Result<()> {
        for (id, name) in SAMPLES {
            let case = Case::open(
                &case::cases_folder(workspace::root())
                    .join(RELEASE)
                    .join(name),
            );
            let kept = fs::read(workspace::root().join(format!("static/samples/{id}.store")))?;
            assert!(
                kept == pack(&case.store())?,
                "{id} is old: run `cargo xtask samples`"
            );
        }
        Ok(())
    }
}
