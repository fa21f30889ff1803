//! The reader, the program of the page's workers: takes requests, calls the library, answers. It blocks while it works, which is why it
//! is not the page; and it reads gigabytes, so it is compiled for speed, and the page for size.
//!
//! Not here: which worker does what. The page sends recoveries to one and looks to another; this answers whatever it is asked.

mod blob_file;
mod lists;
mod read_ahead;
#[path = "../web/wire.rs"]
mod wire;

use blob_file::BlobFile;
use js_sys::Array;
use lists::Lists;
use read_ahead::ReadAhead;
use std::rc::Rc;
use storescope::brokers::{self, Asked, BrokerConf};
use storescope::protocol::{Answer, BUILD, Opened, Part, Question, Request, Response, Seen};
use storescope::recovery::outcome::StageName;
use storescope::recovery::trace::Image;
use storescope::recovery::{Finding, Outcome, Place, Progress};
use storescope::report::{self, inputs};
use storescope::store::{ReadError, Store, StorePath};
use storescope::view_model::text;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};
use wire::Beside;

fn main() {
    console_error_panic_hook::set_once();
    if let Ok(scope) = js_sys::global().dyn_into() {
        serve(scope);
    }
}

/// Answers until the page ends this worker.
fn serve(scope: DedicatedWorkerGlobalScope) {
    say_last_words(scope.clone());
    let mut reader = Reader {
        scope: scope.clone(),
        ahead: None,
        dropped: None,
        open: None,
    };
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        if let Err(why) = wire::unpack(&data).and_then(|request| reader.answer(request, &data)) {
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
        Beside::default(),
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
            Beside::default(),
        );
    }));
}

fn post(scope: &DedicatedWorkerGlobalScope, response: &Response, beside: Beside<'_>) {
    let posted = wire::pack(response, beside).map(|message| scope.post_message(&message));
    if let Err(why) = posted {
        web_sys::console::error_1(&why.into());
    }
}

struct Reader {
    scope: DedicatedWorkerGlobalScope,
    ahead: Option<Rc<ReadAhead>>,
    dropped: Option<Dropped>,
    open: Option<Open>,
}

/// What has come of a store so far.
struct Dropped {
    name: String,
    dirs: Vec<String>,
    files: Vec<(String, Rc<BlobFile>)>,
    reader: Rc<FileReaderSync>,
}

/// The store, and what is known of it by now.
struct Open {
    store: Store,
    conf: Option<BrokerConf>,
    findings: Vec<Finding>,
    asked: Asked,
    outcome: Option<Outcome>,
    after_load: Option<Store>,
    after_reput: Option<Store>,
    lists: Lists,
}

impl Reader {
    fn send(&self, response: &Response) {
        post(&self.scope, response, Beside::default());
    }

    fn answer(&mut self, request: Request, data: &JsValue) -> Result<(), String> {
        match request {
            Request::Open { build, name, dirs } => {
                if build != BUILD {
                    // The page sees whom it talks to, and says so.
                    self.send(&Response::Ready {
                        build: BUILD.to_owned(),
                    });
                }
                let reader =
                    Rc::new(FileReaderSync::new().map_err(|error| wire::describe(&error))?);
                self.ahead = ReadAhead::find().map(Rc::new);
                self.open = None;
                self.dropped = Some(Dropped {
                    name,
                    dirs,
                    files: Vec::new(),
                    reader,
                });
            }
            Request::Add { files } => {
                let dropped = self.dropped.as_mut().ok_or(NOTHING_OPEN)?;
                for (name, file) in files.into_iter().zip(handles(data)) {
                    let blob: Blob = file
                        .dyn_into()
                        .map_err(|_| format!("{name} came without its file"))?;
                    let file = BlobFile::new(
                        name.clone(),
                        blob,
                        dropped.reader.clone(),
                        self.ahead.clone(),
                    );
                    dropped.files.push((name, Rc::new(file)));
                }
            }
            Request::Recover { asked } => {
                self.open_asked(&asked, true)?;
                self.recover(asked)?;
            }
            Request::Learn { asked } => {
                let outcome: Outcome =
                    serde_json::from_str(&wire::text(data)).map_err(|error| error.to_string())?;
                let open = self.open_asked(&asked, false)?;
                open.lists = Lists::of(&outcome, &asked);
                open.outcome = Some(outcome);
                open.asked = asked.with(open.conf.as_ref());
            }
            Request::Ask { id, question } => {
                let mut tell = tell(self.scope.clone(), move |Progress { bytes, of }| {
                    Response::Answering { id, bytes, of }
                });
                let answer = self.open()?.answer(question, &mut tell)?;
                self.send(&Response::Answered { id, answer });
            }
        }
        Ok(())
    }

    /// The store that is open, or else the likeliest of what came.
    fn open(&mut self) -> Result<&mut Open, String> {
        let asked = match &self.open {
            Some(open) => open.asked.clone(),
            None => Asked::default(),
        };
        self.open_asked(&asked, false)
    }

