//! A .zip, .tar, .tar.gz or .tar.zst as a [`Store`]: opened read-only, unpacked nowhere.
//!
//! | format | how its files are read |
//! |---|---|
//! | .tar, stored .zip entries | where they lie in the archive ([`part`]) |
//! | deflated .zip entries, .tar.gz | unpacked piece by piece when asked, from the nearest remembered point ([`inflate`]) |
//! | .tar.zst | unpacked once and held without its zeros ([`zstd`]), for its decoder cannot be remembered |
//!
//! An archive is a stranger's: what it claims is bounded by [`Limits`], a name that leads out of it is left out, links are not
//! followed. Damage is told, and what comes before it is shown.
//!
//! Not here: archives inside archives, other compressions, writing.

mod inflate;
mod part;
mod sequential;
mod tar;
mod zip;
mod zstd;

use super::{ReadAt, ReadError, Store, StorePath};
use crate::decode::num::{u64_of, usize_of};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an archive may ask of its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Files and folders.
    pub entries: u64,
    /// Bytes that compressed data may grow to, all files together.
    pub unpacked: u64,
    /// Bytes kept in memory, where a format cannot be read otherwise.
    pub held: u64,
}

impl Default for Limits {
    /// Ten thousand queues have less than a hundred thousand files. A remembered point costs 2 % of the data behind it. A page shares
    /// its machine with others.
    fn default() -> Self {
        Self {
            entries: 200_000,
            unpacked: 16 << 30,
            held: if cfg!(target_arch = "wasm32") {
                512 << 20
            } else {
                1 << 30
            },
        }
    }
}

/// What kind of archive a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Zip,
    Tar,
    TarGz,
    TarZst,
}

/// The endings that people give to archives.
const ENDINGS: [(&str, Kind); 7] = [
    (".zip", Kind::Zip),
    (".tar", Kind::Tar),
    (".tar.gz", Kind::TarGz),
    (".tgz", Kind::TarGz),
    (".tar.zst", Kind::TarZst),
    (".tar.zstd", Kind::TarZst),
    (".tzst", Kind::TarZst),
];

impl Kind {
    /// What a name promises, and the name without the promise.
    pub fn by_name(name: &str) -> Option<(Self, &str)> {
        ENDINGS.iter().find_map(|(ending, kind)| {
            let at = name.len().checked_sub(ending.len())?;
            let (stem, tail) = name.split_at_checked(at)?;
            (tail.eq_ignore_ascii_case(ending) && !stem.is_empty()).then_some((*kind, stem))
        })
    }

    /// What the first bytes are. A compressed file that holds no tar is found out later.
    pub fn by_content(file: &dyn ReadAt) -> Result<Option<Self>, ReadError> {
        let mut head = vec![0; usize_of(file.size()).min(512)];
        file.read_exact_at(0, &mut head)?;
        Ok(match head.as_slice() {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            [0x1f, 0x8b, ..] => Some(Self::TarGz),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::TarZst),
            head if tar::is_header(head) => Some(Self::Tar),
            _ => None,
        })
    }
}

/// Why an entry is not among the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// Its name leads out of the archive (`../x`, `/x`) or is empty.
    Name,
    /// An earlier entry has the name: the last one counts, as it does when the archive is unpacked.
    Earlier,
    /// A symbolic or hard link.
    Link,
    /// A device, a pipe.
    Special,
    Encrypted,
    /// Compressed in a way that is not read here.
    Method,
    /// The archive ends before it does.
    Cut,
}

impl LeftOut {
    /// The word for it in a finding's id.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Earlier => "earlier",
            Self::Link => "link",
            Self::Special => "special",
            Self::Encrypted => "encrypted",
            Self::Method => "method",
            Self::Cut => "cut",
        }
    }
}

/// How many entries were left out for one reason, and the first one's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub count: u64,
    pub first: String,
}

/// An archive's files, and what a person should know about them.
pub struct Unpacked {
    pub store: Store,
    pub left_out: BTreeMap<LeftOut, Left>,
    /// Where reading it ended too soon, and why. The files are those that came before.
    pub damage: Option<Damage>,
}

