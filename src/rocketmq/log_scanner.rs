//! Reads a log file from front to back and checks its records, ahead of who decides about them.
//!
//! Facts without decisions: a [`Block`] of whole good records, and what comes behind the last one. On a host with threads the checking
//! (bytes and CRC) runs in one of its own while the broker's decisions follow in order; elsewhere it runs when asked. Either way the
//! blocks are the same.

use super::check_message::{
    Bad, Buffer, Check, Checked, DelayLevels, DispatchRequest, NeedMore, check_message,
};
use super::release::Known;
use super::rules::InForce;
use crate::decode::Cursor;
use crate::decode::num::{pos_of, u64_of, usize_of};
use crate::store::{ReadAt, ReadError};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Records that were checked, one after the other.
#[derive(Default)]
pub(super) struct Block {
    /// Where in the file it begins.
    pub start: u64,
    bytes: Vec<u8>,
    /// What is dispatched of each good record; they stand one behind the other.
    requests: Vec<DispatchRequest>,
    /// Bytes of all good records.
    good: usize,
    /// What comes behind the good records, if the scan of the file ends here.
    pub end: Option<BlockEnd>,
}

impl Block {
    /// The good records.
    pub fn messages(&self) -> impl Iterator<Item = (&DispatchRequest, &[u8])> {
        let mut at = 0usize;
        self.requests.iter().map(move |request| {
            let start = at;
            at = at.saturating_add(len_of(request));
            (request, self.bytes.get(start..at).unwrap_or(&[]))
        })
    }

    /// Where in the file the last good record ends.
    pub fn stop(&self) -> u64 {
        self.start.saturating_add(u64_of(self.good))
    }
}

/// How far it is to the next record.
fn len_of(request: &DispatchRequest) -> usize {
    usize_of(pos_of(i64::from(request.msg_size))).max(1)
}

pub(super) enum BlockEnd {
    Blank,
    Bad(Bad),
}

/// How records are checked: what [`Check`] is, in a form that can go to a thread.
#[derive(Clone)]
pub(super) struct Checking {
    pub crc: bool,
    pub dup_info: bool,
    pub property_crc: bool,
    pub buffer: Buffer,
    pub delays: DelayLevels,
    pub release: Known,
    pub without: Option<String>,
}

impl Checking {
    fn check(&self) -> Check<'_> {
        Check {
            crc: self.crc,
            body: true,
            dup_info: self.dup_info,
            property_crc: self.property_crc,
            buffer: self.buffer,
            delays: &self.delays,
            rules: InForce::of(self.release).without(self.without.as_deref()),
        }
    }
}

/// Gives the blocks of a file in order.
pub(super) enum LogScanner<'f> {
    Here(Reader<&'f dyn ReadAt>),
    Ahead {
        blocks: Receiver<Result<Block, ReadError>>,
        used: SyncSender<Block>,
    },
}

/// A smaller file is read before a thread has started.
const WORTH_A_THREAD: u64 = 8 << 20;
/// So many blocks may wait to be decided about.
const AHEAD: usize = 4;

impl<'f> LogScanner<'f> {
    pub fn open(file: &'f dyn ReadAt, checking: Checking) -> Self {
        if file.size() >= WORTH_A_THREAD
            && let Some(own) = file.for_another_thread()
        {
            let (send, blocks) = sync_channel(AHEAD);
            let (used, give_back) = sync_channel(AHEAD);
            let reader = Reader::new(own, checking.clone());
            let thread = std::thread::Builder::new()
                .name("scan".to_owned())
                .spawn(move || reader.run(&send, &give_back));
            if thread.is_ok() {
                return Self::Ahead { blocks, used };
            }
        }
        Self::Here(Reader::new(file, checking))
    }

    /// The next block; an empty one without an end does not come up.
    pub fn next(&mut self, used: Option<Block>) -> Result<Block, ReadError> {
        let used_block = used.unwrap_or_default();
        match self {
            Self::Here(reader) => reader.read_block(used_block),
            Self::Ahead { blocks, used } => {
                // The thread may have all the buffers it needs.
                let _ = used.try_send(used_block);
                blocks.recv().unwrap_or_else(|_| {
                    Err(ReadError {
                        file: String::new(),
                        offset: 0,
                        len: 0,
                        why: "the reading thread ended".to_owned(),
                    })
                })
            }
        }
    }
}

pub(super) struct Reader<F> {
    file: F,
    checking: Checking,
    at: u64,
}

impl<F: AsReadAt> Reader<F> {
    fn new(file: F, checking: Checking) -> Self {
        Self {
            file,
            checking,
            at: 0,
        }
    }

    /// Sends block after block until the file's scan ends or nobody listens.
    fn run(mut self, blocks: &SyncSender<Result<Block, ReadError>>, used: &Receiver<Block>) {
        loop {
            let block = self.read_block(used.try_recv().unwrap_or_default());
            let is_last = !matches!(&block, Ok(Block { end: None, .. }));
            if blocks.send(block).is_err() || is_last {
                return;
            }
        }
    }

    /// `used` is a block that nobody needs any more: its memory serves again.
    fn read_block(&mut self, used: Block) -> Result<Block, ReadError> {
        let Block {
            mut bytes,
            mut requests,
            ..
        } = used;
        let file = self.file.as_read_at();
        let left = file.size().saturating_sub(self.at);
        let mut want = file.block();
        loop {
            bytes.resize(usize_of(left).min(want), 0);
            file.read_exact_at(self.at, &mut bytes)?;
            let (good, behind, buffer) =
                good_records(&bytes, left, &mut requests, self.checking.check());
            let end = match behind {
                Ok(end) => Some(end),
                Err(NeedMore(more)) if good == 0 => {
                    want = more.max(want.saturating_mul(2));
                    continue;
                }
                Err(NeedMore(_)) => None,
            };
            self.checking.buffer = buffer;
            let start = self.at;
            self.at = start.saturating_add(u64_of(good));
            return Ok(Block {
                start,
                bytes,
                requests,
                good,
                end,
            });
        }
    }
}

/// How many bytes of good records there are in front, what comes behind them, and the buffer as they leave it.
fn good_records(
    bytes: &[u8],
    left: u64,
    requests: &mut Vec<DispatchRequest>,
    mut check: Check<'_>,
) -> (usize, Result<BlockEnd, NeedMore>, Buffer) {
    let mut good = 0usize;
    requests.clear();
    loop {
        let record = bytes.get(good..).unwrap_or(&[]);
        let mut cursor = Cursor::new(record, left.saturating_sub(u64_of(good)));
        match check_message(&mut cursor, check) {
            Ok(Checked::Message(request)) => {
                good = good.saturating_add(len_of(&request));
                check.buffer.keep(request.msg_size);
                requests.push(request);
            }
            Ok(Checked::Blank) => return (good, Ok(BlockEnd::Blank), check.buffer),
            Ok(Checked::Bad(bad)) => return (good, Ok(BlockEnd::Bad(bad)), check.buffer),
            Err(more) => return (good, Err(more), check.buffer),
        }
    }
}

/// A borrowed file here, an own one in a thread.
pub(super) trait AsReadAt {
    fn as_read_at(&self) -> &dyn ReadAt;
}

impl AsReadAt for &dyn ReadAt {
    fn as_read_at(&self) -> &dyn ReadAt {
        *self
    }
}

impl AsReadAt for Box<dyn ReadAt + Send> {
    fn as_read_at(&self) -> &dyn ReadAt {
        &**self
    }
}
