//! The brokers there are, and the doors through which the page and the command line call them.
//!
//! Everything a program does with a store goes through here: find its root, recover it, look at a record.

mod dropped;
pub mod hits;
pub mod rows;

use crate::decode::FieldTree;
use crate::facts;
use crate::kafka;
use crate::recovery::checked::Checked;
use crate::recovery::map::LaneKind;
use crate::recovery::moments::{Moments, Stretch};
use crate::recovery::outcome::{Outcome, Stage};
use crate::recovery::release::{self, Known as _, Narrowed, Release};
use crate::recovery::trace::Image;
use crate::recovery::{Finding, Place, Progress, Rule, Severity};
use crate::rocketmq;
pub use crate::rocketmq::broker_conf::BrokerConf;
use crate::store::{ReadError, Store, StorePath};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

use rows::{
    At, EntryRow, Filter, KeyAsked, Known, List, LookUp, MessageRow, OpenMessage, Pull, PullAsked,
    ReadTo,
};

/// What a person asked for: nothing of it need be there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// `rocketmq-4.9.3`
    pub release: Option<String>,
    /// By the broker's own names: `checkCRCOnRecover` → `false`.
    pub settings: BTreeMap<String, String>,
    /// Per topic, where the broker has settings of that kind: topic → name → value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub topics: BTreeMap<String, BTreeMap<String, String>>,
    /// Which of several stores: its folder in what was dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
}

impl Asked {
    /// Whether dropped files are opened in the same way: what else is asked for comes later.
    pub fn opens_like(&self, other: &Asked) -> bool {
        let roots = rocketmq::log_roots::SETTING;
        self.store == other.store && self.settings.get(roots) == other.settings.get(roots)
    }

    /// With the settings of a broker's own file, where nobody asked for others.
    pub fn with(&self, conf: Option<&BrokerConf>) -> Self {
        let mut asked = self.clone();
        for (key, value) in conf.into_iter().flat_map(|conf| &conf.settings) {
            asked
                .settings
                .entry(key.clone())
                .or_insert_with(|| value.clone());
        }
        asked
    }
}

/// A recovery that has run: what to show, and the store as each stage left it.
pub struct Recovered {
    pub outcome: Outcome,
    /// `load` and `reput`, those that were reached.
    pub stages: Vec<Stage>,
}

/// One record, filler or other stretch of a log file: what the magnifier shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    pub place: Place,
    /// Offset in the log.
    pub log_offset: i64,
    pub kind: RecordKind,
    /// `TopicA/0 #17`; empty for what is no message.
    pub label: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RecordKind {
    Message,
    /// A record whose check fails: torn or corrupt.
    Bad,
    /// Filler written on purpose.
    Blank,
    /// Zeros to the end of the file.
    Zeros,
    /// Bytes that are no record.
    Unknown,
}

/// Dropped files, seen from the folder that the broker calls its store.
pub struct Opened {
    pub store: Store,
    pub findings: Vec<Finding>,
    /// The folders in what was dropped that are stores, the likeliest first; `.` is the dropped folder itself.
    pub stores: Vec<String>,
    /// The broker's own file of settings, where it came along: [`Asked::with`] puts them to use.
    pub conf: Option<BrokerConf>,
}

/// Finds the store in what was dropped: the folder itself, its parent, an archive of one, or loose files. Of several the first is taken.
pub fn open(dropped: Store) -> Opened {
    let (dropped, findings) = dropped::look_into_archives(dropped, &mut |_, _| {});
    let (dropped, findings, conf) = take_conf(dropped, findings);
    let asked = Asked::default().with(conf.as_ref());
    Opened {
        conf,
        ..open_first(dropped, &asked, findings)
    }
}

