//! A store on its way in: gathered, handed to the workers, recovered again under other settings; or why that ended.

use super::dropped::{self, Entries, Files};
use super::state::{Failure, Loaded, Screen, Shared, Stage, What, Work};
use super::worker_link::Death;
use super::{App, Msg, SHOW_WORK_AFTER_MS, fetch, samples};
use gloo::timers::callback::Timeout;
use std::rc::Rc;
use storescope::brokers::Asked;
use storescope::language::Language;
use storescope::protocol::PART;
use storescope::view_model::route::{Go, Route, Source};
use yew::prelude::*;

impl App {
    /// New work takes the place of what runs.
    pub(super) fn begin(&mut self, ctx: &Context<Self>, source: Source, asked: Asked) -> u32 {
        self.readers.cancel();
        self.held = None;
        self.last_token = self.last_token.wrapping_add(1);
        let token = self.last_token;
        self.work = Some(Work {
            token,
            name: source.name().to_owned(),
            stage: Stage::Walking { files: 0 },
            visible: false,
            hidden: false,
            source,
            asked,
        });
        let link = ctx.link().clone();
        self.timer = Some(Timeout::new(SHOW_WORK_AFTER_MS, move || {
            link.send_message(Msg::StillWorking(token))
        }));
        token
    }

    pub(super) fn walk(&mut self, ctx: &Context<Self>, entries: Entries) {
        let token = self.begin(ctx, Source::Own(String::new()), Asked::default());
        let link = ctx.link().clone();
        self.gather(ctx, token, async move {
            let counted = move |files| link.send_message(Msg::Walked(token, files));
            dropped::walk(entries, counted).await.map_err(What::Drop)
        });
    }

    /// Waits for what is opened, and for the texts about stores.
    pub(super) fn gather(
        &self,
        ctx: &Context<Self>,
        token: u32,
        files: impl Future<Output = Result<Files, What>> + 'static,
    ) {
        ctx.link().send_future(async move {
            let files = match files.await {
                Ok(files) => fetch::texts(Language::English)
                    .await
                    .map(|()| files)
                    .map_err(What::Fetch),
                failed => failed,
            };
            Msg::Gathered(token, files)
        });
    }

    pub(super) fn stage(&mut self, token: u32, stage: Stage) -> bool {
        match &mut self.work {
            Some(work) if work.token == token => {
                work.stage = stage;
                work.visible
            }
            _ => false,
        }
    }

    pub(super) fn gathered(&mut self, ctx: &Context<Self>, token: u32, files: Result<Files, What>) {
        let Some(work) = self.work.as_mut().filter(|work| work.token == token) else {
            return;
        };
        let hidden = work.hidden;
        let files = match files {
            Ok(files) if files.is_empty() && files.names.name.is_empty() => Err(What::Nothing),
            other => other,
        };
        let files = match files {
            Ok(files) => files,
            Err(_) if hidden => {
                self.work = None;
                return;
            }
            Err(what) => return self.fail(what),
        };
        work.name.clone_from(&files.names.name);
        if let Source::Own(name) = &mut work.source {
            name.clone_from(&files.names.name);
            self.dropped.insert(name.clone(), files.clone());
        }
        if self.route.source.as_ref() == Some(&work.source) {
            // What a link asked for, whose files have come now.
            work.asked.clone_from(&self.route.asked);
        }
        work.stage = Stage::Handing { files: 0 };
        self.files = files;
        self.opened = None;
        self.parts.clear();
        match self.readers.open(&self.files.names) {
            Ok(()) => self.hand(ctx, token),
            Err(why) => self.fail(What::Death(Death::Because(why))),
        }
    }

