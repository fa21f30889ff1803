//! A store in an archive is the same store: one outcome for a folder and for each kind of archive of it. And an archive is a
//! stranger's: names that lead out, links, claims and cuts do nothing but make a sentence.

mod support;

use rawzip::{CompressionMethod, ZipArchiveWriter, path::EntryPath};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::rc::Rc;
use storescope::brokers::{self, Asked, BadRequest, Opened};
use storescope::language::Language;
use storescope::store::archive::{self, LeftOut, Limits, Refused};
use storescope::store::{ReadAt, ReadError, Store, StorePath};
use support::case::Unpacked;
use support::{asked, case, store_of};

/// One entry of an archive in the making.
type Entry<'e> = (&'e str, Option<&'e [u8]>);

fn tar_of(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, body) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o644);
        header.set_entry_type(match body {
            Some(_) => tar::EntryType::Regular,
            None => tar::EntryType::Directory,
        });
        let body = body.unwrap_or_default();
        header.set_size(body.len() as u64);
        if name.starts_with('/') || name.contains("..") {
            // What no honest archiver writes.
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            tar.append(&header, body).unwrap();
        } else {
            tar.append_data(&mut header, name, body).unwrap();
        }
    }
    tar.into_inner().unwrap()
}

fn zip_of(entries: &[Entry<'_>], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipArchiveWriter::new(Vec::new());
    for (name, body) in entries {
        let Some(body) = body else {
            zip.new_dir(format!("{name}/").as_str()).create().unwrap();
            continue;
        };
        let (mut entry, config) = zip
            .new_file(EntryPath::verbatim(name.as_bytes()))
            .compression_method(method)
            .start()
            .unwrap();
        let descriptor = if method == CompressionMethod::DEFLATE {
            let level = flate2::Compression::fast();
            let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, level));
            writer.write_all(body).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(body).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }
    zip.finish().unwrap()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut gz = flate2::GzBuilder::new()
        .filename("store.tar")
        .write(Vec::new(), flate2::Compression::fast());
    gz.write_all(bytes).unwrap();
    gz.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A store's folders and files below `folder/`, as an archiver walks them.
fn entries_of<'u>(store: &'u Unpacked, names: &'u mut Vec<String>, folder: &str) -> Vec<Entry<'u>> {
    names.extend(store.dirs.iter().map(|dir| format!("{folder}{dir}")));
    names.extend(store.files.keys().map(|path| format!("{folder}{path}")));
    let bodies = store.files.values().map(|body| Some(body.as_slice()));
    let bodies = store.dirs.iter().map(|_| None).chain(bodies);
    names.iter().map(String::as_str).zip(bodies).collect()
}

fn dropped(files: &[(&str, Vec<u8>)]) -> Store {
    let mut store = Store::new("dropped");
    for (path, bytes) in files {
        store.insert(StorePath::new(path), Rc::new(bytes.clone()));
    }
    store
}

fn outcome_of(opened: &Opened, asked: &Asked) -> String {
    brokers::recover(&opened.store, asked, true, &mut |_| {})
        .unwrap()
        .outcome
        .to_json()
}

fn content(store: &Store) -> Vec<(String, Vec<u8>)> {
    store
        .files()
        .map(|(path, file)| {
            let mut bytes = vec![0; file.size() as usize];
            file.read_exact_at(0, &mut bytes).unwrap();
            (path.to_string(), bytes)
        })
        .collect()
}

/// The sentences of an opened drop's findings, in English.
fn told(opened: &Opened) -> Vec<String> {
    opened
        .findings
        .iter()
        .map(|finding| {
            let words = Language::English.plain(&format!("finding.{}", finding.id), &finding.facts);
            assert!(!words.contains('{'), "a slot without a fact: {words}");
            format!("{} {words}", finding.id).replace(['\u{202f}', '\u{a0}'], " ")
        })
        .collect()
}

#[test]
fn every_way_in_gives_the_same_outcome() {
    for name in [
        "crash-torn-tail-body",
        "clean-queue-folder-empty",
        "crash-lag",
    ] {
        let case = case(name);
        let asked = asked(&case);
        let plain = case.store();
        let expected = outcome_of(&brokers::open(store_of(plain.clone())), &asked);
        for folder in ["", "./", "store/", "home/rocketmq/store/"] {
            let mut names = Vec::new();
            let entries = entries_of(&plain, &mut names, folder);
            let tar = tar_of(&entries);
            let archives = [
                ("store.zip", zip_of(&entries, CompressionMethod::STORE)),
                ("packed.zip", zip_of(&entries, CompressionMethod::DEFLATE)),
                ("store.tar.gz", gz(&tar)),
                ("store.tgz", gz(&tar)),
                ("store.tar.zst", zst(&tar)),
                ("store.tar", tar),
            ];
            for (file, bytes) in archives {
                let opened = brokers::open(dropped(&[(file, bytes)]));
                assert_eq!(told(&opened), [] as [&str; 0], "{name} {folder}{file}");
                assert!(
                    outcome_of(&opened, &asked) == expected,
                    "{name} in {file} below '{folder}'"
                );
            }
        }
    }
}

/// Bytes that neither repeat nor compress, with stretches of zeros, over several spans.
fn large() -> Vec<u8> {
    let mut state = 7u64;
    let mut bytes: Vec<u8> = (0..9_000_000)
        .map(|_| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 40) as u8
        })
        .collect();
    bytes[2_000_000..7_500_000].fill(0);
    bytes
}