/// The same, with one of several stores asked for by its folder, and told how much of an archive was read.
pub fn open_asked(
    dropped: Store,
    asked: &Asked,
    progress: &mut dyn FnMut(Progress),
) -> Result<Opened, BadRequest> {
    let mut tell = |bytes, of| progress(Progress { bytes, of });
    let (dropped, findings) = dropped::look_into_archives(dropped, &mut tell);
    let (dropped, findings, conf) = take_conf(dropped, findings);
    let asked = asked.with(conf.as_ref());
    let Some(name) = &asked.store else {
        return Ok(Opened {
            conf,
            ..open_first(dropped, &asked, findings)
        });
    };
    let roots = roots(&dropped);
    match roots
        .iter()
        .find(|root| shown(root) == shown(&StorePath::new(name)))
    {
        Some(root) => Ok(Opened {
            conf,
            ..open_root(&dropped, root, &roots, &asked, findings)
        }),
        None => Err(BadRequest::Store {
            asked: name.clone(),
            stores: roots.iter().map(shown).collect(),
        }),
    }
}

/// The broker's settings are no part of its store.
fn take_conf(
    mut dropped: Store,
    mut findings: Vec<Finding>,
) -> (Store, Vec<Finding>, Option<BrokerConf>) {
    let conf = rocketmq::broker_conf::find(&dropped);
    if let Some(conf) = &conf {
        let names: Vec<&str> = conf.settings.keys().map(String::as_str).collect();
        findings.push(Finding::new(
            "conf-used",
            Severity::Info,
            None,
            facts! { path = &conf.file, count = names.len(), names = names.join(", ") },
        ));
        dropped.remove(&conf.file);
    }
    (dropped, findings, conf)
}

fn open_first(dropped: Store, asked: &Asked, mut findings: Vec<Finding>) -> Opened {
    if dropped.is_empty() {
        if findings.is_empty() {
            findings.push(Finding::new("empty", Severity::Error, None, facts! {}));
        }
        return Opened {
            store: dropped,
            findings,
            stores: Vec::new(),
            conf: None,
        };
    }
    if kafka::inspect::looks_like_partition(&dropped) {
        return Opened {
            store: kafka::inspect::as_directory(&dropped),
            findings,
            stores: Vec::new(),
            conf: None,
        };
    }
    let roots = roots(&dropped);
    if let Some(root) = rocketmq::log_roots::root_of(&dropped, &roots) {
        let only = std::slice::from_ref(root);
        return open_root(&dropped, root, only, asked, findings);
    }
    if let Some(root) = roots.first() {
        return open_root(&dropped, root, &roots, asked, findings);
    }
    if dropped.len() == 1
        && findings
            .iter()
            .any(|finding| finding.severity == Severity::Error)
    {
        // The one file is an archive that could not be opened: that is all there is to say.
        return Opened {
            store: dropped,
            findings,
            stores: Vec::new(),
            conf: None,
        };
    }
    let (store, placed) = rocketmq::place_loose::place(&dropped);
    findings.extend(placed);
    if !rocketmq::inspect::looks_like(&store, &StorePath::new("")) {
        findings.push(Finding::new(
            "not-a-store",
            Severity::Error,
            None,
            facts! { files = dropped.len() },
        ));
    }
    Opened {
        store,
        findings,
        stores: Vec::new(),
        conf: None,
    }
}

fn open_root(
    dropped: &Store,
    root: &StorePath,
    roots: &[StorePath],
    asked: &Asked,
    mut findings: Vec<Finding>,
) -> Opened {
    let setting = asked.settings.get(rocketmq::log_roots::SETTING);
    let (store, joined) = if kafka::inspect::looks_like(dropped, root) {
        (dropped.rooted_at(root), Vec::new())
    } else {
        rocketmq::log_roots::join(dropped, root, setting.map(String::as_str))
    };
    findings.extend(joined);
    let stores: Vec<String> = roots.iter().map(shown).collect();
    if stores.len() > 1 {
        findings.push(Finding::new(
            "several-stores",
            Severity::Info,
            None,
            facts! { count = stores.len(), chosen = shown(root) },
        ));
    }
    Opened {
        store,
        findings,
        stores,
        conf: None,
    }
}

