//! The views of an open store: each opened from a step, a file, a finding and a link, and what stands in them.

use e2e::{Browser, Page, Result};
use serde_json::json;

/// A body bit was flipped in its first log file.
fn open(rest: &str) -> Result<Browser> {
    Browser::at_sample("flipped-byte", rest)
}

/// From a step, a file, a finding and a link, a person comes to the bytes and to the messages they are about.
#[test]
fn each_view_is_opened_from_a_step_a_file_a_finding_and_a_link() -> Result<()> {
    let browser = open("")?;
    // From the step that decided: the corrupt message.
    browser.wait_for("the step's doors", |browser| {
        browser.exists("#bytes [data-door='messages']")
    })?;
    browser.click("#bytes [data-door='messages']")?;
    let process_offset = browser.outcome()?["marks"]["processOffset"]["after"].to_string();
    browser.wait_for("the message of the step", |browser| {
        browser.exists("#message .badge.wrong")
    })?;
    let on = format!("#messages tr.on[data-offset='{process_offset}']");
    browser.wait_for("its row", |browser| browser.exists(&on))?;

    // From the message to its file, and from the file to a step.
    browser.click("#message [data-door='files']")?;
    browser.wait_for("the file", |browser| {
        browser.exists("#file-detail [data-step]")
    })?;
    assert!(browser.text("#file-delete")?.len() > 20);
    browser.click("#file-detail [data-door='bytes']")?;
    browser.wait_for("its bytes", |browser| {
        browser.exists("#byte-view #hex .row")
    })?;
    browser.js("history.back()", &json!([]))?;
    browser.wait_for("the file again", |browser| {
        browser.exists("#file-detail [data-step]")
    })?;
    let step = browser.data("#file-detail [data-step]", "step")?;
    browser.click("#file-detail [data-step]")?;
    browser.wait_for("the step", |browser| browser.exists("#steps"))?;
    let hash = browser.js("return location.hash", &json!([]))?;
    assert!(
        hash.as_str()
            .unwrap_or("")
            .contains(&format!("step={step}")),
        "{hash}"
    );

    // From a finding.
    browser.click(".rail [data-view='check']")?;
    let corrupt = "[data-finding='record-crc'] [data-door='messages']";
    browser.wait_for("the findings", |browser| browser.exists(corrupt))?;
    browser.click(corrupt)?;
    browser.wait_for("the message of the finding", |browser| browser.exists(&on))?;
    browser.click(".rail [data-view='check']")?;
    let entry = "[data-finding='entry-dangling'] [data-door='index']";
    browser.wait_for("the finding of an index entry", |browser| {
        browser.exists(entry)
    })?;
    browser.click(entry)?;
    browser.wait_for("the entry", |browser| {
        browser.exists("#entries tr.on.wrong")
    })?;

    // By links.
    for (link, shown) in [
        ("view=files&place=checkpoint@0,4096", "#file-detail"),
        (
            "view=queues&place=consumequeue/TopicA/0/00000000000000000000@40,20",
            "#entries tr.on[data-number='2']",
        ),
        (
            "view=bytes&place=checkpoint@8,8",
            "#byte-fields tr[data-field]",
        ),
        (
            "view=messages&filter.messages=is:cut",
            "#messages tr[data-fate='cut']",
        ),
    ] {
        browser.goto("about:blank")?;
        browser.goto(&format!(
            "{}#sample=flipped-byte&{link}",
            Page::shared()?.url()
        ))?;
        browser.wait_for(link, |browser| browser.exists(shown))?;
    }
    assert_eq!(
        browser
            .console()?
            .iter()
            .filter(|line| line.starts_with("SEVERE"))
            .count(),
        0
    );
    Ok(())
}

/// The table holds as many messages as the ledger counts; only those on the screen are on the page; a filter narrows them.
#[test]
fn messages_are_listed_filtered_and_opened_by_keyboard() -> Result<()> {
    let browser = open("&view=messages")?;
    browser.wait_data("#messages-count", "done", "true")?;
    let all: u64 = browser.data("#messages", "rows")?.parse()?;
    assert!(all > 100, "{all} rows");
    browser.wait_for("rows", |browser| {
        browser.exists("#messages tr[data-offset]")
    })?;
    let on_page = browser.count("#messages tbody tr")?;
    assert!(on_page < all && on_page < 80, "{on_page} rows on the page");

    // What is cut is what the ledger says.
    browser.click("[data-only='cut']")?;
    let ledger = browser.outcome()?["ledger"].clone();
    let cut =
        ["cutReadable", "cutUnreadable"].map(|part| ledger[part]["messages"].as_u64().unwrap_or(0));
    browser.wait_data("#messages-count", "rows", &(cut[0] + cut[1]).to_string())?;

    browser.fill("#messages-filter", "topic:TopicA queue:0 offset:3..5")?;
    browser.wait_data("#messages-count", "rows", "3")?;
    // By keyboard: into the table, to the second row.
    browser.js("document.querySelector('.grid-area').focus()", &json!([]))?;
    browser.press("ArrowDown")?;
    browser.press("ArrowDown")?;
    browser.wait_for("the second row", |browser| {
        Ok(browser.exists("#messages tr.on")? && browser.text("#message h2")? == "TopicA/0 #4")
    })?;
    browser.click("[data-tab='properties']")?;
    browser.wait_for("its properties", |browser| {
        browser.exists("[data-property='UNIQ_KEY']")
    })?;
    browser.click("[data-tab='hex']")?;
    browser.wait_for("its body", |browser| browser.exists("#message-body .row"))?;

    browser.fill("#messages-filter", "queue:none")?;
    browser.wait_for("what is not understood", |browser| {
        browser.exists(".found [role='alert']")
    })?;
    Ok(())
}