/// Where an archive stops making sense: a byte of the archive file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub offset: u64,
    pub why: String,
}

/// Why an archive is not opened at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Its content is none of the kinds.
    NoArchive,
    TooManyEntries {
        limit: u64,
    },
    TooLarge {
        limit: u64,
    },
    TooMuchToHold {
        limit: u64,
    },
    Damaged(Damage),
    Unreadable(ReadError),
}

impl From<ReadError> for Refused {
    fn from(error: ReadError) -> Self {
        Self::Unreadable(error)
    }
}

/// Lists an archive's files. `tell` hears how many of its bytes were read, where all of them have to be.
pub fn open(
    name: &str,
    file: Rc<dyn ReadAt>,
    limits: Limits,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Unpacked, Refused> {
    let kind = Kind::by_content(&*file)?.ok_or(Refused::NoArchive)?;
    let mut listing = Listing::new(name, limits);
    let damage = match kind {
        Kind::Zip => zip::list(file, &mut listing)?,
        Kind::Tar => tar::list(file, &mut listing)?,
        Kind::TarGz => {
            let (plain, damage) = inflate::gunzip(file, limits, tell)?;
            tar_inside(Rc::new(plain), damage, &mut listing)?
        }
        Kind::TarZst => {
            let (plain, damage) = zstd::decode(file, limits, tell)?;
            tar_inside(Rc::new(plain), damage, &mut listing)?
        }
    };
    Ok(listing.finish(damage))
}

/// Lists a tar that was compressed. Where the compressed data ends too soon, so does the tar, and the first is the cause.
fn tar_inside(
    plain: Rc<dyn ReadAt>,
    damage: Option<Damage>,
    listing: &mut Listing,
) -> Result<Option<Damage>, Refused> {
    let mut head = vec![0; usize_of(plain.size()).min(512)];
    plain.read_exact_at(0, &mut head)?;
    if !tar::is_header(&head) {
        return Err(damage.map_or(Refused::NoArchive, Refused::Damaged));
    }
    let in_tar = tar::list(plain, listing)?;
    Ok(damage.or(in_tar))
}

/// Collects an archive's files under clean names.
struct Listing {
    store: Store,
    limits: Limits,
    entries: u64,
    unpacked: u64,
    left_out: BTreeMap<LeftOut, Left>,
}

impl Listing {
    fn new(name: &str, limits: Limits) -> Self {
        Self {
            store: Store::new(name),
            limits,
            entries: 0,
            unpacked: 0,
            left_out: BTreeMap::new(),
        }
    }

    /// One more entry, whatever becomes of it.
    fn count(&mut self) -> Result<(), Refused> {
        self.entries = self.entries.saturating_add(1);
        if self.entries > self.limits.entries {
            return Err(Refused::TooManyEntries {
                limit: self.limits.entries,
            });
        }
        Ok(())
    }

    /// Compressed data claims to be this long.
    fn will_unpack(&mut self, bytes: u64) -> Result<(), Refused> {
        self.unpacked = self.unpacked.saturating_add(bytes);
        if self.unpacked > self.limits.unpacked {
            return Err(Refused::TooLarge {
                limit: self.limits.unpacked,
            });
        }
        Ok(())
    }

    fn leave_out(&mut self, why: LeftOut, name: &str) {
        let left = self.left_out.entry(why).or_insert_with(|| Left {
            count: 0,
            first: shown(name),
        });
        left.count = left.count.saturating_add(1);
    }

    /// The path of an entry, or nothing where its name leads out or the archiver's host made it up.
    fn path(&mut self, name: &str) -> Option<StorePath> {
        let clean = clean(name);
        if clean.is_none() {
            self.leave_out(LeftOut::Name, name);
        }
        clean.filter(|path| !is_of_macos(path))
    }

    fn insert_dir(&mut self, path: StorePath) {
        if !self.is_below_a_file(&path) && self.store.get(&path).is_none() {
            self.store.insert_dir(path);
        }
    }

    fn insert(&mut self, path: StorePath, file: Rc<dyn ReadAt>) {
        if self.store.get(&path).is_some() {
            self.leave_out(LeftOut::Earlier, path.as_str());
        } else if self.store.is_dir(&path) || self.is_below_a_file(&path) {
            self.leave_out(LeftOut::Name, path.as_str());
            return;
        }
        self.store.insert(path, file);
    }

    fn is_below_a_file(&self, path: &StorePath) -> bool {
        let mut folder = path.parent();
        while !folder.as_str().is_empty() {
            if self.store.get(&folder).is_some() {
                return true;
            }
            folder = folder.parent();
        }
        false
    }

    fn finish(self, damage: Option<Damage>) -> Unpacked {
        Unpacked {
            store: self.store,
            left_out: self.left_out,
            damage,
        }
    }
}

/// A relative path that stays inside; the root itself (`./`) is the empty one.
fn clean(name: &str) -> Option<StorePath> {
    let drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    let leads_out = name.starts_with('/') || drive || name.split('/').any(|part| part == "..");
    (!leads_out && !name.is_empty() && !name.contains('\0')).then(|| StorePath::new(name))
}

/// Files that macOS' archivers add beside each file, for attributes that are no part of a store.
fn is_of_macos(path: &StorePath) -> bool {
    path.as_str().starts_with("__MACOSX") || path.name().starts_with("._")
}

/// A name as long as a person reads it.
fn shown(name: &str) -> String {
    const LONGEST: usize = 80;
    if name.chars().count() <= LONGEST {
        name.to_owned()
    } else {
        name.chars().take(LONGEST).chain(['…']).collect()
    }
}

/// Fills `buf` from `offset` on out of pieces of one length: `fill` hears a piece's number, where in it to begin, and what to fill.
fn across<E>(
    offset: u64,
    buf: &mut [u8],
    piece: u64,
    mut fill: impl FnMut(usize, usize, &mut [u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut rest = buf;
    let mut at = offset;
    while !rest.is_empty() {
        let skip = at.checked_rem(piece).unwrap_or(0);
        let here = usize_of(piece.saturating_sub(skip)).min(rest.len());
        let (now, later) = std::mem::take(&mut rest).split_at_mut(here);
        let number = usize_of(at.checked_div(piece).unwrap_or(0));
        fill(number, usize_of(skip), now)?;
        rest = later;
        at = at.saturating_add(u64_of(here));
    }
    Ok(())
}

/// As much of a file as there is from `offset` on.
fn read_up_to(file: &dyn ReadAt, offset: u64, len: usize) -> Result<Vec<u8>, ReadError> {
    let left = usize_of(file.size().saturating_sub(offset));
    let mut bytes = vec![0; len.min(left)];
    file.read_exact_at(offset, &mut bytes)?;
    Ok(bytes)
}

/// Whether so many bytes from `start` on are in a file.
fn is_inside(file: &dyn ReadAt, start: u64, len: u64) -> bool {
    start.checked_add(len).is_some_and(|end| end <= file.size())
}

fn out_of_file(offset: u64, len: usize, size: u64) -> ReadError {
    ReadError {
        file: String::new(),
        offset,
        len: u64_of(len),
        why: format!("the file ends at {size}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_are_none() {
        for name in [
            "/etc/passwd",
            "../x",
            "a/../../x",
            "C:/x",
            "",
            "a\0b",
            "a/..",
        ] {
            assert_eq!(clean(name), None, "{name:?}");
        }
        assert_eq!(clean("./commitlog/0"), Some(StorePath::new("commitlog/0")));
        assert_eq!(clean("./"), Some(StorePath::new("")));
        assert_eq!(clean("a..b/..c"), Some(StorePath::new("a..b/..c")));
    }

    #[test]
    fn a_kind_is_known_by_name_in_any_case() {
        assert_eq!(Kind::by_name("crash.TAR.GZ"), Some((Kind::TarGz, "crash")));
        assert_eq!(Kind::by_name("store.zip"), Some((Kind::Zip, "store")));
        assert_eq!(Kind::by_name(".zip"), None);
        assert_eq!(Kind::by_name("broker.log.gz"), None);
    }
}
