//! What the broker writes about a record that is not good: `CommitLog#checkMessageAndReturnSize`.

use super::super::Broker;
use super::super::check_message::Reject;
use super::lines;
use crate::decode::num::i32_bits;
use crate::facts;
use crate::store::StorePath;

impl Broker<'_> {
    /// About the record at a place of a log file.
    pub(in crate::rocketmq) fn print_reject(&mut self, path: &StorePath, at: u64, reject: &Reject) {
        let log = &mut self.store_log;
        match reject {
            Reject::NothingWritten => {
                log.print(&lines::ILLEGAL_MAGIC, || facts! { magic = "0" });
            }
            Reject::Magic { found } => {
                log.print(
                    &lines::ILLEGAL_MAGIC,
                    || facts! { magic = format!("{found:x}") },
                );
            }
            Reject::BodyCrc { stored, computed } => log.print(
                &lines::BODY_CRC,
                || facts! { computed = i32_bits(*computed), stored = i32_bits(*stored) },
            ),
            Reject::DupInfo { found } => log.print(
                &lines::DUP_INFO,
                || facts! { found = found.as_deref().unwrap_or("null") },
            ),
            // What it calls expected is the body's CRC.
            Reject::PropertyCrc { computed, .. } => {
                let mut body = [0; 4];
                if let Some(file) = self.store.get(path) {
                    // Where it cannot be read, the scan has stopped before.
                    let _ = file.read_exact_at(at.saturating_add(8), &mut body);
                }
                let body = i32::from_be_bytes(body);
                log.print(
                    &lines::PROPERTY_CRC,
                    || facts! { body = body, computed = i32_bits(*computed) },
                );
            }
            Reject::PropertyCrcMissing => {
                let names = self.message_names(path, at);
                self.store_log.print(&lines::PROPERTY_CRC_MISSING, || names);
            }
            Reject::Lengths {
                total_size,
                sum,
                body_len,
                topic_len,
                properties_len,
            } => log.print(&lines::LENGTHS, || {
                facts! {
                    total = *total_size,
                    sum = *sum,
                    body = *body_len,
                    topicLength = *topic_len,
                    properties = *properties_len,
                }
            }),
            _ => {
                if let Some(thrown) = thrown(reject) {
                    log.print(&lines::CHECK_THREW, || facts! { thrown = thrown });
                }
            }
        }
    }
}

/// The exception that ends the check of a record, with the place that threw it where that is sure.
fn thrown(reject: &Reject) -> Option<String> {
    Some(match reject {
        Reject::Underflow { .. } => "java.nio.BufferUnderflowException: null".to_owned(),
        Reject::NegativeSize { stored } => format!(
            "java.lang.NegativeArraySizeException: {stored}\n\tat org.apache.rocketmq.store.CommitLog.checkMessageAndReturnSize"
        ),
        Reject::Part { len, room, .. } => format!(
            "java.lang.IndexOutOfBoundsException: Range [0, 0 + {len}) out of bounds for length {room}\n\tat jdk.internal.util.Preconditions.outOfBounds"
        ),
        Reject::DelayLevel { text } | Reject::InnerBatch { text, .. } => format!(
            "java.lang.NumberFormatException: For input string: \"{text}\"\n\tat java.lang.NumberFormatException.forInputString"
        ),
        _ => return None,
    })
}
