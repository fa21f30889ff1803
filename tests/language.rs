//! The texts that the page fetches are those that the library has.

use std::path::Path;
use storescope::language::Language;

#[test]
fn the_texts_that_the_page_fetches_are_the_librarys() {
    for (file, language) in [
        ("en.json", Language::English),
        ("zh.json", Language::Chinese),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("static")
            .join(file);
        let texts = serde_json::to_string_pretty(&language.to_fetch()).unwrap() + "\n";
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &texts).unwrap();
        }
        let fetched = std::fs::read_to_string(&path).unwrap();
        assert!(
            fetched == texts,
            "static/{file} is old: BLESS=1 cargo test --test language"
        );
    }
}
