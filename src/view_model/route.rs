//! Where a person is in the page: which store, which view, which step, what is chosen and filtered. All of it stands in the address'
//! fragment, so that a link shows to others what it showed to its maker, and the browser's back button goes back.
//!
//! `#sample=torn-tail&view=messages&step=31&place=commitlog/00000000000000000000@4096+301&filter.messages=topic:Order`
//!
//! Not here: the browser's history (the page writes and reads the fragment) and what a view makes of its filter's text.

use crate::brokers::Asked;
use crate::recovery::Place;
use crate::recovery::trace::Image;
use crate::store::StorePath;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::collections::BTreeMap;

/// A view of a recovered store. Its word is its name in addresses and style sheets; its title is `nav.<word>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    #[default]
    Recovery,
    Files,
    Messages,
    Queues,
    Index,
    Bytes,
    Check,
    Report,
}

impl View {
    pub const ALL: [Self; 8] = [
        Self::Recovery,
        Self::Files,
        Self::Messages,
        Self::Queues,
        Self::Index,
        Self::Bytes,
        Self::Check,
        Self::Report,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Recovery => "recovery",
            Self::Files => "files",
            Self::Messages => "messages",
            Self::Queues => "queues",
            Self::Index => "index",
            Self::Bytes => "bytes",
            Self::Check => "check",
            Self::Report => "report",
        }
    }

    /// The key of its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Recovery => "nav.recovery",
            Self::Files => "nav.files",
            Self::Messages => "nav.messages",
            Self::Queues => "nav.queues",
            Self::Index => "nav.index",
            Self::Bytes => "nav.bytes",
            Self::Check => "nav.check",
            Self::Report => "nav.report",
        }
    }

    fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.word() == word)
    }
}

/// Where a store comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// One of the samples beside the page.
    Sample(String),
    /// Dropped or picked, by the name that a person calls it. Its files have no address: a link to it opens once they are dropped again.
    Own(String),
}

impl Source {
    pub fn name(&self) -> &str {
        match self {
            Self::Sample(name) | Self::Own(name) => name,
        }
    }
}

/// A place in the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// None: the first screen.
    pub source: Option<Source>,
    /// The release, the settings and, of several stores, the one that were asked for.
    pub asked: Asked,
    pub view: View,
    /// None: the step that decided.
    pub step: Option<u32>,
    /// Inside a step that reads many messages: the log offset up to which it has read. None: all of them.
    pub inside: Option<i64>,
    /// The log offsets that the map shows. None: all.
    pub zoom: Option<(i64, i64)>,
    /// What is chosen: a message, a unit, a file. Its bytes are shown.
    pub place: Option<Place>,
    /// What each view is filtered by, as a person typed it.
    pub filters: BTreeMap<View, String>,
}

/// Where a person goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Go {
    /// Somewhere else: the browser's back button will lead here again.
    To(Box<Route>),
    /// A step further in the same view. It leaves no trace in the browser's history, and neither do those below.
    Step(u32),
    /// Inside a step: after the message that ends at a log offset.
    Inside(u32, i64),
    Zoom(Option<(i64, i64)>),
    Choose(Option<Place>),
    Filter(View, String),
}

impl Route {
    /// Of a store, at its beginning.
    pub fn of(source: Source) -> Self {
        Self {
            source: Some(source),
            ..Self::default()
        }
    }

    /// The same store under another release or other settings, or another one of several stores.
    pub fn under(&self, asked: Asked) -> Self {
        let is_same_store = asked.store == self.asked.store;
        Self {
            source: self.source.clone(),
            asked,
            view: self.view,
            filters: if is_same_store {
                self.filters.clone()
            } else {
                BTreeMap::new()
            },
            ..Self::default()
        }
    }

    /// The same store and step in another view.
    pub fn in_view(&self, view: View) -> Self {
        Self {
            view,
            ..self.clone()
        }
    }

    /// A place, in a view that can show it.
    pub fn at(&self, view: View, place: Place) -> Self {
        Self {
            place: Some(place),
            ..self.in_view(view)
        }
    }

    /// A step of the recovery.
    pub fn at_step(&self, step: u32) -> Self {
        Self {
            step: Some(step),
            inside: None,
            place: None,
            ..self.in_view(View::Recovery)
        }
    }

    /// What a view is filtered by.
    pub fn filter(&self, view: View) -> &str {
        self.filters.get(&view).map_or("", String::as_str)
    }

