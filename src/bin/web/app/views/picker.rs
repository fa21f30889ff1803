//! Buttons that open the browser's file dialog, for a folder and for files.

use crate::app::dropped::{self, Files};
use storescope::language::Language;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::prelude::*;

pub fn pickers(language: Language, on_files: &Callback<Files>) -> Html {
    let on_files = on_files.clone();
    let onchange = Callback::from(move |event: Event| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let Some(input) = target else { return };
        if let Some(files) = input.files().filter(|files| files.length() > 0) {
            // Taken at once: the list is the browser's own, and is emptied with the field.
            on_files.emit(dropped::picked(&files));
            // Choosing the same folder again is a change too.
            input.set_value("");
        }
    });
    html! {
        <div class="pickers">
            <label class="button">
                { language.text("action.choose-folder") }
                <input id="pick-folder" class="visually-hidden" type="file" webkitdirectory=true onchange={onchange.clone()} />
            </label>
            <label class="button">
                { language.text("action.choose-files") }
                <input id="pick-files" class="visually-hidden" type="file" multiple=true {onchange} />
            </label>
        </div>
    }
}
