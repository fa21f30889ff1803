//! The page starts, under the headers it is served with.

use e2e::{Browser, Page, Result};
use serde_json::json;

/// The page is busy until the wasm's `main` has run.
fn wait_until_started(browser: &Browser) -> Result<()> {
    browser.wait_for("the page to start", |browser| {
        browser.exists("#app:not([aria-busy])")
    })
}

#[test]
fn the_page_boots_without_an_error_in_the_console() -> Result<()> {
    let page = Page::shared()?;
    let browser = Browser::start()?;
    browser.goto(page.url())?;
    wait_until_started(&browser)?;

    for file in ["boot.js", "web.js", "web_bg.wasm", "style.css"] {
        let status = browser.js(
            "return performance.getEntriesByName(arguments[0])[0]?.responseStatus",
            &json!([format!("{}{file}", page.url())]),
        )?;
        assert_eq!(status, 200, "{file}");
    }
    assert_eq!(browser.console()?, [""; 0]);
    Ok(())
}

#[test]
fn the_page_can_neither_run_foreign_code_nor_send_data_away() -> Result<()> {
    let page = Page::shared()?;
    let browser = Browser::start()?;
    browser.goto(page.url())?;
    wait_until_started(&browser)?;

    browser.js(
        r#"
        window.blocked = [];
        document.addEventListener("securitypolicyviolation", e => blocked.push(e.effectiveDirective));
        const inline = document.createElement("script");
        inline.textContent = "window.inlineRan = true";
        document.head.append(inline);
        fetch("http://127.0.0.1:9/collect", { method: "POST", body: "a message" }).catch(() => {});
        "#,
        &json!([]),
    )?;
    browser.wait_for("both to be blocked", |browser| {
        let blocked = browser.js("return window.blocked.toSorted()", &json!([]))?;
        Ok(blocked == json!(["connect-src", "script-src-elem"]))
    })?;
    assert_eq!(
        browser.js("return window.inlineRan ?? false", &json!([]))?,
        false
    );
    Ok(())
}

#[test]
fn the_page_may_share_memory_between_its_workers() -> Result<()> {
    let browser = Browser::start()?;
    browser.goto(Page::shared()?.url())?;
    assert_eq!(browser.js("return crossOriginIsolated", &json!([]))?, true);
    Ok(())
}
