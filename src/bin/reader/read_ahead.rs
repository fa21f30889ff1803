//! A large file read ahead by a worker of its own (`static/ahead.js`) while this one checks what is there already.
//!
//! The two share a ring of slots, which a page may only do that is isolated from other origins; where it is not, or when the other
//! worker does not answer, files are read here, one block after the other. One file at a time is read ahead: a scan goes from front to
//! back and never returns.

use js_sys::{Atomics, Int32Array, Object, Reflect, SharedArrayBuffer, Uint8Array};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, Worker};

/// How much a scan should ask for at once.
pub const SLOT: u32 = 4 << 20;
const SLOTS: u32 = 4;
/// A shorter rest of a file is read before the other worker has heard of it.
const WORTH_IT: u64 = 16 << 20;
/// Longer than any disk takes for one slot. Then this worker reads for itself.
const PATIENCE_MS: f64 = 10_000.0;

pub struct ReadAhead {
    worker: Worker,
    stream: RefCell<Option<Stream>>,
    failed: Cell<bool>,
}

/// What is read ahead of one file.
struct Stream {
    file: Blob,
    /// Word 0: 1 when nobody wants more. Word 1 + n: the bytes in slot n; 0 while it is free, −1 where reading failed.
    state: Int32Array,
    ring: Uint8Array,
    slot: u32,
    /// Where in the file the slot's bytes begin.
    from: u64,
    /// The slot's bytes, once they are there.
    bytes: u64,
}

impl ReadAhead {
    /// With the worker that `static/worker.js` brought up, if it did.
    pub fn find() -> Option<Self> {
        let worker = Reflect::get(&js_sys::global(), &"ahead".into()).ok()?;
        Some(Self {
            worker: worker.dyn_into().ok()?,
            stream: RefCell::new(None),
            failed: Cell::new(false),
        })
    }

    /// Fills `buf` from what was read ahead; `false` where the caller must read it.
    pub fn read(&self, file: &Blob, offset: u64, buf: &mut [u8]) -> bool {
        if self.failed.get() {
            return false;
        }
        let mut stream = self.stream.borrow_mut();
        if !stream
            .as_ref()
            .is_some_and(|stream| stream.leads_to(file, offset))
        {
            let rest = file.size() as u64 - offset;
            if rest < WORTH_IT || (buf.len() as u64) < u64::from(SLOT) {
                return false;
            }
            *stream = Stream::begin(&self.worker, file, offset).ok();
        }
        let filled = stream
            .as_mut()
            .is_some_and(|stream| stream.fill(offset, buf));
        if !filled {
            *stream = None;
            self.failed.set(true);
        }
        filled
    }
}

impl Stream {
    fn begin(worker: &Worker, file: &Blob, from: u64) -> Result<Self, JsValue> {
        let state = SharedArrayBuffer::new(4 * (1 + SLOTS));
        let ring = SharedArrayBuffer::new(SLOT * SLOTS);
        let message = Object::new();
        let rest = file.slice_with_f64(from as f64)?;
        for (key, value) in [
            ("blob", rest.as_ref()),
            ("state", state.as_ref()),
            ("ring", ring.as_ref()),
            ("slots", &SLOTS.into()),
        ] {
            Reflect::set(&message, &key.into(), value)?;
        }
        worker.post_message(&message)?;
        Ok(Self {
            file: file.clone(),
            state: Int32Array::new(&state),
            ring: Uint8Array::new(&ring),
            slot: 0,
            from,
            bytes: 0,
        })
    }

    /// Whether it comes to that place, or is there: what was given back is gone.
    fn leads_to(&self, file: &Blob, offset: u64) -> bool {
        let reach = u64::from(SLOT * SLOTS);
        self.file.loose_eq(file) && offset >= self.from && offset < self.from + reach
    }

    fn fill(&mut self, offset: u64, buf: &mut [u8]) -> bool {
        let mut at = offset;
        let mut rest = buf;
        while !rest.is_empty() {
            if self.bytes == 0 && !self.wait() {
                return false;
            }
            let end = self.from + self.bytes;
            if at >= end {
                self.give_back();
                continue;
            }
            let len = rest.len().min((end - at) as usize);
            let (now, later) = rest.split_at_mut(len);
            let start = self.slot * SLOT + (at - self.from) as u32;
            self.ring.subarray(start, start + len as u32).copy_to(now);
            at += len as u64;
            rest = later;
        }
        true
    }

    /// Until the slot's bytes are there.
    fn wait(&mut self) -> bool {
        let word = 1 + self.slot;
        let _ = Atomics::wait_with_timeout(&self.state, word, 0, PATIENCE_MS);
        let bytes = Atomics::load(&self.state, word).unwrap_or(-1);
        self.bytes = u64::try_from(bytes).unwrap_or(0);
        bytes > 0
    }

    fn give_back(&mut self) {
        self.from += self.bytes;
        self.bytes = 0;
        self.free(1 + self.slot, 0);
        self.slot = (self.slot + 1) % SLOTS;
    }

    fn free(&self, word: u32, value: i32) {
        // Both only fail on an array that is not shared.
        let _ = Atomics::store(&self.state, word, value);
        let _ = Atomics::notify(&self.state, word);
    }
}

impl Drop for Stream {
    /// The other worker may wait for a slot: it is told that nobody wants more.
    fn drop(&mut self) {
        let _ = Atomics::store(&self.state, 0, 1);
        for slot in 0..SLOTS {
            self.free(1 + slot, 0);
        }
    }
}
