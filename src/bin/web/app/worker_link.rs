//! One worker, seen from the page. A worker that dies says so once, and its link is then of no more use.

use crate::wire::{self, Beside};
use storescope::protocol::{BUILD, Request, Response};
use storescope::recovery::Outcome;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

/// What comes from a worker.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    Response(Box<Response>),
    /// The outcome, but for its parts, and its JSON.
    Recovered {
        rest: Box<Outcome>,
        json: String,
        memory: f64,
    },
    /// It is gone, and this is what is known.
    Dead(Death),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Death {
    /// Its program is another than the page's.
    OtherBuild,
    Because(String),
}

pub struct WorkerLink {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl WorkerLink {
    pub fn start(name: &str, hear: Callback<Heard>) -> Result<Self, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name(name);
        let worker = Worker::new_with_options("./worker.js", &options)
            .map_err(|error| wire::describe(&error))?;
        let on_message = {
            let hear = hear.clone();
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                hear.emit(understand(&event.data()))
            })
        };
        let on_error = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            hear.emit(Heard::Dead(Death::Because(event.message())));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self {
            worker,
            _on_message: on_message,
            _on_error: on_error,
        })
    }

    pub fn send(&self, request: &Request, beside: Beside<'_>) -> Result<(), String> {
        let message = wire::pack(request, beside)?;
        self.worker
            .post_message(&message)
            .map_err(|error| wire::describe(&error))
    }
}

impl Drop for WorkerLink {
    /// Ends what it is doing at once: the only way to stop a worker that computes.
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

fn understand(data: &JsValue) -> Heard {
    match wire::unpack::<Response>(data) {
        Ok(Response::Ready { build }) if build != BUILD => Heard::Dead(Death::OtherBuild),
        Ok(Response::Died { why }) => Heard::Dead(Death::Because(why)),
        Ok(Response::Recovered { rest, memory }) => Heard::Recovered {
            rest,
            memory,
            json: wire::text(data),
        },
        Ok(response) => Heard::Response(Box::new(response)),
        Err(why) => Heard::Dead(Death::Because(why)),
    }
}
