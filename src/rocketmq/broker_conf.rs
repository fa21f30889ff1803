//! `broker.conf`, as the broker reads it (`Properties#load`): the settings that somebody gave it. Dropped along with a store, it says
//! what the files cannot.
//!
//! A line is a key, `=`, `:` or a space, and a value; `#` and `!` begin comments; a `\` at its end goes on in the next line; `\t`, `\n`,
//! `\u00e9` and the like stand for characters. Bytes are ISO-8859-1. Of a key that comes twice the last one holds.

use super::options::{FORMS, NOT_FOLLOWED, SETTINGS};
use crate::store::{ReadAt, Store, StorePath};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a file of settings says of the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokerConf {
    pub file: StorePath,
    /// Those that decide something here, by the broker's names.
    pub settings: BTreeMap<String, String>,
}

/// A broker's settings are short.
const LARGEST: u64 = 1 << 20;

/// Keys of which one at least stands in every broker's file: it tells such a file from any other.
const USUAL: [&str; 5] = [
    "brokerName",
    "brokerClusterName",
    "brokerRole",
    "storePathRootDir",
    "flushDiskType",
];

/// The file of settings among dropped files: at their top, or where the broker's package keeps it. A file that cannot be read is none.
pub fn find(dropped: &Store) -> Option<BrokerConf> {
    let at_top = dropped
        .files()
        .filter(|(path, _)| path.parent().as_str().is_empty() && has_conf_name(path.name()));
    let packaged = StorePath::new("conf/broker.conf");
    let packaged = dropped.get(&packaged).map(|file| (packaged.clone(), file));
    at_top
        .map(|(path, file)| (path.clone(), file))
        .chain(packaged)
        .find_map(|(path, file)| BrokerConf::read(path, &**file))
}

fn has_conf_name(name: &str) -> bool {
    name.ends_with(".conf") || name.ends_with(".properties")
}

impl BrokerConf {
    /// None where it is no broker's file of settings, or cannot be read.
    pub fn read(file: StorePath, bytes: &dyn ReadAt) -> Option<BrokerConf> {
        if bytes.size() > LARGEST {
            return None;
        }
        let mut text = vec![0; crate::decode::num::usize_of(bytes.size())];
        bytes.read_exact_at(0, &mut text).ok()?;
        let all = properties(&text);
        let is_known = |key: &str| {
            SETTINGS.contains(&key) || FORMS.contains(&key) || NOT_FOLLOWED.contains(&key)
        };
        let is_brokers = all
            .keys()
            .any(|key| is_known(key) || USUAL.contains(&key.as_str()));
        let settings = all
            .into_iter()
            .filter(|(key, value)| is_known(key) && decides(key, value))
            .collect();
        is_brokers.then_some(BrokerConf { file, settings })
    }
}

/// What is not followed limits a verdict only where it is on.
fn decides(key: &str, value: &str) -> bool {
    !NOT_FOLLOWED.contains(&key) || value.trim() == "true"
}

/// `java.util.Properties#load`.
pub fn properties(bytes: &[u8]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let mut lines = text.split(['\n', '\r']);
    while let Some(line) = lines.next() {
        let mut line = line.trim_start_matches(BLANKS).to_owned();
        if line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        while goes_on(&line) {
            line.pop();
            let Some(next) = lines.next() else { break };
            line.push_str(next.trim_start_matches(BLANKS));
        }
        let (key, value) = split(&line);
        found.insert(unescaped(key), unescaped(value));
    }
    found
}

const BLANKS: [char; 3] = [' ', '\t', '\u{c}'];

/// An odd number of backslashes at the end.
fn goes_on(line: &str) -> bool {
    let backslashes = line.chars().rev().take_while(|letter| *letter == '\\');
    backslashes.count() & 1 == 1
}

/// At the first `=`, `:` or blank that no backslash stands before; blanks around it go.
fn split(line: &str) -> (&str, &str) {
    let mut escaped = false;
    let end = line.find(|letter: char| {
        let is_end = !escaped && (BLANKS.contains(&letter) || matches!(letter, '=' | ':'));
        escaped = letter == '\\' && !escaped;
        is_end
    });
    let (key, rest) = line.split_at(end.unwrap_or(line.len()));
    let rest = rest.trim_start_matches(BLANKS);
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest);
    (key, rest.trim_start_matches(BLANKS))
}

fn unescaped(text: &str) -> String {
    let mut found = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            found.push(letter);
            continue;
        }
        match letters.next() {
            Some('t') => found.push('\t'),
            Some('n') => found.push('\n'),
            Some('r') => found.push('\r'),
            Some('f') => found.push('\u{c}'),
            Some('u') => {
                let digits: String = letters.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                found.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
            }
            Some(other) => found.push(other),
            None => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    fn store(files: &[(&str, &str)]) -> Store {
        let mut store = Store::new("dropped");
        for (path, text) in files {
            store.insert(StorePath::new(path), Rc::new(text.as_bytes().to_vec()));
        }
        store
    }

    #[test]
    fn properties_are_read_as_java_reads_them() {
        let text = b"# a comment\n! another\r\n\n  spaced  =  two words \nplain:1\nbare\nwith blank\n\
            long = a\\\n   b\\\n   c\nesc\\=key = \\u00e9\\t\\\\\ncomment.after = x # kept\ntwice = 1\ntwice = 2\nlatin = \xe9\nend = \\";
        let found = properties(text);
        let of = |key: &str| found.get(key).map(String::as_str);
        assert_eq!(of("spaced"), Some("two words "));
        assert_eq!(of("plain"), Some("1"));
        assert_eq!(of("bare"), Some(""));
        assert_eq!(of("with"), Some("blank"));
        assert_eq!(of("long"), Some("abc"));
        assert_eq!(of("esc=key"), Some("\u{e9}\t\\"));
        assert_eq!(of("comment.after"), Some("x # kept"));
        assert_eq!(of("twice"), Some("2"));
        assert_eq!(of("latin"), Some("\u{e9}"));
        assert_eq!(of("end"), Some(""));
        assert_eq!(found.len(), 10);
    }

    #[test]
    fn what_decides_is_taken_and_the_rest_is_not_our_business() {
        let conf = "brokerName=broker-a\nmappedFileSizeCommitLog=16384\nenableLmq=false\ncheckCRCOnRecover=false\n\
                    enableDLegerCommitLog=true\nflushDiskType=ASYNC_FLUSH\n";
        let found = find(&store(&[("store/abort", ""), ("broker.conf", conf)])).unwrap();
        assert_eq!(found.file.as_str(), "broker.conf");
        let keys: Vec<&str> = found.settings.keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            [
                "checkCRCOnRecover",
                "enableDLegerCommitLog",
                "mappedFileSizeCommitLog"
            ]
        );
    }

    #[test]
    fn only_a_brokers_file_is_taken_and_one_beside_the_store_before_a_packaged_one() {
        let of =
            |files: &[(&str, &str)]| find(&store(files)).map(|conf| conf.file.as_str().to_owned());
        assert_eq!(of(&[("nginx.conf", "user www;")]), None);
        assert_eq!(
            of(&[("a/b/broker.conf", "brokerName=a")]),
            None,
            "somebody else's"
        );
        let both = [
            ("conf/broker.conf", "brokerName=a"),
            ("my.properties", "brokerName=b"),
        ];
        assert_eq!(of(&both).as_deref(), Some("my.properties"));
        assert_eq!(of(&both[..1]).as_deref(), Some("conf/broker.conf"));
    }
}
