//! The rules once more, slowly: every list is walked as often as it takes, nothing is shared with the
//! kernel but the types.

use alloc::collections::BTreeSet;
use cutctx_types::{
    Action, CompactionBudget, Part, PartKind, PlanDraft, Role, Transcript, TranscriptTurn, Trim, TurnAction,
};
use serde_json::{Value, json};

/// What the oracle says about a draft.
#[derive(Debug, PartialEq)]
pub(crate) enum Ruling {
    /// The budget is below the untouchable turns.
    Unsatisfiable(Value),
    /// The first violation of each broken rule, in order.
    Broken(Vec<Finding>),
    /// Tokens before, tokens after, over budget.
    Accepted(u128, u128, bool),
}

/// A broken rule.
#[derive(Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) rule: &'static str,
    pub(crate) code: &'static str,
    pub(crate) details: Value,
}

/// A draft for a transcript under a budget.
struct Case<'a> {
    turns: &'a [TranscriptTurn],
    budget: &'a CompactionBudget,
    draft: &'a PlanDraft,
}

pub(crate) fn rule(transcript: &Transcript, budget: &CompactionBudget, draft: &PlanDraft) -> Ruling {
    let case = Case { turns: transcript.turns(), budget, draft };
    if let Some(details) = case.floor() {
        return Ruling::Unsatisfiable(details);
    }
    if let Some(details) = case.coverage() {
        return Ruling::Broken(vec![Finding { rule: "coverage", code: "VALIDATION_ERROR", details }]);
    }
    let answers = [
        ("untouchable", case.untouchable()),
        ("exchange", case.exchanges()),
        ("repeated-request", case.repeated_requests()),
        ("groups-and-requests", case.groups_and_requests()),
        ("request-turns", case.request_turns()),
        ("summary-id", case.summary_ids()),
        ("request-order", case.request_order()),
        ("figures", case.figures()),
        ("estimator-ratio", case.ratio()),
        ("trim", case.trims()),
    ];
    let overflows = case.after() > u128::from(u64::MAX);
    let findings: Vec<Finding> = answers
        .into_iter()
        .filter_map(|(rule, details)| {
            let code = if rule == "figures" && overflows { "TOKEN_OVERFLOW" } else { "VALIDATION_ERROR" };
            Some(Finding { rule, code, details: details? })
        })
        .collect();
    if findings.is_empty() {
        Ruling::Accepted(case.before(), case.after(), case.after() > u128::from(budget.max_tokens()))
    } else {
        Ruling::Broken(findings)
    }
}

/// Whether the turn at a position is untouchable.
pub(crate) fn is_untouchable(turns: &[TranscriptTurn], budget: &CompactionBudget, position: usize) -> bool {
    let turn = &turns[position];
    let from_end = (turns.len() - position) as u64;
    turn.role() == Role::System || turn.pinned() || from_end <= budget.protected_recent_turns()
}

/// Whether the turn at a position may be trimmed although it is untouchable.
pub(crate) fn is_clippable(turns: &[TranscriptTurn], budget: &CompactionBudget, position: usize) -> bool {
    let turn = &turns[position];
    let whole = turn.role() == Role::System || (turn.pinned() && !turn.pinned_in_place());
    budget.clip_active() && is_untouchable(turns, budget, position) && !whole
}

/// The positions that belong together with a position, in order.
pub(crate) fn exchange_of(turns: &[TranscriptTurn], position: usize) -> Vec<usize> {
    match turns[position].tool_call_id() {
        None => vec![position],
        Some(call) => (0..turns.len()).filter(|other| turns[*other].tool_call_id() == Some(call)).collect(),
    }
}

#[expect(single_use_lifetimes, reason = "an elided lifetime is not allowed in this place")]
fn sorted<'s>(ids: impl IntoIterator<Item = &'s str>) -> Vec<String> {
    let mut ids: Vec<String> = ids.into_iter().map(String::from).collect();
    ids.sort_by(|left, right| left.chars().cmp(right.chars()));
    ids
}

fn first_ten(ids: Vec<String>) -> Vec<String> {
    ids.into_iter().take(10).collect()
}

