//! The Responses API.

use super::findings::Findings;
use super::names::{
    CALL_ID_SPELLING, INVALID_ARGUMENTS, ITEM_WITHOUT_REASONING, ORPHAN_RESULT, REASONING_WITHOUT_ITEM,
    REPEATED_CALL_ID, REPEATED_ITEM_ID, REPEATED_RESULT, UNANSWERED_CALL,
};
use super::sent::Sent;
use super::{Rule, Severity, arguments, in_flight, items, pairing};
use crate::format::Dialect;

/// How long a call's id may be, in characters.
const LONGEST_ID: usize = 64;

pub(super) fn check(sent: &Sent<'_>, found: &mut Findings) {
    let messages = &sent.messages;
    pairing::anywhere(messages, found);
    pairing::ids_unique_in_message(messages, found);
    items::are_whole(sent, found);
    arguments::ids_at_most(LONGEST_ID, messages, found);
}

pub(super) static RULES: [Rule; 10] = [
    Dialect::OpenAiResponses.rule(
        UNANSWERED_CALL,
        Severity::Refused,
        "a call has no output",
        "answer the call, if only with a note that it was not completed, or drop it with the reasoning before it",
        "https://platform.openai.com/docs/guides/function-calling",
    ),
    in_flight::rule(Dialect::OpenAiResponses),
    Dialect::OpenAiResponses.rule(
        ORPHAN_RESULT,
        Severity::Refused,
        "an output has no call before it",
        "drop the output, or put the call back",
        "https://github.com/langchain-ai/langchain/issues/34282",
    ),
    Dialect::OpenAiResponses.rule(
        REPEATED_RESULT,
        Severity::Refused,
        "two outputs answer the same call",
        "keep the first one",
        "https://github.com/alvesvaren/zod-to-openai-tool/issues/263",
    ),
    Dialect::OpenAiResponses.rule(
        REPEATED_CALL_ID,
        Severity::Refused,
        "two calls of one response have the same id",
        "give one of the calls, and its output, another id",
        "https://github.com/vercel/ai/issues/13307",
    ),
    Dialect::OpenAiResponses.rule(
        REPEATED_ITEM_ID,
        Severity::Refused,
        "two items have the same id",
        "drop the copy",
        "https://github.com/vercel/ai/issues/13307",
    ),
    Dialect::OpenAiResponses.rule(
        REASONING_WITHOUT_ITEM,
        Severity::Refused,
        "an item of reasoning is not followed by the item that it led to",
        "drop the reasoning, or put the item back",
        "https://github.com/vercel/ai/issues/7099",
    ),
    Dialect::OpenAiResponses.rule(
        ITEM_WITHOUT_REASONING,
        Severity::Advice,
        "a stored item of the model has no reasoning before it, although others have: if it had some, the request is refused",
        "keep reasoning and the items that it led to together",
        "https://github.com/openai/openai-agents-python/pull/3941",
    ),
    Dialect::OpenAiResponses.rule(
        INVALID_ARGUMENTS,
        Severity::Advice,
        "the arguments of a call are no JSON",
        "replace the arguments by a JSON object",
        "observed in exported sessions",
    ),
    Dialect::OpenAiResponses.rule(
        CALL_ID_SPELLING,
        Severity::Advice,
        "the id of a call has more than 64 characters",
        "shorten the id, in the call and in its output",
        "https://platform.openai.com/docs/api-reference/responses/create",
    ),
];