/// The folders that look like a broker's store, the ones nearest to the top first.
fn roots(dropped: &Store) -> Vec<StorePath> {
    let mut roots: Vec<StorePath> = std::iter::once(StorePath::new(""))
        .chain(dropped.dirs().cloned())
        .filter(|dir| {
            rocketmq::inspect::looks_like(dropped, dir) || kafka::inspect::looks_like(dropped, dir)
        })
        .collect();
    roots.sort_by_key(|dir| (dir.as_str().split('/').count(), dir.clone()));
    roots
}

/// A root as a person names it.
fn shown(root: &StorePath) -> String {
    if root.as_str().is_empty() {
        ".".to_owned()
    } else {
        root.as_str().to_owned()
    }
}

/// Whose store it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    RocketMq,
    Kafka,
}

/// The one whose release was asked for; else by the files.
fn family(store: &Store, asked: &Asked) -> Family {
    match asked.release.as_deref() {
        Some(release) if release.starts_with("kafka-") => Family::Kafka,
        Some(release) if release.starts_with("rocketmq-") => Family::RocketMq,
        _ if kafka::inspect::looks_like(store, &StorePath::new("")) => Family::Kafka,
        _ => Family::RocketMq,
    }
}

/// What was asked for cannot be: which word, and what it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadRequest {
    Release {
        asked: String,
    },
    Setting {
        key: String,
        value: String,
        takes: &'static str,
    },
    Store {
        asked: String,
        stores: Vec<String>,
    },
}

impl From<kafka::options::BadSetting> for BadRequest {
    fn from(bad: kafka::options::BadSetting) -> Self {
        Self::Setting {
            key: bad.key,
            value: bad.value,
            takes: bad.takes,
        }
    }
}

impl From<rocketmq::options::BadSetting> for BadRequest {
    fn from(bad: rocketmq::options::BadSetting) -> Self {
        Self::Setting {
            key: bad.key,
            value: bad.value,
            takes: bad.takes,
        }
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Release { asked } => write!(f, "no rules are known for the release {asked}"),
            Self::Setting { key, value, takes } => {
                write!(f, "the setting {key} takes {takes}, and got {value}")
            }
            Self::Store { asked, stores } => write!(
                f,
                "there is no store in {asked}; there are: {}",
                stores.join(", ")
            ),
        }
    }
}

/// The releases of a family (as an outcome names it) whose rules are known, as they are asked for, oldest first; and the one that is
/// assumed where nobody says and no file tells.
pub fn releases(family: &str) -> (Vec<String>, String) {
    let named = |number: &str| asked_as(family, number);
    if family == kafka::FAMILY {
        let all = kafka::release::Known::PROVED.iter();
        let assumed = kafka::release::Release::assumed().asked;
        return (
            all.map(|known| named(known.name())).collect(),
            named(&assumed),
        );
    }
    let all = rocketmq::release::Known::PROVED.iter();
    let assumed = rocketmq::release::Release::assumed().asked;
    (
        all.map(|known| named(known.name())).collect(),
        named(&assumed),
    )
}

/// `rocketmq-4.9.3`: how a release is asked for.
pub fn asked_as(family: &str, number: &str) -> String {
    format!("{}-{number}", family.to_lowercase())
}

