//! The report: what it holds, and where it goes. Making one reads the files again for their checksums, which takes a while when they are
//! large; it says how far it is, and can be stopped.

use crate::app::state::Ask;
use js_sys::Array;
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::protocol::{Answer, Question};
use storescope::report::{Format, Wanted};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, HtmlElement, Url};
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct Props {
    pub language: Language,
    pub ask: Callback<Ask>,
    /// How far a question that takes its time is.
    pub answering: Option<(u64, u64)>,
    pub cancel: Callback<()>,
}

/// Where a wanted report is.
#[derive(Clone, PartialEq)]
enum Made {
    Nothing,
    Reading(Format),
    Saved,
    Copied,
    /// The browser lets a page copy only soon after a press of a button: another one does it at once.
    PressAgain(String),
    Failed(String),
}

#[component]
pub fn Report(props: &Props) -> Html {
    let open = use_state(|| false);
    let made = use_state(|| Made::Nothing);
    let language = props.language;
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let close_on_escape = {
        let open = open.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && *open {
                event.stop_propagation();
                open.set(false);
            }
        })
    };
    let choose = |format: Format| {
        let (made, ask) = (made.clone(), props.ask.clone());
        Callback::from(move |_: MouseEvent| {
            if let Made::PressAgain(text) = &*made
                && format == Format::Markdown
            {
                return copy(text.clone(), made.clone());
            }
            made.set(Made::Reading(format));
            let made = made.clone();
            ask.emit(Ask {
                question: Question::Report(wanted(format, language)),
                reply: Callback::from(move |answer| {
                    if let Answer::Report(report) = answer {
                        hand_over(report, format, &made);
                    }
                }),
            });
        })
    };
    let cancel = {
        let (made, cancel) = (made.clone(), props.cancel.clone());
        Callback::from(move |_: MouseEvent| {
            made.set(Made::Nothing);
            cancel.emit(());
        })
    };
    let reading = matches!(&*made, Made::Reading(_));
    html! {
        <div class="report" onkeydown={close_on_escape}>
            <button id="report" aria-expanded={open.to_string()} aria-controls="report-panel" onclick={toggle}>
                { language.text("report.button") }
            </button>
            if *open {
                <section id="report-panel" class="card" aria-label={language.text("report.button")}>
                    <p>{ language.text("report.holds") }</p>
                    <div class="row">
                        <button id="report-save" class="primary" disabled={reading} onclick={choose(Format::Html)}>
                            { language.text("report.save") }
                        </button>
                        <button id="report-copy" disabled={reading} onclick={choose(Format::Markdown)}>
                            { language.text("report.copy") }
                        </button>
                        if reading {
                            <button id="report-cancel" onclick={cancel}>{ language.text("report.cancel") }</button>
                        }
                    </div>
                    <p id="report-said" class="quiet" aria-live="polite">{ said(&made, props) }</p>
                </section>
            }
        </div>
    }
}

fn wanted(format: Format, language: Language) -> Wanted {
    Wanted {
        format,
        language,
        made_ms: Some(js_sys::Date::now() as i64),
        with_names: false,
    }
}

fn said(made: &Made, props: &Props) -> String {
    let text = |key| props.language.text(key).to_owned();
    match made {
        Made::Nothing => String::new(),
        Made::Reading(_) => {
            let (bytes, of) = props.answering.unwrap_or((0, 0));
            let long = |bytes| numbers::bytes(i64::try_from(bytes).unwrap_or(i64::MAX));
            let facts = facts! { bytes = long(bytes), of = long(of) };
            props.language.plain("report.reading", &facts)
        }
        Made::Saved => text("report.saved"),
        Made::Copied => text("report.copied"),
        Made::PressAgain(_) => text("report.press-again"),
        Made::Failed(why) => props
            .language
            .plain("report.failed", &facts! { why = why.as_str() }),
    }
}

fn hand_over(report: Result<String, String>, format: Format, made: &UseStateHandle<Made>) {
    match report {
        Err(why) => made.set(Made::Failed(why)),
        Ok(text) if format == Format::Markdown => copy(text, made.clone()),
        Ok(text) => made.set(match save(&text) {
            Ok(()) => Made::Saved,
            Err(error) => Made::Failed(crate::wire::describe(&error)),
        }),
    }
}

fn copy(text: String, made: UseStateHandle<Made>) {
    wasm_bindgen_futures::spawn_local(async move {
        made.set(if crate::app::copy(&text).await {
            Made::Copied
        } else {
            Made::PressAgain(text)
        });
    });
}

/// The file goes where the browser puts what a person saves. Its name says nothing of the store.
fn save(text: &str) -> Result<(), JsValue> {
    let parts = Array::of1(&text.into());
    let address = Url::create_object_url_with_blob(&Blob::new_with_str_sequence(&parts)?)?;
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or("there is no document")?;
    let link: HtmlElement = document.create_element("a")?.unchecked_into();
    link.set_attribute("href", &address)?;
    link.set_attribute("download", "storescope-report.html")?;
    link.click();
    Url::revoke_object_url(&address)
}