#[expect(single_use_lifetimes, reason = "an elided lifetime is not allowed in this place")]
fn capped<'s>(ids: impl IntoIterator<Item = &'s str>) -> Vec<String> {
    first_ten(sorted(ids))
}

#[expect(single_use_lifetimes, reason = "an elided lifetime is not allowed in this place")]
fn distinct_capped<'s>(ids: impl IntoIterator<Item = &'s str>) -> Vec<String> {
    let mut ids = sorted(ids);
    ids.dedup();
    first_ten(ids)
}

fn group(action: &TurnAction) -> Option<&str> {
    match &action.action {
        Action::Summarize { group } => Some(group),
        Action::Keep | Action::Mask(_) | Action::Drop | Action::Trim(_) => None,
    }
}

fn name(action: &TurnAction) -> &'static str {
    match action.action {
        Action::Keep => "keep",
        Action::Mask(_) => "mask",
        Action::Summarize { .. } => "summarize",
        Action::Drop => "drop",
        Action::Trim(_) => "trim",
    }
}

fn removed(action: &TurnAction) -> bool {
    ["summarize", "drop"].contains(&name(action))
}

impl Case<'_> {
    fn untouchables(&self) -> Vec<usize> {
        (0..self.turns.len()).filter(|at| is_untouchable(self.turns, self.budget, *at)).collect()
    }

    fn floor(&self) -> Option<Value> {
        let untouchable = self.untouchables();
        let whole = untouchable.iter().filter(|at| !is_clippable(self.turns, self.budget, **at));
        let tokens: u128 = whole.map(|at| u128::from(self.turns[*at].token_estimate())).sum();
        (tokens > u128::from(self.budget.max_tokens())).then(|| {
            json!({
                "untouchable_tokens": u64::try_from(tokens).unwrap(),
                "max_tokens": self.budget.max_tokens(),
                "untouchable_turn_count": untouchable.len(),
                "protected_recent_turns": self.budget.protected_recent_turns(),
            })
        })
    }

    fn coverage(&self) -> Option<Value> {
        let turns: Vec<&str> = self.turns.iter().map(|turn| turn.turn_id().as_ref()).collect();
        let planned: Vec<&str> = self.draft.actions.iter().map(|action| action.turn_id.as_ref()).collect();
        let count = |id: &str| planned.iter().filter(|other| **other == id).count();
        (turns != planned).then(|| {
            json!({
                "unplanned_turn_ids": distinct_capped(turns.iter().copied().filter(|id| count(id) == 0)),
                "unknown_turn_ids": distinct_capped(planned.iter().copied().filter(|id| !turns.contains(id))),
                "repeated_turn_ids": distinct_capped(planned.iter().copied().filter(|id| count(id) > 1)),
            })
        })
    }

    fn untouchable(&self) -> Option<Value> {
        let is_touched = |at: &usize| match name(&self.draft.actions[*at]) {
            "keep" => false,
            "trim" => !is_clippable(self.turns, self.budget, *at),
            _ => true,
        };
        let touched = self.untouchables().into_iter().filter(is_touched);
        let touched: Vec<&TurnAction> = touched.map(|at| &self.draft.actions[at]).collect();
        let ids = capped(touched.iter().map(|action| action.turn_id.as_ref()));
        let action_of = |id: &String| name(touched.iter().find(|a| a.turn_id.as_ref() == id).unwrap());
        (!touched.is_empty()).then(|| {
            json!({
                "touched_turn_ids": ids,
                "actions": ids.iter().map(action_of).collect::<Vec<_>>(),
                "protected_recent_turns": self.budget.protected_recent_turns(),
            })
        })
    }

    fn exchanges(&self) -> Option<Value> {
        let mut firsts = (0..self.turns.len()).filter(|at| exchange_of(self.turns, *at).first() == Some(at));
        firsts.find_map(|at| self.exchange(&exchange_of(self.turns, at)))
    }

    fn exchange(&self, members: &[usize]) -> Option<Value> {
        let actions: Vec<&TurnAction> = members.iter().map(|at| &self.draft.actions[*at]).collect();
        let ids_of = |wanted: bool| {
            let side = actions.iter().filter(|action| removed(action) == wanted);
            capped(side.map(|action| action.turn_id.as_ref()))
        };
        let (gone, kept) = (ids_of(true), ids_of(false));
        if gone.is_empty() {
            return None;
        }
        if !kept.is_empty() {
            return Some(json!({"removed_turn_ids": gone, "retained_turn_ids": kept}));
        }
        let ways: BTreeSet<_> = actions.iter().map(|action| (name(action), group(action))).collect();
        (ways.len() > 1).then(|| {
            json!({
                "turn_ids": gone,
                "actions": distinct_capped(actions.iter().map(|action| name(action))),
                "summary_groups": distinct_capped(actions.iter().map(|a| group(a).unwrap_or_default())),
            })
        })
    }

    fn requested(&self) -> Vec<&str> {
        self.draft.summarization_requests.iter().map(|request| request.group_id().as_ref()).collect()
    }

    /// The turns that the actions put into a group, in order.
    fn acted(&self, wanted: &str) -> Vec<String> {
        let turns = self.draft.actions.iter().filter(|action| group(action) == Some(wanted));
        turns.map(|action| String::from(action.turn_id.as_ref())).collect()
    }

    fn repeated_requests(&self) -> Option<Value> {
        let requested = self.requested();
        let distinct: BTreeSet<&str> = requested.iter().copied().collect();
        (distinct.len() < requested.len()).then(|| json!({"group_ids": capped(requested)}))
    }

    fn groups_and_requests(&self) -> Option<Value> {
        let requested = self.requested();
        let acted: Vec<&str> = self.draft.actions.iter().filter_map(group).collect();
        let without_request = distinct_capped(acted.iter().copied().filter(|id| !requested.contains(id)));
        let without_turns = distinct_capped(requested.iter().copied().filter(|id| !acted.contains(id)));
        (!without_request.is_empty() || !without_turns.is_empty()).then(
            || json!({"groups_without_request": without_request, "requests_without_turns": without_turns}),
        )
    }

    fn request_turns(&self) -> Option<Value> {
        self.draft.summarization_requests.iter().find_map(|request| {
            let named: Vec<String> = request.turn_ids().iter().map(|id| String::from(id.as_ref())).collect();
            let acted = self.acted(request.group_id());
            (named != acted).then(|| {
                json!({
                    "group_id": request.group_id(),
                    "request_turn_ids": first_ten(named),
                    "action_turn_ids": first_ten(acted),
                })
            })
        })
    }

    fn summary_ids(&self) -> Option<Value> {
        let requested = self.requested();
        let taken = |group: &&str| {
            let id = format!("summary:{group}");
            self.turns.iter().any(|turn| turn.turn_id().as_ref() == id)
        };
        let taken: Vec<&str> = requested.into_iter().filter(taken).collect();
        (!taken.is_empty()).then(|| json!({"group_ids": capped(taken)}))
    }

    fn request_order(&self) -> Option<Value> {
        let requested = self.requested();
        let first = |id: &&str| self.draft.actions.iter().position(|action| group(action) == Some(*id));
        let firsts: Vec<usize> = requested.iter().filter_map(first).collect();
        let mut in_order = firsts.clone();
        in_order.sort_unstable();
        let requested = requested.into_iter().map(String::from).collect();
        (firsts != in_order).then(|| json!({"group_ids": first_ten(requested)}))
    }

    fn before(&self) -> u128 {
        self.turns.iter().map(|turn| u128::from(turn.token_estimate())).sum()
    }

    fn after(&self) -> u128 {
        let mut after = 0_u128;
        for (turn, action) in self.turns.iter().zip(&self.draft.actions) {
            after += match &action.action {
                Action::Keep => u128::from(turn.token_estimate()),
                Action::Mask(stub) => u128::from(stub.token_estimate),
                Action::Trim(trim) => u128::from(trim.token_estimate),
                Action::Summarize { .. } | Action::Drop => 0,
            };
        }
        for request in &self.draft.summarization_requests {
            after += u128::from(request.target_tokens());
        }
        after
    }

    fn figures(&self) -> Option<Value> {
        let (before, after, max) = (self.before(), self.after(), self.budget.max_tokens());
        let Ok(derived) = u64::try_from(after) else { return Some(json!({})) };
        let declared = self.draft.declared?;
        if declared.tokens_before != before.cast_signed() {
            return Some(
                json!({"declared": number(declared.tokens_before), "transcript": u64::try_from(before).unwrap()}),
            );
        }
        if declared.tokens_after_estimate != after.cast_signed() {
            return Some(json!({"declared": number(declared.tokens_after_estimate), "derived": derived}));
        }
        (declared.budget_unmet != (derived > max)).then(|| {
            json!({"declared": declared.budget_unmet, "tokens_after_estimate": derived, "max_tokens": max})
        })
    }

    fn ratio(&self) -> Option<Value> {
        let ratio = self.draft.estimator_ratio?;
        let shown = if ratio.is_nan() {
            "nan"
        } else if ratio > 0.0 {
            "inf"
        } else {
            "-inf"
        };
        (!ratio.is_finite()).then(|| json!({"value": shown}))
    }

    fn trims(&self) -> Option<Value> {
        self.turns.iter().zip(&self.draft.actions).find_map(|(turn, action)| match &action.action {
            Action::Trim(trim) => {
                let mut details = trim_fault(turn, trim)?;
                details["turn_id"] = json!(turn.turn_id());
                Some(details)
            }
            Action::Keep | Action::Mask(_) | Action::Summarize { .. } | Action::Drop => None,
        })
    }
}

