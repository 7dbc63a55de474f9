//! The Anthropic Messages API, and the files of clients that send to it.

use super::findings::Findings;
use super::joined::joined;
use super::names::{
    BLANK_TEXT, CACHE_MARK_ON_REASONING, CALL_ID_SPELLING, EMPTY_CONTENT, FIRST_NOT_USER, INVALID_ARGUMENTS,
    ORPHAN_RESULT, ORPHAN_SERVER_RESULT, PREFILL_ENDS_BLANK, REASONING_INCOMPLETE, REASONING_MISSING,
    REASONING_NOT_FIRST, REPEATED_CALL_ID, REPEATED_RESULT, RESULT_NOT_FIRST, SIGNATURE_MISSING,
    SPLIT_RESULTS, TOO_MANY_CACHE_MARKS, TOOLS_NOT_DEFINED, UNANSWERED_CALL, UNANSWERED_SERVER_CALL,
};
use super::sent::Sent;
use super::{
    Rule, Severity, arguments, cache_marks, emptiness, in_flight, pairing, reasoning, roles, server_tools,
    tools,
};
use crate::format::Dialect;

pub(super) fn check(sent: &Sent<'_>, found: &mut Findings) {
    let messages = &sent.messages;
    let groups = joined(messages);
    pairing::in_the_next_message(&groups, found);
    pairing::ids_unique(messages, found);
    server_tools::are_paired(sent, &groups, found);
    reasoning::comes_first(&groups, found);
    reasoning::is_whole(&groups, found);
    reasoning::is_there(sent, &groups, found);
    reasoning::is_signed(sent, found);
    roles::user_first(messages, found);
    emptiness::contents(sent, found);
    emptiness::texts(sent, found);
    emptiness::prefill(messages, found);
    arguments::are_objects(messages, found);
    arguments::ids_of(is_of_id, usize::MAX, messages, found);
    cache_marks::on_blocks(sent, found);
    tools::are_defined(sent, "tools", &["max_tokens"], found);
    // A client that keeps its messages in another form joins them and puts results first when it sends them.
    if sent.is_as_sent() {
        pairing::results_first(&groups, found);
        pairing::results_together(&groups, found);
        emptiness::texts_in_results(sent, found);
    }
}

