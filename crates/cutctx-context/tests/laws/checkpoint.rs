//! The checkpoint policy against its own slow path, and its coverage.

use alloc::sync::Arc;

use cutctx_context::{
    CheckpointCompactionContextPolicy, CheckpointCompactionSettings, ContextRequest, ExtractiveCompactor,
    PlaceRuntimeContext, build_context_locally,
};
use cutctx_messages::{
    Artifacts, AttachmentKind, FileAttachment, FilePart, Message, MessagePart, check_context,
};
use cutctx_types::{Coded, Role};
use proptest::prelude::*;

use crate::sessions::{events, messages, session};

/// Puts nothing between the messages, but makes the policy build every candidate.
#[derive(Debug)]
struct Nothing;

impl PlaceRuntimeContext for Nothing {
    fn place(&self, messages: &[Message]) -> Vec<Message> {
        messages.to_vec()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn suffix_sums_choose_what_building_every_candidate_chooses(events in events(24), after in 60..600_u64, part in 20..90_u64,
        files in any::<u64>(),
    ) {
        let kept = after.saturating_mul(part) / 100;
        let settings = CheckpointCompactionSettings::by_size(after, kept);
        let compactor = Arc::new(ExtractiveCompactor::new(16).unwrap());
        let policy = CheckpointCompactionContextPolicy::new(compactor, settings).unwrap();
        let fast = ContextRequest::new(session(), with_files(messages(&events), files));
        let mut slow = fast.clone();
        slow.place_runtime_context = Some(Arc::new(Nothing));
        let fast = build_context_locally(&policy, fast, None);
        let slow = build_context_locally(&policy, slow, None);
        prop_assert_eq!(&fast, &slow);
        if let Ok(built) = fast {
            prop_assert_eq!(check_context(&built.messages), Ok(()));
        }
    }

    #[test]
    fn every_message_is_shown_or_summarized_once(events in events(24), turns in 1..4_usize, after in 1..10_usize) {
        let settings = CheckpointCompactionSettings { max_user_turns: turns, compact_after_messages: after, ..CheckpointCompactionSettings::default() };
        let compactor = Arc::new(ExtractiveCompactor::new(200).unwrap());
        let policy = CheckpointCompactionContextPolicy::new(compactor, settings).unwrap();
        let transcript = messages(&events);
        let mut checkpoint = None;
        let mut last = 0_usize;
        for upto in 1..=transcript.len() {
            let request = ContextRequest::new(session(), &transcript[..upto]);
            let built = match build_context_locally(&policy, request, checkpoint.as_ref()) {
                Ok(built) => built,
                // Inside a round there is nothing to send.
                Err(error) => { prop_assert_eq!(error.code().as_str(), "DANGLING_CALLS"); continue },
            };
            checkpoint = built.checkpoint.or(checkpoint);
            let cursor = cursor(checkpoint.as_ref());
            prop_assert!(cursor >= last, "the cursor goes back");
            last = cursor;
            let shown = if cursor > 0 { 2_usize.saturating_add(upto.saturating_sub(cursor)) } else { upto };
            prop_assert_eq!(built.messages.len(), shown);
            prop_assert_eq!(built.messages.last(), transcript[..upto].last());
        }
    }
}

/// The messages with a file wherever a bit says so.
fn with_files(messages: Vec<Message>, bits: u64) -> Vec<Message> {
    let file = |at: usize| {
        FileAttachment::new(format!("art_{at}"), AttachmentKind::Image, "fence.png", "image/png", 900)
    };
    let with_file = |(at, message): (usize, Message)| {
        let is_wanted = bits.checked_shr(u32::try_from(at & 63).unwrap()).unwrap_or(0) & 1 == 1;
        let file = file(at).unwrap();
        let mut parts = message.content().to_vec();
        match message.role() {
            Role::User if is_wanted => parts.push(FilePart::new(file).into()),
            Role::Tool if is_wanted => {
                let json = serde_json::to_string(&MessagePart::from(FilePart::new(file))).unwrap();
                let part: serde_json::Value = serde_json::from_str(&json).unwrap();
                let artifact = serde_json::from_value(part["attachment"].clone()).unwrap();
                if let Some(MessagePart::ToolResult(result)) = parts.first_mut() {
                    result.artifacts = Artifacts::new(vec![artifact]).unwrap();
                }
            }
            Role::User | Role::Tool | Role::Assistant | Role::System => return message,
        }
        Message::new(message.role(), parts).unwrap()
    };
    messages.into_iter().enumerate().map(with_file).collect()
}

fn cursor(checkpoint: Option<&cutctx_messages::DurableObject>) -> usize {
    let json = serde_json::to_value(checkpoint).unwrap();
    let cursor = json["context_compaction"]["compacted_transcript_cursor"].as_u64().unwrap_or(0);
    usize::try_from(cursor).unwrap()
}