    /// The store that is asked for among the files that came. All of them will be read if it is to be recovered.
    fn open_asked(&mut self, asked: &Asked, read_all: bool) -> Result<&mut Open, String> {
        let is_open = self
            .open
            .as_ref()
            .is_some_and(|open| open.asked.opens_like(asked));
        if !is_open {
            let dropped = self.dropped.as_ref().ok_or(NOTHING_OPEN)?;
            if read_all {
                let files: Vec<Rc<BlobFile>> =
                    dropped.files.iter().map(|(_, file)| file.clone()).collect();
                blob_file::hold_small(&files);
            }
            let mut store = Store::new(&dropped.name);
            for dir in &dropped.dirs {
                store.insert_dir(StorePath::new(dir));
            }
            for (name, file) in &dropped.files {
                store.insert(StorePath::new(name), file.clone());
            }
            let mut tell = tell(self.scope.clone(), reading);
            let mut silent = |_: Progress| {};
            let progress: &mut dyn FnMut(Progress) = if read_all { &mut tell } else { &mut silent };
            let opened =
                brokers::open_asked(store, asked, progress).map_err(|bad| bad.to_string())?;
            self.send(&Response::Opened(Opened {
                name: opened.store.name().to_owned(),
                files: opened.store.len() as u64,
                bytes: opened.store.bytes(),
                findings: opened.findings.clone(),
                stores: opened.stores,
                conf: opened.conf.clone(),
            }));
            self.open = Some(Open {
                conf: opened.conf,
                store: opened.store,
                findings: opened.findings,
                asked: asked.clone(),
                outcome: None,
                after_load: None,
                after_reput: None,
                lists: Lists::default(),
            });
        }
        self.open.as_mut().ok_or_else(|| NOTHING_OPEN.to_owned())
    }

    fn recover(&mut self, asked: Asked) -> Result<(), String> {
        let open = self.open.as_mut().ok_or(NOTHING_OPEN)?;
        let asked = asked.with(open.conf.as_ref());
        let mut tell = tell(self.scope.clone(), reading);
        let recovered = brokers::recover(&open.store, &asked, false, &mut tell)
            .map_err(|bad| bad.to_string())?;
        let mut outcome = recovered.outcome;
        outcome.findings.splice(0..0, open.findings.iter().cloned());
        text::fill_sentences(&mut outcome);
        for stage in recovered.stages {
            let image = Some(stage.after.to_store());
            match stage.name {
                StageName::Load => open.after_load = image,
                StageName::Reput => open.after_reput = image,
                StageName::Shutdown => {}
            }
        }
        open.lists = Lists::of(&outcome, &asked);
        open.asked = asked;
        let json = outcome.to_json();
        for part in Part::take_from(&mut outcome) {
            post(&self.scope, &Response::Part(part), Beside::default());
        }
        let rest = Box::new(outcome);
        post(
            &self.scope,
            &Response::Recovered {
                rest,
                memory: memory_bytes(),
            },
            Beside {
                text: Some(&json),
                files: &[],
            },
        );
        Ok(())
    }
}

/// Tells the page how far the work is, now and then.
fn tell(
    scope: DedicatedWorkerGlobalScope,
    as_response: impl Fn(Progress) -> Response,
) -> impl FnMut(Progress) {
    let mut last_told = 0.0;
    move |progress| {
        let now = js_sys::Date::now();
        if now - last_told >= TELL_EVERY_MS {
            last_told = now;
            post(&scope, &as_response(progress), Beside::default());
        }
    }
}

/// Of opening and recovering.
fn reading(Progress { bytes, of }: Progress) -> Response {
    Response::Progress { bytes, of }
}

/// The handles that came with a message, in order.
fn handles(data: &JsValue) -> Vec<JsValue> {
    match wire::get(data, wire::FILES) {
        Some(files) if Array::is_array(&files) => Array::from(&files).iter().collect(),
        _ => Vec::new(),
    }
}

/// How large this worker's memory has grown; it never shrinks.
fn memory_bytes() -> f64 {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
    f64::from(buffer.byte_length())
}

const NOTHING_OPEN: &str = "no store is open";
/// Of a run of messages: more than there are pixels help nobody.
const MOMENTS: u32 = 1000;
const TELL_EVERY_MS: f64 = 60.0;

impl Open {
    fn image(&self, image: Image) -> Option<&Store> {
        match image {
            Image::Before => Some(&self.store),
            Image::AfterLoad => self.after_load.as_ref(),
            Image::AfterReput => self.after_reput.as_ref(),
            Image::Missing => None,
        }
    }

    fn answer(
        &mut self,
        question: Question,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Answer, String> {
        Ok(match question {
            Question::Look {
                place,
                from,
                length,
            } => Answer::Look(self.look(place, from, length)),
            Question::Records { around, bytes } => {
                let outcome = self.outcome.as_ref().ok_or(NOTHING_OPEN)?;
                Answer::Records(brokers::records(&self.store, outcome, around, bytes))
            }
            Question::Check => {
                let outcome = self.outcome.as_ref().ok_or(NOTHING_OPEN)?;
                let checked = brokers::check_with(&self.store, &self.asked, outcome, progress);
                Answer::Check(Box::new(checked.map_err(|bad| bad.to_string())?))
            }
            Question::Report(wanted) => {
                let outcome = self.outcome.as_ref().ok_or(NOTHING_OPEN)?;
                let inputs = inputs::read(&self.store, outcome, progress);
                let made = inputs.map(|inputs| report::report(outcome, &inputs, &wanted));
                Answer::Report(made.map_err(|error| error.to_string()))
            }
            Question::Moments { stretch } => {
                let moments =
                    brokers::moments(&self.store, &self.asked, stretch, MOMENTS, &mut |_| {});
                Answer::Moments(moments.map_err(|bad| bad.to_string()))
            }
            of_a_list => {
                // An image that was never reached has no files.
                let none = Store::default();
                let store = match of_a_list.image() {
                    Image::Before => &self.store,
                    Image::AfterLoad => self.after_load.as_ref().unwrap_or(&none),
                    Image::AfterReput => self.after_reput.as_ref().unwrap_or(&none),
                    Image::Missing => &none,
                };
                self.lists.answer(store, of_a_list)?
            }
        })
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
