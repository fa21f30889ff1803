//! The sample stores beside the page: a list, and each store packed in one file.
//!
//! A pack is the length of its header (four bytes, big-endian), the header (JSON: files with path and size, and folders), then the
//! bytes of the files one after the other. A file is then a slice of the pack, and a sample goes the way of any dropped store.

use super::dropped::Files;
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Response};

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

/// The page's Chinese texts, which are fetched the first time that somebody asks for them.
pub async fn chinese() -> Result<(), String> {
    let response = fetch("./zh.json").await?;
    let texts = response
        .text()
        .map_err(|error| crate::wire::describe(&error))?;
    let texts: JsValue = wait(texts).await?;
    storescope::language::fetched::learn(&texts.as_string().unwrap_or_default())
}

async fn fetch(address: &str) -> Result<Response, String> {
    let window = web_sys::window().ok_or("there is no window")?;
    let response: Response = wait(window.fetch_with_str(address)).await?.unchecked_into();
    if !response.ok() {
        return Err(format!(
            "{address}: {} {}",
            response.status(),
            response.status_text()
        ));
    }
    Ok(response)
}

fn slice(blob: &Blob, from: u64, to: u64) -> Result<Blob, String> {
    blob.slice_with_f64_and_f64(from as f64, to as f64)
        .map_err(|error| crate::wire::describe(&error))
}

async fn read(blob: &Blob) -> Result<Vec<u8>, String> {
    let buffer = wait(blob.array_buffer()).await?;
    Ok(js_sys::Uint8Array::new(&buffer).to_vec())
}

async fn wait(promise: impl Into<js_sys::Promise>) -> Result<JsValue, String> {
    JsFuture::from(promise.into())
        .await
        .map_err(|error| crate::wire::describe(&error))
}