#[test]
fn a_large_packed_file_is_read_anywhere_in_any_order() {
    let large = large();
    let entries = [
        ("a/small", Some(b"x".as_slice())),
        ("a/large", Some(&large)),
    ];
    let tar = tar_of(&entries);
    // As `cat a.gz b.gz` and pigz make it: several members.
    let (front, back) = tar.split_at(3_000_001);
    let members = [gz(front), gz(back)].concat();
    for bytes in [
        zip_of(&entries, CompressionMethod::DEFLATE),
        zip_of(&entries, CompressionMethod::STORE),
        gz(&tar),
        members,
        zst(&tar),
        tar,
    ] {
        let opened = archive::open("a", Rc::new(bytes), Limits::default(), &mut |_, _| {})
            .unwrap_or_else(|_| panic!());
        let file = opened.store.get(&StorePath::new("a/large")).unwrap();
        let mut state = 3usize;
        for _ in 0..60 {
            state = state.wrapping_mul(1103515245).wrapping_add(12345) % 9_000_000;
            let len = (state % 70_000).min(9_000_000 - state);
            let mut buf = vec![1; len];
            file.read_exact_at(state as u64, &mut buf).unwrap();
            assert!(buf == large[state..state + len], "{len} bytes at {state}");
        }
        let mut whole = vec![0; large.len()];
        file.read_exact_at(0, &mut whole).unwrap();
        assert!(whole == large);
        assert!(file.read_exact_at(8_999_999, &mut [0; 2]).is_err());
    }
}

#[test]
fn names_that_lead_out_links_and_doubles_do_nothing_but_are_told() {
    let mut tar = tar::Builder::new(Vec::new());
    for (kind, name, link) in [
        (tar::EntryType::Symlink, "commitlog/link", "/etc/passwd"),
        (tar::EntryType::Link, "commitlog/hard", "../x"),
        (tar::EntryType::Fifo, "pipe", ""),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        if link.is_empty() {
            tar.append_data(&mut header, name, [].as_slice()).unwrap();
        } else {
            tar.append_link(&mut header, name, link).unwrap();
        }
    }
    let links = tar.into_inner().unwrap();
    let hostile = tar_of(&[
        ("/etc/shadow", Some(b"abs")),
        ("../../out", Some(b"up")),
        ("commitlog/0", Some(b"first")),
        ("commitlog/0", Some(b"second")),
        ("commitlog/0/below-a-file", Some(b"x")),
        ("commitlog", Some(b"a file where a folder is")),
        ("._commitlog", Some(b"of macOS")),
    ]);
    // Without the end of the first: two archives in one.
    let bytes = [&links[..links.len() - 1024], &hostile].concat();
    let opened = brokers::open(dropped(&[("x.tar", bytes)]));
    let expected = [("commitlog/0".to_owned(), b"second".to_vec())];
    assert_eq!(content(&opened.store), expected);
    let lines = told(&opened);
    for (id, words) in [
        ("archive-left-name", "4 entries"),
        ("archive-left-earlier", "1 file more than once"),
        ("archive-left-link", "2 entries of `x.tar` are links"),
        ("archive-left-special", "1 entry"),
    ] {
        let words = words.replace('`', "");
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with(id) && line.contains(&words)),
            "{id} {words}: {lines:?}"
        );
    }

    let zip = zip_of(
        &[
            ("../up", Some(b"x")),
            ("C:\\abs", Some(b"x")),
            ("store\\commitlog\\0", Some(b"of Windows")),
            ("__MACOSX/store/._commitlog", Some(b"of macOS")),
        ],
        CompressionMethod::STORE,
    );
    let opened = brokers::open(dropped(&[("x.zip", zip)]));
    assert_eq!(
        content(&opened.store),
        [("commitlog/0".to_owned(), b"of Windows".to_vec())]
    );
    assert!(
        told(&opened)[0].contains("2 entries"),
        "{:?}",
        told(&opened)
    );
}

