//! Words that a harness puts into a person's mouth.
//!
//! Agents send more in the user's place than a person says: instruction files, reminders, the environment, the output
//! of commands. They write it in blocks of their own, by which it is told here: a message that is such blocks and
//! nothing else is not a person's. What is to hold for the whole session are instructions, which stay; the rest is for
//! the moment.

use cutctx_messages::{MessageView, Origin, PartView};

/// Who speaks a kind of block, how it begins and how it ends. One whose end is missing takes all that follows.
struct Block {
    origin: Origin,
    start: &'static str,
    end: Option<&'static str>,
}

const fn instructions(start: &'static str, end: &'static str) -> Block {
    Block { origin: Origin::Instructions, start, end: Some(end) }
}

const fn moment(start: &'static str, end: &'static str) -> Block {
    Block { origin: Origin::Harness, start, end: Some(end) }
}

const fn open(origin: Origin, start: &'static str) -> Block {
    Block { origin, start, end: None }
}

/// The blocks of the harnesses that are known.
const BLOCKS: [Block; 27] = [
    instructions("<system-reminder>", "</system-reminder>"),
    instructions("<environment_context>", "</environment_context>"),
    instructions("<user_instructions>", "</user_instructions>"),
    instructions("<INSTRUCTIONS>", "</INSTRUCTIONS>"),
    instructions("<permissions instructions>", "</permissions instructions>"),
    open(Origin::Instructions, "<skill"),
    open(Origin::Instructions, "# AGENTS.md instructions"),
    open(Origin::Instructions, "# CLAUDE.md"),
    moment("<command-name>", "</command-name>"),
    moment("<command-message>", "</command-message>"),
    moment("<command-args>", "</command-args>"),
    moment("<command-contents>", "</command-contents>"),
    moment("<local-command-caveat>", "</local-command-caveat>"),
    moment("<local-command-stdout>", "</local-command-stdout>"),
    moment("<local-command-stderr>", "</local-command-stderr>"),
    moment("<bash-input>", "</bash-input>"),
    moment("<bash-stdout>", "</bash-stdout>"),
    moment("<bash-stderr>", "</bash-stderr>"),
    moment("<task-notification>", "</task-notification>"),
    moment("<ide_opened_file>", "</ide_opened_file>"),
    moment("<ide_selection>", "</ide_selection>"),
    moment("<turn_aborted>", "</turn_aborted>"),
    moment("<user_shell_command>", "</user_shell_command>"),
    moment("<subagent_notification>", "</subagent_notification>"),
    open(Origin::Harness, "<hook_prompt"),
    open(Origin::Harness, "Caveat: The messages below"),
    open(Origin::Harness, "[Request interrupted by user"),
];

/// Who says a text in a person's place. Somebody else does only when all of it is blocks of a harness; what is to hold
/// for the session decides over what is for the moment.
pub(crate) fn origin_of(text: &str) -> Origin {
    let mut rest = text.trim();
    let mut origin = None;
    while !rest.is_empty() {
        let Some((block, after)) = BLOCKS.iter().find_map(|block| Some((block, block.taken_off(rest)?)))
        else {
            return Origin::Person;
        };
        rest = after.trim_start();
        origin = Some(stronger(origin, block.origin));
    }
    origin.unwrap_or_default()
}

/// Who says a message in a person's place: a person, when one text or medium in it is not a harness's. A message
/// without texts is nobody's words and counts as a person's.
pub(crate) fn origin_of_message(message: &MessageView<'_>) -> Origin {
    let mut origin = None;
    for part in &message.parts {
        let own = if let PartView::Text(text) = part {
            origin_of(text)
        } else if matches!(part, PartView::Media(_)) {
            Origin::Person
        } else {
            continue;
        };
        if own == Origin::Person {
            return own;
        }
        origin = Some(stronger(origin, own));
    }
    origin.unwrap_or_default()
}

const fn stronger(one: Option<Origin>, other: Origin) -> Origin {
    match (one, other) {
        (Some(Origin::Instructions), _) | (_, Origin::Instructions) => Origin::Instructions,
        (_, other) => other,
    }
}

impl Block {
    /// What follows the block, where a text begins with it.
    fn taken_off<'t>(&self, text: &'t str) -> Option<&'t str> {
        let inside = text.strip_prefix(self.start)?;
        match self.end {
            None => Some(""),
            Some(end) => Some(inside.split_once(end).map_or("", |(_, after)| after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_that_are_nothing_but_blocks_are_a_harness_s() {
        let cases = [
            ("fix the gate", Origin::Person),
            ("", Origin::Person),
            ("<system-reminder>be kind</system-reminder>", Origin::Instructions),
            (
                " <system-reminder>a</system-reminder>\n<system-reminder>b</system-reminder> ",
                Origin::Instructions,
            ),
            (
                "<system-reminder>a</system-reminder> fix it <system-reminder>b</system-reminder>",
                Origin::Person,
            ),
            ("<system-reminder>never closed", Origin::Instructions),
            ("<command-name>/x</command-name> <command-args></command-args>", Origin::Harness),
            ("<bash-stdout>a</bash-stdout><system-reminder>b</system-reminder>", Origin::Instructions),
            ("[Request interrupted by user for tool use]", Origin::Harness),
            ("# AGENTS.md instructions for here\n\nbe brief", Origin::Instructions),
            ("what does <bash-input> mean?", Origin::Person),
        ];
        for (text, origin) in cases {
            assert_eq!(origin_of(text), origin, "{text}");
        }
    }
}
