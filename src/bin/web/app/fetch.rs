//! Files of the page's own address, fetched when they are needed.

use storescope::language::{Language, fetched};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// A language's texts that are not in the program, unless they are here by now: all in Chinese, those about stores in English.
pub async fn texts(language: Language) -> Result<(), String> {
    if fetched::has(language) {
        return Ok(());
    }
    let response = fetch(match language {
        Language::English => "./en.json",
        Language::Chinese => "./zh.json",
    })
    .await?;
    let texts = response
        .text()
        .map_err(|error| crate::wire::describe(&error))?;
    let texts: JsValue = wait(texts).await?;
    fetched::learn(language, &texts.as_string().unwrap_or_default())
}

pub async fn fetch(address: &str) -> Result<Response, String> {
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

pub async fn wait(promise: impl Into<js_sys::Promise>) -> Result<JsValue, String> {
    JsFuture::from(promise.into())
        .await
        .map_err(|error| crate::wire::describe(&error))
}
