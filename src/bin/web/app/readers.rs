//! The two workers: one recovers, the other looks at bytes meanwhile.
//!
//! The images after a recovery live in the one that recovered, so looks at those go there; all others go to the second.

use super::dropped::Dropped;
use super::worker_link::{Heard, WorkerLink};
use crate::wire::Beside;
use storescope::brokers::Asked;
use storescope::protocol::{BUILD, PART, Question, Request};
use storescope::recovery::trace::Image;
use wasm_bindgen::JsValue;
use yew::Callback;

/// Which of the two speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Recover,
    Inspect,
}

impl Who {
    /// By which `static/worker.js` knows who recovers, and a debugger's list of threads who is who.
    fn name(self) -> &'static str {
        match self {
            Self::Recover => "recover",
            Self::Inspect => "inspect",
        }
    }
}

pub struct Readers {
    hear: Callback<(Who, Heard)>,
    recover: Option<WorkerLink>,
    inspect: Option<WorkerLink>,
    /// The recovering one computes and hears nothing.
    busy: bool,
    last_id: u32,
}

impl Readers {
    pub fn new(hear: Callback<(Who, Heard)>) -> Self {
        let mut readers = Self {
            hear,
            recover: None,
            inspect: None,
            busy: false,
            last_id: 0,
        };
        // Started before they are needed. One that cannot be started says why when it is asked for.
        let _ = readers.link(Who::Recover);
        let _ = readers.link(Who::Inspect);
        readers
    }

    fn link(&mut self, who: Who) -> Result<&WorkerLink, String> {
        let slot = match who {
            Who::Recover => &mut self.recover,
            Who::Inspect => &mut self.inspect,
        };
        if slot.is_none() {
            let hear = self.hear.reform(move |heard| (who, heard));
            *slot = Some(WorkerLink::start(who.name(), hear)?);
        }
        slot.as_ref().ok_or_else(|| "the worker is gone".to_owned())
    }

    /// Begins with a store, in both.
    pub fn open(&mut self, names: &Dropped) -> Result<(), String> {
        self.cancel();
        let (name, dirs) = (names.name.clone(), names.dirs.clone());
        self.send_both(
            &Request::Open {
                build: BUILD.to_owned(),
                name,
                dirs,
            },
            &[],
        )
    }

    /// Some more of its files.
    pub fn add(&mut self, files: &[String], handles: &[JsValue]) -> Result<(), String> {
        self.send_both(
            &Request::Add {
                files: files.to_vec(),
            },
            handles,
        )
    }

    fn send_both(&mut self, request: &Request, files: &[JsValue]) -> Result<(), String> {
        for who in [Who::Recover, Who::Inspect] {
            self.link(who)?
                .send(request, Beside { text: None, files })?;
        }
        Ok(())
    }

    /// After the last file: the first one recovers it.
    pub fn recover(&mut self, asked: &Asked) -> Result<(), String> {
        self.busy = true;
        self.link(Who::Recover)?.send(
            &Request::Recover {
                asked: asked.clone(),
            },
            Beside::default(),
        )
    }

    /// The recovery is over; the second worker learns what came of it.
    pub fn recovered(&mut self, outcome: &str, asked: &Asked) -> Result<(), String> {
        self.busy = false;
        let text = Some(outcome);
        self.link(Who::Inspect)?.send(
            &Request::Learn {
                asked: asked.clone(),
            },
            Beside { text, files: &[] },
        )
    }

    /// Ends a running recovery.
    pub fn cancel(&mut self) {
        if self.busy {
            self.recover = None;
            self.busy = false;
            let _ = self.link(Who::Recover);
        }
    }

    /// A recovery runs.
    pub fn is_busy(&self) -> bool {
        self.busy
    }

    /// After a death: the next request starts a new one.
    pub fn bury(&mut self, who: Who) {
        match who {
            Who::Recover => {
                self.recover = None;
                self.busy = false;
            }
            Who::Inspect => self.inspect = None,
        }
    }

    /// Ends the second worker and gives a new one the same files.
    pub fn restart_inspect(&mut self, names: &Dropped, handles: &[JsValue]) -> Result<(), String> {
        self.inspect = None;
        let link = self.link(Who::Inspect)?;
        let (name, dirs) = (names.name.clone(), names.dirs.clone());
        let open = Request::Open {
            build: BUILD.to_owned(),
            name,
            dirs,
        };
        link.send(&open, Beside::default())?;
        for (files, handles) in names.files.chunks(PART).zip(handles.chunks(PART)) {
            let add = Request::Add {
                files: files.to_vec(),
            };
            let beside = Beside {
                text: None,
                files: handles,
            };
            link.send(&add, beside)?;
        }
        Ok(())
    }

    /// Returns the number that the answer will bear.
    pub fn ask(&mut self, question: Question) -> Result<u32, String> {
        self.last_id = self.last_id.wrapping_add(1);
        let id = self.last_id;
        let who = match question.image() {
            Image::AfterLoad | Image::AfterReput => Who::Recover,
            Image::Before | Image::Missing => Who::Inspect,
        };
        let request = Request::Ask { id, question };
        self.link(who)?.send(&request, Beside::default())?;
        Ok(id)
    }
}
