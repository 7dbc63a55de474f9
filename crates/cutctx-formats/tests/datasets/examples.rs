//! The examples of these formats.

use cutctx_formats::{FormatError, ReadRequest, Session};
use cutctx_types::{CharRatioEstimator, Role};

use crate::laws::check_laws;

/// Format, name and text of an example.
pub(crate) type Example = (&'static str, &'static str, &'static str);

macro_rules! examples {
    ($(($format:literal, $name:literal)),* $(,)?) => {
        [$(($format, $name, include_str!(concat!("../../../../examples/", $name)))),*]
    };
}

pub(crate) const EXAMPLES: [Example; 19] = examples![
    ("swe-agent", "swe-agent.traj"),
    ("swe-agent", "swe-agent-calls.traj"),
    ("mini-swe-agent", "mini-swe-agent.traj.json"),
    ("openhands", "openhands.json"),
    ("openhands", "openhands-output.jsonl"),
    ("sharegpt", "sharegpt.json"),
    ("toolbench", "toolbench.json"),
    ("trae-agent", "trae-agent.json"),
    ("letta", "letta.af"),
    ("inspect", "inspect.json"),
    ("autogen", "autogen.json"),
    ("otel-genai", "otel-genai.json"),
    ("otel-genai", "otel-genai-otlp.json"),
    ("google-adk", "google-adk.session.json"),
    ("langchain", "langchain.json"),
    ("langchain", "langchain.jsonl"),
    ("atif", "atif.json"),
    ("ironclaw", "ironclaw.json"),
    ("tau2", "tau2.json"),
];

/// All conversations of a file.
pub(crate) fn conversations(bytes: &[u8]) -> Result<Vec<Session>, FormatError> {
    let estimator = CharRatioEstimator::default();
    match Session::read(bytes, &estimator) {
        Ok(session) => Ok(vec![session]),
        Err(FormatError::SeveralConversations { conversations, .. }) => (0..conversations)
            .map(|one| Session::read_with(None, bytes, &ReadRequest::new(&estimator).of_conversation(one)))
            .collect(),
        Err(error) => Err(error),
    }
}

/// The text of an example.
pub(crate) fn example(name: &str) -> &'static str {
    EXAMPLES.iter().find(|(_, own, _)| *own == name).unwrap().2
}

/// A conversation of an example.
pub(crate) fn read(name: &str, conversation: usize) -> Session {
    conversations(example(name).as_bytes()).unwrap().swap_remove(conversation)
}

/// The first letters of the roles, and `!` behind a pinned turn.
pub(crate) fn outline(session: &Session) -> String {
    let letter = |role| match role {
        Role::System => 's',
        Role::User => 'u',
        Role::Assistant => 'a',
        Role::Tool => 't',
    };
    let mut outline = String::new();
    for turn in session.transcript().turns() {
        outline.push(letter(turn.role()));
        if turn.pinned() {
            outline.push('!');
        }
    }
    outline
}

#[test]
fn every_example_is_recognised_and_keeps_the_laws() {
    let mut failed = Vec::new();
    for (format, name, text) in EXAMPLES {
        let sessions = conversations(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (index, session) in sessions.iter().enumerate() {
            assert_eq!(session.format().name(), format, "{name}");
            let note = format!("{name}#{index}");
            let check = core::panic::AssertUnwindSafe(|| check_laws(session, 0..200, &note));
            if std::panic::catch_unwind(check).is_err() {
                failed.push(note.clone());
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
