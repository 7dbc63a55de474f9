//! Every error code is reached, and a format from outside plugs in.

use alloc::collections::BTreeSet;

use cutctx_formats::raw::{Span, Splices};
use cutctx_formats::{
    About, Confidence, Dialect, Document, Evidence, Fate, Format, FormatError, Lens, OpenAiChat, ReadRequest,
    Reading, Session, View,
};
use cutctx_types::{CharRatioEstimator, Coded, DetailValue, Role, Transcript, TranscriptTurn};

/// A format that somebody else might write: every line that is no filler is a turn.
#[derive(Debug)]
struct PlainLines {
    /// Whether its lens contradicts itself.
    defective: bool,
}

#[derive(Debug)]
struct PlainLens {
    lines: Vec<Span>,
    defective: bool,
}

static ABOUT: About = About {
    name: "plain-lines",
    describe: "JSON strings, one a line",
    told_by: "nothing",
    evidence: Evidence::Grammar,
    dialect: Dialect::Free,
};

impl Format for PlainLines {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, _document: &Document<'_>) -> Option<Confidence> {
        Some(Confidence::Possible)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let mut turns = Vec::new();
        let mut lines = Vec::new();
        for line in document.lines().filter(|line| !line.is_filler()) {
            let node = line.value().map_err(|error| FormatError::syntax(error, document.text()))?;
            let text = node.string().unwrap_or_default();
            turns.push(TranscriptTurn::new(
                line.number.to_string(),
                Role::User,
                text.as_ref(),
                request.estimator.text(&text),
            )?);
            lines.push(line.span);
        }
        Ok(Reading::new(Transcript::new(turns)?, PlainLens { lines, defective: self.defective }))
    }
}

impl Lens for PlainLens {
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError> {
        let mut splices = Splices::new();
        for (turn, line) in self.lines.iter().enumerate().filter(|(turn, _)| view.is_gone(*turn)) {
            splices.remove(*line);
            if self.defective {
                splices.remove(Span { start: line.start, end: line.end + turn });
            }
        }
        Ok(splices)
    }
}

static PLAIN: PlainLines = PlainLines { defective: false };
static DEFECTIVE: PlainLines = PlainLines { defective: true };

fn plain(format: &'static dyn Format) -> Session {
    Session::read_as(format, "\"one\"\n\"two\"\n\"three\"\n", &CharRatioEstimator::default()).unwrap()
}

#[test]
fn a_format_from_outside_reads_and_writes() {
    let session = plain(&PLAIN);
    assert_eq!((session.format().name(), session.context_bytes()), ("plain-lines", 11));
    let rendered = session.render(&[Fate::Kept, Fate::Dropped, Fate::Kept], &[]).unwrap();
    assert_eq!(
        (rendered.to_text().as_str(), rendered.first_changed_byte()),
        ("\"one\"\n\"three\"\n", Some(6))
    );
}

#[test]
fn every_error_code_is_reached() {
    let estimator = CharRatioEstimator::default();
    let read = |text: &str| Session::read(text, &estimator).map(|session| session.file_bytes()).unwrap_err();
    let turn = r#"{"turn_id":"t","role":"user","content":"","token_estimate":1}"#;
    let chat = Session::read(r#"[{"role":"user","content":"u"}]"#, &estimator).unwrap();
    let system =
        Session::read(r#"{"system":"s","messages":[{"role":"user","content":"u"}]}"#, &estimator).unwrap();
    let conversation = r#"{"messages":[{"role":"user","content":"u"}]}"#;
    let render = |session: &Session, fates: &[Fate<'_>]| session.render(fates, &[]).map(|_| ()).unwrap_err();
    let errors = [
        ("FORMAT_EMPTY", read(" ")),
        ("FORMAT_NOT_UTF8", Session::read(vec![b'[', 0xff], &estimator).map(|_| ()).unwrap_err()),
        ("FORMAT_SYNTAX", read("[1,")),
        ("FORMAT_SYNTAX", read("{\"role\":\"user\",\"content\":\"u\"}\n{\"role\":")),
        ("FORMAT_SEVERAL_DOCUMENTS", read("[\n1]\n[2]")),
        ("FORMAT_UNRECOGNIZED", read("{\"a\":1}")),
        ("FORMAT_SEVERAL_CONVERSATIONS", read(&format!("{conversation}\n{conversation}"))),
        ("FORMAT_RECORD", read(r#"[{"role":"user","content":1}]"#)),
        ("FORMAT_FATE_COUNT", render(&chat, &[])),
        ("COMPACTION_SUMMARY_MISSING", render(&chat, &[Fate::SummarizedInto("g")])),
        ("FORMAT_UNCHANGEABLE", render(&system, &[Fate::Masked("m"), Fate::Kept])),
        ("FORMAT_EDIT", render(&plain(&DEFECTIVE), &[Fate::Dropped; 3])),
        ("VALIDATION_ERROR", read(&format!("[{turn},{turn}]"))),
        ("VALIDATION_ERROR", read(&format!("[{}]", turn.replace(r#""t""#, r#""""#)))),
        ("TOKEN_OVERFLOW", read(&format!("[{}]", turn.replace(":1}", ":99999999999999999999}")))),
    ];
    for (code, error) in &errors {
        assert_eq!(error.code().as_str(), *code, "{error}");
        let text = error.to_string();
        assert!(!text.starts_with(char::is_uppercase) && !text.ends_with('.'), "{text}");
        let line = error.details().iter().find(|(name, _)| *name == "line").map(|(_, value)| value.clone());
        assert_eq!(line.is_some(), error.place().is_some(), "{error}");
        assert_eq!(line, error.place().map(|place| DetailValue::from(place.line)), "{error}");
    }
    assert_eq!(errors[3].1.place().map(|place| place.line), Some(2), "the broken line is named");
    assert_eq!(errors.iter().map(|(code, _)| *code).collect::<BTreeSet<_>>().len(), 13);
}

#[test]
fn a_file_can_be_read_as_a_format_that_it_does_not_look_like() {
    let text = r#"{"model":"claude-x","messages":[{"role":"user","content":"u"}]}"#;
    let estimator = CharRatioEstimator::default();
    assert_eq!(Session::read(text, &estimator).unwrap().format().name(), "anthropic-messages");
    assert_eq!(Session::read_as(&OpenAiChat, text, &estimator).unwrap().format().name(), "openai-chat");
}

#[test]
fn sessions_can_be_sent_between_threads_and_show_no_text() {
    fn sendable<T: Send + Sync + core::fmt::Debug>(value: &T) -> String {
        format!("{value:?}")
    }
    let session =
        Session::read(r#"[{"role":"user","content":"hunter2"}]"#, &CharRatioEstimator::default()).unwrap();
    assert!(!sendable(&session).contains("hunter2"));
}
