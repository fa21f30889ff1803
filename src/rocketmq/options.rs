//! The settings of `MessageStoreConfig` that recovery reads, by the broker's own names, and what is assumed where nobody gave them.

use super::beside;
use super::format::{consume_queue, index_file};
use super::layout::{Layout, Role};
use super::log_roots;
use super::release::Known;
use super::rules::InForce;
use crate::brokers::Asked;
use crate::decode::{java, num};
use crate::recovery::outcome::{OptionsUsed, Source};
use crate::store::Store;
use std::collections::BTreeMap;

/// What a recovery runs with. Sizes are Java `int`s, as the broker keeps them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub mapped_file_size_commit_log: i32,
    pub mapped_file_size_consume_queue: i32,
    pub max_hash_slot_num: i32,
    pub max_index_num: i32,
    pub message_index_enable: bool,
    pub message_index_safe: bool,
    pub check_crc_on_recover: bool,
    pub duplication_enable: bool,
    pub message_delay_level: String,
    /// 5.2
    pub enabled_append_prop_crc: bool,
    pub force_verify_prop_crc: bool,
    /// 5.4
    pub commit_log_recover_max_num: i32,
    /// 5.5
    pub check_commit_log_offset_on_recover: bool,
    /// Folders that are read as one log: see [`super::log_roots`].
    pub store_path_commit_log: String,
    /// `default` or `defaultRocksDB`
    pub store_type: String,
    /// The messages are in DLedger's log.
    pub dledger_commit_log: bool,
    pub transient_store_pool: bool,
    /// Whose rules hold.
    pub release: Known,
    /// For tests: the id of a rule to take out of the table, to see what hangs on it.
    pub without_rule: Option<String>,
}

impl Default for Options {
    /// The broker's own defaults, which all releases share.
    fn default() -> Self {
        Self {
            mapped_file_size_commit_log: 1 << 30,
            mapped_file_size_consume_queue: 300_000 * consume_queue::UNIT,
            max_hash_slot_num: 5_000_000,
            max_index_num: 20_000_000,
            message_index_enable: true,
            message_index_safe: false,
            check_crc_on_recover: true,
            duplication_enable: false,
            message_delay_level: "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h"
                .to_owned(),
            enabled_append_prop_crc: false,
            force_verify_prop_crc: false,
            commit_log_recover_max_num: 10,
            check_commit_log_offset_on_recover: false,
            store_path_commit_log: "commitlog".to_owned(),
            store_type: "default".to_owned(),
            dledger_commit_log: false,
            transient_store_pool: false,
            release: Known::R4_9_8,
            without_rule: None,
        }
    }
}

/// The settings that decide something here, by the broker's names.
pub const SETTINGS: [&str; 13] = [
    "mappedFileSizeCommitLog",
    "mappedFileSizeConsumeQueue",
    "maxHashSlotNum",
    "maxIndexNum",
    "messageIndexEnable",
    "messageIndexSafe",
    "checkCRCOnRecover",
    "duplicationEnable",
    "messageDelayLevel",
    "enabledAppendPropCRC",
    "forceVerifyPropCRC",
    "commitLogRecoverMaxNum",
    "checkCommitLogOffsetOnRecover",
];

/// Settings that say in which form a broker keeps its store. Where nobody gives them, the files show it.
pub const FORMS: [&str; 4] = [
    log_roots::SETTING,
    "storeType",
    "enableDLegerCommitLog",
    "transientStorePoolEnable",
];

/// Settings that change what a broker does with its store and that are not followed here: a verdict with one of them on is limited.
pub const NOT_FOLLOWED: [&str; 8] = [
    "enableConsumeQueueExt",
    "enableMultiDispatch",
    "enableLmq",
    "enableAcceleratedRecovery",
    "rocksdbCQDoubleWriteEnable",
    "indexRocksDBEnable",
    "timerRocksDBEnable",
    "transRocksDBEnable",
];

/// A setting that cannot be: which, what was given, what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSetting {
    pub key: String,
    pub value: String,
    pub takes: &'static str,
}