/// Runs the broker's start over a store.
pub fn recover(
    store: &Store,
    asked: &Asked,
    with_state: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Recovered, BadRequest> {
    match family(store, asked) {
        Family::RocketMq => {
            let (release, signs) = release_of(store, asked, rocketmq::narrow::narrow)?;
            let mut recovered = rocketmq::recover(store, asked, release, with_state, progress)?;
            recovered.outcome.findings.splice(0..0, signs);
            Ok(recovered)
        }
        Family::Kafka => {
            let (release, signs) = release_of(store, asked, kafka::narrow::narrow)?;
            let mut recovered = kafka::recover(store, asked, release, with_state, progress)?;
            recovered.outcome.findings.splice(0..0, signs);
            Ok(recovered)
        }
    }
}

/// Every message or batch of a store, one JSON object a line, in the form of the real brokers' dumps.
pub fn dump(
    store: &Store,
    asked: &Asked,
    line: impl FnMut(serde_json::Value),
) -> Result<(), ReadError> {
    match family(store, asked) {
        Family::RocketMq => rocketmq::messages::dump(store, line),
        Family::Kafka => kafka::inspect::dump(store, asked, line),
    }
}

/// Every message or batch that can be read: the name of its log, its offset there, its bytes.
pub fn log_entries(
    store: &Store,
    asked: &Asked,
    visit: &mut dyn FnMut(&str, i64, &[u8]),
) -> Result<(), ReadError> {
    match family(store, asked) {
        Family::RocketMq => rocketmq::messages::each(store, &mut |offset, bytes| {
            visit("commitlog", offset, bytes)
        }),
        Family::Kafka => kafka::inspect::each_batch(store, asked, visit),
    }
}

/// The releases that the files allow, oldest first, those with the same rules together. Nothing where somebody said which one it is.
pub fn candidates(store: &Store, asked: &Asked) -> Vec<Vec<&'static str>> {
    if asked.release.is_some() {
        return Vec::new();
    }
    let courses = match family(store, asked) {
        // Where the files cannot be read the recovery will say so.
        Family::RocketMq => rocketmq::narrow::narrow(store).map(|narrowed| narrowed.courses()),
        Family::Kafka => kafka::narrow::narrow(store).map(|narrowed| narrowed.courses()),
    };
    courses.unwrap_or_default()
}

/// Reads a whole store, and tells what is wrong with it, whether a start looks at it or not. A start is run first: it says which
/// finding it hangs on.
pub fn check(
    store: &Store,
    asked: &Asked,
    progress: &mut dyn FnMut(Progress),
) -> Result<Checked, BadRequest> {
    let recovered = recover(store, asked, false, progress)?;
    check_with(store, asked, &recovered.outcome, progress)
}

/// The same where a start has run already.
pub fn check_with(
    store: &Store,
    asked: &Asked,
    outcome: &Outcome,
    progress: &mut dyn FnMut(Progress),
) -> Result<Checked, BadRequest> {
    match family(store, asked) {
        Family::RocketMq => Ok(rocketmq::validate::validate(
            store, asked, outcome, progress,
        )?),
        Family::Kafka => Ok(kafka::audit::audit(store, outcome, progress)),
    }
}

/// Runs the start once more for the moments of one of its runs of messages, about `most` of them.
pub fn moments(
    store: &Store,
    asked: &Asked,
    stretch: Stretch,
    most: u32,
    progress: &mut dyn FnMut(Progress),
) -> Result<Moments, BadRequest> {
    let (release, _) = release_of(store, asked, rocketmq::narrow::narrow)?;
    Ok(rocketmq::moments(
        store, asked, &release, stretch, most, progress,
    )?)
}

/// The release that was asked for, or the one that the files show, with the signs of it.
fn release_of<K: release::Known>(
    store: &Store,
    asked: &Asked,
    narrow: fn(&Store) -> Result<Narrowed<K>, ReadError>,
) -> Result<(Release<K>, Vec<Finding>), BadRequest> {
    match &asked.release {
        Some(release) => Release::parse(release)
            .map(|release| (release, Vec::new()))
            .map_err(|bad| BadRequest::Release { asked: bad.asked }),
        // Where the files cannot be read the recovery will say so.
        None => Ok(narrow(store).map_or_else(
            |_| (Release::assumed(), Vec::new()),
            |narrowed| (narrowed.release, narrowed.findings),
        )),
    }
}

