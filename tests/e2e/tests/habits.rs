//! What a person does without thinking: plays, goes back, uses the keyboard alone, copies, stops what takes too long.

use e2e::{Browser, Page, Result};
use flate2::{Compression, write::GzEncoder};
use serde_json::json;
use std::io::Write;

/// What was put on the clipboard last.
fn copied(browser: &Browser) -> Result<String> {
    let text = browser.js("return window.copied ?? ''", &json!([]))?;
    Ok(text.as_str().unwrap_or("").to_owned())
}

fn watch_clipboard(browser: &Browser) -> Result<()> {
    let script = "navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }";
    browser.js(script, &json!([]))?;
    Ok(())
}

fn wait_copied(browser: &Browser, what: &str, right: impl Fn(&str) -> bool) -> Result<()> {
    browser.wait_for(what, |browser| {
        let text = copied(browser)?;
        if right(&text) {
            return Ok(true);
        }
        Err(format!("{text:?} was copied").into())
    })
}

/// The element that has the focus, by the selector it matches.
fn is_focused(browser: &Browser, css: &str) -> Result<bool> {
    let script = "return document.activeElement?.matches(arguments[0]) ?? false";
    Ok(browser.js(script, &json!([css]))? == true)
}

/// Tabs until an element has the focus; whoever has no mouse comes there.
fn tab_to(browser: &Browser, css: &str) -> Result<()> {
    for _ in 0..200 {
        if is_focused(browser, css)? {
            return Ok(());
        }
        browser.press("Tab")?;
    }
    Err(format!("no Tab leads to {css}").into())
}

/// Played to its end, the recovery stands where the outcome says: every counter and mark is that of the last step.
#[test]
fn playing_to_the_end_leads_to_the_outcome() -> Result<()> {
    let browser = Browser::at_sample("flipped-byte", "")?;
    browser.press("Home")?;
    browser.wait_data("#position", "step", "1")?;
    browser.fill("#speed", "4")?;
    browser.click("#play")?;
    browser.wait_for("the player to run", |browser| {
        Ok(browser.data("#position", "step")?.parse::<u32>()? > 1)
    })?;
    let last = browser.data("#position", "of")?;
    browser.wait_data("#position", "step", &last)?;
    browser.wait_for("the player to rest", |browser| {
        browser.exists("#play[aria-pressed=false]")
    })?;
    let outcome = browser.outcome()?;
    for (counter, counts) in [
        ("queue-rebuilt", "queueEntriesRebuilt"),
        ("index-rebuilt", "indexEntriesRebuilt"),
    ] {
        let shown = browser.data(&format!("[data-counter='{counter}']"), "value")?;
        assert_eq!(shown, outcome["counts"][counts].to_string(), "{counter}");
    }
    browser.press("t")?;
    browser.wait_for("the table twin", |browser| {
        browser.exists("#map-table:not([hidden])")
    })?;
    let offset = outcome["marks"]["processOffset"]["after"].to_string();
    let digits = |text: String| {
        text.chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
    };
    let table = digits(browser.text("#map-table")?);
    assert!(
        table.contains(&offset),
        "processOffset {offset} stands in the table"
    );
    Ok(())
}

/// Where a person was is a link, and the browser's own buttons lead there.
#[test]
fn back_and_forward_lead_where_a_person_was() -> Result<()> {
    let browser = Browser::at_sample("flipped-byte", "")?;
    let (first, second) = ("#steps", "#files tbody tr");
    browser.press("Home")?;
    browser.wait_data("#position", "step", "1")?;
    browser.press("2")?;
    browser.wait_for("the files", |browser| browser.exists(second))?;
    browser.press("3")?;
    browser.wait_for("the messages", |browser| browser.exists("#messages"))?;
    let messages = browser.hash()?;
    browser.js("history.back()", &json!([]))?;
    browser.wait_for("the files again", |browser| browser.exists(second))?;
    browser.js("history.back()", &json!([]))?;
    browser.wait_for("the steps again", |browser| browser.exists(first))?;
    browser.wait_data("#position", "step", "1")?;
    browser.js("history.go(2)", &json!([]))?;
    browser.wait_for("the messages again", |browser| browser.exists("#messages"))?;
    assert_eq!(browser.hash()?, messages);
    // The same from the link alone.
    browser.goto("about:blank")?;
    browser.goto(&format!("{}{messages}", Page::shared()?.url()))?;
    browser.wait_for("the messages by a link", |browser| {
        browser.exists("#messages tr[data-offset]")
    })?;
    Ok(())
}