    /// The route after a person went somewhere.
    pub fn went(&self, go: Go) -> Self {
        let mut next = self.clone();
        match go {
            Go::To(route) => return *route,
            Go::Step(step) => {
                next.step = Some(step);
                next.inside = None;
                next.place = None;
            }
            Go::Inside(step, log_offset) => {
                next.step = Some(step);
                next.inside = Some(log_offset);
                next.place = None;
            }
            Go::Zoom(window) => next.zoom = window,
            Go::Choose(place) => next.place = place,
            Go::Filter(view, text) if text.is_empty() => {
                next.filters.remove(&view);
            }
            Go::Filter(view, text) => {
                next.filters.insert(view, text);
            }
        }
        next
    }

    /// Reads a fragment. What it does not understand it leaves out: an old link opens as far as it can.
    pub fn parse(fragment: &str) -> Self {
        let mut route = Self::default();
        for (key, value) in fragment.split('&').filter_map(|pair| pair.split_once('=')) {
            let decoded = |text| percent_decode_str(text).decode_utf8().ok();
            if let (Some(key), Some(value)) = (decoded(key), decoded(value)) {
                route.read(&key, &value);
            }
        }
        route
    }

    fn read(&mut self, key: &str, value: &str) {
        if let Some(setting) = key.strip_prefix(SETTING) {
            let settings = &mut self.asked.settings;
            settings.insert(setting.to_owned(), value.to_owned());
            return;
        }
        if let Some(view) = key.strip_prefix(FILTER).and_then(View::named) {
            self.filters.insert(view, value.to_owned());
            return;
        }
        match key {
            SAMPLE if is_file_name(value) => {
                self.source = Some(Source::Sample(value.to_owned()));
            }
            STORE => self.source = Some(Source::Own(value.to_owned())),
            FOLDER => self.asked.store = Some(value.to_owned()),
            RELEASE => self.asked.release = Some(value.to_owned()),
            VIEW => self.view = View::named(value).unwrap_or_default(),
            STEP => self.step = value.parse().ok(),
            INSIDE => self.inside = value.parse().ok(),
            ZOOM => {
                let ends = value.split_once(',');
                let ends = ends.and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
                self.zoom = ends.filter(|(from, to)| from < to);
            }
            PLACE => self.place = parse_place(value),
            _ => {}
        }
    }

    /// The fragment, without its `#`; empty for the first screen.
    pub fn fragment(&self) -> String {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut add = |key: &str, value: String| pairs.push((key.to_owned(), value));
        match &self.source {
            Some(Source::Sample(name)) => add(SAMPLE, name.clone()),
            Some(Source::Own(name)) => add(STORE, name.clone()),
            None => {}
        }
        if let Some(folder) = &self.asked.store {
            add(FOLDER, folder.clone());
        }
        if let Some(release) = &self.asked.release {
            add(RELEASE, release.clone());
        }
        for (key, value) in &self.asked.settings {
            add(&format!("{SETTING}{key}"), value.clone());
        }
        if self.view != View::default() {
            add(VIEW, self.view.word().to_owned());
        }
        if let Some(step) = self.step {
            add(STEP, step.to_string());
        }
        if let Some(log_offset) = self.inside {
            add(INSIDE, log_offset.to_string());
        }
        if let Some((from, to)) = self.zoom {
            add(ZOOM, format!("{from},{to}"));
        }
        if let Some(place) = &self.place {
            add(PLACE, place_text(place));
        }
        for (view, text) in &self.filters {
            add(&format!("{FILTER}{}", view.word()), text.clone());
        }
        pairs
            .into_iter()
            .map(|(key, value)| {
                let encoded = |text| utf8_percent_encode(text, ENCODED).to_string();
                format!("{}={}", encoded(&key), encoded(&value))
            })
            .collect::<Vec<_>>()
            .join("&")
    }
}

const SAMPLE: &str = "sample";
const STORE: &str = "store";
const FOLDER: &str = "folder";
const RELEASE: &str = "release";
const SETTING: &str = "set.";
const VIEW: &str = "view";
const STEP: &str = "step";
const INSIDE: &str = "inside";
const ZOOM: &str = "zoom";
const PLACE: &str = "place";
const FILTER: &str = "filter.";

/// All but what an address may hold as it is and what keeps it readable.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/')
    .remove(b':')
    .remove(b'@')
    .remove(b'!')
    .remove(b',');

