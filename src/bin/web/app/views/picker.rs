//! Buttons that open the browser's file dialog, for a folder and for files.

use super::use_language;
use wasm_bindgen::JsCast;
use web_sys::{FileList, HtmlInputElement};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct PickerProps {
    pub on_files: Callback<FileList>,
}

#[component]
pub fn Pickers(props: &PickerProps) -> Html {
    let language = use_language();
    let onchange = {
        let on_files = props.on_files.clone();
        Callback::from(move |event: Event| {
            let Some(input) = event
                .target()
                .and_then(|target| target.dyn_into::<HtmlInputElement>().ok())
            else {
                return;
            };
            if let Some(files) = input.files().filter(|files| files.length() > 0) {
                on_files.emit(files);
                // Choosing the same folder again is a change too.
                input.set_value("");
            }
        })
    };
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
