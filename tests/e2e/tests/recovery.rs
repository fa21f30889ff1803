//! Real crashed stores, dropped on the page: what it shows is what the real broker did, and what the command line says.

#[expect(dead_code, reason = "shared with the native tests, which use the rest")]
#[path = "../../support/case.rs"]
mod case;

use case::{Case, Unpacked};
use e2e::{Browser, Page, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn case_named(name: &str) -> Case {
    Case::open(&case::cases_folder(&root()).join("4.9.3").join(name))
}

/// A store laid down in a folder of its own, which goes with the value.
struct OnDisk(PathBuf);

impl OnDisk {
    fn new(name: &str, store: &Unpacked) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("storescope-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        store.write_to(&folder);
        Ok(Self(folder))
    }
}

impl Drop for OnDisk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn open_page() -> Result<Browser> {
    let browser = Browser::start()?;
    browser.goto(Page::shared()?.url())?;
    browser.wait_for("the page to start", |browser| browser.exists("#drop"))?;
    Ok(browser)
}

/// Drops a folder and waits for its verdict; the outcome as the page has it.
fn drop_store(browser: &Browser, target: &str, store: &OnDisk) -> Result<Value> {
    let before = outcome_text(browser)?;
    browser.drop_paths(target, &[&store.0])?;
    // On a busy machine a synthetic drag now and then ends before the browser has given it its files: the page says so, and a person
    // would drop again.
    let mut again = 3;
    browser.wait_for("the verdict", |browser| {
        if again > 0 && browser.exists("#failure")? {
            again -= 1;
            browser.drop_paths("body", &[&store.0])?;
        }
        let now = outcome_text(browser)?;
        Ok(!now.is_empty() && now != before && browser.exists("#verdict")?)
    })?;
    Ok(serde_json::from_str(&outcome_text(browser)?)?)
}

fn outcome_text(browser: &Browser) -> Result<String> {
    let text = browser.js(
        "return window.storescope?.outcomeJson?.() ?? ''",
        &json!([]),
    )?;
    Ok(text.as_str().unwrap_or("").to_owned())
}

fn number(browser: &Browser, css: &str) -> Result<i64> {
    let script = "return document.querySelector(arguments[0])?.dataset.value ?? ''";
    let value = browser.js(script, &json!([css]))?;
    let text = value.as_str().unwrap_or("");
    text.parse()
        .map_err(|_| format!("{css} says {text:?}").into())
}

/// What the real broker's state says, counted from it and from the store's own files.
struct Real {
    process_offset: i64,
    units: BTreeMap<(String, i64), Vec<Value>>,
    entries: Vec<(i64, i64)>,
}

impl Real {
    fn of(case: &Case) -> Self {
        let golden = &case.golden;
        let after = |member: &str| {
            let after = &golden["afterReput"][member];
            if *after == "same" {
                &golden["afterLoad"][member]
            } else {
                after
            }
            .clone()
        };
        let units = after("consumeQueues")
            .as_array()
            .unwrap()
            .iter()
            .map(|queue| {
                let key = (
                    queue["topic"].as_str().unwrap().to_owned(),
                    queue["queueId"].as_i64().unwrap(),
                );
                (key, queue["units"].as_array().unwrap().clone())
            })
            .collect();
        let entries = after("index")
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|file| file["entries"].as_array().unwrap().clone())
            .map(|entry| (entry[0].as_i64().unwrap(), entry[1].as_i64().unwrap()))
            .collect();
        Self {
            process_offset: golden["recovery"]["processOffset"].as_i64().unwrap(),
            units,
            entries,
        }
    }
}

