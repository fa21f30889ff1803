//! How a message is put into what `postMessage` takes: `{ message, files }`. 64-bit numbers cross as BigInt, to the digit.

use js_sys::{Array, Object, Reflect};
use serde::{Serialize, de::DeserializeOwned};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

const MESSAGE: &str = "message";
const FILES: &str = "files";

pub fn pack(message: &impl Serialize, files: &[JsValue]) -> Result<JsValue, String> {
    let serializer = Serializer::new().serialize_large_number_types_as_bigints(true);
    let message = message
        .serialize(&serializer)
        .map_err(|error| error.to_string())?;
    let object = Object::new();
    set(&object, MESSAGE, &message)?;
    if !files.is_empty() {
        set(&object, FILES, &files.iter().collect::<Array>())?;
    }
    Ok(object.into())
}

fn set(object: &Object, key: &str, value: &JsValue) -> Result<(), String> {
    Reflect::set(object, &key.into(), value)
        .map(|_| ())
        .map_err(|error| describe(&error))
}

pub fn unpack<M: DeserializeOwned>(data: &JsValue) -> Result<M, String> {
    let message = Reflect::get(data, &MESSAGE.into()).map_err(|error| describe(&error))?;
    serde_wasm_bindgen::from_value(message).map_err(|error| error.to_string())
}

/// The handles that came with a message, in order.
pub fn files(data: &JsValue) -> Vec<JsValue> {
    match Reflect::get(data, &FILES.into()) {
        Ok(files) if Array::is_array(&files) => Array::from(&files).iter().collect(),
        _ => Vec::new(),
    }
}

/// The browser's own words for what went wrong.
pub fn describe(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into())
        .ok()
        .and_then(|text| text.as_string());
    message
        .or_else(|| error.as_string())
        .unwrap_or_else(|| format!("{error:?}"))
}