/// A sample's name becomes part of an address: letters, digits and dashes only.
fn is_file_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// `commitlog/00000000000000000000@4096,301`, with the image behind it where it is not the store as dropped.
fn place_text(place: &Place) -> String {
    let image = match place.image {
        Image::Before => "",
        Image::AfterLoad => ",load",
        Image::AfterReput => ",reput",
        Image::Missing => ",missing",
    };
    format!(
        "{}@{},{}{image}",
        place.file.as_str(),
        place.offset,
        place.length
    )
}

fn parse_place(text: &str) -> Option<Place> {
    // A file's name may hold an @ itself: the last one counts.
    let (file, place) = text.rsplit_once('@')?;
    let mut parts = place.split(',');
    let offset = parts.next()?.parse().ok()?;
    let length = parts.next()?.parse().ok()?;
    let image = match parts.next() {
        None => Image::Before,
        Some("load") => Image::AfterLoad,
        Some("reput") => Image::AfterReput,
        Some("missing") => Image::Missing,
        Some(_) => return None,
    };
    Some(Place {
        file: StorePath::new(file),
        offset,
        length,
        image,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str, image: Image) -> Place {
        Place::before(&StorePath::new(file), 4096, 301).in_image(image)
    }

    #[test]
    fn a_link_shows_what_it_showed_to_its_maker() {
        let sources = [
            None,
            Some(Source::Sample("torn-tail".to_owned())),
            Some(Source::Own("my store & more=1 #é 商店".to_owned())),
            Some(Source::Own(String::new())),
        ];
        let places = [
            None,
            Some(place("commitlog/00000000000000000000", Image::Before)),
            Some(place("consumequeue/%RETRY%group@1/0/0", Image::AfterLoad)),
            Some(place("index/a,b", Image::AfterReput)),
            Some(place("checkpoint", Image::Missing)),
        ];
        for source in &sources {
            for view in View::ALL {
                for chosen in &places {
                    let route = Route {
                        source: source.clone(),
                        asked: Asked {
                            release: chosen.as_ref().map(|_| "rocketmq-4.9.3".to_owned()),
                            settings: [
                                ("checkCRCOnRecover".to_owned(), "false".to_owned()),
                                ("odd = & key".to_owned(), "1s 5s".to_owned()),
                            ]
                            .into(),
                            store: chosen.as_ref().map(|_| "a/b c".to_owned()),
                            ..Asked::default()
                        },
                        view,
                        step: chosen.as_ref().map(|_| 31),
                        inside: chosen.as_ref().map(|_| 1 << 60),
                        zoom: chosen.as_ref().map(|_| (-1, i64::MAX)),
                        place: chosen.clone(),
                        filters: View::ALL
                            .iter()
                            .map(|view| (*view, format!("topic:{} 50% & a=b\u{7f}", view.word())))
                            .collect(),
                    };
                    let fragment = route.fragment();
                    assert_eq!(Route::parse(&fragment), route, "{fragment}");
                    assert!(!fragment.contains([' ', '"', '<', '>', '#']), "{fragment}");
                }
            }
        }
    }

    #[test]
    fn the_first_screen_has_no_fragment() {
        assert_eq!(Route::default().fragment(), "");
        assert_eq!(Route::parse(""), Route::default());
    }

    #[test]
    fn a_broken_link_opens_as_far_as_it_can() {
        let route = Route::parse(
            "sample=torn-tail&step=x&inside=&zoom=9,3&view=nowhere&place=a&new=1&filter.no=a&%",
        );
        assert_eq!(route, Route::of(Source::Sample("torn-tail".to_owned())));
        assert_eq!(
            Route::parse("sample=../secret").source,
            None,
            "a sample's name leads nowhere else"
        );
    }

    #[test]
    fn a_readable_link_stays_readable() {
        let link =
            "sample=torn-tail&view=messages&step=31&place=commitlog/00000000000000000000@4096,301";
        assert_eq!(Route::parse(link).fragment(), link);
    }

    #[test]
    fn a_step_leaves_what_was_chosen_before_it() {
        let here = Route::of(Source::Own("store".to_owned()))
            .at(View::Messages, place("commitlog/0", Image::Before))
            .went(Go::Filter(View::Messages, "tag:A".to_owned()));
        let there = here.went(Go::Step(3));
        assert_eq!((there.step, &there.place), (Some(3), &None));
        assert_eq!(there.filter(View::Messages), "tag:A");
        assert_eq!(
            there
                .went(Go::Filter(View::Messages, String::new()))
                .filters
                .len(),
            0
        );
    }
}
