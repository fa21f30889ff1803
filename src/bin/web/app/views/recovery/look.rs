//! The bytes and records that are shown beside the steps: what was asked for, and the answers.

use super::{Msg, Recovery};
use crate::app::state::Ask;
use storescope::brokers::Record;
use storescope::protocol::{Answer, Question, Seen};
use storescope::recovery::Place;
use storescope::recovery::trace::Image;
use storescope::store::ReadError;
use storescope::view_model::selection;
use yew::prelude::*;

/// Bytes that were asked for. Until the answer is here, `seen` is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    pub place: Place,
    pub from: Option<u64>,
    pub seen: Option<Result<Seen, ReadError>>,
}

/// Records of the log that were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Records {
    pub around: i64,
    pub records: Option<Result<Vec<Record>, ReadError>>,
}

/// How many bytes of a record are shown at once.
pub const LOOK_BYTES: u64 = 256;
/// How far the magnifier looks to both sides.
const ZOOM_BYTES: u64 = 2048;

impl Recovery {
    /// The bytes that are looked at: of a record that was chosen, else of the step.
    pub(super) fn place<'s>(&'s self, ctx: &'s Context<Self>) -> Option<&'s Place> {
        let picked = ctx.props().route.place.as_ref();
        picked.or_else(|| selection::place(&ctx.props().loaded.outcome, self.playback.selected))
    }

    pub(super) fn look_at_place(&mut self, ctx: &Context<Self>) {
        self.field = None;
        let place = self.place(ctx);
        if let Some(place) = place.filter(|place| place.image != Image::Missing) {
            self.look(ctx, place.clone(), None);
        }
    }

    pub(super) fn look(&mut self, ctx: &Context<Self>, place: Place, from: Option<u64>) {
        // The bytes before stay until the new ones are here, unless they are another place's.
        let seen = self
            .look
            .take()
            .filter(|look| look.place == place)
            .and_then(|look| look.seen);
        let question = Question::Look {
            place: place.clone(),
            from,
            length: LOOK_BYTES,
        };
        let asked = place.clone();
        let reply = ctx.link().batch_callback(move |answer| {
            let Answer::Look(seen) = answer else {
                return None;
            };
            Some(Msg::Looked(Look {
                place: asked.clone(),
                from,
                seen: Some(seen),
            }))
        });
        self.look = Some(Look { place, from, seen });
        ctx.props().ask.emit(Ask { question, reply });
    }

    pub(super) fn find_records(&mut self, ctx: &Context<Self>, around: i64) {
        let records = self.records.take().and_then(|asked| asked.records);
        self.records = Some(Records { around, records });
        let question = Question::Records {
            around,
            bytes: ZOOM_BYTES,
        };
        let reply = ctx.link().batch_callback(move |answer| {
            let Answer::Records(records) = answer else {
                return None;
            };
            Some(Msg::Found(Records {
                around,
                records: Some(records),
            }))
        });
        ctx.props().ask.emit(Ask { question, reply });
    }
}
