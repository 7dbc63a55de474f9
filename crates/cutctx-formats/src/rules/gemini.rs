//! The Gemini API.

use super::findings::Findings;
use super::names::{
    BLANK_TEXT, CALL_NOT_AFTER_USER, EMPTY_CONTENT, FIRST_NOT_USER, INVALID_ARGUMENTS, ORPHAN_RESULT,
    RESULT_NAME_DIFFERS, RESULT_NOT_AN_OBJECT, ROLES_NOT_ALTERNATING, SIGNATURE_MISSING, SPLIT_RESULTS,
    UNANSWERED_CALL,
};
use super::sent::Sent;
use super::{Rule, Severity, arguments, emptiness, in_flight, pairing, reasoning, roles};
use crate::format::Dialect;

pub(super) fn check(sent: &Sent<'_>, found: &mut Findings) {
    let messages = &sent.messages;
    pairing::by_number(messages, found);
    pairing::calls_after_user(messages, found);
    roles::user_first_after_system(messages, found);
    roles::sides_alternate(messages, found);
    emptiness::contents(sent, found);
    emptiness::texts(sent, found);
    arguments::are_objects(messages, found);
    reasoning::signs_calls(sent, found);
    reasoning::responses_are_objects(sent, found);
}

/// The provider's page on function calling.
const FUNCTIONS: &str = "https://ai.google.dev/gemini-api/docs/function-calling";
/// Its reference of contents.
const CONTENTS: &str = "https://ai.google.dev/api/caching#Content";

pub(super) static RULES: [Rule; 13] = [
    Dialect::Gemini.rule(
        UNANSWERED_CALL,
        Severity::Refused,
        "the content after a function call has fewer responses than there are calls",
        "answer every call, if only with a note that it was not completed, or drop the calls with their exchange",
        "https://github.com/google-gemini/gemini-cli/issues/3814",
    ),
    in_flight::rule(Dialect::Gemini),
    Dialect::Gemini.rule(
        ORPHAN_RESULT,
        Severity::Refused,
        "a function response answers no call of the content before it",
        "drop the response, or put the call back",
        "https://github.com/google-gemini/gemini-cli/issues/17208",
    ),
    Dialect::Gemini.rule(
        SPLIT_RESULTS,
        Severity::Refused,
        "the responses to parallel calls stand in several contents",
        "put them into one content",
        "https://github.com/google-gemini/gemini-cli/issues/3814",
    ),
    Dialect::Gemini.rule(
        CALL_NOT_AFTER_USER,
        Severity::Refused,
        "a function call does not come directly after the user or a function response",
        "keep what stood before the call, or join it with the model's content before it",
        "https://github.com/google-gemini/gemini-cli/issues/26486",
    ),
    Dialect::Gemini.rule(
        RESULT_NAME_DIFFERS,
        Severity::Advice,
        "the names of the responses are not those of the calls",
        "give each response the name of its call",
        FUNCTIONS,
    ),
    Dialect::Gemini.rule(
        RESULT_NOT_AN_OBJECT,
        Severity::Refused,
        "what a function responds is no JSON object",
        "put it into an object, such as {\"output\": …}",
        FUNCTIONS,
    ),
    Dialect::Gemini.rule(
        INVALID_ARGUMENTS,
        Severity::Refused,
        "the arguments of a call are no JSON object",
        "replace the arguments by an object",
        FUNCTIONS,
    ),
    Dialect::Gemini.rule(
        SIGNATURE_MISSING,
        Severity::Refused,
        "in the turn that is still going on, the first call of a step has lost its signature",
        "put the signature back",
        "https://ai.google.dev/gemini-api/docs/thought-signatures",
    ),
    Dialect::Gemini.rule(EMPTY_CONTENT, Severity::Refused, "a content has no parts", "drop the content", CONTENTS),
    Dialect::Gemini.rule(
        BLANK_TEXT,
        Severity::Advice,
        "a text is empty or white space: some endpoints refuse it",
        "drop the part, or the content when it says nothing else",
        CONTENTS,
    ),
    Dialect::Gemini.rule(
        FIRST_NOT_USER,
        Severity::Advice,
        "the first content is not the user's: some models refuse it",
        "keep the first user content",
        "https://github.com/google-gemini/gemini-cli/issues/26486",
    ),
    Dialect::Gemini.rule(
        ROLES_NOT_ALTERNATING,
        Severity::Repaired,
        "user and model do not take turns: old models refused it, new ones join the contents",
        "join neighbouring contents of one role",
        "https://github.com/Portkey-AI/gateway/pull/246",
    ),
];
