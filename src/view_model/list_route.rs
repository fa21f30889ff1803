//! What the views of queues and of the index show, as it stands in the address: `list:TopicA/0 image:reput offset:17 tags:"A || B"`.

use super::message_filter::{word_of, words};
use crate::recovery::trace::Image;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListRoute {
    /// A queue's or an index file's name.
    pub list: Option<String>,
    pub image: Option<Image>,
    /// Read as a consumer from here on.
    pub offset: Option<i64>,
    pub tags: String,
    /// A key looked up.
    pub topic: String,
    pub key: String,
    /// Stored when: as in a filter of messages.
    pub time: String,
}

/// The words of images in addresses and on the page (`image.<word>`).
pub const IMAGES: [(&str, Image); 3] = [
    ("before", Image::Before),
    ("load", Image::AfterLoad),
    ("reput", Image::AfterReput),
];

impl ListRoute {
    pub fn parse(text: &str) -> Self {
        let mut route = Self::default();
        for word in words(text) {
            let Some((name, value)) = word.split_once(':') else {
                continue;
            };
            let value = value.to_owned();
            match name {
                "list" => route.list = Some(value),
                "image" => {
                    route.image = IMAGES
                        .iter()
                        .find(|(word, _)| *word == value)
                        .map(|(_, image)| *image);
                }
                "offset" => route.offset = value.parse().ok(),
                "tags" => route.tags = value,
                "topic" => route.topic = value,
                "key" => route.key = value,
                "time" => route.time = value,
                _ => {}
            }
        }
        route
    }

    pub fn image(&self) -> Image {
        self.image.unwrap_or(Image::Before)
    }

    pub fn text(&self) -> String {
        let mut words = Vec::new();
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                words.push(word_of(name, value));
            }
        };
        add("list", self.list.as_deref().unwrap_or(""));
        let image = IMAGES.iter().find(|(_, image)| Some(*image) == self.image);
        add("image", image.map_or("", |(word, _)| word));
        add(
            "offset",
            &self.offset.map_or(String::new(), |at| at.to_string()),
        );
        add("tags", &self.tags);
        add("topic", &self.topic);
        add("key", &self.key);
        add("time", &self.time);
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_it_was_made_of() {
        let route = ListRoute {
            list: Some("%RETRY%group 1/0".to_owned()),
            image: Some(Image::AfterReput),
            offset: Some(17),
            tags: "A || B".to_owned(),
            topic: "Order".to_owned(),
            key: "a:b".to_owned(),
            time: "2023-11-14T22:00..23:00".to_owned(),
        };
        assert_eq!(ListRoute::parse(&route.text()), route);
        assert_eq!(ListRoute::default().text(), "");
    }
}
