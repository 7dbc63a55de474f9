//! The chat completions API, and the servers that speak it.

use super::findings::Findings;
use super::names::{
    BLANK_TEXT, CALL_ID_SPELLING, EMPTY_MESSAGE, EMPTY_RESULT, FIRST_NOT_USER, INVALID_ARGUMENTS,
    ORPHAN_RESULT, REPEATED_CALL_ID, REPEATED_RESULT, ROLES_NOT_ALTERNATING, SYSTEM_NOT_FIRST,
    UNANSWERED_CALL,
};
use super::sent::Sent;
use super::{Rule, Severity, arguments, emptiness, in_flight, pairing, roles};
use crate::format::Dialect;

/// How long a call's id may be, in characters.
const LONGEST_ID: usize = 40;

pub(super) fn check(sent: &Sent<'_>, found: &mut Findings) {
    let messages = &sent.messages;
    pairing::in_tool_messages(messages, found);
    pairing::ids_unique_in_message(messages, found);
    emptiness::models_messages(sent, found);
    emptiness::results(messages, found);
    emptiness::texts(sent, found);
    arguments::are_json(messages, found);
    arguments::ids_at_most(LONGEST_ID, messages, found);
    roles::user_first_after_system(messages, found);
    roles::system_first(messages, found);
    roles::roles_alternate(messages, found);
}

pub(super) static RULES: [Rule; 13] = [
    Dialect::OpenAiChat.rule(
        UNANSWERED_CALL,
        Severity::Refused,
        "a tool call has no tool message directly after the message that makes it",
        "answer the call, if only with a note that it was not completed, or drop it with its exchange; join parallel calls that stand in messages of their own",
        "https://github.com/langchain-ai/open_deep_research/issues/164",
    ),
    in_flight::rule(Dialect::OpenAiChat),
    Dialect::OpenAiChat.rule(
        ORPHAN_RESULT,
        Severity::Refused,
        "a tool message answers no call of the message before it",
        "drop the result, or put the message with its call back",
        "https://github.com/langchain-ai/langchain/issues/38352",
    ),
    Dialect::OpenAiChat.rule(
        REPEATED_RESULT,
        Severity::Refused,
        "two tool messages answer the same call",
        "keep the first one",
        "https://github.com/agno-agi/agno/issues/5116",
    ),
    Dialect::OpenAiChat.rule(
        REPEATED_CALL_ID,
        Severity::Refused,
        "two calls of one message have the same id",
        "give one of the calls, and its result, another id",
        "https://github.com/openclaw/openclaw/pull/47136",
    ),
    Dialect::OpenAiChat.rule(
        EMPTY_MESSAGE,
        Severity::Refused,
        "an assistant message has neither content nor calls",
        "drop the message",
        "https://platform.openai.com/docs/api-reference/chat/create",
    ),
    Dialect::OpenAiChat.rule(
        EMPTY_RESULT,
        Severity::Refused,
        "a tool message has no content",
        "give it an empty text or a note",
        "https://platform.openai.com/docs/api-reference/chat/create",
    ),
    Dialect::OpenAiChat.rule(
        CALL_ID_SPELLING,
        Severity::Advice,
        "the id of a call has more than 40 characters",
        "shorten the id, in the call and in its result",
        "https://platform.openai.com/docs/api-reference/chat/create",
    ),
    Dialect::OpenAiChat.rule(
        INVALID_ARGUMENTS,
        Severity::Advice,
        "the arguments of a call are no JSON: servers that turn them into an object refuse the request",
        "replace the arguments by a JSON object",
        "observed in exported sessions",
    ),
    Dialect::OpenAiChat.rule(
        BLANK_TEXT,
        Severity::Advice,
        "a text is empty or white space: servers in front of other providers refuse it",
        "drop the text, or the message when it says nothing else",
        "https://github.com/aaif-goose/goose/pull/7343",
    ),
    Dialect::OpenAiChat.rule(
        FIRST_NOT_USER,
        Severity::Advice,
        "the first message after the system's is not the user's: strict servers refuse it",
        "keep the first user message",
        "https://github.com/AstrBotDevs/AstrBot/pull/6581",
    ),
    Dialect::OpenAiChat.rule(
        SYSTEM_NOT_FIRST,
        Severity::Advice,
        "a system message stands after others: strict servers refuse it",
        "move it to the front, or send it as a user message",
        "observed in chat templates of self-hosted models",
    ),
    Dialect::OpenAiChat.rule(
        ROLES_NOT_ALTERNATING,
        Severity::Advice,
        "user and assistant do not take turns: strict servers refuse it",
        "join neighbouring messages of one role",
        "https://github.com/infiniflow/ragflow/pull/6880",
    ),
];
