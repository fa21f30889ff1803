//! Every file: what it is, how long before and after, what becomes of it and why, and what it would cost to delete it.

use super::doors::doors;
use super::{ViewProps, sentence};
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::recovery::Place;
use storescope::recovery::outcome::{Fate, FileFate};
use storescope::recovery::trace::Image;
use storescope::view_model::file_rows::{self, FileDetail};
use storescope::view_model::route::{Go, View};
use storescope::view_model::{map_table, steps};
use yew::prelude::*;

/// Rows on the page at most: a store may have ten thousand files, and a name narrows them.
const MOST: usize = 600;

#[function_component]
pub fn Files(props: &ViewProps) -> Html {
    let ViewProps {
        loaded,
        language,
        route,
        go,
        ..
    } = props;
    let language = *language;
    let wanted = route.filter(View::Files).to_owned();
    let chosen = route.place.as_ref().map(|place| place.file.clone());
    let is_wanted = |file: &&FileFate| {
        let text = |key: &str| language.find(key).unwrap_or("").to_lowercase();
        wanted.split_whitespace().all(|word| {
            let word = word.to_lowercase();
            file.path.as_str().to_lowercase().contains(&word)
                || text(&format!("file.{}", file.role)).contains(&word)
                || text(&fate_key(file.fate)).contains(&word)
        })
    };
    let all: Vec<&FileFate> = loaded.outcome.files.iter().filter(is_wanted).collect();
    let oninput = {
        let go = go.clone();
        Callback::from(move |event: InputEvent| {
            let input: web_sys::HtmlInputElement = event.target_unchecked_into();
            go.emit(Go::Filter(View::Files, input.value()));
        })
    };
    let row = |file: &FileFate| {
        let on = chosen.as_ref() == Some(&file.path);
        let place = match (file.before, file.after) {
            (Some(size), _) => Place::whole(&file.path, size),
            (None, Some(size)) => Place::whole(&file.path, size).in_image(Image::AfterReput),
            (None, None) => Place::missing(&file.path),
        };
        let go = go.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            go.emit(Go::Choose((!on).then(|| place.clone())));
        });
        let class = classes!(
            on.then_some("on"),
            format!("fate-{}", file_rows::tone(file.fate).word())
        );
        html! {
            <tr {class} data-file={file.path.as_str().to_owned()} onclick={onclick.clone()}>
                <th scope="row"><button class="plain mono" aria-pressed={on.to_string()}>{ file.path.as_str() }</button></th>
                <td>{ role(file, language) }</td>
                <td class="number">{ size(file.before) }</td>
                <td class="number">{ size(file.after) }</td>
                <td class="number">{ size(file.written) }</td>
                <td class="fate">{ language.find(&fate_key(file.fate)).unwrap_or("") }</td>
            </tr>
        }
    };
    let detail = chosen
        .as_ref()
        .and_then(|path| file_rows::detail(&loaded.outcome, path));
    let hidden = all.len().saturating_sub(MOST);
    html! {
        <div class="view two-panes files-view" id="files-view">
            <section class="pane">
                <div class="toolbar">
                    <input id="files-filter" type="search" value={wanted} {oninput} placeholder={language.text("files.filter")}
                        aria-label={language.text("files.filter")} />
                    <span class="quiet" id="files-count">{ language.plain("files.count", &facts! { n = all.len() }) }</span>
                </div>
                <div class="list-area" tabindex="0" data-own-keys="true">
                    <table class="list" id="files">
                        <thead><tr>
                            { for ["files.path", "files.role", "files.before", "files.after", "files.written", "files.fate"].map(|key| html! {
                                <th scope="col">{ language.text(key) }</th>
                            }) }
                        </tr></thead>
                        <tbody>{ for all.iter().take(MOST).map(|file| row(file)) }</tbody>
                    </table>
                    if hidden > 0 { <p class="quiet say">{ language.plain("files.more", &facts! { n = hidden }) }</p> }
                </div>
            </section>
            <aside class="pane detail" aria-label={language.text("files.detail")}>
                { match (&detail, &route.place) {
                    (Some(detail), Some(place)) => show(detail, place, props),
                    _ => html! { <p class="quiet say">{ language.text("files.choose") }</p> },
                } }
            </aside>
        </div>
    }
}

fn fate_key(fate: Fate) -> String {
    format!("fate.{}", map_table::fate_word(fate))
}

fn role(file: &FileFate, language: Language) -> String {
    let key = format!("file.{}", file.role);
    language
        .find(&key)
        .map_or_else(|| file.role.clone(), str::to_owned)
}

fn size(bytes: Option<u64>) -> String {
    bytes.map_or_else(
        || "–".to_owned(),
        |bytes| numbers::grouped(i64::try_from(bytes).unwrap_or(i64::MAX)),
    )
}

fn show(detail: &FileDetail<'_>, place: &Place, props: &ViewProps) -> Html {
    let ViewProps {
        language,
        route,
        go,
        loaded,
        ..
    } = props;
    let about = format!("file.{}.about", detail.fate.role);
    let step = |step: &storescope::recovery::Step| {
        let to = route.at_step(step.number);
        let go = go.clone();
        let tone = steps::tone(&loaded.outcome, step).word();
        html! {
            <li class={format!("step-{tone}")}>
                <button class="plain" data-step={step.number.to_string()} onclick={move |_| go.emit(Go::To(Box::new(to.clone())))}>
                    <span class="no">{ step.number }</span>
                    <span class="says">{ sentence::show(&steps::sentence(step, *language)) }<code class="rule">{ &*step.rule }</code></span>
                </button>
            </li>
        }
    };
    html! {
        <div class="file-detail" id="file-detail">
            <h2 class="mono">{ place.file.as_str() }</h2>
            if let Some(about) = language.find(&about) { <p class="quiet">{ about }</p> }
            <dl class="facts">
                <dt>{ language.text("files.fate") }</dt>
                <dd class={format!("tone-{}", detail.tone.word())}>{ language.find(&fate_key(detail.fate.fate)).unwrap_or("") }</dd>
                if let Some(change) = file_rows::change(detail.fate) {
                    <dt>{ language.text("files.change") }</dt><dd class="mono">{ format!("{change:+}") }</dd>
                }
            </dl>
            { doors(place, props) }
            <h3>{ language.text("files.why") }</h3>
            if detail.steps.is_empty() { <p class="quiet">{ language.text("files.no-steps") }</p> }
            else { <ol class="touching">{ for detail.steps.iter().map(|one| step(one)) }</ol> }
            <h3>{ language.text("files.delete") }</h3>
            <p id="file-delete">{ sentence::show(&language.sentence(&detail.delete, &facts! {})) }</p>
        </div>
    }
}
