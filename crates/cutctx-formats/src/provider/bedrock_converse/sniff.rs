//! Whether a document is a Bedrock Converse request.

use alloc::vec::Vec;

use crate::document::Document;
use crate::format::Confidence;
use crate::raw::{Node, Object};

/// How many messages are looked at.
const SAMPLE: usize = 24;

/// The keys of blocks that no other API has.
const OWN: [&str; 5] = ["toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent"];

pub(super) fn sniff(document: &Document<'_>) -> Option<Confidence> {
    let list = document.messages()?;
    let messages = list.messages.iter().take(SAMPLE);
    let blocks: Vec<Object<'_>> = messages.flat_map(|(_, node)| blocks_of(*node)).collect();
    if blocks.iter().any(|block| block.has("type")) {
        return None;
    }
    let is_request = list.request.as_ref().is_some_and(names_bedrock);
    if is_request || blocks.iter().any(|block| OWN.iter().any(|key| block.has(key))) {
        return Some(Confidence::Certain);
    }
    blocks.iter().any(|block| block.has("text")).then_some(Confidence::Likely)
}

fn names_bedrock(request: &Object<'_>) -> bool {
    let names = ["inferenceConfig", "toolConfig", "guardrailConfig"].iter().any(|key| request.has(key));
    let system = request.get("system").and_then(|system| system.objects().ok().flatten()).unwrap_or_default();
    names || system.iter().flatten().any(|block| block.has("text") && !block.has("type"))
}

fn blocks_of(message: Node<'_>) -> Vec<Object<'_>> {
    let content = message.object().ok().flatten().and_then(|message| message.get("content"));
    let blocks = content.and_then(|content| content.objects().ok().flatten()).unwrap_or_default();
    blocks.into_iter().flatten().collect()
}
