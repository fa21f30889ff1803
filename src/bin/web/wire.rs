//! How a message is put into what `postMessage` takes: `{ message, text, files }`. The message is JSON: one encoding for 64-bit numbers
//! everywhere, and one decoder in the program. A long text and file handles go beside it as they are.

use js_sys::{Array, Object, Reflect};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::JsValue;

const MESSAGE: &str = "message";
const TEXT: &str = "text";
/// File handles that came with a message.
pub const FILES: &str = "files";

/// What goes beside a message.
#[derive(Default)]
pub struct Beside<'b> {
    pub text: Option<&'b str>,
    pub files: &'b [JsValue],
}

pub fn pack(message: &impl Serialize, beside: Beside<'_>) -> Result<JsValue, String> {
    let message = serde_json::to_string(message).map_err(|error| error.to_string())?;
    let object = Object::new();
    set(&object, MESSAGE, &message.into())?;
    if let Some(text) = beside.text {
        set(&object, TEXT, &text.into())?;
    }
    if !beside.files.is_empty() {
        set(&object, FILES, &beside.files.iter().collect::<Array>())?;
    }
    Ok(object.into())
}

fn set(object: &Object, key: &str, value: &JsValue) -> Result<(), String> {
    Reflect::set(object, &key.into(), value)
        .map(|_| ())
        .map_err(|error| describe(&error))
}

/// A part of a message.
pub fn get(data: &JsValue, key: &str) -> Option<JsValue> {
    Reflect::get(data, &key.into())
        .ok()
        .filter(|value| !value.is_undefined())
}

pub fn unpack<M: DeserializeOwned>(data: &JsValue) -> Result<M, String> {
    let message = get(data, MESSAGE).and_then(|message| message.as_string());
    let message = message.ok_or("a message without words")?;
    serde_json::from_str(&message).map_err(|error| error.to_string())
}

pub fn text(data: &JsValue) -> String {
    get(data, TEXT)
        .and_then(|text| text.as_string())
        .unwrap_or_default()
}

/// The browser's own words for what went wrong.
pub fn describe(error: &JsValue) -> String {
    let message = get(error, "message").and_then(|text| text.as_string());
    message
        .or_else(|| error.as_string())
        .unwrap_or_else(|| format!("{error:?}"))
}
