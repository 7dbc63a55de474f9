//! Sessions of an agent, spelled as formats spell them.

use cutctx_exec::{CompactionExecutor, Summaries};
use cutctx_invariants::{CompactionPlan, CompactionPolicy};
use cutctx_types::{Action, CompactionBudget, Part, PartKind, Role, Transcript, TranscriptTurn};
use std::collections::BTreeMap;

/// A session in the making.
#[derive(Default)]
pub(crate) struct Session {
    turns: Vec<TranscriptTurn>,
}

/// Tokens of a text at four characters each.
pub(crate) fn tokens(text: &str) -> u64 {
    u64::try_from(text.chars().count().div_ceil(4)).unwrap()
}

/// Lines that are numbered from zero.
pub(crate) fn numbered(count: u64) -> String {
    let lines: Vec<String> = (0..count).map(|number| format!("line {number}\n")).collect();
    lines.concat()
}

impl Session {
    pub(crate) fn said(mut self, role: Role, text: &str) -> Self {
        let id = format!("{role}{}", self.turns.len());
        self.turns.push(TranscriptTurn::new(id, role, text, tokens(text)).unwrap());
        self
    }

    /// An assistant's turn of these parts; opaque ones cost a thousand tokens more than they show.
    pub(crate) fn turn(mut self, parts: &[(PartKind, &str)]) -> Self {
        let (mut content, mut made, mut cost) = (String::new(), Vec::new(), 0);
        for (kind, text) in parts {
            content.push_str(text);
            let hidden = if *kind == PartKind::OpaqueReasoning { 1_000 } else { 0 };
            made.push(Part::new(*kind, content.len(), tokens(text) + hidden));
            cost += tokens(text) + hidden;
        }
        let id = format!("assistant{}", self.turns.len());
        let turn = TranscriptTurn::new(id.as_str(), Role::Assistant, content, cost).unwrap();
        self.turns.push(turn.with_parts(made).unwrap().with_tool_call_id(id));
        self
    }

    /// One call of a tool and its result.
    pub(crate) fn call(self, tool: &str, arguments: &str, result: &str) -> Self {
        self.calls(&[(tool, arguments, result)])
    }

    /// Calls side by side, whose results come last call first.
    pub(crate) fn calls(self, calls: &[(&str, &str, &str)]) -> Self {
        let spelled: Vec<String> =
            calls.iter().map(|(tool, arguments, _)| format!("[call {tool} {arguments}]")).collect();
        let parts: Vec<_> = spelled.iter().map(|call| (PartKind::CallArguments, call.as_str())).collect();
        let mut session = self.turn(&parts);
        let exchange = session.turns.last().unwrap().turn_id().clone();
        for (index, (tool, _, result)) in calls.iter().enumerate().rev() {
            let id = format!("result{}", session.turns.len());
            let turn = TranscriptTurn::new(id, Role::Tool, *result, tokens(result)).unwrap();
            let turn = turn.with_tool_call_id(exchange.as_ref()).with_tool_name(*tool);
            session.turns.push(turn.with_answers(u32::try_from(index).unwrap()));
        }
        session
    }

    /// The last turn as the report of a failure.
    pub(crate) fn failed(self) -> Self {
        self.changed(|turn| turn.with_failed(true))
    }

    pub(crate) fn changed(mut self, change: impl FnOnce(TranscriptTurn) -> TranscriptTurn) -> Self {
        let last = self.turns.pop().unwrap();
        self.turns.push(change(last));
        self
    }

    pub(crate) fn done(self) -> Transcript {
        Transcript::new(self.turns).unwrap()
    }
}

/// The plan that does as much as a policy can, with the last turns protected.
pub(crate) fn all_it_can(
    policy: &dyn CompactionPolicy,
    transcript: &Transcript,
    protected: u64,
) -> CompactionPlan {
    let budget =
        CompactionBudget::new(transcript.token_estimate() - 1).with_protected_recent_turns(protected);
    policy.decide(transcript, &budget.with_target(0).unwrap()).unwrap()
}

/// By position: what a turn then says, where it was touched; empty where it is gone.
pub(crate) fn touched(policy: &dyn CompactionPolicy, transcript: &Transcript) -> BTreeMap<usize, String> {
    let plan = all_it_can(policy, transcript, 0);
    let view = CompactionExecutor::new().apply(transcript, &plan, &Summaries::none()).unwrap();
    let view = view.compacted.into_transcript().unwrap();
    let text_of = |id: &str| {
        let turn = view.turns().iter().find(|turn| turn.turn_id().as_ref() == id);
        turn.map_or_else(String::new, |turn| turn.content().to_string())
    };
    let actions = plan.actions().iter().enumerate();
    let actions = actions.filter(|(_, action)| action.action != Action::Keep);
    actions.map(|(position, action)| (position, text_of(&action.turn_id))).collect()
}

/// The positions that a policy touches.
pub(crate) fn positions(policy: &dyn CompactionPolicy, transcript: &Transcript) -> Vec<usize> {
    touched(policy, transcript).into_keys().collect()
}