#[test]
fn what_asks_for_too_much_is_refused_before_it_is_unpacked() {
    let limits = Limits {
        entries: 3,
        unpacked: 1 << 20,
        held: 100_000,
    };
    let open = |bytes: Vec<u8>| {
        archive::open("a", Rc::new(bytes), limits, &mut |_, _| {})
            .map(|unpacked| unpacked.store.len())
    };
    let many = [
        ("1", Some(b"".as_slice())),
        ("2", Some(b"")),
        ("3", Some(b"")),
        ("4", Some(b"")),
    ];
    for bytes in [
        tar_of(&many),
        zip_of(&many, CompressionMethod::STORE),
        gz(&tar_of(&many)),
    ] {
        assert_eq!(open(bytes), Err(Refused::TooManyEntries { limit: 3 }));
    }
    let zeros = vec![0; 2 << 20];
    let bomb = [("bomb", Some(zeros.as_slice()))];
    for bytes in [
        zip_of(&bomb, CompressionMethod::DEFLATE),
        gz(&tar_of(&bomb)),
        zst(&tar_of(&bomb)),
    ] {
        assert!(bytes.len() < 100_000);
        assert_eq!(open(bytes), Err(Refused::TooLarge { limit: 1 << 20 }));
    }
    // What lies there as it is costs nothing, however long.
    assert_eq!(open(tar_of(&bomb)), Ok(1));
    assert_eq!(open(zip_of(&bomb, CompressionMethod::STORE)), Ok(1));
    let noise = &large()[..500_000];
    assert_eq!(
        open(zst(&tar_of(&[("noise", Some(noise))]))),
        Err(Refused::TooMuchToHold { limit: 100_000 })
    );
}

#[test]
fn a_cut_archive_shows_what_came_before_the_cut() {
    let noise = large()[..400_000].to_vec();
    let entries = [
        ("commitlog/0", Some(b"whole".as_slice())),
        ("commitlog/1", Some(&noise)),
        ("commitlog/2", Some(b"behind")),
    ];
    let tar = tar_of(&entries);
    for (name, bytes) in [("a.tar.gz", gz(&tar)), ("a.tar", tar.clone())] {
        let cut = bytes[..bytes.len() / 2].to_vec();
        let opened = brokers::open(dropped(&[(name, cut)]));
        let expected = [("commitlog/0".to_owned(), b"whole".to_vec())];
        assert!(content(&opened.store) == expected, "{name}");
        let lines = told(&opened);
        for id in ["archive-cut", "archive-left-cut"] {
            assert!(
                lines.iter().any(|line| line.starts_with(id)),
                "{name}: {lines:?}"
            );
        }
    }
    // What a zstd frame's window holds is not given out before the frame goes on: a short one that is cut is lost.
    let cut = zst(&tar)[..200_000].to_vec();
    let opened = brokers::open(dropped(&[("a.tar.zst", cut)]));
    assert!(
        told(&opened)[0].starts_with("archive-damaged"),
        "{:?}",
        told(&opened)
    );
    // A zip's directory stands at its end: without it nothing is known.
    let zip = zip_of(&entries, CompressionMethod::DEFLATE);
    let opened = brokers::open(dropped(&[("a.zip", zip[..zip.len() / 2].to_vec())]));
    assert!(
        told(&opened)[0].starts_with("archive-damaged"),
        "{:?}",
        told(&opened)
    );
}

