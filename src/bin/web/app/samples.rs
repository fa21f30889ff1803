//! The sample stores beside the page: a list, and each store packed in one file.
//!
//! A pack is the length of its header (four bytes, big-endian), the header (JSON: files with path and size, and folders), then the
//! bytes of the files one after the other. A file is then a slice of the pack, and a sample goes the way of any dropped store.

use super::dropped::Files;
use super::fetch::{fetch, wait};
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use web_sys::Blob;

/// A row of `samples/index.json`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Sample {
    pub id: String,
    /// `rocketmq-4.9.3`: the broker that left the store behind.
    pub release: String,
    pub bytes: u64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Packed {
    pub path: String,
    pub size: u64,
}

#[derive(Deserialize)]
struct Header {
    files: Vec<Packed>,
    #[serde(default)]
    dirs: Vec<String>,
}

pub async fn index() -> Result<Vec<Sample>, String> {
    let response = fetch("./samples/index.json").await?;
    let list = response
        .json()
        .map_err(|error| crate::wire::describe(&error))?;
    let list: JsValue = wait(list).await?;
    serde_wasm_bindgen::from_value(list).map_err(|error| error.to_string())
}

pub async fn load(id: &str) -> Result<Files, String> {
    let response = fetch(&format!("./samples/{id}.store")).await?;
    let pack = response
        .blob()
        .map_err(|error| crate::wire::describe(&error))?;
    let pack: Blob = wait(pack).await?.unchecked_into();
    let head = read(&slice(&pack, 0, 4)?).await?;
    let length: [u8; 4] = head
        .try_into()
        .map_err(|_| "the pack is empty".to_owned())?;
    let start = 4 + u64::from(u32::from_be_bytes(length));
    let header = read(&slice(&pack, 4, start)?).await?;
    let header: Header = serde_json::from_slice(&header).map_err(|error| error.to_string())?;
    let mut files = Files::default();
    id.clone_into(&mut files.names.name);
    files.names.dirs = header.dirs;
    let mut at = start;
    for file in header.files {
        files.push(file.path, &slice(&pack, at, at + file.size)?);
        at += file.size;
    }
    Ok(files)
}

fn slice(blob: &Blob, from: u64, to: u64) -> Result<Blob, String> {
    blob.slice_with_f64_and_f64(from as f64, to as f64)
        .map_err(|error| crate::wire::describe(&error))
}

async fn read(blob: &Blob) -> Result<Vec<u8>, String> {
    let buffer = wait(blob.array_buffer()).await?;
    Ok(js_sys::Uint8Array::new(&buffer).to_vec())
}
