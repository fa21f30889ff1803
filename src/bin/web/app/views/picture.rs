//! A real outcome, small, on the first screen: the map at a step that a slider chooses, and what the broker says there.

use super::map::{MapLook, Queues, map};
use super::width::Width;
use super::{Shown, sentence};
use crate::app::state::{Loaded, Shared};
use storescope::language::Language;
use storescope::recovery::map::MapNow;
use storescope::view_model::changed::Changed;
use storescope::view_model::{selection, steps};
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct PictureProps {
    pub loaded: Shared<Loaded>,
    pub language: Language,
    pub on_open: Callback<()>,
}

pub enum Msg {
    Width(f64),
    Step(u32),
}

pub struct Picture {
    node: NodeRef,
    width: f64,
    _measure: Option<Width>,
    /// At first the last step's state, with the words of the step that decided.
    step: Option<u32>,
    now: MapNow,
}

impl Component for Picture {
    type Message = Msg;
    type Properties = PictureProps;

    fn create(ctx: &Context<Self>) -> Self {
        let now = ctx.props().loaded.last.clone();
        Self {
            node: NodeRef::default(),
            width: 0.0,
            _measure: None,
            step: None,
            now,
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if first && let Some(element) = self.node.cast::<Element>() {
            self._measure = Width::of(element, ctx.link().callback(Msg::Width));
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Width(width) => self.width = width,
            Msg::Step(step) => {
                let outcome = &ctx.props().loaded.outcome;
                self.step = Some(step);
                self.now = outcome.map.at(&outcome.trace, step);
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let PictureProps {
            loaded,
            language,
            on_open,
        } = ctx.props();
        let language = *language;
        let last = loaded.steps();
        let step = self.step.unwrap_or(last);
        let told = self.step.unwrap_or(loaded.deciding);
        let said = steps::step(&loaded.outcome.trace, told)
            .map(|step| steps::sentence(step, language))
            .unwrap_or_default();
        let shown = Shown {
            loaded,
            before: &self.now,
            now: &self.now,
            selected: step,
            width: self.width,
            language,
        };
        let look = MapLook {
            rows: Queues::Picture,
            window: None,
            queues: &loaded.ground.queues,
            pins: None,
            changed: &Changed::default(),
            over: &|_, _| html! {},
        };
        let oninput = ctx.link().batch_callback(|event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            input.value().parse().ok().map(Msg::Step)
        });
        html! {
            <section class="card picture" aria-labelledby="picture-head">
                <h2 id="picture-head">{ language.text("first.picture") }</h2>
                <input type="range" min="1" max={last.to_string()} value={step.to_string()} aria-label={language.text("strip.label")} {oninput} />
                <div ref={self.node.clone()}>{ map(&shown, selection::place(&loaded.outcome, told), &look) }</div>
                <p class="caption">{ sentence::show(&said) }</p>
                <button id="open-picture" onclick={on_open.reform(|_| ())}>{ language.text("first.picture.open") }</button>
            </section>
        }
    }
}
