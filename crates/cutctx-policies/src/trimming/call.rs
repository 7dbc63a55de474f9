//! What a call costs with less of its arguments.

use super::{TurnPart, share_of};
use crate::calls::spelled;
use crate::masking::Estimator;
use cutctx_types::InvalidValue;

/// The most tokens that what a provider puts around a call is taken to cost.
const AROUND_A_CALL: u64 = 64;

/// What a file has in place of arguments that are gone, or that are none any more once they are cut.
const NO_ARGUMENTS: &str = "{}";

/// What a call costs once its part says this, in tokens; nothing where the part is left out.
///
/// Its name and what is around it stay. One without a text of its own stands in the text before it, and is not cut.
pub(super) fn cost(measure: &Estimator, part: &TurnPart<'_>, said: &str) -> Result<u64, InvalidValue> {
    if part.text.is_empty() {
        return Ok(part.tokens);
    }
    let (name, arguments) = match spelled(part.text) {
        Some((name, range)) => (name, part.text.get(range).unwrap_or_default()),
        None => ("", part.text),
    };
    let around = measure.estimate(name)?.saturating_add(AROUND_A_CALL);
    let fixed = part.tokens.saturating_sub(measure.estimate(arguments)?).min(around);
    let left = measure.measure(left_of(part.text, arguments, said))?.max(measure.measure(NO_ARGUMENTS)?);
    let shared = part.tokens.saturating_sub(fixed);
    Ok(share_of(shared, left, measure.measure(arguments)?).saturating_add(fixed))
}

/// What a part that says this has left of its arguments.
fn left_of<'s>(text: &str, arguments: &str, said: &'s str) -> &'s str {
    let before = text.len().saturating_sub(arguments.len().saturating_add("]".len()));
    let is_spelled = arguments.len() < text.len();
    let left =
        if is_spelled { text.get(..before).and_then(|before| said.strip_prefix(before)) } else { None };
    let left = left.unwrap_or(said);
    if is_spelled { left.strip_suffix(']').unwrap_or(left) } else { left }
}
