//! Every way in leads to the same outcome: folder, parent, picker, loose files and archives; of several stores one is chosen; settings
//! come from a broker.conf that is dropped along or from the panel.

#[expect(dead_code, reason = "shared with the native tests, which use the rest")]
#[path = "../../support/case.rs"]
mod case;

use case::{Case, Unpacked};
use e2e::{Browser, Page, Result};
use flate2::{Compression, Crc, write::GzEncoder};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

fn store_of(name: &str) -> Unpacked {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Case::open(&case::cases_folder(&root).join("4.9.3").join(name)).store()
}

/// A folder of this test's own, which goes with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("storescope-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    fn with(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.0.join(name);
        fs::write(&path, bytes)?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn open_page() -> Result<Browser> {
    let browser = Browser::start()?;
    browser.goto(Page::shared()?.url())?;
    browser.wait_for("the page to start", |browser| browser.exists("#drop"))?;
    Ok(browser)
}

/// Does something that opens a store, and waits for its outcome.
fn outcome_of(browser: &Browser, open: impl Fn(&Browser) -> Result<()>) -> Result<Value> {
    browser.js("delete window.storescope", &json!([]))?;
    open(browser)?;
    let mut again = 3;
    browser.wait_for("the outcome", |browser| {
        // On a busy machine a synthetic drag now and then ends before the browser has given it its files.
        if again > 0 && browser.exists("#failure")? {
            again -= 1;
            open(browser)?;
        }
        let is_there = browser.js("return !!window.storescope", &json!([]))?;
        Ok(is_there == true && browser.exists("#verdict")?)
    })?;
    let text = browser.js("return window.storescope.outcomeJson()", &json!([]))?;
    Ok(serde_json::from_str(text.as_str().unwrap_or(""))?)
}

fn dropped(browser: &Browser, paths: &[&Path]) -> Result<Value> {
    outcome_of(browser, |browser| browser.drop_paths("body", paths))
}

/// What does not hang on the way in.
fn same_part(outcome: &Value) -> Value {
    let members = ["end", "marks", "ledger", "counts", "files", "map", "trace"];
    members
        .iter()
        .map(|member| outcome[*member].clone())
        .collect()
}

fn tar_of(store: &Unpacked) -> Result<Vec<u8>> {
    let mut tar = tar::Builder::new(Vec::new());
    for dir in &store.dirs {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Directory);
        header.set_mode(0o755);
        header.set_size(0);
        tar.append_data(&mut header, format!("{dir}/"), std::io::empty())?;
    }
    for (path, bytes) in &store.files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, path, bytes.as_slice())?;
    }
    Ok(tar.into_inner()?)
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes)?;
    Ok(gzip.finish()?)
}