#[test]
fn a_flipped_byte_in_packed_data_is_an_error_with_its_place() {
    let noise = large()[..400_000].to_vec();
    let mut zip = zip_of(&[("commitlog/1", Some(&noise))], CompressionMethod::DEFLATE);
    let middle = zip.len() / 2;
    zip[middle] ^= 0x10;
    let opened = brokers::open(dropped(&[("a.zip", zip)]));
    let file = opened.store.get(&StorePath::new("commitlog/1")).unwrap();
    let error = file.read_exact_at(399_000, &mut [0; 1000]).unwrap_err();
    assert!(error.why.contains("the archive is damaged at"), "{error}");
}

#[test]
fn encrypted_and_foreign_methods_are_told() {
    let mut zip = zip_of(&[("commitlog/1", Some(b"x"))], CompressionMethod::STORE);
    let directory = zip
        .windows(4)
        .position(|four| four == b"PK\x01\x02")
        .unwrap();
    zip[directory + 8] |= 1;
    let opened = archive::open("a", Rc::new(zip.clone()), Limits::default(), &mut |_, _| {});
    let opened = opened.unwrap_or_else(|_| panic!());
    assert!(opened.left_out.contains_key(&LeftOut::Encrypted));
    zip[directory + 8] &= !1;
    zip[directory + 10] = 93;
    let opened = brokers::open(dropped(&[("a.zip", zip)]));
    assert!(
        told(&opened)[0].starts_with("archive-left-method"),
        "{:?}",
        told(&opened)
    );
}

/// `tar --sparse` stores only the pieces that were written: a log file of a gigabyte is small, and reads as a gigabyte.
#[test]
fn sparse_files_keep_their_length_and_their_zeros() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sparse");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("00000000000000000000");
    let mut file = File::create(&path).unwrap();
    file.set_len(1 << 30).unwrap();
    for piece in 0..9 {
        file.seek(SeekFrom::Start(piece * (100 << 20))).unwrap();
        file.write_all(&[piece as u8 + 1; 5000]).unwrap();
    }
    drop(file);
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_path_with_name(&path, "commitlog/00000000000000000000")
        .unwrap();
    let gnu = tar.into_inner().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert!(gnu.len() < 1 << 20, "this file system knows no holes");

    // PAX 1.0, as GNU tar and libarchive write it: the map before the data.
    let mut tar = tar::Builder::new(Vec::new());
    let extensions: [(&str, &[u8]); 4] = [
        ("GNU.sparse.major", b"1"),
        ("GNU.sparse.minor", b"0"),
        ("GNU.sparse.name", b"commitlog/00000000000000000000"),
        ("GNU.sparse.realsize", b"1073741824"),
    ];
    tar.append_pax_extensions(extensions).unwrap();
    let mut body = b"9\n".to_vec();
    for piece in 0..9 {
        body.extend(format!("{}\n5000\n", piece * (100 << 20)).bytes());
    }
    body.resize(512, 0);
    (0..9).for_each(|piece| body.extend([piece as u8 + 1; 5000]));
    let mut header = tar::Header::new_ustar();
    header.set_size(body.len() as u64);
    tar.append_data(&mut header, "GNUSparseFile.1/0", body.as_slice())
        .unwrap();
    let pax = tar.into_inner().unwrap();

    for bytes in [gz(&gnu), gz(&pax), gnu, pax] {
        let opened = brokers::open(dropped(&[("a.tar", bytes)]));
        assert_eq!(told(&opened), [] as [&str; 0]);
        let path = StorePath::new("commitlog/00000000000000000000");
        let file = opened.store.get(&path).unwrap();
        assert_eq!(file.size(), 1 << 30);
        let mut seam = vec![9; 10_000];
        file.read_exact_at((700 << 20) - 2500, &mut seam).unwrap();
        assert!(seam[..2500].iter().all(|byte| *byte == 0));
        assert!(seam[2500..7500].iter().all(|byte| *byte == 8));
        assert!(seam[7500..].iter().all(|byte| *byte == 0));
    }
}