/// A number as the details show it: JSON values of serde hold 64 bits, larger ones become text.
pub(crate) fn number(number: i128) -> Value {
    serde_json::from_str(&number.to_string()).unwrap()
}

fn trim_fault(turn: &TranscriptTurn, trim: &Trim) -> Option<Value> {
    let content = turn.content().as_ref();
    let mut borders: BTreeSet<usize> = content.char_indices().map(|(at, _)| at).collect();
    borders.insert(content.len());
    let parts = match turn.parts() {
        [] => vec![Part::new(PartKind::Text, content.len(), 0)],
        parts => parts.to_vec(),
    };
    let mut kept_bytes: BTreeSet<usize> = BTreeSet::new();
    let mut seen: Vec<usize> = Vec::new();
    for kept in &trim.kept {
        let part = kept.part;
        if part >= parts.len() || seen.iter().any(|earlier| *earlier >= part) {
            return Some(json!({"fault": "part-order", "part": part}));
        }
        seen.push(part);
        let start = if part == 0 { 0 } else { parts[part - 1].end };
        let whole = start..parts[part].end;
        let indivisible = [PartKind::OpaqueReasoning, PartKind::Media].contains(&parts[part].kind);
        if indivisible {
            if kept.ranges != vec![whole.clone()] {
                return Some(json!({"fault": "divided", "part": part}));
            }
        } else if kept.ranges.is_empty() {
            return Some(json!({"fault": "range", "part": part, "start": start, "end": start}));
        }
        for range in &kept.ranges {
            let empty_media = indivisible && whole.is_empty();
            let inside = range.start >= whole.start && range.end <= whole.end;
            let cut_well = borders.contains(&range.start) && borders.contains(&range.end);
            let fresh = kept_bytes.range(range.start..).next().is_none();
            if !empty_media && (range.start >= range.end || !inside || !cut_well || !fresh) {
                return Some(json!({"fault": "range", "part": part, "start": range.start, "end": range.end}));
            }
            kept_bytes.extend(range.clone());
        }
    }
    if seen.is_empty() {
        return Some(json!({"fault": "nothing"}));
    }
    if kept_bytes.len() == content.len() && seen.len() == parts.len() {
        return Some(json!({"fault": "everything"}));
    }
    let (before, after) = (turn.token_estimate(), trim.token_estimate);
    (after > before).then(|| json!({"fault": "dearer", "before": before, "after": after}))
}
