//! From a place to the views that show it: the same row of buttons wherever a place is named.

use super::ViewProps;
use storescope::recovery::Place;
use storescope::recovery::map::LaneKind;
use storescope::recovery::trace::Image;
use storescope::view_model::file_rows;
use storescope::view_model::route::{Go, View};
use yew::prelude::*;

/// Buttons to every other view that can show a place.
pub fn doors(place: &Place, props: &ViewProps) -> Html {
    let ViewProps {
        loaded,
        language,
        route,
        go,
        ..
    } = props;
    let listed = storescope::brokers::has_lists(&loaded.outcome);
    let holds = match file_rows::lane_kind(&loaded.outcome, &place.file) {
        Some(LaneKind::Log) => Some(View::Messages),
        Some(LaneKind::Queue) => Some(View::Queues),
        Some(LaneKind::Index) => Some(View::Index),
        None => None,
    };
    let there = place.image != Image::Missing;
    let views = [
        holds.filter(|_| there && listed),
        Some(View::Files),
        there.then_some(View::Bytes),
    ];
    let other = views
        .into_iter()
        .flatten()
        .filter(|view| *view != route.view);
    html! {
        <div class="doors">
            <span class="quiet">{ language.text("doors.show-in") }</span>
            { for other.map(|view| {
                let to = route.at(view, place.clone());
                let go = go.clone();
                html! {
                    <button class="small" data-door={view.word()} onclick={move |_| go.emit(Go::To(Box::new(to.clone())))}>
                        { language.text(view.title()) }
                    </button>
                }
            }) }
        </div>
    }
}
