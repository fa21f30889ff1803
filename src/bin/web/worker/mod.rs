//! The reader: takes requests, calls the library, answers. It blocks while it works, which is why it is not the page.
//!
//! Not here: which worker does what. The page sends recoveries to one and looks to another; this answers whatever it is asked.

mod blob_file;

use crate::wire;
use blob_file::BlobFile;
use std::rc::Rc;
use storescope::brokers::{self, Asked, BadRequest};
use storescope::protocol::{BUILD, Dropped, Opened, Request, Response, Seen};
use storescope::recovery::outcome::StageName;
use storescope::recovery::trace::Image;
use storescope::recovery::{Finding, Outcome, Place, Progress};
use storescope::store::{ReadError, Store, StorePath};
use storescope::view_model::text;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};

/// Answers until the page ends this worker.
pub fn serve(scope: DedicatedWorkerGlobalScope) {
    say_last_words(scope.clone());
    let mut reader = Reader {
        scope: scope.clone(),
        open: None,
    };
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        if let Err(why) =
            wire::unpack(&data).and_then(|request| reader.answer(request, wire::files(&data)))
        {
            reader.send(&Response::Failed { why });
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    post(
        &scope,
        &Response::Ready {
            build: BUILD.to_owned(),
        },
    );
}

/// A panic ends this worker. The page is told why, and can go on.
fn say_last_words(scope: DedicatedWorkerGlobalScope) {
    std::panic::set_hook(Box::new(move |info| {
        console_error_panic_hook::hook(info);
        post(
            &scope,
            &Response::Died {
                why: info.to_string(),
            },
        );
    }));
}

fn post(scope: &DedicatedWorkerGlobalScope, response: &Response) {
    let posted = wire::pack(response, &[]).map(|message| scope.post_message(&message));
    if let Err(why) = posted {
        web_sys::console::error_1(&why.into());
    }
}

struct Reader {
    scope: DedicatedWorkerGlobalScope,
    open: Option<Open>,
}

/// The store, and what is known of it by now.
struct Open {
    store: Store,
    findings: Vec<Finding>,
    asked: Asked,
    outcome: Option<Outcome>,
    after_load: Option<Store>,
    after_reput: Option<Store>,
}

impl Reader {
    fn send(&self, response: &Response) {
        post(&self.scope, response);
    }

    fn answer(&mut self, request: Request, files: Vec<JsValue>) -> Result<(), String> {
        match request {
            Request::Open { build, .. } if build != BUILD => {
                self.send(&Response::Ready {
                    build: BUILD.to_owned(),
                });
                Ok(())
            }
            Request::Open { dropped, .. } => self.open(dropped, files),
            Request::Recover { asked } => self.recover(asked),
            Request::Learn { outcome, asked } => {
                let open = self.open.as_mut().ok_or(NOTHING_OPEN)?;
                open.outcome =
                    Some(serde_json::from_str(&outcome).map_err(|error| error.to_string())?);
                open.asked = asked;
                Ok(())
            }
            Request::Look {
                id,
                place,
                from,
                length,
            } => {
                let open = self.open.as_ref().ok_or(NOTHING_OPEN)?;
                let seen = open.look(place, from, length);
                self.send(&Response::Looked { id, seen });
                Ok(())
            }
            Request::Records { id, around, bytes } => {
                let open = self.open.as_ref().ok_or(NOTHING_OPEN)?;
                let outcome = open.outcome.as_ref().ok_or(NOTHING_OPEN)?;
                let records = brokers::records(&open.store, outcome, around, bytes);
                self.send(&Response::Records { id, records });
                Ok(())
            }
        }
    }

    fn open(&mut self, dropped: Dropped, files: Vec<JsValue>) -> Result<(), String> {
        let reader = Rc::new(FileReaderSync::new().map_err(|error| wire::describe(&error))?);
        let mut store = Store::new(&dropped.name);
        for dir in &dropped.dirs {
            store.insert_dir(StorePath::new(dir));
        }
        for (name, file) in dropped.files.into_iter().zip(files) {
            let path = StorePath::new(&name);
            let blob: Blob = file
                .dyn_into()
                .map_err(|_| format!("{name} came without its file"))?;
            store.insert(
                path,
                Rc::new(BlobFile {
                    name,
                    blob,
                    reader: reader.clone(),
                }),
            );
        }
        let opened = brokers::open(store);
        self.send(&Response::Opened(Opened {
            name: opened.store.name().to_owned(),
            files: opened.store.len() as u64,
            bytes: opened.store.bytes(),
            findings: opened.findings.clone(),
        }));
        self.open = Some(Open {
            store: opened.store,
            findings: opened.findings,
            asked: Asked::default(),
            outcome: None,
            after_load: None,
            after_reput: None,
        });
        Ok(())
    }

    fn recover(&mut self, asked: Asked) -> Result<(), String> {
        let open = self.open.as_mut().ok_or(NOTHING_OPEN)?;
        let scope = self.scope.clone();
        let mut last_told = 0.0;
        let mut tell = |progress: Progress| {
            let now = js_sys::Date::now();
            if now - last_told >= TELL_EVERY_MS {
                last_told = now;
                post(
                    &scope,
                    &Response::Progress {
                        bytes: progress.bytes,
                        of: progress.of,
                    },
                );
            }
        };
        let recovered =
            brokers::recover(&open.store, &asked, false, &mut tell).map_err(describe)?;
        let mut outcome = recovered.outcome;
        outcome.findings.splice(0..0, open.findings.iter().cloned());
        text::fill_sentences(&mut outcome);
        for stage in recovered.stages {
            let image = Some(stage.after.to_store());
            match stage.name {
                StageName::Load => open.after_load = image,
                StageName::Reput => open.after_reput = image,
            }
        }
        open.asked = asked;
        let json = outcome.to_json();
        open.outcome = Some(outcome);
        self.send(&Response::Recovered {
            outcome: json,
            memory: memory_bytes(),
        });
        Ok(())
    }
}

/// How large this worker's memory has grown; it never shrinks.
fn memory_bytes() -> f64 {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
    f64::from(buffer.byte_length())
}

const NOTHING_OPEN: &str = "no store is open";
const TELL_EVERY_MS: f64 = 60.0;

fn describe(bad: BadRequest) -> String {
    match bad {
        BadRequest::Release { asked } => format!("no rules are known for the release {asked}"),
        BadRequest::Setting { key, value, takes } => {
            format!("the setting {key} takes {takes}, and got {value}")
        }
    }
}

impl Open {
    fn image(&self, image: Image) -> Option<&Store> {
        match image {
            Image::Before => Some(&self.store),
            Image::AfterLoad => self.after_load.as_ref(),
            Image::AfterReput => self.after_reput.as_ref(),
            Image::Missing => None,
        }
    }

    /// The record at a place, and bytes: from where asked, else from where the record begins.
    fn look(&self, place: Place, from: Option<u64>, length: u64) -> Result<Seen, ReadError> {
        let missing = |place: &Place| ReadError {
            file: place.file.as_str().to_owned(),
            offset: place.offset,
            len: place.length,
            why: "there is no such file".to_owned(),
        };
        let store = self.image(place.image).ok_or_else(|| missing(&place))?;
        let file = store.get(&place.file).ok_or_else(|| missing(&place))?;
        let fields = brokers::fields(store, &place, &self.asked)?;
        let record = if fields.rows.is_empty() {
            place.offset
        } else {
            fields.start
        };
        let from = from.unwrap_or(record).min(file.size());
        let mut bytes = vec![0; length.min(file.size() - from) as usize];
        file.read_exact_at(from, &mut bytes)
            .map_err(|error| error.in_file(place.file.as_str()))?;
        Ok(Seen {
            file_size: file.size(),
            fields,
            from,
            bytes,
            place,
        })
    }
}