/// The fields of the record at a place.
pub fn fields(store: &Store, place: &Place, asked: &Asked) -> Result<FieldTree, ReadError> {
    match family(store, asked) {
        Family::RocketMq => {
            let options = rocketmq::inspect::options_of(store, asked);
            rocketmq::inspect::fields(store, place, &options)
        }
        Family::Kafka => kafka::inspect::fields(store, place),
    }
}

/// The records of the log around an offset, so many bytes to both sides.
pub fn records(
    store: &Store,
    outcome: &Outcome,
    around: i64,
    bytes: u64,
) -> Result<Vec<Record>, ReadError> {
    match outcome.broker.family.as_str() {
        "Kafka" => kafka::inspect::records(store, outcome, around, bytes),
        _ => rocketmq::inspect::records(store, outcome, around, bytes),
    }
}

/// Whether the doors below know how to list this broker's messages, queues and index.
pub fn has_lists(outcome: &Outcome) -> bool {
    outcome.broker.family == "RocketMQ"
}

/// Reads the log from a place on and hands out the rows that a filter lets through: where each stands, how much of the log was read
/// before it, and the row. Stops after about `budget` bytes, or when `hit` has enough.
pub fn search(
    store: &Store,
    known: &Known,
    filter: &Filter,
    from: At,
    budget: u64,
    hit: &mut dyn FnMut(At, u64, &MessageRow) -> bool,
) -> Result<ReadTo, ReadError> {
    rocketmq::messages::search(store, known, filter, from, budget, hit)
}

/// The message at a place, with its properties and its body.
pub fn open_message(store: &Store, place: &Place, asked: &Asked) -> Result<OpenMessage, ReadError> {
    let options = rocketmq::inspect::options_of(store, asked);
    rocketmq::messages::open(store, place, &options)
}

/// A queue or an index file as a list.
pub fn list(
    store: &Store,
    known: &Known,
    asked: &Asked,
    kind: LaneKind,
    name: &str,
    image: Image,
) -> Result<List, ReadError> {
    let options = rocketmq::inspect::options_of(store, asked);
    rocketmq::entries::list(store, known, &options, kind, name, image)
}

/// The list that a file belongs to.
pub fn list_of(store: &Store, path: &StorePath) -> Option<(LaneKind, String)> {
    rocketmq::entries::list_of(store, path)
}

/// The entries of a list, or of a part of one, each held to its message.
pub fn entries(
    store: &Store,
    known: &Known,
    asked: &Asked,
    list: &List,
) -> Result<Vec<EntryRow>, ReadError> {
    let options = rocketmq::inspect::options_of(store, asked);
    rocketmq::entries::rows(store, known, &options, list)
}

/// The first entry of a list that is wrong, by its row.
pub fn first_wrong(
    store: &Store,
    known: &Known,
    asked: &Asked,
    list: &List,
) -> Result<Option<u64>, ReadError> {
    let options = rocketmq::inspect::options_of(store, asked);
    let mut found = None;
    rocketmq::entries::each(store, known, &options, list, |row, entry| {
        if entry.wrong.is_some() {
            found = Some(row);
        }
        found.is_none()
    })?;
    Ok(found)
}

/// A key looked up as the broker does it.
pub fn look_up(
    store: &Store,
    known: &Known,
    asked: &Asked,
    key: &KeyAsked,
    image: Image,
) -> Result<LookUp, ReadError> {
    let options = rocketmq::inspect::options_of(store, asked);
    rocketmq::look_up::look_up(store, known, &options, key, image)
}

/// A queue read as a consumer reads it.
pub fn pull(
    store: &Store,
    known: &Known,
    asked: &Asked,
    pull: &PullAsked,
    image: Image,
) -> Result<Pull, ReadError> {
    let options = rocketmq::inspect::options_of(store, asked);
    rocketmq::look_up::pull(store, known, &options, pull, image)
}

/// A row of a broker's decision table.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rocketmq::rules::ALL
        .iter()
        .chain(kafka::rules::ALL)
        .copied()
        .find(|rule| rule.id == id)
}
