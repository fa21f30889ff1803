//! What the workers say, and the questions that the views have for them.

use super::readers::Who;
use super::state::{Ask, Loaded, NoStore, Screen, Shared, Stage, What};
use super::worker_link::{Death, Heard};
use super::{App, route, state, tell_outcome};
use std::rc::Rc;
use storescope::protocol::{Opened, Response};
use storescope::recovery::{Outcome, Severity};
use storescope::view_model::route::Route;

impl App {
    pub(super) fn heard(&mut self, who: Who, heard: Heard) -> bool {
        let response = match heard {
            Heard::Response(response) => *response,
            Heard::Recovered { rest, json, memory } => return self.recovered(*rest, json, memory),
            Heard::Dead(death) => {
                self.readers.bury(who);
                return self.died(who, What::Death(death));
            }
        };
        match response {
            Response::Ready { .. } => false,
            Response::Opened(opened) if who == Who::Recover => self.opened_store(opened),
            Response::Opened(_) => false,
            Response::Progress { bytes, of } => {
                let token = self.work.as_ref().map_or(0, |work| work.token);
                self.stage(token, Stage::Reading { bytes, of })
            }
            Response::Part(part) => {
                self.parts.push(part);
                false
            }
            // It comes with its JSON, as a message of its own.
            Response::Recovered { .. } => false,
            Response::Answering { bytes, of, .. } => {
                self.answering = Some((bytes, of));
                true
            }
            Response::Answered { id, answer } => {
                if let Some(reply) = self.asked.remove(&id) {
                    reply.emit(answer);
                }
                self.answering.take().is_some()
            }
            Response::Failed { why } | Response::Died { why } => {
                self.died(who, What::Death(Death::Because(why)))
            }
        }
    }

    /// A worker is gone. While it recovered, that is the outcome; while it only looked, the page goes on.
    pub(super) fn died(&mut self, who: Who, what: What) -> bool {
        if who == Who::Recover && self.work.as_ref().is_some_and(|work| !work.hidden) {
            self.fail(what);
            return true;
        }
        self.work = None;
        false
    }

    pub(super) fn opened_store(&mut self, opened: Opened) -> bool {
        let hidden = self.work.as_ref().is_some_and(|work| work.hidden);
        if !hidden
            && opened.stores.is_empty()
            && opened
                .findings
                .iter()
                .any(|finding| finding.severity == Severity::Error)
        {
            self.readers.cancel();
            self.work = None;
            self.screen = Screen::NoStore(Rc::new(NoStore {
                opened,
                files: state::listing(&self.files),
            }));
            return true;
        }
        self.opened = Some(opened);
        false
    }

    pub(super) fn recovered(&mut self, mut outcome: Outcome, json: String, memory: f64) -> bool {
        let (Some(work), Some(opened)) = (self.work.take(), self.opened.take()) else {
            return false;
        };
        if let Err(why) = self.readers.recovered(&json, &work.asked) {
            return self.died(Who::Inspect, What::Death(Death::Because(why)));
        }
        for part in self.parts.drain(..) {
            part.put_into(&mut outcome);
        }
        let loaded = Loaded::new(
            work.token,
            opened,
            (work.source.clone(), work.asked.clone()),
            json,
            outcome,
        );
        let loaded = Shared(Rc::new(loaded));
        if work.hidden {
            self.picture = Some(loaded);
            return true;
        }
        self.asked.clear();
        self.held = Some(loaded.clone());
        if !self.is_at(&work.source, &work.asked) {
            self.route = Route {
                asked: work.asked,
                ..Route::of(work.source)
            };
            route::push(&self.route);
        }
        self.screen = Screen::Recovery(loaded.clone());
        tell_outcome(loaded.json.clone(), memory);
        true
    }

    pub(super) fn ask(&mut self, ask: Ask) {
        // A worker that cannot be asked has died, and that is told when it does.
        if let Ok(id) = self.readers.ask(ask.question) {
            self.asked.insert(id, ask.reply);
        }
    }

    /// A worker that computes hears nothing: it is ended, and a new one learns what the old one knew. Nobody gets an answer any more.
    pub(super) fn stop_answering(&mut self) {
        self.answering = None;
        self.asked.clear();
        let Some(held) = self.held.clone() else {
            return;
        };
        let files = &self.files;
        let done = self
            .readers
            .restart_inspect(&files.names, &files.handles)
            .and_then(|()| self.readers.recovered(&held.json, &held.asked));
        if let Err(why) = done {
            self.died(Who::Inspect, What::Death(Death::Because(why)));
        }
    }
}