/// A key is found in the index as it was dropped and lost after the start; a consumer gets its message before, and nothing after.
#[test]
fn a_key_and_a_queue_are_read_as_the_broker_reads_them() -> Result<()> {
    let browser = open("&view=messages&filter.messages=is:cut%20key:*")?;
    browser.wait_data("#messages-count", "done", "true")?;
    browser.wait_for("rows", |browser| {
        browser.exists("#messages tr[data-offset]")
    })?;
    browser.click("#messages tr[data-offset] .c-topic")?;
    browser.click("[data-tab='properties']")?;
    browser.wait_for("keys", |browser| browser.exists("[data-property='KEYS']"))?;
    let keys = browser.text("[data-property='KEYS'] td")?;
    let key = keys.split(' ').next().unwrap_or("").to_owned();
    let heading = browser.text("#message h2")?;
    let topic = heading.split('/').next().unwrap_or("").to_owned();

    browser.click(".rail [data-view='index']")?;
    browser.wait_for("the form", |browser| browser.exists("#look-go"))?;
    browser.fill("#look-topic", &topic)?;
    browser.fill("#look-key", &key)?;
    browser.click("#look-go")?;
    browser.wait_for("the key", |browser| {
        Ok(browser.data("#looked-up", "found")?.parse::<u64>()? > 0)
    })?;
    assert!(browser.exists("#looked-up .chain-table .taken")?);
    let before: u64 = browser.data("#looked-up", "found")?.parse()?;
    // The broker passes by files of other times.
    browser.fill("#look-time", "1999-01-01")?;
    browser.click("#look-go")?;
    browser.wait_data("#looked-up", "found", "0")?;
    browser.fill("#look-time", "2023-01-01..2024-01-01")?;
    browser.click("#look-go")?;
    browser.wait_data("#looked-up", "found", &before.to_string())?;
    browser.click("[data-image='reput']")?;
    browser.wait_for("fewer", |browser| {
        Ok(browser.data("#looked-up", "found")?.parse::<u64>()? < before)
    })?;

    browser.click(".rail [data-view='queues']")?;
    browser.wait_for("the queues", |browser| {
        browser.exists("[data-lane='TopicA/0']")
    })?;
    browser.click("[data-lane='TopicA/0']")?;
    browser.fill("#pull-offset", "20")?;
    browser.click("#pull-go")?;
    browser.wait_data("#pulled", "status", "FOUND")?;
    browser.click("[data-image='reput']")?;
    browser.wait_data("#pulled", "status", "OFFSET_OVERFLOW_BADLY")?;
    browser.click("[data-image='before']")?;
    browser.wait_data("#pulled", "status", "FOUND")?;
    browser.click("#next-wrong")?;
    browser.wait_for("a wrong unit", |browser| {
        browser.exists("#entries tr.on[data-wrong='cut']")
    })?;
    browser.click("#entry .to-message button")?;
    browser.wait_for("its message", |browser| browser.exists("#message"))?;
    Ok(())
}

/// Hex and fields choose each other; bytes are jumped to and found; a checksum that differs says both values.
#[test]
fn bytes_are_coloured_chosen_both_ways_jumped_to_and_found() -> Result<()> {
    let browser = open("&view=bytes&place=commitlog/00000000000000000000@7074,616")?;
    browser.wait_for("the fields", |browser| {
        browser.exists("#byte-fields [data-field='bodyCRC'].wrong")
    })?;
    let sum = browser.text("[data-field='bodyCRC'] td:last-child")?;
    assert!(sum.contains("stored") && sum.contains("computed"), "{sum}");
    browser.click("[data-field='magicCode'] button")?;
    browser.wait_for("its bytes", |browser| {
        Ok(browser.text("#hex .run.on")? == "da a3 20 a7")
    })?;
    browser.click("#hex .run[title='queueId']")?;
    browser.wait_for("its field", |browser| {
        browser.exists("[data-field='queueId'].on")
    })?;

    browser.fill("#bytes-jump", "0")?;
    browser.wait_data("#byte-view", "offset", "0")?;
    browser.fill("#bytes-find", "0xdaa320a7")?;
    browser.click("#bytes-next")?;
    browser.wait_data("#byte-view", "offset", "4")?;
    browser.click("#bytes-next")?;
    browser.wait_data("#byte-view", "offset", "226")?;
    browser.fill("#bytes-find", "there is no such text in it")?;
    browser.click("#bytes-next")?;
    browser.wait_for("that it is not there", |browser| {
        browser.exists(".byte-view [role='status']")
    })?;
    Ok(())
}