/// From the first screen to a verdict, a step, a file, a message, a finding, the palette and the list of keys, without a mouse.
#[test]
fn everything_is_reached_with_the_keyboard_alone() -> Result<()> {
    let browser = Browser::start()?;
    browser.goto(Page::shared()?.url())?;
    browser.wait_for("the samples", |browser| {
        browser.exists(".sample[data-id='flipped-byte']")
    })?;
    tab_to(&browser, ".sample[data-id='flipped-byte']")?;
    browser.press("Enter")?;
    browser.wait_for("the verdict", |browser| browser.exists("#verdict"))?;

    let step =
        |browser: &Browser| -> Result<u32> { Ok(browser.data("#position", "step")?.parse()?) };
    browser.wait_for("a step", |browser| Ok(step(browser)? > 0))?;
    let deciding = step(&browser)?;
    browser.press("k")?;
    browser.wait_for("the step before", |browser| Ok(step(browser)? < deciding))?;
    browser.press("d")?;
    browser.wait_data("#position", "step", &deciding.to_string())?;
    browser.press("w")?;
    browser.wait_for("the rule", |browser| {
        browser.exists("#tab-why[aria-selected=true]")
    })?;

    browser.press("2")?;
    browser.wait_for("the files", |browser| browser.exists("#files tbody tr"))?;
    tab_to(&browser, "#files button, #files [tabindex='0'], .grid-area")?;
    browser.press("Enter")?;

    browser.press("3")?;
    browser.wait_data("#messages-count", "done", "true")?;
    tab_to(&browser, ".grid-area")?;
    browser.press("ArrowDown")?;
    browser.wait_for("a message", |browser| browser.exists("#message h2"))?;

    browser.press("7")?;
    browser.wait_for("the findings", |browser| {
        browser.exists("[data-finding] button")
    })?;
    tab_to(&browser, "[data-finding] button")?;
    browser.press("Enter")?;
    browser.wait_for("where the finding leads", |browser| {
        Ok(!browser.exists("#check-view")?)
    })?;

    // The palette: a word, and there one is; an offset, too.
    browser.press("Control+k")?;
    browser.wait_for("the palette", |browser| {
        is_focused(browser, "#palette-query")
    })?;
    browser.type_in("check")?;
    browser.press("Enter")?;
    browser.wait_for("the check", |browser| {
        browser.exists(".rail [data-view='check'].on")
    })?;
    browser.press("Control+k")?;
    browser.wait_for("the palette", |browser| {
        is_focused(browser, "#palette-query")
    })?;
    browser.press("Escape")?;
    browser.wait_for("no palette", |browser| Ok(!browser.exists("#palette")?))?;

    browser.press("?")?;
    browser.wait_for("the keys", |browser| is_focused(browser, "#help-close"))?;
    browser.press("Enter")?;
    browser.wait_for("no list of keys", |browser| {
        Ok(!browser.exists("#help-close")?)
    })?;
    assert_eq!(browser.severe()?, [""; 0]);
    Ok(())
}

