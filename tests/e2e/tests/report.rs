//! A report made on the page is the command line's, opens from disk with nothing but itself, and says what the page says. And a store that
//! is dropped as an archive is the same store.

#[expect(dead_code, reason = "shared with the native tests, which use the rest")]
#[path = "../../support/case.rs"]
mod case;

use case::Case;
use e2e::{Browser, Page, Result};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

const CASE: &str = "crash-torn-tail-body";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn folder_of(name: &str) -> PathBuf {
    case::cases_folder(&root()).join("4.9.3").join(name)
}

/// A folder of this test, which goes with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Result<Self> {
        let folder =
            std::env::temp_dir().join(format!("storescope-report-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Drops something on a fresh page and waits for its verdict; the outcome's JSON.
fn drop_on_page(path: &Path) -> Result<(Browser, String)> {
    let browser = Browser::start()?;
    browser.goto(Page::shared()?.url())?;
    browser.wait_for("the page to start", |browser| browser.exists("#drop"))?;
    browser.drop_paths("#drop", &[path])?;
    // On a busy machine a synthetic drag now and then comes without its files.
    let mut again = 3;
    browser.wait_for("the verdict", |browser| {
        if again > 0 && browser.exists("#failure")? {
            again -= 1;
            browser.drop_paths("body", &[path])?;
        }
        browser.exists("#verdict")
    })?;
    let outcome = browser.js("return window.storescope.outcomeJson()", &json!([]))?;
    Ok((browser, outcome.as_str().unwrap_or("").to_owned()))
}

/// The lines of a report but the one that says when it was made.
fn lines(report: &str) -> Vec<&str> {
    let made = |line: &&str| !line.contains("made: ") && !line.contains("<dt>made</dt>");
    report.lines().filter(made).collect()
}

fn of_command_line(store: &Path, file: &Path) -> Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root())
        .args([
            "run",
            "--locked",
            "--quiet",
            "--bin",
            "storescope",
            "--",
            "report",
        ])
        .arg(store)
        .arg("-o")
        .arg(file)
        .status()?;
    assert_eq!(status.code(), Some(1), "something is cut");
    Ok(std::fs::read_to_string(file)?)
}

#[test]
fn a_report_is_saved_and_copied_and_opens_from_disk() -> Result<()> {
    let scratch = Scratch::new("saved")?;
    let store = scratch.0.join("store");
    Case::open(&folder_of(CASE)).store().write_to(&store);
    let (browser, _) = drop_on_page(&store)?;

    // What would go to the disk and to the clipboard.
    browser.js(
        "const make = URL.createObjectURL;
         URL.createObjectURL = blob => { blob.text().then(text => window.saved = text); return make(blob) };
         navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() };",
        &json!([]),
    )?;
    browser.click("#report")?;
    browser.click("#report-save")?;
    let text_of = |browser: &Browser, name: &str| -> Result<String> {
        let text = browser.js("return window[arguments[0]] ?? ''", &json!([name]))?;
        Ok(text.as_str().unwrap_or("").to_owned())
    };
    browser.wait_for("the saved report", |browser| {
        Ok(!text_of(browser, "saved")?.is_empty())
    })?;
    browser.wait_for("word of it", |browser| {
        Ok(browser.text("#report-said")? == "Saved.")
    })?;
    browser.click("#report-copy")?;
    browser.wait_for("the copied report", |browser| {
        Ok(!text_of(browser, "copied")?.is_empty())
    })?;
    let (saved, copied) = (text_of(&browser, "saved")?, text_of(&browser, "copied")?);

    let html = of_command_line(&store, &scratch.0.join("cli.html"))?;
    assert!(
        lines(&saved) == lines(&html),
        "the page's report is not the command line's"
    );
    let markdown = of_command_line(&store, &scratch.0.join("cli.md"))?;
    assert!(
        lines(&copied) == lines(&markdown),
        "the page's Markdown is not the command line's"
    );
    assert!(!saved.contains("TopicA") && !copied.contains("TopicA"));
    let headline = browser.text("#verdict")?;

    // From disk, with the network off: nothing is asked for, nothing runs, and it is all there.
    let file = scratch.0.join("report.html");
    std::fs::write(&file, &saved)?;
    browser.cdp("Network.enable", &json!({}))?;
    browser.cdp(
        "Network.emulateNetworkConditions",
        &json!({ "offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0 }),
    )?;
    browser.goto(&format!("file://{}", file.display()))?;
    assert_eq!(browser.text(".verdict h2")?, headline);
    let parts = browser.js(
        "return [document.querySelectorAll('svg rect').length, document.scripts.length,
                 performance.getEntriesByType('resource').length, document.documentElement.scrollWidth <= innerWidth]",
        &json!([]),
    )?;
    assert!(
        parts[0].as_u64() > Some(20),
        "the picture is drawn: {parts}"
    );
    assert_eq!(
        (&parts[1], &parts[2], &parts[3]),
        (&json!(0), &json!(0), &json!(true))
    );
    Ok(())
}

#[test]
fn an_archive_of_a_store_is_dropped_like_a_store() -> Result<()> {
    let scratch = Scratch::new("archive")?;
    // The same name, so that nothing of the two outcomes differs.
    let store = scratch.0.join("store");
    Case::open(&folder_of(CASE)).store().write_to(&store);
    let archive = scratch.0.join("store.tar.zst");
    std::fs::copy(folder_of(CASE).join("store.tar.zst"), &archive)?;
    let (_browser, of_folder) = drop_on_page(&store)?;
    let (browser, of_archive) = drop_on_page(&archive)?;
    assert!(!of_folder.is_empty());
    assert!(
        of_folder == of_archive,
        "an archive's outcome is not its folder's"
    );
    // Bytes are read out of it too.
    browser.wait_for("the bytes of the step", |browser| {
        browser.exists("#bytes, .bytes")
    })?;
    Ok(())
}
