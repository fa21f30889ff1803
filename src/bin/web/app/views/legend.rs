//! What the colours mean. Each has its pattern and its word.

use storescope::language::Language;
use storescope::view_model::Tone;
use yew::prelude::*;

pub const ROWS: [(Tone, &str); 6] = [
    (Tone::Verified, "legend.verified"),
    (Tone::Trusted, "legend.trusted"),
    (Tone::Unread, "legend.unread"),
    (Tone::Lost, "legend.dropped"),
    (Tone::Rebuilt, "legend.rebuilt"),
    (Tone::Blank, "legend.blank"),
];

/// How a tone is filled in a drawing. The patterns are defined once, by [`patterns`].
pub fn fill(tone: Tone) -> &'static str {
    match tone {
        Tone::Verified => "url(#fill-verified)",
        Tone::Trusted => "url(#fill-trusted)",
        Tone::Unread => "url(#fill-unread)",
        Tone::Lost => "url(#fill-lost)",
        Tone::Rebuilt => "url(#fill-rebuilt)",
        Tone::Blank | Tone::Plain | Tone::Warn => "url(#fill-blank)",
    }
}

/// The patterns of all drawings of the page.
pub fn patterns() -> Html {
    html! {
        <svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
            <pattern id="fill-verified" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="fill-verified" width="8" height="8" /></pattern>
            <pattern id="fill-blank" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="fill-blank" width="8" height="8" /></pattern>
            <pattern id="fill-trusted" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect class="fill-trusted-pale" width="6" height="6" /><path class="stroke-trusted" d="M0 0V6" stroke-width="2" />
            </pattern>
            <pattern id="fill-unread" width="6" height="6" patternUnits="userSpaceOnUse">
                <rect class="fill-unread-pale" width="6" height="6" /><circle class="dot-unread" cx="3" cy="3" r="1" />
            </pattern>
            <pattern id="fill-lost" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
                <rect class="fill-lost-pale" width="5" height="5" /><path class="stroke-lost" d="M0 0V5" stroke-width="2.4" />
            </pattern>
            <pattern id="fill-rebuilt" width="4" height="4" patternUnits="userSpaceOnUse">
                <rect class="fill-rebuilt" width="4" height="4" /><path class="stroke-rebuilt-pale" d="M0 0H4" stroke-width="1" />
            </pattern>
        </defs></svg>
    }
}

pub fn legend(language: Language) -> Html {
    html! {
        <ul class="legend">
            { for ROWS.iter().map(|(tone, key)| html! {
                <li>
                    <svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="2" fill={fill(*tone)} /></svg>
                    { language.text(key) }
                </li>
            }) }
        </ul>
    }
}