/// A number as digits, a row with tabs, bytes as hex and as Java writes them.
#[test]
fn what_is_pointed_at_is_copied() -> Result<()> {
    let browser = Browser::at_sample(
        "flipped-byte",
        "&view=bytes&place=commitlog/00000000000000000000@7074,616",
    )?;
    watch_clipboard(&browser)?;
    browser.wait_for("the field", |browser| {
        browser.exists("[data-field='magicCode'] button")
    })?;
    browser.click("[data-field='magicCode'] button")?;
    browser.wait_for("its bytes", |browser| {
        Ok(browser.text("#hex .run.on")? == "da a3 20 a7")
    })?;
    browser.click("#copy-hex")?;
    wait_copied(&browser, "hex", |text| text == "da a3 20 a7")?;
    browser.click("#copy-java")?;
    wait_copied(&browser, "Java's bytes", |text| {
        text.contains("(byte) 0xda")
    })?;

    browser.press("3")?;
    browser.wait_for("a row", |browser| {
        browser.exists("#messages tr[data-offset]")
    })?;
    let offset = browser.data("#messages tr[data-offset]", "offset")?;
    browser.click("#messages tr[data-offset] .c-topic")?;
    browser.press("Shift+C")?;
    wait_copied(&browser, "the row", |text| {
        text.contains('\t') && text.contains(&offset)
    })?;

    browser.press("1")?;
    browser.wait_for("the counters", |browser| browser.exists("[data-counter]"))?;
    let exact = browser.data("[data-counter='verified']", "value")?;
    browser.click("[data-counter='verified']")?;
    browser.press("c")?;
    wait_copied(&browser, "the exact number", |text| text == exact)?;
    Ok(())
}

/// The first screen plays a crash by itself, until a person does anything.
#[test]
fn the_first_screen_plays_until_a_person_acts() -> Result<()> {
    let browser = Browser::start()?;
    browser.goto(Page::shared()?.url())?;
    let step = |browser: &Browser| browser.data(".picture", "step");
    browser.wait_for("the picture to play", |browser| {
        browser.exists(".picture[data-playing=true]")
    })?;
    let first = step(&browser)?;
    browser.wait_for("another step", |browser| Ok(step(browser)? != first))?;
    browser.press("Tab")?;
    browser.wait_for("the picture to rest", |browser| {
        browser.exists(".picture[data-playing=false]")
    })?;
    browser.click("#picture-play")?;
    browser.wait_for("it to play again", |browser| {
        browser.exists(".picture[data-playing=true]")
    })?;
    Ok(())
}

/// A packed store of two gigabytes: how far the reading is shows, and Stop leads back; the page then opens another store.
#[test]
fn long_work_shows_how_far_it_is_and_can_be_stopped() -> Result<()> {
    let file = std::env::temp_dir().join(format!("storescope-{}-large.tar.gz", std::process::id()));
    std::fs::write(&file, large_archive()?)?;
    let browser = Browser::start()?;
    browser.goto(Page::shared()?.url())?;
    browser.wait_for("the page to start", |browser| browser.exists("#drop"))?;
    browser.drop_paths("#drop", &[&file])?;
    browser.wait_for("the work", |browser| {
        browser.exists("#working progress[value]")
    })?;
    let text = browser.text("#working")?;
    assert!(text.contains("MiB") || text.contains("GiB"), "{text}");
    browser.click("#cancel")?;
    browser.wait_for("the first screen", |browser| {
        Ok(browser.exists("#drop")? && !browser.exists("#working")?)
    })?;
    browser.click(".sample[data-id='flipped-byte']")?;
    browser.wait_for("the verdict of another store", |browser| {
        browser.exists("#verdict")
    })?;
    std::fs::remove_file(&file)?;
    Ok(())
}

/// A commit log of noise that packs well: one piece, packed once, again and again.
fn large_archive() -> Result<Vec<u8>> {
    const PIECE: usize = 1 << 20;
    const PIECES: usize = 2048;
    let packed = |bytes: &[u8]| -> Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes)?;
        Ok(encoder.finish()?)
    };
    let mut header = tar::Header::new_gnu();
    header.set_path("store/commitlog/00000000000000000000")?;
    header.set_size((PIECE * PIECES) as u64);
    header.set_mode(0o644);
    header.set_cksum();
    let noise: Vec<u8> = (0..PIECE as u32)
        .map(|at| ((at / 64).wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let mut archive = packed(header.as_bytes())?;
    let piece = packed(&noise)?;
    for _ in 0..PIECES {
        archive.extend(&piece);
    }
    archive.extend(packed(&[0; 1024])?);
    Ok(archive)
}
