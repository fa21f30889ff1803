//! The keys of the recovery view.

use super::super::workbench::{is_dialog_open, is_inside, is_plain};
use super::zoom::Zoom;
use super::{Msg, Panel};
use storescope::view_model::selection::Move;
use web_sys::KeyboardEvent;

/// Keys that work wherever the focus is, but in a place that takes them itself.
pub(super) fn pressed(event: &KeyboardEvent) -> Option<Msg> {
    if !is_plain(event) || is_dialog_open() {
        return None;
    }
    let own_keys = is_inside(event, "[data-own-keys]");
    let msg = match event.key().as_str() {
        "j" => Msg::Move(Move::Next),
        "k" => Msg::Move(Move::Previous),
        "d" => Msg::Decide,
        "p" => Msg::Play,
        "n" => Msg::Move(Move::NextDecision),
        "N" => Msg::Move(Move::PreviousDecision),
        "," => Msg::ByMessage { forward: false },
        "." => Msg::ByMessage { forward: true },
        "<" => Msg::Faster(false),
        ">" => Msg::Faster(true),
        "+" | "=" => Msg::Zoom(Zoom::In),
        "-" => Msg::Zoom(Zoom::Out),
        "0" => Msg::Zoom(Zoom::Fit),
        "z" => Msg::Zoom(Zoom::Step),
        "t" => Msg::Table,
        "b" => Msg::Show(Panel::Bytes),
        "w" => Msg::Show(Panel::Why),
        _ if own_keys => return None,
        "ArrowRight" if event.shift_key() => Msg::Zoom(Zoom::Pan(0.25)),
        "ArrowLeft" if event.shift_key() => Msg::Zoom(Zoom::Pan(-0.25)),
        "PageDown" => Msg::Move(Move::NextDecision),
        "PageUp" => Msg::Move(Move::PreviousDecision),
        "ArrowDown" => Msg::Move(Move::Next),
        "ArrowUp" => Msg::Move(Move::Previous),
        "ArrowRight" => Msg::FoldHere { open: true },
        "ArrowLeft" => Msg::FoldHere { open: false },
        "Home" => Msg::Move(Move::First),
        "End" => Msg::Move(Move::Last),
        _ => return None,
    };
    Some(msg)
}
