//! Questions about lists: messages, units, index entries, look-ups. A search for messages goes on where the last question left it.

use storescope::brokers::hits::Hits;
use storescope::brokers::rows::Known;
use storescope::brokers::{self, Asked};
use storescope::protocol::{Answer, FoundSoFar, Question};
use storescope::recovery::Outcome;
use storescope::store::find::{self, Sought};
use storescope::store::{ReadError, Store};

#[derive(Default)]
pub struct Lists {
    known: Known,
    asked: Asked,
    hits: Option<Hits>,
}

impl Lists {
    pub fn of(outcome: &Outcome, asked: &Asked) -> Self {
        Self {
            known: Known::of(outcome),
            // What was read off the files as dropped holds for those after the start.
            asked: Asked {
                settings: outcome.options.settings.clone(),
                ..asked.clone()
            },
            hits: None,
        }
    }

    pub fn answer(&mut self, store: &Store, question: Question) -> Result<Answer, String> {
        let (known, asked) = (&self.known, &self.asked);
        Ok(match question {
            Question::Find { filter, budget } => {
                let hits = match self.hits.take() {
                    Some(hits) if *hits.filter() == *filter => hits,
                    _ => Hits::of(*filter),
                };
                let hits = self.hits.insert(hits);
                let found = hits.go_on(store, known, budget).map(|()| FoundSoFar {
                    rows: hits.rows(),
                    read: hits.read(),
                });
                Answer::Find(found)
            }
            Question::Rows {
                filter,
                from,
                count,
            } => {
                let hits = self.hits.as_ref().filter(|hits| *hits.filter() == *filter);
                let rows = hits.map(|hits| hits.get(store, known, from, count));
                // Of another filter than the last one nothing is known any more: whoever asks has asked anew since.
                Answer::Rows(rows.unwrap_or_else(|| Ok(Vec::new())))
            }
            Question::RowOf { filter, place } => {
                let hits = self.hits.as_ref().filter(|hits| *hits.filter() == *filter);
                let row = hits.map(|hits| hits.row_of(store, known, &place));
                Answer::RowOf(row.unwrap_or(Ok(None)))
            }
            Question::Open { place } => {
                Answer::Open(brokers::open_message(store, &place, asked).map(Box::new))
            }
            Question::List { kind, name, image } => {
                Answer::List(brokers::list(store, known, asked, kind, &name, image))
            }
            Question::ListOf { place } => Answer::ListOf(brokers::list_of(store, &place.file)),
            Question::Entries { list } => {
                Answer::Entries(brokers::entries(store, known, asked, &list))
            }
            Question::FirstWrong { list } => {
                Answer::FirstWrong(brokers::first_wrong(store, known, asked, &list))
            }
            Question::LookUp { key, image } => {
                Answer::LookUp(brokers::look_up(store, known, asked, &key, image).map(Box::new))
            }
            Question::Pull { pull, image } => {
                Answer::Pull(brokers::pull(store, known, asked, &pull, image).map(Box::new))
            }
            Question::Seek {
                place,
                needle,
                budget,
            } => {
                let sought = match store.get(&place.file) {
                    Some(file) => find::find(&**file, &needle, place.offset, budget)
                        .map_err(|error: ReadError| error.in_file(place.file.as_str())),
                    None => Ok(Sought::Nowhere),
                };
                Answer::Seek(sought)
            }
            _ => return Err("this is no question about a list".to_owned()),
        })
    }
}
