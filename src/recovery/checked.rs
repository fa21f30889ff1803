//! What a check of a store found: the contract's JSON object of `check`.

use super::finding::{Finding, Severity};
use super::outcome::{BrokerUsed, SCHEMA};
use crate::store::ReadError;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    pub schema: String,
    /// This program's version.
    pub tool: String,
    pub broker: BrokerUsed,
    pub seen: Seen,
    /// The gravest first.
    pub findings: Vec<Finding>,
    /// The host gave no bytes, and the check ended there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<ReadError>,
}

/// How much a check has looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// Whole messages of the log, and their bytes.
    pub messages: u64,
    pub message_bytes: u64,
    /// Of those bytes the ones in bodies, which a checksum covers.
    pub covered_bytes: u64,
    /// Queue units and index entries in use.
    pub units: u64,
    pub entries: u64,
}

impl Checked {
    pub fn new(
        broker: &BrokerUsed,
        seen: Seen,
        findings: Vec<Finding>,
        unread: Option<ReadError>,
    ) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            broker: broker.clone(),
            seen,
            findings,
            unread,
        }
    }

    /// Findings that something should be done about.
    pub fn above_info(&self) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity < Severity::Info)
            .count()
    }

    /// The contract's JSON object, on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
