//! What is found, for people and for spreadsheets.

use super::document::{AnchorLine, Count, StepLine, error};
use super::provider::ProviderCount;
use crate::show::{Column, grouped, percent, table, visible};

/// How many steps are shown unless all are asked for: the first and the last ones.
const MOST_STEPS: usize = 24;

const COLUMNS: [Column; 8] = [
    Column::Number("#"),
    Column::Number("estimate"),
    Column::Number("scaled + fixed"),
    Column::Number("counted"),
    Column::Number("error"),
    Column::Number("from cache"),
    Column::Number("to cache"),
    Column::Number("output"),
];

/// The steps, and what follows from them.
pub(super) fn text(count: &Count<'_>, width: u16, all: bool) -> String {
    let head = format!(
        "{} ({}): {} tokens in {} turns ({})\n",
        visible(&count.session),
        count.format,
        grouped(count.tokens),
        grouped(count.turns),
        count.words
    );
    let head = match &count.by_provider {
        Some(counted) => head + &provider_lines(counted, count.tokens),
        None => head,
    };
    let end = match (&count.anchor, &count.no_anchor) {
        (Some(anchor), _) => anchor_lines(anchor),
        (None, Some(reason)) => format!("no scale: {reason}\n"),
        (None, None) => String::new(),
    };
    if count.steps.is_empty() {
        return head + &end;
    }
    let steps = table(width, &COLUMNS, rows(&count.steps, all));
    [head, steps, end].join("\n")
}

/// What the provider counts, how far the estimate is from that, and what the request left out.
fn provider_lines(counted: &ProviderCount, estimate: u64) -> String {
    let head = format!(
        "counted by {}: {} tokens; the estimate is off by {}\n",
        visible(&counted.who()),
        grouped(counted.tokens),
        signed_percent(error(estimate, counted.tokens))
    );
    let left_out = counted.says.iter().map(|says| format!("  {says}\n"));
    core::iter::once(head).chain(left_out).collect()
}

fn rows(steps: &[StepLine<'_>], all: bool) -> Vec<Vec<String>> {
    if all || steps.len() <= MOST_STEPS {
        return steps.iter().map(row).collect();
    }
    let half = MOST_STEPS / 2;
    let last = steps.len().saturating_sub(half);
    let left_out = vec![format!("({} steps)", grouped(last.saturating_sub(half)))];
    let first = steps.iter().take(half).map(row);
    first.chain([left_out]).chain(steps.iter().skip(last).map(row)).collect()
}

fn row(step: &StepLine<'_>) -> Vec<String> {
    let expected = step.expected.map(grouped).unwrap_or_default();
    vec![
        grouped(step.position.saturating_add(1)),
        grouped(step.estimate),
        expected,
        grouped(step.counted),
        signed_percent(step.error(step.expected.unwrap_or(step.estimate))),
        grouped(step.cache_read),
        grouped(step.cache_write),
        grouped(step.output),
    ]
}

/// Thousandths as per cent with one digit and a sign.
fn signed_percent(thousandths: i128) -> String {
    let sign = if thousandths < 0 { '-' } else { '+' };
    let (whole, rest) = (thousandths.unsigned_abs() / 10, thousandths.unsigned_abs() % 10);
    format!("{sign}{whole}.{rest} %")
}

fn anchor_lines(anchor: &AnchorLine) -> String {
    let (whole, rest) = (anchor.scale / 1_000, anchor.scale % 1_000);
    let fixed = match anchor.fixed {
        Some(0) => "nothing but the turns".to_owned(),
        Some(tokens) => format!(
            "{} tokens besides the turns: a system prompt and tools that are not in the file, and what the harness adds",
            grouped(tokens)
        ),
        None => "not known what is sent besides the turns: results were masked since".to_owned(),
    };
    format!(
        "the newest count: {} tokens for the request that gave turn {}\nscale {whole}.{rest:03}: --anchor multiplies estimates by it\n{fixed}\nwith both the error is {} % on the mean over {} steps\n",
        grouped(anchor.counted),
        grouped(anchor.position.saturating_add(1)),
        percent(anchor.scaled_error),
        grouped(anchor.over_steps)
    )
}

/// One line a step.
pub(super) fn csv(count: &Count<'_>) -> String {
    let head =
        "position,estimate,expected,counted,fresh,cache_write,cache_read,output,reasoning\n".to_owned();
    let line = |step: &StepLine<'_>| {
        let StepLine { position, estimate, counted, fresh, cache_write, cache_read, output, .. } = step;
        let or_empty = |tokens: Option<u64>| tokens.map(|tokens| tokens.to_string()).unwrap_or_default();
        let (expected, reasoning) = (or_empty(step.expected), or_empty(step.reasoning));
        format!(
            "{position},{estimate},{expected},{counted},{fresh},{cache_write},{cache_read},{output},{reasoning}\n"
        )
    };
    core::iter::once(head).chain(count.steps.iter().map(line)).collect()
}
