//! What there is to copy where the pointer or the focus is: a number as digits alone, or a row with tabs between its cells.

use storescope::language::Language;
use storescope::view_model::byte_rows;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement};
use yew::prelude::*;

/// Bytes as hex, and as Java writes them.
pub fn bytes_buttons(bytes: &[u8], copy: &Callback<String>, language: Language) -> Html {
    let button = |id: &'static str, name: &'static str, key: &'static str, text: String| {
        let label = language.text(key);
        let onclick = copy.reform(move |_: MouseEvent| text.clone());
        html! { <button {id} class="turn copy" title={label} aria-label={label} {onclick}>{ name }</button> }
    };
    html! {
        <>
        { button("copy-hex", "hex", "bytes.copy-hex", byte_rows::hex(bytes)) }
        { button("copy-java", "Java", "bytes.copy-java", byte_rows::java(bytes)) }
        </>
    }
}

/// The number, or else the words, at the pointer; without one there, where the focus is.
pub fn number() -> Option<String> {
    let element = pointed_at()?;
    let exact = element
        .closest("[data-copy], [data-value]")
        .ok()
        .flatten()
        .and_then(|holder| {
            let copy = holder.get_attribute("data-copy");
            copy.or_else(|| holder.get_attribute("data-value"))
        });
    let text = exact.or_else(|| shown(&element))?;
    Some(plain(&text)).filter(|text| !text.is_empty())
}

/// The whole row of a table or list.
pub fn row() -> Option<String> {
    let element = pointed_at()?;
    let row = element
        .closest("tr, li, [role=row], .counter, .tile")
        .ok()
        .flatten()?;
    let cells = row
        .query_selector_all("th, td, [role=cell], [role=gridcell]")
        .ok()?;
    let cells: Vec<String> = (0..cells.length())
        .filter_map(|at| cells.get(at)?.dyn_into::<Element>().ok())
        .filter_map(|cell| shown(&cell))
        .map(|text| plain(&text))
        .collect();
    let text = if cells.is_empty() {
        plain(&shown(&row)?)
    } else {
        cells.join("\t")
    };
    Some(text).filter(|text| !text.is_empty())
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// The innermost element under the pointer, but for the page as a whole; else the one with the focus.
fn pointed_at() -> Option<Element> {
    let document = document()?;
    let focused = document
        .active_element()
        .filter(|element| element.matches(":focus-visible").unwrap_or(false))
        .filter(|element| element.tag_name() != "BODY");
    let hovered = document.query_selector_all(":hover").ok().and_then(|all| {
        let last = all.length().checked_sub(1)?;
        all.get(last)?.dyn_into::<Element>().ok()
    });
    let hovered = hovered.filter(|element| {
        let is_frame = element.matches("html, body, #app, .app, main, section, .center, .side");
        !is_frame.unwrap_or(true)
    });
    hovered.or(focused)
}

/// What is seen; of something rounded or drawn, its title.
fn shown(element: &Element) -> Option<String> {
    let title = element.get_attribute("title");
    let is_number = |title: &String| title.starts_with(|letter: char| letter.is_ascii_digit());
    if let Some(exact) = title.filter(is_number) {
        return Some(exact);
    }
    match element.dyn_ref::<HtmlElement>() {
        Some(element) => Some(element.inner_text()),
        None => element.text_content(),
    }
}

/// Digits lose the spaces between them; lines become one.
fn plain(text: &str) -> String {
    let letters: Vec<char> = text.trim().chars().collect();
    let is_digit = |at: Option<usize>| {
        let letter = at.and_then(|at| letters.get(at));
        letter.is_some_and(char::is_ascii_digit)
    };
    let mut plain = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let is_group = matches!(letter, '\u{202f}' | '\u{a0}')
            && is_digit(at.checked_sub(1))
            && is_digit(Some(at + 1));
        match letter {
            _ if is_group => {}
            '\n' | '\u{a0}' | '\u{202f}' => plain.push(' '),
            letter => plain.push(*letter),
        }
    }
    plain
}
