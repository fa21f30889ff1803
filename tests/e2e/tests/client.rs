//! The browser client does what it says, on a page of a few lines: a failure here is not the project's page's.

use e2e::{Browser, ColourScheme, Page, Result};
use serde_json::{Value, json};
use std::{env, fs, path::PathBuf, process};

/// A small store in a folder, gone after the test.
struct Folder(PathBuf);

const STORE: [&str; 3] = [
    "abort",
    "commitlog/00000000000000000000",
    "consumequeue/%RETRY%group/0/00000000000000000000",
];

impl Folder {
    fn new(test: &str) -> Result<Self> {
        let folder = Self(env::temp_dir().join(format!("storescope-{test}-{}", process::id())));
        for file in STORE {
            let file = folder.0.join("store").join(file);
            fs::create_dir_all(file.parent().unwrap_or(&folder.0))?;
            fs::write(file, [0; 64])?;
        }
        Ok(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A document with the page's headers and nothing of the page: the app, which starts when it likes, must not come in between.
fn empty_page() -> Result<Browser> {
    let browser = Browser::start()?;
    browser.goto(&format!("{}zh.json", Page::shared()?.url()))?;
    browser.js("document.body.replaceChildren()", &json!([]))?;
    Ok(browser)
}

fn wait_for_names(browser: &Browser, expected: &[String]) -> Result<()> {
    browser.wait_for(&format!("{expected:?}"), |browser| {
        let names = browser.js("return window.names.toSorted()", &json!([]))?;
        if names == json!(expected) {
            return Ok(true);
        }
        Err(format!("there are {names}").into())
    })
}

#[test]
fn a_dropped_folder_arrives_with_all_its_files() -> Result<()> {
    let folder = Folder::new("drop")?;
    let browser = empty_page()?;
    browser.js(
        r#"
        window.names = [];
        const walk = entry => {
            if (entry.isFile) { names.push(entry.fullPath); return; }
            const reader = entry.createReader();
            const more = () => reader.readEntries(found => {
                if (found.length) { found.forEach(walk); more(); }
            });
            more();
        };
        const zone = document.createElement("p");
        zone.id = "zone";
        zone.textContent = "drop here";
        zone.ondragover = event => event.preventDefault();
        zone.ondrop = event => {
            event.preventDefault();
            if (event.isTrusted) [...event.dataTransfer.items].map(i => i.webkitGetAsEntry()).forEach(walk);
        };
        document.body.append(zone);
        "#,
        &json!([]),
    )?;
    browser.drop_paths("#zone", &[folder.0.join("store")])?;
    wait_for_names(&browser, &STORE.map(|file| format!("/store/{file}")))
}

#[test]
fn files_and_a_folder_can_be_chosen() -> Result<()> {
    let folder = Folder::new("choose")?;
    let browser = empty_page()?;
    browser.js(
        r#"
        for (const id of ["files", "folder"]) {
            const input = document.createElement("input");
            Object.assign(input, { id, type: "file", multiple: true, webkitdirectory: id === "folder" });
            input.onchange = () => window.names = [...input.files].map(f => f.webkitRelativePath || f.name);
            document.body.append(input);
        }
        window.names = [];
        "#,
        &json!([]),
    )?;
    let store = folder.0.join("store");
    browser.set_files("#files", &[store.join(STORE[0]), store.join(STORE[1])])?;
    wait_for_names(&browser, &["00000000000000000000".into(), "abort".into()])?;
    browser.set_files("#folder", &[&store])?;
    wait_for_names(&browser, &STORE.map(|file| format!("store/{file}")))
}

#[test]
fn clicks_and_keys_arrive_as_if_by_hand() -> Result<()> {
    let browser = empty_page()?;
    browser.js(
        r#"
        const field = document.createElement("input");
        const button = document.createElement("button");
        button.textContent = "into the field";
        button.onclick = () => field.focus();
        document.body.append(button, field);
        window.keys = [];
        addEventListener("keydown", e => e.isTrusted && keys.push(`${e.shiftKey ? "shift " : ""}${e.code}`));
        "#,
        &json!([]),
    )?;
    assert_eq!(browser.text("button")?, "into the field");
    browser.click("button")?;
    for key in ["a", "Shift+ArrowLeft", "?", "Control+k"] {
        browser.press(key)?;
    }
    let seen = browser.js(
        "return [keys, document.querySelector('input').value]",
        &json!([]),
    )?;
    assert_eq!(seen, json!([["KeyA", "shift ArrowLeft", "", "KeyK"], "?"]));
    Ok(())
}

#[test]
fn the_viewport_and_the_colours_are_those_asked_for() -> Result<()> {
    let folder = Folder::new("viewport")?;
    let browser = empty_page()?;
    let seen = |browser: &Browser| -> Result<Value> {
        browser.js(
            "return [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]",
            &json!([]),
        )
    };
    browser.set_colour_scheme(ColourScheme::Dark)?;
    assert_eq!(seen(&browser)?, json!([1440, 900, true]));
    browser.set_viewport(800, 600)?;
    browser.set_colour_scheme(ColourScheme::Light)?;
    assert_eq!(seen(&browser)?, json!([800, 600, false]));

    let png = folder.0.join("page.png");
    browser.screenshot(&png)?;
    let bytes = fs::read(png)?;
    assert_eq!(bytes.get(1..4), Some(&b"PNG"[..]));
    // width and height stand at the head of the file
    assert_eq!(bytes.get(16..24), Some(&[0, 0, 3, 32, 0, 0, 2, 88][..]));
    Ok(())
}