impl Options {
    /// The rows that hold.
    pub fn rules(&self) -> InForce<'_> {
        InForce::of(self.release).without(self.without_rule.as_deref())
    }

    /// `commitLogRecoverMaxNum`, and what is taken where it is none.
    pub fn most_files_back(&self) -> i32 {
        match self.commit_log_recover_max_num {
            most if most > 0 => most,
            _ => 10,
        }
    }

    pub fn index_file_size(&self) -> i64 {
        // IndexFile computes it in `int`.
        let slots = self.max_hash_slot_num.wrapping_mul(4);
        let entries = self.max_index_num.wrapping_mul(20);
        i64::from(40i32.wrapping_add(slots).wrapping_add(entries))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<bool, BadSetting> {
        let bad = |takes| BadSetting {
            key: key.to_owned(),
            value: value.to_owned(),
            takes,
        };
        let size = || {
            java::parse_int(value.trim())
                .filter(|size| *size > 0)
                .ok_or_else(|| bad("a whole number from 1 to 2147483647"))
        };
        let flag = || match value.trim() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(bad("true or false")),
        };
        match key {
            "mappedFileSizeCommitLog" => self.mapped_file_size_commit_log = size()?,
            "mappedFileSizeConsumeQueue" => {
                self.mapped_file_size_consume_queue = whole_units(size()?)
            }
            "maxHashSlotNum" => self.max_hash_slot_num = size()?,
            "maxIndexNum" => self.max_index_num = size()?,
            "messageIndexEnable" => self.message_index_enable = flag()?,
            "messageIndexSafe" => self.message_index_safe = flag()?,
            "checkCRCOnRecover" => self.check_crc_on_recover = flag()?,
            "duplicationEnable" => self.duplication_enable = flag()?,
            "messageDelayLevel" => value.clone_into(&mut self.message_delay_level),
            "enabledAppendPropCRC" => self.enabled_append_prop_crc = flag()?,
            "forceVerifyPropCRC" => self.force_verify_prop_crc = flag()?,
            "commitLogRecoverMaxNum" => {
                self.commit_log_recover_max_num =
                    java::parse_int(value.trim()).ok_or_else(|| bad("a whole number"))?;
            }
            "checkCommitLogOffsetOnRecover" => {
                self.check_commit_log_offset_on_recover = flag()?;
            }
            log_roots::SETTING => value.clone_into(&mut self.store_path_commit_log),
            "storeType" => value.trim().clone_into(&mut self.store_type),
            "enableDLegerCommitLog" => self.dledger_commit_log = flag()?,
            "transientStorePoolEnable" => self.transient_store_pool = flag()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn get(&self, key: &str) -> String {
        match key {
            "mappedFileSizeCommitLog" => self.mapped_file_size_commit_log.to_string(),
            "mappedFileSizeConsumeQueue" => self.mapped_file_size_consume_queue.to_string(),
            "maxHashSlotNum" => self.max_hash_slot_num.to_string(),
            "maxIndexNum" => self.max_index_num.to_string(),
            "messageIndexEnable" => self.message_index_enable.to_string(),
            "messageIndexSafe" => self.message_index_safe.to_string(),
            "checkCRCOnRecover" => self.check_crc_on_recover.to_string(),
            "duplicationEnable" => self.duplication_enable.to_string(),
            "messageDelayLevel" => self.message_delay_level.clone(),
            "enabledAppendPropCRC" => self.enabled_append_prop_crc.to_string(),
            "forceVerifyPropCRC" => self.force_verify_prop_crc.to_string(),
            "commitLogRecoverMaxNum" => self.commit_log_recover_max_num.to_string(),
            "checkCommitLogOffsetOnRecover" => self.check_commit_log_offset_on_recover.to_string(),
            log_roots::SETTING => self.store_path_commit_log.clone(),
            "storeType" => self.store_type.clone(),
            "enableDLegerCommitLog" => self.dledger_commit_log.to_string(),
            "transientStorePoolEnable" => self.transient_store_pool.to_string(),
            _ => String::new(),
        }
    }
}

/// `getMappedFileSizeConsumeQueue` rounds up to whole units.
fn whole_units(size: i32) -> i32 {
    let units = num::java_div(i64::from(size).saturating_add(19), 20);
    num::java_int(units.saturating_mul(20))
}

/// The options to run with, what they were, and asked settings that nothing here reads.
pub struct Chosen {
    pub options: Options,
    pub used: OptionsUsed,
    pub ignored: Vec<String>,
}

/// Takes what was asked; reads file sizes off the files; takes the broker's defaults for the rest, and says so.
pub fn choose(asked: &Asked, store: &Store, layout: &Layout) -> Result<Chosen, BadSetting> {
    let mut options = Options::default();
    let mut assumed: BTreeMap<String, Source> = SETTINGS
        .iter()
        .chain(&FORMS)
        .map(|key| ((*key).to_owned(), Source::Default))
        .collect();
    if beside::queues_are_in_rocksdb(layout) {
        "defaultRocksDB".clone_into(&mut options.store_type);
        assumed.insert("storeType".to_owned(), Source::Files);
    }
    if beside::dledger_has_entries(store, layout) {
        options.dledger_commit_log = true;
        assumed.insert("enableDLegerCommitLog".to_owned(), Source::Files);
    }
    if let Some(size) = common_length(store, layout, |role| matches!(role, Role::CommitLog { .. }))
    {
        options.mapped_file_size_commit_log = size;
        assumed.insert("mappedFileSizeCommitLog".to_owned(), Source::Files);
    }
    if let Some(size) = common_length(store, layout, |role| matches!(role, Role::Queue { .. })) {
        options.mapped_file_size_consume_queue = whole_units(size);
        assumed.insert("mappedFileSizeConsumeQueue".to_owned(), Source::Files);
    }
    if let Some((slots, entries)) = super::index_service::geometry_of(store, layout, &options) {
        options.max_hash_slot_num = slots;
        options.max_index_num = entries;
        assumed.insert("maxHashSlotNum".to_owned(), Source::Files);
        assumed.insert("maxIndexNum".to_owned(), Source::Files);
    }
    let mut ignored = Vec::new();
    for (key, value) in &asked.settings {
        if options.set(key, value)? {
            assumed.remove(key);
        } else if !NOT_FOLLOWED.contains(&key.as_str()) || value.trim() == "true" {
            ignored.push(key.clone());
        }
    }
    let settings = SETTINGS
        .iter()
        .chain(&FORMS)
        .map(|key| ((*key).to_owned(), options.get(key)))
        .collect();
    Ok(Chosen {
        options,
        used: OptionsUsed { settings, assumed },
        ignored,
    })
}

/// The length that most files of a kind have; of several equally frequent ones the largest, since files get torn, not stretched.
fn common_length(store: &Store, layout: &Layout, of_kind: impl Fn(&Role) -> bool) -> Option<i32> {
    let mut lengths: BTreeMap<u64, u32> = BTreeMap::new();
    for (path, role) in layout.files() {
        if of_kind(role)
            && let Some(file) = store.get(path)
            && file.size() > 0
        {
            let count = lengths.entry(file.size()).or_default();
            *count = count.saturating_add(1);
        }
    }
    let (size, _) = lengths
        .into_iter()
        .max_by_key(|(size, count)| (*count, *size))?;
    i32::try_from(size).ok()
}

/// Bytes of an index file with this geometry; `None` where the broker's `int` overflows.
pub fn index_size(slots: i32, entries: i32) -> Option<u64> {
    let slots = u64::try_from(slots).ok()?.checked_mul(index_file::SLOT)?;
    let entries = u64::try_from(entries)
        .ok()?
        .checked_mul(index_file::ENTRY)?;
    index_file::HEADER.checked_add(slots)?.checked_add(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_file_holds_whole_units() {
        let mut options = Options::default();
        assert!(options.set("mappedFileSizeConsumeQueue", "1001").unwrap());
        assert_eq!(options.mapped_file_size_consume_queue, 1020);
    }

    #[test]
    fn a_setting_of_the_wrong_kind_is_named() {
        let error = Options::default()
            .set("checkCRCOnRecover", "maybe")
            .unwrap_err();
        assert_eq!(error.takes, "true or false");
        assert!(
            !Options::default().set("brokerName", "a").unwrap(),
            "not one that recovery reads"
        );
    }
}
