//! Hostile files twice as large cost about twice as much: counted in what is handed to the estimator, which sees every
//! text that a reader takes out of the file, and in the size of what is rendered.

use alloc::borrow::Cow;
use core::sync::atomic::{AtomicUsize, Ordering};

use cutctx_formats::{Fate, Session};
use cutctx_messages::MessageEstimator;

#[derive(Default)]
struct Counter(AtomicUsize);

impl MessageEstimator for Counter {
    fn text(&self, text: &str) -> u64 {
        self.0.fetch_add(text.len() + 1, Ordering::Relaxed);
        1
    }

    fn label(&self) -> Cow<'_, str> {
        "counter".into()
    }
}

/// What reading and rendering a file hands around, in bytes.
fn cost(file: &str) -> usize {
    let counter = Counter::default();
    let Ok(session) = Session::read(file, &counter) else { return file.len() };
    let turns = session.transcript().turns().len();
    let fates: Vec<Fate<'_>> =
        (0..turns).map(|turn| if turn % 2 == 0 { Fate::Kept } else { Fate::Masked("x") }).collect();
    let rendered = session.render_with(&fates, &[], &counter).map_or(0, |rendered| rendered.to_text().len());
    counter.0.load(Ordering::Relaxed) + rendered + session.violations().len()
}

/// Files of one shape, of a size.
const SHAPES: [fn(usize) -> String; 5] = [
    |size| format!("[{}]", vec![r#"{"role":"user","content":"u"}"#; size].join(",")),
    |size| {
        let calls =
            vec![r#"{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}"#; size].join(",");
        let results = vec![r#"{"role":"tool","tool_call_id":"c","content":"r"}"#; size].join(",");
        format!(
            r#"[{{"role":"user","content":"u"}},{{"role":"assistant","content":null,"tool_calls":[{calls}]}},{results}]"#
        )
    },
    |size| {
        let blocks = vec![r#"{"type":"text","text":"t"}"#; size].join(",");
        format!(r#"{{"model":"claude-x","messages":[{{"role":"user","content":[{blocks}]}}]}}"#)
    },
    |size| format!(r#"[{{"role":"user","content":"u","deep":{}{}}}]"#, "[".repeat(size), "]".repeat(size)),
    |size| format!("[{{\"role\":\"user\",\"content\":\"{}\"}}]", "\\\"".repeat(size)),
];

#[test]
fn twice_the_file_is_twice_the_work() {
    for (index, shape) in SHAPES.iter().enumerate() {
        let (once, twice) = (cost(&shape(2_000)), cost(&shape(4_000)));
        assert!(twice <= 2 * once + once / 10, "shape {index}: {once} then {twice}");
    }
}