    /// Hands the next files to the workers, and lets the page breathe before those behind; after the last the recovery begins.
    pub(super) fn hand(&mut self, ctx: &Context<Self>, token: u32) {
        let Some(work) = self.work.as_mut().filter(|work| work.token == token) else {
            return;
        };
        let Stage::Handing { files: from } = work.stage else {
            return;
        };
        let to = from.saturating_add(PART).min(self.files.handles.len());
        let names = self.files.names.files.get(from..to).unwrap_or(&[]);
        let handles = self.files.handles.get(from..to).unwrap_or(&[]);
        let mut done = self.readers.add(names, handles);
        if to < self.files.handles.len() {
            work.stage = Stage::Handing { files: to };
            let link = ctx.link().clone();
            self.next_hand = Some(Timeout::new(0, move || link.send_message(Msg::Hand(token))));
        } else {
            work.stage = Stage::Starting;
            done = done.and_then(|()| self.readers.recover(&work.asked));
        }
        if let Err(why) = done {
            self.fail(What::Death(Death::Because(why)));
        }
    }

    pub(super) fn fail(&mut self, what: What) {
        let progress = match self.work.take().map(|work| work.stage) {
            Some(Stage::Reading { bytes, of }) => Some((bytes, of)),
            _ => None,
        };
        self.screen = Screen::Failed(Rc::new(Failure { what, progress }));
    }

    /// The first sample, recovered while nobody asked for anything.
    pub(super) fn make_picture(&mut self, ctx: &Context<Self>) {
        let Some(sample) = self.samples.first().map(|sample| sample.id.clone()) else {
            return;
        };
        if self.work.is_some() || self.screen != Screen::First {
            return;
        }
        self.last_token = self.last_token.wrapping_add(1);
        let token = self.last_token;
        self.work = Some(Work {
            token,
            name: sample.clone(),
            stage: Stage::Starting,
            visible: false,
            hidden: true,
            source: Source::Sample(sample.clone()),
            asked: Asked::default(),
        });
        self.held = None;
        self.gather(ctx, token, async move {
            samples::load(&sample).await.map_err(What::Fetch)
        });
    }

    pub(super) fn open(&mut self, ctx: &Context<Self>, source: Source, asked: Asked) {
        if let Some(held) = self.held.clone().filter(|held| held.source == source) {
            if held.asked != asked {
                return self.open_again(ctx, held, asked);
            }
            self.screen = Screen::Recovery(held);
            if !self.is_at(&source, &asked) {
                let route = Route {
                    asked,
                    ..Route::of(source)
                };
                self.go(ctx, Go::To(Box::new(route)));
            }
            return;
        }
        match &source {
            Source::Sample(id) => {
                let id = id.clone();
                let token = self.begin(ctx, source, asked);
                self.gather(ctx, token, async move {
                    samples::load(&id).await.map_err(What::Fetch)
                });
            }
            Source::Own(name) => match self.dropped.get(name).cloned() {
                Some(files) => {
                    let token = self.begin(ctx, source, asked);
                    self.gathered(ctx, token, Ok(files));
                }
                // The first screen says what to drop.
                None => self.screen = Screen::First,
            },
        }
    }

    /// The files that the workers have, under another release or other settings, or another store among them.
    pub(super) fn open_again(&mut self, ctx: &Context<Self>, held: Shared<Loaded>, asked: Asked) {
        let files = self.files.clone();
        let is_busy = self.readers.is_busy();
        let token = self.begin(ctx, held.source.clone(), asked.clone());
        if is_busy {
            // The worker that had them was ended.
            return self.gathered(ctx, token, Ok(files));
        }
        if let Some(work) = &mut self.work {
            work.stage = Stage::Starting;
        }
        self.parts.clear();
        // A worker says so if it opens another store.
        self.opened = Some(held.opened.clone());
        if let Err(why) = self.readers.recover(&asked) {
            self.fail(What::Death(Death::Because(why)));
        }
    }

    /// The address speaks of this store, under this release and these settings.
    pub(super) fn is_at(&self, source: &Source, asked: &Asked) -> bool {
        self.route.source.as_ref() == Some(source) && self.route.asked == *asked
    }
}
