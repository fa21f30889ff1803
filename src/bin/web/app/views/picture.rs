//! A real outcome, small, on the first screen: the map at a step, and what the broker says there. It plays by itself until a person does
//! anything, unless the system asks for less motion; a button plays and pauses it, a slider chooses the step.

use super::map::{MapLook, Queues, map};
use super::width::Width;
use super::{Shown, icons, sentence};
use crate::app::state::{Loaded, Shared};
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use std::collections::BTreeSet;
use storescope::language::Language;
use storescope::recovery::map::MapNow;
use storescope::view_model::changed::Changed;
use storescope::view_model::steps::Row;
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
    Tick,
    /// A person did something, anywhere.
    Acted,
    Play,
}

pub struct Picture {
    node: NodeRef,
    width: f64,
    _measure: Option<Width>,
    /// At first the last step's state, with the words of the step that decided.
    step: Option<u32>,
    now: MapNow,
    rows: Vec<Row>,
    playing: Option<Timeout>,
    _acts: Vec<EventListener>,
}

const STEP_MS: u32 = 420;
/// The end stays for a while before it begins again.
const END_MS: u32 = 3200;

impl Component for Picture {
    type Message = Msg;
    type Properties = PictureProps;

    fn create(ctx: &Context<Self>) -> Self {
        let loaded = &ctx.props().loaded;
        let link = ctx.link();
        let acts = match web_sys::window() {
            Some(window) if !prefers_less_motion() => ["pointerdown", "keydown", "wheel"]
                .into_iter()
                .map(|act| {
                    let link = link.clone();
                    EventListener::new(&window, act, move |_| link.send_message(Msg::Acted))
                })
                .collect(),
            _ => Vec::new(),
        };
        let mut picture = Self {
            node: NodeRef::default(),
            width: 0.0,
            _measure: None,
            step: None,
            now: loaded.last.clone(),
            rows: steps::rows(&loaded.outcome.trace, &loaded.runs, &BTreeSet::new()),
            playing: None,
            _acts: acts,
        };
        if !picture._acts.is_empty() {
            picture.play(ctx, END_MS / 2);
        }
        picture
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
                self.playing = None;
                self.show(ctx, step);
            }
            Msg::Tick => {
                let trace = &ctx.props().loaded.outcome.trace;
                let next = self.step.and_then(|step| {
                    selection::moved(trace, &self.rows, step, selection::Move::Next)
                });
                let next = next.or_else(|| self.rows.first().map(Row::stands_for));
                let Some(next) = next else { return false };
                self.show(ctx, next);
                let is_last = self.rows.last().is_some_and(|row| row.holds(next));
                self.play(ctx, if is_last { END_MS } else { STEP_MS });
            }
            Msg::Acted => {
                self._acts.clear();
                return self.playing.take().is_some();
            }
            Msg::Play if self.playing.is_some() => self.playing = None,
            Msg::Play => self.play(ctx, 0),
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let playing = self.playing.is_some();
        let play = if playing {
            "player.pause"
        } else {
            "player.play"
        };
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
            <section class="card picture" aria-labelledby="picture-head" data-step={step.to_string()} data-playing={playing.to_string()}>
                <h2 id="picture-head">{ language.text("first.picture") }</h2>
                <div class="picture-player">
                <button id="picture-play" class="icon-button" aria-label={language.text(play)} title={language.text(play)}
                    aria-pressed={playing.to_string()} onclick={ctx.link().callback(|_| Msg::Play)}>
                    if playing { { icons::pause() } } else { { icons::play() } }
                </button>
                <input type="range" min="1" max={last.to_string()} value={step.to_string()} aria-label={language.text("strip.label")} {oninput} />
                </div>
                <div ref={self.node.clone()}>{ map(&shown, selection::place(&loaded.outcome, told), &look) }</div>
                <p class="caption">{ sentence::show(&said) }</p>
                <button id="open-picture" onclick={on_open.reform(|_| ())}>{ language.text("first.picture.open") }</button>
            </section>
        }
    }
}

impl Picture {
    fn show(&mut self, ctx: &Context<Self>, step: u32) {
        let outcome = &ctx.props().loaded.outcome;
        self.step = Some(step);
        self.now = outcome.map.at(&outcome.trace, step);
    }

    fn play(&mut self, ctx: &Context<Self>, after_ms: u32) {
        let link = ctx.link().clone();
        self.playing = Some(Timeout::new(after_ms, move || link.send_message(Msg::Tick)));
    }
}

fn prefers_less_motion() -> bool {
    let query = web_sys::window().and_then(|window| {
        let query = window.match_media("(prefers-reduced-motion: reduce)");
        query.ok().flatten()
    });
    query.is_some_and(|query| query.matches())
}
