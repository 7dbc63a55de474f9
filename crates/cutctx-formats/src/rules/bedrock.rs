//! The Bedrock Converse API.

use super::findings::Findings;
use super::joined::joined;
use super::names::{
    BLANK_TEXT, CALL_ID_SPELLING, EMPTY_CONTENT, FIRST_NOT_USER, INVALID_ARGUMENTS, ORPHAN_RESULT,
    PREFILL_ENDS_BLANK, REASONING_NOT_FIRST, REPEATED_CALL_ID, REPEATED_RESULT, ROLES_NOT_ALTERNATING,
    SIGNATURE_MISSING, SPLIT_RESULTS, TOO_MANY_CACHE_MARKS, TOOLS_NOT_DEFINED, UNANSWERED_CALL,
};
use super::sent::Sent;
use super::{Rule, Severity, arguments, cache_marks, emptiness, in_flight, pairing, reasoning, roles, tools};
use crate::format::Dialect;

/// How long a call's id may be, in characters.
const LONGEST_ID: usize = 64;

pub(super) fn check(sent: &Sent<'_>, found: &mut Findings) {
    let messages = &sent.messages;
    let groups = joined(messages);
    pairing::in_the_next_message(&groups, found);
    pairing::results_together(&groups, found);
    pairing::ids_unique_in_message(messages, found);
    roles::user_first(messages, found);
    roles::sides_alternate(messages, found);
    emptiness::contents(sent, found);
    emptiness::texts(sent, found);
    emptiness::prefill(messages, found);
    reasoning::comes_first(&groups, found);
    reasoning::is_signed_in_blocks(sent, found);
    arguments::are_objects(messages, found);
    arguments::ids_of(is_of_id, LONGEST_ID, messages, found);
    cache_marks::as_blocks(sent, found);
    tools::are_defined(sent, "toolConfig", &["inferenceConfig", "modelId", "system"], found);
}

const fn is_of_id(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.' | ':')
}

/// The provider's reference of the request.
const REQUEST: &str = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html";
/// Its reference of a content block.
const BLOCK: &str = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html";

pub(super) static RULES: [Rule; 17] = [
    Dialect::Bedrock.rule(
        UNANSWERED_CALL,
        Severity::Refused,
        "a tool call has no result in the very next message",
        "answer the call, if only with a note that it was not completed, or drop it with its exchange",
        REQUEST,
    ),
    in_flight::rule(Dialect::Bedrock),
    Dialect::Bedrock.rule(
        ORPHAN_RESULT,
        Severity::Refused,
        "a tool result answers no call of the message before it",
        "drop the result, or put the message with its call back",
        REQUEST,
    ),
    Dialect::Bedrock.rule(
        REPEATED_RESULT,
        Severity::Refused,
        "two results answer the same call",
        "keep the first one",
        REQUEST,
    ),
    Dialect::Bedrock.rule(
        SPLIT_RESULTS,
        Severity::Refused,
        "the results of parallel calls stand in several messages",
        "put them into one message",
        "https://github.com/langchain-ai/langchain-aws/issues/130",
    ),
    Dialect::Bedrock.rule(
        REPEATED_CALL_ID,
        Severity::Refused,
        "two calls of one message have the same id",
        "give one of the calls, and its result, another id",
        REQUEST,
    ),
    Dialect::Bedrock.rule(
        CALL_ID_SPELLING,
        Severity::Refused,
        "the id of a call is empty, longer than 64 characters, or has others than letters, digits and `_-.:`",
        "spell the id anew, in the call and in its result",
        "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html",
    ),
    Dialect::Bedrock.rule(
        INVALID_ARGUMENTS,
        Severity::Refused,
        "the input of a call is no JSON object",
        "replace the input by an object",
        "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html",
    ),
    Dialect::Bedrock.rule(
        TOOLS_NOT_DEFINED,
        Severity::Refused,
        "calls or results stand in a request without a tool configuration",
        "send the tool configuration with the request",
        REQUEST,
    ),
    Dialect::Bedrock.rule(
        FIRST_NOT_USER,
        Severity::Refused,
        "the first message is not the user's",
        "keep the first user message",
        REQUEST,
    ),
    Dialect::Bedrock.rule(
        ROLES_NOT_ALTERNATING,
        Severity::Refused,
        "user and assistant do not take turns",
        "join neighbouring messages of one role",
        "https://github.com/langchain-ai/langchain-aws/issues/192",
    ),
    Dialect::Bedrock.rule(
        EMPTY_CONTENT,
        Severity::Refused,
        "a message has no content",
        "drop the message",
        BLOCK,
    ),
    Dialect::Bedrock.rule(
        BLANK_TEXT,
        Severity::Refused,
        "a text block is empty or white space",
        "drop the block, or the message when it says nothing else",
        BLOCK,
    ),
    Dialect::Bedrock.rule(
        PREFILL_ENDS_BLANK,
        Severity::Advice,
        "the last message is the model's and ends in white space: some models refuse it",
        "cut the white space off",
        REQUEST,
    ),
    Dialect::Bedrock.rule(
        REASONING_NOT_FIRST,
        Severity::Refused,
        "in the turn that is still going on, a message with reasoning does not begin with it",
        "keep the reasoning where it was",
        "https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html",
    ),
    Dialect::Bedrock.rule(
        SIGNATURE_MISSING,
        Severity::Advice,
        "a block of reasoning has no signature: models that sign refuse it",
        "put the signature back, or drop the whole block",
        "https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html",
    ),
    Dialect::Bedrock.rule(
        TOO_MANY_CACHE_MARKS,
        Severity::Refused,
        "there are more than four cache points",
        "keep the last ones",
        "https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html",
    ),
];
