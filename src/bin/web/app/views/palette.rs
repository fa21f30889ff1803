//! The command palette, over the page: a field, and what the typed letters may mean.

use super::ViewProps;
use super::steps::scroll_to;
use storescope::view_model::palette::{self, Act, Entry};
use storescope::view_model::route::View;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct PaletteProps {
    pub view: ViewProps,
    pub views: Vec<View>,
    pub act: Callback<Act>,
    pub close: Callback<()>,
}

pub enum Msg {
    Query(String),
    Key(KeyboardEvent),
    Choose(usize),
}

pub struct Palette {
    entries: Vec<Entry>,
    chosen: usize,
}

/// It has the focus when the palette appears.
pub const FIELD: &str = "palette-query";

impl Component for Palette {
    type Message = Msg;
    type Properties = PaletteProps;

    fn create(ctx: &Context<Self>) -> Self {
        Self {
            entries: entries(ctx, ""),
            chosen: 0,
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Query(query) => {
                self.entries = entries(ctx, &query);
                self.chosen = 0;
            }
            Msg::Key(event) => {
                let last = self.entries.len().saturating_sub(1);
                match event.key().as_str() {
                    "ArrowDown" => self.chosen = (self.chosen + 1).min(last),
                    "ArrowUp" => self.chosen = self.chosen.saturating_sub(1),
                    "Enter" => ctx.link().send_message(Msg::Choose(self.chosen)),
                    "Tab" => {}
                    _ => return false,
                }
                event.prevent_default();
            }
            Msg::Choose(at) => {
                if let Some(entry) = self.entries.get(at) {
                    ctx.props().close.emit(());
                    ctx.props().act.emit(entry.act.clone());
                }
                return false;
            }
        }
        true
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        let document = web_sys::window().and_then(|window| window.document());
        let chosen =
            document.and_then(|document| document.query_selector("#palette .on").ok().flatten());
        if let Some(chosen) = chosen {
            scroll_to(&chosen);
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let (link, language) = (ctx.link(), ctx.props().view.language);
        let oninput = link.callback(|event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            Msg::Query(input.value())
        });
        let label = language.text("palette.head");
        let id_of = |at: usize| format!("palette-{at}");
        html! {
            <div class="veil veil-top">
                <section class="card palette" id="palette" role="dialog" aria-modal="true" aria-label={label}>
                    <input id={FIELD} type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" autocomplete="off"
                        spellcheck="false" aria-activedescendant={id_of(self.chosen)} placeholder={label} aria-label={label} {oninput}
                        onkeydown={link.callback(Msg::Key)} />
                    <ul id="palette-list" role="listbox" aria-label={label}>
                        { for self.entries.iter().enumerate().map(|(at, entry)| {
                            let on = at == self.chosen;
                            html! {
                                <li id={id_of(at)} role="option" aria-selected={on.to_string()} class={classes!(on.then_some("on"))}
                                    onclick={link.callback(move |_| Msg::Choose(at))}>
                                    <span>{ &entry.label }</span><span class="quiet">{ &entry.hint }</span>
                                </li>
                            }
                        }) }
                        if self.entries.is_empty() { <li class="quiet">{ language.text("palette.none") }</li> }
                    </ul>
                </section>
            </div>
        }
    }
}

fn entries(ctx: &Context<Palette>, query: &str) -> Vec<Entry> {
    let PaletteProps { view, views, .. } = ctx.props();
    palette::entries(query, &view.loaded.outcome, views, view.language)
}