const fn is_of_id(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// The provider's page on tool use.
const TOOL_USE: &str = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls";
/// Its page on thinking.
const THINKING: &str = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking";
/// Its page on the cache.
const CACHE: &str = "https://platform.claude.com/docs/en/build-with-claude/prompt-caching";
/// Its reference of the request.
const REQUEST: &str = "https://platform.claude.com/docs/en/api/messages";

pub(super) static RULES: [Rule; 22] = [
    Dialect::Anthropic.rule(
        UNANSWERED_CALL,
        Severity::Refused,
        "a tool call has no result in the very next message",
        "answer the call, if only with a note that it was not completed, or drop it with its exchange",
        TOOL_USE,
    ),
    in_flight::rule(Dialect::Anthropic),
    Dialect::Anthropic.rule(
        ORPHAN_RESULT,
        Severity::Refused,
        "a tool result answers no call of the message before it",
        "drop the result, or put the message with its call back",
        "https://github.com/anthropics/claude-code/issues/13460",
    ),
    Dialect::Anthropic.rule(
        REPEATED_RESULT,
        Severity::Refused,
        "two results answer the same call",
        "keep the first one",
        "https://github.com/bastani-inc/atomic/issues/2051",
    ),
    Dialect::Anthropic.rule(
        RESULT_NOT_FIRST,
        Severity::Refused,
        "something stands before a tool result in its message",
        "put the results first",
        TOOL_USE,
    ),
    Dialect::Anthropic.rule(
        SPLIT_RESULTS,
        Severity::Repaired,
        "the results of parallel calls stand in several messages, which the provider joins",
        "put them into one message: split ones teach the model to make one call at a time",
        TOOL_USE,
    ),
    Dialect::Anthropic.rule(
        REPEATED_CALL_ID,
        Severity::Refused,
        "two calls of the request have the same id",
        "give one of the calls, and its result, another id",
        "https://github.com/anthropics/claude-code/issues/28515",
    ),
    Dialect::Anthropic.rule(
        CALL_ID_SPELLING,
        Severity::Refused,
        "the id of a call is empty, or has other characters than letters, digits, `_` and `-`",
        "spell the id anew, in the call and in its result",
        "https://github.com/anomalyco/opencode/issues/1279",
    ),
    Dialect::Anthropic.rule(
        INVALID_ARGUMENTS,
        Severity::Refused,
        "the input of a call is no JSON object",
        "replace the input by an object",
        REQUEST,
    ),
    Dialect::Anthropic.rule(
        ORPHAN_SERVER_RESULT,
        Severity::Refused,
        "the result of a tool that the provider ran has no call in its message",
        "drop the result, or put the call back before it",
        "https://github.com/anthropics/claude-code/issues/64026",
    ),
    Dialect::Anthropic.rule(
        UNANSWERED_SERVER_CALL,
        Severity::Refused,
        "the call of a tool that the provider runs has no result in its message, and it is not the last one",
        "drop the call, or put its result back after it",
        "https://github.com/anthropics/claude-code/issues/84783",
    ),
    Dialect::Anthropic.rule(
        TOOLS_NOT_DEFINED,
        Severity::Refused,
        "calls or results stand in a request that defines no tools",
        "send the definitions of the tools with the request",
        REQUEST,
    ),
    Dialect::Anthropic.rule(
        FIRST_NOT_USER,
        Severity::Refused,
        "the first message is not the user's",
        "keep the first user message",
        REQUEST,
    ),
    Dialect::Anthropic.rule(
        EMPTY_CONTENT,
        Severity::Refused,
        "a message has no content, and it is not the model's last one",
        "drop the message",
        REQUEST,
    ),
    Dialect::Anthropic.rule(
        BLANK_TEXT,
        Severity::Refused,
        "a text block is empty or white space",
        "drop the block, or the message when it says nothing else",
        "https://github.com/aaif-goose/goose/pull/7343",
    ),
    Dialect::Anthropic.rule(
        PREFILL_ENDS_BLANK,
        Severity::Refused,
        "the last message is the model's and ends in white space",
        "cut the white space off",
        REQUEST,
    ),
    Dialect::Anthropic.rule(
        REASONING_NOT_FIRST,
        Severity::Refused,
        "in the turn that is still going on, a message with thinking does not begin with it",
        "keep the thinking where it was",
        THINKING,
    ),
    Dialect::Anthropic.rule(
        REASONING_INCOMPLETE,
        Severity::Advice,
        "the turn that is still going on begins without thinking and has some later: the beginning may be lost",
        "keep all thinking of a turn, or none",
        "https://github.com/bastani-inc/atomic/pull/1732",
    ),
    Dialect::Anthropic.rule(
        REASONING_MISSING,
        Severity::Refused,
        "thinking is enabled, and the turn that is still going on has calls and no thinking",
        "put the thinking of the turn back, or disable thinking until the turn is over",
        THINKING,
    ),
    Dialect::Anthropic.rule(
        SIGNATURE_MISSING,
        Severity::Refused,
        "a thinking block has no signature",
        "put the signature back, or drop the whole block",
        "https://github.com/anomalyco/opencode/issues/31188",
    ),
    Dialect::Anthropic.rule(
        TOO_MANY_CACHE_MARKS,
        Severity::Refused,
        "more than four blocks carry a cache mark",
        "keep the marks of the last blocks that are to be cached",
        "https://github.com/tghamm/Anthropic.SDK/issues/50",
    ),
    Dialect::Anthropic.rule(
        CACHE_MARK_ON_REASONING,
        Severity::Refused,
        "a thinking block carries a cache mark",
        "move the mark to the block before it",
        CACHE,
    ),
];
