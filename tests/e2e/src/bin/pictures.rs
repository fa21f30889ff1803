//! The README's pictures: a real crashed store, in both themes and at two widths. `cargo xtask pictures` calls it.

use e2e::{Browser, ColourScheme, Page, Result};
use serde_json::json;
use std::{env, path::PathBuf};

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1).map(PathBuf::from);
    let (Some(store), Some(into)) = (arguments.next(), arguments.next()) else {
        return Err("pictures STORE FOLDER".into());
    };
    std::fs::create_dir_all(&into)?;
    let page = Page::serve()?;
    for (theme, name) in [(ColourScheme::Light, "light"), (ColourScheme::Dark, "dark")] {
        let browser = Browser::start()?;
        browser.set_colour_scheme(theme)?;
        browser.set_viewport(1440, 860)?;
        browser.goto(page.url())?;
        browser.wait_for("the samples", |browser| browser.exists(".sample"))?;
        // The example beside the drop zone is drawn when its store has been recovered.
        std::thread::sleep(std::time::Duration::from_secs(3));
        browser.screenshot(into.join(format!("first-{name}-1440.png")))?;
        browser.drop_paths("#drop", &[&store])?;
        for (width, height) in [(1440, 860), (1024, 900)] {
            browser.set_viewport(width, height)?;
            browser.wait_for("the bytes", |browser| {
                Ok(browser.exists("#verdict")? && browser.js("return document.querySelectorAll('#bytes tr, #bytes [data-offset]').length", &json!([]))?.as_u64() > Some(0))
            })?;
            std::thread::sleep(std::time::Duration::from_millis(800));
            browser.screenshot(into.join(format!("recovery-{name}-{width}.png")))?;
        }
    }
    Ok(())
}
