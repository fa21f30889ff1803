//! The browser's half of `cargo xtask bench`: a large store recovered by the page, against the best plain read of the same file there.
//!
//! Watched meanwhile: tasks that hold the page's main thread, and the memory of the wasm that recovers.

use e2e::{Browser, Page, Result};
use serde_json::json;
use std::{env, path::PathBuf};

/// Keeps the dropped log file for the plain read, and every long task of the main thread.
const WATCH: &str = r#"
    window.bench = { tasks: [], file: null };
    new PerformanceObserver(list => bench.tasks.push(...list.getEntries().map(task => task.duration))).observe({ entryTypes: ["longtask"] });
    const find = entry => {
        if (entry.isFile && entry.fullPath.includes("/commitlog/")) entry.file(file => bench.file = file);
        if (entry.isDirectory) entry.createReader().readEntries(entries => entries.forEach(find));
    };
    addEventListener("drop", event => {
        for (const item of event.dataTransfer.items) find(item.webkitGetAsEntry());
        bench.dropped = performance.now();
    }, true);
    const look = () => window.storescope?.outcomeJson ? bench.shown = performance.now() : setTimeout(look, 5);
    look();
"#;

/// Milliseconds of the fastest way to read the whole file and do nothing with it.
const PLAIN_READ: &str = r#"
    const ways = {
        async stream(file) {
            const reader = file.stream().getReader({ mode: "byob" });
            let buffer = new ArrayBuffer(4 << 20);
            for (;;) {
                const { done, value } = await reader.read(new Uint8Array(buffer));
                if (done) return;
                buffer = value.buffer;
            }
        },
        async slices(file) {
            for (let at = 0; at < file.size; at += 16 << 20) await file.slice(at, at + (16 << 20)).arrayBuffer();
        },
    };
    let best = Infinity;
    for (const way of Object.values(ways)) {
        const start = performance.now();
        await way(bench.file);
        best = Math.min(best, performance.now() - start);
    }
    return best;
"#;

const ROUNDS: usize = 5;

fn main() -> Result<()> {
    let store = PathBuf::from(env::args().nth(1).ok_or("bench STORE")?);
    let page = Page::serve()?;
    let mut ratios = Vec::new();
    let (mut longest, mut memory) = (0.0f64, 0.0f64);
    for _ in 0..ROUNDS {
        let browser = Browser::start()?;
        browser.goto(page.url())?;
        browser.wait_for("the page to start", |browser| browser.exists("#drop"))?;
        browser.js(WATCH, &json!([]))?;
        browser.drop_paths("#drop", &[&store])?;
        browser.wait_for("the verdict", |browser| {
            Ok(browser.js("return bench.shown ?? 0", &json!([]))?.as_f64() > Some(0.0))
        })?;
        let number = |script: &str| -> Result<f64> {
            let value = browser.js(script, &json!([]))?;
            value
                .as_f64()
                .ok_or_else(|| format!("{script}: {value}").into())
        };
        let recovered = number("return bench.shown - bench.dropped")?;
        longest = longest.max(number("return Math.max(0, ...bench.tasks)")?);
        memory = memory.max(number("return storescope.wasmBytes() / 2 ** 20")?);
        let read = number(PLAIN_READ)?;
        let ratio = read / recovered;
        println!(
            "browser: best plain read {:.0} MiB/s, drop to verdict {:.0} MiB/s, ratio {ratio:.2}",
            1024.0 / read * 1000.0,
            1024.0 / recovered * 1000.0
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "browser: ratio, median of {ROUNDS}: {:.2} (wanted 0.50)",
        ratios[ROUNDS / 2]
    );
    println!("browser: longest task of the main thread {longest:.0} ms (wanted at most 100)");
    println!("browser: memory of the recovering wasm {memory:.0} MiB (wanted less than 512)");
    Ok(())
}