#[test]
fn of_several_stores_one_is_chosen_and_another_can_be_asked_for() {
    let (a, b) = (case("crash-lag"), case("clean-shutdown"));
    let mut names = Vec::new();
    let inner = b.store();
    let zip = zip_of(
        &entries_of(&inner, &mut names, "data/store/"),
        CompressionMethod::DEFLATE,
    );
    let mut all = dropped(&[("broker-b.zip", zip)]);
    for (path, bytes) in a.store().files {
        all.insert(StorePath::new(&format!("broker-a/{path}")), Rc::new(bytes));
    }
    let opened = brokers::open(all.clone());
    assert_eq!(opened.stores, ["broker-a", "broker-b/data/store"]);
    assert!(told(&opened)[0].contains("broker-a"), "{:?}", told(&opened));

    let mut wanted = asked(&b);
    wanted.store = Some("broker-b/data/store/".to_owned());
    let opened =
        brokers::open_asked(all.clone(), &wanted, &mut |_| {}).unwrap_or_else(|_| panic!());
    let expected = brokers::open(store_of(b.store()));
    assert_eq!(
        outcome_of(&opened, &asked(&b)),
        outcome_of(&expected, &asked(&b))
    );

    wanted.store = Some("broker-c".to_owned());
    let Err(BadRequest::Store { stores, .. }) = brokers::open_asked(all, &wanted, &mut |_| {})
    else {
        panic!("there is no broker-c");
    };
    assert_eq!(stores.len(), 2);
}

/// Opening a zip reads its directory and each entry's header, and no entry.
#[test]
fn a_zip_is_not_read_before_it_is_asked() {
    struct Counted(Vec<u8>, Rc<std::cell::Cell<u64>>);
    impl ReadAt for Counted {
        fn size(&self) -> u64 {
            self.0.size()
        }
        fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
            self.1.set(self.1.get() + buf.len() as u64);
            self.0.read_exact_at(offset, buf)
        }
    }
    let large = large();
    let zip = zip_of(&[("commitlog/0", Some(&large))], CompressionMethod::STORE);
    let read = Rc::new(std::cell::Cell::new(0));
    let mut store = Store::new("dropped");
    store.insert(StorePath::new("a.zip"), Rc::new(Counted(zip, read.clone())));
    let opened = brokers::open(store);
    assert!(read.get() < 2 << 20, "{} bytes were read", read.get());
    let file = opened.store.get(&StorePath::new("commitlog/0")).unwrap();
    file.read_exact_at(5, &mut [0; 10]).unwrap();
    assert!(read.get() < 2 << 20, "{} bytes were read", read.get());
}

/// Damage anywhere in an archive: it is told or it is read, and nothing panics or runs on for ever.
#[test]
fn random_damage_to_an_archive_is_survived() {
    let case = case("clean-tiny");
    let store = case.store();
    let mut names = Vec::new();
    let entries = entries_of(&store, &mut names, "store/");
    let tar = tar_of(&entries);
    let archives = [
        zip_of(&entries, CompressionMethod::DEFLATE),
        zip_of(&entries, CompressionMethod::STORE),
        gz(&tar),
        zst(&tar),
        tar,
    ];
    for (kind, archive) in archives.iter().enumerate() {
        let mut state = kind as u64;
        let mut roll = |bound: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((state >> 33) as usize) % bound.max(1)
        };
        for trial in 0..300 {
            let mut bytes = archive.clone();
            for _ in 0..=roll(3) {
                // The ends hold the headers and directories, and are hit as often as the middle.
                let at = match roll(3) {
                    0 => roll(600).min(bytes.len() - 1),
                    1 => bytes.len() - 1 - roll(600).min(bytes.len() - 1),
                    _ => roll(bytes.len()),
                };
                bytes[at] = roll(256) as u8;
            }
            if roll(4) == 0 {
                let len = roll(bytes.len()).max(1);
                bytes.truncate(len);
            }
            let opened = brokers::open(dropped(&[("a.tar", bytes)]));
            for (path, file) in opened.store.files() {
                let mut start = vec![0; (file.size() as usize).min(4096)];
                // It may fail, with words.
                if let Err(error) = file.read_exact_at(0, &mut start) {
                    assert!(!error.why.is_empty(), "{kind}/{trial} {path}");
                }
            }
        }
    }
}