/// Entries stored as they are.
fn zip_of(store: &Unpacked) -> Vec<u8> {
    let mut zip = Vec::new();
    let mut directory = Vec::new();
    let mut count = 0u16;
    let dirs = store.dirs.iter().map(|dir| (format!("{dir}/"), Vec::new()));
    let files = store
        .files
        .iter()
        .map(|(path, bytes)| (path.clone(), bytes.clone()));
    for (name, bytes) in dirs.chain(files) {
        let mut crc = Crc::new();
        crc.update(&bytes);
        let size = bytes.len() as u32;
        let mut head = Vec::new();
        head.extend([20, 0, 0, 8, 0, 0, 0, 0, 0, 0]);
        head.extend(crc.sum().to_le_bytes());
        head.extend(size.to_le_bytes());
        head.extend(size.to_le_bytes());
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        directory.extend(*b"PK\x01\x02\x14\x00");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend((zip.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        zip.extend(*b"PK\x03\x04");
        zip.extend(&head);
        zip.extend(name.as_bytes());
        zip.extend(&bytes);
        count += 1;
    }
    let start = zip.len() as u32;
    zip.extend(&directory);
    zip.extend(*b"PK\x05\x06\0\0\0\0");
    zip.extend(count.to_le_bytes());
    zip.extend(count.to_le_bytes());
    zip.extend((directory.len() as u32).to_le_bytes());
    zip.extend(start.to_le_bytes());
    zip.extend([0, 0]);
    zip
}

#[test]
fn every_way_in_gives_the_same_outcome() -> Result<()> {
    let case = "crash-torn-tail-body";
    let store = store_of(case);
    let folder = Folder::new("ways")?;
    let inner = folder.0.join("parent/store");
    fs::create_dir_all(&inner)?;
    store.write_to(&inner);
    let tar = tar_of(&store)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let zst = fs::read(
        case::cases_folder(&root)
            .join("4.9.3")
            .join(case)
            .join("store.tar.zst"),
    )?;
    let archives = [
        folder.with("store.tar", &tar)?,
        folder.with("store.tar.gz", &gzip(&tar)?)?,
        folder.with("store.tar.zst", &zst)?,
        folder.with("store.zip", &zip_of(&store))?,
    ];

    let browser = open_page()?;
    let by_folder = same_part(&dropped(&browser, &[&inner])?);
    let by_parent = dropped(&browser, &[&folder.0.join("parent")])?;
    assert_eq!(same_part(&by_parent), by_folder, "the store's parent");
    for archive in &archives {
        let outcome = dropped(&browser, &[archive])?;
        assert_eq!(same_part(&outcome), by_folder, "{}", archive.display());
    }
    browser.click("#open-other")?;
    browser.wait_for("the first screen", |browser| browser.exists("#drop"))?;
    let picked = outcome_of(&browser, |browser| {
        browser.set_files("#pick-folder", &[&inner])
    })?;
    // A browser's folder picker gives no empty folders.
    assert_eq!(picked["ledger"], by_folder[2], "the folder picker");
    browser.click("#open-other")?;
    browser.wait_for("the first screen", |browser| browser.exists("#drop"))?;
    let picked = outcome_of(&browser, |browser| {
        browser.set_files("#pick-files", &[&archives[3]])
    })?;
    assert_eq!(
        same_part(&picked),
        by_folder,
        "an archive in the file picker"
    );
    let loose: Vec<PathBuf> = store
        .files
        .keys()
        .filter(|path| path.starts_with("commitlog/") || !path.contains('/'))
        .map(|path| inner.join(path))
        .collect();
    let loose: Vec<&Path> = loose.iter().map(PathBuf::as_path).collect();
    let outcome = dropped(&browser, &loose)?;
    // A file of zeros says nothing of its place, so it is no part of what lies loose.
    for amount in ["kept", "cutUnreadable", "cutReadable"] {
        assert_eq!(
            outcome["ledger"][amount], by_folder[2][amount],
            "loose files of the log"
        );
    }
    let offset = "processOffset";
    assert_eq!(
        outcome["marks"][offset]["after"],
        by_folder[1][offset]["after"]
    );
    assert_eq!(browser.console()?, [""; 0]);
    Ok(())
}

/// Two brokers' stores in one folder: the page shows the first and offers the other, and back leads to the first.
#[test]
fn of_several_stores_one_is_chosen() -> Result<()> {
    let folder = Folder::new("several")?;
    for (name, case) in [("a", "crash-torn-tail-body"), ("b", "clean-shutdown")] {
        let inner = folder.0.join(name);
        fs::create_dir_all(&inner)?;
        store_of(case).write_to(&inner);
    }
    let browser = open_page()?;
    let first = dropped(&browser, &[&folder.0])?;
    assert_eq!(first["ledger"]["cutUnreadable"]["messages"], 1);
    let second = outcome_of(&browser, |browser| {
        let choose = "const stores = document.querySelector('#stores'); stores.value = 'b';
            stores.dispatchEvent(new Event('change', {bubbles: true}))";
        browser.js(choose, &json!([])).map(|_| ())
    })?;
    assert_eq!(second["ledger"]["cutUnreadable"]["messages"], 0);
    let back = outcome_of(&browser, |browser| {
        browser.js("history.back()", &json!([])).map(|_| ())
    })?;
    assert_eq!(same_part(&back), same_part(&first));
    Ok(())
}

/// A body bit flipped, and a broker that does not check the CRC: it keeps the message. The panel says who told it so, and can undo it.
#[test]
fn settings_come_from_broker_conf_and_from_the_panel() -> Result<()> {
    let folder = Folder::new("conf")?;
    let inner = folder.0.join("store");
    fs::create_dir_all(&inner)?;
    store_of("crash-crc-first-file-rescan").write_to(&inner);
    let conf = folder.with("broker.conf", b"brokerName=a\ncheckCRCOnRecover = false\n")?;

    let browser = open_page()?;
    let outcome = dropped(&browser, &[&inner, &conf])?;
    assert_eq!(outcome["options"]["settings"]["checkCRCOnRecover"], "false");
    let unchecked = &outcome["ledger"]["cutReadable"]["messages"];
    browser.press("s")?;
    browser.wait_for("the panel", |browser| browser.exists("#settings"))?;
    let row = browser.text("tr[data-setting=checkCRCOnRecover]")?;
    assert!(row.contains("broker.conf"), "{row}");
    let outcome = outcome_of(&browser, |browser| {
        let set =
            "const field = document.querySelector('#set-checkCRCOnRecover'); field.value = 'true';
            field.dispatchEvent(new Event('change', {bubbles: true}))";
        browser.js(set, &json!([]))?;
        browser.wait_for("the change", |browser| {
            let off = "return document.querySelector('#settings-run').disabled";
            Ok(browser.js(off, &json!([]))? == false)
        })?;
        browser.click("#settings-run")
    })?;
    assert_eq!(outcome["options"]["settings"]["checkCRCOnRecover"], "true");
    assert_ne!(&outcome["ledger"]["cutReadable"]["messages"], unchecked);
    let link = browser.js("return location.hash", &json!([]))?;
    assert!(
        link.as_str()
            .unwrap_or("")
            .contains("set.checkCRCOnRecover=true"),
        "{link}"
    );
    Ok(())
}
