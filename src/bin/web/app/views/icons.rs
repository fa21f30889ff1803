//! Small drawings. Each stands beside or inside something that has words of its own.

use yew::prelude::*;

pub fn logo() -> Html {
    html! {
        <svg class="logo-mark" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
            <rect class="fill-verified" x="2" y="4" width="11" height="14" rx="2" />
            <rect class="fill-lost" x="13" y="4" width="4" height="14" />
            <path class="stroke-ink" d="M13 1v20" stroke-width="1.8" />
        </svg>
    }
}

fn icon(path: &'static str) -> Html {
    html! {
        <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d={path} /></svg>
    }
}

pub fn first() -> Html {
    icon("M13 3v10L8 8zM8 3v10L3 8zM2 3h1.2v10H2z")
}

pub fn back() -> Html {
    icon("M11 3v10L5 8z")
}

pub fn forward() -> Html {
    icon("M5 3v10l6-5z")
}

pub fn last() -> Html {
    icon("M3 3v10l5-5zM8 3v10l5-5zM12.8 3H14v10h-1.2z")
}

pub fn play() -> Html {
    icon("M4 2.5v11l9-5.5z")
}

pub fn pause() -> Html {
    icon("M4 3h3v10H4zM9 3h3v10H9z")
}

pub fn target() -> Html {
    icon(
        "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6zM8 5.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2z",
    )
}

pub fn theme() -> Html {
    icon("M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.5v11a5.5 5.5 0 0 1 0-11z")
}

pub fn chevron() -> Html {
    icon("M5.5 3.5 10 8l-4.5 4.5-1-1L8 8 4.500 4.500z")
}

pub fn plus() -> Html {
    icon("M7.2 3h1.6v4.200H13v1.600H8.800V13H7.200V8.800H3V7.200h4.200z")
}

pub fn minus() -> Html {
    icon("M3 7.200h10v1.600H3z")
}

/// All of it, from edge to edge.
pub fn fit() -> Html {
    icon("M2 3h1.500v10H2zM12.500 3H14v10h-1.500zM7 4.500 4 8l3 3.500V9h2v2.500L12 8 9 4.500V7H7z")
}

pub fn next_decision() -> Html {
    icon("M2 3v10l5-5zM11 4.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z")
}