fn i32_at(bytes: &[u8], at: usize) -> i64 {
    i64::from(i32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

fn i64_at(bytes: &[u8], at: usize) -> i64 {
    i64::from_be_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Units that the store's queues hold before the start, by queue.
fn units_before(store: &Unpacked) -> BTreeMap<(String, i64), i64> {
    let mut units = BTreeMap::new();
    for (path, bytes) in &store.files {
        let parts: Vec<&str> = path.split('/').collect();
        if let ["consumequeue", topic, queue, _] = parts.as_slice() {
            let whole = bytes
                .chunks(20)
                .take_while(|unit| i32_at(unit, 8) > 0)
                .count();
            *units
                .entry(((*topic).to_owned(), queue.parse().unwrap()))
                .or_insert(0) += whole as i64;
        }
    }
    units
}

/// Index entries that the store holds before the start: key hash and physical offset.
fn entries_before(store: &Unpacked, slots: usize) -> Vec<(i64, i64)> {
    let mut entries = Vec::new();
    for (path, bytes) in &store.files {
        if path.starts_with("index/") {
            for number in 1..i32_at(bytes, 36) as usize {
                let at = 40 + slots * 4 + number * 20;
                entries.push((i32_at(bytes, at), i64_at(bytes, at + 4)));
            }
        }
    }
    entries
}

/// A body bit flipped in the last file, and the broker died: four messages go, their queue entries with them, an index file too.
#[test]
fn a_crashed_store_shows_what_the_real_broker_cut_lost_and_rebuilt() -> Result<()> {
    let case = case_named("crash-crc-last-file");
    let store = case.store();
    let real = Real::of(&case);
    let browser = open_page()?;
    drop_store(&browser, "#drop", &OnDisk::new("crash", &store)?)?;

    assert_eq!(number(&browser, "#process-offset")?, real.process_offset);

    let before = units_before(&store);
    let cut: i64 = before
        .iter()
        .map(|(queue, units)| (units - real.units[queue].len() as i64).max(0))
        .sum();
    assert!(cut > 0, "the case must have something to cut");
    assert_eq!(number(&browser, "[data-tile='queue-cut']")?, cut);

    let slots = case.golden["geometry"]["maxHashSlotNum"].as_u64().unwrap() as usize;
    let entries = entries_before(&store, slots);
    let lost = entries
        .iter()
        .filter(|entry| entry.1 < real.process_offset && !real.entries.contains(entry))
        .count() as i64;
    assert!(lost > 0, "the case must have something to lose");
    assert_eq!(number(&browser, "[data-tile='index-lost']")?, lost);

    let log_bytes: i64 = store
        .files
        .iter()
        .filter(|(path, _)| path.starts_with("commitlog/"))
        .map(|(_, bytes)| bytes.len() as i64)
        .sum();
    assert!(number(&browser, "[data-tile='dropped']")? < log_bytes - real.process_offset);
    let verdict = browser.text("#verdict")?;
    assert!(verdict.contains("will start"), "{verdict}");
    Ok(())
}

/// All queues were deleted: the broker builds them again from the log.
#[test]
fn lost_queues_show_the_units_that_the_real_broker_rebuilds() -> Result<()> {
    let case = case_named("crash-cq-deleted-all-rescan");
    let real = Real::of(&case);
    let browser = open_page()?;
    drop_store(&browser, "#drop", &OnDisk::new("queues", &case.store())?)?;
    let blank = json!([0, i32::MAX, 0]);
    let rebuilt = real
        .units
        .values()
        .flatten()
        .filter(|unit| **unit != blank)
        .count() as i64;
    assert_eq!(number(&browser, "[data-tile='queue-rebuilt']")?, rebuilt);
    assert_eq!(number(&browser, "#process-offset")?, real.process_offset);
    Ok(())
}

/// A log file of no bytes: 4.9 does not start. That is a verdict, with the file, what was expected and what was found.
#[test]
fn a_refused_start_is_a_verdict() -> Result<()> {
    let browser = open_page()?;
    let store = OnDisk::new("refused", &case_named("crash-last-file-empty").store())?;
    let outcome = drop_store(&browser, "#drop", &store)?;
    assert_eq!(outcome["end"]["kind"], "refused");
    let verdict = browser.text("#verdict")?;
    assert!(verdict.contains("will not start"), "{verdict}");
    assert!(verdict.contains("0000000000000081920"), "{verdict}");
    Ok(())
}

/// The page and the command line run one library: the same answer, to the byte.
#[test]
fn twenty_stores_give_the_outcome_of_the_command_line_byte_for_byte() -> Result<()> {
    let built = Command::new(env!("CARGO"))
        .current_dir(root())
        .args([
            "build",
            "--locked",
            "--package",
            "storescope",
            "--bin",
            "storescope",
        ])
        .status()?;
    assert!(built.success());
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let storescope = target.join("debug/storescope");
    let fresh: Vec<Case> = case::of_release(&case::cases_folder(&root()).join("4.9.3"))
        .into_iter()
        .filter(|case| case.name.starts_with("fuzz-"))
        .collect();
    assert!(fresh.len() >= 20, "{} stores", fresh.len());
    let browser = open_page()?;
    let mut target = "#drop";
    for case in fresh.iter().rev().take(20) {
        let store = OnDisk::new(&case.name, &case.store())?;
        drop_store(&browser, target, &store)?;
        target = "body";
        let ours = outcome_text(&browser)?;
        let line = Command::new(&storescope)
            .arg("recover")
            .arg(&store.0)
            .arg("--json")
            .output()?;
        let theirs = String::from_utf8(line.stdout)?;
        assert_eq!(ours, theirs.trim_end(), "{}", case.name);
    }
    Ok(())
}

/// Numbers at a step, as somebody who only has the JSON would work them out.
#[derive(Default, PartialEq, Debug)]
struct Replay {
    /// path → write position, deleted
    files: Vec<(String, i64, bool)>,
    /// name → entries, log offset
    lanes: Vec<(String, i64, i64)>,
    marks: BTreeMap<String, String>,
}

fn replay(outcome: &Value, upto: u64) -> Replay {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut now = Replay::default();
    for file in outcome["map"]["files"].as_array().unwrap() {
        now.files
            .push((text(&file["path"]), file["size"].as_i64().unwrap(), false));
    }
    for lane in outcome["map"]["lanes"].as_array().unwrap() {
        now.lanes.push((text(&lane["name"]), 0, -1));
    }
    for step in outcome["trace"].as_array().unwrap() {
        if step["number"].as_u64().unwrap() > upto {
            break;
        }
        for change in step["changes"].as_array().into_iter().flatten() {
            let no = |name: &str| change[name].as_u64().unwrap() as usize;
            match change["change"].as_str().unwrap() {
                "wrote" => now.files[no("file")].1 = change["to"].as_i64().unwrap(),
                "deleted" => now.files[no("file")].2 = true,
                "created" => now.files.push((text(&change["path"]), 0, false)),
                "newLane" => now.lanes.push((text(&change["lane"]["name"]), 0, -1)),
                "lane" => {
                    let lane = &mut now.lanes[no("lane")];
                    lane.1 = change["to"]["entries"].as_i64().unwrap();
                    lane.2 = change["to"]["logOffset"].as_i64().unwrap();
                }
                "mark" => {
                    now.marks
                        .insert(text(&change["mark"]), change["to"].to_string());
                }
                _ => {}
            }
        }
    }
    now.lanes.remove(0);
    now
}

fn table(browser: &Browser) -> Result<Replay> {
    let rows = browser.js(
        "const rows = kind => [...document.querySelectorAll(`#map-table [data-row='${kind}']`)].map(row => ({ ...row.dataset }));
         return { files: rows('file'), lanes: rows('lane'), marks: rows('mark') }",
        &json!([]),
    )?;
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let int = |row: &Value, name: &str| text(row, name).parse::<i64>().unwrap_or(i64::MIN);
    let each = |kind: &str| rows[kind].as_array().unwrap().clone();
    Ok(Replay {
        files: each("files")
            .iter()
            .map(|row| {
                (
                    text(row, "path"),
                    int(row, "wrote"),
                    row["deleted"] == "true",
                )
            })
            .collect(),
        lanes: each("lanes")
            .iter()
            .map(|row| {
                (
                    text(row, "lane"),
                    int(row, "entries"),
                    int(row, "logOffset"),
                )
            })
            .collect(),
        marks: each("marks")
            .iter()
            .map(|row| (text(row, "mark"), text(row, "value")))
            .collect(),
    })
}

/// Stepping through a recovery with the keyboard: at each step the map's table says what a replay of the trace up to it says. Before
/// the truncation the queues still have their old ends.
#[test]
fn the_table_twin_is_the_replay_at_every_step() -> Result<()> {
    let browser = open_page()?;
    let store = OnDisk::new("steps", &case_named("crash-crc-last-file").store())?;
    let outcome = drop_store(&browser, "#drop", &store)?;
    let steps = outcome["trace"].as_array().unwrap().len() as u64;
    let at = |browser: &Browser| -> Result<u64> {
        let script = "return Number(document.querySelector('#map-table').dataset.step)";
        let step = browser.js(script, &json!([]))?.as_u64();
        step.ok_or_else(|| "the table says no step".into())
    };
    let next = |step: u64| -> Result<()> {
        browser.press("j")?;
        browser.wait_for("the next step", |browser| Ok(at(browser)? > step))
    };
    // Once through to open the folded groups, so that the second time passes over no step.
    browser.press("Home")?;
    browser.wait_for("the first step", |browser| Ok(at(browser)? == 1))?;
    while at(&browser)? < steps {
        let step = at(&browser)?;
        browser.press("ArrowRight")?;
        next(step)?;
    }
    browser.press("Home")?;
    browser.wait_for("the first step", |browser| Ok(at(browser)? == 1))?;
    let mut seen = 0;
    loop {
        let step = at(&browser)?;
        assert_eq!(table(&browser)?, replay(&outcome, step), "step {step}");
        seen += 1;
        if step == steps {
            break;
        }
        next(step)?;
    }
    assert_eq!(seen, steps);

    let cut = outcome["trace"]
        .as_array()
        .unwrap()
        .iter()
        .find(|step| step["rule"] == "logic.unit-ahead")
        .unwrap();
    let (number, queue) = (
        cut["number"].as_u64().unwrap(),
        cut["facts"]["queue"].as_str().unwrap(),
    );
    let entries = |upto| {
        let now = replay(&outcome, upto);
        now.lanes.iter().find(|lane| lane.0 == queue).unwrap().1
    };
    assert!(
        entries(number - 1) > entries(number),
        "the old end is shown before the cut"
    );
    Ok(())
}

/// What is no store gets a sentence, not a crash.
#[test]
fn what_is_no_store_is_told() -> Result<()> {
    let browser = open_page()?;
    let mut files = Unpacked::default();
    files
        .files
        .insert("notes.txt".to_owned(), b"hello".to_vec());
    let store = OnDisk::new("notes", &files)?;
    browser.drop_paths("#drop", &[&store.0])?;
    browser.wait_for("the sentence", |browser| browser.exists("#problem"))?;
    let problem = browser.text("#problem")?;
    assert!(problem.contains("notes.txt"), "{problem}");
    Ok(())
}

/// A sample is one click away, in both languages.
#[test]
fn a_sample_opens_with_one_click_and_speaks_chinese() -> Result<()> {
    let browser = open_page()?;
    browser.wait_for("the samples", |browser| browser.exists(".sample"))?;
    browser.click(".sample")?;
    browser.wait_for("the verdict", |browser| browser.exists("#verdict"))?;
    let english = browser.text("#verdict")?;
    browser.click("#language")?;
    browser.wait_for(
        "Chinese",
        |browser| Ok(browser.text("#verdict")? != english),
    )?;
    let chinese = browser.text("#verdict")?;
    assert!(chinese.contains("broker"), "{chinese}");
    assert!(
        chinese
            .chars()
            .any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c)),
        "{chinese}"
    );
    assert_eq!(browser.console()?, [""; 0]);
    Ok(())
}
